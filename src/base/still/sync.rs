//! The atomics, locks and conditions that the types here are made of. Models have their own file in this place.

pub(super) use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
pub(super) use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
