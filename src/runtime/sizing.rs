//! Sizing after a collection: the sizes that the heap may grow to before the next one, and the memory kept
//! for it.

use crate::base::decimal::Short;
use crate::base::size::*;
use crate::base::{Failure, Outcome, Status};
use crate::block::Block;
use crate::gc::Cycle;
use crate::heap::Mutator;
use crate::runtime::Runtime;
use crate::runtime::growth::Growth;

/// The smallest nursery: 64 KiB.
const LEAST_NURSERY_BLOCKS: usize = 64 * 1024 / BLOCK_BYTES;

impl Runtime {
    /// Notes how the memory was used before a collection. Where large objects made it due, as much of the nursery as was filled
    /// and a quarter is enough, until a nursery is filled again.
    pub(crate) fn note_filled(&mut self, mutator: &Mutator, allocated_words: u64) {
        let objects = self.old_blocks() + mutator.nursery.blocks + mutator.pool.blocks.blocks;
        self.growth.remembered_blocks = self.store.blocks.used().saturating_sub(objects);
        let filled = allocated_words as usize / BLOCK_WORDS;
        let is_due = !self.growth.nursery_is_fixed && self.wants_collection();
        self.growth.enough_nursery_blocks = if is_due { filled + filled / 4 } else { usize::MAX };
    }

    pub(crate) fn learn_from(&mut self, cycle: &Cycle, mutator: &mut Mutator) {
        let fillers = self.store.depot.take_fillers(mutator);
        if self.store.depot.is_shared {
            self.store.share_among(fillers);
            self.growth.be_filled_by(fillers.min(self.store.workers.processors()));
        }
        let old_blocks = self.old_blocks() - self.gap_blocks(self.store.oldest());
        if cycle.major {
            self.external.since_major = 0;
            self.growth.compacts_next = self.should_compact(old_blocks);
            self.growth.fit(old_blocks);
            self.size_old_generations(self.live_blocks());
        } else {
            self.growth.learn(cycle.nursery_words, cycle.copied_words, old_blocks);
        }
        self.growth.peak_blocks = self.store.blocks.megablocks.most_taken() * BLOCKS_PER_MEGABLOCK;
    }

    fn old_blocks(&self) -> usize {
        self.store.all_generations().iter().map(|g| g.all_blocks()).sum()
    }

    /// Blocks that the objects of old generations would fill, which live when everything has just been collected.
    fn live_blocks(&self) -> usize {
        let steps = self.store.all_generations().iter().flat_map(|generation| generation.live_steps());
        steps.map(|step| step.live_words.div_ceil(BLOCK_WORDS) + step.large.blocks).sum()
    }

    /// Blocks of gaps that objects will fill, in one generation.
    pub(crate) fn gap_blocks(&self, generation: usize) -> usize {
        if generation == self.store.oldest() { self.store.gaps.words() / BLOCK_WORDS } else { 0 }
    }

    /// Whether the next major collection needs no room for copies of the oldest generation.
    fn stays_in_place(&self) -> bool {
        self.growth.compacts_next || self.growth.leaves
    }

    /// Whether the next major collection compacts (`-c`) when this many blocks are live.
    pub fn should_compact(&self, live_blocks: usize) -> bool {
        let share = |limit: usize| (limit / BLOCK_BYTES) as f64 * self.flags.compact_percent / 100.0;
        self.flags.compact_always
            || self.flags.heap_limit_bytes.is_some_and(|limit| planted!(170, false, live_blocks as f64 > share(limit)))
            // Live objects and their copies together would not fit into the machine's memory.
            || live_blocks > self.soft_limit_bytes() / BLOCK_BYTES / 2
    }

    /// Opens a nursery of the wanted size, or of the largest for which the next collection would have room.
    /// Fails, and leaves the nursery closed, when no size fits. A large object that this collection is to make room for
    /// comes first [runtime.sizing.large].
    pub fn size_everything(&mut self, mutator: &mut Mutator, last_resort: bool) -> Outcome<()> {
        let held = self.hold_for_large(planted!(219, 0, mutator.large_words));
        let outcome = self.size_beside_large(mutator, last_resort);
        if let Some(group) = held {
            self.store.blocks.free_group(group);
        }
        outcome
    }

    /// The blocks of the large object that the caller wants, when there are as many side by side.
    fn hold_for_large(&mut self, words: usize) -> Option<Block> {
        let blocks = blocks_for_bytes(words * WORD_BYTES);
        if blocks == 0 { None } else { self.store.blocks.alloc_group(blocks).ok() }
    }

