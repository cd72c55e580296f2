//! One batch of a journal: items in memory, to be written with one call.

use crate::base::{List, Outcome};
use crate::profile::biography::journal::checksum::crc32;
use crate::profile::biography::journal::{MAGIC, tag};
use crate::profile::biography::{Book, CellKey, Holder};

/// A file that the journal is to become at the end.
#[derive(Clone, Copy, Debug)]
pub struct Profile<'a> {
    /// The name of the file.
    pub name: &'a [u8],
    /// The JOB line of the file.
    pub job: &'a [u8],
    /// A sum of `phases`.
    pub phases: u8,
}

/// Items of one batch. Numbers of profiles, bands and atoms are given in order: profiles from 0, bands and atoms
/// from 1.
pub struct Batch {
    bytes: List<u8>,
    /// Offset at which the batch begins: behind the magic in the first one, else 0.
    start: usize,
}

const FRAME: usize = 8;

impl Batch {
    pub const fn new() -> Batch {
        Batch { bytes: List::new(), start: 0 }
    }

    /// Begins a batch; the memory of the last one is kept.
    pub fn begin(&mut self) -> Outcome<()> {
        self.bytes.clear();
        self.start = 0;
        self.bytes.append(&[0; FRAME])
    }

    /// Begins the first batch of a file. With `changing`, holders have items of their own; otherwise holder n
    /// is atom n.
    pub fn begin_file(&mut self, date: &[u8], units: [&[u8]; 2], changing: bool) -> Outcome<()> {
        self.bytes.clear();
        self.bytes.append(MAGIC)?;
        self.start = MAGIC.len();
        self.bytes.append(&[0; FRAME])?;
        self.bytes.push(tag::HEAD)?;
        self.bytes.push(changing as u8)?;
        self.text(date)?;
        self.text(units[0])?;
        self.text(units[1])
    }

    pub fn profile(&mut self, profile: Profile<'_>) -> Outcome<()> {
        self.bytes.push(tag::PROFILE)?;
        self.bytes.push(profile.phases)?;
        self.text(profile.name)?;
        self.text(profile.job)
    }

    /// Adds a new band of a profile.
    pub fn band(&mut self, profile: usize, name: &[u8]) -> Outcome<()> {
        self.bytes.push(tag::BAND)?;
        self.number(profile as u64)?;
        self.text(name)
    }

    /// Adds a new atom, a group of objects in the cells, with the band that shows it in each profile; 0 for
    /// none.
    pub fn atom(&mut self, bands: impl Iterator<Item = u32>) -> Outcome<()> {
        self.bytes.push(tag::ATOM)?;
        for band in bands {
            self.number(band as u64)?;
        }
        Ok(())
    }

    /// Ends a census: the cells before this item in the batch belong to it.
    pub fn census(&mut self, seconds: f64) -> Outcome<()> {
        self.bytes.push(tag::CENSUS)?;
        self.bytes.append(&seconds.to_le_bytes())
    }

    pub fn mark(&mut self, seconds: f64) -> Outcome<()> {
        self.bytes.push(tag::MARK)?;
        self.bytes.append(&seconds.to_le_bytes())
    }

    /// Ends the profile: all objects have died.
    pub fn end(&mut self, seconds: f64) -> Outcome<()> {
        self.bytes.push(tag::END)?;
        self.bytes.append(&seconds.to_le_bytes())
    }

    /// The batch as it is written to the file.
    pub fn sealed(&mut self) -> &[u8] {
        let from = self.start;
        let sum = crc32(&self.bytes[from + FRAME..]);
        let length = (self.bytes.len() - from - FRAME) as u32;
        self.bytes[from..from + 4].copy_from_slice(&length.to_le_bytes());
        self.bytes[from + 4..from + FRAME].copy_from_slice(&sum.to_le_bytes());
        &self.bytes
    }

    fn text(&mut self, text: &[u8]) -> Outcome<()> {
        self.number(text.len() as u64)?;
        self.bytes.append(text)
    }

    fn number(&mut self, mut number: u64) -> Outcome<()> {
        while number >= 0x80 {
            self.bytes.push(number as u8 | 0x80)?;
            number >>= 7;
        }
        self.bytes.push(number as u8)
    }
}

impl Book for Batch {
    fn holder(&mut self, number: u32, holder: Holder) -> Outcome<()> {
        self.bytes.push(tag::HOLDER)?;
        for part in [number, holder.parent, holder.identity, holder.since] {
            self.number(part as u64)?;
        }
        Ok(())
    }

    fn cell(&mut self, key: CellKey, died: u64, now: u64) -> Outcome<()> {
        self.bytes.push(tag::CELL)?;
        self.bytes.push(key.phase() as u8)?;
        self.number(key.holder() as u64)?;
        self.number(key.era() as u64)?;
        self.number(died)?;
        self.number(now)
    }
}
