//! Reads GHC's eventlog (`+RTS -l -hc -p`): the heap samples that are in it, with cost centres and marks of the user, and the stacks of the
//! time profile. Everything else that a program logs is passed over by its length.

use super::ReadError;
use super::logged_time::LoggedTime;
use crate::model::{Band, Header, HeapProfile, Series};
use crate::prof::Report;
use std::collections::HashMap;
use std::io::{self, Read};

pub fn looks_like(start: &[u8]) -> bool {
    start.starts_with(b"hdrb")
}

/// Numbers of events, and the words that frame the file's parts.
mod event {
    pub const PROGRAM_ARGS: u16 = 30;
    pub const USER_MARKER: u16 = 58;
    pub const HEAP_PROF_BEGIN: u16 = 160;
    pub const COST_CENTRE: u16 = 161;
    pub const SAMPLE_BEGIN: u16 = 162;
    pub const SAMPLE_COST_CENTRE: u16 = 163;
    pub const SAMPLE_STRING: u16 = 164;
    pub const SAMPLE_END: u16 = 165;
    pub const BIO_SAMPLE_BEGIN: u16 = 166;
    pub const TIME_SAMPLE: u16 = 167;
    pub const TIME_BEGIN: u16 = 168;
    pub const END: u16 = 0xffff;
    /// Of an event whose length comes with it.
    pub const VARIABLE: u16 = 0xffff;
}

pub struct Logged {
    /// Without samples where only time was sampled.
    pub heap: HeapProfile,
    pub time: Option<Report>,
    pub notes: Vec<String>,
}

/// No event is longer: lengths are 16 bits; descriptions in the head are a line each.
const MOST_TEXT: u32 = 1 << 16;

pub fn read(name: &str, source: impl Read) -> Result<Logged, ReadError> {
    let mut log = Log { name, source: io::BufReader::with_capacity(1 << 16, source), at: 0 };
    let sizes = log.head()?;
    let mut draft = Draft::default();
    loop {
        let Some(kind) = log.kind()? else {
            draft.notes.push("the eventlog was cut short; it was read as far as it goes".into());
            break;
        };
        if kind == event::END {
            break;
        }
        let Some(&size) = sizes.get(&kind) else {
            return Err(log.wrong(&format!("event {kind} is not described in the file's head")));
        };
        let event = (|| -> io::Result<(u64, Vec<u8>)> {
            let time = log.u64()?;
            let length = if size == event::VARIABLE { log.u16()? } else { size };
            let mut bytes = vec![0; usize::from(length)];
            log.fill(&mut bytes)?;
            Ok((time, bytes))
        })();
        match event {
            Ok((time, bytes)) => draft
                .take(kind, time, &mut Part(&bytes))
                .ok_or_else(|| log.wrong(&format!("event {kind} is shorter than what it has to tell")))?,
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                draft.notes.push("the eventlog was cut short; it was read as far as it goes".into());
                break;
            }
            Err(error) => return Err(ReadError::file(name, error)),
        }
    }
    let began = !draft.heap.times.is_empty();
    draft.drop_open();
    if draft.heap.times.is_empty() && draft.time.ticks == 0 {
        let why = match began {
            true => "this eventlog ends within its first heap sample",
            false => {
                "this eventlog has no heap samples: a run with +RTS -l -hc (or -hT) has, and one with -l -p has those of time"
            }
        };
        return Err(ReadError::file(name, why));
    }
    Ok(draft.finish())
}

struct Log<'a, R> {
    name: &'a str,
    source: R,
    at: u64,
}

