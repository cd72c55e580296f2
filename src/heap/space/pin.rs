//! Makes pinned objects: small ones in a free slot of a block that others share, the rest in groups of their own.

use crate::base::size::*;
use crate::base::{Addr, Failure, Outcome};
use crate::block::Block;
use crate::block::descriptor::flag;
use crate::heap::mutator::state::Mutator;
use crate::heap::space::generation::Place;
use crate::heap::space::pinned::{CLASS_COUNT, CLASSES, LARGEST_SHARED, PinnedBlock, class_for};
use crate::heap::space::remember::{Entry, Remembered};
use crate::heap::space::store::Store;

impl Store {
    /// Memory for an object that will not move, such that the address `offset` bytes into it is a multiple of
    /// `align`, a power of two.
    pub fn allocate_pinned(
        &mut self,
        mutator: &mut Mutator,
        words: usize,
        align: usize,
        offset: usize,
    ) -> Outcome<Addr> {
        if !align.is_power_of_two()
            || align > BLOCK_BYTES
            || !offset.is_multiple_of(WORD_BYTES)
            || offset >= words * WORD_BYTES
        {
            return Err(Failure::argument(format_args!(
                "a pinned object of {words} words cannot have its byte {offset} at a multiple of {align}: \
                 the alignment is a power of two up to {BLOCK_BYTES}, the offset a multiple of 8 inside the object"
            )));
        }
        let step = (self.model.round + 1) * WORD_BYTES;
        if align >= step && !offset.is_multiple_of(step) {
            return Err(Failure::argument(format_args!(
                "the objects of this heap lie at multiples of {step}: one whose byte {offset} is at a multiple of \
                 {align} does not"
            )));
        }
        let align = align.max(WORD_BYTES);
        let words = self.rounded(words);
        let room = words + (align - WORD_BYTES) / WORD_BYTES;
        if room > LARGEST_SHARED {
            return self.allocate_pinned_alone(words, align, offset);
        }
        let class = class_for(room);
        let block = self.block_with_room(class)?;
        let Some(slot) = block.take_slot(class) else {
            return Err(Failure::damaged(format_args!("a pinned block with room has none")));
        };
        self.clear_sides(slot, slot.plus_words(CLASSES[class]));
        let fields = block.0.fields();
        let step = &mut self.generations[fields.generation as usize].steps[fields.step as usize];
        step.pinned_words += words;
        self.large_words_allocated += words as u64;
        let at = placed(slot, align, offset);
        if fields.generation > planted!(21, 7, 0) {
            self.remember(mutator, Entry::new(Remembered::ObjectOnce, at));
        }
        Ok(at)
    }

    /// As `allocate_pinned`, for an object that finds a slot in a young block and has no entry in a side table, and its
    /// words with those added for alignment. Nothing can be wrong then.
    #[inline]
    pub fn allocate_pinned_in_block(
        &mut self,
        words: usize,
        align: usize,
        offset: usize,
    ) -> Option<(Addr, usize)> {
        // The bits that are zero in the offset: those below a word, and those below an object's alignment.
        let zero = (WORD_BYTES - 1) | (self.model.round * WORD_BYTES) & (align.wrapping_sub(1));
        if align < WORD_BYTES
            || !align.is_power_of_two()
            || offset & zero != 0
            || offset >= words * WORD_BYTES
            || self.blocks.megablocks.side.any_on()
        {
            return None;
        }
        let words = self.rounded(words);
        let room = words + (align - WORD_BYTES) / WORD_BYTES;
        if room > LARGEST_SHARED {
            return None;
        }
        let class = class_for(room) % CLASS_COUNT;
        let &block = self.partly_pinned[class].last()?;
        let fields = block.fields();
        let step = self.generations[0].steps.get_mut(fields.step as usize)?;
        if fields.generation > 0 {
            return None;
        }
        let slot = PinnedBlock(block).take_slot(class)?;
        step.pinned_words += words;
        self.large_words_allocated += words as u64;
        Some((placed(slot, align, offset), words))
    }

    /// Allocates in a group of its own, behind as much padding as the alignment needs.
    fn allocate_pinned_alone(&mut self, words: usize, align: usize, offset: usize) -> Outcome<Addr> {
        // Groups begin at blocks, which is as aligned as anybody may ask.
        let padding = (align - offset % align) % align;
        let start = self.allocate_large(words + padding / WORD_BYTES)?;
        Block::of(start).fields().aux = padding;
        let object = start.plus_bytes(padding);
        // SAFETY: the group holds the padding and the object; a zero header says "not filled yet".
        unsafe { object.store(0) };
        self.clear_side(object);
        Ok(object)
    }

    fn block_with_room(&mut self, class: usize) -> Outcome<PinnedBlock> {
        // A block that has become full is still in the list.
        while let Some(&block) = self.partly_pinned[class].last() {
            if PinnedBlock(block).has_room(class) {
                return Ok(PinnedBlock(block));
            }
            self.partly_pinned[class].pop();
        }
        self.partly_pinned[class].reserve(1 + self.pinned_blocks)?;
        let group = self.blocks.alloc_group(1)?;
        self.own_group(group, flag::PINNED, Place::NURSERY);
        group.fields().slot_words = CLASSES[class] as u32;
        group.fields().free = group.end();
        // SAFETY: the block is ours.
        unsafe { clear_block(group.start()) };
        // Marks of a slot are cleared again when it is handed out, but marks are looked for in the whole block.
        self.clear_marks(group.start(), group.end());
        self.generations[0].steps[0].large.push(group);
        self.allocated_blocks += 1;
        self.pinned_blocks += 1;
        let _ = self.partly_pinned[class].push_within(group);
        Ok(PinnedBlock(group))
    }

    /// Blocks that are swept are no longer known to have room, until `note_pinned_room` says so again.
    pub fn forget_swept_room(&mut self) {
        for list in &mut self.partly_pinned {
            list.retain_mut(|block| !block.has(flag::SWEEP));
        }
    }

    pub fn note_pinned_room(&mut self, block: PinnedBlock) {
        let class = class_for(block.slot_words());
        if block.has_room(class) {
            // Without room in the list the block's free slots are merely not reused.
            let _ = self.partly_pinned[class].push_within(block.0);
        }
    }
}

/// The first address in a slot whose byte `offset` is at a multiple of `align`.
#[inline]
fn placed(slot: Addr, align: usize, offset: usize) -> Addr {
    Addr(slot.plus_bytes(offset).align_up(align).0 - offset)
}

/// Makes the words of a block zero, in parts: at once they would be enough for the processor's own loop over bytes, which
/// takes no less time.
///
/// # Safety
/// The block is the caller's.
unsafe fn clear_block(start: Addr) {
    const PART: usize = BLOCK_BYTES / 4;
    for part in 0..BLOCK_BYTES / PART {
        // SAFETY: the caller's promise.
        unsafe { clear_part(start.plus_bytes(part * PART), PART) };
    }
}

/// # Safety
/// The bytes are the caller's.
#[inline(never)]
unsafe fn clear_part(start: Addr, bytes: usize) {
    // SAFETY: the caller's promise.
    unsafe { start.as_ptr::<u8>().write_bytes(0, bytes) };
}
