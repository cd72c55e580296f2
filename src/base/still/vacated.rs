//! A word that says whether a place may be written to: the one thread that reads what was there has read all of it.

use super::sync::{AtomicU32, Ordering};

/// The word of a place that is not read yet.
pub(crate) const NOT_YET: u32 = 0;
const VACATED: u32 = 1;

/// Tells that the place is read. Nobody writes there before the caller has read everything.
#[inline(always)]
pub(crate) fn tell(word: &AtomicU32) {
    word.store(VACATED, Ordering::Release);
}

/// Whether the place is read.
#[inline(always)]
pub(crate) fn is_told(word: &AtomicU32) -> bool {
    planted!(430, true, word.load(Ordering::Acquire) == VACATED)
}