impl<R: Read> Log<'_, R> {
    fn wrong(&self, what: &str) -> ReadError {
        ReadError::at(self.name, self.at as usize, what)
    }

    fn fill(&mut self, place: &mut [u8]) -> io::Result<()> {
        self.source.read_exact(place)?;
        self.at += place.len() as u64;
        Ok(())
    }

    fn u16(&mut self) -> io::Result<u16> {
        let mut bytes = [0; 2];
        self.fill(&mut bytes)?;
        Ok(u16::from_be_bytes(bytes))
    }

    fn u32(&mut self) -> io::Result<u32> {
        let mut bytes = [0; 4];
        self.fill(&mut bytes)?;
        Ok(u32::from_be_bytes(bytes))
    }

    fn u64(&mut self) -> io::Result<u64> {
        let mut bytes = [0; 8];
        self.fill(&mut bytes)?;
        Ok(u64::from_be_bytes(bytes))
    }

    /// The kind of the next event; none at the end of a file that was cut.
    fn kind(&mut self) -> Result<Option<u16>, ReadError> {
        match self.u16() {
            Ok(kind) => Ok(Some(kind)),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
            Err(error) => Err(ReadError::file(self.name, error)),
        }
    }

    /// The length of each kind of event, from the head, up to where events begin.
    fn head(&mut self) -> Result<HashMap<u16, u16>, ReadError> {
        let mut sizes = HashMap::new();
        let read = (|| -> io::Result<bool> {
            if self.u32()? != u32::from_be_bytes(*b"hdrb") || self.u32()? != u32::from_be_bytes(*b"hetb") {
                return Ok(false);
            }
            loop {
                match &self.u32()?.to_be_bytes() {
                    b"etb\0" => {
                        let (kind, size) = (self.u16()?, self.u16()?);
                        for _ in 0..2 {
                            let length = self.u32()?;
                            if length > MOST_TEXT {
                                return Ok(false);
                            }
                            self.fill(&mut vec![0; length as usize])?;
                        }
                        if self.u32()? != u32::from_be_bytes(*b"ete\0") {
                            return Ok(false);
                        }
                        sizes.insert(kind, size);
                    }
                    b"hete" => {
                        let end = [self.u32()?, self.u32()?];
                        return Ok(end == [u32::from_be_bytes(*b"hdre"), u32::from_be_bytes(*b"datb")]);
                    }
                    _ => return Ok(false),
                }
            }
        })();
        match read {
            Ok(true) => Ok(sizes),
            Ok(false) => Err(self.wrong("the head of this eventlog makes no sense")),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                Err(self.wrong("the eventlog ends within its head"))
            }
            Err(error) => Err(ReadError::file(self.name, error)),
        }
    }
}

/// A stack repeats the names of its centres, of four bytes each in the file: long ones are cut, as in all files.
const MOST_NAME: usize = 256;

/// The beginning of a name that is longer than `most` bytes, and a number for the whole, so that others with this beginning have other
/// names, the same ones in each file.
pub(super) fn cut(name: &str, most: usize) -> String {
    if name.len() <= most {
        return name.to_owned();
    }
    let mixed = name.bytes().fold(0xcbf2_9ce4_8422_2325, |mixed: u64, byte| {
        (mixed ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    });
    let end = format!("...{:08x}", (mixed ^ mixed >> 32) as u32);
    let most = (0..=most - end.len()).rev().find(|&at| name.is_char_boundary(at)).unwrap_or(0);
    format!("{}{end}", &name[..most])
}

/// What is left of an event.
struct Part<'a>(&'a [u8]);

impl<'a> Part<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn number(&mut self, bytes: usize) -> Option<u64> {
        Some(self.take(bytes)?.iter().fold(0, |number, &byte| number << 8 | u64::from(byte)))
    }

    fn text(&mut self) -> Option<String> {
        let end = self.0.iter().position(|&byte| byte == 0)?;
        let text = String::from_utf8_lossy(self.take(end)?).into_owned();
        self.take(1)?;
        Some(text)
    }
}

#[derive(Default)]
struct Draft {
    heap: HeapProfile,
    notes: Vec<String>,
    job: String,
    /// As the flag that asks for it.
    breakdown: Option<char>,
    centres: HashMap<u64, String>,
    time: LoggedTime,
    series: Vec<(String, Series)>,
    places: HashMap<Vec<u8>, usize>,
    /// A sample has begun and not ended.
    is_open: bool,
    values: HashMap<usize, u64>,
}

