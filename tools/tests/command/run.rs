//! `barrow run`: a program that allows it is profiled, without a flag of its own; of one that does not, it says so.

use super::common::Scratch;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::time::{Duration, Instant};

const BARROW: &str = env!("CARGO_BIN_EXE_barrow");

fn run(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(BARROW).arg("run").args(arguments).current_dir(folder).stdin(Stdio::null()).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The demo allows flags in its environment.
#[test]
fn a_program_is_profiled_and_its_output_stays_its_own() {
    let scratch = Scratch::new("run-demo");
    let alone = Command::new(BARROW).args(["demo", "--no-profile", "--scale", "0.3"]).output().unwrap();
    let output = run(
        scratch.path(),
        &["--flags", "-hr", "-o", "try", BARROW, "demo", "--no-profile", "--scale", "0.3"],
    );
    let told = text(&output.stderr);
    assert!(output.status.success(), "{told}");
    assert_eq!(text(&output.stdout).lines().next(), text(&alone.stdout).lines().next());
    for file in ["try.h.hp", "try.hy.hp", "try.hr.hp", "try.prof", "try.html"] {
        assert!(scratch.path().join(file).is_file(), "{file}: {told}");
    }
    for part in [
        "It ran for ",
        "Where its time and its allocation went, by cost centre:",
        "Most was alive ",
        "what it was:",
        "who made it:",
        "who held it:",
        "\n  file:///",
        "/try.html\n",
    ] {
        assert!(told.contains(part), "{part}: {told}");
    }
    assert!(told.contains("words") && told.contains("push"), "{told}");
}

/// The files of a program's later heaps have numbers in their names; what is told is of its first one.
#[test]
fn the_first_of_several_heaps_is_told_of() {
    let scratch = Scratch::new("run-heaps");
    let write = |name: &str, band: &str, more: &str| {
        let head = "JOB \"j\"\nDATE \"d\"\nSAMPLE_UNIT \"seconds\"\nVALUE_UNIT \"bytes\"";
        let sample = format!("BEGIN_SAMPLE 1.0\n{band}\t4096\nEND_SAMPLE 1.0");
        std::fs::write(scratch.path().join(name), format!("{head}\n{more}{sample}\n")).unwrap();
    };
    write("a", "Early", "");
    write("b", "Late", "BEGIN_SAMPLE 0.5\nEND_SAMPLE 0.5\n");
    write("c", "(7)late", "BEGIN_SAMPLE 0.5\nEND_SAMPLE 0.5\n");
    let script = "cp a two.hy.hp; cp a two.h.hp; cp b two.2.hy.hp; cp c two.2.h.hp; cp b two.10.hy.hp";
    let output = run(scratch.path(), &["-o", "two", "sh", "-c", script]);
    let told = text(&output.stderr);
    assert!(told.contains("what it was:\n   100.0 %        4,096  Early\n"), "{told}");
    assert!(!told.contains("who made it") && !told.contains("late"), "{told}");
    assert!(told.contains("It had 3 heaps") && told.contains("two.hy.hp and the files beside it"), "{told}");
    let order = told.split("of ").last().unwrap_or_default();
    let at = |name: &str| order.find(name).unwrap_or_else(|| panic!("{name} in {told}"));
    assert!(at("two.hy.hp") < at("two.2.h.hp") && at("two.2.hy.hp") < at("two.10.hy.hp"), "{told}");
    // Of a program with one heap no word is said of heaps.
    let output = run(scratch.path(), &["-o", "one", "sh", "-c", "cp a one.hy.hp"]);
    assert!(text(&output.stderr).contains("Early") && !text(&output.stderr).contains("It had"));
}

/// Files of an earlier run are not taken for this one's.
#[test]
fn a_program_that_does_not_allow_it_is_told_of() {
    let scratch = Scratch::new("run-other");
    std::fs::write(scratch.path().join("sh.hy.hp"), "of an earlier run").unwrap();
    let output = run(scratch.path(), &["sh", "-c", "echo out; exit 7"]);
    let told = text(&output.stderr);
    assert_eq!(output.status.code(), Some(7), "{told}");
    assert_eq!(text(&output.stdout), "out\n");
    assert!(
        told.starts_with("barrow run: sh has left no profile: ") && told.contains("config.environment = 1"),
        "{told}"
    );
    assert_eq!(run(scratch.path(), &["sh", "-c", "kill -TERM $$"]).status.code(), Some(128 + 15));
    assert_eq!(run(scratch.path(), &["./nobody"]).status.code(), Some(127));
    assert_eq!(run(scratch.path(), &["--flags", "-Q", "sh"]).status.code(), Some(2));
    assert_eq!(run(scratch.path(), &["-o", "a b", "sh"]).status.code(), Some(2));
    assert_eq!(run(scratch.path(), &[]).status.code(), Some(2));
    for (line, code, part) in [
        (&["--flag", "-hy", "sh"][..], 2, "--flag is no option, and the program comes next"),
        (&["-o", "nowhere/x", "sh"], 2, "nowhere: no such folder"),
        (&["here"], 127, "; ./here is the one in this folder"),
    ] {
        std::fs::write(scratch.path().join("here"), "").unwrap();
        let output = run(scratch.path(), line);
        let told = text(&output.stderr);
        assert!(output.status.code() == Some(code) && told.contains(part), "{told}");
    }
}

/// A program with the rights of another user is not profiled, and that is the reason told. Only root can give a file to another.
#[test]
fn a_program_with_the_rights_of_another_is_told_of() {
    let scratch = Scratch::new("run-setuid");
    let program = scratch.path().join("prog");
    std::fs::copy(BARROW, &program).unwrap();
    if let Err(error) = std::os::unix::fs::chown(&program, Some(65534), None) {
        return println!("skipped: chown: {error}");
    }
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o4755)).unwrap();
    let output = run(scratch.path(), &["./prog", "demo", "--no-profile", "--scale", "0.01"]);
    let told = text(&output.stderr);
    assert!(output.status.success(), "{told}");
    assert!(told.contains("./prog has the rights of another (setuid or setgid)"), "{told}");
    assert!(!scratch.path().join("prog.hy.hp").exists());
}

