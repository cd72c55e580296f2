//! Reads a biography journal: what a program that was killed leaves instead of the samples of its biographical
//! profile. The library finishes it; here the samples become a profile like any other.

use super::ReadError;
use crate::model::{Band, Header, HeapProfile, Series, Text};
use barrow::base::{Failure, Outcome, Status};
use barrow::profile::biography::journal::{Journal, Samples, finish};
use std::collections::HashMap;
use std::path::Path;

/// A journal tells what has changed, and a profile each band at each sample. So many values are always made of one, and so
/// many more for each of its bytes: a damaged journal does not become gigabytes.
const FREE_VALUES: usize = 1 << 20;
const VALUES_FOR_A_BYTE: usize = 64;

/// What was read, and what there is to say about it.
pub struct Read {
    pub heap: HeapProfile,
    pub notes: Vec<String>,
}

pub fn looks_like(start: &[u8]) -> bool {
    Journal::is_one(start)
}

/// The profile `wanted` of a journal, by its file's name or the part of it that tells profiles apart; or its only one.
pub fn read(name: &str, bytes: &[u8], wanted: Option<&str>) -> Result<Read, ReadError> {
    let told = |failure: Failure| ReadError::file(name, failure.sentence);
    let journal = Journal::open(bytes).map_err(told)?;
    let names: Vec<String> =
        journal.profiles.iter().map(|profile| String::from_utf8_lossy(profile.name).into_owned()).collect();
    let number = choose(&names, wanted).map_err(|problem| ReadError::file(name, problem))?;
    let room = FREE_VALUES + VALUES_FOR_A_BYTE * bytes.len();
    let mut gather = Gather { room, ..Gather::default() };
    // The first sample and the last one of every file are empty.
    gather.heap.times.push(0.0);
    let finished = finish(&journal, number, &mut gather).map_err(told)?;
    gather.heap.times.push(finished.seconds);
    let mut notes = Vec::new();
    if !finished.ended {
        notes.push(format!(
            "the program did not come to its end; what it had after {} censuses is taken to have died then",
            finished.censuses
        ));
    }
    if journal.left_over > 0 {
        notes.push(format!("the last {} bytes are no whole census; left out", journal.left_over));
    }
    if wanted.is_none() && names.len() > 1 {
        notes.push(format!("this is {}; --profile chooses among {}", names[number], names.join(", ")));
    }
    let mut heap = gather.heap;
    let text = |bytes: &[u8]| Text::from(bytes);
    heap.header = Header {
        job: text(journal.profiles[number].job),
        date: text(journal.head.date),
        sample_unit: text(journal.head.sample_unit),
        value_unit: text(journal.head.value_unit),
    };
    heap.bands =
        gather.names.into_iter().zip(gather.series).map(|(name, series)| Band { name, series }).collect();
    Ok(Read { heap, notes })
}

/// The sentence on a profile without a sample beside which lies the journal of its run.
pub fn beside(hp: &Path) -> Option<String> {
    let stem = hp.file_name()?.to_str()?.strip_suffix(".hp")?;
    let shorter = stem.rsplit_once('.').map_or(stem, |(shorter, _)| shorter);
    [stem, shorter].into_iter().find_map(|stem| {
        let path = hp.with_file_name(format!("{stem}.biography"));
        // A pipe of this name would be waited for.
        let bytes = path.is_file().then(|| std::fs::read(&path).ok()).flatten()?;
        let journal = Journal::open(&bytes).ok()?;
        let mut names = journal.profiles.iter().map(|profile| String::from_utf8_lossy(profile.name));
        let name = names.find(|name| Path::new(&**name).file_name() == hp.file_name())?;
        let (journal, hp) = (path.display(), hp.display());
        Some(format!(
            "its samples are in {journal} until the program ends, and stay there when it is killed: \
             `barrow convert {journal} --profile {name} --to hp -o {hp}` writes them"
        ))
    })
}

fn choose(names: &[String], wanted: Option<&str>) -> Result<usize, String> {
    let Some(wanted) = wanted else {
        return if names.is_empty() { Err("holds no profile".into()) } else { Ok(0) };
    };
    let middle = |name: &str| {
        let stem = Path::new(name).with_extension("");
        stem.extension().is_some_and(|end| end == wanted)
    };
    let found =
        names.iter().position(|name| name == wanted).or_else(|| names.iter().position(|name| middle(name)));
    found.ok_or_else(|| format!("holds no profile {wanted}; it has {}", names.join(", ")))
}

#[derive(Default)]
struct Gather {
    heap: HeapProfile,
    numbers: HashMap<Vec<u8>, usize>,
    names: Vec<Text>,
    series: Vec<Series>,
    /// The sample that is being read, by number: bands with the same name are one.
    sums: Vec<Option<u64>>,
    /// Those that are in it.
    listed: Vec<usize>,
    /// Those of the sample before.
    before: Vec<usize>,
    /// So many values may still come.
    room: usize,
}

impl Samples for Gather {
    fn begin(&mut self, seconds: f64) -> Outcome<()> {
        self.heap.times.push(seconds);
        Ok(())
    }

    fn band(&mut self, name: &[u8], bytes: u64) -> Outcome<()> {
        let Some(room) = self.room.checked_sub(1) else {
            return Err(Failure::new(
                Status::Io,
                format_args!(
                    "the biography journal comes to more than {VALUES_FOR_A_BYTE} values for each of its bytes, so it is damaged"
                ),
            ));
        };
        self.room = room;
        // Most samples have the bands of the one before.
        let guess = self.before.get(self.listed.len()).copied();
        let guess = guess.filter(|&guess| self.names[guess].as_bytes() == name);
        let number = match guess.or_else(|| self.numbers.get(name).copied()) {
            Some(known) => known,
            None => {
                self.numbers.insert(name.to_vec(), self.names.len());
                self.names.push(Text::from(name));
                self.series.push(Series::default());
                self.sums.push(None);
                self.names.len() - 1
            }
        };
        match &mut self.sums[number] {
            Some(sum) => *sum = sum.saturating_add(bytes),
            none => {
                *none = Some(bytes);
                self.listed.push(number);
            }
        }
        Ok(())
    }

    fn end(&mut self, _seconds: f64) -> Outcome<()> {
        let sample = self.heap.times.len() - 1;
        std::mem::swap(&mut self.before, &mut self.listed);
        self.listed.clear();
        for &number in &self.before {
            let bytes = self.sums[number].take();
            self.series[number].push(sample, bytes.unwrap_or_default());
        }
        Ok(())
    }

    fn mark(&mut self, seconds: f64) -> Outcome<()> {
        self.heap.marks.push(seconds);
        Ok(())
    }
}