impl Draft {
    /// None for an event that is too short.
    fn take(&mut self, kind: u16, time: u64, part: &mut Part) -> Option<()> {
        match kind {
            event::PROGRAM_ARGS => {
                part.number(4)?;
                let words: Vec<_> = part.0.split(|&byte| byte == 0).map(String::from_utf8_lossy).collect();
                self.job = words.join(" ").trim_end().to_owned();
            }
            event::USER_MARKER => self.heap.marks.push(time as f64 / 1e9),
            event::HEAP_PROF_BEGIN => {
                part.number(9)?;
                let letters = " cmdyrbTie";
                self.breakdown =
                    letters.chars().nth(part.number(4)? as usize).filter(|letter| *letter != ' ');
            }
            event::COST_CENTRE => {
                let (number, label, module) = (part.number(4)?, part.text()?, part.text()?);
                let name = if label == "CAF" { format!("{module}.{label}") } else { label.clone() };
                self.centres.insert(number, cut(&name, MOST_NAME));
                self.time.centre(number, &label, &module, &part.text().unwrap_or_default());
            }
            event::TIME_BEGIN => self.time.tick_ns = part.number(8)?,
            event::TIME_SAMPLE => {
                part.number(4)?;
                part.number(8)?;
                let depth = part.number(1)? as usize;
                self.time.sample(part.take(depth * 4)?);
            }
            event::SAMPLE_BEGIN => self.begin(time),
            event::BIO_SAMPLE_BEGIN => {
                part.number(8)?;
                let of_sample = part.number(8)?;
                self.begin(of_sample);
            }
            event::SAMPLE_COST_CENTRE => {
                part.number(1)?;
                let bytes = part.number(8)?;
                let depth = part.number(1)? as usize;
                let stack = part.take(depth * 4)?;
                let place = match self.places.get(stack) {
                    Some(&place) => place,
                    None => {
                        let name = self.stack(stack);
                        self.band(stack.to_vec(), name)
                    }
                };
                self.count(place, bytes);
            }
            event::SAMPLE_STRING => {
                part.number(1)?;
                let bytes = part.number(8)?;
                let mut name = part.text()?;
                // A line of a `.hp` file, which this becomes, cannot do without.
                if name.is_empty() {
                    name.push_str("(unnamed)");
                }
                let place = match self.places.get(name.as_bytes()) {
                    Some(&place) => place,
                    None => self.band(name.clone().into_bytes(), name),
                };
                self.count(place, bytes);
            }
            event::SAMPLE_END => self.end(),
            _ => {}
        }
        Some(())
    }

    /// As bands of `.hp` files are called, and whole: the innermost centre first, without the root of all.
    fn stack(&self, stack: &[u8]) -> String {
        if stack.is_empty() {
            return "MAIN".into();
        }
        let mut names: Vec<String> = (stack.chunks(4))
            .filter_map(|number| Part(number).number(4))
            .map(|number| self.centres.get(&number).cloned().unwrap_or_else(|| format!("centre {number}")))
            .collect();
        if names.len() > 1 && names.last().is_some_and(|last| last == "MAIN") {
            names.pop();
        }
        format!("({}){}", self.series.len() + 1, names.join("/"))
    }

    fn band(&mut self, key: Vec<u8>, name: String) -> usize {
        self.places.insert(key, self.series.len());
        self.series.push((name, Series::default()));
        self.series.len() - 1
    }

    /// A sample may name a band more than once. No heap has as much as the sum cannot hold, but a damaged file may.
    fn count(&mut self, place: usize, bytes: u64) {
        let value = self.values.entry(place).or_default();
        *value = value.saturating_add(bytes);
    }

    /// Times never fall in a profile, whatever several threads log.
    fn begin(&mut self, time: u64) {
        self.end();
        let time = time as f64 / 1e9;
        self.heap.times.push(self.heap.times.last().map_or(time, |&last| last.max(time)));
        self.is_open = true;
    }

    fn end(&mut self) {
        let values = std::mem::take(&mut self.values);
        if !std::mem::take(&mut self.is_open) {
            return;
        }
        let sample = self.heap.times.len() - 1;
        for (place, value) in values {
            self.series[place].1.push(sample, value);
        }
    }

    /// A sample that was not told to its end is left out.
    fn drop_open(&mut self) {
        self.values.clear();
        if std::mem::take(&mut self.is_open) {
            self.heap.times.pop();
        }
    }

    fn finish(mut self) -> Logged {
        // The flag stands among the arguments, unless the program was linked with it.
        let flag = (self.breakdown.map(|letter| format!("-h{letter}")))
            .filter(|flag| !self.job.split_whitespace().any(|word| word == flag))
            .map_or(String::new(), |flag| format!(" +RTS {flag}"));
        let text = |text: &str| text.as_bytes().into();
        self.heap.header = Header {
            job: text(&format!("{}{flag}", self.job)),
            date: text(""),
            sample_unit: text("seconds"),
            value_unit: text("bytes"),
        };
        self.heap.bands =
            (self.series.into_iter()).map(|(name, series)| Band { name: text(&name), series }).collect();
        let time = self.time.report(&self.job);
        Logged { heap: self.heap, time, notes: self.notes }
    }
}

#[cfg(test)]
#[path = "eventlog_tests.rs"]
mod tests;
