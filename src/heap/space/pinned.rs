//! Pinned small objects: blocks of equal slots that are marked in place and never moved.
//!
//! Objects of one size class share blocks. A block belongs to a generation as a whole; what is allocated in a free
//! slot of an old block is remembered, since its fields may point to young objects. Bits at the start of the block
//! say which slots are used, which were reached in the running collection, and which of those were scavenged.

use crate::base::size::*;
use crate::base::{Addr, Failure, Outcome};
use crate::block::Block;
use crate::block::descriptor::flag;
use crate::heap::mutator::state::Mutator;
use crate::heap::object::model::{Model, info_of};
use crate::heap::space::generation::Place;
use crate::heap::space::remember::{Entry, Remembered};
use crate::heap::space::store::Store;

const SLOTS_AT_MOST: usize = 256;
type Bits = [u64; SLOTS_AT_MOST / 64];

/// The start of a pinned block.
#[repr(C)]
struct PinnedHeader {
    used: Bits,
    reached: Bits,
    scavenged: Bits,
    reserved: Bits,
}

const HEADER_BYTES: usize = size_of::<PinnedHeader>();

/// Slot sizes in words: multiples of two, so that slots keep any alignment up to their own size's power of two.
const CLASSES: [usize; 8] = [2, 4, 8, 16, 32, 64, 128, 240];
pub(crate) const CLASS_COUNT: usize = CLASSES.len();

/// The largest object that shares a block with others.
const LARGEST_SHARED: usize = CLASSES[CLASS_COUNT - 1];

/// A block of pinned objects.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct PinnedBlock(pub Block);

impl PinnedBlock {
    fn header(self) -> &'static mut PinnedHeader {
        // SAFETY: a pinned block starts with its header as long as it is one, and one thread at a time uses it.
        unsafe { &mut *self.0.start().as_ptr() }
    }

    fn slot_words(self) -> usize {
        self.0.fields().slot_words as usize
    }

    fn slots(self) -> usize {
        ((BLOCK_BYTES - HEADER_BYTES) / WORD_BYTES / self.slot_words()).min(SLOTS_AT_MOST)
    }

    fn slot(self, index: usize) -> Addr {
        self.0.start().plus_bytes(HEADER_BYTES).plus_words(index * self.slot_words())
    }

    fn index_of(self, object: Addr) -> usize {
        object.words_since(self.slot(0)) / self.slot_words()
    }

    fn first_free(self) -> Option<usize> {
        let used = &self.header().used;
        let word = used.iter().position(|&word| word != u64::MAX)?;
        let index = word * 64 + used[word].trailing_ones() as usize;
        (index < self.slots()).then_some(index)
    }

    fn is_full(self) -> bool {
        self.first_free().is_none()
    }

    /// Notes that an object was reached; false when it was before.
    pub fn reach(self, object: Addr) -> bool {
        let index = self.index_of(object);
        let word = &mut self.header().reached[index / 64];
        let fresh = *word >> (index % 64) & 1 == 0;
        planted!(14, *word = 0);
        *word |= 1 << (index % 64);
        fresh
    }

    pub fn is_reached(self, object: Addr) -> bool {
        let index = self.index_of(object);
        self.header().reached[index / 64] >> (index % 64) & 1 != 0
    }

    /// An object that was reached and not scavenged yet; it counts as scavenged afterwards.
    pub fn next_to_scavenge(self) -> Option<Addr> {
        let header = self.header();
        for word in 0..SLOTS_AT_MOST / 64 {
            let waiting = header.reached[word] & !header.scavenged[word];
            if waiting != 0 {
                let bit = waiting.trailing_zeros() as usize;
                header.scavenged[word] |= 1 << bit;
                return self.object_in(word * 64 + bit);
            }
        }
        None
    }

    /// An aligned object may begin behind zero words of its slot.
    fn object_in(self, index: usize) -> Option<Addr> {
        let slot = self.slot(index);
        // SAFETY: the slot's words are readable; unused ones at its start are zero.
        (0..self.slot_words()).map(|i| slot.plus_words(i)).find(|at| unsafe { at.load() } != 0)
    }

    pub fn each_object(self, mut visit: impl FnMut(Addr)) {
        for index in 0..self.slots() {
            if self.header().used[index / 64] >> (index % 64) & 1 != 0
                && let Some(object) = self.object_in(index)
            {
                visit(object);
            }
        }
    }

    pub fn start_collection(self) {
        self.header().reached = [0; 4];
        self.header().scavenged = [0; 4];
    }

    /// Frees what was not reached; zeroes its slots. True when nothing is left.
    pub fn sweep(self) -> bool {
        let header = self.header();
        for index in 0..self.slots() {
            let (word, bit) = (index / 64, index % 64);
            if header.used[word] >> bit & 1 != 0 && header.reached[word] >> bit & 1 == 0 {
                // SAFETY: nobody refers to an object that was not reached.
                unsafe { self.slot(index).as_ptr::<usize>().write_bytes(0, self.slot_words()) };
            }
        }
        header.used = header.reached;
        header.used == [0; 4]
    }

    /// Words of its objects. What was not filled yet has none.
    pub fn live_words(self, model: &Model) -> usize {
        let mut words = 0;
        // SAFETY: an object that was filled is well-formed.
        self.each_object(|object| words += unsafe { model.size(object, info_of(object.load())) });
        words
    }
}

