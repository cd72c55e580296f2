//! `barrow demo` does its work under any flags, and says plainly what is wrong with bad ones.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// In a folder of its own, since it leaves a profile.
fn demo_in(folder: &str, arguments: &[&str]) -> Output {
    let here = folder_of(folder);
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

#[test]
fn it_shows_its_cost_centres_and_leaves_a_profile() {
    let flags = ["--scale", "0.02", "--flags", "--tick-bytes=64k", "--profile", "costs.prof"];
    let runs = [0, 1].map(|_| {
        let output = demo_in("costs", &flags);
        let told = text(&output.stdout).to_string();
        let (_, costs) = told.split_once("by cost centre:").unwrap_or_else(|| panic!("{told}"));
        assert!(
            costs.contains("  push ") && costs.contains("  place ") && costs.contains("  add "),
            "{told}"
        );
        assert!(costs.contains("The whole profile is in costs.prof"), "{told}");
        let report = std::fs::read_to_string(folder_of("costs").join("costs.prof")).unwrap();
        // The line of the date.
        report.split_once('\n').unwrap().1.to_string()
    });
    assert!(runs[0].contains("\n  place "), "{}", runs[0]);
    // Ticks by bytes: what can be repeated is the same.
    assert_eq!(runs[0], runs[1]);
    let none = demo_in("none", &["--scale", "0.001", "--no-profile"]);
    assert!(none.status.success() && !text(&none.stdout).contains("cost centre"));
    assert!(!folder_of("none").join("barrow-demo.prof").exists());
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
    let output = demo_in("memory", &["--flags", "-Q"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("the flag -Q is not known"), "{}", text(&output.stderr));
}
