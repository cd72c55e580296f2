//! `barrow top -f` on a terminal, which `script` of util-linux gives: a screen of its own, keys, and what is left at the end.

use super::common::Scratch;
use std::io::{Read, Write};
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
