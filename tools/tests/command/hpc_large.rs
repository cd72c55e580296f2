//! A million ticks are reported at once. The bound is for an unoptimised build on a busy machine; the release build
//! is held to a second.

use super::common::Scratch;
use super::hpc_support::{hpc, text};
use std::fmt::Write;
use std::time::{Duration, Instant};

const BOXES: usize = 1_000_000;

#[test]
fn a_million_ticks_are_reported_in_a_second() {
    let scratch = Scratch::new("large");
    let (mut tix, mut mix) = (String::new(), String::new());
    for n in 0..BOXES {
        let comma = if n > 0 { "," } else { "" };
        let (line, column) = (n / 10 + 1, n % 10 * 8 + 1);
        let label = match n % 10 {
            0 => format!("TopLevelBox [\"f{n}\"]"),
            1 => "BinBox GuardBinBox True".to_string(),
            2 => "BinBox GuardBinBox False".to_string(),
            _ => "ExpBox False".to_string(),
        };
        write!(tix, "{comma}{}", n % 3).expect("a string");
        write!(mix, "{comma}({line}:{column}-{line}:{},{label})", column + 5).expect("a string");
    }
    scratch.file("big.tix", &format!("Tix [TixModule \"Big\" 7 {BOXES} [{tix}]]"));
    scratch.file(".hpc/Big.mix", &format!("Mix \"Big.hs\" 2026-11-21 01:37:04 UTC 7 8 [{mix}]"));

    let started = Instant::now();
    let output = hpc(scratch.path(), &["report", "big"]);
    let taken = started.elapsed();
    assert!(text(&output.stdout).starts_with(" 66% expressions used (466"), "{}", text(&output.stdout));
    assert!(text(&output.stderr).is_empty());
    let bound = if cfg!(debug_assertions) { Duration::from_secs(10) } else { Duration::from_secs(1) };
    assert!(taken < bound, "the report took {taken:?}");
    println!("the report of {BOXES} ticks took {taken:?}");

    let sum = hpc(scratch.path(), &["sum", "big.tix", "big.tix", "--output=sum.tix"]);
    assert!(sum.status.success());
}

/// Boxes beside each other, in any order: `draft` looks for the place of each among all.
#[test]
fn a_hundred_thousand_boxes_of_one_level_are_drafted_in_a_second() {
    const LINES: usize = 100_000;
    let scratch = Scratch::new("level");
    scratch.file("Flat.hs", &"f = 1\n".repeat(LINES));
    let mut mix = String::new();
    for n in 0..LINES {
        let comma = if n > 0 { "," } else { "" };
        // Each line once, here and there.
        let line = n * 7_919 % LINES + 1;
        write!(mix, "{comma}({line}:5-{line}:5,ExpBox False)").expect("a string");
    }
    let counts = vec!["0"; LINES].join(",");
    scratch.file("flat.tix", &format!("Tix [TixModule \"Flat\" 7 {LINES} [{counts}]]"));
    scratch.file(".hpc/Flat.mix", &format!("Mix \"Flat.hs\" 2026-11-21 01:37:04 UTC 7 8 [{mix}]"));
    let started = Instant::now();
    let output = hpc(scratch.path(), &["draft", "flat"]);
    let taken = started.elapsed();
    let draft = text(&output.stdout);
    assert_eq!(draft.lines().count(), LINES + 3, "{draft:.200} {}", text(&output.stderr));
    assert!(draft.contains("  tick \"1\" on line 1;\n  tick \"1\" on line 7920;\n"), "{draft:.200}");
    let bound = if cfg!(debug_assertions) { Duration::from_secs(10) } else { Duration::from_secs(1) };
    assert!(taken < bound, "the draft took {taken:?}");
    println!("the draft of {LINES} boxes took {taken:?}");
}
