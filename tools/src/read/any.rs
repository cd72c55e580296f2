//! Reads a profile of whatever kind a file holds: the beginning tells `.hp`, biography journals, text `.prof`, JSON and
//! profiles of space by function apart, so that names don't matter and a pipe will do.

use super::hp::{self, Rules};
use super::{ReadError, biography, prof, prof_json, snapshot, space};
use crate::model::HeapProfile;
use crate::prof::ProfFile;
use crate::space::Space;
use std::fs::File;
use std::io::{self, BufReader, Cursor, Read};
use std::path::Path;

pub enum Profile {
    Heap(HeapProfile),
    Prof(ProfFile),
    Space(Space),
}

/// A profile with the name it goes by in messages and pictures.
pub struct Input {
    pub name: String,
    pub profile: Profile,
    /// What there is to say about how it was read.
    pub notes: Vec<String>,
}

/// How much is looked at to tell the kinds apart: retainer statistics and a report's head fit many times over.
const BEGINNING: u64 = 4096;

/// Opens and reads `path`; `-` is standard input.
pub fn open(path: &Path) -> Result<Input, ReadError> {
    open_part(path, None)
}

/// As `open`. Of a journal that holds several profiles, the one that is wanted.
pub fn open_part(path: &Path, wanted: Option<&str>) -> Result<Input, ReadError> {
    if path.as_os_str() == "-" {
        return read("stdin".to_owned(), io::stdin().lock(), wanted);
    }
    let shown = path.display().to_string();
    let file = File::open(path).map_err(|error| ReadError::file(&shown, error))?;
    read(shown, file, wanted)
}

pub fn read(name: String, source: impl Read, wanted: Option<&str>) -> Result<Input, ReadError> {
    let mut source = BufReader::with_capacity(1 << 18, source);
    let mut start = Vec::new();
    let io_error = |error: io::Error| ReadError::file(&name, error);
    source.by_ref().take(BEGINNING).read_to_end(&mut start).map_err(io_error)?;
    let beginning = String::from_utf8_lossy(&start).into_owned();
    if snapshot::looks_like(&start) {
        let told = "holds a snapshot of the object graph: `barrow convert --to heapsnapshot` converts it";
        return Err(ReadError::file(&name, told));
    }
    let is_journal = biography::looks_like(&start);
    if wanted.is_some() && !is_journal {
        return Err(ReadError::file(&name, "holds one profile only, so --profile has no meaning for it"));
    }
    let mut notes = Vec::new();
    let mut whole = Cursor::new(start).chain(source);
    let mut bytes = Vec::new();
    if beginning.trim_start().starts_with("Tix") {
        let told = "holds coverage: `barrow hpc` shows it, `barrow convert --to lcov` and `--to cobertura` convert it";
        return Err(ReadError::file(&name, told));
    }
    let profile = if is_journal {
        whole.read_to_end(&mut bytes).map_err(io_error)?;
        let read = biography::read(&name, &bytes, wanted)?;
        notes = read.notes;
        Profile::Heap(read.heap)
    } else if space::looks_like(&beginning) {
        whole.read_to_end(&mut bytes).map_err(io_error)?;
        Profile::Space(space::read(&name, &bytes)?)
    } else if prof_json::looks_like(&beginning) {
        whole.read_to_end(&mut bytes).map_err(io_error)?;
        Profile::Prof(prof_json::read(&name, &bytes)?)
    } else if prof::looks_like(&beginning) {
        whole.read_to_end(&mut bytes).map_err(io_error)?;
        Profile::Prof(prof::read(&name, &bytes)?)
    } else {
        let read = hp::read(whole, Rules::Tolerant);
        Profile::Heap(read.map_err(|error| ReadError::whole(error.at(&name)))?)
    };
    Ok(Input { name, profile, notes })
}
