//! `barrow demo`: a small program, written in C as a compiler would emit it, under the collector with its profilers on. It
//! says what the program did, what the collector did, and what the profiles found, and makes a page of them.

mod figures;
mod files;
mod story;

use crate::cmd::top::table::fit;
use crate::out::{self, tell};
use barrow::runtime::figures::HeapStats;
use clap::Args;
use files::Files;
use std::ffi::{CStr, CString, c_char};
use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// Runs a simulated compiled program on the heap, and shows what the collector and the profilers found
#[derive(Args)]
#[command(after_help = "\
Examples:
  barrow demo                              about two seconds of work; leaves barrow-demo.html and the profiles
  barrow demo -o /tmp/try --scale 10       more of it, with the files elsewhere
  barrow demo --no-profile --flags '-A4m'  the collector alone, with a nursery of 4 MiB
  barrow demo --flags '-DS --stress=1'     the heap checked at every collection

Exit status: 0 all results are right, 1 one is wrong or the heap failed, 2 the command line is wrong.")]
pub struct Demo {
    /// How much work the program does
    #[arg(long, default_value_t = 1.0, value_parser = amount)]
    scale: f64,
    /// Flags of the heap, such as "-A4m -G3 -DS"
    #[arg(long, default_value = "", allow_hyphen_values = true)]
    flags: String,
    /// What the names of the page and of the profiles begin with
    #[arg(short, long, default_value = "barrow-demo", value_name = "NAME")]
    output: PathBuf,
    /// Take no profiles, and make no page
    #[arg(long)]
    no_profile: bool,
}

fn amount(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(scale) if (0.0001..=1000.0).contains(&scale) => Ok(scale),
        _ => Err("a number from 0.0001 to 1000".into()),
    }
}

const PARTS: usize = 3;
const TOP: usize = 8;

/// `demo_part` of tools/demo/program.h.
#[repr(C)]
struct Part {
    name: *const c_char,
    result: [c_char; 160],
    seconds: f64,
    right: bool,
    before: HeapStats,
    after: HeapStats,
}

/// `demo_centre` of tools/demo/program.h.
#[repr(C)]
struct Centre {
    label: *const c_char,
    ticks: u64,
    bytes: u64,
    entries: u64,
}

/// `demo_result` of tools/demo/program.h.
#[repr(C)]
struct Outcome {
    parts: [Part; PARTS],
    parts_done: usize,
    top: [Centre; TOP],
    tops: usize,
    ticks: u64,
    bytes: u64,
    failure: [c_char; 400],
}

unsafe extern "C" {
    fn demo_run(
        flags: *const c_char,
        scale: f64,
        progress: Option<extern "C" fn(part: usize, done: f64)>,
        out: *mut Outcome,
    );
}

const TITLES: [&str; PARTS] = ["counting words", "placing queens", "passing messages"];

extern "C" fn progress(part: usize, done: f64) {
    let filled = (done * 30.0) as usize;
    let title = TITLES.get(part).copied().unwrap_or_default();
    at_once(format_args!("{title:<18} [{:<30}]", "=".repeat(filled.min(30))));
}

/// A line of a terminal that the next one is written over, which it could not be if it took two.
fn at_once(words: fmt::Arguments<'_>) {
    let width = terminal_size::terminal_size_of(io::stderr()).map_or(80, |(width, _)| usize::from(width.0));
    let line = words.to_string();
    // A terminal that is gone has nobody before it.
    let _ = io::stderr().write_all(format!("{}\r", fit(&line, width.saturating_sub(1))).as_bytes());
}

pub fn run(demo: &Demo) -> ExitCode {
    let files = (!demo.no_profile).then(|| Files::new(&demo.output));
    let flags = match &files {
        Some(files) => files.flags(&demo.flags, demo.scale),
        None => demo.flags.clone(),
    };
    let Ok(flags) = CString::new(flags) else {
        tell!("barrow demo: the flags or the name of the files contain a NUL");
        return ExitCode::from(2);
    };
    let shows = io::stderr().is_terminal();
    // SAFETY: all-zero is a valid outcome of a program that has done nothing.
    let mut outcome: Box<Outcome> = Box::new(unsafe { std::mem::zeroed() });
    // SAFETY: the flags are a string, and the outcome has the layout that the program's header gives it.
    unsafe {
        demo_run(
            flags.as_ptr(),
            demo.scale,
            shows.then_some(progress as extern "C" fn(usize, f64)),
            &mut *outcome,
        )
    };
    if shows {
        at_once(format_args!("{:<54}", ""));
    }
    out::ended("barrow demo", show(&outcome, files.as_ref(), shows))
}

/// Also of a run that failed: what was done before it did.
fn show(outcome: &Outcome, files: Option<&Files>, shows: bool) -> Result<(), String> {
    out::print(|out| figures::tell(out, outcome))?;
    let failure = text(&outcome.failure);
    if !failure.is_empty() {
        return Err(failure);
    }
    if !done(outcome).iter().all(|part| part.right) {
        return Err("a result is wrong, so the collector is".into());
    }
    let Some(files) = files else { return Ok(()) };
    let found = files.read()?;
    out::print(|out| story::tell(out, outcome, &found))?;
    if shows {
        at_once(format_args!("making the page\r"));
    }
    let page = files.make_page(&found)?;
    if shows {
        at_once(format_args!("{:<20}\r", ""));
    }
    out::print(|out| {
        writeln!(out, "\nAll of it as a page, to be opened in a browser:\n\n  {}\n", page.display())?;
        let files = files.listed(&found);
        writeln!(out, "which is what this makes of the files of the run:\n\n  barrow view {files}")
    })
}

fn text(field: &[c_char]) -> String {
    let bytes: Vec<u8> = field.iter().take_while(|&&c| c != 0).map(|&c| c as u8).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

fn done(outcome: &Outcome) -> &[Part] {
    &outcome.parts[..outcome.parts_done.min(PARTS)]
}

fn name(part: &Part) -> String {
    constant(part.name)
}

/// A string that the program or the library has for ever.
fn constant(at: *const c_char) -> String {
    if at.is_null() {
        return String::new();
    }
    // SAFETY: the program gives constant strings.
    unsafe { CStr::from_ptr(at) }.to_string_lossy().into_owned()
}
