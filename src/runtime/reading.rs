//! Readings of a runtime for its profilers: its time, the words allocated by calls, the code of an address.

use crate::base::size::WORD_BYTES;
use crate::os::clock::Nanos;
use crate::os::thread::current_thread;
use crate::runtime::Runtime;

impl Runtime {
    /// Books the words that compiled code has bumped, so that the rows are up to date.
    pub fn book_everything(&mut self) {
        for mutator in self.mutators.iter_mut() {
            mutator.book();
        }
    }

    /// Words that `allocate` and its like have allocated so far, outside of any area that `hp` moves
    /// through.
    pub fn words_made_by_calls(&self) -> u64 {
        self.store.pool_words + self.store.large_words_allocated
    }

    /// CPU time of the program itself in nanoseconds, without collections and profiles.
    pub fn mutator_ns(&self, cpu: Nanos) -> u64 {
        let stats = &self.stats;
        cpu.since(stats.born_cpu).0.saturating_sub(stats.gc_cpu.0 + stats.profile_cpu.0)
    }

    /// The program's own CPU time at this moment, in seconds.
    pub fn mutator_seconds(&self) -> f64 {
        self.mutator_ns(self.cpu_clock()) as f64 / 1e9
    }

    pub fn allocated_bytes_now(&mut self) -> u64 {
        let mut words = self.stats.nursery_words + self.store.pool_words + self.store.large_words_allocated;
        self.close_nurseries();
        words += self.nursery_words_now();
        words * WORD_BYTES as u64
    }

    /// Writes how far the chunks are filled that mutators fill now; other threads' mutators that may run keep that to
    /// themselves.
    pub(crate) fn close_nurseries(&mut self) {
        let here = current_thread();
        for index in 0..self.mutators.len() {
            let mutator = &mut self.mutators[index];
            if self.gate.is_null() || mutator.thread == here {
                self.store.close_nursery(mutator);
            }
        }
    }

    /// Words in nurseries, and in what was handed over of them. Of another thread that runs, those in the chunk that it
    /// fills are not counted before it opens the next.
    pub(crate) fn nursery_words_now(&self) -> u64 {
        let own: usize = self.mutators.iter().map(|m| m.nursery.allocated_words()).sum();
        (own + self.store.depot.filled_words()) as u64
    }
}
