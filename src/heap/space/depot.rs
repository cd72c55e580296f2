//! Memory between mutators, in a heap that takes several: chunks of the nursery with room for one of them, and all that
//! mutators have handed over, which a collection takes as its own mutator's.
//!
//! A mutator takes one chunk at a time, and has none after others were stopped, so one that waits holds nothing. A chunk that it has
//! begun to fill waits for the next one that goes on there.

use crate::base::Addr;
use crate::base::size::BLOCK_BYTES;
use crate::block::{Block, Chain};
use crate::heap::mutator::area::{Nursery, SmallPool};
use crate::heap::mutator::state::Mutator;
use crate::heap::space::nursery::LEAST_CHUNK_BLOCKS;
use crate::heap::space::store::Store;

/// Bytes of a small chunk: so many that going for one costs little, and so few that the chunks of a nursery are enough for many.
const CHUNK_BYTES: usize = 64 << 10;
/// The part of a nursery that each mutator has in one chunk, where that is more. An eighth of the nursery is small chunks, which are
/// taken last, so that little is left of one chunk when another mutator finds no more.
const CHUNKS_EACH: usize = 8;

/// Mutators that find a chunk each, however small a nursery was asked for.
const MOST_WITH_A_CHUNK: usize = 16;

/// Chunks that are filled by turns at least.
const LEAST_TURNS: usize = 4;

/// Shelves for chunks that nobody has opened: a mutator takes from its own as long as there are any.
const SHELVES: usize = 8;

/// Chunks that nothing was put into yet: large ones, and small ones. Each lies on the shelf of the mutator that filled it last, in whose
/// processor's cache it may still be; its descriptor's `aux` is the number of the shelf.
struct Unopened {
    shelves: [[Chain; SHELVES]; 2],
    /// Whether all lie on one shelf, and are taken by turns: with stress in checking mode, so that a stale reference does not lead to the
    /// next object that is made, as it would when every allocation collects.
    by_turns: bool,
}

impl Unopened {
    const EMPTY: Unopened = Unopened { shelves: [[Chain::EMPTY; SHELVES]; 2], by_turns: false };

    fn push(&mut self, chunk: Block) {
        let is_small = planted!(454, false, chunk.blocks() <= small_chunk_blocks());
        let shelf = if self.by_turns { 0 } else { chunk.fields().aux % SHELVES };
        self.shelves[is_small as usize][shelf].push(chunk);
    }

    /// Takes a chunk for the mutator of a shelf: from another shelf when that one is empty.
    fn take(&mut self, shelf: usize) -> Option<Block> {
        let first = planted!(426, 0, shelf);
        let from = |shelves: &mut [Chain; SHELVES]| {
            (0..SHELVES).find_map(|step| shelves[(first + step) % SHELVES].pop())
        };
        let chunk = self.shelves.iter_mut().find_map(from)?;
        chunk.fields().aux = shelf;
        Some(chunk)
    }

    fn take_all(&mut self) -> Chain {
        let mut all = Chain::EMPTY;
        self.shelves.as_flattened_mut().iter_mut().for_each(|shelf| all.prepend(shelf.take()));
        // As they were put back, from the first to the last.
        if self.by_turns { all.reversed() } else { all }
    }

    fn blocks(&self) -> usize {
        self.shelves.as_flattened().iter().map(|shelf| shelf.blocks).sum()
    }
}

fn small_chunk_blocks() -> usize {
    (CHUNK_BYTES / BLOCK_BYTES).max(LEAST_CHUNK_BLOCKS)
}

pub(crate) struct Depot {
    /// Whether the heap takes several mutators. If not, nothing ever lies here.
    pub(crate) is_shared: bool,
    /// The mutators, rounded up, that are expected to fill the nursery.
    sharers: usize,
    /// Blocks of most chunks; 0 before there are any.
    laid: usize,
    /// The chunk with which the nursery began last, where chunks are filled by turns.
    began_with: Block,
    unopened: Unopened,
    /// Chunks that mutators have handed over with the room of a new area behind their objects.
    begun: Chain,
    /// Full chunks, and blocks of pools, that mutators have handed over.
    filled: Chain,
    pool: Chain,
    /// Groups of entries that mutators have remembered.
    entries: Chain,
    /// How many mutators have handed over objects of the nursery since somebody asked, and the number of that question, which
    /// each of them has.
    fillers: usize,
    asked: u64,
}

