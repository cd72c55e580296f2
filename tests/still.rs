//! Models of how threads of one heap come to rest: the orders of their steps are tried one by one, with what the memory model
//! allows each of them to see. The code is the library's own, with other atomics and locks. Each order of memory that it asks
//! for is left out by itself: `leave` and `is_still` need theirs, and the gate's lock gives what the others ask for.

use bugs::explored_with;
use gate::Gate;
use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::thread;
use presence::Presence;
use std::time::Duration;
use sync::{Weaker, explored, explored_in_turns, without_need};

#[macro_use]
#[path = "support/bugs.rs"]
mod bugs;
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

/// A heap with a mutator for each of the first threads, which are known by their index.
struct Heap {
    gate: Gate,
    presences: Vec<Presence>,
    /// An object, which at most one thread touches at a time.
    object: UnsafeCell<u32>,
    /// A list that changes only inside.
    list: UnsafeCell<u32>,
}

/// The number by which the gate knows a thread.
fn number(thread: usize) -> u64 {
    thread as u64 + 1
}

impl Heap {
    fn new(threads: usize, looks: bool) -> Arc<Heap> {
        let presences = (0..threads).map(|_| Presence::new()).collect();
        let heap =
            Heap { gate: Gate::new(), presences, object: UnsafeCell::new(0), list: UnsafeCell::new(0) };
        heap.gate.let_look(looks);
        Arc::new(heap)
    }

    fn touch(&self) {
        // SAFETY: the model stops with a sentence when another thread touches it at the same time.
        self.object.with_mut(|object| unsafe { *object += 1 });
    }

    fn touch_list(&self) {
        // SAFETY: as above.
        self.list.with_mut(|list| unsafe { *list += 1 });
    }

    fn leave(&self, thread: usize) {
        if self.presences.get(thread).is_some_and(Presence::leave) {
            self.gate.nudge();
        }
    }

    fn come_back(&self, thread: usize) {
        let presence = &self.presences[thread];
        if !presence.come_back() {
            self.gate.admit(number(thread), presence, || ());
        }
    }

    fn stand_aside(&self, thread: usize) -> bool {
        self.gate.stand_aside(number(thread), Some(&self.presences[thread]), None)
    }

    fn others(&self, thread: usize) -> impl Iterator<Item = &Presence> {
        self.presences.iter().enumerate().filter(move |(index, _)| *index != thread).map(|(_, other)| other)
    }

    /// A collection: the others are still, the object is touched, they go on. Who wants one already goes first. One that is away is
    /// asked once, and let go at the gate.
    fn collect(&self, thread: usize) {
        self.collect_with(thread, None, || || ());
    }

    /// The same with patience, which is over at the second look at the clock. A late thread is told of at most once. It is chosen while nobody is inside.
    fn collect_in_haste(&self, thread: usize) {
        let mut told = 0;
        self.collect_with(thread, Some(Duration::from_nanos(2)), || {
            told += 1;
            assert_eq!(told, 1);
            self.touch_list();
            // The gate is free: others may come while this is told.
            || self.gate.nudge()
        });
    }

    fn collect_with<T: FnOnce()>(&self, thread: usize, patience: Option<Duration>, slow: impl FnMut() -> T) {
        self.gate.enter(number(thread));
        while self.stand_aside(thread) {}
        let ask = || self.others(thread).filter(|other| !other.is_asked()).for_each(Presence::ask);
        let are_still = || self.others(thread).all(Presence::is_still);
        self.gate.stop(number(thread), ask, are_still, patience, slow);
        self.touch();
        self.others(thread).filter(|other| !other.is_away()).for_each(Presence::let_go);
        self.gate.leave(number(thread));
    }

    /// A call that may wait for a collection.
    fn call(&self, thread: usize) {
        self.gate.enter(number(thread));
        self.stand_aside(thread);
        self.touch();
        self.gate.leave(number(thread));
    }

    /// A call that waits for nobody's collection.
    fn short_call(&self, thread: usize) {
        self.gate.enter(number(thread));
        self.touch();
        self.touch_list();
        self.gate.leave(number(thread));
    }

    /// A call that waits for a blackhole, and looks at it again.
    fn wait(&self, thread: usize) {
        self.gate.enter(number(thread));
        self.touch();
        self.gate.rest(&self.presences[thread]);
        self.gate.wake(number(thread), &self.presences[thread]);
        self.touch();
        self.gate.leave(number(thread));
    }
}

/// Runs each body in a thread of its own, the first of them here. A thread that has ended is away.
fn run<const N: usize>(heap: Arc<Heap>, bodies: [fn(&Heap, usize); N]) {
    let body = move |heap: &Heap, thread: usize| {
        bodies[thread](heap, thread);
        heap.leave(thread);
    };
    let start = |thread: usize| {
        let heap = heap.clone();
        thread::spawn(move || body(&heap, thread))
    };
    let others: Vec<_> = (1..N).map(start).collect();
    body(&heap, 0);
    for other in others {
        other.join().unwrap();
    }
}

