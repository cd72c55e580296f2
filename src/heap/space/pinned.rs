//! Pinned small objects: blocks of equal slots that are marked in place and never moved.
//!
//! Objects of one size class share blocks. A block belongs to a generation as a whole; an object in a reused slot of an
//! old block is remembered, since its fields may point to young objects. Bits at the start of the block say which slots
//! are used, which were reached in the running collection, and which of those were scavenged.

use crate::base::Addr;
use crate::base::size::*;
use crate::block::Block;
use crate::heap::object::header::info_of;
use crate::heap::object::model::Model;
use std::num::NonZeroU64;

const SLOTS_AT_MOST: usize = 256;
type Bits = [u64; SLOTS_AT_MOST / 64];

#[repr(C)]
pub(super) struct PinnedHeader {
    pub(super) used: Bits,
    reached: Bits,
    scavenged: Bits,
    reserved: Bits,
}

pub(super) const HEADER_BYTES: usize = size_of::<PinnedHeader>();

/// Slot sizes in words: multiples of two, so that slots keep any alignment up to their own size's power of two.
pub(super) const CLASSES: [usize; 8] = [2, 4, 8, 16, 32, 64, 128, 240];
pub(crate) const CLASS_COUNT: usize = CLASSES.len();

const fn slots_of(slot_words: usize) -> usize {
    let most = (BLOCK_BYTES - HEADER_BYTES) / WORD_BYTES / slot_words;
    if most < SLOTS_AT_MOST { most } else { SLOTS_AT_MOST }
}

/// The number of slots in a block of each class.
const SLOTS: [usize; CLASS_COUNT] = {
    let mut slots = [0; CLASS_COUNT];
    let mut class = 0;
    while class < CLASS_COUNT {
        slots[class] = slots_of(CLASSES[class]);
        class += 1;
    }
    slots
};

/// The largest object that shares a block with others.
pub(super) const LARGEST_SHARED: usize = CLASSES[CLASS_COUNT - 1];

#[derive(Clone, Copy, PartialEq, Eq)]
pub struct PinnedBlock(pub Block);

impl PinnedBlock {
    pub(super) fn header(self) -> &'static mut PinnedHeader {
        // SAFETY: a pinned block starts with its header as long as it is one, and one thread at a time uses it.
        unsafe { &mut *self.0.start().as_ptr() }
    }

    pub(super) fn slot_words(self) -> usize {
        self.0.fields().slot_words as usize
    }

    fn slots(self) -> usize {
        slots_of(self.slot_words())
    }

    pub(super) fn slot(self, index: usize) -> Addr {
        self.0.start().plus_bytes(HEADER_BYTES).plus_words(index * self.slot_words())
    }

    fn index_of(self, object: Addr) -> usize {
        object.words_since(self.slot(0)) / self.slot_words()
    }

    /// The word and the bit of the first free slot of a block of slots of a class.
    #[inline(always)]
    fn first_free(self, class: usize) -> Option<(usize, usize)> {
        let free = |used: &u64| NonZeroU64::new(!used);
        let mut words = self.header().used.iter().enumerate();
        let (word, free) = words.find_map(|(word, used)| Some((word, free(used)?)))?;
        let bit = free.trailing_zeros() as usize;
        (word * 64 + bit < SLOTS[class]).then_some((word, bit))
    }

    pub(super) fn has_room(self, class: usize) -> bool {
        self.first_free(class).is_some()
    }

    /// Takes the first free slot. Its words are zero: an object has no header until the client writes it, and whatever
    /// lies before the object stays zero.
    #[inline(always)]
    pub(super) fn take_slot(self, class: usize) -> Option<Addr> {
        let (word, bit) = self.first_free(class)?;
        let used = &mut self.header().used[word];
        *used |= *used + 1;
        let words = CLASSES[class];
        let slot = self.0.start().plus_bytes(HEADER_BYTES).plus_words((word * 64 + bit) * words);
        // SAFETY: the words of a slot are readable.
        debug_assert!((0..words).all(|i| unsafe { slot.plus_words(i).load() } == 0));
        Some(slot)
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

    /// An object that was reached and not scavenged yet; it counts as scavenged afterwards. Slots that were not filled are
    /// passed over: a root may have one already.
    pub fn next_to_scavenge(self) -> Option<Addr> {
        let header = self.header();
        let mut word = 0;
        while word < SLOTS_AT_MOST / 64 {
            let waiting = header.reached[word] & !header.scavenged[word];
            if waiting == 0 {
                word += 1;
                continue;
            }
            let bit = waiting.trailing_zeros() as usize;
            header.scavenged[word] |= 1 << bit;
            let object = self.object_in(word * 64 + bit);
            if planted!(657, true, object.is_some()) {
                return object;
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

    /// Frees objects that were not reached, and zeroes their slots. True when nothing is left.
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

    /// Words of its objects. An object that was not filled yet has none.
    pub fn live_words(self, model: &Model) -> usize {
        let mut words = 0;
        // SAFETY: an object that was filled is well-formed.
        self.each_object(|object| words += unsafe { model.size(object, info_of(object.load())) });
        words
    }
}

/// The class of the smallest slots that have `words` words, at most `LARGEST_SHARED`.
#[inline]
pub(super) fn class_for(words: usize) -> usize {
    debug_assert!(words <= LARGEST_SHARED);
    // Slots of a class have twice the words of the class before, but for those of the last.
    ((words - 1) | 1).ilog2() as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::flag::Flags;
    use crate::heap::{Mutator, Store, Tags};
    use crate::os::limits::limits;

    #[test]
    fn an_object_is_reached_once() {
        let flags = Flags::parse("").unwrap();
        let mut store = Store::new(&flags, &limits(), Tags::checked(0, 0, 0, 8).unwrap(), 8).unwrap();
        let mut mutator = Mutator::new(0, std::ptr::null_mut());
        let objects = [(); 70].map(|()| store.allocate_pinned(&mut mutator, 4, 8, 0).unwrap());
        let block = PinnedBlock(Block::of(objects[0]));
        block.start_collection();
        for object in objects {
            assert_eq!([(); 3].map(|()| block.reach(object)), [true, false, false]);
        }
        block.start_collection();
        assert!(objects.iter().all(|&object| !block.is_reached(object) && block.reach(object)));
    }

    #[test]
    fn the_class_of_a_size_is_the_smallest_that_fits() {
        for words in 1..=LARGEST_SHARED {
            assert_eq!(Some(class_for(words)), CLASSES.iter().position(|&size| size >= words), "{words}");
        }
    }
}
