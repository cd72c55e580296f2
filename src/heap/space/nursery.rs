//! The nursery: where compiled code allocates by moving `hp`.
//!
//! The nursery is a list of chunks, each a block group inside one megablock, linked in the order in which they are
//! filled. The chunk being filled has its `free` brought up to date only when it is closed.

use crate::base::Addr;
use crate::base::size::*;
use crate::block::Block;
use crate::heap::mutator::area::Nursery;
use crate::heap::mutator::state::Mutator;
use crate::heap::space::generation::{Code, Place};
use crate::heap::space::poison::poison;
use crate::heap::space::store::Store;
use crate::megablock::side::Table;
use crate::os::shadow;

/// A trailing chunk smaller than this is not worth its bookkeeping, and `barrow_reserve` must fit into any chunk.
pub(super) const LEAST_CHUNK_BLOCKS: usize = MAX_RESERVE_WORDS * WORD_BYTES / BLOCK_BYTES;

/// Writes its place into a new group of the nursery or of a pool, whose descriptor has that of an earlier use.
pub(super) fn put_in_nursery(group: Block) {
    let mut fields = group.fields();
    fields.generation = planted!(483, fields.generation, Place::NURSERY.generation());
    fields.step = Place::NURSERY.step();
}

impl Store {
    /// Writes how far the current chunk is filled into its descriptor.
    pub fn close_nursery(&mut self, mutator: &mut Mutator) {
        if let Some(chunk) = mutator.nursery.current.some() {
            let hp = mutator.hp();
            debug_assert!(hp >= chunk.start() && hp <= chunk.end());
            chunk.fields().free = hp;
        }
    }

    /// Moves on to the next chunk. False when the nursery is exhausted.
    pub fn extend_nursery(&mut self, mutator: &mut Mutator) -> bool {
        self.close_nursery(mutator);
        if self.exhausted {
            return false;
        }
        let next = match mutator.nursery.current.some() {
            Some(chunk) => chunk.fields().link,
            None => mutator.nursery.first,
        };
        let next = if next.is_null() { self.take_chunk(mutator) } else { next };
        let Some(next) = next.some() else { return false };
        if next != mutator.nursery.first {
            // A program that has filled a chunk fills the next; one that needs little touches little. New objects have
            // a producer, but no biography before a collection.
            self.blocks.megablocks.populate(next.start(), next.end(), &[Table::Producer]);
        }
        if let Some(left) = mutator.nursery.current.some() {
            // A client's odd size is rounded up in a heap of even ones, so a word behind the last object may be copied.
            shadow::free(left.fields().free.plus_words(1), left.end());
        }
        shadow::hand_out(next.fields().free, next.end());
        let start = self.start_in(mutator, next);
        mutator.nursery.current = next;
        mutator.set_area(start, next.end());
        true
    }

    /// The address at which allocation begins in a chunk: behind the objects of another mutator, or at its beginning; and under stress in checking mode, in the
    /// first chunk, where it ended before the last collection, for a while. So a stale reference does not lead to the
    /// next object that is made, as it would when every allocation collects.
    fn start_in(&self, mutator: &mut Mutator, chunk: Block) -> Addr {
        let nursery = &mut mutator.nursery;
        let free = chunk.fields().free;
        let is_begun = free != chunk.start();
        if !self.nursery_wanders || chunk != nursery.first || is_begun || chunk.blocks() <= LEAST_CHUNK_BLOCKS
        {
            return free;
        }
        nursery.skipped = (nursery.used % BLOCK_WORDS) & !1;
        let start = chunk.start().plus_words(nursery.skipped);
        // SAFETY: the words lie in the chunk, which is empty; walks pass by zeros.
        unsafe { std::slice::from_raw_parts_mut(chunk.start().as_ptr::<usize>(), nursery.skipped) }.fill(0);
        start
    }

