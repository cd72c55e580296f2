//! `barrow demo` does its work under any flags, and says plainly what is wrong with bad ones.

use std::process::{Command, Output};

fn demo(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_barrow")).arg("demo").args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

#[test]
fn it_says_what_it_did_and_is_quiet_in_a_pipe() {
    let output = demo(&["--scale", "0.02"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(text(&output.stderr), "");
    let told = text(&output.stdout);
    assert!(told.contains("120000 words read") && told.contains("40 ways to put 7 queens"), "{told}");
    assert!(told.contains("80000 messages") && told.contains("Pauses") && told.contains("= held"), "{told}");
    assert!(!told.contains("WRONG"));
}

#[test]
fn its_results_do_not_depend_on_the_flags() {
    let results = |flags: &str| {
        let output = demo(&["--scale", "0.005", "--flags", flags]);
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
    let output = demo(&["--flags", "-M3m"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("heap overflow"), "{}", text(&output.stderr));
    let output = demo(&["--flags", "-Q"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("the flag -Q is not known"), "{}", text(&output.stderr));
}
