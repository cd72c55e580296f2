//! Manual pages and completions, as the programs that read them see them.

use super::common::Scratch;
use std::process::{Command, Stdio};

fn barrow(arguments: &[&str]) -> std::process::Output {
    Command::new(env!("CARGO_BIN_EXE_barrow")).args(arguments).stdin(Stdio::null()).output().unwrap()
}

/// The program's own word that it is there; without it the test says that it was skipped.
fn is_there(program: &str, argument: &str) -> bool {
    let found =
        Command::new(program).arg(argument).stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok();
    if !found {
        eprintln!("skipped: there is no {program}");
    }
    found
}

#[test]
fn every_page_is_written_and_groff_takes_it() {
    let scratch = Scratch::new("manual");
    let folder = scratch.path().join("man1");
    assert!(barrow(&["man", folder.to_str().unwrap()]).status.success());
    let pages: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(pages.len() >= 11, "{pages:?}");
    if !is_there("groff", "--version") {
        return;
    }
    for page in pages {
        let output =
            Command::new("groff").args(["-man", "-Tascii", "-ww", "-P-cbou"]).arg(&page).output().unwrap();
        let complaints = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success() && complaints.is_empty(), "{}: {complaints}", page.display());
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.contains("NAME") && text.contains("barrow"), "{}", page.display());
    }
}

