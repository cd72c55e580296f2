//! `barrow demo` does its work under any flags, tells of its profiles what is in them, and says plainly what is wrong with
//! bad flags.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// In a folder of its own, since it leaves files.
fn demo_in(folder: &str, arguments: &[&str]) -> Output {
    let here = folder_of(folder);
    let _ = std::fs::remove_dir_all(&here);
    std::fs::create_dir_all(&here).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_barrow"));
    command.arg("demo").args(arguments).current_dir(here).output().unwrap()
}

fn folder_of(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("demo").join(name)
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

#[test]
fn it_says_what_it_did_and_is_quiet_in_a_pipe() {
    let output = demo_in("quiet", &["--scale", "0.02"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(text(&output.stderr), "");
    let told = text(&output.stdout);
    assert!(told.contains("120000 words read") && told.contains("40 ways to put 7 queens"), "{told}");
    assert!(told.contains("80000 messages") && told.contains("Pauses") && told.contains("= held"), "{told}");
    assert!(!told.contains("WRONG"));
}

/// A line that took two of the terminal's could not be written over.
#[test]
fn its_live_line_is_no_longer_than_a_narrow_terminal() {
    let command =
        format!("stty rows 10 cols 20; {} demo --no-profile --scale 0.02", env!("CARGO_BIN_EXE_barrow"));
    let output = match Command::new("script").args(["-qefc", &command, "/dev/null"]).output() {
        Ok(output) => output,
        Err(error) => return println!("skipped: script: {error}"),
    };
    let told = text(&output.stdout);
    let line = told.split('\r').find(|line| line.starts_with("counting words")).expect("a live line");
    assert!(line.len() < 20, "{line:?}");
}

/// The samples of a heap profile: each its time, and its bands with their bytes.
type Samples = Vec<(f64, BTreeMap<String, u64>)>;

fn samples(file: &Path) -> Samples {
    let mut samples: Samples = Vec::new();
    for line in std::fs::read_to_string(file).unwrap().lines() {
        if let Some(time) = line.strip_prefix("BEGIN_SAMPLE ") {
            samples.push((time.parse().unwrap(), BTreeMap::new()));
        } else if let Some((name, bytes)) = line.split_once('\t') {
            samples.last_mut().unwrap().1.insert(name.to_owned(), bytes.parse().unwrap());
        }
    }
    samples
}

fn commas(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> = digits.as_bytes().rchunks(3).rev().map(text).collect();
    groups.join(",")
}

#[test]
fn it_tells_what_the_profiles_found_and_makes_one_page_of_them() {
    let output = demo_in("story", &["--scale", "0.05", "-o", "run"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let told = text(&output.stdout);
    let here = folder_of("story");
    let mut names: Vec<_> = (std::fs::read_dir(&here).unwrap())
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(
        names,
        ["run.hb.hp", "run.hc.hp", "run.hr.hp", "run.hr.prof", "run.html", "run.hy.hp", "run.prof"]
    );
    // What was alive at the peak, from the files.
    let by_type = samples(&here.join("run.hy.hp"));
    assert!(by_type.len() > 20, "{} samples", by_type.len());
    let sum = |(_, bands): &(f64, BTreeMap<String, u64>)| bands.values().sum::<u64>();
    let most = by_type.iter().map(sum).max().unwrap();
    let peak = by_type.iter().position(|sample| sum(sample) == most).unwrap();
    assert!(told.contains(&format!(" into the run: {} bytes, in the greatest of", commas(most))), "{told}");
    let (_, alive) = told.split_once("Most was alive").unwrap();
    for (file, question) in [("hy", "what it was"), ("hc", "who made it"), ("hr", "who held it")] {
        let (_, bands) = &samples(&here.join(format!("run.{file}.hp")))[peak];
        let (name, bytes) = bands.iter().max_by_key(|(_, bytes)| **bytes).unwrap();
        let name = name.rsplit_once(')').map_or(name.as_str(), |(_, name)| name);
        let (_, behind) = alive.split_once(question).unwrap();
        let wanted = format!("{:>8.1} % {:>12}  {name}", *bytes as f64 / most as f64 * 100.0, commas(*bytes));
        assert_eq!(behind.lines().nth(1), Some(wanted.as_str()), "{told}");
    }
    // What the memory was good for, and that all is told of: bytes times seconds, by trapezia.
    let life = samples(&here.join("run.hb.hp"));
    let area = |name: &str| -> f64 {
        let at = |i: usize| life[i].1.get(name).map_or(0.0, |&bytes| bytes as f64);
        (1..life.len()).map(|i| (life[i].0 - life[i - 1].0) * (at(i) + at(i - 1)) / 2.0).sum()
    };
    let phases = ["LAG", "USE", "DRAG", "VOID", "INHERENT_USE"];
    let all: f64 = phases.iter().map(|name| area(name)).sum();
    let (_, shares) = told.split_once("bytes x seconds").unwrap();
    for name in phases {
        let line = shares.lines().find(|line| line.contains(&format!(" {name} "))).unwrap();
        let wanted = format!("{:.1} %", area(name) / all * 100.0);
        assert_eq!(line.split("  ").find(|part| part.contains('%')).unwrap().trim(), wanted, "{told}");
    }
    assert!(area("LAG") > 0.0 && area("USE") > 0.0 && area("VOID") > 0.0, "the program records its uses");
    // The place of the page, and the page.
    let page = here.join("run.html");
    assert!(told.lines().any(|line| line.trim() == page.to_str().unwrap()), "{told}");
    let html = std::fs::read_to_string(page).unwrap();
    for name in names.iter().filter(|name| !name.ends_with("html")) {
        assert!(html.contains(&format!("\"path\":\"{name}\"")), "{name} is on the page");
    }
}

#[test]
fn what_can_be_repeated_is_the_same_in_each_run() {
    let flags = ["--scale", "0.02", "--flags", "--tick-bytes=64k"];
    let runs = [0, 1].map(|_| {
        let output = demo_in("repeated", &flags);
        let told = text(&output.stdout).to_string();
        let (_, costs) = told.split_once("by cost centre:").unwrap_or_else(|| panic!("{told}"));
        assert!(
            costs.contains("  push ") && costs.contains("  place ") && costs.contains("  add "),
            "{told}"
        );
        let report = std::fs::read_to_string(folder_of("repeated").join("barrow-demo.prof")).unwrap();
        // The line of the date.
        let report = report.split_once('\n').unwrap().1.to_string();
        let bands = ["hc", "hy", "hr"].map(|letters| {
            let samples = samples(&folder_of("repeated").join(format!("barrow-demo.{letters}.hp")));
            samples.into_iter().map(|(_, bands)| bands).collect::<Vec<_>>()
        });
        (report, bands)
    });
    assert!(runs[0].0.contains("\n  place "), "{}", runs[0].0);
    assert_eq!(runs[0], runs[1]);
}

#[test]
fn without_profiles_there_are_no_files() {
    let none = demo_in("none", &["--scale", "0.001", "--no-profile"]);
    assert!(none.status.success() && !text(&none.stdout).contains("cost centre"));
    assert_eq!(std::fs::read_dir(folder_of("none")).unwrap().count(), 0);
}

#[test]
fn its_results_do_not_depend_on_the_flags() {
    let results = |flags: &str| {
        let output = demo_in("flags", &["--scale", "0.005", "--flags", flags]);
        assert!(output.status.success(), "{flags}: {}", text(&output.stderr));
        text(&output.stdout).lines().skip(2).take(3).collect::<Vec<_>>().join("\n")
    };
    let usual = results("");
    for flags in
        ["-DS -A64k", "-G1", "-G4 -T3 -A256k", "--source=chunks", "--stress=997 --seed=3 -DZ", "-M16m"]
    {
        assert_eq!(results(flags), usual, "{flags}");
    }
}

#[test]
fn no_memory_ends_it_with_a_sentence() {
    let output = demo_in("memory", &["--flags", "-M3m"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("heap overflow"), "{}", text(&output.stderr));
    assert!(!folder_of("memory").join("barrow-demo.html").exists());
    let output = demo_in("memory", &["--flags", "-Q"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("the flag -Q is not known"), "{}", text(&output.stderr));
    let output = demo_in("memory", &["--scale", "0.01", "-o", "no-folder/run"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("no-folder/run"), "{}", text(&output.stderr));
}
