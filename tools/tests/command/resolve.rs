//! A profile by allocation site, of a C program that is position-independent and has static functions: its bands become
//! functions and lines when there is debug information, functions without, and stay what they are when stripped.

use super::common::Scratch;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The line of c-tests/sites.c with this comment.
fn line(function: &str) -> usize {
    let source = std::fs::read_to_string(root().join("c-tests/sites.c")).unwrap();
    let mark = format!("/* of {function} */");
    source.lines().position(|line| line.contains(&mark)).unwrap() + 1
}

/// The C test as a program of its own; nothing where there is no C compiler, or no static library beside the tests.
fn program(scratch: &Scratch, flags: &[&str]) -> Option<PathBuf> {
    let here = std::env::current_exe().unwrap();
    let folder = here.parent().unwrap();
    let library = [folder, folder.parent().unwrap()]
        .into_iter()
        .map(|folder| folder.join("libbarrow.a"))
        .find(|path| path.exists());
    let Some(library) = library else {
        eprintln!("skipped: libbarrow.a is not there");
        return None;
    };
    let out = scratch.path().join("prog");
    let built = Command::new("cc")
        .args(flags)
        .args(["-std=c99", "-fPIE", "-pie", "-I"])
        .arg(root().join("include"))
        .arg(root().join("c-tests/sites.c"))
        .arg(library)
        .args(["-lpthread", "-ldl", "-lm", "-lrt", "-lutil", "-o"])
        .arg(&out)
        .status();
    match built {
        Ok(status) => assert!(status.success()),
        Err(_) => {
            eprintln!("skipped: there is no C compiler");
            return None;
        }
    }
    let stem = scratch.path().join("left");
    assert!(Command::new(&out).arg(&stem).status().unwrap().success());
    Some(out)
}