impl Depot {
    pub(crate) const EMPTY: Depot = Depot {
        is_shared: false,
        sharers: 1,
        laid: 0,
        began_with: Block::NULL,
        unopened: Unopened::EMPTY,
        begun: Chain::EMPTY,
        filled: Chain::EMPTY,
        pool: Chain::EMPTY,
        entries: Chain::EMPTY,
        fillers: 0,
        asked: 1,
    };

    /// Whether chunks are to be of so many blocks that those which are there are given back for them: half of theirs, which lets more
    /// mutators have some, or four times as many. They are laid out so then.
    pub(super) fn are_chunks_to_change(&mut self, blocks: usize) -> bool {
        let changes = self.is_shared && (self.laid >= 2 * blocks || self.laid <= blocks / 4);
        if changes {
            self.laid = blocks;
        }
        changes
    }

    /// Groups of objects that mutators have handed over.
    pub(crate) fn groups(&self) -> impl Iterator<Item = Block> {
        self.begun.iter().chain(self.filled.iter()).chain(self.pool.iter())
    }

    /// Words of objects in what was handed over from nurseries.
    pub(crate) fn filled_words(&self) -> usize {
        self.begun.iter().chain(self.filled.iter()).map(|chunk| chunk.words_free_to()).sum()
    }

    /// Words of objects in what was handed over from pools.
    pub(crate) fn pool_words(&self) -> usize {
        self.pool.iter().map(|block| block.words_free_to()).sum()
    }

    /// Blocks of chunks.
    pub(crate) fn chunk_blocks(&self) -> usize {
        self.unopened.blocks() + self.begun.blocks + self.filled.blocks
    }

    /// Blocks of pools.
    pub(crate) fn pool_blocks(&self) -> usize {
        self.pool.blocks
    }

    /// How many mutators have filled the nursery since this was asked, the one that collects beside those that have handed over.
    pub(crate) fn take_fillers(&mut self, collects: &mut Mutator) -> usize {
        self.fills(collects);
        self.asked += 1;
        std::mem::take(&mut self.fillers)
    }

    /// Counts a mutator that fills the nursery, once, however often others are stopped between two collections.
    fn fills(&mut self, mutator: &mut Mutator) {
        let counted = std::mem::replace(&mut mutator.counted_as_filler, self.asked);
        self.fillers += usize::from(planted!(553, true, counted != self.asked));
    }

    /// Takes a chunk from a mutator, for the next one or for the next collection.
    fn take_back(&mut self, chunk: Block) {
        let free = chunk.fields().free;
        let room = planted!(697, 0, chunk.end().bytes_since(free));
        if free == chunk.start() {
            self.unopened.push(chunk);
        } else if room >= LEAST_CHUNK_BLOCKS * BLOCK_BYTES {
            self.begun.push(chunk);
        } else {
            self.filled.push(chunk);
        }
    }

    pub(crate) fn entry_blocks(&self) -> usize {
        self.entries.blocks
    }

    /// Whether the heap has no nursery yet, or none any more.
    pub(crate) fn has_no_chunks(&self) -> bool {
        self.chunk_blocks() == 0
    }
}

impl Store {
    /// Prepares for several mutators.
    pub(crate) fn be_shared(&mut self) {
        self.depot.is_shared = true;
        self.depot.unopened.by_turns = planted!(672, false, self.nursery_wanders);
        self.nursery_wanders = false;
    }

    /// Has an empty nursery begin with another chunk than the last time, where chunks are filled by turns.
    pub(super) fn take_turns(&mut self, nursery: &mut Nursery) {
        if !self.depot.unopened.by_turns {
            return;
        }
        if nursery.first == self.depot.began_with {
            let mut chunks = Chain { first: nursery.first, blocks: nursery.blocks };
            let Some(first) = chunks.pop() else { return };
            let mut last = Chain::EMPTY;
            last.push(first);
            last.prepend(chunks);
            nursery.first = last.first;
        }
        self.depot.began_with = planted!(694, Block::NULL, nursery.first);
    }

