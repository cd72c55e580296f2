//! Lists of groups, linked through their descriptors.

use super::Block;

/// A list through `link` only.
#[derive(Clone, Copy, Debug)]
pub struct Chain {
    pub first: Block,
    /// Number of blocks, not of groups.
    pub blocks: usize,
}

impl Chain {
    pub const EMPTY: Chain = Chain { first: Block::NULL, blocks: 0 };

    pub fn push(&mut self, group: Block) {
        group.fields().link = self.first;
        self.first = group;
        self.blocks += group.blocks();
    }

    pub fn pop(&mut self) -> Option<Block> {
        let group = self.first.some()?;
        self.first = group.fields().link;
        self.blocks -= group.blocks();
        Some(group)
    }

    pub fn iter(&self) -> Walk {
        Walk(self.first)
    }

    pub fn take(&mut self) -> Chain {
        std::mem::replace(self, Chain::EMPTY)
    }

    /// Groups of the chain, from the last to the first.
    pub fn reversed(mut self) -> Chain {
        let mut reversed = Chain::EMPTY;
        while let Some(group) = self.pop() {
            reversed.push(group);
        }
        reversed
    }

    /// Puts all of `other` in front. Walks `other`.
    pub fn prepend(&mut self, other: Chain) {
        let Some(mut last) = other.first.some() else { return };
        while let Some(next) = last.fields().link.some() {
            last = next;
        }
        last.fields().link = self.first;
        self.first = other.first;
        self.blocks += other.blocks;
    }
}

/// A list through `link` and `back`, so that a group can leave from the middle.
#[derive(Clone, Copy, Debug)]
pub struct DoubleChain {
    pub first: Block,
    pub blocks: usize,
}

impl DoubleChain {
    pub const EMPTY: DoubleChain = DoubleChain { first: Block::NULL, blocks: 0 };

    pub fn push(&mut self, group: Block) {
        let mut fields = group.fields();
        fields.link = self.first;
        fields.back = Block::NULL;
        if let Some(next) = self.first.some() {
            next.fields().back = group;
        }
        self.first = group;
        self.blocks += group.blocks();
    }

    pub fn remove(&mut self, group: Block) {
        let (next, last) = (group.fields().link, group.fields().back);
        match last.some() {
            Some(last) => last.fields().link = next,
            None => self.first = next,
        }
        if let Some(next) = next.some() {
            next.fields().back = last;
        }
        self.blocks -= group.blocks();
    }

    pub fn pop(&mut self) -> Option<Block> {
        let group = self.first.some()?;
        self.remove(group);
        Some(group)
    }

    pub fn iter(&self) -> Walk {
        Walk(self.first)
    }

    pub fn take(&mut self) -> DoubleChain {
        std::mem::replace(self, DoubleChain::EMPTY)
    }
}

/// Visits groups in list order; the visited one may be unlinked or freed meanwhile.
pub struct Walk(Block);

impl Iterator for Walk {
    type Item = Block;
    fn next(&mut self) -> Option<Block> {
        let group = self.0.some()?;
        self.0 = group.fields().link;
        Some(group)
    }
}
