//! `barrow demo`: a small program, written in C as a compiler would emit it, under the collector. It says what it
//! did, and then what the collector did.

use barrow::report::number::Commas;
use barrow::report::{Memory, Pauses};
use barrow::runtime::figures::HeapStats;
use clap::Args;
use std::ffi::{CStr, CString, c_char};
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

/// Run a simulated compiled program on the heap, and show what the collector did
#[derive(Args)]
#[command(after_help = "\
Examples:
  barrow demo                              about a second of work
  barrow demo --scale 10 --flags '-A4m'    more of it, with a nursery of 4 MiB
  barrow demo --flags '-DS --stress=1'     the heap checked at every collection

Exit status: 0 all results are right, 1 one is wrong or the heap failed, 2 the command line is wrong.")]
pub struct Demo {
    /// How much work the program does; 1 takes about a second
    #[arg(long, default_value_t = 1.0, value_parser = amount)]
    scale: f64,
    /// Flags of the heap, such as "-A4m -G3 -DS"
    #[arg(long, default_value = "", allow_hyphen_values = true)]
    flags: String,
    /// Where the time and allocation profile goes
    #[arg(long, default_value = "barrow-demo.prof", value_name = "FILE")]
    profile: String,
    /// Take no profile
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
        profile: *const c_char,
        scale: f64,
        progress: Option<extern "C" fn(part: usize, done: f64)>,
        out: *mut Outcome,
    );
}

const TITLES: [&str; PARTS] = ["counting words", "placing queens", "passing messages"];

extern "C" fn progress(part: usize, done: f64) {
    let filled = (done * 30.0) as usize;
    let title = TITLES.get(part).copied().unwrap_or_default();
    let mut error = io::stderr().lock();
    let _ = write!(error, "\r{title:<18} [{:<30}]", "=".repeat(filled.min(30)));
    let _ = error.flush();
}

