//! Malformed input of every kind that the fixtures have, and cut and damaged files of each format, given to every command
//! that reads such a file: whoever refuses it says FILE:LINE: why (or FILE: why, where lines have no meaning) and ends with
//! 1, and no output is left behind, not even a partial one.

use super::common::{Scratch, fixture};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// In a folder that has the file and nothing else.
fn run(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_barrow")).args(args).current_dir(folder).output().expect("barrow runs")
}

fn files(folder: &str) -> Vec<PathBuf> {
    let mut all: Vec<_> =
        std::fs::read_dir(fixture(folder)).unwrap().map(|entry| entry.unwrap().path()).collect();
    all.sort();
    all.retain(|path| path.is_file());
    all
}

/// `FILE:LINE: why` for formats of lines, else `FILE: why`; one line, and nothing of our own inside.
/// hp2ps says `FILE, line LINE: why`, and `FILE: JOB missing`, as the tool that it stands for.
fn is_told(said: &str, name: &str, has_lines: bool) -> bool {
    let said = said.replace(&format!("{name}, line "), &format!("{name}:"));
    // What a .tix is of is looked up, and the fixtures of errors have none of that beside them.
    if said.starts_with("barrow convert: can not find ") {
        return true;
    }
    let lines: Vec<&str> = said.lines().collect();
    let Some(at) = said.find(&format!("{name}:")) else { return false };
    let rest = &said[at + name.len() + 1..];
    let digits = rest.chars().take_while(char::is_ascii_digit).count();
    let reason = if digits > 0 { rest[digits..].strip_prefix([':', ',']) } else { rest.strip_prefix(' ') };
    let told = reason.is_some_and(|reason| reason.trim().len() > 4);
    told && (digits > 0 || !has_lines || said.starts_with("hp2ps: "))
        && lines.len() == 1
        && !said.contains("panicked")
}

/// Gives one file to each command line; how many refused it.
fn refused_by(scratch: &Path, name: &str, bytes: &[u8], has_lines: bool, commands: &[&[&str]]) -> usize {
    let mut refused = 0;
    for command in commands {
        std::fs::write(scratch.join(name), bytes).unwrap();
        let args: Vec<&str> = command.iter().map(|arg| if *arg == "FILE" { name } else { arg }).collect();
        let output = run(scratch, &args);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let left: Vec<_> = (std::fs::read_dir(scratch).unwrap())
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|left| left != name)
            .collect();
        if !output.status.success() {
            refused += 1;
            assert_eq!(output.status.code(), Some(1), "{name}: {args:?}: {said}");
            assert!(is_told(&said, name, has_lines), "{name}: {args:?}: {said}");
            assert!(left.is_empty(), "{name}: {args:?} left {left:?}");
            assert!(output.stdout.is_empty() || args[0] == "hpc", "{name}: {args:?} printed something");
        }
        left.iter().for_each(|left| std::fs::remove_file(scratch.join(left)).unwrap());
    }
    std::fs::remove_file(scratch.join(name)).unwrap();
    refused
}

const HEAP: [&[&str]; 8] = [
    &["check", "FILE"],
    &["top", "FILE"],
    &["view", "FILE", "-o", "page.html"],
    &["diff", "FILE", "FILE"],
    &["diff", "FILE", "FILE", "--html", "page.html"],
    &["convert", "FILE", "--to", "pprof", "-o", "out"],
    &["convert", "FILE", "--to", "svg", "-o", "out"],
    &["hp2ps", "-c", "FILE"],
];

#[test]
fn heap_profiles() {
    let scratch = Scratch::new("malformed-hp");
    let mut refused = 0;
    let all = files("src/hp-made");
    assert!(all.len() > 60);
    for path in &all {
        let name = path.file_name().unwrap().to_str().unwrap();
        let bytes = std::fs::read(path).unwrap();
        refused += usize::from(refused_by(scratch.path(), name, &bytes, true, &HEAP) > 0);
    }
    assert!(refused > 25, "{refused} of {} are refused by someone", all.len());
}

