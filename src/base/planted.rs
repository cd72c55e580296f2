//! Planted bugs, each of which shows that a test would find it. `tests/planted/table` says what each of them
//! breaks and which test finds it.
//!
//! In the source a bug is one line: `planted!(17, wrong, right)`, or `planted!(17, wrong)` where the right
//! side is to do nothing. With the feature `planted` one build has all of them, and `BARROW_PLANTED=17` in
//! the environment chooses one; `ci/planted-bugs.sh` runs them in turn. Without the feature the macro is its
//! right side, and the wrong side is not even compiled.

#[cfg(not(feature = "planted"))]
macro_rules! planted {
    ($number:literal, $wrong:expr) => {};
    ($number:literal, $wrong:expr, $right:expr) => {
        $right
    };
}

#[cfg(feature = "planted")]
macro_rules! planted {
    ($number:literal, $wrong:expr) => {
        if $crate::base::planted::is_chosen($number) {
            $wrong;
        }
    };
    ($number:literal, $wrong:expr, $right:expr) => {
        if $crate::base::planted::is_chosen($number) { $wrong } else { $right }
    };
}

#[cfg(feature = "planted")]
pub use chosen::{is_chosen, upwards};

#[cfg(feature = "planted")]
mod chosen {
    use std::sync::atomic::{AtomicU32, Ordering};

    const UNREAD: u32 = u32::MAX;

    /// The number of the chosen bug; 0 for none.
    static CHOSEN: AtomicU32 = AtomicU32::new(UNREAD);

    #[inline(always)]
    pub fn is_chosen(number: u32) -> bool {
        match CHOSEN.load(Ordering::Relaxed) {
            UNREAD => read() == number,
            chosen => chosen == number,
        }
    }

    #[cold]
    #[inline(never)]
    fn read() -> u32 {
        let chosen = match std::env::var("BARROW_PLANTED") {
            Ok(text) => text.parse().expect("BARROW_PLANTED is the number of a planted bug"),
            Err(_) => 0,
        };
        CHOSEN.store(chosen, Ordering::Relaxed);
        chosen
    }

    /// Copies words as `std::ptr::copy` does, but wrongly where `to` overlaps the end of `from`.
    ///
    /// # Safety
    /// As for `std::ptr::copy`.
    pub unsafe fn upwards(from: *const usize, to: *mut usize, count: usize) {
        for i in 0..count {
            // SAFETY: the caller's promise.
            unsafe { to.add(i).write(from.add(i).read()) };
        }
    }
}

#[cfg(all(test, not(feature = "planted")))]
mod tests {
    /// A constant has no branch, and the function on the wrong side does not exist.
    const RIGHT: u32 = planted!(0, no_such_function(), 7);

    #[test]
    fn without_the_feature_only_the_right_side_is_compiled() {
        assert_eq!(RIGHT, 7);
    }
}
