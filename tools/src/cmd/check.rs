//! `barrow check`: is this file as its format wants it, and if not, where not?

use crate::prof::ProfFile;
use crate::read::hp::{Event, HpError, HpReader, Rules};
use crate::read::{ReadError, biography, mix, prof, prof_json, snapshot, space, tix};
use crate::write::escape::visible;
use clap::Args;
use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[derive(Args)]
#[command(after_help = "\
Examples:
  barrow check prog.hp              prog.hp: a heap profile, 45 samples of 32 bands
  barrow check *.hp -q && make pdf  silent if all is well
  barrow check prog.tix .hpc/*.mix
  gunzip -c old.hp.gz | barrow check -

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

/// Enough of a file to see what it is.
const HEAD: usize = 4096;

/// A format: what it is called, whether a file looks like it, and its strict reader. The answer of the reader is
/// a few words on what the file holds, or the fault with its place.
struct Format {
    name: &'static str,
    looks_like: fn(head: &[u8], path: &Path) -> bool,
    check: fn(source: &mut dyn Read, file: &str) -> Result<String, String>,
}

const FORMATS: &[Format] = &[
    Format { name: "heap profile (.hp)", looks_like: looks_like_hp, check: check_hp },
    Format {
        name: "time and allocation report (.prof)",
        looks_like: |head, _| prof::looks_like(&String::from_utf8_lossy(head)),
        check: |source, file| check_prof(source, file, prof::read),
    },
    Format {
        name: "space by function (JSON)",
        looks_like: |head, _| space::looks_like(&String::from_utf8_lossy(head)),
        check: check_space,
    },
    Format {
        name: "time and allocation report (JSON)",
        looks_like: |head, _| prof_json::looks_like(&String::from_utf8_lossy(head)),
        check: |source, file| check_prof(source, file, prof_json::read),
    },
    Format {
        name: "biography journal",
        looks_like: |head, _| biography::looks_like(head),
        check: check_biography,
    },
    Format {
        name: "object graph (snapshot)",
        looks_like: |head, _| snapshot::looks_like(head),
        check: check_snapshot,
    },
    Format {
        name: "coverage counts (.tix)",
        looks_like: |head, path| begins_or_ends(head, path, "Tix", "tix"),
        check: check_tix,
    },
    Format {
        name: "coverage boxes (.mix)",
        looks_like: |head, path| begins_or_ends(head, path, "Mix", "mix"),
        check: check_mix,
    },
];

pub fn run(check: &Check) -> ExitCode {
    let mut status = ExitCode::SUCCESS;
    for path in &check.files {
        match check_file(path) {
            Ok(words) if check.quiet => drop(words),
            Ok(words) => println!("{}: {words}", path.display()),
            Err(fault) => {
                eprintln!("{fault}");
                status = ExitCode::from(1);
            }
        }
    }
    status
}

fn check_file(path: &Path) -> Result<String, String> {
    let file = path.display().to_string();
    if path == Path::new("-") {
        return check_source(io::stdin().lock(), path, "stdin");
    }
    let source = File::open(path).map_err(|error| format!("{file}: {error}"))?;
    check_source(source, path, &file)
}

fn check_source(mut source: impl Read, path: &Path, file: &str) -> Result<String, String> {
    let mut head = Vec::with_capacity(HEAD);
    let read = source.by_ref().take(HEAD as u64).read_to_end(&mut head);
    read.map_err(|error| format!("{file}: {error}"))?;
    let Some(format) = FORMATS.iter().find(|format| (format.looks_like)(&head, path)) else {
        let known: Vec<_> = FORMATS.iter().map(|format| format.name).collect();
        return Err(format!("{file}:1: none of the formats known here: {}", known.join(", ")));
    };
    (format.check)(&mut Cursor::new(head).chain(source), file)
}

/// By its first word, or else by its name, so that a file that lost its beginning is told of that.
fn looks_like_hp(head: &[u8], path: &Path) -> bool {
    let head = head.trim_ascii_start();
    let word = head.split(u8::is_ascii_whitespace).next().unwrap_or_default();
    crate::read::hp::Keyword::of(word).is_some()
        || path.extension().is_some_and(|extension| extension == "hp")
}

/// By its first word, or else by its name: as for heap profiles.
fn begins_or_ends(head: &[u8], path: &Path, word: &str, ending: &str) -> bool {
    let head = head.trim_ascii_start();
    let rest = head.strip_prefix(word.as_bytes());
    rest.is_some_and(|rest| rest.first().is_none_or(|byte| !byte.is_ascii_alphanumeric()))
        || path.extension().is_some_and(|extension| extension == ending)
}

fn check_hp(source: &mut dyn Read, file: &str) -> Result<String, String> {
    count_hp(source)
        .map(|(samples, bands)| format!("a heap profile, {samples} samples of {bands} bands"))
        .map_err(|error| error.at(file))
}

type ReadProf = fn(name: &str, bytes: &[u8]) -> Result<ProfFile, ReadError>;

fn whole(source: &mut dyn Read, file: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    source.read_to_end(&mut bytes).map_err(|error| format!("{file}: {error}"))?;
    Ok(bytes)
}

fn check_tix(source: &mut dyn Read, file: &str) -> Result<String, String> {
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

fn check_mix(source: &mut dyn Read, file: &str) -> Result<String, String> {
    let mix = mix::read(&whole(source, file)?).map_err(|fault| fault.in_file(file))?;
    Ok(format!("coverage boxes, {} in {}", mix.boxes.len(), visible(&mix.source)))
}

/// What can be read only with a guess is not as the format wants it.
fn check_prof(source: &mut dyn Read, file: &str, read: ReadProf) -> Result<String, String> {
    let prof = read(file, &whole(source, file)?).map_err(|error| error.to_string())?;
    if let Some(warning) = prof.warnings.first() {
        return Err(warning.clone());
    }
    let mut parts = Vec::new();
    if let Some(report) = &prof.report {
        parts.push(format!("a time and allocation report, {} stacks", report.nodes.len()));
    }
    if !prof.retainers.censuses.is_empty() || !prof.retainers.sets.is_empty() {
        let (censuses, sets) = (prof.retainers.censuses.len(), prof.retainers.sets.len());
        parts.push(format!("{censuses} retainer censuses, {sets} retainer sets"));
    }
    Ok(parts.join("; "))
}

fn check_space(source: &mut dyn Read, file: &str) -> Result<String, String> {
    let space = space::read(file, &whole(source, file)?).map_err(|error| error.to_string())?;
    let (functions, moments) = (space.functions.len(), space.points.len());
    Ok(format!("space by function, {functions} functions, live data at {moments} moments"))
}

fn count_hp(source: &mut dyn Read) -> Result<(u64, usize), HpError> {
    let mut reader = HpReader::new(source, Rules::Strict);
    let mut samples = 0;
    while let Some(event) = reader.next()? {
        samples += u64::from(matches!(event, Event::Sample { .. }));
    }
    Ok((samples, reader.bands().len()))
}

/// A journal that was cut is what one is for, so only one that makes no sense is wrong.
fn check_biography(source: &mut dyn Read, file: &str) -> Result<String, String> {
    let read = biography::read(file, &whole(source, file)?, None).map_err(|error| error.to_string())?;
    let samples = read.heap.times.len();
    let notes: String = read.notes.iter().map(|note| format!("; {note}")).collect();
    Ok(format!("a biography journal, {samples} samples of {} bands{notes}", read.heap.bands.len()))
}

/// Every edge and every root has to lead to an object, which is known only at the end: the file is read twice.
fn check_snapshot(source: &mut dyn Read, file: &str) -> Result<String, String> {
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