/// What takes a sound file of a format.
const REPORT: [&[&str]; 5] = [
    &["check", "FILE"],
    &["view", "FILE", "-o", "page.html"],
    &["diff", "FILE", "FILE", "--html", "page.html"],
    &["convert", "FILE", "--to", "collapsed", "-o", "out"],
    &["convert", "FILE", "--to", "png", "-o", "out"],
];

/// Cut in the middle of a line, a word in place of a number, a line twice, a byte that is no text, nothing at all.
fn damages(bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut all = vec![Vec::new(), bytes[..bytes.len() / 2].to_vec(), bytes[..bytes.len() * 9 / 10].to_vec()];
    for from in [bytes.len() / 3, bytes.len() / 2, bytes.len() * 2 / 3] {
        if let Some(at) = bytes[from..].iter().position(u8::is_ascii_digit) {
            let mut damaged = bytes.to_vec();
            damaged.splice(from + at..from + at + 1, *b"x?x");
            all.push(damaged);
            let mut damaged = bytes.to_vec();
            damaged[from + at] = 0xff;
            all.push(damaged);
        }
    }
    all.push([bytes, bytes].concat());
    all
}

#[test]
fn reports_and_space() {
    let scratch = Scratch::new("malformed-report");
    let mut refused = 0;
    for file in ["prof/leak-P.prof", "prof/leak-hr-p.prof", "prof/nfib-pj.json", "space/run.json"] {
        let bytes = std::fs::read(fixture(file)).unwrap();
        let name = Path::new(file).file_name().unwrap().to_str().unwrap();
        for damaged in damages(&bytes) {
            // What contradicts itself in a whole JSON has no line.
            let has_lines = !name.ends_with("json");
            refused += usize::from(refused_by(scratch.path(), name, &damaged, has_lines, &REPORT) > 0);
        }
    }
    assert!(refused > 20, "{refused}");
}

#[test]
fn coverage() {
    let scratch = Scratch::new("malformed-hpc");
    let mut refused = 0;
    let commands: [&[&str]; 3] = [
        &["check", "FILE"],
        &["convert", "FILE", "--to", "lcov", "-o", "out"],
        &["convert", "FILE", "--to", "cobertura", "-o", "out"],
    ];
    for path in files("hpc/errors").iter().filter(|path| path.extension().is_some_and(|end| end == "tix")) {
        let name = path.file_name().unwrap().to_str().unwrap();
        let bytes = std::fs::read(path).unwrap();
        // Counts that contradict each other, and .mix files that are not there, have no line.
        refused += usize::from(refused_by(scratch.path(), name, &bytes, false, &commands[..1]) > 0);
        refused_by(scratch.path(), name, &bytes, false, &commands);
    }
    assert!(refused > 3, "{refused}");
}

/// Files of bytes: what is wrong is told with its place in the file or by what it is.
#[test]
fn journals_and_snapshots() {
    let scratch = Scratch::new("malformed-bytes");
    let commands: [&[&str]; 4] = [
        &["check", "FILE"],
        &["view", "FILE", "-o", "page.html"],
        &["convert", "FILE", "--to", "hp", "-o", "out"],
        &["convert", "FILE", "--to", "heapsnapshot", "-o", "out"],
    ];
    for (name, bytes) in [
        ("empty.biography", &b"barrowB1"[..]),
        ("cut.biography", b"barrowB1\x09\0\0\0abcd"),
        ("junk.biography", b"barrowB1\x01\0\0\0\0\0\0\0x"),
        ("empty.snapshot", b"barrowS1"),
        ("cut.snapshot", b"barrowS1\x09\0\0\0abcd"),
        ("junk.snapshot", b"barrowS1\x01\0\0\0\0\0\0\0x"),
    ] {
        assert_eq!(refused_by(scratch.path(), name, bytes, false, &commands), commands.len(), "{name}");
    }
}