    /// Makes the nursery as large as wanted, as far as memory allows; it never shrinks below one chunk.
    /// The nursery is empty and closed.
    pub fn size_nursery(&mut self, mutator: &mut Mutator, blocks: usize) -> bool {
        let most = (self.nursery_chunk_blocks)
            .clamp(LEAST_CHUNK_BLOCKS, planted!(120, 2 * USABLE_BLOCKS, USABLE_BLOCKS));
        let chunk_blocks = self.first_chunk_blocks(blocks, most);
        if self.depot.are_chunks_to_change(chunk_blocks) {
            self.size_nursery_to_nothing(mutator);
        }
        let nursery = &mut mutator.nursery;
        let mut last = Block::NULL;
        let mut kept = 0;
        let mut next = nursery.first;
        while let Some(chunk) = next.some() {
            next = chunk.fields().link;
            if kept + chunk.blocks() <= blocks {
                kept += chunk.blocks();
                last = chunk;
                continue;
            }
            match last.some() {
                Some(last) => last.fields().link = next,
                None => nursery.first = next,
            }
            self.free_chunk(chunk);
        }
        while kept + LEAST_CHUNK_BLOCKS <= blocks || kept == 0 {
            let most = self.next_chunk_blocks(kept, blocks, chunk_blocks);
            let wanted = (blocks - kept.min(blocks)).clamp(LEAST_CHUNK_BLOCKS, most);
            let rest = blocks.saturating_sub(kept + LEAST_CHUNK_BLOCKS);
            // Smaller chunks find free parts of megablocks by themselves.
            let part = if chunk_blocks == USABLE_BLOCKS {
                planted!(215, None, self.blocks.alloc_between(LEAST_CHUNK_BLOCKS, wanted.min(rest)))
            } else {
                None
            };
            let group = part.or_else(|| self.blocks.alloc_group(wanted).ok());
            let Some(chunk) = group.or_else(|| self.smaller_chunk(wanted)) else { break };
            self.codes.set(chunk.start(), chunk.blocks(), Code::moving(Place::NURSERY).0);
            put_in_nursery(chunk);
            self.poison(chunk.start(), chunk.end());
            planted!(126, (), self.clear_sides(chunk.start(), chunk.end()));
            shadow::free(chunk.start(), chunk.end());
            match last.some() {
                Some(last) => last.fields().link = chunk,
                None => nursery.first = chunk,
            }
            last = chunk;
            kept += chunk.blocks();
        }
        nursery.blocks = planted!(423, kept.max(blocks), kept);
        self.take_turns(&mut mutator.nursery);
        kept > 0
    }

    /// Gives back the chunks that nothing was put into. Large objects count as allocated and fill no chunk, so there
    /// may be many; a collection that copies much needs as much memory as it copies, and finds it there. The nursery is
    /// closed, and is given its size again after the collection.
    pub fn give_back_idle_chunks(&mut self, mutator: &mut Mutator) {
        let nursery = &mut mutator.nursery;
        let Some(last) = nursery.current.some().or(nursery.first.some()) else { return };
        let mut next = std::mem::replace(&mut last.fields().link, Block::NULL);
        while let Some(chunk) = next.some() {
            next = chunk.fields().link;
            nursery.blocks -= chunk.blocks();
            self.free_chunk(chunk);
        }
    }

    /// A chunk of a shared heap where there is no room for a larger one.
    fn smaller_chunk(&mut self, wanted: usize) -> Option<Block> {
        let is_large = self.depot.is_shared && wanted > LEAST_CHUNK_BLOCKS;
        if is_large { self.blocks.alloc_group(LEAST_CHUNK_BLOCKS).ok() } else { None }
    }

    fn free_chunk(&mut self, chunk: Block) {
        planted!(237, (), self.codes.set(chunk.start(), chunk.blocks(), Code::NONE.0));
        self.blocks.free_group(chunk);
    }

    /// Gives the whole nursery back. It is empty and closed.
    pub fn size_nursery_to_nothing(&mut self, mutator: &mut Mutator) {
        let mut next = mutator.nursery.first;
        while let Some(chunk) = next.some() {
            next = chunk.fields().link;
            self.free_chunk(chunk);
        }
        mutator.nursery = Nursery::EMPTY;
        mutator.set_area(Addr::NULL, Addr::NULL);
    }

    /// Empties the nursery after a collection has saved live objects.
    pub fn reset_nursery(&mut self, mutator: &mut Mutator) {
        if let Some(first) = mutator.nursery.first.some() {
            mutator.nursery.used = first.words_free_to();
            mutator.nursery.skipped = 0;
        }
        for chunk in mutator.nursery.chunks() {
            self.poison(chunk.start(), chunk.fields().free);
            self.clear_young_sides(chunk.start(), chunk.fields().free);
            shadow::free(chunk.start(), chunk.end());
            planted!(29, (), chunk.fields().free = chunk.start());
        }
        self.set_chunks_aside(mutator);
        mutator.nursery.current = Block::NULL;
        mutator.set_area(Addr::NULL, Addr::NULL);
    }

    /// In checking mode, fills freed memory with a pattern that is no address.
    pub fn poison(&self, from: Addr, to: Addr) {
        if self.poisons {
            poison(from, to);
        }
    }
}