/// A thread leaves for foreign code and comes back.
fn goes_and_comes(heap: &Heap, thread: usize) {
    heap.touch();
    heap.leave(thread);
    heap.come_back(thread);
    heap.touch();
}

/// The same, while another collects.
fn foreign() {
    run(Heap::new(2, false), [Heap::collect, goes_and_comes]);
}

/// A thread is away, and comes back and leaves again beside two collections.
fn stays_away() {
    let heap = Heap::new(2, false);
    heap.leave(1);
    let collects_twice = |heap: &Heap, thread: usize| {
        heap.collect(thread);
        heap.collect(thread);
    };
    let comes = |heap: &Heap, thread: usize| {
        heap.come_back(thread);
        heap.touch();
    };
    run(heap, [collects_twice, comes]);
}

/// A thread comes by a call that may wait for a collection, and then goes.
fn call() {
    call_in(Heap::new(2, false));
}

fn call_in(heap: Arc<Heap>) {
    let calls = |heap: &Heap, thread: usize| {
        heap.touch();
        heap.call(thread);
        heap.touch();
    };
    run(heap, [Heap::collect, calls]);
}

/// Each of two wants the other still.
fn two_collect() {
    run(Heap::new(2, false), [Heap::collect, Heap::collect]);
}

/// The same, beside a third that leaves and comes back.
fn two_collect_beside_a_third() {
    let heap = Heap::new(3, false);
    heap.leave(2);
    let comes = |heap: &Heap, thread: usize| {
        heap.come_back(thread);
        heap.touch();
    };
    run(heap, [Heap::collect, Heap::collect, comes]);
}

/// Two threads come back from foreign code beside a collection: while it runs, both sleep at the gate.
fn two_come_back() {
    let heap = Heap::new(3, false);
    heap.leave(1);
    heap.leave(2);
    run(heap, [Heap::collect, Heap::come_back, Heap::come_back]);
}

/// A thread without a mutator makes a call, while another waits until a third has left.
fn call_without_a_mutator() {
    run(Heap::new(2, false), [Heap::collect, |_, _| (), Heap::short_call]);
}

fn calls_twice(heap: &Heap, thread: usize) {
    heap.short_call(thread);
    heap.short_call(thread);
}

/// A thread that collects is told of a late one, which makes calls meanwhile.
fn late_in_calls() {
    run(Heap::new(2, false), [Heap::collect_in_haste, calls_twice]);
}

/// Calls of two threads, one after the other in each: who is woken may find that the other was faster.
fn calls() {
    run(Heap::new(2, false), [calls_twice, calls_twice]);
}

/// A thread waits for a blackhole while another collects.
fn waits() {
    run(Heap::new(2, false), [Heap::collect, Heap::wait]);
}

/// Two wait for blackholes: each is inside alone.
fn two_wait() {
    run(Heap::new(2, false), [Heap::wait, Heap::wait]);
}

const MODELS: [fn(); 6] = [foreign, stays_away, call, two_collect, waits, two_wait];

#[test]
fn a_thread_in_foreign_code_is_never_missed() {
    assert!(explored(Weaker::Nothing, foreign));
    assert!(explored(Weaker::Nothing, stays_away));
}

#[test]
fn a_thread_in_a_call_is_waited_for() {
    assert!(explored(Weaker::Nothing, call));
    assert!(explored_in_turns(1, call_without_a_mutator));
}

#[test]
fn a_thread_that_looks_before_it_sleeps_misses_nothing() {
    assert!(explored(Weaker::Nothing, || call_in(Heap::new(2, true))));
}

/// Threads that woke one another would never come to an end in some orders.
#[test]
fn threads_that_come_back_let_each_other_sleep() {
    assert!(explored(Weaker::Nothing, two_come_back));
    assert!(!explored_with(669, two_come_back));
}

#[test]
fn one_collects_after_the_other() {
    assert!(explored(Weaker::Nothing, two_collect));
    assert!(explored_in_turns(1, two_collect_beside_a_third));
}

#[test]
fn a_late_thread_is_told_of_once_and_while_nobody_is_inside() {
    assert!(explored(Weaker::Nothing, late_in_calls));
    assert!(!explored_with(508, late_in_calls));
}

#[test]
fn one_is_inside_at_a_time() {
    assert!(explored(Weaker::Nothing, calls));
    assert!(!explored_with(465, calls));
}

#[test]
fn a_thread_that_waits_for_a_blackhole_stands() {
    assert!(explored(Weaker::Nothing, waits));
    assert!(explored(Weaker::Nothing, two_wait));
}

#[test]
fn steps_are_whole() {
    for weaker in [Weaker::Release, Weaker::Acquire, Weaker::Step] {
        assert!(!explored(weaker, foreign), "{weaker:?}");
    }
}

/// The orders of `Presence` that no model misses are those that its first comment says the lock gives.
#[test]
fn two_orders_are_needed_without_the_lock() {
    let text = include_str!("../src/base/still/presence.rs");
    let without: Vec<_> = without_need(&MODELS).iter().map(|place| place.function(text)).collect();
    assert_eq!(without, ["come_back", "let_go", "is_away_again", "stands", "stands", "is_back"]);
}