#[test]
fn a_folder_that_cannot_be_made_is_told() {
    let scratch = Scratch::new("manual-refused");
    let file = scratch.path().join("file");
    std::fs::write(&file, "in the way").unwrap();
    let output = barrow(&["man", file.join("man1").to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("barrow man: "));
}

#[test]
fn bash_completes_commands_flags_and_values() {
    if !is_there("bash", "--version") {
        return;
    }
    let complete = |words: &[&str]| {
        let (last, before) = words.split_last().unwrap();
        let script = format!(
            "source <('{}' completions bash); COMP_WORDS=(barrow {}); COMP_CWORD={}; _barrow barrow '{last}' '{}'; \
             echo \"${{COMPREPLY[@]}}\"",
            env!("CARGO_BIN_EXE_barrow"),
            words.join(" "),
            words.len(),
            before.last().unwrap_or(&"barrow"),
        );
        let output = Command::new("bash").args(["-c", &script]).output().unwrap();
        String::from_utf8(output.stdout).unwrap().trim().to_string()
    };
    assert_eq!(complete(&["vi"]), "view");
    assert_eq!(complete(&["hpc", "mar"]), "markup");
    assert_eq!(complete(&["hpc", "markup", "--destd"]), "--destdir");
    assert!(complete(&["convert", "--to", "p"]).contains("pprof"));
}

#[test]
fn bash_completes_flags_of_programs_after_rts() {
    if !is_there("bash", "--version") {
        return;
    }
    let complete = |words: &[&str]| {
        let (last, before) = words.split_last().unwrap();
        let script = format!(
            "source <('{}' completions bash --for lisp); COMP_WORDS=(lisp {}); COMP_CWORD={}; \
             _barrow_program lisp '{last}' '{}'; echo \"${{COMPREPLY[@]}}\"",
            env!("CARGO_BIN_EXE_barrow"),
            words.join(" "),
            words.len(),
            before.last().unwrap_or(&"lisp"),
        );
        let output = Command::new("bash").args(["-c", &script]).output().unwrap();
        String::from_utf8(output.stdout).unwrap().trim().to_string()
    };
    assert_eq!(complete(&["+R"]), "+RTS");
    assert_eq!(complete(&["+RTS", "--mach"]), "--machine-readable");
    assert_eq!(complete(&["+RTS", "-DS", "--str"]), "--stress=");
    assert_eq!(complete(&["+RTS", "-po"]), "-po");
    assert_eq!(complete(&["+RTS", "-DS", "-RTS", "--str"]), "");
    assert_eq!(complete(&["file", "--str"]), "");
    // Words are broken at `=`: what stands behind it is an argument, and no flag.
    assert_eq!(complete(&["+RTS", "--source", "="]), "auto range chunks");
    assert_eq!(complete(&["+RTS", "--source", "=", "ch"]), "chunks");
    assert_eq!(complete(&["+RTS", "--stress", "="]), "");
    assert_eq!(complete(&["+RTS", "--stress", "=", ""]), "");
    assert_eq!(complete(&["+RTS", "--stress", "=", "10", "--see"]), "--seed=");
}

/// The file is a function that zsh loads when it is first asked, and that has to complete then.
#[test]
fn zsh_completes_flags_of_programs_when_first_asked() {
    if !is_there("zsh", "--version") {
        return;
    }
    let scratch = Scratch::new("completions-zsh");
    let script = barrow(&["completions", "zsh", "--for", "lisp", "--for", "ml"]);
    std::fs::write(scratch.path().join("_lisp"), script.stdout).unwrap();
    // What a terminal would show is told by stand-ins for the builtins, which work in a terminal only.
    let asked = "fpath=($1 $fpath); _describe() { print -rl -- $flags }; compadd() { print -r -- ${@[-1]} }; \
                 compdef() { print defined }; _files() { : }; autoload -Uz _lisp; \
                 words=(lisp +RTS --str) CURRENT=3 PREFIX=--str; _lisp; print second; _lisp; \
                 words=(lisp +R) CURRENT=2 PREFIX=+R; print third; _lisp; print sourced; source $1/_lisp";
    let output = Command::new("zsh").args(["-f", "-c", asked, "zsh"]).arg(scratch.path()).output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    let told = String::from_utf8(output.stdout).unwrap();
    let (first, rest) = told.split_once("second\n").unwrap();
    let (second, rest) = rest.split_once("third\n").unwrap();
    assert!(first.contains("--stress=:collect") && first.contains("-RTS:"), "{first}");
    assert_eq!(first, second);
    assert_eq!(rest, "+RTS\nsourced\ndefined\n");
}

#[test]
fn fish_completes_flags_of_programs_after_rts() {
    if !is_there("fish", "--version") {
        return;
    }
    let scratch = Scratch::new("completions-fish");
    let file = scratch.path().join("lisp.fish");
    std::fs::write(&file, barrow(&["completions", "fish", "--for", "lisp"]).stdout).unwrap();
    let complete = |line: &str| {
        let output = Command::new("fish")
            .args(["--no-config", "-c", &format!("source {}; complete -C '{line}'", file.display())])
            .env("HOME", scratch.path())
            .output()
            .unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(complete("lisp +R").starts_with("+RTS\t"), "{}", complete("lisp +R"));
    assert!(complete("lisp +RTS --str").starts_with("--stress=\t"));
    assert!(!complete("lisp --str").contains("--stress"));
}

#[test]
fn the_other_shells_have_their_completions() {
    for (shell, first) in [("zsh", "#compdef barrow"), ("fish", "#"), ("elvish", ""), ("powershell", "")] {
        let output = barrow(&["completions", shell]);
        assert!(output.status.success());
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.starts_with(first) && text.contains("barrow"), "{shell}");
    }
    assert_eq!(barrow(&["completions", "tcsh"]).status.code(), Some(2));
}

/// gdb has a command of the same name.
#[test]
fn commands_of_the_debugger_are_told_of() {
    for word in ["object", "info", "frames", "why", "moved", "use"] {
        let output = barrow(&[word, "tree->left"]);
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{told}");
        let words = format!("barrow: {word} is a command of gdb's `barrow`");
        assert!(told.starts_with(&words) && told.contains("docs/debugging.md"), "{told}");
    }
    let told = String::from_utf8_lossy(&barrow(&["whim"]).stderr).into_owned();
    assert!(told.contains("unrecognized subcommand") && !told.contains("gdb"), "{told}");
}
