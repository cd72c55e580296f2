//! The settings of one heap. The rows of `table` set and read them.

use super::cost::CostFlags;
use super::profile::ProfileFlags;
use crate::base::{Outcome, Text};

/// In place of a number of workers: one for each thread that a collection has stopped, whose processors are free.
pub const WORKERS_BY_STOPS: usize = 0;

/// The source of memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    Auto,
    Range,
    Chunks,
}

/// The destination of a report: none, standard error, or a file.
#[derive(Debug, Default)]
pub enum Destination {
    #[default]
    Nowhere,
    StandardError,
    File(Text),
}

impl Destination {
    /// The destination of a name; an empty name stands for the standard error stream.
    pub fn named(name: &str) -> Outcome<Destination> {
        Ok(if name.is_empty() { Destination::StandardError } else { Destination::File(Text::of(name)?) })
    }

    pub fn is_wanted(&self) -> bool {
        !matches!(self, Destination::Nowhere)
    }
}

#[derive(Debug)]
pub struct Flags {
    /// The flags as they were given, for the head of reports.
    pub line: Text,
    /// Whether the flags are listed, and no heap is made (`-?`).
    pub help: bool,
    /// Size of the nursery in bytes; `None` for an adaptive size.
    pub nursery_bytes: Option<usize>,
    pub nursery_chunk_bytes: usize,
    pub old_factor: f64,
    pub old_minimum_bytes: usize,
    /// Live bytes above which the oldest generation grows by the square root only; `None` for no such bound.
    pub square_root_above: Option<usize>,
    /// Whether major collections leave objects of the oldest generation where they are.
    pub old_stays: bool,
    /// Whether every major collection compacts.
    pub compact_always: bool,
    /// Percent of the limit; with more live data, major collections compact.
    pub compact_percent: f64,
    /// Bytes that the heap uses anyway (`-H`); 0 for none.
    pub heap_hint_bytes: usize,
    /// Whether the hint follows the most bytes that were used (`-H` without a size).
    pub heap_hint_follows_peak: bool,
    /// Limit of the heap in bytes; `None` for unlimited.
    pub heap_limit_bytes: Option<usize>,
    pub free_percent: f64,
    pub keep_percent: f64,
    pub generations: usize,
    /// Collections to survive before promotion; `None` for 2, or 1 while most of the nursery survives.
    pub steps: Option<usize>,
    pub summary: Destination,
    pub each_collection: Destination,
    pub one_line: Destination,
    pub machine_readable: bool,
    pub squeeze: bool,
    /// The most bytes that a stack may have in all its chunks; `None` for unlimited.
    pub stack_limit_bytes: Option<usize>,
    /// Bytes up to which the chunks that a stack grows by double.
    pub stack_chunk_bytes: usize,
    pub sanity: bool,
    pub poison: bool,
    /// Whether plain words are checked for references after each collection.
    pub plain_words: bool,
    /// Whether memory that objects were moved from loses access, and faults there are told.
    pub faults: bool,
    /// Whether stores without the write barrier are looked for before each collection.
    pub barriers: bool,
    /// Number of the collection before which the process stops for a debugger; 0 for none.
    pub stop_at: u64,
    /// Mutators that the heap takes at a time.
    pub mutators: usize,
    /// Threads that take part in a collection, at most, or `WORKERS_BY_STOPS`.
    pub workers: usize,
    /// Whether so many take part however small the collection is, and however few processors there are.
    pub workers_anyway: bool,
    /// Milliseconds after which a thread that does not come to stand is named; 0 for never.
    pub slow_stop: u64,
    /// Trips to the slow path for each extra collection; 0 for none.
    pub stress_every: u64,
    pub seed: u64,
    pub source: Source,
    /// Bytes of address space to reserve; 0 for a size chosen by the size of memory.
    pub reserve_bytes: usize,
    /// Whether huge pages are advised; `None` for yes, except in a virtual machine.
    pub huge_pages: Option<bool>,
    pub profile: ProfileFlags,
    /// Whether uses are marked beside all addresses while a biography is taken.
    pub marks: bool,
    /// Whether collections evaluate selectors.
    pub selectors: bool,
    pub cost: CostFlags,
    /// The file of ticky counters; an empty name stands for `<program>.ticky`.
    pub ticky: Option<Text>,
    /// The file of space by function; an empty name stands for `<program>.space`.
    pub space: Option<Text>,
    /// The file of the time line; an empty name stands for `<program>.stops`.
    pub stops: Option<Text>,
    /// Bytes allocated between two samples, on average; 0 for none.
    pub sample_every: Option<u64>,
    /// The file of samples; an empty name stands for `<program>.pprof`.
    pub samples: Option<Text>,
}

/// Bytes between two samples where a file of them is asked for, and no distance.
const SAMPLE_EVERY: u64 = 512 << 10;

impl Flags {
    /// Bytes allocated between two samples, on average; 0 for none.
    pub fn sample_distance(&self) -> u64 {
        self.sample_every.unwrap_or(if self.samples.is_some() { SAMPLE_EVERY } else { 0 })
    }
}

impl Default for Flags {
    // A heap is made rarely, and each copy of this has half a kilobyte.
    #[inline(never)]
    fn default() -> Flags {
        Flags {
            line: Text::new(),
            help: false,
            nursery_bytes: None,
            nursery_chunk_bytes: 1 << 20,
            old_factor: 2.0,
            old_minimum_bytes: 1 << 20,
            square_root_above: None,
            old_stays: true,
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
            stack_limit_bytes: None,
            stack_chunk_bytes: 32 << 10,
            sanity: false,
            poison: false,
            plain_words: false,
            faults: false,
            barriers: false,
            stop_at: 0,
            mutators: 1,
            workers: WORKERS_BY_STOPS,
            workers_anyway: false,
            slow_stop: 0,
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
            space: None,
            stops: None,
            sample_every: None,
            samples: None,
        }
    }
}

impl Flags {
    /// Whether freed memory is filled, and slop between objects cleared, so that the heap can be walked at any time.
    pub(crate) fn checks(&self) -> bool {
        self.poison || self.sanity || self.faults || self.barriers || self.plain_words
    }
}
