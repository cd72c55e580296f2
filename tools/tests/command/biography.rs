//! Biography journals on the command line: finished, from a file and through a pipe, whole, cut and broken.

use super::common::Scratch;
use barrow::profile::biography::journal::{Batch, Profile, phases};
use barrow::profile::biography::{Biography, Word};
use std::io::Write;
use std::process::{Command, Output, Stdio};

const BARROW: &str = env!("CARGO_BIN_EXE_barrow");

fn barrow(args: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(BARROW)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("barrow runs");
    child.stdin.take().expect("a pipe").write_all(input).expect("it reads");
    child.wait_with_output().expect("it ends")
}

/// An object of 80 bytes that is used in era 2 and dies in era 4; one of 48 that nobody uses and that lives on.
/// Batch by batch.
fn journal() -> Vec<Vec<u8>> {
    let mut batch = Batch::new();
    batch.begin_file(b"Sat Jan  1 00:00 2000", [b"seconds", b"bytes"], false).unwrap();
    batch.profile(Profile { name: b"prog.hb.hp", job: b"prog +RTS -hb", phases: phases::EACH }).unwrap();
    let waste = phases::DRAG | phases::VOID;
    batch.profile(Profile { name: b"prog.hy.hp", job: b"prog +RTS -hy", phases: waste }).unwrap();
    for name in ["Tree", "List"] {
        batch.band(0, b"all").unwrap();
        batch.band(1, name.as_bytes()).unwrap();
    }
    for band in [1, 2] {
        batch.atom([1, band].into_iter()).unwrap();
    }
    let mut batches = vec![batch.sealed().to_vec()];
    let mut biography = Biography::new(false);
    let mut tree = Word::created(1);
    for era in 1..=4 {
        if era == 2 {
            biography.used(1, tree, 80);
            tree = tree.used(2);
        }
        if era < 4 {
            biography.seen(0, 1, tree, 80);
        }
        biography.seen(0, 2, Word::created(1), 48);
        batch.begin().unwrap();
        biography.end_census(&mut batch).unwrap();
        batch.census(era as f64 * 0.5).unwrap();
        batches.push(batch.sealed().to_vec());
    }
    batch.begin().unwrap();
    biography.end(&mut batch).unwrap();
    batch.end(2.25).unwrap();
    batches.push(batch.sealed().to_vec());
    batches
}

/// Killed within the batch of the third census.
fn journal_of_a_killed_run() -> Vec<u8> {
    let mut bytes = journal()[..4].concat();
    bytes.truncate(bytes.len() - 3);
    bytes
}

/// The lines between the header and the end, without those of bands that are zero.
fn samples(hp: &[u8]) -> Vec<String> {
    let text = std::str::from_utf8(hp).expect("text");
    text.lines()
        .skip(4)
        .filter(|line| !line.starts_with("END") && !line.ends_with("\t0"))
        .map(str::to_owned)
        .collect()
}

#[test]
fn a_whole_journal_gives_each_phase() {
    let bytes = journal().concat();
    let output = barrow(&["convert", "-", "--to", "hp"], &bytes);
    assert!(output.status.success(), "{output:?}");
    assert!(output.stdout.starts_with(b"JOB \"prog +RTS -hb\"\nDATE \"Sat Jan  1 00:00 2000\"\n"));
    let expected = [
        "BEGIN_SAMPLE 0.000000",
        "BEGIN_SAMPLE 0.500000",
        "VOID\t48",
        "LAG\t80",
        "BEGIN_SAMPLE 1.000000",
        "VOID\t48",
        "USE\t80",
        "BEGIN_SAMPLE 1.500000",
        "VOID\t48",
        "DRAG\t80",
        "BEGIN_SAMPLE 2.000000",
        "VOID\t48",
        "BEGIN_SAMPLE 2.250000",
    ];
    assert_eq!(samples(&output.stdout), expected);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("--profile chooses among prog.hb.hp, prog.hy.hp"), "{said}");
}

#[test]
fn a_profile_is_chosen_by_letters_or_by_name() {
    let bytes = journal().concat();
    for name in ["hy", "prog.hy.hp"] {
        let output = barrow(&["convert", "-", "--to", "hp", "--profile", name], &bytes);
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        let lines = samples(&output.stdout);
        assert_eq!(lines[1..3], ["BEGIN_SAMPLE 0.500000", "List\t48"]);
        assert_eq!(lines[5..8], ["BEGIN_SAMPLE 1.500000", "List\t48", "Tree\t80"]);
    }
    let output = barrow(&["convert", "-", "--to", "hp", "--profile", "hx"], &bytes);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("stdin: holds no profile hx; it has prog.hb.hp, prog.hy.hp"), "{said}");
}