    fn size_beside_large(&mut self, mutator: &mut Mutator, last_resort: bool) -> Outcome<()> {
        self.store.exhausted = false;
        let mut outcome = if last_resort { self.refuse_a_heap_too_full() } else { Ok(()) };
        if outcome.is_ok() {
            outcome = self.open_nursery(mutator, last_resort);
            if outcome.is_err() && last_resort && !self.growth.compacts_next {
                // With compaction, live objects need no room for copies.
                self.growth.compacts_next = true;
                self.size_old_generations(self.live_blocks());
                outcome = self.open_nursery(mutator, last_resort);
            }
        }
        if outcome.is_err() {
            self.store.exhausted = true;
            mutator.set_area(crate::base::Addr::NULL, crate::base::Addr::NULL);
        }
        outcome
    }

    fn open_nursery(&mut self, mutator: &mut Mutator, last_resort: bool) -> Outcome<()> {
        let wanted = self.wanted_nursery();
        let mut nursery = wanted;
        loop {
            // The nursery comes first: memory kept for the next collection counts as gone, and a nursery that
            // found too little would be small without need. It may still be smaller than asked for.
            let fits = if self.store.size_nursery(mutator, nursery) {
                let blocks = mutator.nursery.blocks;
                self.keep_for_next(blocks).map(|()| blocks)
            } else {
                Err(no_nursery(nursery))
            };
            let failure = match fits {
                Ok(blocks) => {
                    self.growth.nursery_in_force = blocks;
                    break;
                }
                Err(failure) => failure,
            };
            // The old generations are collected before the nursery becomes much smaller than wanted.
            if nursery <= LEAST_NURSERY_BLOCKS || (!last_resort && nursery < wanted / 2) {
                return Err(failure);
            }
            nursery = (nursery / 2).max(LEAST_NURSERY_BLOCKS);
        }
        self.store.extend_nursery(mutator);
        Ok(())
    }

    /// Fails when a heap is nearly full after everything was collected (`-m`): it would be collected again
    /// and again.
    fn refuse_a_heap_too_full(&self) -> Outcome<()> {
        let Some(limit) = self.flags.heap_limit_bytes else { return Ok(()) };
        let limit = limit / BLOCK_BYTES;
        let free = limit.saturating_sub(self.old_blocks());
        if (free as f64) >= planted!(168, 0.0, limit as f64 * self.flags.free_percent / 100.0) {
            return Ok(());
        }
        Err(Failure::new(
            Status::Limit,
            format_args!(
                "after collecting everything, {} KiB of the {} KiB that -M allows are free, less than the {} % of -m",
                free * BLOCK_BYTES / 1024,
                limit * BLOCK_BYTES / 1024,
                Short(self.flags.free_percent)
            ),
        ))
    }

    fn wanted_nursery(&self) -> usize {
        let old_blocks = self.old_blocks();
        let enough = self.growth.enough_nursery_blocks.max(self.growth.least_nursery_blocks);
        let hinted = self.hinted_nursery(old_blocks);
        let mut nursery = self.growth.nursery_blocks.min(enough).max(hinted);
        if self.store.oldest() == 0 {
            // With one generation, the whole heap is collected each time, so it has to grow in between.
            nursery = nursery.max(self.store.generations[0].max_blocks.saturating_sub(old_blocks));
        }
        // A hint is memory that may be used anyway, whatever the factor says.
        let below_factor = self.room_below_factor(old_blocks).max(planted!(594, 0, hinted));
        let nursery = nursery.max(planted!(687, 0, self.store.least_for_all()));
        nursery.min(self.room_for_nursery(old_blocks)).min(below_factor)
    }

    /// Blocks of a nursery that has room, with copies of all of it and as much remembered as last time, below the size that
    /// the oldest generation may grow to. It is never less than the smallest nursery.
    fn room_below_factor(&self, old_blocks: usize) -> usize {
        let growth = &self.growth;
        if !growth.leaves || growth.nursery_is_fixed {
            return usize::MAX;
        }
        let oldest = self.store.oldest();
        let used = old_blocks - self.gap_blocks(oldest) + growth.remembered_blocks;
        let free = self.store.generations[oldest].max_blocks.saturating_sub(used);
        (free / 2).max(growth.least_nursery_blocks)
    }