    /// Blocks of a nursery in which each of the mutators that fill it finds a chunk: with fewer, one that comes to the nursery would
    /// make a collection due while next to nothing is filled. Some, where chunks are filled by turns.
    pub(crate) fn least_for_all(&self) -> usize {
        let least = if self.depot.unopened.by_turns { planted!(693, 1, LEAST_TURNS) } else { 1 };
        let sharers = self.depot.sharers.clamp(least, MOST_WITH_A_CHUNK);
        if sharers > 1 { sharers * small_chunk_blocks() } else { 0 }
    }

    /// Has the next nursery cut for so many mutators.
    pub(crate) fn share_among(&mut self, mutators: usize) {
        self.depot.sharers = mutators.max(1).next_power_of_two();
    }

    /// Blocks of the chunks with which a nursery of so many begins, when chunks are to have `most` at most.
    pub(super) fn first_chunk_blocks(&self, nursery_blocks: usize, most: usize) -> usize {
        if !self.depot.is_shared {
            return most;
        }
        let each = nursery_blocks / planted!(453, 1, self.depot.sharers * CHUNKS_EACH);
        each.max(small_chunk_blocks()).min(most)
    }

    /// Blocks of the chunk behind so many of a nursery of `blocks`, which began with chunks of `first`.
    pub(super) fn next_chunk_blocks(&self, kept: usize, blocks: usize, first: usize) -> usize {
        let is_last_part = self.depot.is_shared && kept >= blocks - blocks / 8;
        if is_last_part { first.min(small_chunk_blocks()) } else { first }
    }

    /// Takes a chunk that somebody has begun to fill, or that nobody has opened, and puts it behind a mutator's own.
    pub(super) fn take_chunk(&mut self, mutator: &mut Mutator) -> Block {
        let Some(chunk) = self.depot.begun.pop().or_else(|| self.depot.unopened.take(mutator.shelf)) else {
            return Block::NULL;
        };
        chunk.fields().link = Block::NULL;
        let nursery = &mut mutator.nursery;
        match nursery.current.some() {
            Some(last) => last.fields().link = chunk,
            None => nursery.first = chunk,
        }
        nursery.blocks += chunk.blocks();
        chunk
    }

    /// Leaves a mutator the chunk that it fills, and puts all others where mutators find them. A mutator that fills none, after a stop
    /// that was no collection, keeps none: its area ends before its chunk does.
    pub(crate) fn share_chunks(&mut self, mutator: &mut Mutator) {
        self.close_nursery(mutator);
        let current = mutator.nursery.current.some();
        let kept = current.filter(|chunk| planted!(554, true, mutator.limit == chunk.end()));
        self.take_chunks_back(mutator, kept.unwrap_or(Block::NULL));
    }

    fn take_chunks_back(&mut self, mutator: &mut Mutator, kept: Block) {
        let Nursery { first, blocks, .. } = std::mem::replace(&mut mutator.nursery, Nursery::EMPTY);
        let mut chunks = Chain { first, blocks };
        while let Some(chunk) = chunks.pop() {
            if chunk == kept {
                chunk.fields().link = Block::NULL;
                mutator.nursery =
                    Nursery { first: chunk, current: chunk, blocks: chunk.blocks(), ..Nursery::EMPTY };
            } else {
                self.depot.take_back(chunk);
            }
        }
        if kept.is_null() {
            mutator.set_area(Addr::NULL, Addr::NULL);
        }
    }

    /// Takes from a mutator all that it has made and remembered. The mutator stands, or ends.
    pub(crate) fn hand_over(&mut self, mutator: &mut Mutator) {
        self.close_nursery(mutator);
        if mutator.nursery.allocated_words() > 0 {
            self.depot.fills(mutator);
        }
        self.take_chunks_back(mutator, Block::NULL);
        mutator.pool.close();
        self.depot.pool.prepend(mutator.pool.blocks);
        mutator.pool = SmallPool::EMPTY;
        planted!(302, (), mutator.buffers.hand_over(&mut mutator.window, &mut self.depot.entries));
    }

