//! The counts of a heap so far: collections, copies, pauses.

use crate::base::size::MAX_GENERATIONS;
use crate::gc::{Compaction, Cycle, Way};
use crate::os::clock::Nanos;

/// Pauses by their length: bucket i counts those below 2^i microseconds and not below half of that.
#[allow(unreachable_pub)] // of the header
pub const PAUSE_BUCKETS: usize = 32;

#[derive(Clone, Debug)]
pub struct Stats {
    pub born_wall: Nanos,
    pub born_cpu: Nanos,
    /// The last reading of the CPU clock, by the thread `clock_of`.
    pub last_cpu: Nanos,
    pub clock_of: u64,
    /// Number of collections for which the running stack was paused, including those that failed then.
    pub begun: u64,
    /// The number of collections when the other mutators were stopped last.
    pub before_stop: u64,
    pub collections: u64,
    pub major_collections: u64,
    /// Major collections that left old objects in place, and those that slid them together.
    pub left: u64,
    pub compactions: u64,
    /// The figures of the last compaction.
    pub compaction: Compaction,
    /// The counts by the oldest generation collected.
    pub by_generation: [GenerationStats; MAX_GENERATIONS],
    pub nursery_words: u64,
    pub copied_words: u64,
    pub gc_wall: Nanos,
    pub gc_cpu: Nanos,
    /// Time of heap profiles: writing samples and finding retainers. The collections that count for them are
    /// in `gc`.
    pub profile_wall: Nanos,
    pub profile_cpu: Nanos,
    /// The part of that time for finding retainers.
    pub retainer_wall: Nanos,
    pub retainer_cpu: Nanos,
    pub most_live_words: u64,
    pub sum_live_words_at_majors: u64,
    pub pauses: [u64; PAUSE_BUCKETS],
    pub longest_pause: Nanos,
    /// Times that a mutator has kept others still, the time that all of these waited for them, and the longest.
    pub stops: u64,
    pub stop_wall: Nanos,
    pub longest_stop: Nanos,
    /// The thread that came last in the longest; 0 for none.
    pub slowest_thread: u64,
    /// Stops by that time, in buckets as those of pauses.
    pub stop_waits: [u64; PAUSE_BUCKETS],
    /// The time that the stop which lasts now waited; 0 while there is none.
    pub this_stop: Nanos,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct GenerationStats {
    pub collections: u64,
    /// Collections in which workers took part.
    pub parallel: u64,
    pub wall: Nanos,
    pub cpu: Nanos,
    pub longest: Nanos,
}

impl Stats {
    pub fn new(wall: Nanos, cpu: Nanos, thread: u64) -> Stats {
        Stats {
            born_wall: wall,
            born_cpu: cpu,
            last_cpu: cpu,
            clock_of: thread,
            begun: 0,
            before_stop: 0,
            collections: 0,
            major_collections: 0,
            left: 0,
            compactions: 0,
            compaction: Compaction::default(),
            by_generation: [GenerationStats::default(); MAX_GENERATIONS],
            nursery_words: 0,
            copied_words: 0,
            gc_wall: Nanos(0),
            gc_cpu: Nanos(0),
            profile_wall: Nanos(0),
            profile_cpu: Nanos(0),
            retainer_wall: Nanos(0),
            retainer_cpu: Nanos(0),
            most_live_words: 0,
            sum_live_words_at_majors: 0,
            pauses: [0; PAUSE_BUCKETS],
            longest_pause: Nanos(0),
            stops: 0,
            stop_wall: Nanos(0),
            longest_stop: Nanos(0),
            slowest_thread: 0,
            stop_waits: [0; PAUSE_BUCKETS],
            this_stop: Nanos(0),
        }
    }

    /// Counts a stop of the other mutators, which took so long to be still, `last` longest of all; 0 when all were.
    pub fn stopped(&mut self, wall: Nanos, last: u64) {
        self.stops += 1;
        self.stop_wall += wall;
        self.stop_waits[bucket(wall)] += 1;
        self.this_stop = wall;
        if wall > self.longest_stop {
            self.longest_stop = wall;
            self.slowest_thread = planted!(312, 0, last);
        }
    }

    pub fn book(&mut self, cycle: &Cycle, is_parallel: bool, wall: Nanos, cpu: Nanos, live_words: u64) {
        self.collections += 1;
        self.copied_words += cycle.copied_words;
        self.gc_wall += wall;
        self.gc_cpu += cpu;
        let generation = &mut self.by_generation[cycle.oldest];
        generation.collections += 1;
        generation.parallel += planted!(571, 0, is_parallel as u64);
        generation.wall += wall;
        generation.cpu += cpu;
        generation.longest = generation.longest.max(wall);
        self.longest_pause = self.longest_pause.max(wall);
        self.pauses[bucket(wall)] += 1;
        self.left += cycle.as_it_was as u64;
        if cycle.way == Way::Slide {
            self.compactions += 1;
            self.compaction = cycle.compaction;
        }
        if cycle.major {
            self.major_collections += 1;
            self.most_live_words = self.most_live_words.max(live_words);
            self.sum_live_words_at_majors += live_words;
        }
    }
}

fn bucket(pause: Nanos) -> usize {
    let micros = pause.0 / 1000;
    ((u64::BITS - micros.leading_zeros()) as usize).min(PAUSE_BUCKETS - 1)
}
