//! No command panics, whoever reads its outputs or does not: each is run with standard output or standard error closed at
//! the other end, and on a device that is full. A reader that has seen enough is no failure; a full disk is one, and told.

use super::common::{Scratch, fixture};
use std::fs::OpenOptions;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Command lines that print something on standard output.
const PRINT: [&[&str]; 23] = [
    &["check", "hp/leak-hc.hp", "hp/leak-hy.hp"],
    &["top", "hp/leak-hc.hp"],
    &["diff", "hp/leak-hc.hp", "hp/leak-hc.hp"],
    &["view", "hp/leak-hc.hp", "-o", "-"],
    &["view", "hp/leak-hc.hp", "-o", "SCRATCH/page.html"],
    &["diff", "hp/leak-hc.hp", "hp/leak-hc.hp", "--html", "SCRATCH/page.html"],
    &["convert", "hp/leak-hc.hp", "--to", "csv"],
    &["convert", "hp/leak-hc.hp", "--to", "pprof"],
    &["convert", "hp/leak-hc.hp", "--to", "svg"],
    &["convert", "hp/leak-hc.hp", "--to", "png"],
    &["convert", "hpc/two/Two.tix", "--to", "lcov", "--srcdir", "hpc/two"],
    &["resolve", "hp/leak-hc.hp"],
    &["hp2ps", "-?"],
    &["hp2ps"],
    &["hpc", "help"],
    &["hpc", "version"],
    &["hpc", "report", "hpc/two/Two.tix", "--srcdir=hpc/two"],
    &["hpc", "show", "hpc/two/Two.tix", "--srcdir=hpc/two"],
    &["completions", "bash"],
    &["--help"],
    &["--version"],
    &["view", "--help"],
    &["demo", "--scale", "0.0005", "--no-profile"],
];

/// Command lines that tell something on standard error.
const TELL: [&[&str]; 11] = [
    &["check", "no-such-file"],
    &["top", "no-such-file"],
    &["diff", "no-such-file", "no-such-file"],
    &["view", "no-such-file"],
    &["convert", "no-such-file", "--to", "csv"],
    &["convert", "hp/leak-hc-cut-midline.hp", "--to", "speedscope"],
    &["resolve", "no-such-file"],
    &["hp2ps", "no-such-file"],
    &["hpc", "report", "no-such-file"],
    &["man", "SCRATCH/man"],
    &["no-such-command"],
];

/// A pipe that nobody reads.
fn closed() -> Stdio {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    writer.into()
}

fn full() -> Stdio {
    OpenOptions::new().write(true).open("/dev/full").unwrap().into()
}

fn run(scratch: &Path, line: &[&str], set: impl FnOnce(&mut Command)) -> Output {
    let args = line.iter().map(|arg| arg.replace("SCRATCH", scratch.to_str().unwrap()));
    let mut command = Command::new(env!("CARGO_BIN_EXE_barrow"));
    let profile = std::fs::File::open(fixture("hp/leak-hc.hp")).unwrap();
    command.args(args).current_dir(fixture("")).stdin(profile);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    set(&mut command);
    command.spawn().unwrap().wait_with_output().unwrap()
}

#[test]
fn standard_output_that_nobody_reads_is_no_failure() {
    let scratch = Scratch::new("outputs-closed");
    for line in PRINT {
        let output = run(scratch.path(), line, |command| {
            command.stdout(closed());
        });
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && !said.contains("panicked"), "{line:?}: {}: {said}", output.status);
    }
}

#[test]
fn standard_output_on_a_full_disk_is_told() {
    let scratch = Scratch::new("outputs-full");
    for line in PRINT {
        let output = run(scratch.path(), line, |command| {
            command.stdout(full());
        });
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{line:?}: {said}");
        assert!(said.contains("standard output: No space left on device"), "{line:?}: {said}");
        assert!(!said.contains("panicked"), "{line:?}: {said}");
    }
}