fn resolved(scratch: &Scratch, arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_barrow"))
        .args(["resolve", "left.hp"])
        .args(arguments)
        .current_dir(scratch.path())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The status, the output and the words of `barrow resolve`.
fn said(scratch: &Scratch, arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_barrow"))
        .arg("resolve")
        .args(arguments)
        .current_dir(scratch.path())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// All is written as it was, and whoever waits for lines hears that none came.
#[test]
fn nothing_resolved_is_told() {
    let scratch = Scratch::new("resolve-nothing");
    let hp = |bands: &str| {
        format!(
            "JOB \"j\"\nDATE \"d\"\nSAMPLE_UNIT \"seconds\"\nVALUE_UNIT \"bytes\"\nBEGIN_SAMPLE 1.0\n{bands}END_SAMPLE 1.0\n"
        )
    };
    scratch.file("hd.hp", &hp("Node\t4\n"));
    let (status, text, told) = said(&scratch, &["hd.hp"]);
    assert!(status == Some(0) && text.contains("Node\t4"), "{told}");
    assert!(told.contains("hd.hp: there is nothing to resolve") && told.contains("-ha"), "{told}");
    scratch.file("ha.hp", &hp("no_such_file_t+0x12\t4\nno_such_file_t+0x34\t5\n"));
    let (status, text, told) = said(&scratch, &["ha.hp"]);
    assert!(status == Some(1) && text.contains("no_such_file_t+0x12\t4"), "{told}");
    assert!(
        told.contains("no_such_file_t was not found: give its path, barrow resolve --code PATH"),
        "{told}"
    );
    assert!(told.contains("none of the 2 places was resolved"), "{told}");
    scratch.file("two.hp", &hp("no_such_file_t+0x12\t4\nno_such_file_u+0x34\t5\n"));
    let told = said(&scratch, &["two.hp"]).2;
    assert!(told.contains("no_such_file_t and no_such_file_u were not found: give their paths, "), "{told}");
}

#[test]
fn bands_become_functions_and_lines() {
    let scratch = Scratch::new("resolve");
    if program(&scratch, &["-g", "-O2"]).is_none() {
        return;
    }
    let left = std::fs::read_to_string(scratch.path().join("left.hp")).unwrap();
    assert!(left.contains("\nprog+0x"), "{left}");
    let text = resolved(&scratch, &[]);
    for (function, bytes) in [("grow", 32000), ("bulk", 96), ("by_calls", 176), ("reserved", 256)] {
        let band = format!("\n{function}<sites.c:{}>\t{bytes}\n", line(function));
        assert!(text.contains(&band), "no {band:?} in {text}");
    }
}

#[test]
fn without_debug_information_there_are_functions_or_offsets() {
    let scratch = Scratch::new("resolve-plain");
    let Some(program) = program(&scratch, &["-g0", "-O2"]) else { return };
    assert!(resolved(&scratch, &[]).contains("\ngrow\t32000\n"));
    let Ok(stripped) = Command::new("strip").arg(&program).status() else {
        eprintln!("skipped: there is no strip");
        return;
    };
    assert!(stripped.success());
    let (status, text, _) = said(&scratch, &["left.hp", "--code", "prog"]);
    assert!(status == Some(1) && text.contains("\nprog+0x") && text.contains("\t32000\n"), "{text}");
    std::fs::remove_file(&program).unwrap();
    assert!(said(&scratch, &["left.hp"]).1.contains("\nprog+0x"));
}

/// The JSON of a space profile has module and offset of each function, as here of the first place of `grow`.
#[test]
fn functions_of_a_space_profile_get_lines() {
    let scratch = Scratch::new("resolve-space");
    if program(&scratch, &["-g", "-O2"]).is_none() {
        return;
    }
    let left = std::fs::read_to_string(scratch.path().join("left.hp")).unwrap();
    let band = left.lines().find(|line| line.ends_with("\t32000")).unwrap();
    let offset = band.strip_prefix("prog+0x").unwrap().split('\t').next().unwrap();
    let offset = u64::from_str_radix(offset, 16).unwrap();
    let space = format!(
        r#"{{"format":"barrow-space","version":1,"total":{{"top":3}},"functions":[
{{"name":"prog+{offset:#x}","module":"/gone/prog","offset":{offset},"top":2}},
{{"name":"word","module":"","offset":0,"word":7,"top":1}}]}}"#
    );
    std::fs::write(scratch.path().join("left.hp"), space).unwrap();
    let text = resolved(&scratch, &[]);
    let line = line("grow");
    assert!(text.contains(r#""name":"grow""#), "{text}");
    assert!(text.contains(&format!(r#""file":"sites.c","line":{line}"#)), "{text}");
    assert!(text.contains(r#""name":"word""#) && text.contains(r#""word":7"#), "{text}");
}

#[test]
fn what_is_no_profile_is_told() {
    let scratch = Scratch::new("resolve-wrong");
    std::fs::write(scratch.path().join("left.hp"), "nothing").unwrap();
    let run = |arguments: &[&str]| {
        let (status, _, words) = said(&scratch, arguments);
        (status, words)
    };
    assert_eq!(run(&["left.hp"]).0, Some(1));
    assert_eq!(run(&["absent.hp"]).0, Some(1));
    assert!(run(&["left.hp", "--code", "nowhere"]).0 == Some(1));
    assert_eq!(run(&[]).0, Some(2));
}

/// Gives a file debug information that takes 150 million bytes when it is inflated.
fn swell(file: &Path, section: &str, scratch: &Scratch) -> bool {
    let zeros = scratch.path().join("zeros");
    std::fs::File::create(&zeros).unwrap().set_len(150_000_000).unwrap();
    let added = format!("{section}={}", zeros.display());
    let step =
        |flags: &[&str]| Command::new("objcopy").args(flags).arg(file).status().is_ok_and(|it| it.success());
    // A section is compressed only when it was there before.
    let swollen = step(&["--add-section", &added]) && step(&["--compress-debug-sections=zlib"]);
    std::fs::remove_file(&zeros).unwrap();
    let is_small = std::fs::metadata(file).unwrap().len() < 20_000_000;
    if !(swollen && is_small) {
        eprintln!("skipped: objcopy does not compress");
    }
    swollen && is_small
}

/// What `barrow resolve` says with 100 MB of addresses at most.
fn told_within_bounds(scratch: &Scratch) -> String {
    let output = Command::new("sh")
        .args(["-c", "ulimit -v 100000; exec \"$0\" resolve left.hp", env!("CARGO_BIN_EXE_barrow")])
        .current_dir(scratch.path())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(1) && told.contains("none of the 4 places was resolved"), "{told}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("\nEND_SAMPLE"));
    told
}

#[test]
fn swollen_debug_information_is_not_inflated() {
    let scratch = Scratch::new("resolve-swollen");
    let Some(program) = program(&scratch, &["-O2"]) else { return };
    // A small program under the name of the one that was profiled: what is allowed goes by the size of the file.
    let source = scratch.path().join("small.c");
    std::fs::write(&source, "int main(void) { return 0; }\n").unwrap();
    assert!(Command::new("cc").arg("-o").arg(&program).arg(&source).status().unwrap().success());
    if !swell(&program, ".debug_more", &scratch) {
        return;
    }
    let told = told_within_bounds(&scratch);
    assert!(told.contains("its debug information inflates to 1"), "{told}");
}

#[test]
fn neither_is_that_of_files_which_the_program_names() {
    let scratch = Scratch::new("resolve-split");
    let Some(_) = program(&scratch, &["-g", "-gsplit-dwarf", "-O2"]) else { return };
    let split = |entry: &std::path::PathBuf| entry.extension().is_some_and(|ending| ending == "dwo");
    let entries = std::fs::read_dir(scratch.path()).unwrap().map(|entry| entry.unwrap().path());
    let Some(file) = entries.into_iter().find(split) else {
        eprintln!("skipped: this compiler makes no split debug information");
        return;
    };
    assert!(resolved(&scratch, &[]).contains("grow<sites.c:"), "the file beside the program is read");
    if !swell(&file, ".debug_str.more.dwo", &scratch) {
        return;
    }
    let told = told_within_bounds(&scratch);
    assert!(told.contains(".dwo: its debug information inflates to 1"), "{told}");
}

/// A sample that is left out is told of, and bytes are not written to a terminal, which `script` of util-linux gives.
#[test]
fn it_tells_what_convert_tells() {
    let scratch = Scratch::new("resolve-tells");
    let head = "JOB \"j\"\nDATE \"d\"\nSAMPLE_UNIT \"seconds\"\nVALUE_UNIT \"bytes\"\n";
    let samples = "BEGIN_SAMPLE 1.0\na\t1\nEND_SAMPLE 1.0\nBEGIN_SAMPLE 2.0\na\t";
    std::fs::write(scratch.path().join("cut.hp"), format!("{head}{samples}")).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_barrow"));
    let output = command.args(["resolve", "cut.hp"]).current_dir(scratch.path()).output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success());
    assert!(told.contains("barrow resolve: cut.hp:8: the file ends within this sample; left out"), "{told}");
    let samples = b"\x0a\x04\x08\x01\x10\x02\x32\x00\x32\x05space\x32\x05bytes";
    std::fs::write(scratch.path().join("some.pprof"), samples).unwrap();
    let command =
        format!("cd '{}'; {} resolve some.pprof", scratch.path().display(), env!("CARGO_BIN_EXE_barrow"));
    let shown = Command::new("script").args(["-qefc", &command, "/dev/null"]).stdin(Stdio::null()).output();
    match shown {
        Ok(output) => {
            let told = String::from_utf8_lossy(&output.stdout);
            assert!(told.contains("this format is not text; name a file with -o"), "{told:?}");
        }
        Err(error) => println!("skipped: script: {error}"),
    }
}