fn class_for(words: usize) -> Option<usize> {
    CLASSES.iter().position(|&size| size >= words)
}

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
        let class = class_for(room).unwrap_or(CLASS_COUNT - 1);
        let block = self.block_with_room(class)?;
        let Some(index) = block.first_free() else {
            return Err(Failure::damaged(format_args!("a pinned block with room has none")));
        };
        block.header().used[index / 64] |= 1 << (index % 64);
        if block.is_full() {
            self.partly_pinned[class].retain_mut(|b| *b != block.0);
        }
        let slot = block.slot(index);
        let at = Addr(slot.plus_bytes(offset).align_up(align).0 - offset);
        // Zero until the client writes its header, and whatever lies before the object stays zero.
        // SAFETY: the slot is free, so it is ours.
        unsafe { slot.as_ptr::<usize>().write_bytes(0, block.slot_words()) };
        self.clear_sides(slot, slot.plus_words(block.slot_words()));
        if block.0.fields().generation > planted!(21, 7, 0) {
            self.remember(mutator, Entry::new(Remembered::ObjectOnce, at));
        }
        let fields = block.0.fields();
        let step = &mut self.generations[fields.generation as usize].steps[fields.step as usize];
        step.pinned_words += words;
        self.large_words_allocated += words as u64;
        Ok(at)
    }

    /// Whether an object that shares a block finds a free slot.
    pub fn has_pinned_room(&self, words: usize, align: usize) -> bool {
        let room = self.rounded(words) + align / WORD_BYTES;
        room <= LARGEST_SHARED && class_for(room).is_some_and(|class| !self.partly_pinned[class].is_empty())
    }

    /// In a group of its own, behind as much padding as the alignment needs.
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
        if let Some(&block) = self.partly_pinned[class].last() {
            return Ok(PinnedBlock(block));
        }
        self.partly_pinned[class].reserve(1 + self.pinned_blocks)?;
        let group = self.blocks.alloc_group(1)?;
        self.own_group(group, flag::PINNED, Place::NURSERY);
        group.fields().slot_words = CLASSES[class] as u32;
        group.fields().free = group.end();
        // SAFETY: the block is ours.
        unsafe { group.start().as_ptr::<u8>().write_bytes(0, HEADER_BYTES) };
        // Those of slots are cleared again when they are handed out, but marks are looked for in the whole block.
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
        if !block.is_full()
            && let Some(class) = class_for(block.slot_words())
        {
            // Without room in the list the block's free slots are merely not reused.
            let _ = self.partly_pinned[class].push_within(block.0);
        }
    }
}
