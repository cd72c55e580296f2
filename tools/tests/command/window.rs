//! A stretch of time of a heap profile, converted and drawn as if the profile had no other samples.

use super::common::{Scratch, fixture};
use std::path::Path;
use std::process::{Command, Output};

fn run(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_barrow")).args(args).current_dir(folder).output().expect("barrow runs")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_window_is_a_profile_of_its_own() {
    let scratch = Scratch::new("window");
    let folder = scratch.path();
    std::fs::copy(fixture("hp/leak-hc.hp"), folder.join("leak.hp")).expect("copied");
    let output = run(folder, &["convert", "leak.hp", "--to", "hp", "--window", "0.05..0.1", "-o", "part.hp"]);
    assert!(output.status.success(), "{}", said(&output));
    let text = std::fs::read_to_string(folder.join("part.hp")).expect("text");
    let times = |text: &str| -> Vec<f64> {
        let lines = text.lines().filter_map(|line| line.strip_prefix("BEGIN_SAMPLE "));
        lines.map(|time| time.parse().expect("a time")).collect()
    };
    let whole = std::fs::read_to_string(folder.join("leak.hp")).expect("text");
    let wanted: Vec<f64> = times(&whole).into_iter().filter(|time| (0.05..=0.1).contains(time)).collect();
    assert!(wanted.len() > 3 && times(&text) == wanted, "{wanted:?}");
    assert!(run(folder, &["check", "part.hp"]).status.success());
    // Drawn with the window, the whole is the part.
    for (args, ps) in [
        (&["hp2ps", "-c", "part.hp"][..], "part.ps"),
        (&["hp2ps", "-c", "-w0.05..0.1", "leak.hp"], "leak.ps"),
    ] {
        let output = run(folder, args);
        assert!(output.status.success(), "{ps}: {}", said(&output));
    }
    let page = |name: &str| std::fs::read(folder.join(name)).expect("a page");
    assert!(page("part.ps") == page("leak.ps"));
    for to in ["svg", "csv", "massif", "json"] {
        let part = run(folder, &["convert", "part.hp", "--to", to]).stdout;
        let window = run(folder, &["convert", "leak.hp", "--to", to, "--window", "0.05..0.1"]).stdout;
        assert!(!part.is_empty() && part == window, "{to}");
    }
}

#[test]
fn what_makes_no_window_is_told() {
    let scratch = Scratch::new("window-wrong");
    let folder = scratch.path();
    std::fs::copy(fixture("hp/leak-hc.hp"), folder.join("leak.hp")).expect("copied");
    std::fs::copy(fixture("prof/leak-P.prof"), folder.join("leak.prof")).expect("copied");
    for (args, status, why) in [
        (
            &["convert", "leak.hp", "--to", "csv", "--window", "7..", "-o", "out"][..],
            1,
            "no sample in this window; they go from 0 to ",
        ),
        (&["convert", "leak.hp", "--to", "csv", "--window", "2..1", "-o", "out"], 2, "expected two times"),
        (
            &["convert", "leak.prof", "--to", "csv", "--window", "1..2", "-o", "out"],
            1,
            "--window has no meaning for a report",
        ),
        (&["hp2ps", "-w7..", "leak.hp"], 1, "no sample in this window"),
        (&["hp2ps", "-w7", "leak.hp"], 2, "-w7"),
    ] {
        let output = run(folder, args);
        assert_eq!(output.status.code(), Some(status), "{args:?}: {}", said(&output));
        assert!(said(&output).contains(why), "{args:?}: {}", said(&output));
        assert!(!folder.join("out").exists() && !folder.join("leak.ps").exists(), "{args:?} left a file");
    }
}
