//! The parts of the memory that a heap holds beside its live objects.

use crate::base::size::*;
use crate::base::{Failure, Outcome};
use crate::heap::Mutator;
use crate::report::Held;
use crate::runtime::Runtime;

impl Runtime {
    /// Checks that every block belongs to someone, and that the parts of what is held add up [report.inv.memory].
    pub(crate) fn audit(&mut self) -> Outcome<()> {
        self.store.blocks.audit()?;
        let figures = self.figures();
        let held = self.held(figures.overhead_bytes);
        let wholes = [
            ("fragmentation", figures.fragmentation_bytes),
            ("overhead", figures.overhead_bytes),
            ("free", figures.free_bytes),
        ];
        for (name, whole) in wholes {
            let parts: u64 = Held::parts_of(name).iter().map(|(_, _, bytes)| bytes(&held)).sum();
            if parts != whole {
                return Err(Failure::damaged(format_args!(
                    "the parts of {name} have {parts} bytes of {whole}"
                )));
            }
        }
        Ok(())
    }

    /// Parts of fragmentation, overhead and free memory. Walks the blocks of all generations.
    pub(crate) fn held(&self, overhead: u64) -> Held {
        let store = &self.store;
        let (blocks, depot) = (&store.blocks, &store.depot);
        let bytes = |words: usize| (words * WORD_BYTES) as u64;
        let gaps = store.gaps.words();
        let mut held = Held { gaps: bytes(gaps), ..Held::default() };
        let (mut between, mut ends, mut large, mut in_steps) = (0, 0, 0, 0);
        for step in store.all_generations().iter().flat_map(|generation| generation.live_steps()) {
            let filled: usize = step.blocks.iter().map(|group| group.words_free_to()).sum();
            between += filled.saturating_sub(step.live_words);
            ends += step.blocks.blocks * BLOCK_WORDS - filled;
            large += (step.large.blocks * BLOCK_WORDS).saturating_sub(step.large_words + step.pinned_words);
            in_steps += step.all_blocks();
        }
        (held.waste, held.ends, held.large_ends) =
            (bytes(between.saturating_sub(gaps)), bytes(ends), bytes(large));
        let of_mutator = |m: &Mutator| m.buffers.blocks() + m.nursery.blocks + m.pool.blocks.blocks;
        let buffers: usize = self.mutators.iter().map(|m| m.buffers.blocks()).sum();
        let entries: usize = store.all_generations().iter().map(|g| g.remembered.blocks()).sum();
        held.remembered = ((entries + buffers + depot.entry_blocks()) * BLOCK_BYTES) as u64;
        let of_mutators: usize = self.mutators.iter().map(|m| of_mutator(m)).sum();
        let shared = depot.chunk_blocks() + depot.pool_blocks() + depot.entry_blocks();
        let known = in_steps + of_mutators + shared + entries;
        held.aside = (blocks.used().saturating_sub(known) * BLOCK_BYTES) as u64;
        let taken = blocks.megablocks.taken() * BLOCKS_PER_MEGABLOCK;
        held.descriptors = ((taken - blocks.used() - blocks.free_blocks()) * BLOCK_BYTES) as u64;
        held.tables = overhead - held.remembered - held.descriptors;
        held.blocks = planted!(218, 0, (blocks.free_blocks() * BLOCK_BYTES) as u64);
        held.megablocks = (blocks.megablocks.held_free() * MEGABLOCK_BYTES) as u64;
        held
    }
}
