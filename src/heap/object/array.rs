//! Pointer arrays: a length, the elements, and behind them one byte for each card of 128 elements:
//! 0, or the youngest generation that one of them may lead to, and 1.
//!
//! An array of less than a card has no cards: it is remembered by slot or as a whole.

use crate::base::Addr;
use crate::base::size::*;

/// Words of cards behind `length` elements.
#[inline(always)]
pub const fn card_words(length: usize) -> usize {
    if length < CARD_ELEMENTS { 0 } else { cards(length).div_ceil(WORD_BYTES) }
}

/// Cards of `length` elements, whether or not they are kept.
#[inline(always)]
pub const fn cards(length: usize) -> usize {
    length.div_ceil(CARD_ELEMENTS)
}

/// Words of a whole array, its header included.
#[inline(always)]
pub const fn words(length: usize) -> usize {
    2 + length + card_words(length)
}

/// The byte of a card of which some element leads to this generation, and none to a younger one. A write to an element
/// marks its card as leading to the youngest.
#[inline(always)]
pub const fn card_for(generation: u8) -> u8 {
    generation + 1
}

/// The youngest generation that the elements of a marked card may lead to.
#[inline(always)]
pub const fn leads_to(byte: u8) -> u8 {
    byte.wrapping_sub(1)
}

pub fn has_cards(length: usize) -> bool {
    length >= CARD_ELEMENTS
}

#[derive(Clone, Copy)]
pub struct Array(pub Addr);

impl Array {
    /// # Safety
    /// A well-formed array lies here.
    pub unsafe fn length(self) -> usize {
        // SAFETY: the caller's promise.
        unsafe { self.0.plus_words(1).load() }
    }

    pub fn element(self, index: usize) -> Addr {
        self.0.plus_words(2 + index)
    }

    /// The byte of a card.
    ///
    /// # Safety
    /// As for `length`; the array has cards and this is one of them.
    pub unsafe fn card(self, index: usize) -> *mut u8 {
        // SAFETY: the caller's promise.
        let length = unsafe { self.length() };
        self.0.plus_words(2 + length).plus_bytes(index).as_ptr()
    }

    /// Marks the cards of some elements, one at least.
    ///
    /// # Safety
    /// As for `card`; the elements exist.
    pub unsafe fn mark(self, first: usize, count: usize) {
        let last = planted!(1, first, first + count - 1);
        let (from, to) = (first >> LOG_CARD_ELEMENTS, last >> LOG_CARD_ELEMENTS);
        // SAFETY: the caller's promise.
        unsafe { self.card(from).write_bytes(card_for(0), to - from + 1) };
    }

    /// # Safety
    /// As for `card`.
    pub unsafe fn clear_cards(self) {
        // SAFETY: the caller's promise.
        unsafe { self.card(0).write_bytes(0, cards(self.length())) };
    }
}