/// A signal that ends `barrow run` goes to the program, and what there is of its profiles is shown.
#[test]
fn a_signal_is_handed_on() {
    let scratch = Scratch::new("run-signal");
    let child = Command::new(BARROW)
        .args(["run", "-o", "long", BARROW, "demo", "--no-profile", "--scale", "100"])
        .current_dir(scratch.path())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let profile = scratch.path().join("long.hy.hp");
    let has_samples =
        || std::fs::read_to_string(&profile).is_ok_and(|hp| hp.matches("END_SAMPLE").count() > 3);
    for _ in 0..600 {
        if has_samples() {
            break;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    let killed = Command::new("kill").arg(child.id().to_string()).status().unwrap();
    assert!(killed.success());
    let output = child.wait_with_output().unwrap();
    let told = text(&output.stderr);
    assert_eq!(output.status.code(), Some(128 + 15), "{told}");
    assert!(told.contains("was ended by signal 15") && told.contains("what it was:"), "{told}");
}

/// The live line is for terminals: `script` of util-linux gives one.
#[test]
fn a_line_shows_what_is_alive() {
    let scratch = Scratch::new("run-live");
    let command = format!(
        "stty cols 100; cd '{}'; '{BARROW}' run -o live '{BARROW}' demo --no-profile --scale 0.5",
        scratch.path().display()
    );
    let output = match Command::new("script")
        .args(["-qefc", &command, "/dev/null"])
        .env("TERM", "xterm")
        .stdin(Stdio::null())
        .output()
    {
        Ok(output) => output,
        Err(error) => return println!("skipped: script: {error}"),
    };
    let told = text(&output.stdout);
    assert!(told.contains(" alive, at most ") && told.contains("\u{1b}[K"), "{told}");
    assert!(told.contains("Most was alive "), "{told}");
}

/// A program of the shell under `barrow run`, with the signals that it has by default.
fn program(folder: &Path, script: &str) -> Command {
    let mut command = Command::new(BARROW);
    command.args(["run", "-o", "prog", "sh", "-c", script]).current_dir(folder);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    // SAFETY: `signal` may be called between a fork and what follows it.
    unsafe {
        command.pre_exec(|| {
            libc::signal(libc::SIGINT, libc::SIG_DFL);
            Ok(())
        })
    };
    command
}

fn start(folder: &Path, script: &str) -> Child {
    program(folder, script).spawn().unwrap()
}

fn is_there(path: &Path) {
    let until = Instant::now() + Duration::from_secs(20);
    while !path.exists() {
        assert!(Instant::now() < until, "no {}", path.display());
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// None of a program that goes on for long; it ends here.
fn soon(child: &mut Child) -> Option<ExitStatus> {
    let until = Instant::now() + Duration::from_secs(10);
    let ended = loop {
        match child.try_wait().unwrap() {
            None if Instant::now() < until => std::thread::sleep(Duration::from_millis(20)),
            ended => break ended,
        }
    };
    let _ = child.kill();
    let _ = child.wait();
    ended
}

fn send(signal: &str, child: &Child) {
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

/// Only the terminal's own signals reach both.
#[test]
fn an_interrupt_that_was_sent_is_handed_on() {
    let scratch = Scratch::new("run-interrupt");
    let script = "trap 'exit 3' INT; : > ready; for i in 1 2 3 4 5 6 7 8 9 10; do sleep 1; done";
    let mut child = start(scratch.path(), script);
    is_there(&scratch.path().join("ready"));
    send("-INT", &child);
    assert_eq!(soon(&mut child).and_then(|status| status.code()), Some(3));
}

/// Once the program has ended, a signal is for `barrow run` itself, here while nobody takes what it tells.
#[test]
fn a_signal_after_the_end_of_the_program_ends_it() {
    let scratch = Scratch::new("run-after");
    for signal in [libc::SIGTERM, libc::SIGINT] {
        let ready = scratch.path().join("ready");
        let mut child = start(scratch.path(), "head -c 65536 /dev/zero >&2; : > ready");
        is_there(&ready);
        std::thread::sleep(Duration::from_millis(500));
        send(&format!("-{signal}"), &child);
        assert_eq!(soon(&mut child).and_then(|status| status.signal()), Some(signal));
        std::fs::remove_file(ready).unwrap();
    }
}

/// A signal that reaches a whole group is not handed on to a program that has it: it comes once for each time that it is sent.
#[test]
fn a_signal_to_the_group_comes_once() {
    let scratch = Scratch::new("run-group");
    // Each signal is taken by itself, and slowly enough that a second one would not be the same.
    let script = "trap 'echo one >> got' USR1; : > ready; until [ -e stop ]; do sleep 0.05; done";
    let mut command = program(scratch.path(), script);
    let mut child = command.process_group(0).spawn().unwrap();
    is_there(&scratch.path().join("ready"));
    let count = |least: usize| {
        let until = Instant::now() + Duration::from_secs(20);
        let got = || std::fs::read_to_string(scratch.path().join("got")).unwrap_or_default().lines().count();
        while got() < least && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(20));
        }
        std::thread::sleep(Duration::from_millis(400));
        got()
    };
    let group = format!("-{}", child.id());
    let alone = child.id().to_string();
    for (at, to) in [&group, &alone, &group, &group, &alone].into_iter().enumerate() {
        assert!(Command::new("kill").args(["-USR1", "--", to]).status().unwrap().success());
        assert_eq!(count(at + 1), at + 1, "after the one to {to}");
    }
    scratch.file("stop", "");
    assert!(soon(&mut child).is_some_and(|status| status.success()));
}

/// A signal that comes when the program has ended, and before that was noticed, is for the command, too.
#[test]
fn a_signal_before_the_end_is_noticed_is_not_lost() {
    let scratch = Scratch::new("run-unnoticed");
    let mut child = start(scratch.path(), ": > ready; until [ -e stop ]; do sleep 0.05; done");
    is_there(&scratch.path().join("ready"));
    send("-STOP", &child);
    scratch.file("stop", "");
    std::thread::sleep(Duration::from_millis(500));
    send("-TERM", &child);
    send("-CONT", &child);
    assert_eq!(soon(&mut child).and_then(|status| status.signal()), Some(libc::SIGTERM));
}

/// A signal is handed on while the terminal takes nothing.
#[test]
fn a_stopped_terminal_keeps_no_signal_back() {
    let scratch = Scratch::new("run-stopped");
    let script = "trap 'exit 3' TERM; : > ready; while :; do sleep 0.05; done";
    let (mut master, mut terminal) = (0, 0);
    let none = std::ptr::null_mut();
    // SAFETY: both places are ours, and nothing else is asked for.
    assert_eq!(
        unsafe {
            libc::openpty(
                &mut master,
                &mut terminal,
                none,
                none.cast_const().cast(),
                none.cast_const().cast(),
            )
        },
        0
    );
    // SAFETY: descriptors that nobody else has.
    let (_master, terminal) = unsafe { (OwnedFd::from_raw_fd(master), OwnedFd::from_raw_fd(terminal)) };
    // SAFETY: a call with numbers.
    assert_eq!(unsafe { libc::tcflow(terminal.as_raw_fd(), libc::TCOOFF) }, 0);
    let mut command = program(scratch.path(), script);
    let mut child = command.env("TERM", "xterm").stderr(terminal.try_clone().unwrap()).spawn().unwrap();
    is_there(&scratch.path().join("ready"));
    std::thread::sleep(Duration::from_millis(200));
    send("-TERM", &child);
    // Nothing is left of the program, though what is told of it waits for the terminal.
    let left = || Command::new("pgrep").args(["-P", &child.id().to_string(), "sh"]).output().unwrap().stdout;
    let until = Instant::now() + Duration::from_secs(10);
    while !left().is_empty() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(text(&left()), "", "the program goes on");
    // SAFETY: as above.
    assert_eq!(unsafe { libc::tcflow(terminal.as_raw_fd(), libc::TCOON) }, 0);
    assert_eq!(soon(&mut child).and_then(|status| status.code()), Some(3));
}

/// A pipe that has the name of a profile is none.
#[test]
fn a_pipe_is_no_profile() {
    let scratch = Scratch::new("run-fifo");
    let mut child = start(scratch.path(), "mkfifo prog.hy.hp; exit 5");
    assert_eq!(soon(&mut child).and_then(|status| status.code()), Some(5));
}

/// The time that is told is the program's own, and not that until its end was noticed.
#[test]
fn the_end_is_noticed_at_once() {
    let scratch = Scratch::new("run-time");
    std::fs::write(scratch.path().join("a"), "JOB \"j\"\nDATE \"d\"\nSAMPLE_UNIT \"seconds\"\nVALUE_UNIT \"bytes\"\nBEGIN_SAMPLE 1.0\na\t4\nEND_SAMPLE 1.0\n").unwrap();
    // Where others work, a shell takes as long without the command.
    let alone = (0..5).map(|_| {
        let begun = std::time::Instant::now();
        Command::new("sh").args(["-c", "cp a b; sleep 0.06"]).current_dir(scratch.path()).status().unwrap();
        begun.elapsed().as_secs_f64()
    });
    let alone = alone.fold(f64::MAX, f64::min);
    let times = (0..5).map(|_| {
        let told = text(&run(scratch.path(), &["sh", "-c", "cp a sh.hy.hp; sleep 0.06"]).stderr);
        let time = told.split("It ran for ").nth(1).and_then(|rest| rest.split(' ').next()).expect("a time");
        time.parse::<f64>().expect("a number")
    });
    let least = times.fold(f64::MAX, f64::min);
    assert!(least >= 0.06 && least < alone + 0.03, "{least} s, and {alone} without the command");
}

#[test]
fn what_was_found_is_told_without_a_page() {
    let scratch = Scratch::new("run-no-page");
    std::fs::write(scratch.path().join("a"), "JOB \"j\"\nDATE \"d\"\nSAMPLE_UNIT \"seconds\"\nVALUE_UNIT \"bytes\"\nBEGIN_SAMPLE 1.0\na\t4\nEND_SAMPLE 1.0\n").unwrap();
    std::fs::create_dir(scratch.path().join("sh.html")).unwrap();
    let told = text(&run(scratch.path(), &["sh", "-c", "cp a sh.hy.hp"]).stderr);
    assert!(told.contains("It ran for ") && told.contains("sh.html: "), "{told}");
}

const HP: &str = "JOB \"j\"\nDATE \"d\"\nSAMPLE_UNIT \"seconds\"\nVALUE_UNIT \"bytes\"\nBEGIN_SAMPLE 1.0\nnode\t4\nEND_SAMPLE 1.0\n";

/// A report whose time is that of `ticks` of 1 ms.
fn report(ticks: u32) -> String {
    format!(
        "\tSun Nov 29 10:16 2026 Time and Allocation Profiling Report  (Final)\n\n\t   t +RTS -p -RTS\n\n\
         \ttotal time  =        0.00 secs   ({ticks} ticks @ 1000 us, 1 processor)\n\
         \ttotal alloc =       1,000 bytes  (excludes profiling overheads)\n\n\
         COST CENTRE MODULE SRC       %time %alloc\n\n\
         work        Main   a.src:1     100.0  100.0\n\n\n\
         \x20                                individual      inherited\n\
         COST CENTRE MODULE SRC      no. entries  %time %alloc   %time %alloc\n\n\
         MAIN        MAIN   <built-in> 1       0    0.0    0.0   100.0  100.0\n\
         \x20work       Main   a.src:1    2       1  100.0  100.0   100.0  100.0\n"
    )
}

/// A run of milliseconds has shares of time too: a tick is one millisecond, unless the user wants another.
#[test]
fn time_is_told_in_milliseconds() {
    let scratch = Scratch::new("run-ticks");
    let ticks = |flags: &[&str]| {
        let program = [BARROW, "demo", "--no-profile", "--scale", "0.05"];
        let output = run(scratch.path(), &[flags, &["-o", "ticks"], &program].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        std::fs::read_to_string(scratch.path().join("ticks.prof")).unwrap()
    };
    assert!(ticks(&[]).contains(" ticks @ 1000 us"), "{}", ticks(&[]));
    assert!(ticks(&["--flags", "-V0.005"]).contains(" ticks @ 5000 us"));
}

#[test]
fn few_ticks_are_called_so() {
    let scratch = Scratch::new("run-few");
    scratch.file("a.hp", HP);
    for (ticks, part) in [
        (2, "Time is of 2 ticks of 1 ms: too few to tell."),
        (1, "Time is of 1 tick of 1 ms: too few to tell."),
        (60, "Time is of 60 ticks of 1 ms: its shares are rough."),
        (100, ""),
    ] {
        scratch.file("a.prof", &report(ticks));
        let told =
            text(&run(scratch.path(), &["-o", "t", "sh", "-c", "cp a.hp t.hy.hp; cp a.prof t.prof"]).stderr);
        assert!(told.contains("by cost centre:") && told.contains(part), "{told}");
        assert_eq!(told.contains("Time is of"), !part.is_empty(), "{told}");
    }
}

/// A report comes when the heap is freed, and a program that is killed frees none.
#[test]
fn a_report_that_did_not_come_is_told_of() {
    let scratch = Scratch::new("run-no-report");
    scratch.file("a.hp", HP);
    let told = text(&run(scratch.path(), &["-o", "t", "sh", "-c", "cp a.hp t.hy.hp; kill -KILL $$"]).stderr);
    assert!(told.contains("signal 9") && told.contains("Where its time went is not known: "), "{told}");
    scratch.file("a.prof", &report(200));
    let told =
        text(&run(scratch.path(), &["-o", "t", "sh", "-c", "cp a.hp t.hy.hp; cp a.prof t.prof"]).stderr);
    assert!(!told.contains("is not known"), "{told}");
}

/// Files that are in no page are named beside it, and columns that `--space` leaves out are told.
#[test]
fn other_files_and_other_questions_are_named() {
    let scratch = Scratch::new("run-space");
    scratch.file("a.hp", HP);
    scratch.file("a.prof", &report(200));
    let script = "cp a.hp t.hy.hp; cp a.hp t.h.hp; cp a.prof t.prof; echo x > t.space; echo x > t.2.ticky";
    let told = text(&run(scratch.path(), &["--flags", "--space", "-o", "t", "sh", "-c", script]).stderr);
    assert!(told.contains("Who made it is not told: with --space, -h is by kind."), "{told}");
    let others = told.split("Not in the page: ").nth(1).unwrap_or_else(|| panic!("{told}"));
    let others = others.lines().next().unwrap_or_default();
    assert!(
        others.contains("/t.space") && others.contains("/t.2.ticky") && !others.contains(".hp"),
        "{told}"
    );
    let told = text(&run(scratch.path(), &["-o", "t", "sh", "-c", "cp a.hp t.hy.hp"]).stderr);
    assert!(!told.contains("Not in the page") && !told.contains("Who made it"), "{told}");
}

#[test]
fn another_name_of_the_files_is_refused_in_flags() {
    let scratch = Scratch::new("run-po");
    let output = run(scratch.path(), &["--flags", "-hr -pox", "sh", "-c", "echo ran"]);
    let told = text(&output.stderr);
    assert!(
        output.status.code() == Some(2) && told.contains("-o NAME") && output.stdout.is_empty(),
        "{told}"
    );
}