    /// Keeps memory for the copies of the next collection, as if all objects lived. Where old objects stay in their
    /// place they need none: everything younger is provided for, which is a full nursery, the aging objects beside it,
    /// pools, and the generations between.
    fn keep_for_next(&mut self, nursery_blocks: usize) -> Outcome<()> {
        let young = (nursery_blocks + nursery_blocks / 2) * BLOCK_WORDS;
        let open = crate::gc::cycle::open_groups(&self.store);
        if !self.stays_in_place() {
            let old: usize =
                self.store.all_generations().iter().flat_map(|g| g.live_steps()).map(|s| s.live_words).sum();
            // Young objects count twice: they are copied by a minor collection, and again when a major one
            // must follow.
            return self.store.blocks.keep_for_later(planted!(145, 0, old + 2 * young), 2 * open);
        }
        if self.store.oldest() == 0 {
            return self.store.blocks.keep_for_later(0, 0);
        }
        let younger = &self.store.generations[..self.store.oldest()];
        let aged: usize = younger.iter().flat_map(|g| g.live_steps()).map(|s| s.live_words).sum();
        self.store.blocks.keep_for_later(planted!(146, 0, aged + young), open)
    }

    pub(crate) fn return_memory(&mut self, major: bool) {
        if major {
            let kept = self.old_blocks() as f64 * self.flags.keep_percent / 100.0;
            let keep = planted!(169, usize::MAX / 2, kept as usize + self.growth.nursery_in_force);
            self.store.blocks.release_above(keep / BLOCKS_PER_MEGABLOCK + 2);
        }
    }

    /// Lets old generations grow to a multiple of their live blocks, but no further than they can be
    /// collected within the limit: so the factor falls as live blocks approach it.
    fn size_old_generations(&mut self, live_blocks: usize) {
        self.growth.lived_blocks = live_blocks;
        let grown = Growth::without_descriptors(self.growth.grown(live_blocks));
        let mut most = grown.max(self.growth.least_old_blocks);
        let room = (self.soft_limit_bytes() / BLOCK_BYTES).saturating_sub(self.growth.nursery_blocks * 2);
        // During a copying collection the heap and the copies of its live objects are there together.
        let copied = if self.stays_in_place() { 0 } else { live_blocks };
        let used = self.old_blocks() - self.gap_blocks(self.store.oldest());
        most = most.min(room.saturating_sub(copied)).max(used + used / 16 + 1);
        let count = self.store.generation_count;
        for number in 0..count {
            self.store.generations[number].max_blocks = most;
        }
    }

    /// Bytes that the heap should not exceed: its limit, or else four fifths of the machine's memory.
    fn soft_limit_bytes(&self) -> usize {
        let machine = self.limits.physical - self.limits.physical / 5;
        self.flags.heap_limit_bytes.map_or(machine, |limit| limit.min(machine))
    }

    /// Blocks of the nursery that fills the rest of the hinted size (`-H`).
    fn hinted_nursery(&self, old_blocks: usize) -> usize {
        let hint = if self.flags.heap_hint_follows_peak {
            self.growth.peak_blocks
        } else {
            self.flags.heap_hint_bytes / BLOCK_BYTES
        };
        hint.saturating_sub(old_blocks * 2) / planted!(171, 1 << 40, 2)
    }

    fn room_for_nursery(&self, old_blocks: usize) -> usize {
        let Some(limit) = self.flags.heap_limit_bytes else { return usize::MAX };
        let times = if self.stays_in_place() { 1 } else { 2 };
        let free = (limit / BLOCK_BYTES).saturating_sub(old_blocks * times);
        // Young objects are copied, except where everything is compacted each time.
        let share = if self.growth.compacts_next && self.store.oldest() == 0 { 2 } else { 4 };
        (free / share).max(LEAST_NURSERY_BLOCKS)
    }

    fn limit_megablocks(&self) -> usize {
        self.flags
            .heap_limit_bytes
            .map_or(usize::MAX / BLOCKS_PER_MEGABLOCK / 2, |limit| limit / MEGABLOCK_BYTES)
    }

    /// Objects that `allocate` placed above the limit have to be copied as well.
    pub(crate) fn ceiling_while_collecting(&self) -> usize {
        self.limit_megablocks() + 2 * self.slack_megablocks()
    }

    /// Sets the limit in force, with a grace in megablocks.
    pub fn set_ceiling(&mut self, grace: usize) {
        let limit = self.limit_megablocks();
        self.store.blocks.set_ceiling(planted!(167, 2 * limit, limit) + grace);
    }
}

fn no_nursery(blocks: usize) -> Failure {
    Failure::new(
        Status::Limit,
        format_args!("no memory for a nursery of {} KiB", blocks * BLOCK_BYTES / 1024),
    )
}
