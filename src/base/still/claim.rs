//! A claim on bits of a word that several threads set: of those who want the same one, one gets it.

use super::sync::{AtomicU64, Ordering};

/// Sets bits of a word. True for one of all threads that set `first` among them: what these bits stand for is that thread's
/// then. No other order is needed, since nobody reads anything by the bits before all threads are done.
#[inline(always)]
pub(crate) fn claim(word: &AtomicU64, bits: u64, first: u64) -> bool {
    // Most are claimed already, and a look leaves the cache line to all.
    word.load(Ordering::Relaxed) & first == 0
        && planted!(401, true, word.fetch_or(bits, Ordering::Relaxed) & first == 0)
}

/// Sets bits of a word that are the caller's already, or that nobody wants alone. Gives the word before.
#[inline(always)]
pub(crate) fn set(word: &AtomicU64, bits: u64) -> u64 {
    word.fetch_or(bits, Ordering::Relaxed)
}
