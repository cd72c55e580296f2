//! The elements of a large array, which several workers take in slices [gc.together.slices].

use super::team::Together;
use crate::base::size::CARD_ELEMENTS;
use crate::heap::object::array::Array;
use crate::heap::object::info::Info;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

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
    pub(super) unsafe fn of(array: Array, info: &'a Info, together: &Together) -> Option<Slices<'a>> {
        let (many, each) = if together.eager { (EAGER_MANY, EAGER_SLICE) } else { (MANY, SLICE) };
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
