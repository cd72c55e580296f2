//! The atomics, locks, conditions and the clock that the types here are made of. Models have their own file in this place.

pub(super) use std::sync::atomic::{AtomicU32, AtomicU64, Ordering, fence};
pub(super) use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
pub(super) use std::time::Instant;

/// Looks at a gate before a thread goes to sleep: as many as take the time of a small collection, which is over before a thread
/// would be asleep and woken.
pub(super) const LOOKS: u32 = 1000;
