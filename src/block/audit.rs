//! The conservation law of blocks, recomputed from the descriptors alone.

use super::descriptor::flag;
use super::{Block, Blocks};
use crate::base::size::*;
use crate::base::{Addr, Failure, Outcome};

/// `free + used + overhead = BLOCKS_PER_MEGABLOCK * megablocks`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Audit {
    pub free: usize,
    pub used: usize,
    /// Blocks that hold descriptors.
    pub overhead: usize,
    pub megablocks: usize,
}

impl Blocks {
    /// Walks every descriptor of every megablock and compares with the allocator's own figures.
    pub fn audit(&self) -> Outcome<Audit> {
        let mut sum = Audit::default();
        let mut wrong = None;
        self.megablocks.for_each_taken(|megablock| {
            if let Err(failure) = add_megablock(megablock, &mut sum) {
                wrong.get_or_insert(failure);
            }
        });
        if let Some(failure) = wrong {
            return Err(failure);
        }
        let mut listed = 0;
        self.free_list().for_each(|group| listed += group.blocks());
        let fair = sum.free + sum.used + sum.overhead == sum.megablocks * BLOCKS_PER_MEGABLOCK
            && sum.megablocks == self.megablocks.taken()
            && sum.free == self.free_blocks()
            && sum.free == listed
            && sum.used == self.used();
        if fair {
            Ok(sum)
        } else {
            Err(Failure::damaged(format_args!(
                "blocks do not add up: {sum:?}, but {} megablocks taken, {} blocks free, {listed} listed, {} used",
                self.megablocks.taken(),
                self.free_blocks(),
                self.used()
            )))
        }
    }
}

impl Blocks {
    pub fn each_free(&self, visit: impl FnMut(Block)) {
        self.free_list().for_each(visit);
    }
}

fn add_megablock(megablock: Addr, sum: &mut Audit) -> Outcome<()> {
    sum.overhead += FIRST_BLOCK;
    let mut index = FIRST_BLOCK;
    let first = Block::at_index(megablock, index);
    if first.has(flag::SPANS) {
        let blocks = first.blocks();
        sum.used += blocks;
        sum.megablocks += (blocks + FIRST_BLOCK) / BLOCKS_PER_MEGABLOCK;
        return Ok(());
    }
    sum.megablocks += 1;
    while index < BLOCKS_PER_MEGABLOCK {
        let group = Block::at_index(megablock, index);
        let blocks = group.blocks();
        if blocks == 0 || index + blocks > BLOCKS_PER_MEGABLOCK || group.fields().free.is_null() {
            return Err(Failure::damaged(format_args!(
                "block {index} of megablock {megablock} begins no group: {:?}",
                *group.fields()
            )));
        }
        if group.has(flag::FREE) {
            sum.free += blocks;
        } else {
            sum.used += blocks;
        }
        index += blocks;
    }
    Ok(())
}
