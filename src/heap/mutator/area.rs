//! The memory of a mutator's new objects: its nursery, and its pool for small objects that calls make.

use crate::base::Addr;
use crate::block::{Block, Chain};

/// The blocks that compiled code fills by moving `hp`.
#[derive(Debug)]
pub struct Nursery {
    pub first: Block,
    /// The chunk that `hp` is in; null before the first is opened.
    pub current: Block,
    pub blocks: usize,
    /// Words at the beginning of the first chunk that hold no object.
    pub skipped: usize,
    /// Words of the first chunk that were in use before it was emptied last, in checking mode.
    pub(crate) used: usize,
}

impl Nursery {
    pub const EMPTY: Nursery =
        Nursery { first: Block::NULL, current: Block::NULL, blocks: 0, skipped: 0, used: 0 };

    pub(crate) fn chunks(&self) -> impl Iterator<Item = Block> {
        Chain { first: self.first, blocks: self.blocks }.iter()
    }

    /// Words allocated since the nursery was empty. The current chunk is closed.
    pub(crate) fn allocated_words(&self) -> usize {
        let words: usize = self.chunks().map(|chunk| chunk.words_free_to()).sum();
        words - if self.first.is_null() { 0 } else { self.skipped.min(self.first.words_free_to()) }
    }
}

/// Blocks of a mutator's small objects that did not come from its nursery.
#[derive(Debug)]
pub struct SmallPool {
    pub blocks: Chain,
    pub next: Addr,
    pub limit: Addr,
}

impl SmallPool {
    pub const EMPTY: SmallPool = SmallPool { blocks: Chain::EMPTY, next: Addr::NULL, limit: Addr::NULL };

    /// Writes how far the newest block is filled into its descriptor.
    pub(crate) fn close(&mut self) {
        if let Some(block) = self.blocks.first.some() {
            block.fields().free = self.next;
        }
    }
}
