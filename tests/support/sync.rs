//! The atomics and locks of models: as src/base/still/sync.rs, with orders that a test can leave out, one at a time.

pub use loom::sync::{Condvar, Mutex, MutexGuard};
use std::panic::{AssertUnwindSafe, catch_unwind};
pub use std::sync::PoisonError;
pub use std::sync::atomic::Ordering;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering::Relaxed};

/// The order that is left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Weaker {
    Nothing,
    Release,
    Acquire,
    /// A change of a word in one step, or a compare-and-swap, looks first, and stores afterwards.
    Step,
}

/// Looks before a thread goes to sleep: each more has no other outcome.
pub const LOOKS: u32 = 1;

static WEAKER: AtomicU8 = AtomicU8::new(0);
/// Whether a word's stores follow each other in one order, which all see.
static IN_ORDER: AtomicBool = AtomicBool::new(false);

fn weaken(weaker: Weaker) {
    WEAKER.store(weaker as u8, Relaxed);
}

fn is(weaker: Weaker) -> bool {
    WEAKER.load(Relaxed) == weaker as u8
}

macro_rules! atomic {
    ($name:ident, $word:ty) => {
        pub struct $name(loom::sync::atomic::$name);

        impl $name {
            pub fn new(word: $word) -> $name {
                $name(loom::sync::atomic::$name::new(word))
            }

            pub fn load(&self, order: Ordering) -> $word {
                self.0.load(if is(Weaker::Acquire) { Relaxed } else { order })
            }

            pub fn store(&self, word: $word, order: Ordering) {
                let order = if is(Weaker::Release) { Relaxed } else { order };
                if IN_ORDER.load(Relaxed) {
                    self.0.swap(word, order);
                } else {
                    self.0.store(word, order);
                }
            }

            pub fn compare_exchange(
                &self,
                from: $word,
                to: $word,
                order: Ordering,
                other: Ordering,
            ) -> Result<$word, $word> {
                let order = if is(Weaker::Release) { Relaxed } else { order };
                let other = if is(Weaker::Acquire) { Relaxed } else { other };
                if is(Weaker::Step) {
                    let found = self.0.load(other);
                    if found != from {
                        return Err(found);
                    }
                    self.0.store(to, order);
                    return Ok(found);
                }
                self.0.compare_exchange(from, to, order, other)
            }

            fn change(&self, order: Ordering, change: impl Fn($word) -> $word) -> $word {
                let left_out = match order {
                    Ordering::Release => is(Weaker::Release),
                    Ordering::Acquire => is(Weaker::Acquire),
                    _ => false,
                };
                let order = if left_out { Relaxed } else { order };
                if is(Weaker::Step) {
                    let found = self.0.load(Relaxed);
                    self.0.store(change(found), Relaxed);
                    return found;
                }
                let changed = self.0.fetch_update(order, Relaxed, |found| Some(change(found)));
                changed.unwrap_or_else(|found| found)
            }

            pub fn fetch_add(&self, more: $word, order: Ordering) -> $word {
                self.change(order, |found| found + more)
            }

            pub fn fetch_sub(&self, less: $word, order: Ordering) -> $word {
                self.change(order, |found| found - less)
            }

            pub fn fetch_or(&self, bits: $word, order: Ordering) -> $word {
                self.change(order, |found| found | bits)
            }

            pub fn fetch_and(&self, bits: $word, order: Ordering) -> $word {
                self.change(order, |found| found & bits)
            }
        }
    };
}
atomic!(AtomicU32, u32);
atomic!(AtomicU64, u64);

/// One model at a time: what is weakened is the process's.
static ONE: std::sync::Mutex<()> = std::sync::Mutex::new(());

fn explore(in_order: bool, weaker: Weaker, model: fn()) -> bool {
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    weaken(weaker);
    IN_ORDER.store(in_order, Relaxed);
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(3);
    let outcome = catch_unwind(AssertUnwindSafe(|| builder.check(model)));
    weaken(Weaker::Nothing);
    outcome.is_ok()
}

/// Whether a model has no order of steps that fails.
pub fn explored(weaker: Weaker, model: fn()) -> bool {
    explore(false, weaker, model)
}

/// As `explored`, for models with a compare-and-swap of a word that others store into. Loom keeps the order of a word's changes
/// open as long as nobody has seen it, and lets a store slip between the two halves of such a step; so stores are exchanges
/// here, which follow each other.
#[allow(dead_code)]
pub fn explored_in_order(weaker: Weaker, model: fn()) -> bool {
    explore(true, weaker, model)
}
