//! Reads a profile of whatever kind a file holds: the beginning tells `.hp`, biography journals, text `.prof`, JSON, ticky counters,
//! profiles of space by function, time lines and samples for pprof apart, so that names don't matter and a pipe will do. A file of another kind is called by
//! its name.

use super::hp::{self, Fault, HpError, Rules};
use super::kind::Kind;
use super::source::Source;
use super::{ReadError, biography, eventlog, pprof, prof, prof_json, space, stops, ticky};
use crate::graph::shown::{self, Shown};
use crate::model::HeapProfile;
use crate::moment::filled;
use crate::prof::ProfFile;
use crate::sampled::Sampled;
use crate::space::Space;
use crate::stops::Timeline;
use std::path::Path;
use std::{io, iter};

pub enum Profile {
    Heap(HeapProfile),
    Prof(ProfFile),
    Space(Space),
    Stops(Timeline),
    Samples(Box<Sampled>),
    /// Of an object graph.
    Snapshot(Box<Shown>),
}

/// A profile with the name it goes by in messages and pictures.
pub struct Input {
    pub name: String,
    pub profile: Profile,
    /// What there is to say about how it was read.
    pub notes: Vec<String>,
}

/// Opens and reads `path`; `-` is standard input.
pub fn open(path: &Path) -> Result<Input, ReadError> {
    open_part(path, None)
}

/// As `open`, and snapshots too, for those who show what is in them.
pub fn open_all(path: &Path) -> Result<Input, ReadError> {
    let (shown, source) = opened(path)?;
    if source.kind != Some(Kind::Snapshot) {
        return of_source(shown, source, None).map(|(input, _)| input);
    }
    of_snapshot(shown, source)
}

fn of_snapshot(name: String, source: Source) -> Result<Input, ReadError> {
    let profile = Profile::Snapshot(Box::new(shown::read(&name, source)?));
    Ok(Input { name, profile, notes: Vec::new() })
}

/// As `open`. Of a journal that holds several profiles, the one that is wanted.
pub fn open_part(path: &Path, wanted: Option<&str>) -> Result<Input, ReadError> {
    let (shown, source) = opened(path)?;
    of_source(shown, source, wanted).map(|(input, _)| input)
}

/// As `open_all`, with each profile of a file that has two: heap and time in an eventlog.
pub fn open_each(path: &Path) -> Result<Vec<Input>, ReadError> {
    let (shown, source) = opened(path)?;
    if source.kind == Some(Kind::Snapshot) {
        return Ok(vec![of_snapshot(shown, source)?]);
    }
    let (input, also) = of_source(shown, source, None)?;
    Ok(iter::once(input).chain(also).collect())
}

/// As `open`, of a source that was looked at.
pub fn of(name: String, source: Source) -> Result<Input, ReadError> {
    of_source(name, source, None).map(|(input, _)| input)
}

fn opened(path: &Path) -> Result<(String, Source<'static>), ReadError> {
    let shown = if path.as_os_str() == "-" { "stdin".to_owned() } else { path.display().to_string() };
    let source = Source::open(path).map_err(|error| ReadError::file(&shown, error))?;
    Ok((shown, source))
}

#[cfg(test)]
pub fn read(name: String, source: impl io::Read, wanted: Option<&str>) -> Result<Input, ReadError> {
    let source = Source::of(source).map_err(|error| ReadError::file(&name, error))?;
    of_source(name, source, wanted).map(|(input, _)| input)
}

/// The profile, and the other one that a file may have.
fn of_source(
    name: String,
    source: Source,
    wanted: Option<&str>,
) -> Result<(Input, Option<Input>), ReadError> {
    let kind = source.kind;
    let is_profile = matches!(
        kind,
        None | Some(
            Kind::HeapProfile
                | Kind::Eventlog
                | Kind::Biography
                | Kind::Report
                | Kind::ReportJson
                | Kind::Space
                | Kind::Stops
                | Kind::Pprof
                | Kind::Ticky
        )
    );
    if let Some(other) = kind.filter(|_| !is_profile) {
        return Err(ReadError::file(&name, other.told()));
    }
    if let Some(other) = wanted.filter(|_| kind == Some(Kind::Eventlog))
        && !["heap", "time"].contains(&other)
    {
        return Err(ReadError::file(
            &name,
            format!("an eventlog has the profiles heap and time, not {other}"),
        ));
    }
    if wanted.is_some() && !matches!(kind, Some(Kind::Biography | Kind::Eventlog)) {
        return Err(ReadError::file(&name, "holds one profile only, so --profile has no meaning for it"));
    }
    let (mut notes, mut also) = (Vec::new(), None);
    let whole = |source: Source| source.whole().map_err(|error: io::Error| ReadError::file(&name, error));
    let profile = match kind {
        Some(Kind::Biography) => {
            let read = biography::read(&name, &whole(source)?, wanted)?;
            notes = read.notes;
            Profile::Heap(read.heap)
        }
        Some(Kind::Eventlog) => {
            let read = eventlog::read(&name, source)?;
            notes = read.notes;
            match read.time {
                None if wanted == Some("time") => {
                    return Err(ReadError::file(&name, "has no time profile: a run with +RTS -l -p has one"));
                }
                None => Profile::Heap(read.heap),
                Some(report) => {
                    let time = Profile::Prof(ProfFile { report: Some(report), ..ProfFile::default() });
                    if wanted == Some("heap") && read.heap.times.is_empty() {
                        return Err(ReadError::file(
                            &name,
                            "has no heap samples: a run with +RTS -l -hc has",
                        ));
                    }
                    if read.heap.times.is_empty() || wanted == Some("time") {
                        time
                    } else {
                        also = Some(time);
                        Profile::Heap(read.heap)
                    }
                }
            }
        }
        Some(Kind::Space) => Profile::Space(space::read(&name, &whole(source)?)?),
        Some(Kind::Stops) => {
            let read = stops::read(&name, &whole(source)?)?;
            notes = read.notes;
            Profile::Stops(read.timeline)
        }
        Some(Kind::Pprof) => Profile::Samples(Box::new(pprof::read(&name, &whole(source)?)?)),
        Some(Kind::ReportJson) => Profile::Prof(prof_json::read(&name, &whole(source)?)?),
        Some(Kind::Ticky) => Profile::Prof(ticky::read(&name, &whole(source)?)?),
        Some(Kind::Report) => Profile::Prof(prof::read(&name, &whole(source)?)?),
        // What begins like nothing is told of as what people keep most of.
        _ => {
            let read = hp::read(source, Rules::Tolerant);
            let told = |error: HpError| match (kind, Kind::by_name(Path::new(&name)), &error) {
                (None, None, HpError::Bad { fault, .. }) if *fault != Fault::Empty => ReadError::at(
                    &name,
                    1,
                    "it begins like no profile that is known here: `barrow check` lists them",
                ),
                _ => ReadError::whole(error.at(&name)),
            };
            let heap = read.map_err(told)?;
            if filled(&heap).is_none() {
                notes.extend(biography::beside(Path::new(&name)));
            }
            Profile::Heap(heap)
        }
    };
    let also = also.map(|profile| Input { name: name.clone(), profile, notes: Vec::new() });
    Ok((Input { name, profile, notes }, also))
}