#[test]
fn a_killed_run_is_finished_as_if_everything_had_died() {
    let scratch = Scratch::new("biography");
    let path = scratch.path().join("prog.biography");
    std::fs::write(&path, journal_of_a_killed_run()).unwrap();
    let hp = scratch.path().join("prog.hp");
    let names = [path.to_str().unwrap(), hp.to_str().unwrap()];
    let output = barrow(&["convert", names[0], "--to", "hp", "-o", names[1]], b"");
    assert!(output.status.success(), "{output:?}");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("after 2 censuses") && said.contains("no whole census; left out"), "{said}");
    let lines = samples(&std::fs::read(&hp).unwrap());
    assert_eq!(lines[1..4], ["BEGIN_SAMPLE 0.500000", "VOID\t48", "LAG\t80"]);
    assert_eq!(lines[4..], ["BEGIN_SAMPLE 1.000000", "VOID\t48", "USE\t80", "BEGIN_SAMPLE 1.000000"]);
    let check = barrow(&["check", names[0], names[1]], b"");
    assert!(check.status.success(), "{check:?}");
    assert!(String::from_utf8_lossy(&check.stdout).contains("a biography journal, 4 samples of 5 bands"));
}

#[test]
fn what_is_no_journal_is_told() {
    let mut bytes = journal().concat();
    let output = barrow(&["convert", "-", "--to", "hp"], &bytes[..20]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("stdin: this biography journal ends before it says what it is of"), "{said}");
    // The sum is wrong from here on: nothing behind it is believed.
    let at = bytes.len() - 20;
    bytes[at] ^= 1;
    let output = barrow(&["convert", "-", "--to", "hp"], &bytes);
    assert!(output.status.success() && String::from_utf8_lossy(&output.stderr).contains("left out"));
    let output = barrow(&["convert", "-", "--to", "hp", "--profile", "hb"], b"JOB \"x\"\n");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("--profile has no meaning"), "{said}");
}

/// The `.hp` of a program that was killed has no sample of a biography: whoever opens it hears of the journal.
#[test]
fn an_empty_profile_names_the_journal_beside_it() {
    let scratch = Scratch::new("biography-beside");
    let head = "JOB \"j\"\nDATE \"d\"\nSAMPLE_UNIT \"seconds\"\nVALUE_UNIT \"bytes\"\n";
    let empty = format!("{head}BEGIN_SAMPLE 0.0\nEND_SAMPLE 0.0\n");
    for name in ["prog.hb.hp", "prog.hd.hp", "other.hb.hp"] {
        scratch.file(name, &empty);
    }
    scratch.file("prog.hy.hp", &format!("{head}BEGIN_SAMPLE 0.0\na\t1\nEND_SAMPLE 0.0\n"));
    let journal = scratch.path().join("prog.biography");
    std::fs::write(&journal, journal_of_a_killed_run()).unwrap();
    let page = scratch.path().join("page.html").display().to_string();
    let told = |command: &[&str], name: &str| {
        let file = scratch.path().join(name).display().to_string();
        let output = barrow(&[command, &[file.as_str()]].concat(), b"");
        assert!(output.status.success(), "{output:?}");
        String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()
    };
    for command in
        [&["check"][..], &["top"], &["view", "-o", &page], &["convert", "--to", "hp", "-o", "/dev/null"]]
    {
        let said = told(command, "prog.hb.hp");
        let words = format!("`barrow convert {} --profile prog.hb.hp --to hp -o ", journal.display());
        assert!(said.contains(&words), "{command:?}: {said}");
        // The journal has nothing of these, or they are not empty.
        for other in ["prog.hd.hp", "other.hb.hp", "prog.hy.hp"] {
            assert!(!told(command, other).contains("prog.biography"), "{other}");
        }
    }
    let hp = scratch.path().join("prog.hb.hp");
    let line =
        [journal.to_str().unwrap(), "--profile", "prog.hb.hp", "--to", "hp", "-o", hp.to_str().unwrap()];
    assert!(barrow(&[&["convert"][..], &line].concat(), b"").status.success());
    assert!(!told(&["check"], "prog.hb.hp").contains("prog.biography"));
}
