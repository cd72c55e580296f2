//! The elements of a large array, which several workers take in slices: all of them when they mark [gc.together.slices], and those of
//! marked cards when they copy [gc.crowd.cards].

use crate::base::size::{CARD_ELEMENTS, LOG_CARD_ELEMENTS};
use crate::heap::object::array::{Array, cards, leads_to};
use crate::heap::object::info::Info;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Elements of a slice: one packet holds what they lead to.
pub(super) const SLICE: usize = 512;
/// Elements of an array that are worth a call of the workers.
const MANY: usize = 32 << 10;
/// Both, where a heap is small and has several workers, as tests have.
const EAGER_SLICE: usize = 16;
const EAGER_MANY: usize = CARD_ELEMENTS;

pub(super) struct Slices<'a> {
    pub array: Array,
    pub info: &'a Info,
    length: usize,
    each: usize,
    /// The first element that nobody has taken; `length` or more when all are taken.
    next: AtomicUsize,
}

impl<'a> Slices<'a> {
    /// The slices of an array, if these workers are to share it.
    ///
    /// # Safety
    /// A well-formed array with this table lies here.
    pub(super) unsafe fn of(array: Array, info: &'a Info, eager: bool) -> Option<Slices<'a>> {
        let (many, each) = if eager { (EAGER_MANY, EAGER_SLICE) } else { (MANY, SLICE) };
        // SAFETY: the caller's promise.
        unsafe { Slices::of_many(array, info, many, each) }
    }

    /// # Safety
    /// A well-formed array with this table lies here.
    unsafe fn of_many(array: Array, info: &'a Info, many: usize, each: usize) -> Option<Slices<'a>> {
        // SAFETY: the caller's promise.
        let length = unsafe { array.length() };
        (length >= many).then(|| Slices { array, info, length, each, next: AtomicUsize::new(0) })
    }

    /// Takes the next slice.
    pub(super) fn take(&self) -> Option<Range<usize>> {
        // Each worker adds once after the last slice, so this does not come round.
        let first = self.next.fetch_add(self.each, Ordering::Relaxed);
        (first < self.length).then(|| first..planted!(428, first + 1, first + self.each).min(self.length))
    }

    /// Whether somebody has taken the last slice.
    pub(super) fn are_taken(&self) -> bool {
        self.next.load(Ordering::Relaxed) >= self.length
    }
}

/// The cards of a large array that workers look at.
pub(super) struct Cards<'a> {
    pub slices: Slices<'a>,
    /// The array's generation, and the youngest one in which it wants the objects of its elements.
    pub owner: u8,
    pub desired: u8,
    /// Cards that lead to no younger generation than this are left as they are; 255 for all cards.
    last: u8,
    /// Whether a card is marked now.
    is_marked: AtomicBool,
}

impl<'a> Cards<'a> {
    /// The cards of an array, if workers are to share them.
    ///
    /// # Safety
    /// A well-formed array with this table lies here, and has cards.
    pub(super) unsafe fn of(
        array: Array,
        info: &'a Info,
        owner: u8,
        last: u8,
        eager: bool,
    ) -> Option<Cards<'a>> {
        let (many, each) = if eager { (EAGER_MANY, CARD_ELEMENTS) } else { (MANY, SLICE) };
        // SAFETY: the caller's promise.
        let slices = unsafe { Slices::of_many(array, info, many, each) }?;
        let desired = if info.is_mutable() { 0 } else { owner };
        Some(Cards { slices, owner, desired, last, is_marked: AtomicBool::new(false) })
    }

    /// The next cards.
    pub(super) fn take(&self) -> Option<Range<usize>> {
        let elements = self.slices.take()?;
        Some(elements.start >> LOG_CARD_ELEMENTS..cards(elements.end))
    }

    /// The elements of a card.
    pub(super) fn elements(&self, card: usize) -> Range<usize> {
        let first = card << LOG_CARD_ELEMENTS;
        first..(first + CARD_ELEMENTS).min(self.slices.length)
    }

    pub(super) fn is_wanted(&self, byte: u8) -> bool {
        leads_to(byte) <= self.last
    }

    pub(super) fn note_marked(&self) {
        // A store takes the line from the other workers.
        if !self.is_marked() {
            self.is_marked.store(true, Ordering::Relaxed);
        }
    }

    pub(super) fn is_marked(&self) -> bool {
        self.is_marked.load(Ordering::Relaxed)
    }
}
