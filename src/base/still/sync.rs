//! The atomics, locks, conditions and the clock that the types here are made of. Models have their own file in this place.

pub(super) use std::sync::atomic::{AtomicU32, AtomicU64, Ordering, fence};
pub(super) use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
pub(super) use std::time::Instant;

use std::time::Duration;

/// The time for which a thread looks before it sleeps: about as long as falling asleep and being woken, and as small collections take. It is
/// no count of looks, since the processor's pause between two of them takes from 10 to 50 ns (docs/decisions/0040-workers.md).
const LOOKED_FOR: Duration = Duration::from_micros(40);
/// Looks for each one at the clock.
const LOOKS: u32 = 128;

/// A spell of looking for something, before a thread sleeps.
pub(super) struct Spell {
    /// Looks until the next one at the clock.
    left: u32,
    /// The time of the first look at the clock.
    began: Option<Instant>,
}

impl Spell {
    pub(super) fn new() -> Spell {
        Spell { left: LOOKS, began: None }
    }

    /// Waits for a moment. Whether so many times the usual time are not over.
    pub(super) fn goes_on(&mut self, times: u32) -> bool {
        std::hint::spin_loop();
        self.left -= 1;
        if self.left > 0 {
            return true;
        }
        self.left = LOOKS;
        self.began.get_or_insert_with(Instant::now).elapsed() < LOOKED_FOR * times
    }
}
