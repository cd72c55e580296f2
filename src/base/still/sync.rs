//! The atomics, locks, conditions and the clock that the types here are made of. Models have their own file in this place.

pub(super) use std::sync::atomic::{AtomicU32, AtomicU64, Ordering, fence};
pub(super) use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
pub(super) use std::time::Instant;

use std::time::Duration;

/// The time for which a thread looks before it sleeps: about as long as falling asleep and being woken, and as small collections take. It is
/// no count of looks, since the processor's pause between two of them takes from 10 to 50 ns (docs/decisions/0040-workers.md).
pub(super) const LOOKED_FOR: Duration = Duration::from_micros(40);
/// The time for which a guest looks, which has no more to do than wait for the end of a collection, and whoever calls for it needs no thread to be
/// woken.
pub(super) const GUEST_LOOKED_FOR: Duration = Duration::from_micros(160);
/// Looks for each one at the clock.
const LOOKS: u32 = 128;
/// Looks at most, where the clock stands.
const MOST_LOOKS: u32 = 1000 * LOOKS;

/// A spell of looking for something, before a thread sleeps.
pub(super) struct Spell {
    /// Looks until the last one.
    left: u32,
    /// The time of the first look at the clock.
    began: Option<Instant>,
}

impl Spell {
    pub(super) fn new() -> Spell {
        Spell { left: MOST_LOOKS, began: None }
    }

    /// Waits for a moment. Whether this time is not over.
    pub(super) fn goes_on(&mut self, most: Duration) -> bool {
        std::hint::spin_loop();
        self.left -= 1;
        if !self.left.is_multiple_of(LOOKS) {
            return true;
        }
        self.left > 0 && self.began.get_or_insert_with(Instant::now).elapsed() < most
    }
}
