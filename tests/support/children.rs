//! Runs programs in processes of their own, so that one that crashes or hangs is a failure like any other.

use barrow::testkit::{Coverage, Program, run, run_failing};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

const SEEDS: &str = "BARROW_MODEL_CHILD_SEEDS";
const PROGRAM: &str = "BARROW_MODEL_PROGRAM";
/// Set when requests for memory are to be refused, at every point in turn: "once" for that one alone.
const FAULTS: &str = "BARROW_MODEL_FAULTS";

/// One program may take this long, times `BARROW_SLOWER` where that is set: for machines that have other work, and builds that count.
fn patience() -> Duration {
    let slower = std::env::var("BARROW_SLOWER").ok().and_then(|times| times.parse().ok()).unwrap_or(1);
    Duration::from_secs(120) * slower
}

/// While a failure is made smaller, a hang shows sooner.
const IMPATIENCE: Duration = Duration::from_secs(15);

/// How the programs of one process went.
pub enum Ending {
    #[allow(dead_code, reason = "not every test file asks what was covered")]
    Fine(Box<Coverage>),
    /// Number of the program, and what is wrong as far as it could be told.
    Failed(u64, String),
}

/// Seeds `first`, `first + stride`, …, `count` of them.
#[derive(Clone, Copy)]
pub struct Seeds {
    pub first: u64,
    pub stride: u64,
    pub count: u64,
    pub steps: usize,
}

