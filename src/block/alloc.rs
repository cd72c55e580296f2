//! Hands out groups of blocks and takes them back.

use super::free_list::FreeList;
use super::{Block, Descriptor};
use crate::base::size::*;
use crate::base::{Addr, Failure, Outcome, Status};
use crate::megablock::side::TABLES;
use crate::megablock::{Fresh, Megablocks};
use crate::os::shadow;

use super::descriptor::flag;

/// The most blocks of a group for copied objects: large enough that little is lost at its end, small enough that a step
/// with a few objects holds little.
pub(crate) const SAVING_BLOCKS: usize = 16;

/// Words of objects that surely fit into a megablock when they are copied.
const WORDS_FOR_COPIES: usize = FreeList::words_for_copies_in(USABLE_BLOCKS);

pub struct Blocks {
    pub megablocks: Megablocks,
    free: FreeList,
    /// Number of blocks handed out; spanning groups count to the end of their last megablock.
    used: usize,
    /// The most megablocks that may be taken.
    ceiling: usize,
    /// Memory for `alloc_saving` alone, since a running collection may still need it: free blocks, and untouched
    /// megablocks that the layer below has promised.
    kept_blocks: usize,
    kept_megablocks: usize,
    /// Megablocks that the running collection, or else the last one, took for copies.
    taken_for_copies: usize,
}

impl Blocks {
    pub fn new(megablocks: Megablocks) -> Blocks {
        Blocks {
            megablocks,
            free: FreeList::new(),
            used: 0,
            ceiling: usize::MAX,
            kept_blocks: 0,
            kept_megablocks: 0,
            taken_for_copies: 0,
        }
    }

    /// Sets the most megablocks that may be taken; taken ones stay.
    pub fn set_ceiling(&mut self, megablocks: usize) {
        self.ceiling = megablocks;
    }

    pub fn used(&self) -> usize {
        self.used
    }

    pub fn free_blocks(&self) -> usize {
        self.free.blocks()
    }

    pub(super) fn free_list(&self) -> &FreeList {
        &self.free
    }

    fn take_megablocks(&mut self, count: usize) -> Outcome<Addr> {
        self.refuse_above_ceiling(count)?;
        if self.kept_megablocks > 0 {
            // Megablocks that are promised to a collection stay there for it.
            self.megablocks.promise(self.kept_megablocks + count)?;
        }
        self.megablocks.take(count)
    }

    fn refuse_above_ceiling(&self, count: usize) -> Outcome<()> {
        if self.megablocks.taken() + self.kept_megablocks + count <= self.ceiling {
            return Ok(());
        }
        Err(Failure::new(
            Status::Limit,
            format_args!(
                "{} MiB held, {} MiB more asked, {} MiB allowed",
                self.megablocks.taken() + self.kept_megablocks,
                count,
                self.ceiling
            ),
        ))
    }

    /// Gives a group of `blocks` adjacent blocks. A group larger than a megablock holds one object.
    pub fn alloc_group(&mut self, blocks: usize) -> Outcome<Block> {
        debug_assert!(blocks > 0);
        if blocks > USABLE_BLOCKS {
            return self.alloc_spanning(blocks);
        }
        self.leave_kept_back(blocks)?;
        let group = match self.free.take(blocks) {
            Some(group) => group,
            None => self.new_megablock()?,
        };
        Ok(self.hand_out(group, blocks))
    }

    /// Takes a new megablock when the request would otherwise eat blocks that are kept back.
    fn leave_kept_back(&mut self, blocks: usize) -> Outcome<()> {
        if self.kept_blocks > 0 && self.free.blocks() < self.kept_blocks + blocks {
            let group = self.new_megablock()?;
            self.free.add(group);
        }
        Ok(())
    }

    /// Gives the largest free group of a number of blocks in this range, if there is one that no collection waits for.
    pub fn alloc_between(&mut self, least: usize, most: usize) -> Option<Block> {
        if self.kept_blocks > 0 {
            return None;
        }
        let group = self.free.take_largest_below(most)?;
        let blocks = group.blocks();
        if blocks < least {
            self.free.add(group);
            return None;
        }
        Some(self.hand_out(group, blocks))
    }

    /// Gives a group of `blocks`, or of as many as there are without a new megablock, but at least one.
    pub fn alloc_up_to(&mut self, blocks: usize) -> Outcome<Block> {
        self.leave_kept_back(blocks)?;
        self.alloc_any(blocks)
    }

    /// As `alloc_up_to`, from the memory that is kept back.
    pub fn alloc_saving(&mut self, blocks: usize) -> Outcome<Block> {
        let (group, fresh) = self.alloc_untouched(blocks)?;
        self.megablocks.touch(fresh);
        Ok(group)
    }

