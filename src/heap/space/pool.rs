//! `allocate`: objects made by calls, in a pool for small ones and in groups of their own for large ones.
//! It never collects.

use crate::base::size::*;
use crate::base::{Addr, Outcome};
use crate::block::Block;
use crate::block::descriptor::flag;
use crate::heap::mutator::state::Mutator;
use crate::heap::space::generation::{Code, Place};
use crate::heap::space::nursery::put_in_nursery;
use crate::heap::space::store::Store;

impl Store {
    /// Memory for an object of `words` words, which the caller fills before the next safepoint.
    pub fn allocate(&mut self, mutator: &mut Mutator, words: usize) -> Outcome<Addr> {
        let words = self.rounded(words);
        if words > LARGE_OBJECT_WORDS {
            return self.allocate_large(words);
        }
        let pool = &mut mutator.pool;
        if pool.limit.words_since(pool.next) < words {
            let block = self.blocks.alloc_group(1)?;
            self.codes.set(block.start(), 1, Code::moving(Place::NURSERY).0);
            put_in_nursery(block);
            self.clear_sides(block.start(), block.end());
            pool.close();
            pool.blocks.push(block);
            pool.next = block.start();
            pool.limit = block.end();
            self.count_allocated(1);
        }
        let at = pool.next;
        pool.next = at.plus_words(words);
        self.pool_words += words as u64;
        Ok(at)
    }

    /// As `allocate`, as long as the newest block of the pool has room.
    #[inline]
    pub fn allocate_in_pool(&mut self, mutator: &mut Mutator, words: usize) -> Option<Addr> {
        let words = self.rounded(words);
        let pool = &mut mutator.pool;
        if words > LARGE_OBJECT_WORDS || pool.limit.words_since(pool.next) < words {
            return None;
        }
        let at = pool.next;
        pool.next = at.plus_words(words);
        self.pool_words += words as u64;
        Some(at)
    }

    /// A group of its own for one object, which never moves.
    pub fn allocate_large(&mut self, words: usize) -> Outcome<Addr> {
        let blocks = blocks_for_bytes(words * WORD_BYTES);
        let group = self.blocks.alloc_group(blocks)?;
        self.own_group(group, flag::LARGE, Place::NURSERY);
        group.fields().free = group.start().plus_words(words);
        // A header of zero says "not filled yet" to code that looks before the client has written it.
        // SAFETY: the group is ours and has at least one block.
        unsafe { group.start().store(0) };
        self.clear_side(group.start());
        let step = &mut self.generations[0].steps[0];
        step.large.push(group);
        step.large_words += words;
        self.large_words_allocated += words as u64;
        self.count_allocated(group.blocks());
        Ok(group.start())
    }

    /// Ends an object that does not move at `end`. When it has a group of its own, it counts so from now on, and the
    /// next major collection gives back the blocks behind.
    pub fn ends_at(&mut self, object: Addr, end: Addr, place: Place) {
        let group = Block::of(object).head();
        if !group.has(flag::LARGE) {
            return;
        }
        let mut fields = group.fields();
        let step = &mut self.generations[place.generation() as usize].steps[place.step() as usize];
        planted!(238, (), step.large_words -= fields.free.words_since(end));
        fields.free = end;
    }

    /// Marks a new group as one in which objects do not move.
    pub(crate) fn own_group(&mut self, group: Block, flags: u16, place: Place) {
        let mut fields = group.fields();
        fields.flags |= flags;
        fields.generation = place.generation();
        fields.step = place.step();
        self.codes.set(group.start(), group.blocks(), Code::fixed(place).0);
    }

    fn count_allocated(&mut self, blocks: usize) {
        self.allocated_blocks += blocks;
    }
}
