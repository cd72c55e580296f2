//! Models of how threads of one heap come to rest: the orders of their steps are tried one by one, with what the memory model
//! allows each of them to see. The code is the library's own, with other atomics and locks. Each order of memory that it asks
//! for is needed: a model with a weaker one fails.

use gate::Gate;
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::thread;
use presence::Presence;
use sync::{Weaker, explored};

#[allow(dead_code)]
#[path = "../src/base/still/changes.rs"]
mod changes;
#[allow(dead_code)]
#[path = "../src/base/still/gate.rs"]
mod gate;
#[allow(dead_code)]
#[path = "../src/base/still/presence.rs"]
mod presence;

#[path = "support/sync.rs"]
pub mod sync;

/// The threads' numbers: of the one that is stopped, and of the one that stops it.
const OTHER: u64 = 1;
const STOPPER: u64 = 2;

/// A heap with one other mutator.
struct Heap {
    gate: Gate,
    presence: Presence,
    /// An object, which at most one thread touches at a time.
    object: UnsafeCell<u32>,
}

impl Heap {
    fn new(looks: bool) -> Arc<Heap> {
        let heap = Heap { gate: Gate::new(), presence: Presence::new(), object: UnsafeCell::new(0) };
        heap.gate.let_look(looks);
        Arc::new(heap)
    }

    fn touch(&self) {
        // SAFETY: the model stops with a sentence when another thread touches it at the same time.
        self.object.with_mut(|object| unsafe { *object += 1 });
    }

    fn leave(&self) {
        if self.presence.leave() {
            self.gate.nudge();
        }
    }

    fn come_back(&self) {
        if !self.presence.come_back() {
            self.gate.admit(OTHER, &self.presence, || ());
        }
    }

    /// A collection: the other one is still, its object is touched, it goes on. One that is away is asked once, and let go at the gate.
    fn collect(&self) {
        self.gate.enter(STOPPER);
        let ask = || {
            if !self.presence.is_asked() {
                self.presence.ask();
            }
        };
        self.gate.stop(STOPPER, ask, || self.presence.is_still(), None, || {});
        self.touch();
        if !self.presence.is_away() {
            self.presence.let_go();
        }
        self.gate.leave(STOPPER);
    }
}

/// A thread leaves for foreign code and comes back, while another collects.
fn foreign() {
    let heap = Heap::new(false);
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

/// A thread is away, and comes back and leaves again beside two collections.
fn stays_away() {
    let heap = Heap::new(false);
    let other = heap.clone();
    other.leave();
    let thread = thread::spawn(move || {
        other.come_back();
        other.touch();
        other.leave();
    });
    heap.collect();
    heap.collect();
    thread.join().unwrap();
}

/// A thread comes by a call that may wait for a collection, and then leaves.
fn call() {
    call_in(Heap::new(false));
}

fn call_in(heap: Arc<Heap>) {
    let other = heap.clone();
    let thread = thread::spawn(move || {
        other.touch();
        other.gate.enter(OTHER);
        other.gate.stand_aside(OTHER, Some(&other.presence), None);
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
    assert!(explored(Weaker::Nothing, stays_away));
}

#[test]
fn a_thread_in_a_call_stands_and_goes_on() {
    assert!(explored(Weaker::Nothing, call));
}

#[test]
fn a_thread_that_looks_before_it_sleeps_misses_nothing() {
    assert!(explored(Weaker::Nothing, || call_in(Heap::new(true))));
}

#[test]
fn every_order_is_needed() {
    for weaker in [Weaker::Release, Weaker::Acquire, Weaker::Step] {
        assert!(!explored(weaker, foreign), "{weaker:?}");
    }
}
