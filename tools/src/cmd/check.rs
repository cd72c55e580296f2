//! `barrow check`: is this file as its format wants it, and if not, where not?

use crate::out::{self, counted, tell};
use crate::prof::ProfFile;
use crate::read::hp::{Event, HpError, HpReader, Rules};
use crate::read::kind::Kind;
use crate::read::source::Source;
use crate::read::{
    ReadError, biography, eventlog, mix, pprof, prof, prof_json, snapshot, space, stops, ticky, tix,
};
use crate::stops::Timeline;
use crate::write::escape::visible;
use barrow::base::Shown;
use clap::Args;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[derive(Args)]
#[command(after_help = "\
Examples:
  barrow check prog.hp              prog.hp: a heap profile, 45 samples of 32 bands
  barrow check *.hp -q && make pdf  silent if all is well
  barrow check prog.tix .hpc/*.mix
  barrow check old.hp.gz            gzip is taken as what is in it

Faults are printed one for each file, as FILE:LINE: what is wrong.
Exit status: 0 all files are right, 1 some file is wrong, 2 the command line is wrong.")]
pub struct Check {
    /// Files to check; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print only what is wrong
    #[arg(short, long)]
    quiet: bool,
}

/// A strict reader. Its answer is a few words on what the file holds, or the fault with its place.
type Reader = fn(source: Source, file: &str) -> Result<String, String>;

const READERS: [(Kind, Reader); 12] = [
    (Kind::HeapProfile, check_hp),
    (Kind::Report, |source, file| check_prof(source, file, prof::read)),
    (Kind::Space, check_space),
    (Kind::Stops, check_stops),
    (Kind::Pprof, check_samples),
    (Kind::ReportJson, |source, file| check_prof(source, file, prof_json::read)),
    (Kind::Ticky, check_ticky),
    (Kind::Biography, check_biography),
    (Kind::Eventlog, check_eventlog),
    (Kind::Snapshot, check_snapshot),
    (Kind::Tix, check_tix),
    (Kind::Mix, check_mix),
];

pub fn run(check: &Check) -> ExitCode {
    let mut status = ExitCode::SUCCESS;
    for path in &check.files {
        match check_file(path) {
            Ok(words) if check.quiet => drop(words),
            Ok(words) => {
                let line = format!("{}: {words}", path.display());
                let line = format!("{}\n", Shown::whole(line.as_bytes()));
                if let Err(message) = out::print(|out| out.write_all(line.as_bytes())) {
                    tell!("barrow check: {message}");
                    status = ExitCode::from(1);
                }
            }
            Err(fault) => {
                tell!("{fault}");
                status = ExitCode::from(1);
            }
        }
    }
    status
}

fn check_file(path: &Path) -> Result<String, String> {
    let file = if path == Path::new("-") { "stdin".to_owned() } else { path.display().to_string() };
    let source = Source::open(path).map_err(|error| format!("{file}: {error}"))?;
    // A file that lost its beginning goes by its name, so that it is told of that.
    let Some(kind) = source.kind.or_else(|| Kind::by_name(path)) else {
        if source.is_empty {
            return Err(format!("{file}:1: the file is empty"));
        }
        let known: Vec<_> = READERS.iter().map(|(kind, _)| kind.words()).collect();
        return Err(format!("{file}:1: none of the formats known here: {}", known.join(", ")));
    };
    match READERS.iter().find(|(own, _)| *own == kind) {
        Some((_, read)) => read(source, &file),
        None => Err(format!("{file}: {}", kind.told())),
    }
}

fn check_hp(source: Source, file: &str) -> Result<String, String> {
    let (samples, bands) = count_hp(source).map_err(|error| error.at(file))?;
    let journal = if bands == 0 { biography::beside(Path::new(file)) } else { None };
    let journal = journal.map_or(String::new(), |told| format!("; {told}"));
    Ok(format!("a heap profile, {} of {}{journal}", counted(samples, "sample"), counted(bands, "band")))
}

type ReadProf = fn(name: &str, bytes: &[u8]) -> Result<ProfFile, ReadError>;

fn whole(source: Source, file: &str) -> Result<Vec<u8>, String> {
    source.whole().map_err(|error| format!("{file}: {error}"))
}

fn check_tix(source: Source, file: &str) -> Result<String, String> {
    let tix = tix::read(&whole(source, file)?).map_err(|fault| fault.in_file(file))?;
    let mut names = HashSet::new();
    let (mut boxes, mut reached) = (0, 0);
    for module in &tix.modules {
        let (name, counts) = (visible(&module.name), &module.ticks);
        if !names.insert(&module.name) {
            return Err(format!("{file}: module {name} is there twice"));
        }
        if i64::try_from(counts.len()) != Ok(module.claimed) {
            let (claimed, found) = (module.claimed, counts.len());
            return Err(format!("{file}: module {name} claims {claimed} boxes and has {found}"));
        }
        if let Some(number) = counts.iter().position(|count| !count.is_positive() && !count.is_zero()) {
            return Err(format!("{file}: module {name} has a negative count for box {number}"));
        }
        boxes += counts.len();
        reached += counts.iter().filter(|count| count.is_positive()).count();
    }
    Ok(format!("coverage counts, {reached} of {boxes} boxes reached in {} modules", tix.modules.len()))
}

fn check_mix(source: Source, file: &str) -> Result<String, String> {
    let mix = mix::read(&whole(source, file)?).map_err(|fault| fault.in_file(file))?;
    Ok(format!("coverage boxes, {} in {}", mix.boxes.len(), visible(&mix.source)))
}

/// What can be read only with a guess is not as the format wants it.
fn check_prof(source: Source, file: &str, read: ReadProf) -> Result<String, String> {
    let prof = read(file, &whole(source, file)?).map_err(|error| error.to_string())?;
    if let Some(warning) = prof.warnings.first() {
        return Err(warning.clone());
    }
    let mut parts = Vec::new();
    if let Some(report) = &prof.report {
        parts.push(format!("a time and allocation report, {}", counted(report.nodes.len(), "stack")));
    }
    if !prof.retainers.censuses.is_empty() || !prof.retainers.sets.is_empty() {
        let (censuses, sets) = (prof.retainers.censuses.len(), prof.retainers.sets.len());
        parts.push(format!("{censuses} retainer censuses, {}", counted(sets, "retainer set")));
    }
    Ok(parts.join("; "))
}

fn check_ticky(source: Source, file: &str) -> Result<String, String> {
    let read = ticky::read(file, &whole(source, file)?).map_err(|error| error.to_string())?;
    // The first node is the root.
    let functions = read.report.map_or(0, |report| report.nodes.len() - 1);
    let (functions, counters) = (counted(functions, "function"), counted(read.counters.len(), "counter"));
    Ok(format!("a report of ticky counters, {functions}, {counters}"))
}

fn check_space(source: Source, file: &str) -> Result<String, String> {
    let space = space::read(file, &whole(source, file)?).map_err(|error| error.to_string())?;
    let (functions, moments) = (space.functions.len(), space.points.len());
    let (functions, moments) = (counted(functions, "function"), counted(moments, "moment"));
    Ok(format!("space by function, {functions}, live data at {moments}"))
}

/// A file that was cut is what a program leaves that was killed, so only one that makes no sense is wrong.
fn check_stops(source: Source, file: &str) -> Result<String, String> {
    let read = stops::read(file, &whole(source, file)?).map_err(|error| error.to_string())?;
    let notes: String = read.notes.iter().map(|note| format!("; {note}")).collect();
    let Timeline { threads, stops, collections, .. } = &read.timeline;
    Ok(format!(
        "a time line, {} and {} of {}{notes}",
        counted(collections.len(), "collection"),
        counted(stops.len(), "stop"),
        counted(threads.len(), "thread")
    ))
}

fn check_samples(source: Source, file: &str) -> Result<String, String> {
    let read = pprof::read(file, &whole(source, file)?).map_err(|error| error.to_string())?;
    let values: Vec<String> = read.types.iter().map(|one| visible(read.text(one.name))).collect();
    Ok(format!(
        "a pprof profile, {} of {} at {} of the code",
        counted(read.samples.len(), "sample"),
        values.join(", "),
        counted(read.locations.len(), "place")
    ))
}

fn count_hp(source: Source) -> Result<(usize, usize), HpError> {
    let mut reader = HpReader::new(source, Rules::Strict);
    let mut samples = 0;
    while let Some(event) = reader.next()? {
        samples += usize::from(matches!(event, Event::Sample { .. }));
    }
    Ok((samples, reader.bands().len()))
}

fn check_eventlog(source: Source, file: &str) -> Result<String, String> {
    let read = eventlog::read(file, source).map_err(|error| error.to_string())?;
    let notes: String = read.notes.iter().map(|note| format!("; {note}")).collect();
    let heap = read.heap;
    let ticks = read
        .time
        .map_or(String::new(), |time| format!(", {} ticks in {} stacks", time.ticks, time.nodes.len()));
    let (samples, bands) = (counted(heap.times.len(), "heap sample"), counted(heap.bands.len(), "band"));
    Ok(format!("an eventlog, {samples} of {bands}{ticks}{notes}"))
}

/// A journal that was cut is what one is for, so only one that makes no sense is wrong.
fn check_biography(source: Source, file: &str) -> Result<String, String> {
    let read = biography::read(file, &whole(source, file)?, None).map_err(|error| error.to_string())?;
    let (samples, bands) = (counted(read.heap.times.len(), "sample"), counted(read.heap.bands.len(), "band"));
    let notes: String = read.notes.iter().map(|note| format!("; {note}")).collect();
    Ok(format!("a biography journal, {samples} of {bands}{notes}"))
}

/// Every edge and every root has to lead to an object, which is known only at the end: the file is read twice.
fn check_snapshot(source: Source, file: &str) -> Result<String, String> {
    let bytes = whole(source, file)?;
    let told = |error: ReadError| error.to_string();
    let index = snapshot::Index::read(file, &bytes[..]).map_err(told)?;
    snapshot::check_edges(file, &bytes[..], &index).map_err(told)?;
    let totals = index.totals;
    Ok(format!(
        "a snapshot, {} objects of {} bytes, {} references, {} roots",
        totals.objects,
        totals.words.saturating_mul(8),
        totals.edges,
        totals.roots
    ))
}
