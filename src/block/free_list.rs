//! Free groups by size: one list for each number of blocks, and a bit for each list that is not empty.
//! Every operation takes the same time, however many groups are free.

use super::alloc::SAVING_BLOCKS;
use super::{Block, DoubleChain};
use crate::base::size::{BLOCK_WORDS, LARGE_OBJECT_WORDS, USABLE_BLOCKS};

const SIZES: usize = USABLE_BLOCKS + 1;

pub(super) struct FreeList {
    lists: [DoubleChain; SIZES],
    occupied: [u64; SIZES.div_ceil(64)],
    blocks: usize,
}

impl FreeList {
    pub(super) const fn new() -> FreeList {
        FreeList { lists: [DoubleChain::EMPTY; SIZES], occupied: [0; SIZES.div_ceil(64)], blocks: 0 }
    }

    pub(super) fn blocks(&self) -> usize {
        self.blocks
    }

    pub(super) fn add(&mut self, group: Block) {
        let size = group.blocks();
        self.lists[size].push(group);
        self.occupied[size / 64] |= 1 << (size % 64);
        self.blocks += size;
    }

    pub(super) fn remove(&mut self, group: Block) {
        let size = group.blocks();
        self.lists[size].remove(group);
        if self.lists[size].first.is_null() {
            self.occupied[size / 64] &= !(1 << (size % 64));
        }
        self.blocks -= size;
    }

    /// Takes out a group of at least `blocks`, the smallest there is.
    pub(super) fn take(&mut self, blocks: usize) -> Option<Block> {
        let size = self.smallest_from(blocks)?;
        let group = self.lists[size].first;
        self.remove(group);
        Some(group)
    }

    /// Takes out the largest group of at most `blocks` and at least one.
    pub(super) fn take_largest_below(&mut self, blocks: usize) -> Option<Block> {
        let size = (1..=blocks.min(SIZES - 1)).rev().find(|&n| self.occupied[n / 64] >> (n % 64) & 1 != 0)?;
        let group = self.lists[size].first;
        self.remove(group);
        Some(group)
    }

    fn smallest_from(&self, blocks: usize) -> Option<usize> {
        let mut word = blocks / 64;
        let mut bits = self.occupied.get(word)? & (!0 << (blocks % 64));
        while bits == 0 {
            word += 1;
            bits = *self.occupied.get(word)?;
        }
        Some(word * 64 + bits.trailing_zeros() as usize)
    }

    /// Words of objects that surely fit when each free group is cut into parts of at most `SAVING_BLOCKS` blocks.
    pub(super) fn words_for_copies(&self) -> usize {
        (1..SIZES).map(|size| self.lists[size].blocks / size * Self::words_for_copies_in(size)).sum()
    }

    /// As `words_for_copies`, for one group: the end of each part may be too short for the next object.
    pub(super) const fn words_for_copies_in(size: usize) -> usize {
        let lost = LARGE_OBJECT_WORDS - 1;
        let whole = SAVING_BLOCKS * BLOCK_WORDS - lost;
        let rest = size % SAVING_BLOCKS;
        size / SAVING_BLOCKS * whole + if rest == 0 { 0 } else { rest * BLOCK_WORDS - lost }
    }

    pub(super) fn for_each(&self, mut visit: impl FnMut(Block)) {
        for list in &self.lists {
            list.iter().for_each(&mut visit);
        }
    }
}
