//! What is in force for one heap. The rows of `table` set it and read it.

use super::cost::CostFlags;
use super::profile::ProfileFlags;
use crate::base::{Outcome, Text};

/// Where memory comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    Auto,
    Range,
    Chunks,
}

/// Where a report goes: nowhere, to standard error, or to a file.
#[derive(Debug, Default)]
pub enum Destination {
    #[default]
    Nowhere,
    StandardError,
    File(Text),
}

impl Destination {
    /// No name is the standard error stream.
    pub fn named(name: &str) -> Outcome<Destination> {
        Ok(if name.is_empty() { Destination::StandardError } else { Destination::File(Text::of(name)?) })
    }

    pub fn is_wanted(&self) -> bool {
        !matches!(self, Destination::Nowhere)
    }
}

#[derive(Debug)]
pub struct Flags {
    /// As they were given, for the head of reports.
    pub line: Text,
    /// `-?`: the flags are listed, and no heap is made.
    pub help: bool,
    /// `None`: adaptive.
    pub nursery_bytes: Option<usize>,
    pub nursery_chunk_bytes: usize,
    pub old_factor: f64,
    pub old_minimum_bytes: usize,
    /// Above so many live bytes the oldest generation grows by the square root only; `None`: it does not.
    pub square_root_above: Option<usize>,
    /// Every major collection compacts.
    pub compact_always: bool,
    /// Major collections compact when more than this share of the limit lives.
    pub compact_percent: f64,
    /// 0: none.
    pub heap_hint_bytes: usize,
    /// `-H` with no size: as much as was used at most.
    pub heap_hint_follows_peak: bool,
    /// `None`: unlimited.
    pub heap_limit_bytes: Option<usize>,
    pub free_percent: f64,
    pub keep_percent: f64,
    pub generations: usize,
    /// `None`: 2, or 1 while most of the nursery survives.
    pub steps: Option<usize>,
    pub summary: Destination,
    pub each_collection: Destination,
    pub one_line: Destination,
    pub machine_readable: bool,
    pub squeeze: bool,
    pub sanity: bool,
    pub poison: bool,
    /// Plain words are looked at for references after each collection.
    pub plain_words: bool,
    /// 0: off; else the collection before which the process stops for a debugger.
    pub stop_at: u64,
    /// 0: off; else collect at every n-th trip to the slow path.
    pub stress_every: u64,
    pub seed: u64,
    pub source: Source,
    /// 0: chosen from the size of memory.
    pub reserve_bytes: usize,
    /// `None`: on, unless this is a virtual machine.
    pub huge_pages: Option<bool>,
    pub profile: ProfileFlags,
    /// Uses are marked beside all addresses while a biography is taken.
    pub marks: bool,
    /// Collections evaluate selectors.
    pub selectors: bool,
    pub cost: CostFlags,
    /// The file of ticky counters; an empty name: `<program>.ticky`.
    pub ticky: Option<Text>,
}

impl Default for Flags {
    fn default() -> Flags {
        Flags {
            line: Text::new(),
            help: false,
            nursery_bytes: None,
            nursery_chunk_bytes: 1 << 20,
            old_factor: 2.0,
            old_minimum_bytes: 1 << 20,
            square_root_above: None,
            compact_always: false,
            compact_percent: 30.0,
            heap_hint_bytes: 0,
            heap_hint_follows_peak: false,
            heap_limit_bytes: None,
            free_percent: 3.0,
            keep_percent: 200.0,
            generations: 2,
            steps: None,
            summary: Destination::Nowhere,
            each_collection: Destination::Nowhere,
            one_line: Destination::Nowhere,
            machine_readable: false,
            squeeze: false,
            sanity: false,
            poison: false,
            plain_words: false,
            stop_at: 0,
            stress_every: 0,
            seed: 1,
            source: Source::Auto,
            reserve_bytes: 0,
            huge_pages: None,
            profile: ProfileFlags::default(),
            marks: true,
            selectors: true,
            cost: CostFlags::default(),
            ticky: None,
        }
    }
}