#[test]
fn standard_error_may_be_closed_or_full() {
    let scratch = Scratch::new("outputs-error");
    for line in TELL.iter().chain(&PRINT) {
        let right = run(scratch.path(), line, |_| ()).status;
        for to in [closed, full] {
            let status = run(scratch.path(), line, |command| {
                command.stderr(to());
            })
            .status;
            assert_eq!(status.code(), right.code(), "{line:?}");
        }
    }
}

/// The other command lines that write to a file which cannot be written.
#[test]
fn files_on_a_full_disk_are_told() {
    let scratch = Scratch::new("outputs-file");
    for line in [
        &["view", "hp/leak-hc.hp", "-o", "/dev/full"][..],
        &["diff", "hp/leak-hc.hp", "hp/leak-hc.hp", "--html", "/dev/full"],
        &["convert", "hp/leak-hc.hp", "--to", "csv", "-o", "/dev/full"],
        &["resolve", "hp/leak-hc.hp", "-o", "/dev/full"],
        &["hpc", "draft", "hpc/two/Two.tix", "--srcdir=hpc/two", "--output=/dev/full"],
    ] {
        let output = run(scratch.path(), line, |_| ());
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{line:?}: {said}");
        assert!(said.contains("/dev/full: No space left on device"), "{line:?}: {said}");
    }
}

/// Opening a pipe waits until somebody reads it; one that is read is written, as with a shell's `>(command)`.
#[test]
fn a_pipe_that_nobody_reads_is_refused() {
    let scratch = Scratch::new("outputs-pipe");
    let pipe = scratch.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let limited = |script: &str| {
        let mut command = Command::new("timeout");
        command.args(["-s", "KILL", "20", "bash", "-c", script]).current_dir(fixture(""));
        command.env("BARROW", env!("CARGO_BIN_EXE_barrow")).env("SCRATCH", scratch.path());
        command.output().unwrap()
    };
    for line in [
        "view hp/leak-hc.hp -o $SCRATCH/pipe",
        "diff hp/leak-hc.hp hp/leak-hc.hp --html $SCRATCH/pipe",
        "convert hp/leak-hc.hp --to csv -o $SCRATCH/pipe",
        "resolve hp/leak-hc.hp -o $SCRATCH/pipe",
        "hpc draft hpc/two/Two.tix --srcdir=hpc/two --output=$SCRATCH/pipe",
    ] {
        let output = limited(&format!("exec $BARROW {line}"));
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{line}: {said}");
        assert!(said.contains("/pipe: is a pipe that nobody reads"), "{line}: {said}");
    }
    let script = "mkfifo page.html; exec $BARROW run -o page sh -c 'cp hp/leak-hc.hp page.hy.hp'";
    let output = limited(&format!("cd $SCRATCH; cp -r {}/hp .; {script}", fixture("").display()));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.contains("page.html: is a pipe"), "{said}");
    let output = limited("$BARROW convert hp/leak-hc.hp --to csv -o >(cat > $SCRATCH/read); wait $!");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(std::fs::read_to_string(scratch.path().join("read")).unwrap().starts_with("time,band,value\n"));
}

/// A heap profile of so many bands at so many samples.
fn profile_of(bands: usize, samples: usize) -> String {
    let mut text = String::from("JOB \"j\"\nDATE \"d\"\nSAMPLE_UNIT \"seconds\"\nVALUE_UNIT \"bytes\"\n");
    for sample in 0..samples {
        text += &format!("BEGIN_SAMPLE {sample}.0\n");
        for band in (0..bands).filter(|band| band % samples == sample % bands) {
            text += &format!("b{band}\t1\n");
        }
        text += &format!("END_SAMPLE {sample}.0\n");
    }
    text
}

