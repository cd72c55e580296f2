//! `barrow top -f` on a terminal, which `script` of util-linux gives: a screen of its own, keys, and what is left at the end.

use super::common::Scratch;
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::{AsRawFd, FromRawFd};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

const HEAD: &str = "JOB \"j\"\nDATE \"d\"\nSAMPLE_UNIT \"seconds\"\nVALUE_UNIT \"bytes\"\n";
const SAMPLE: &str = "BEGIN_SAMPLE 1.0\napple\t100\nbanana\t900\nEND_SAMPLE 1.0\n";

struct Terminal {
    child: Child,
    keys: Option<ChildStdin>,
    seen: Arc<Mutex<Vec<u8>>>,
}

impl Terminal {
    fn start(command: &str) -> Option<Terminal> {
        let mut child = Command::new("script")
            .args(["-qefc", &format!("stty rows 20 cols 100; {command}"), "/dev/null"])
            .env("TERM", "xterm")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| println!("skipped: script: {error}"))
            .ok()?;
        let seen = Arc::new(Mutex::new(Vec::new()));
        let (mut out, to) = (child.stdout.take()?, seen.clone());
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(count @ 1..) = out.read(&mut buffer) {
                to.lock().expect("no panic").extend_from_slice(&buffer[..count]);
            }
        });
        let keys = child.stdin.take();
        Some(Terminal { child, keys, seen })
    }

    fn press(&mut self, keys: &str) {
        let stdin = self.keys.as_mut().expect("open");
        stdin.write_all(keys.as_bytes()).and_then(|()| stdin.flush()).expect("taken");
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.seen.lock().expect("no panic")).into_owned()
    }

    /// Waits until what came since `from` has `wanted`; the place behind all that came.
    fn wait(&self, from: usize, wanted: &str) -> usize {
        let until = Instant::now() + Duration::from_secs(20);
        loop {
            let text = self.text();
            if text.get(from..).is_some_and(|new| new.contains(wanted)) {
                return text.len();
            }
            assert!(Instant::now() < until, "no {wanted:?} in {:?}", text.get(from..));
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn keys_order_filter_and_end() {
    let scratch = Scratch::new("top-screen");
    let path = scratch.path().join("run.hp");
    std::fs::write(&path, format!("{HEAD}{SAMPLE}")).expect("written");
    let command = format!("{} top -f {}", env!("CARGO_BIN_EXE_barrow"), path.display());
    let Some(mut terminal) = Terminal::start(&command) else { return };
    let at = terminal.wait(0, "s order: last");
    assert!(terminal.text().contains("\u{1b}[?1049h"), "a screen of its own");
    terminal.press("s");
    let at = terminal.wait(at, "s order: peak");
    terminal.press("/APP\r");
    let at = terminal.wait(at, "/ filter: APP");
    let last = terminal.text()[..at].rsplit("\u{1b}[1;1H").next().expect("a painting").to_owned();
    assert!(last.contains("apple") && !last.contains("banana"), "{last:?}");
    // What comes is seen, through the filter.
    let mut file = std::fs::OpenOptions::new().append(true).open(&path).expect("ours");
    file.write_all(b"BEGIN_SAMPLE 2.0\nbanana\t1\napple tart\t5\nEND_SAMPLE 2.0\n").expect("written");
    terminal.wait(at, "apple tart");
    terminal.press("q");
    assert!(terminal.child.wait().expect("ends").success());
    let end = terminal.wait(0, "\u{1b}[?1049l");
    assert!(end > 0 && terminal.text().contains("\u{1b}[?25h"), "the screen and the cursor are back");
}

#[test]
fn the_last_table_of_a_pipe_stays() {
    let barrow = env!("CARGO_BIN_EXE_barrow");
    let scratch = Scratch::new("top-screen-pipe");
    let path = scratch.path().join("run.hp");
    std::fs::write(&path, format!("{HEAD}{SAMPLE}")).expect("written");
    let command = format!("(cat {}; sleep 1) | {barrow} top -f -", path.display());
    let Some(mut terminal) = Terminal::start(&command) else { return };
    assert!(terminal.child.wait().expect("ends").success());
    terminal.wait(0, "\u{1b}[?1049l");
    let text = terminal.text();
    let left = text.rsplit("\u{1b}[?1049l").next().expect("an end");
    assert!(left.contains("banana"), "{text:?}");
}

/// A dumb terminal, as editors have, gets tables and no commands.
#[test]
fn a_dumb_terminal_gets_tables_alone() {
    let scratch = Scratch::new("top-screen-dumb");
    let path = scratch.path().join("run.hp");
    std::fs::write(&path, format!("{HEAD}{SAMPLE}")).expect("written");
    let barrow = env!("CARGO_BIN_EXE_barrow");
    let Some(terminal) = Terminal::start(&format!("TERM=dumb {barrow} top -f {}", path.display())) else {
        return;
    };
    let at = terminal.wait(0, "banana");
    let mut file = std::fs::OpenOptions::new().append(true).open(&path).expect("ours");
    file.write_all(b"BEGIN_SAMPLE 2.0\ncherry\t5\nEND_SAMPLE 2.0\n").expect("written");
    terminal.wait(at, "cherry");
    assert!(!terminal.text().contains('\u{1b}'), "{:?}", terminal.text());
}

/// Told to end by a signal, it gives the terminal back as it was, and ends by that signal.
#[test]
fn a_signal_leaves_the_terminal_as_it_was() {
    let scratch = Scratch::new("top-screen-signal");
    let path = scratch.path().join("run.hp");
    std::fs::write(&path, format!("{HEAD}{SAMPLE}")).expect("written");
    for (signal, status) in [("TERM", "143"), ("HUP", "129")] {
        let barrow = env!("CARGO_BIN_EXE_barrow");
        // The shell's own process becomes the command, so that its number is known.
        let command = format!(
            "sh -c 'echo pid $$.; exec {barrow} top -f {}'; echo status $?.; stty -a",
            path.display()
        );
        let Some(terminal) = Terminal::start(&command) else { return };
        terminal.wait(0, "s order: last");
        let text = terminal.text();
        let pid = text.split("pid ").nth(1).and_then(|rest| rest.split('.').next()).expect("a number");
        assert!(
            Command::new("kill").args([&format!("-{signal}"), pid]).status().expect("kill runs").success()
        );
        terminal.wait(0, &format!("status {status}."));
        terminal.wait(0, "icanon");
        let text = terminal.text();
        let left = text.split("\u{1b}[?1049l").nth(1).unwrap_or_else(|| panic!("{text:?}"));
        assert!(
            left.contains("\u{1b}[?25h") && left.contains(" icanon") && left.contains(" echo "),
            "{left:?}"
        );
        assert!(!left.contains("-icanon"), "{left:?}");
    }
}

/// A terminal's two ends: the one of whoever shows it, and the one of programs.
fn terminal() -> (File, File) {
    let (mut shower, mut program) = (0, 0);
    let none = std::ptr::null_mut();
    let mut size = libc::winsize { ws_row: 20, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0 };
    // SAFETY: the three places are ours, and null stands for no name and for the usual settings.
    let opened = unsafe { libc::openpty(&mut shower, &mut program, none, none.cast(), &raw mut size) };
    assert_eq!(opened, 0, "no terminal: {}", std::io::Error::last_os_error());
    // SAFETY: the call has just opened both, and they are nobody else's.
    let ends = unsafe { (File::from_raw_fd(shower), File::from_raw_fd(program)) };
    for end in [&ends.0, &ends.1] {
        // SAFETY: a call with numbers; programs that are started must not hold the terminal open.
        unsafe { libc::fcntl(end.as_raw_fd(), libc::F_SETFD, libc::FD_CLOEXEC) };
    }
    // SAFETY: a call with numbers; whoever waits for what is drawn does not wait for ever.
    unsafe { libc::fcntl(ends.0.as_raw_fd(), libc::F_SETFL, libc::O_NONBLOCK) };
    ends
}

/// `top -f` on a terminal of the test's own, that is not the session's: it sends no signals.
struct OnTerminal {
    /// None when it has gone.
    shower: Option<File>,
    child: Child,
    seen: Vec<u8>,
    scratch: Scratch,
}

impl OnTerminal {
    fn start(name: &str) -> OnTerminal {
        let scratch = Scratch::new(name);
        let path = scratch.path().join("run.hp");
        std::fs::write(&path, format!("{HEAD}{SAMPLE}")).expect("written");
        let (shower, program) = terminal();
        let end = || Stdio::from(program.try_clone().expect("a copy"));
        let mut command = Command::new(env!("CARGO_BIN_EXE_barrow"));
        command
            .args(["top", "-f"])
            .arg(&path)
            .env("TERM", "xterm")
            .stdin(end())
            .stdout(end())
            .stderr(Stdio::null());
        // SAFETY: `setsid` may be called between a fork and what follows it.
        unsafe {
            command
                .pre_exec(|| if libc::setsid() < 0 { Err(std::io::Error::last_os_error()) } else { Ok(()) })
        };
        let child = command.spawn().expect("starts");
        let mut screen = OnTerminal { shower: Some(shower), child, seen: Vec::new(), scratch };
        screen.wait("s order: last");
        // The table waits for keys by now.
        std::thread::sleep(Duration::from_millis(200));
        screen
    }

    fn press(&mut self, keys: &[u8]) {
        self.shower.as_mut().expect("there").write_all(keys).expect("taken");
    }

    /// Waits until `wanted` is drawn, and forgets all that was drawn.
    fn wait(&mut self, wanted: &str) {
        let until = Instant::now() + Duration::from_secs(10);
        let mut buffer = [0; 4096];
        while !String::from_utf8_lossy(&self.seen).contains(wanted) {
            match self.shower.as_mut().expect("there").read(&mut buffer) {
                Ok(count) => self.seen.extend_from_slice(&buffer[..count]),
                Err(_) if Instant::now() < until => std::thread::sleep(Duration::from_millis(20)),
                Err(error) => {
                    panic!("no {wanted:?}: {error} after {:?}", String::from_utf8_lossy(&self.seen))
                }
            }
        }
        self.seen.clear();
    }

    fn has_ended(&mut self) -> bool {
        let until = Instant::now() + Duration::from_secs(5);
        while self.child.try_wait().expect("ours").is_none() {
            if Instant::now() > until {
                return false;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        true
    }
}

impl Drop for OnTerminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
/// A terminal that has gone ends it, though no signal tells of it, and whatever the last keys began.
#[test]
fn a_terminal_that_has_gone_ends_it() {
    for last in ["", "\u{1b}[", "\u{1b}[1;", "\u{1b}O"] {
        let mut screen = OnTerminal::start("top-screen-gone");
        screen.press(last.as_bytes());
        std::thread::sleep(Duration::from_millis(200));
        screen.shower = None;
        assert!(screen.has_ended(), "after {last:?} it goes on without a terminal");
    }
}

/// Bytes that begin a key and are none, such as those of Alt-[, keep neither samples nor keys nor signals waiting.
#[test]
fn half_a_key_keeps_nobody_waiting() {
    let mut screen = OnTerminal::start("top-screen-half");
    for (half, band) in [(&b"\x1b["[..], "cherry"), (b"\x1b[1;", "damson"), (b"\xc3", "elder")] {
        screen.press(half);
        std::thread::sleep(Duration::from_millis(100));
        let path = screen.scratch.path().join("run.hp");
        let mut file = std::fs::OpenOptions::new().append(true).open(path).expect("ours");
        write!(file, "BEGIN_SAMPLE 2.0\n{band}\t7\nEND_SAMPLE 2.0\n").expect("written");
        screen.wait(band);
    }
    screen.press(b"s");
    screen.wait("s order: peak");
    screen.press(b"\x1b[1");
    std::thread::sleep(Duration::from_millis(100));
    let pid = screen.child.id().to_string();
    assert!(Command::new("kill").arg(pid).status().expect("kill runs").success());
    assert!(screen.has_ended(), "a signal does not end it");
}
