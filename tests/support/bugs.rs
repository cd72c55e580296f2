//! Planted bugs in models: as src/base/planted.rs, where each test may choose a bug for itself.

use crate::sync::{Weaker, explored};
use std::cell::Cell;

thread_local! {
    /// The bug that is planted; the environment chooses one for all tests, and a test one for itself: all threads of its models run
    /// on its own thread, by turns.
    static PLANTED: Cell<u32> = const { Cell::new(0) };
}

pub fn is_chosen(number: u32) -> bool {
    PLANTED.get() == number
        || std::env::var("BARROW_PLANTED").is_ok_and(|chosen| chosen == number.to_string())
}

#[allow(unused_macros)]
macro_rules! planted {
    ($number:literal, $wrong:expr) => {
        if crate::bugs::is_chosen($number) {
            $wrong;
        }
    };
    ($number:literal, $wrong:expr, $right:expr) => {
        if crate::bugs::is_chosen($number) { $wrong } else { $right }
    };
}

/// Whether a model has no order of steps that fails when a bug is planted.
pub fn explored_with(bug: u32, model: fn()) -> bool {
    PLANTED.set(bug);
    let outcome = explored(Weaker::Nothing, model);
    PLANTED.set(0);
    outcome
}