/// A picture that was begun leaves nothing when its program is killed.
#[cfg(target_os = "linux")]
#[test]
fn a_killed_hp2ps_leaves_nothing() {
    let scratch = Scratch::new("killed");
    std::fs::write(scratch.path().join("much.hp"), profile_of(2000, 2000)).expect("written");
    let mut child = Command::new(env!("CARGO_BIN_EXE_barrow"))
        .args(["hp2ps", "-m0", "-t0", "much.hp"])
        .current_dir(scratch.path())
        .spawn()
        .expect("runs");
    // Until the picture has a file, with or without a name.
    let open = format!("/proc/{}/fd", child.id());
    let folder = scratch.path().canonicalize().expect("is there");
    let is_writing = || {
        let open = std::fs::read_dir(&open).into_iter().flatten().flatten();
        let mut files = open.filter_map(|entry| std::fs::read_link(entry.path()).ok());
        files.any(|path| path.starts_with(&folder) && !path.ends_with("much.hp"))
    };
    while !is_writing() {
        assert!(child.try_wait().expect("a state").is_none(), "it ended before it wrote");
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    child.kill().expect("killed");
    child.wait().expect("ended");
    let left: Vec<_> =
        std::fs::read_dir(&folder).expect("a folder").flatten().map(|e| e.file_name()).collect();
    assert_eq!(left, ["much.hp"]);
}

/// A small file can name many bands and many samples.
#[test]
fn a_picture_of_gigabytes_is_refused() {
    let scratch = Scratch::new("gigabytes");
    std::fs::write(scratch.path().join("much.hp"), profile_of(20_000, 20_000)).expect("written");
    let run = |flags: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_barrow"));
        command.arg("hp2ps").args(flags).arg("much.hp").current_dir(scratch.path()).output().expect("runs")
    };
    let refused = run(&["-m0", "-t0"]);
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(!refused.status.success() && said.contains("-m20 draws"), "{said}");
    assert!(run(&["-t0"]).status.success());
}

/// No output takes the place of an input, by another name of it either.
#[test]
fn no_input_is_written_over() {
    let scratch = Scratch::new("over");
    let [one, two, link] = ["one.hp", "two.hp", "link.hp"].map(|name| scratch.path().join(name));
    std::fs::copy(fixture("hp/leak-hc.hp"), &one).unwrap();
    std::fs::copy(fixture("hp/leak-hc.hp"), &two).unwrap();
    std::os::unix::fs::symlink(&one, &link).unwrap();
    let before = std::fs::read(&one).unwrap();
    let (one, two, link) = (one.to_str().unwrap(), two.to_str().unwrap(), link.to_str().unwrap());
    for line in [
        &["view", one, "-o", one][..],
        &["view", one, "-o", link],
        &["view", link, two, "-o", one],
        &["diff", two, one, "--html", link],
        &["convert", one, "--to", "svg", "-o", one],
    ] {
        let ran = Command::new(env!("CARGO_BIN_EXE_barrow")).args(line).output().unwrap();
        let said = String::from_utf8_lossy(&ran.stderr);
        assert!(ran.status.code() == Some(1) && said.contains("name another file"), "{line:?}: {said}");
        assert_eq!(std::fs::read(one).unwrap(), before, "{line:?}");
    }
    // A whole profile from one that was cut may take its place.
    let ran =
        Command::new(env!("CARGO_BIN_EXE_barrow")).args(["convert", one, "--to", "hp", "-o", one]).output();
    assert!(ran.unwrap().status.success());
}

/// A page of one of them fits, and one of three does not.
#[test]
fn a_page_of_many_large_files_is_refused() {
    let scratch = Scratch::new("many");
    let mut text = String::from("JOB \"j\"\nDATE \"d\"\nSAMPLE_UNIT \"seconds\"\nVALUE_UNIT \"bytes\"\n");
    for sample in 0..=100_000 {
        text += &format!("BEGIN_SAMPLE {sample}.0\n");
        if sample % 100_000 == 0 {
            (0..1300).for_each(|band| text += &format!("b{band}\t8\n"));
        }
        text += &format!("END_SAMPLE {sample}.0\n");
    }
    scratch.file("wide.hp", &text);
    let ran = Command::new(env!("CARGO_BIN_EXE_barrow"))
        .args(["view", "wide.hp", "wide.hp", "wide.hp", "-o", "page.html"])
        .current_dir(scratch.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.code() == Some(1) && said.contains("a page of these 3 files would hold"), "{said}");
    assert!(!scratch.path().join("page.html").exists());
}