    /// As `alloc_saving`, for a caller that touches the group's fresh memory afterwards.
    pub(crate) fn alloc_untouched(&mut self, blocks: usize) -> Outcome<(Block, Fresh)> {
        if self.kept_megablocks > 0 && self.free.blocks() < blocks {
            self.kept_megablocks -= 1;
            let group = self.new_megablock()?;
            self.kept_blocks += USABLE_BLOCKS;
            self.taken_for_copies += 1;
            self.free.add(group);
        }
        let group = self.alloc_any(blocks)?;
        self.kept_blocks = self.kept_blocks.saturating_sub(group.blocks());
        let fresh = self.megablocks.fresh_part(group.start(), group.end(), &TABLES);
        Ok((group, fresh))
    }

    fn alloc_any(&mut self, blocks: usize) -> Outcome<Block> {
        match self.free.take(blocks) {
            Some(group) => Ok(self.hand_out(group, blocks)),
            None => match self.free.take_largest_below(blocks) {
                Some(group) => {
                    let all = group.blocks();
                    Ok(self.hand_out(group, all))
                }
                None => self.alloc_group(blocks),
            },
        }
    }

    /// Cuts a free group, taken out of its list, to size and returns the rest to the lists.
    fn hand_out(&mut self, group: Block, blocks: usize) -> Block {
        let all = group.blocks();
        if all > blocks {
            let rest = Block::at_index(group.megablock(), group.index() + blocks);
            make_free(rest, all - blocks);
            self.free.add(rest);
        }
        make_used(group, blocks);
        shadow::hand_out(group.start(), group.end());
        planted!(91, (), self.used += blocks);
        group
    }

    /// A megablock as one group, not in the free lists.
    fn new_megablock(&mut self) -> Outcome<Block> {
        let at = self.take_megablocks(1)?;
        describe(at);
        let group = Block::at_index(at, FIRST_BLOCK);
        make_free(group, USABLE_BLOCKS);
        shadow::free(group.start(), group.end());
        Ok(group)
    }

    fn alloc_spanning(&mut self, blocks: usize) -> Outcome<Block> {
        let megablocks = spanning_megablocks(blocks);
        let at = self.take_megablocks(megablocks)?;
        describe(at);
        let group = Block::at_index(at, FIRST_BLOCK);
        make_used(group, USABLE_BLOCKS);
        let all = megablocks * BLOCKS_PER_MEGABLOCK - FIRST_BLOCK;
        group.fields().blocks = all as u32;
        group.fields().flags = planted!(94, 0, flag::SPANS);
        self.used += all;
        Ok(group)
    }

    /// Takes a group back. It merges with free neighbours; whole megablocks go back.
    pub fn free_group(&mut self, group: Block) {
        let blocks = group.blocks();
        debug_assert!(!group.has(flag::FREE) && !group.fields().free.is_null());
        self.used -= blocks;
        shadow::free(group.start(), group.start().plus_bytes(blocks * BLOCK_BYTES));
        if group.has(flag::SPANS) {
            self.megablocks.give_back(group.megablock(), spanning_megablocks(blocks));
            return;
        }
        let megablock = group.megablock();
        let (mut first, mut count) = (group.index(), blocks);
        if first + count < BLOCKS_PER_MEGABLOCK {
            let next = Block::at_index(megablock, first + count);
            if next.has(flag::FREE) {
                self.free.remove(next);
                count += next.blocks();
            }
        }
        if first > FIRST_BLOCK {
            let last = Block::at_index(megablock, first - 1);
            if planted!(93, false, last.has(flag::FREE)) {
                // The last block of a free group names its head; a group of one names itself by `free`.
                let head = last.head();
                self.free.remove(head);
                first = head.index();
                count += head.blocks();
            }
        }
        if count == USABLE_BLOCKS {
            self.megablocks.give_back(megablock, 1);
            return;
        }
        let merged = Block::at_index(megablock, first);
        make_free(merged, count);
        self.free.add(merged);
    }

    pub fn shrink_group(&mut self, group: Block, blocks: usize) {
        let all = group.blocks();
        debug_assert!(blocks > 0 && blocks <= all);
        if group.has(flag::SPANS) {
            let (keep, have) = (spanning_megablocks(blocks), spanning_megablocks(all));
            if keep < have {
                let at = group.megablock().plus_bytes(keep * MEGABLOCK_BYTES);
                shadow::free(at, at.plus_bytes((have - keep) * MEGABLOCK_BYTES));
                self.megablocks.give_back(at, have - keep);
                let left = keep * BLOCKS_PER_MEGABLOCK - FIRST_BLOCK;
                group.fields().blocks = left as u32;
                self.used -= all - left;
                if keep == 1 {
                    group.fields().flags &= !flag::SPANS;
                }
            }
            if group.has(flag::SPANS) {
                return;
            }
        }
        let all = group.blocks();
        if blocks < all {
            let rest = Block::at_index(group.megablock(), group.index() + blocks);
            make_used(rest, all - blocks);
            group.fields().blocks = blocks as u32;
            self.free_group(rest);
        }
    }

