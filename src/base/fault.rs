//! The switch by which tests make the n-th allocation inside the library fail.
//!
//! Every growth of a `List` and every request to the system asks `allow()` first. Without the feature `testkit`
//! this is a constant.

#[cfg(any(test, feature = "testkit"))]
mod armed {
    use std::cell::Cell;

    thread_local! {
        // Number of calls of `allow` that still succeed; `u64::MAX` when none is to fail.
        static LEFT: Cell<u64> = const { Cell::new(u64::MAX) };
        static ASKED: Cell<u64> = const { Cell::new(0) };
        // Whether only one request fails, and later ones succeed again.
        static ONCE: Cell<bool> = const { Cell::new(false) };
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
}

#[cfg(any(test, feature = "testkit"))]
pub use armed::{allow, asked, fail_after, fail_once_after, stop};

#[cfg(not(any(test, feature = "testkit")))]
#[inline(always)]
pub const fn allow() -> bool {
    true
}
