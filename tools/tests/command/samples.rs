//! `--samples`: Go's pprof takes the file, sees who allocates, and subtracts two of them.

use super::common::Scratch;
use std::path::Path;
use std::process::Command;

/// What pprof prints of profiles of a folder, or `None` where there is no Go.
fn pprof(folder: &Path, arguments: &[&str]) -> Option<String> {
    let output = Command::new("go")
        .args(["tool", "pprof"])
        .args(arguments)
        .current_dir(folder)
        .env("PPROF_TMPDIR", folder)
        .env("HOME", folder)
        .output()
        .map_err(|error| println!("skipped: go: {error}"))
        .ok()?;
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{told}{}", String::from_utf8_lossy(&output.stderr));
    Some(told)
}

/// The demo's program, with samples in a file of this name; the megabytes (of a million) that it has allocated.
fn sampled(folder: &Path, name: &str, scale: &str) -> f64 {
    let flags = format!("--samples={name} --sample-every=64k");
    let output = Command::new(env!("CARGO_BIN_EXE_barrow"))
        .args(["demo", "--no-profile", "--scale", scale, "--flags", &flags])
        .current_dir(folder)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    let all = told.lines().find_map(|line| line.trim_start().strip_prefix("all ")).expect("a row of sums");
    all.split_whitespace().nth(1).expect("megabytes").replace(',', "").parse().expect("a number")
}

/// The megabytes in the line of pprof's table that `total` of shows: `Showing nodes accounting for 84MB, 100% of 84.1MB total`.
fn total(told: &str) -> f64 {
    let line =
        told.lines().find(|line| line.ends_with(" total")).unwrap_or_else(|| panic!("no total: {told}"));
    let amount = line.rsplit(' ').nth(1).unwrap();
    let number = amount.trim_end_matches(char::is_alphabetic);
    number.parse::<f64>().unwrap() * if amount.ends_with("GB") { 1024.0 } else { 1.0 }
}

#[test]
fn gos_pprof_shows_and_subtracts() {
    let scratch = Scratch::new("samples");
    let folder = scratch.path();
    let made = [sampled(folder, "small.pprof", "0.1"), sampled(folder, "large.pprof", "0.3")];
    let by_function = |arguments: &[&str]| {
        let all = [&["-top", "-cum", "-unit=mb", "-nodecount=500", "-sample_index=alloc_space"], arguments]
            .concat();
        pprof(folder, &all)
    };
    let Some(small) = by_function(&["small.pprof"]) else { return };
    let large = by_function(&["large.pprof"]).unwrap();
    // A thousand samples at least: within four deviations.
    for (told, made) in [&small, &large].into_iter().zip(made) {
        let megabytes = total(told) * (1 << 20) as f64 / 1e6;
        assert!((megabytes - made).abs() < made / 8.0, "{made}: {told}");
        assert!(told.contains("count_words") && told.contains("pass_messages"), "{told}");
    }
    let more = by_function(&["-base", "small.pprof", "large.pprof"]).unwrap();
    assert!((total(&more) - (total(&large) - total(&small))).abs() < 2.0, "{more}");
    let tags = pprof(folder, &["-tags", "-sample_index=alloc_space", "large.pprof"]).unwrap();
    assert!(tags.contains("type:") && tags.contains("Queue") && tags.contains("cost_centre:"), "{tags}");
    assert!(tags.contains("push/queue"), "{tags}");
}