    /// Gives all that was handed over to the mutator whose collection is about to begin, and the chunks that nobody has
    /// opened: then this is a heap with one mutator.
    pub(crate) fn take_over(&mut self, mutator: &mut Mutator) {
        self.close_nursery(mutator);
        let mut filled = self.depot.filled.take();
        planted!(698, (), filled.prepend(self.depot.begun.take()));
        let own = Chain { first: mutator.nursery.first, blocks: mutator.nursery.blocks };
        let last_filled = last_of(filled);
        let mut chunks = own;
        chunks.prepend(filled);
        if mutator.nursery.current.is_null()
            && let Some(last) = last_filled
        {
            // The last chunk with objects counts as the one that is filled, and is full.
            mutator.nursery.current = last;
            let end = last.fields().free;
            mutator.set_area(end, end);
        }
        let unopened = self.depot.unopened.take_all();
        match last_of(chunks) {
            Some(last) => last.fields().link = unopened.first,
            None => chunks.first = unopened.first,
        }
        mutator.nursery.first = chunks.first;
        mutator.nursery.blocks = chunks.blocks + unopened.blocks;

        let newest = mutator.pool.blocks.pop();
        mutator.pool.blocks.prepend(self.depot.pool.take());
        match newest {
            Some(newest) => mutator.pool.blocks.push(newest),
            None => {
                if let Some(first) = mutator.pool.blocks.first.some() {
                    (mutator.pool.next, mutator.pool.limit) = (first.fields().free, first.end());
                }
            }
        }
        mutator.buffers.take_over(self.depot.entries.take());
    }
}

