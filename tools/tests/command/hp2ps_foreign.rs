//! Draws random profiles with our hp2ps and with GHC's, where that is installed, and compares the pages byte for
//! byte; and lets Ghostscript, where that is installed, render ours.

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

const BARROW: &str = env!("CARGO_BIN_EXE_barrow");

struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }

    fn one_of<'a>(&mut self, items: &[&'a str]) -> &'a str {
        items[self.below(items.len() as u64) as usize]
    }
}

/// A profile that both can draw: no name wider than the key, no sum beyond what a float holds exactly.
fn profile(random: &mut Random) -> String {
    let mut text = String::new();
    let job = "job ".repeat(random.below(12) as usize + 1);
    let _ = write!(text, "JOB \"{job}\"\nDATE \"today\"\n");
    let _ = writeln!(text, "SAMPLE_UNIT \"{}\"", random.one_of(&["seconds", "s", "minutes of work"]));
    let _ = writeln!(text, "VALUE_UNIT \"{}\"", random.one_of(&["bytes", "words", "B"]));
    let bands = 1 + random.below(60);
    let size = 10u64.pow(random.below(12) as u32) + 1;
    // Few different sizes make equal bands, whose order is the hard part.
    let sizes = 1 + random.below(5);
    let scale = 10f64.powi(random.below(7) as i32 - 3);
    let mut time = random.below(100) as f64 * scale;
    for _ in 0..1 + random.below(50) {
        let _ = writeln!(text, "BEGIN_SAMPLE {time:.6}");
        for band in 0..bands {
            if random.below(4) > 0 {
                let value = size / sizes * (1 + random.below(sizes)) * (band % 3 + 1);
                let _ = writeln!(
                    text,
                    "({}){}\t{value}",
                    band * 7,
                    ["a", "Map", "w%w", "x/y'"][band as usize % 4]
                );
            }
        }
        let _ = writeln!(text, "END_SAMPLE {time:.6}");
        if random.below(10) == 0 {
            let _ = writeln!(text, "MARK {time:.6}");
        }
        time += random.below(5) as f64 * scale;
    }
    text
}

fn flags(random: &mut Random) -> Vec<&'static str> {
    let all = [
        "-b", "-s", "-c", "-d", "-i", "-i-", "-i+", "-e300", "-e5.5in", "-g", "-m0", "-m1", "-m7", "-m33",
        "-M", "-t0", "-t4.5", "-y",
    ];
    let mut flags: Vec<_> = (0..random.below(5)).map(|_| random.one_of(&all)).collect();
    // The foreign tool turns the pages after the first, so that with -e they leave the bounding box.
    if flags.contains(&"-M") || flags.contains(&"-m33") {
        flags.retain(|flag| !flag.starts_with("-e"));
    }
    flags
}

fn filter(command: &mut Command, input: &str) -> Option<Vec<u8>> {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok()?;
    let mut stdin = child.stdin.take()?;
    let text = input.to_string();
    let feeder = std::thread::spawn(move || {
        // A program that stops early tells so with its status.
        let _ = stdin.write_all(text.as_bytes());
    });
    let output = child.wait_with_output().ok()?;
    feeder.join().ok()?;
    output.status.success().then_some(output.stdout)
}

#[test]
fn same_pages_as_the_foreign_hp2ps() {
    if Command::new("hp2ps").arg("-?").output().is_err() {
        eprintln!("skipped: no hp2ps is installed");
        return;
    }
    let mut random = Random(1);
    for case in 0..300 {
        let (profile, flags) = (profile(&mut random), flags(&mut random));
        let foreign =
            filter(Command::new("hp2ps").args(&flags), &profile).expect("the foreign hp2ps draws it");
        let ours = filter(Command::new(BARROW).arg("hp2ps").args(&flags), &profile).expect("ours draws it");
        if ours != foreign {
            let (ours, foreign) = (String::from_utf8_lossy(&ours), String::from_utf8_lossy(&foreign));
            let differs = ours.lines().zip(foreign.lines()).enumerate().find(|(_, (a, b))| a != b);
            panic!("case {case}, {flags:?}: {differs:?}\n{profile}");
        }
    }
}

#[test]
fn ghostscript_renders_every_kind_of_page() {
    if Command::new("gs").arg("--version").output().is_err() {
        eprintln!("skipped: no Ghostscript is installed");
        return;
    }
    let cases: [(&str, &[&str]); 6] = [
        ("src/hp-made/date-parens.hp", &["-g"]),
        ("src/hp-made/job-parens.hp", &["-b", "-c"]),
        ("src/hp-made/units-odd.hp", &["-e300"]),
        ("src/hp-made/nul-byte.hp", &["-g"]),
        ("src/hp-made/wide-key.hp", &["-g"]),
        ("hp/bands-hcL50.hp", &["-M", "-m30", "-t0"]),
    ];
    for (name, flags) in cases {
        let profile = std::fs::read_to_string(super::common::fixture(name)).unwrap();
        let page = filter(Command::new(BARROW).arg("hp2ps").args(flags), &profile).unwrap();
        let page = String::from_utf8_lossy(&page).into_owned();
        // One byte of ink coverage says that something was drawn on each page.
        let mut gs = Command::new("gs");
        gs.args(["-q", "-dNOPAUSE", "-dBATCH", "-dSAFER", "-sDEVICE=inkcov", "-o", "-", "-"]);
        let ink = filter(&mut gs, &page).unwrap_or_else(|| panic!("{name} {flags:?} cannot be rendered"));
        let ink = String::from_utf8_lossy(&ink).into_owned();
        assert_eq!(ink.lines().count(), page.matches("\nshowpage").count(), "{name}: {ink}");
        assert!(
            ink.lines().all(|line| !line.trim().starts_with("0.00000  0.00000  0.00000  0.00000")),
            "{ink}"
        );
    }
}