fn command() -> Command {
    let own = std::env::current_exe().expect("a process knows its own file");
    let mut command = Command::new(own);
    command.args(["child", "--exact", "--nocapture", "--test-threads=1"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs one program: as it is, or once for every request for memory that it makes, with that one and all after it
/// refused until a call fails, or that one alone.
fn run_one(program: &Program, coverage: &mut Coverage) -> Result<(), String> {
    let Ok(faults) = std::env::var(FAULTS) else { return run(program, coverage) };
    let once = faults == "once";
    let mut after = 0;
    let from =
        |after| if once { format!("refused once, at {after}") } else { format!("refused from {after} on") };
    while run_failing(program, coverage, after, once).map_err(|wrong| format!("{}: {wrong}", from(after)))? {
        after += 1;
    }
    Ok(())
}

/// The other end: what the test `child` does in a process that was started here. False in all others.
pub fn child() -> bool {
    let mut out = std::io::stdout();
    if let Ok(hex) = std::env::var(PROGRAM) {
        let program = Program::from_hex(&hex).expect("hexadecimal digits");
        let outcome = run_one(&program, &mut Coverage::default());
        let _ = match outcome {
            Ok(()) => writeln!(out, "\n@fine"),
            Err(wrong) => writeln!(out, "\n@wrong {wrong}"),
        };
        return true;
    }
    let Ok(seeds) = std::env::var(SEEDS) else { return false };
    let seeds: Vec<u64> = seeds.split(' ').map(|n| n.parse().expect("a number")).collect();
    let [first, stride, count, steps] = seeds[..] else { panic!("four numbers") };
    let mut coverage = Coverage::default();
    let _ = writeln!(out);
    for seed in (0..count).map(|i| first + i * stride) {
        let _ = writeln!(out, "@{seed}");
        let _ = out.flush();
        if let Err(wrong) = run_one(&Program::random(seed, steps as usize), &mut coverage) {
            let _ = writeln!(out, "@wrong {}", wrong.replace('\n', " "));
            return true;
        }
    }
    let _ = writeln!(out, "@coverage {}", coverage.to_line());
    true
}

/// Lines of a process that begin with "@", without it; then whatever it wrote to its standard error stream.
fn listen(child: &mut Child) -> Receiver<Result<String, String>> {
    let (sender, receiver) = channel();
    let out = child.stdout.take().expect("a pipe");
    let error = child.stderr.take().expect("a pipe");
    let mut told = std::thread::spawn(move || {
        let lines = BufReader::new(error).lines().map_while(Result::ok);
        lines.take(40).collect::<Vec<_>>().join("\n")
    });
    std::thread::spawn(move || {
        for line in BufReader::new(out).lines().map_while(Result::ok) {
            if let Some(line) = line.strip_prefix('@')
                && sender.send(Ok(line.to_string())).is_err()
            {
                return;
            }
        }
        let told = std::mem::replace(&mut told, std::thread::spawn(String::new)).join();
        let _ = sender.send(Err(told.unwrap_or_default()));
    });
    receiver
}

/// Runs programs in another process until one fails.
#[allow(dead_code, reason = "each test file uses its part of this module")]
pub fn run_seeds(seeds: Seeds) -> Ending {
    run_seeds_in(command().env_remove(FAULTS), seeds)
}

/// How refusals are told to the other process.
#[allow(dead_code, reason = "each test file uses its part of this module")]
pub fn mode(once: bool) -> &'static str {
    if once { "once" } else { "1" }
}

/// The same, with refusals.
#[allow(dead_code, reason = "each test file uses its part of this module")]
pub fn run_seeds_with_faults(seeds: Seeds, once: bool) -> Ending {
    run_seeds_in(command().env(FAULTS, mode(once)), seeds)
}

fn run_seeds_in(command: &mut Command, seeds: Seeds) -> Ending {
    let Seeds { first, stride, count, steps } = seeds;
    let mut child = command
        .env(SEEDS, format!("{first} {stride} {count} {steps}"))
        .env_remove(PROGRAM)
        .spawn()
        .expect("a process can be started");
    let lines = listen(&mut child);
    let mut seed = first;
    let ending = loop {
        match lines.recv_timeout(patience()) {
            Ok(Ok(line)) => match line.split_once(' ') {
                Some(("coverage", numbers)) => {
                    let coverage = Coverage::from_line(numbers).expect("a line of coverage");
                    break Ending::Fine(Box::new(coverage));
                }
                Some((_, wrong)) => break Ending::Failed(seed, wrong.to_string()),
                None => seed = line.parse().unwrap_or(seed),
            },
            Ok(Err(told)) => break Ending::Failed(seed, format!("the process ended: {told}")),
            Err(RecvTimeoutError::Timeout) => break Ending::Failed(seed, "it hangs".to_string()),
            Err(RecvTimeoutError::Disconnected) => {
                break Ending::Failed(seed, "the process ended".to_string());
            }
        }
    };
    end(child, &lines, matches!(ending, Ending::Fine(_)));
    ending
}

/// Ends a process. One in which all went well has something to write yet, when it counts which code it reaches.
fn end(mut child: Child, lines: &Receiver<Result<String, String>>, is_fine: bool) {
    if is_fine {
        // The last message comes when the process has ended.
        let _ = lines.recv_timeout(patience());
    }
    let _ = child.kill();
    let _ = child.wait();
}

/// Runs one program in another process. What is wrong, or `None`.
#[allow(dead_code, reason = "each test file uses its part of this module")]
pub fn run_alone(program: &Program) -> Option<String> {
    run_alone_in(command().env_remove(FAULTS), program, IMPATIENCE)
}

/// The same, with refusals.
#[allow(dead_code, reason = "each test file uses its part of this module")]
pub fn run_alone_with_faults(program: &Program, once: bool) -> Option<String> {
    run_alone_in(command().env(FAULTS, mode(once)), program, patience())
}

fn run_alone_in(command: &mut Command, program: &Program, patience: Duration) -> Option<String> {
    let mut child =
        command.env(PROGRAM, program.to_hex()).env_remove(SEEDS).spawn().expect("a process can be started");
    let lines = listen(&mut child);
    let ending = match lines.recv_timeout(patience) {
        Ok(Ok(line)) if line == "fine" => None,
        Ok(Ok(line)) => Some(line),
        Ok(Err(told)) => Some(format!("the process ended: {told}")),
        Err(_) => Some("it hangs".to_string()),
    };
    end(child, &lines, ending.is_none());
    ending
}
