//! `barrow run`: a program under heap profiles that are asked for in its environment, a live line while it runs, and what they
//! found when it has ended.

mod asked;
mod files;
mod live;
mod story;

use crate::cmd::view;
use crate::out::tell;
use crate::read::any::{self, Input};
use clap::Args;
use files::Files;
use live::Live;
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use signal_hook::flag;
use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Child, Command, ExitCode, ExitStatus};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Runs a program with heap profiles on, and shows where its memory and its time went
///
/// The program must allow it: its runtime sets `config.environment`, and then the library reads the flags in BARROW_FLAGS, but never
/// in a program that has more rights than whoever starts it. What is told goes to standard error.
#[derive(Args)]
#[command(after_help = "\
Examples:
  barrow run ./prog input.txt            leaves prog.h.hp, prog.hy.hp, prog.prof, and prog.html
  barrow run -o /tmp/try ./prog          the files elsewhere
  barrow run --flags '-hr -M64m' ./prog  who holds it, too, and a limit for the heap

Profiles are by maker (-h) and by type (-hy), of a sample each 50 ms, and of time (-p).
Exit status: 0 or another of the program's own, 128 + N when signal N ended it; 126 or 127 when it cannot be started, 2 the command line is wrong.")]
pub struct Run {
    /// What the names of the profiles and of the page begin with [default: the program's name, in the current folder]
    #[arg(short, long, value_name = "NAME")]
    output: Option<PathBuf>,
    /// Flags of the heap beside those of the profiles, such as "-hr -M64m"
    #[arg(long, default_value = "", hide_default_value = true, allow_hyphen_values = true)]
    flags: String,
    /// No live line
    #[arg(short, long)]
    quiet: bool,
    /// The program and its arguments
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true, value_name = "PROGRAM")]
    command: Vec<OsString>,
}

pub fn run(run: &Run) -> ExitCode {
    let files = match Files::new(run.output.as_deref(), &run.command[0]) {
        Ok(files) => files,
        Err(wrong) => return refused(&wrong),
    };
    let flags = asked::flags(&run.flags, &files.stem());
    if let Err(failure) = barrow::base::flag::Flags::parse(&flags) {
        return refused(failure.sentence.as_str());
    }
    let begun = Instant::now();
    let mut child = match Command::new(&run.command[0])
        .args(&run.command[1..])
        .env(asked::VARIABLE, asked::beside(std::env::var_os(asked::VARIABLE), &flags))
        .spawn()
    {
        Ok(child) => child,
        Err(error) => {
            tell!("barrow run: {}: {error}", run.command[0].display());
            return ExitCode::from(if error.kind() == io::ErrorKind::NotFound { 127 } else { 126 });
        }
    };
    let live = (!run.quiet && io::stderr().is_terminal()).then(Live::new);
    let status = match wait(&mut child, &files, live) {
        Ok(status) => status,
        Err(error) => {
            tell!("barrow run: {}: {error}", run.command[0].display());
            return ExitCode::FAILURE;
        }
    };
    let seconds = begun.elapsed().as_secs_f64();
    if let Err(wrong) = show(&files, &run.command[0], status, seconds) {
        tell!("barrow run: {wrong}");
    }
    let code = status.code().or(status.signal().map(|signal| 128 + signal));
    ExitCode::from(code.and_then(|code| u8::try_from(code).ok()).unwrap_or(1))
}

fn refused(wrong: &str) -> ExitCode {
    tell!("barrow run: {wrong}");
    ExitCode::from(2)
}

/// How long the live line stays as it is.
const STEP: Duration = Duration::from_millis(50);

/// Waits for the program. Signals of the terminal go to both, and are for the program; others are handed on to it.
fn wait(child: &mut Child, files: &Files, mut live: Option<Live>) -> io::Result<ExitStatus> {
    let (terminal, told) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    for signal in [SIGINT, SIGQUIT] {
        flag::register_usize(signal, terminal.clone(), signal as usize)?;
    }
    for signal in [SIGTERM, SIGHUP] {
        flag::register_usize(signal, told.clone(), signal as usize)?;
    }
    loop {
        if let Some(status) = child.try_wait()? {
            if let Some(live) = &mut live {
                live.clear();
            }
            return Ok(status);
        }
        let signal = told.swap(0, Ordering::Relaxed);
        if signal != 0 {
            // SAFETY: a call with two numbers; the child was not waited for yet, so that its number is nobody else's.
            unsafe { libc::kill(child.id() as libc::pid_t, signal as libc::c_int) };
        }
        if let Some(live) = &mut live {
            live.paint(files);
        }
        std::thread::sleep(STEP);
    }
}

fn show(files: &Files, program: &OsString, status: ExitStatus, seconds: f64) -> Result<(), String> {
    let found = files.made();
    if found.is_empty() {
        return Err(asked::why_nothing(program));
    }
    let mut inputs: Vec<Input> = Vec::new();
    for path in found {
        // A program that was killed has left reports without a word in them.
        match any::open(&path) {
            Ok(input) => inputs.push(input),
            Err(error) => tell!("barrow run: {error}"),
        }
    }
    if inputs.is_empty() {
        return Err("no profile of it can be read".into());
    }
    let text = story::text(&inputs, status, seconds);
    let page = files.named(".html");
    view::make_page(&inputs, false, &page)?;
    let page = std::path::absolute(&page).unwrap_or(page);
    let names: Vec<&str> = inputs.iter().map(|input| input.name.as_str()).collect();
    tell!(
        "{text}\nAll of it as a page, to be opened in a browser, of {}:\n\n  {}",
        names.join(", "),
        story::address(&page)
    );
    Ok(())
}
