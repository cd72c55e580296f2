//! Models of how threads of one heap come to rest: the orders of their steps are tried one by one, with what the memory model
//! allows each of them to see. The code is the library's own, with other atomics and locks. Each order of memory that it asks
//! for is needed: a model with a weaker one fails.

use gate::Gate;
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::thread;
use presence::Presence;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};
use sync::{AtomicU32, Ordering, Weaker};

#[allow(dead_code)]
#[path = "../src/base/still/gate.rs"]
mod gate;
#[allow(dead_code)]
#[path = "../src/base/still/presence.rs"]
mod presence;

/// As src/base/still/sync.rs, with atomics that a test can weaken.
pub mod sync {
    pub use loom::sync::{Condvar, Mutex, MutexGuard};
    pub use std::sync::PoisonError;
    pub use std::sync::atomic::Ordering;
    use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

    /// The order that is left out.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    #[repr(u8)]
    pub enum Weaker {
        Nothing,
        Release,
        Acquire,
        Fence,
    }

    static WEAKER: AtomicU8 = AtomicU8::new(0);

    pub fn weaken(weaker: Weaker) {
        WEAKER.store(weaker as u8, Relaxed);
    }

    fn is(weaker: Weaker) -> bool {
        WEAKER.load(Relaxed) == weaker as u8
    }

    pub fn fence(order: Ordering) {
        if !is(Weaker::Fence) {
            loom::sync::atomic::fence(order);
        }
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
                    self.0.store(word, if is(Weaker::Release) { Relaxed } else { order });
                }

                pub fn fetch_or(&self, bits: $word, order: Ordering) -> $word {
                    self.0.fetch_or(bits, order)
                }

                pub fn fetch_and(&self, bits: $word, order: Ordering) -> $word {
                    self.0.fetch_and(bits, if is(Weaker::Release) { Relaxed } else { order })
                }
            }
        };
    }
    atomic!(AtomicU32, u32);
    atomic!(AtomicU64, u64);
}

const STOP: u32 = 16;
/// The threads' numbers: of the one that is stopped, and of the one that stops it.
const OTHER: u64 = 1;
const STOPPER: u64 = 2;

/// A heap with one other mutator.
struct Heap {
    gate: Gate,
    presence: Presence,
    asked: AtomicU32,
    /// An object, which at most one thread touches at a time.
    object: UnsafeCell<u32>,
}

impl Heap {
    fn new() -> Arc<Heap> {
        Arc::new(Heap {
            gate: Gate::new(),
            presence: Presence::new(),
            asked: AtomicU32::new(0),
            object: UnsafeCell::new(0),
        })
    }

    fn touch(&self) {
        // SAFETY: the model stops with a sentence when another thread touches it at the same time.
        self.object.with_mut(|object| unsafe { *object += 1 });
    }

    fn leave(&self) {
        if self.presence.leave(&self.asked, STOP) {
            self.gate.nudge();
        }
    }

    fn come_back(&self) {
        if !self.presence.come_back(&self.asked, STOP) {
            self.gate.admit(OTHER, &self.presence);
        }
    }

    /// A collection: the other one is still, its object is touched, it goes on.
    fn collect(&self) {
        self.gate.enter(STOPPER);
        let ask = || {
            self.asked.fetch_or(STOP, Ordering::SeqCst);
        };
        self.gate.stop(STOPPER, ask, || self.presence.is_still(), None, || {});
        self.touch();
        self.asked.fetch_and(!STOP, Ordering::Release);
        self.gate.leave(STOPPER);
    }
}

/// One model at a time: what is weakened is the process's.
static ONE: Mutex<()> = Mutex::new(());

fn explored(weaker: Weaker, model: fn()) -> bool {
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    sync::weaken(weaker);
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(3);
    let outcome = catch_unwind(AssertUnwindSafe(|| builder.check(model)));
    sync::weaken(Weaker::Nothing);
    outcome.is_ok()
}

/// A thread leaves for foreign code and comes back, while another collects.
fn foreign() {
    let heap = Heap::new();
    let other = heap.clone();
    let thread = thread::spawn(move || {
        other.touch();
        other.leave();
        other.come_back();
        other.touch();
        other.leave();
    });
    heap.collect();
    thread.join().unwrap();
}

/// A thread comes by a call that may wait for a collection, and then leaves.
fn call() {
    let heap = Heap::new();
    let other = heap.clone();
    let thread = thread::spawn(move || {
        other.touch();
        other.gate.enter(OTHER);
        other.gate.stand_aside(OTHER, Some(&other.presence));
        other.touch();
        other.gate.leave(OTHER);
        other.touch();
        other.leave();
    });
    heap.collect();
    thread.join().unwrap();
}

#[test]
fn a_thread_in_foreign_code_is_never_missed() {
    assert!(explored(Weaker::Nothing, foreign));
}

#[test]
fn a_thread_in_a_call_stands_and_goes_on() {
    assert!(explored(Weaker::Nothing, call));
}

#[test]
fn every_order_is_needed() {
    for weaker in [Weaker::Release, Weaker::Acquire, Weaker::Fence] {
        assert!(!explored(weaker, foreign), "{weaker:?}");
    }
}
