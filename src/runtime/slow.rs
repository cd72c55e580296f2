//! The slow path's part of a runtime: refusals, the need for a collection, and the failure when there is no
//! room.

use crate::base::size::*;
use crate::base::{Failure, Outcome, Sentence, Status};
use crate::heap::mutator::counted_entry;
use crate::runtime::Runtime;

/// The reasons why every allocation comes to the slow path: bits of `SlowPath::each_allocation`.
pub(crate) mod each {
    /// A heap profile that notes the places in the code that allocate.
    pub(crate) const SITES: u8 = 1;
    /// A space profile that counts each allocation.
    pub(crate) const SPACE: u8 = 2;
    /// `--faults`, which tells who made an object.
    pub(crate) const FAULTS: u8 = 4;
}

/// State of the slow path.
#[derive(Default)]
pub(crate) struct SlowPath {
    /// Allocations that came here.
    pub trips: u64,
    /// The profilers that want every allocation to come here, as bits of `each`.
    pub each_allocation: u8,
}

impl Runtime {
    /// Sends every allocation to the slow path for this reason, or no longer.
    pub fn watch_each_allocation(&mut self, who: u8, wanted: bool) {
        self.slow.each_allocation =
            if wanted { self.slow.each_allocation | who } else { self.slow.each_allocation & !who };
        let (always_slow, counted) = (self.always_slow(), self.counted_entry());
        for mutator in self.mutators.iter_mut() {
            mutator.always_slow = always_slow;
            mutator.window.counted = counted;
            mutator.show_limit();
        }
    }

    /// Whether every allocation has to come to the slow path.
    pub fn always_slow(&self) -> bool {
        self.flags.stress_every != 0 || self.slow.each_allocation != 0
    }

    /// The function that `barrow_try_alloc` calls for a counted allocation; null for none.
    pub(crate) fn counted_entry(&self) -> *const std::ffi::c_void {
        if self.slow.each_allocation & each::SPACE != 0 { counted_entry::address() } else { std::ptr::null() }
    }

    /// The failure when there is still no room after a collection.
    pub(crate) fn nothing_left(&self) -> Failure {
        let live = (self.live_words() * WORD_BYTES) >> 20;
        Failure::new(
            Status::Limit,
            format_args!(
                "{live} MiB are live, and the rest of the memory cannot hold a nursery and the copies of the next collection"
            ),
        )
    }

    pub fn refuse_while_busy(&self) -> Outcome<()> {
        Runtime::refuse_in_callbacks(self.ending, self.busy.is_set())
    }

    /// Refuses a call that comes from a callback of a heap which is `ending`, or else `busy`.
    pub(crate) fn refuse_in_callbacks(ending: bool, busy: bool) -> Outcome<()> {
        if ending {
            return Err(Failure::state(format_args!(
                "the heap is being freed: finalizers that run now must not use it"
            )));
        }
        if busy {
            return Err(Failure::state(format_args!(
                "a collection is running: callbacks must not allocate, collect or change the heap"
            )));
        }
        Ok(())
    }

    /// Whether pools and large objects have taken so much that a collection is due (`doYouWantToGC`).
    pub fn wants_collection(&self) -> bool {
        self.store.allocated_blocks >= planted!(174, usize::MAX, self.allocated_blocks_limit())
    }

    /// Blocks that pools and large objects may take before a collection: half a nursery, so that both
    /// together do not hold much more than the nursery is meant to.
    pub fn allocated_blocks_limit(&self) -> usize {
        self.growth.nursery_blocks / 2
    }

    /// Megablocks by which `allocate`, which cannot collect, may exceed the limit: a sixteenth, and at
    /// least 4.
    pub fn slack_megablocks(&self) -> usize {
        self.flags.heap_limit_bytes.map_or(0, |limit| (limit / 16 / MEGABLOCK_BYTES).max(planted!(148, 0, 4)))
    }

    pub(crate) fn refuse_absurd(&self, words: usize) -> Outcome<()> {
        if words == 0 || words > MAX_OBJECT_WORDS {
            return Err(Failure::argument(format_args!("{words} words are no possible size of an object")));
        }
        Ok(())
    }

    /// Refuses what the forms in line would take as it is, and what would then overlap the next object.
    pub(crate) fn refuse_less_than_an_object(&self, words: usize) -> Outcome<()> {
        if words == 1 {
            return Err(Failure::argument(format_args!(
                "an object has {MIN_OBJECT_WORDS} words at least, its header and one more, and this one would have 1: barrow_alloc takes \
                 as many as it is told"
            )));
        }
        Ok(())
    }

    /// The failure when there is no memory, with the words asked for, the bytes held, and the limit.
    pub fn overflow_failure(&self, words: usize, cause: &Failure) -> Failure {
        let megablocks = &self.store.blocks.megablocks;
        let held = megablocks.taken();
        let asked = words.saturating_mul(WORD_BYTES);
        let limit = match self.flags.heap_limit_bytes {
            None => Sentence::new(format_args!("none")),
            Some(bytes) => Sentence::new(format_args!("{} MiB", bytes >> 20)),
        };
        let remedy = match megablocks.range_used_up() {
            None => Sentence::EMPTY,
            Some(bytes) => Sentence::new(format_args!(
                "; the reserved range of {} MiB of addresses is full, copies of the next collection included: -xr<size> \
                 reserves more, --source=chunks needs none",
                bytes >> 20
            )),
        };
        let (cause_told, setter) =
            (cause.sentence, if self.flags.heap_limit_bytes.is_some() { " (-M)" } else { "" });
        Failure::new(
            cause.status,
            format_args!(
                "heap overflow: {asked} bytes asked, {held} MiB held, limit {limit}{setter}: {cause_told}{remedy}"
            ),
        )
    }
}
