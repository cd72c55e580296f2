//! GHC's eventlog, of a program that GHC 9.0 compiled (`ghc -prof -rtsopts`, `+RTS -l-agu -hc -i0.01 -L200`), against the `.hp` of
//! the same run, which has the same samples.

use super::common::{Scratch, fixture};
use std::collections::BTreeMap;
use std::io::Read;
use std::process::{Command, Output};

fn barrow(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_barrow")).args(args).output().expect("barrow runs")
}

/// Bytes of each band in each sample that counted anything, by the band's name without its number.
fn samples(hp: &str) -> Vec<BTreeMap<String, u64>> {
    let mut samples: Vec<BTreeMap<String, u64>> = Vec::new();
    for line in hp.lines() {
        if line.starts_with("BEGIN_SAMPLE") {
            samples.push(BTreeMap::new());
        } else if let (Some(sample), Some((name, value))) = (samples.last_mut(), line.split_once('\t')) {
            let name = name.split_once(')').map_or(name, |(_, rest)| rest);
            *sample.entry(name.to_owned()).or_default() += value.parse::<u64>().expect("a value");
        }
    }
    samples.retain(|sample| !sample.is_empty());
    samples
}

#[test]
fn its_samples_are_those_of_the_heap_profile() {
    let log = fixture("eventlog/leak-hc.eventlog.gz");
    let log = log.to_str().expect("UTF-8");
    let said = barrow(&["check", log]);
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
    let converted = barrow(&["convert", log, "--to", "hp"]);
    assert!(converted.status.success(), "{}", String::from_utf8_lossy(&converted.stderr));
    let converted = String::from_utf8_lossy(&converted.stdout).into_owned();
    // The break-down is told by the arguments, which are not said twice.
    let job = converted.lines().next().expect("a line");
    assert_eq!(job.matches("-hc").count(), 1, "{job}");
    let ours = samples(&converted);
    let theirs = samples(&std::fs::read_to_string(fixture("eventlog/leak-hc.hp")).expect("a fixture"));
    assert!(theirs.len() > 2 && theirs.iter().any(|sample| sample.len() > 2), "{theirs:?}");
    assert_eq!(ours, theirs);
}

/// `+RTS -l -p -hc -L200 -i0.01` of tests/fixtures/eventlog/Leak.hs: heap samples and ticks in one log.
#[test]
fn time_samples_are_a_report() {
    let log = fixture("eventlog/time.eventlog.gz");
    let log = log.to_str().expect("UTF-8");
    let told = |args: &[&str]| {
        let output = barrow(args);
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    let checked = told(&["check", log]);
    assert!(checked.contains("3 heap samples") && checked.contains("50 ticks"), "{checked}");
    let stacks = told(&["convert", log, "--profile", "time", "--to", "collapsed", "--measure", "time"]);
    // A tick is a millisecond; GHC's own report of the run has all of them in fib.
    let of = |end: &str| -> u64 {
        let lines = stacks.lines().filter_map(|line| line.rsplit_once(' '));
        let found = lines.filter(|(stack, _)| stack.ends_with(end));
        found.map(|(_, nanoseconds)| nanoseconds.parse::<u64>().expect("a number")).sum()
    };
    assert!(of("Main.fib") > 30_000_000 && of("") == 50_000_000, "{stacks}");
    let heap = told(&["convert", log, "--to", "hp"]);
    assert_eq!(told(&["convert", log, "--profile", "heap", "--to", "hp"]), heap);
    let top = told(&["top", log]);
    assert!(top.contains("3 samples") && top.contains("BAND"), "{top}");
    // The table is that of the same profile as .hp.
    let scratch = Scratch::new("eventlog-top");
    let hp = scratch.path().join("same.hp");
    std::fs::write(&hp, &heap).expect("written");
    assert_eq!(told(&["top", hp.to_str().expect("UTF-8")]), top);
    // One page has both.
    let page = told(&["view", log, "-o", "-"]);
    assert!(page.contains(r#""type":"heap""#) && page.contains(r#""type":"prof""#), "a page of one profile");
    let refused = barrow(&["convert", log, "--profile", "hr", "--to", "hp"]);
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(refused.status.code() == Some(1) && said.contains("heap and time"), "{said}");
    let none = fixture("eventlog/leak-hc.eventlog.gz");
    let refused = barrow(&["convert", none.to_str().expect("UTF-8"), "--profile", "time", "--to", "csv"]);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("no time profile"));
}

/// Cut anywhere it is read as far as it goes, or refused with a reason; damaged anywhere nothing worse comes of it.
#[test]
fn one_that_was_cut_or_damaged() {
    let mut log = Vec::new();
    let packed = std::fs::File::open(fixture("eventlog/leak-hc.eventlog.gz")).expect("a fixture");
    flate2::read::GzDecoder::new(packed).read_to_end(&mut log).expect("sound");
    let scratch = Scratch::new("eventlog");
    let file = scratch.path().join("x.eventlog");
    let name = file.to_str().expect("UTF-8");
    let mut cut = 0;
    for at in (8..log.len()).step_by(log.len() / 40) {
        std::fs::write(&file, &log[..at]).expect("written");
        let said = barrow(&["check", name]);
        let text = String::from_utf8_lossy(&said.stdout) + String::from_utf8_lossy(&said.stderr);
        assert!(said.status.code().is_some_and(|code| code < 2), "{at}: {text}");
        cut += usize::from(text.contains("cut short"));
        let mut damaged = log.clone();
        damaged[at] ^= 0x55;
        std::fs::write(&file, &damaged).expect("written");
        let said = barrow(&["check", name]);
        assert!(
            said.status.code().is_some_and(|code| code < 2),
            "{at}: {}",
            String::from_utf8_lossy(&said.stderr)
        );
    }
    assert!(cut > 0, "none was read as far as it goes");
}
