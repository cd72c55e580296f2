//! The switch by which tests make the n-th allocation inside the library fail.
//!
//! Every growth of a `List` and every request to the system asks `allow()` first. Without the feature `testkit`
//! this is a constant.

use crate::base::size::BLOCK_WORDS;

#[cfg(any(test, feature = "testkit"))]
mod armed {
    use std::cell::Cell;

    thread_local! {
        // Number of calls of `allow` that still succeed; `u64::MAX` when none is to fail.
        static LEFT: Cell<u64> = const { Cell::new(u64::MAX) };
        static ASKED: Cell<u64> = const { Cell::new(0) };
        // Whether only one request fails, and later ones succeed again.
        static ONCE: Cell<bool> = const { Cell::new(false) };
        static MARKS: Cell<usize> = const { Cell::new(usize::MAX) };
        static WASTE: Cell<usize> = const { Cell::new(super::SPARE_WASTE) };
        // Every n-th request for blocks of remembered entries fails, and the number of those so far.
        static ENTRIES: Cell<(u64, u64)> = const { Cell::new((0, 0)) };
    }

    pub fn allow() -> bool {
        ASKED.with(|asked| asked.set(asked.get() + 1));
        LEFT.with(|left| match left.get() {
            u64::MAX => true,
            0 => {
                if ONCE.with(Cell::get) {
                    left.set(u64::MAX);
                }
                false
            }
            n => {
                left.set(n - 1);
                true
            }
        })
    }

    /// Lets this thread's requests fail after `n` more.
    pub fn fail_after(n: u64) {
        ONCE.with(|once| once.set(false));
        LEFT.with(|left| left.set(n));
    }

    /// Lets one of this thread's requests fail, after `n` more.
    pub fn fail_once_after(n: u64) {
        fail_after(n);
        ONCE.with(|once| once.set(true));
    }

    pub fn stop() {
        LEFT.with(|left| left.set(u64::MAX));
    }

    /// Number of requests that this thread has made so far.
    pub fn asked() -> u64 {
        ASKED.with(Cell::get)
    }

    /// Bounds the mark stacks of this thread's collections, in entries: larger heaps than a test has fill them.
    pub fn bound_marks(entries: usize) {
        MARKS.with(|marks| marks.set(entries));
    }

    /// Lets every `n`-th of this thread's requests for blocks of remembered entries fail; none for 0. These are too many to be
    /// refused one by one, and none of them makes a call fail.
    pub fn refuse_entries(n: u64) {
        ENTRIES.with(|entries| entries.set((n, 0)));
    }

    pub fn allow_entries() -> bool {
        ENTRIES.with(|entries| {
            let (every, asked) = entries.get();
            entries.set((every, asked + 1));
            every == 0 || (asked + 1) % every != 0
        })
    }

    /// Entries that a mark stack may have.
    pub fn most_marks() -> usize {
        MARKS.with(Cell::get)
    }

    /// Sets the words that this thread's heaps may always waste between old objects: smaller heaps than those of programs waste
    /// no more.
    pub fn bound_waste(words: usize) {
        WASTE.with(|waste| waste.set(words));
    }

    pub fn spare_waste() -> usize {
        WASTE.with(Cell::get)
    }
}

#[cfg(any(test, feature = "testkit"))]
pub use armed::{
    allow, allow_entries, asked, bound_marks, bound_waste, fail_after, fail_once_after, most_marks,
    refuse_entries, spare_waste, stop,
};

/// Words that may always be wasted between objects that stay: those of groups that are being filled.
const SPARE_WASTE: usize = 4 * BLOCK_WORDS;

#[cfg(not(any(test, feature = "testkit")))]
#[inline(always)]
pub const fn spare_waste() -> usize {
    SPARE_WASTE
}

#[cfg(not(any(test, feature = "testkit")))]
#[inline(always)]
pub const fn allow() -> bool {
    true
}

#[cfg(not(any(test, feature = "testkit")))]
#[inline(always)]
pub const fn allow_entries() -> bool {
    true
}

#[cfg(not(any(test, feature = "testkit")))]
#[inline(always)]
pub const fn most_marks() -> usize {
    usize::MAX
}
