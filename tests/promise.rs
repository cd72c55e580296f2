//! Models of thunks for which threads race: the orders of their steps are tried one by one, with what the memory model allows
//! each of them to see. The code is the library's own, with other atomics; inline forms in barrow/inline.h and in compiled
//! code take the same steps, whose orders are compared here.

use loom::sync::Arc;
use loom::thread;
use promise::Promise;
use sync::{AtomicU64, Ordering, Weaker, explored, explored_in_order, without_need};

#[path = "../src/base/still/ended.rs"]
mod ended;
#[allow(dead_code)]
#[path = "support/orders.rs"]
mod orders;
#[allow(dead_code)]
#[path = "../src/base/still/promise.rs"]
mod promise;
#[allow(dead_code, unused_imports)]
#[path = "support/sync.rs"]
pub mod sync;

const THUNK: u64 = 0x1000;
const BLACKHOLE: u64 = 0x2000;
const INDIRECTION: u64 = 0x3000;
/// The contents of an object that is filled.
const FILLED: u64 = 42;

/// A thunk, and two objects that are filled while the model runs: its values.
struct Heap {
    header: AtomicU64,
    result: AtomicU64,
    values: [AtomicU64; 2],
}

impl Heap {
    fn new() -> Arc<Heap> {
        Arc::new(Heap {
            header: AtomicU64::new(THUNK),
            result: AtomicU64::new(0),
            values: [AtomicU64::new(0), AtomicU64::new(0)],
        })
    }

    fn promise(&self) -> Promise<'_> {
        Promise::new(&self.header, &self.result)
    }

    /// The word of a mutator in a thunk that it claims.
    fn owner(mutator: usize) -> u64 {
        1 << 63 | (mutator as u64 + 1)
    }

    /// Fills the mutator's object, and makes it the thunk's value: its address is the mutator's number, and 1.
    fn update(&self, mutator: usize) {
        self.values[mutator].store(FILLED, Ordering::Relaxed);
        self.promise().update(INDIRECTION, mutator as u64 + 1);
    }

    /// Reads the value, if there is one: it is filled.
    fn look(&self) -> bool {
        if self.promise().header() != INDIRECTION {
            return false;
        }
        let value = self.promise().result();
        let index = [1, 2].iter().position(|&known| known == value).expect("a value, and no owner");
        assert_eq!(self.values[index].load(Ordering::Relaxed), FILLED, "a value that is not filled was seen");
        true
    }
}

/// Runs both mutators, and a third that looks, then looks when all have ended.
fn with_two(first: fn(&Heap), second: fn(&Heap)) {
    let heap = Heap::new();
    let threads = [first, second].map(|body| {
        let heap = heap.clone();
        thread::spawn(move || body(&heap))
    });
    heap.look();
    for thread in threads {
        thread.join().unwrap();
    }
    assert!(heap.look(), "an update was taken back");
}

fn claims_and_updates(heap: &Heap, mutator: usize) -> bool {
    let won = heap.promise().claim(THUNK, BLACKHOLE, Heap::owner(mutator));
    if won {
        heap.update(mutator);
    }
    won
}

/// Two claim: one wins, and nobody else updates.
fn claims() {
    let heap = Heap::new();
    let other = heap.clone();
    let thread = thread::spawn(move || claims_and_updates(&other, 0));
    let won = claims_and_updates(&heap, 1);
    let other_won = thread.join().unwrap();
    assert!(won != other_won, "not one, but two or none have claimed the thunk");
    assert!(heap.look());
}

/// Two have evaluated it without a claim, and update.
fn updates() {
    with_two(|heap| heap.update(0), |heap| heap.update(1));
}

/// One has evaluated it without a claim, and updates; another claims it meanwhile, and updates when it has won.
fn claim_and_update() {
    with_two(
        |heap| heap.update(0),
        |heap| {
            claims_and_updates(heap, 1);
        },
    );
}

/// The same with 0 for the value, by steps that would take it: the claim finds the word of nobody in it, and puts its owner there.
fn claim_and_update_to_nothing() {
    let heap = Heap::new();
    let other = heap.clone();
    let thread = thread::spawn(move || other.promise().update(INDIRECTION, 0));
    heap.promise().claim(THUNK, BLACKHOLE, Heap::owner(1));
    thread.join().unwrap();
    let promise = heap.promise();
    assert!(promise.header() != INDIRECTION || promise.result() == 0, "an indirection to an owner");
}

/// The same, where the claim is passed on, or given up, without an update: the update that was there, or comes, stays.
fn claim_alone_and_update() {
    with_two(
        |heap| heap.update(0),
        |heap| {
            heap.promise().claim(THUNK, BLACKHOLE, Heap::owner(1));
            heap.promise().pass_on(Heap::owner(1), Heap::owner(2));
        },
    );
}

#[test]
fn one_claim_wins() {
    assert!(explored_in_order(Weaker::Nothing, claims));
}

#[test]
fn of_two_updates_one_stays_whole() {
    assert!(explored(Weaker::Nothing, updates));
}