fn last_of(chain: Chain) -> Option<Block> {
    chain.iter().last()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::flag::Flags;
    use crate::heap::Tags;
    use crate::os::limits::limits;

    #[test]
    fn chunks_go_back_to_the_mutator_that_had_them() {
        let flags = Flags::parse("").unwrap();
        let mut store = Store::new(&flags, &limits(), Tags::checked(0, 0, 0, 8).unwrap(), 8).unwrap();
        let mut unopened = Unopened::EMPTY;
        (0..4).for_each(|_| unopened.push(store.blocks.alloc_group(LEAST_CHUNK_BLOCKS).unwrap()));
        let had: Vec<[Block; 2]> =
            (0..2).map(|_| [1, 2].map(|shelf| unopened.take(shelf).unwrap())).collect();
        assert_eq!(unopened.blocks(), 0);
        had.iter().flatten().for_each(|&chunk| unopened.push(chunk));
        for chunks in had.iter().rev() {
            assert_eq!([1, 2].map(|shelf| unopened.take(shelf).unwrap()), *chunks);
        }
        had.iter().flatten().for_each(|&chunk| unopened.push(chunk));
        let all = (0..4).map(|_| unopened.take(2).unwrap()).filter(|chunk| chunk.fields().aux == 2);
        assert_eq!(all.count(), 4);
        assert!(unopened.take(2).is_none());
    }

    /// A store that several mutators share, and a mutator.
    fn shared() -> (Store, Box<Mutator>) {
        let flags = Flags::parse("-DS --stress=1").unwrap();
        let mut store = Store::new(&flags, &limits(), Tags::checked(0, 0, 0, 8).unwrap(), 8).unwrap();
        assert!(store.nursery_wanders && !store.depot.is_shared);
        store.be_shared();
        assert!(store.depot.is_shared && !store.nursery_wanders);
        (store, Box::new(Mutator::new(0, std::ptr::null_mut())))
    }

    #[test]
    fn a_nursery_has_large_chunks_and_an_eighth_of_small_ones() {
        let (mut store, mut mutator) = shared();
        let (small, blocks) = (small_chunk_blocks(), 64 * small_chunk_blocks());
        let mut sizes = |mutators: usize| {
            store.share_among(mutators);
            assert!(store.size_nursery(&mut mutator, blocks));
            assert_eq!(mutator.nursery.blocks, blocks);
            let mut each: Vec<_> = mutator.nursery.chunks().map(|chunk| chunk.blocks() / small).collect();
            // The first one takes turns.
            each.sort_by(|a, b| b.cmp(a));
            each
        };
        assert_eq!(sizes(1), [[8; 7].as_slice(), &[1; 8]].concat());
        assert_eq!(sizes(3), [[2; 28].as_slice(), &[1; 8]].concat());
        assert_eq!(sizes(64), [1; 64]);
        assert_eq!(sizes(2), [[4; 14].as_slice(), &[1; 8]].concat());
        // Chunks that fit stay.
        assert_eq!(sizes(1), [[4; 14].as_slice(), &[1; 8]].concat());
    }

    /// An object of two words, in a chunk that the mutator opens if it has none.
    fn make(store: &mut Store, mutator: &mut Mutator) {
        assert!(!mutator.nursery.current.is_null() || store.extend_nursery(mutator));
        mutator.take_to(mutator.hp().plus_words(2));
    }

    #[test]
    fn a_mutator_fills_the_nursery_once() {
        let (mut store, mut first) = shared();
        let mut second = Box::new(Mutator::new(0, std::ptr::null_mut()));
        store.share_among(64);
        assert!(store.size_nursery(&mut first, 64 * small_chunk_blocks()));
        // Chunks without an object are filled by nobody.
        store.hand_over(&mut first);
        assert_eq!(store.depot.take_fillers(&mut first), 1);
        for _ in 0..20 {
            make(&mut store, &mut second);
            store.hand_over(&mut second);
        }
        assert_eq!(store.depot.take_fillers(&mut first), 2);
        for _ in 0..4 {
            make(&mut store, &mut first);
            store.hand_over(&mut first);
            make(&mut store, &mut second);
            store.hand_over(&mut second);
        }
        assert_eq!(store.depot.take_fillers(&mut first), 2);
        assert_eq!(store.depot.take_fillers(&mut second), 1);
        // A mutator that stops others has not made what they have.
        make(&mut store, &mut first);
        store.hand_over(&mut first);
        store.take_over(&mut second);
        store.share_chunks(&mut second);
        store.hand_over(&mut second);
        assert_eq!(store.depot.take_fillers(&mut first), 1);
    }

    /// A mutator that has made nothing stops the others for something else than a collection.
    #[test]
    fn a_stop_leaves_the_nursery_to_all() {
        let (mut store, mut first) = shared();
        let mut second = Box::new(Mutator::new(0, std::ptr::null_mut()));
        let blocks = 8 * small_chunk_blocks();
        for makes in [false, true] {
            store.size_nursery(&mut first, blocks);
            store.hand_over(&mut first);
            if makes {
                make(&mut store, &mut first);
            }
            store.hand_over(&mut first);
            store.take_over(&mut second);
            assert_eq!((second.nursery.blocks, store.depot.chunk_blocks()), (blocks, 0));
            store.share_chunks(&mut second);
            // The first mutator's chunk goes back, with the room behind its object.
            assert_eq!((second.nursery.blocks, store.depot.chunk_blocks()), (0, blocks));
            assert_eq!(store.depot.filled_words(), if makes { 2 } else { 0 });
            assert!(store.extend_nursery(&mut first));
            let begun = first.hp().words_since(first.nursery.current.start());
            assert_eq!(begun, if makes { 2 } else { 0 });
            assert_eq!(first.limit, first.nursery.current.end());
            store.hand_over(&mut first);
            store.take_over(&mut first);
            store.hand_over(&mut second);
            store.take_over(&mut first);
            store.size_nursery_to_nothing(&mut first);
        }
    }

    #[test]
    fn large_chunks_are_taken_before_small_ones() {
        let (mut store, _) = shared();
        let small = small_chunk_blocks();
        let mut unopened = Unopened::EMPTY;
        for blocks in [4 * small, small, 4 * small, small] {
            let chunk = store.blocks.alloc_group(blocks).unwrap();
            chunk.fields().aux = 1;
            unopened.push(chunk);
        }
        let taken: Vec<usize> = (0..4).map(|_| unopened.take(1).unwrap().blocks() / small).collect();
        assert_eq!(taken, [4, 4, 1, 1]);
        assert!(unopened.take(1).is_none());
    }
}
