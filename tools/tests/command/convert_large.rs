//! Traces are written piece by piece: what a long profile takes when it is converted is bounded by its own size.

use super::common::Scratch;
use std::fmt::Write;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

/// How many of the events of a file's trace have this in them, when the command may have so many kilobytes of addresses.
fn events(scratch: &Scratch, file: &str, more: &str, kilobytes: usize, wanted: &str) -> usize {
    let script = format!("ulimit -v {kilobytes}; exec \"$0\" convert {file} --to trace {more} -o -");
    let mut child = Command::new("sh")
        .args(["-c", &script, env!("CARGO_BIN_EXE_barrow")])
        .current_dir(scratch.path())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .expect("a shell");
    let pieces = BufReader::new(child.stdout.take().expect("piped")).split(b'{');
    let found = pieces.map(|piece| String::from_utf8(piece.expect("read")).expect("UTF-8"));
    let found = found.filter(|piece| piece.contains(wanted)).count();
    assert!(child.wait().expect("ends").success(), "{file} with {kilobytes} kilobytes");
    found
}

#[test]
fn a_long_time_line_takes_little_memory() {
    const STOPS: usize = 40_000;
    let scratch = Scratch::new("convert-stops");
    let mut text = "barrow-stops 1\n'p' +RTS\n".to_owned();
    for at in (1..=STOPS).map(|stop| stop * 1000) {
        write!(text, "stop {at} {} {} thread 1", at + 90, at + 900).expect("a string");
        (2..10).for_each(|other| write!(text, " {other}@{}", at + other * 9).expect("a string"));
        text.push('\n');
    }
    writeln!(text, "end {}", (STOPS + 1) * 1000).expect("a string");
    scratch.file("long.stops", &text);
    assert_eq!(events(&scratch, "long.stops", "", 150_000, "\"stands\""), STOPS * 8);
}

#[test]
fn all_bands_of_a_long_profile_take_little_memory() {
    const BANDS: usize = 500;
    const SAMPLES: usize = 2000;
    let scratch = Scratch::new("convert-bands");
    let mut text = "JOB \"j\"\nDATE \"d\"\nSAMPLE_UNIT \"seconds\"\nVALUE_UNIT \"bytes\"\n".to_owned();
    for sample in 0..SAMPLES {
        writeln!(text, "BEGIN_SAMPLE {sample}.0").expect("a string");
        (0..BANDS).for_each(|band| {
            writeln!(text, "a band with number {band}\t{}", sample + band + 1).expect("a string")
        });
        writeln!(text, "END_SAMPLE {sample}.0").expect("a string");
    }
    scratch.file("long.hp", &text);
    assert_eq!(events(&scratch, "long.hp", "--top 0", 150_000, "a band with number 499"), SAMPLES);
}
