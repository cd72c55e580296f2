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