    /// Makes sure that objects of `words` words in all can be copied into groups of up to `SAVING_BLOCKS` blocks,
    /// whatever their sizes and wherever the free blocks are, with `open` groups left half empty; and keeps that room
    /// back until `end_keeping`. Nothing is taken when it fails.
    pub fn keep_back(&mut self, words: usize, open: usize) -> Outcome<()> {
        let needed = words + open * SAVING_BLOCKS * BLOCK_WORDS;
        let room = planted!(95, self.free.blocks() * BLOCK_WORDS, self.free.words_for_copies());
        let missing = needed.saturating_sub(room);
        self.promise_megablocks(missing.div_ceil(WORDS_FOR_COPIES).max(self.kept_megablocks))?;
        self.kept_blocks = self.free.blocks();
        self.taken_for_copies = 0;
        Ok(())
    }

    /// Spares warm megablocks for the next major collection, which will need about as many for copies as the one that
    /// is just over, so that the system's part of the work falls to many minor ones instead. No more are spared than
    /// died: where little died the heap grows, and spared ones would be held beside that.
    pub fn spare_for_copies(&mut self, died_words: usize) {
        self.megablocks.spare(self.taken_for_copies.min(died_words / (USABLE_BLOCKS * BLOCK_WORDS)));
    }

    /// Keeps available, between collections, the most memory that the next one may need. Free blocks do not count,
    /// since they may be used before it. Nothing changes when this fails.
    pub fn keep_for_later(&mut self, words: usize, open: usize) -> Outcome<()> {
        let needed = words + open * SAVING_BLOCKS * BLOCK_WORDS;
        self.promise_megablocks(needed.div_ceil(WORDS_FOR_COPIES))
    }

    fn promise_megablocks(&mut self, count: usize) -> Outcome<()> {
        self.refuse_above_ceiling(count.saturating_sub(self.kept_megablocks))?;
        planted!(421, (), self.megablocks.promise(count)?);
        self.kept_megablocks = count;
        Ok(())
    }

    /// Returns the memory of free megablocks above a number to the system. Promised megablocks stay mapped.
    pub fn release_above(&mut self, keep: usize) {
        self.megablocks.release_above(keep, self.kept_megablocks);
    }

    /// Checks between collections that the memory promised to the next one is still there.
    pub fn check_promises(&self) -> Outcome<()> {
        let free = self.megablocks.free();
        if self.kept_megablocks <= free && self.kept_blocks <= self.free.blocks() {
            return Ok(());
        }
        Err(Failure::damaged(format_args!(
            "{} megablocks and {} blocks are promised to the next collection, and {free} and {} are free",
            self.kept_megablocks,
            self.kept_blocks,
            self.free.blocks()
        )))
    }

    pub fn end_keeping(&mut self) {
        self.kept_blocks = 0;
        self.kept_megablocks = 0;
        // `leave_kept_back` may have taken megablocks of which nothing was used in the end.
        while let Some(whole) = self.free.take(USABLE_BLOCKS) {
            self.megablocks.give_back(whole.megablock(), 1);
        }
    }
}

/// Number of megablocks that a spanning group of `blocks` blocks takes.
pub(crate) fn spanning_megablocks(blocks: usize) -> usize {
    (blocks + FIRST_BLOCK).div_ceil(BLOCKS_PER_MEGABLOCK)
}

/// Number of blocks of a spanning group after it is shortened to `blocks`: a group that still spans reaches to the end
/// of its last megablock.
pub(crate) fn blocks_kept_of_spanning(blocks: usize) -> usize {
    match spanning_megablocks(blocks) {
        1 => blocks,
        megablocks => megablocks * BLOCKS_PER_MEGABLOCK - FIRST_BLOCK,
    }
}

fn describe(megablock: Addr) {
    for index in FIRST_BLOCK..BLOCKS_PER_MEGABLOCK {
        // SAFETY: the megablock is taken and its descriptors have no users yet.
        unsafe {
            Block::at_index(megablock, index).0.write(Descriptor {
                start: megablock.plus_bytes(index * BLOCK_BYTES),
                free: Addr::NULL,
                blocks: 0,
                generation: 0,
                step: 0,
                flags: 0,
                link: Block::NULL,
                back: Block::NULL,
                scanned: Addr::NULL,
                slot_words: 0,
                was: 0,
                aux: 0,
            });
        }
    }
}

/// Makes blocks a free group. Only its first and last descriptors are kept up to date, since merging reads no others.
fn make_free(group: Block, blocks: usize) {
    let mut head = group.fields();
    head.free = head.start;
    head.blocks = blocks as u32;
    head.flags = flag::FREE;
    if blocks > 1 {
        let mut last = Block::at_index(group.megablock(), group.index() + blocks - 1).fields();
        last.free = Addr::NULL;
        planted!(92, (), last.link = group);
        last.flags = flag::FREE;
    }
}

fn make_used(group: Block, blocks: usize) {
    let mut head = group.fields();
    head.free = head.start;
    head.blocks = blocks as u32;
    head.flags = 0;
    head.link = Block::NULL;
    head.back = Block::NULL;
    head.scanned = Addr::NULL;
    head.aux = 0;
    for i in 1..blocks {
        let mut other = Block::at_index(group.megablock(), group.index() + i).fields();
        other.free = Addr::NULL;
        other.blocks = 0;
        other.flags = 0;
        planted!(87, (), other.link = group);
    }
}

#[cfg(test)]
mod tests;
