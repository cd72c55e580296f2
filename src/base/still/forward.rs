//! The word at an object's old place that says where it went, while several threads may copy the object at the same time.
//!
//! Each of them makes a copy, and then tries to store its address here. One succeeds; the others find the address of that one,
//! and throw their own copy away.

use super::sync::{AtomicU64, Ordering};

/// The word as it is now. A thread that finds an address sees what was written there before the word was.
#[inline(always)]
pub(crate) fn read(word: &AtomicU64) -> u64 {
    word.load(Ordering::Acquire)
}

/// Replaces the word that was read by an address. Gives the word of the thread that was first, if it was another one.
#[inline(always)]
pub(crate) fn settle(word: &AtomicU64, seen: u64, to: u64) -> Result<(), u64> {
    let settled = word.compare_exchange(seen, to, Ordering::Release, Ordering::Acquire);
    planted!(410, Ok(()), settled.map(drop))
}
