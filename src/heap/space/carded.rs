//! The large array that remembered slots lie in: most entries are of the array of the entry before.

use crate::base::Addr;
use crate::base::size::*;
use crate::block::Block;
use crate::block::descriptor::flag;
use crate::heap::object::array::{Array, has_cards, leads_to};
use crate::heap::object::header::info_of;
use crate::heap::object::kind::Kind;
use crate::heap::space::generation::Code;
use crate::heap::space::remember::{Entry, Remembered};
use crate::megablock::AnyCodes;

/// A large array with cards, and where its elements lie.
#[derive(Clone, Copy)]
pub(crate) struct Carded {
    pub array: Array,
    pub first: Addr,
    pub end: Addr,
    /// Whether its cards are looked at in the next collection of younger generations.
    is_remembered: bool,
}

impl Carded {
    pub(crate) const NONE: Carded =
        Carded { array: Array(Addr::NULL), first: Addr::NULL, end: Addr::NULL, is_remembered: false };

    /// The large array with cards whose elements fill a group.
    pub(crate) fn of(group: Block) -> Carded {
        let array = Array(group.object());
        // SAFETY: the caller has found an array there.
        let length = unsafe { array.length() };
        let (first, end) = (array.element(0), array.element(length));
        Carded { array, first, end, is_remembered: group.has(flag::CARDED) }
    }

    pub(crate) fn length(&self) -> usize {
        self.end.words_since(self.first)
    }

    #[inline(always)]
    pub(crate) fn has(&self, slot: Addr) -> bool {
        slot >= self.first && slot < self.end
    }

    /// The number of an element.
    #[inline(always)]
    pub(crate) fn index(&self, slot: Addr) -> usize {
        slot.words_since(self.first)
    }

    /// Whether the card of an element will be looked at by a collection of generations up to `last`, or was.
    #[inline(always)]
    fn is_looked_at(&self, slot: Addr, last: u8) -> bool {
        // SAFETY: the slot is an element, so its card exists.
        let card = unsafe { *self.array.card(self.index(slot) >> LOG_CARD_ELEMENTS) };
        self.is_remembered && planted!(458, card != 0, leads_to(card) <= last)
    }
}

/// Drops entries of elements whose cards a collection of generations up to `last` looks at [gc.remember.card]: a card's elements are met in
/// the order in which they lie, and the entries in any. Gives the end of those that stay.
///
/// # Safety
/// Entries lie there, which nobody else looks at now; the slots of those that are slots are fields of well-formed objects.
pub(crate) unsafe fn drop_covered(start: Addr, end: Addr, codes: AnyCodes, last: u8) -> Addr {
    let mut around = Carded::NONE;
    let (mut at, mut kept) = (start, start);
    while at < end {
        // SAFETY: an entry lies here.
        let entry = Entry(unsafe { at.load() });
        at = at.plus_words(1);
        let slot = entry.at();
        if matches!(entry.what(), Remembered::Slot | Remembered::TaggedSlot) {
            if !around.has(slot) && Code(codes.at(slot.0)).is_fixed() {
                around = large_array_around(codes, slot).map_or(Carded::NONE, Carded::of);
            }
            if around.has(slot) && around.is_looked_at(slot, last) {
                continue;
            }
        }
        // SAFETY: as above, and it was read before.
        unsafe { kept.store(entry.0) };
        kept = kept.plus_words(1);
    }
    kept
}

/// The group of the large array with cards of which `slot` is an element.
pub(crate) fn large_array_around(codes: AnyCodes, slot: Addr) -> Option<Block> {
    if !Code(codes.at(slot.0)).is_fixed() {
        return None;
    }
    // The tail of a spanning group has no descriptors, so the megablock's own word is asked first.
    let megablock = slot.align_down(MEGABLOCK_BYTES);
    let first = codes.span(slot);
    let group = if first == megablock { Block::of(slot).head() } else { Block::at_index(first, FIRST_BLOCK) };
    if !group.has(flag::LARGE) {
        return None;
    }
    let object = group.object();
    // SAFETY: a large group holds one well-formed object once it can be remembered.
    let header = unsafe { object.load() };
    let info = info_of(header);
    // SAFETY: as above.
    let is = info.is(Kind::Array)
        && unsafe { has_cards(Array(object).length()) }
        && slot >= Array(object).element(0)
        && slot < unsafe { Array(object).element(Array(object).length()) };
    is.then_some(group)
}