#[test]
fn a_claim_takes_no_update_back() {
    assert!(explored_in_order(Weaker::Nothing, claim_and_update));
    assert!(explored_in_order(Weaker::Nothing, claim_alone_and_update));
}

/// So the value of an update is not 0: inline code takes 0 out of line, which refuses it.
#[test]
fn a_claim_takes_the_value_0_for_nobody() {
    assert!(!explored_in_order(Weaker::Nothing, claim_and_update_to_nothing));
    let (_, inline) = orders::INLINE.split_once("barrow_update_shared_(").expect("an update");
    let (condition, _) = inline.split_once("BARROW_LOAD_ACQUIRE").expect("its look at the header");
    assert!(condition.contains("value != NULL"));
    let (_, library) = include_str!("../src/host/lazy.rs").split_once("fn update(").expect("an update");
    let (before, _) = library.split_once("self.overwrite(").expect("its stores");
    assert!(before.contains("value == 0"));
}

#[test]
fn every_order_is_needed() {
    for weaker in [Weaker::Release, Weaker::Acquire] {
        assert!(!explored(weaker, updates), "{weaker:?}");
    }
    assert_eq!(without_need(&[updates]), []);
    assert!(!explored_in_order(Weaker::Step, claims));
    assert!(!explored_in_order(Weaker::Step, claim_alone_and_update));
}

/// The orders in the bodies of these functions of the library's code.
fn orders_of(functions: &[&str]) -> Vec<Ordering> {
    let code = include_str!("../src/base/still/promise.rs");
    let mut found = Vec::new();
    for function in functions {
        let (_, body) = code.split_once(&format!("fn {function}(")).expect("a function of a promise");
        let (body, _) = body.split_once("\n    }\n").expect("its end");
        found.extend(body.split("Ordering::").skip(1).map(|rest| match rest.split([')', ',']).next() {
            Some("Relaxed") => Ordering::Relaxed,
            Some("Acquire") => Ordering::Acquire,
            Some("Release") => Ordering::Release,
            other => panic!("{other:?} is no order that the models know"),
        }));
    }
    found
}

/// These models are of the library's steps, and C code takes its own.
#[test]
fn inline_forms_have_the_orders_of_the_library() {
    assert_eq!(orders::orders_in("barrow_info_now"), orders_of(&["header"]));
    assert_eq!(orders::orders_in("barrow_indirectee"), orders_of(&["result"]));
    assert_eq!(orders::orders_in("barrow_claim"), orders_of(&["header", "claim"]));
    assert_eq!(orders::orders_in("barrow_update_shared_"), orders_of(&["header", "update"]));
}

const LIVE: u64 = 0x4000;
const DEAD: u64 = 0x5000;

/// The field of a weak pointer, as barrow_weak_deref and barrow_weak_key read it.
fn field_of(weak: &[AtomicU64; 3]) -> u64 {
    weak[2].load(orders::orders_in("barrow_weak_deref")[0])
}

/// Its header, as barrow_weak_alive reads it.
fn header_of(weak: &[AtomicU64; 3]) -> u64 {
    weak[0].load(orders::orders_in("barrow_info_now")[0])
}

/// One thread ends a weak pointer, and another reads it: a live one has its value.
fn ended_and_read() {
    let weak = Arc::new([LIVE, FILLED, FILLED].map(AtomicU64::new));
    let other = weak.clone();
    let thread = thread::spawn(move || ended::end(&other[0], DEAD, [&other[1], &other[2]]));
    let value = field_of(&weak);
    if header_of(&weak) == LIVE {
        assert_eq!(value, FILLED);
    }
    thread.join().unwrap();
}

#[test]
fn a_live_weak_pointer_has_its_value() {
    assert!(explored(Weaker::Nothing, ended_and_read));
    for weaker in [Weaker::Release, Weaker::Acquire] {
        assert!(!explored(weaker, ended_and_read), "{weaker:?}");
    }
    // The order of the header's load is for what else the header may say.
    let unneeded = without_need(&[ended_and_read]);
    let unneeded: Vec<_> = unneeded.iter().map(|place| place.function(include_str!("promise.rs"))).collect();
    assert_eq!(unneeded, ["header_of"]);
}

/// The model's steps are those of barrow/inline.h: a load of the field, and then one of the header.
#[test]
fn inline_forms_read_the_field_first() {
    for reads in ["barrow_weak_deref", "barrow_weak_key"] {
        assert_eq!(orders::orders_in(reads), [Ordering::Acquire], "{reads}");
        let (_, code) = orders::INLINE.split_once(&format!("{reads}(const void *weak")).expect("its head");
        let (body, _) = code.split_once("\n}\n").expect("its end");
        let (before, after) = body.split_once("barrow_weak_alive(weak)").expect("its look at the header");
        assert!(before.contains("BARROW_LOAD_ACQUIRE") && !after.contains("BARROW_LOAD"), "{reads}");
    }
    let alive = orders::INLINE.lines().find(|line| line.contains("bool barrow_weak_alive("));
    assert!(alive.is_some_and(|line| line.contains("{ return barrow_info_now(weak)->kind == ")));
}
