//! `barrow run`: a program under heap profiles that are asked for in its environment, a live line while it runs, and what they
//! found when it has ended.

mod asked;
mod files;
mod live;
mod signals;
mod story;
mod witness;

use crate::cmd::view;
use crate::out::{self, tell};
use crate::read::any::{self, Input};
use clap::Args;
use files::Files;
use live::Live;
use signals::Heard;
use std::ffi::OsString;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, ExitStatus};
use std::time::Instant;

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

Profiles are by maker (-h) and by type (-hy), of a sample each 50 ms, and of time (-p), of a tick each millisecond of CPU time.
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
    if run.command[0].as_encoded_bytes().starts_with(b"-") {
        let given = run.command[0].display();
        return refused(&format!(
            "{given} is no option, and the program comes next: --help lists options, ./{given} is a program"
        ));
    }
    let files = match Files::new(run.output.as_deref(), &run.command[0]) {
        Ok(files) => files,
        Err(wrong) => return refused(&wrong),
    };
    if run.flags.split_ascii_whitespace().any(|flag| flag.starts_with("-po")) {
        return refused("-po in --flags has no effect: -o NAME is what the names of files begin with");
    }
    let flags = asked::flags(&run.flags, &files.stem());
    let has_space = match barrow::base::flag::Flags::parse(&flags) {
        Ok(flags) => flags.space.is_some(),
        Err(failure) => return refused(failure.sentence.as_str()),
    };
    let unable = |error: io::Error| {
        tell!("barrow run: {}: {error}", run.command[0].display());
        ExitCode::FAILURE
    };
    let mut heard = match Heard::new() {
        Ok(heard) => heard,
        Err(error) => return unable(error),
    };
    let begun = Instant::now();
    let mut child = match Command::new(&run.command[0])
        .args(&run.command[1..])
        .env(asked::VARIABLE, asked::line(std::env::var_os(asked::VARIABLE), &flags))
        .spawn()
    {
        Ok(child) => child,
        Err(error) => {
            let shown = run.command[0].display();
            // The shell, too, looks for a name without a slash elsewhere.
            let is_here = error.kind() == io::ErrorKind::NotFound && Path::new(&run.command[0]).is_file();
            let hint = if is_here { format!("; ./{shown} is the one in this folder") } else { String::new() };
            tell!("barrow run: {shown}: {error}{hint}");
            return ExitCode::from(if error.kind() == io::ErrorKind::NotFound { 127 } else { 126 });
        }
    };
    let live = (!run.quiet && out::can_draw(&io::stderr())).then(Live::new);
    let status = match wait(&mut child, &mut heard, &files, live) {
        Ok(status) => status,
        Err(error) => return unable(error),
    };
    let seconds = begun.elapsed().as_secs_f64();
    heard.ended();
    if let Err(wrong) = show(&files, &run.command[0], has_space, status, seconds) {
        tell!("barrow run: {wrong}");
    }
    let code = status.code().or(status.signal().map(|signal| 128 + signal));
    ExitCode::from(code.and_then(|code| u8::try_from(code).ok()).unwrap_or(1))
}

fn refused(wrong: &str) -> ExitCode {
    tell!("barrow run: {wrong}");
    ExitCode::from(2)
}

/// How many milliseconds the live line stays as it is.
const STEP: i32 = 50;

fn wait(
    child: &mut Child,
    heard: &mut Heard,
    files: &Files,
    mut live: Option<Live>,
) -> io::Result<ExitStatus> {
    loop {
        if let Some(status) = child.try_wait()? {
            if let Some(live) = &mut live {
                live.clear();
            }
            return Ok(status);
        }
        heard.hand_on(child.id());
        if let Some(live) = &mut live {
            live.paint(files);
        }
        heard.pause(STEP);
    }
}

fn show(
    files: &Files,
    program: &OsString,
    has_space: bool,
    status: ExitStatus,
    seconds: f64,
) -> Result<(), String> {
    let found = files.made();
    if found.is_empty() {
        return Err(asked::why_nothing(program));
    }
    let mut inputs: Vec<Input> = Vec::new();
    let mut others: Vec<String> = Vec::new();
    for path in found {
        if !files::is_for_the_page(&path) {
            others.push(path.display().to_string());
            continue;
        }
        // A program that was killed has left reports without a word in them.
        match any::open(&path) {
            Ok(input) => inputs.push(input),
            Err(error) => tell!("barrow run: {error}"),
        }
    }
    if inputs.is_empty() {
        return Err("no profile of it can be read".into());
    }
    // The words are told whatever becomes of the page.
    tell!("{}", story::text(&inputs, has_space, status, seconds));
    if !others.is_empty() {
        tell!("Not in the page: {}\n", others.join(", "));
    }
    let page = files.named(".html");
    view::make_page(&inputs, false, &page)?;
    let page = std::path::absolute(&page).unwrap_or(page);
    let names: Vec<&str> = inputs.iter().map(|input| input.name.as_str()).collect();
    tell!(
        "All of it as a page, to be opened in a browser, of {}:\n\n  {}",
        names.join(", "),
        story::address(&page)
    );
    Ok(())
}