pub fn run(demo: &Demo) -> ExitCode {
    let (Ok(flags), Ok(profile)) = (CString::new(demo.flags.as_str()), CString::new(demo.profile.as_str()))
    else {
        eprintln!("barrow demo: the flags or the name of the profile contain a NUL");
        return ExitCode::from(2);
    };
    let shows = io::stderr().is_terminal();
    // SAFETY: all-zero is a valid outcome of a program that has done nothing.
    let mut outcome: Box<Outcome> = Box::new(unsafe { std::mem::zeroed() });
    // SAFETY: flags and profile are strings, and the outcome has the layout that the program's header gives it.
    unsafe {
        demo_run(
            flags.as_ptr(),
            if demo.no_profile { std::ptr::null() } else { profile.as_ptr() },
            demo.scale,
            shows.then_some(progress as extern "C" fn(usize, f64)),
            &mut *outcome,
        )
    };
    if shows {
        eprint!("\r{:<54}\r", "");
    }
    let _ = tell(&mut io::stdout().lock(), &outcome);
    let failure = text(&outcome.failure);
    if !demo.no_profile {
        let _ = tell_costs(&mut io::stdout().lock(), &outcome, failure.is_empty().then_some(&demo.profile));
    }
    if !failure.is_empty() {
        eprintln!("barrow demo: {failure}");
        return ExitCode::FAILURE;
    }
    if done(&outcome).iter().all(|part| part.right) {
        ExitCode::SUCCESS
    } else {
        eprintln!("barrow demo: a result is wrong, so the collector is");
        ExitCode::FAILURE
    }
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

/// The most costly cost centres, and where all of them are.
fn tell_costs(out: &mut impl Write, outcome: &Outcome, file: Option<&String>) -> io::Result<()> {
    if outcome.tops == 0 {
        return Ok(());
    }
    let share = |part: u64, all: u64| if all > 0 { part as f64 / all as f64 * 100.0 } else { 0.0 };
    writeln!(out, "\nWhat the program spent it on, by cost centre:\n")?;
    writeln!(out, "  {:<8} {:>8} {:>8} {:>14} {:>12}", "", "time", "alloc", "bytes", "entries")?;
    for centre in &outcome.top[..outcome.tops.min(TOP)] {
        writeln!(
            out,
            "  {:<8} {:>6.1} % {:>6.1} % {:>14} {:>12}",
            constant(centre.label),
            share(centre.ticks, outcome.ticks),
            share(centre.bytes, outcome.bytes),
            Commas(centre.bytes),
            Commas(centre.entries)
        )?;
    }
    if let Some(file) = file {
        writeln!(out, "\nThe whole profile is in {file}: barrow view {file}")?;
    }
    Ok(())
}

fn tell(out: &mut impl Write, outcome: &Outcome) -> io::Result<()> {
    let parts = done(outcome);
    let Some(last) = parts.last() else { return Ok(()) };
    writeln!(out, "A small program, as a compiler would emit it, on the Barrow heap:\n")?;
    for part in parts {
        let wrong = if part.right { "" } else { "   WRONG" };
        writeln!(out, "  {:<8} {}{wrong}", name(part), text(&part.result))?;
    }
    writeln!(out, "\nWhat the heap did for it:\n")?;
    writeln!(
        out,
        "  {:<8} {:>8} {:>12} {:>7} {:>7} {:>11} {:>13}",
        "", "", "allocated", "minor", "major", "copied", "time spent"
    )?;
    writeln!(
        out,
        "  {:<8} {:>8} {:>12} {:>7} {:>7} {:>11} {:>13}",
        "", "seconds", "MB", "GCs", "GCs", "MB", "collecting"
    )?;
    for part in parts {
        row(out, &name(part), part.seconds, &part.before, &part.after)?;
    }
    if parts.len() > 1 {
        row(out, "all", parts.iter().map(|part| part.seconds).sum(), &parts[0].before, &last.after)?;
    }
    tell_end(out, &last.after)
}

fn row(
    out: &mut impl Write,
    name: &str,
    seconds: f64,
    before: &HeapStats,
    after: &HeapStats,
) -> io::Result<()> {
    let major = after.major_collections - before.major_collections;
    let collecting = (after.gc_wall_ns - before.gc_wall_ns) as f64 / 1e9;
    writeln!(
        out,
        "  {name:<8} {seconds:>8.2} {:>12} {:>7} {:>7} {:>11} {:>11.1} %",
        Commas((after.allocated_bytes - before.allocated_bytes) / 1_000_000),
        after.collections - before.collections - major,
        major,
        Commas((after.copied_bytes - before.copied_bytes) / 1_000_000),
        if seconds > 0.0 { collecting / seconds * 100.0 } else { 0.0 },
    )
}

fn tell_end(out: &mut impl Write, s: &HeapStats) -> io::Result<()> {
    writeln!(out, "\nHow long the program stood still for it:\n")?;
    barrow::report::pauses::write(out, &Pauses { buckets: s.pauses, longest_ns: s.max_pause_ns })?;
    writeln!(out, "Most alive after a major collection: {} bytes.", Commas(s.max_live_bytes))?;
    writeln!(
        out,
        "Most memory held at once: {} bytes. At the end it was made of:\n",
        Commas(s.peak_resident_bytes)
    )?;
    let memory = Memory {
        live: s.live_bytes - s.large_bytes,
        large: s.large_bytes,
        nursery: s.nursery_bytes,
        fragmentation: s.fragmentation_bytes,
        overhead: s.overhead_bytes,
        side_tables: s.side_table_bytes,
        free: s.free_bytes,
        ..Memory::default()
    };
    for (_, name, bytes) in memory.parts() {
        if bytes > 0 {
            writeln!(out, "{:>16} {name}", Commas(bytes))?;
        }
    }
    writeln!(
        out,
        "{:>16} = held; {} returned to the system before",
        Commas(memory.held()),
        Commas(s.returned_bytes)
    )
}
