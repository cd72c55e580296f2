//! The atomics, locks and the clock of models: as src/base/still/sync.rs, with orders that a test can leave out: one kind at all places, or at
//! one of them.

pub use loom::sync::{Condvar, Mutex, MutexGuard};
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, Location, catch_unwind};
pub use std::sync::PoisonError;
pub use std::sync::atomic::Ordering;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering::Relaxed};
use std::time::Duration;

/// The order that is left out.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Weaker {
    Nothing,
    Release,
    Acquire,
    /// A change of a word in one step, or a compare-and-swap, looks first, and stores afterwards.
    Step,
    /// A fence that all others have an order with.
    Fence,
}

/// Numbers of looks, in place of times.
pub const LOOKED_FOR: u32 = 1;
pub const GUEST_LOOKED_FOR: u32 = 4;

/// Looks before a thread goes to sleep: each more has no other outcome.
pub struct Spell(u32);

impl Spell {
    pub fn new() -> Spell {
        Spell(0)
    }

    /// Whether this look was not the last.
    pub fn goes_on(&mut self, most: u32) -> bool {
        self.0 += 1;
        self.0 < most
    }
}

/// A place in the code that asks for an order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Place {
    at: &'static Location<'static>,
    asks: Weaker,
}

static WEAKER: AtomicU8 = AtomicU8::new(0);
/// Places at which the order is left out, when nothing is left out elsewhere.
static WITHOUT: std::sync::Mutex<BTreeSet<Place>> = std::sync::Mutex::new(BTreeSet::new());
/// The places that the model came to.
static PLACES: std::sync::Mutex<BTreeSet<Place>> = std::sync::Mutex::new(BTreeSet::new());
/// Whether a word's stores follow each other in one order, which all see.
static IN_ORDER: AtomicBool = AtomicBool::new(false);

fn weaken(weaker: Weaker) {
    WEAKER.store(weaker as u8, Relaxed);
}

fn is(weaker: Weaker) -> bool {
    WEAKER.load(Relaxed) == weaker as u8
}

fn held<T>(lock: &std::sync::Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether a place that asks for this order gets it. The place is noted.
fn has(at: &'static Location<'static>, asks: Weaker) -> bool {
    let place = Place { at, asks };
    held(&PLACES).insert(place);
    !is(asks) && !held(&WITHOUT).contains(&place)
}

/// The order that a model leaves of the one that its caller's caller asks for.
#[track_caller]
fn left_of(order: Ordering) -> Ordering {
    let at = Location::caller();
    let releases = matches!(order, Ordering::Release | Ordering::AcqRel) && has(at, Weaker::Release);
    let acquires = matches!(order, Ordering::Acquire | Ordering::AcqRel) && has(at, Weaker::Acquire);
    match (releases, acquires) {
        (true, true) => Ordering::AcqRel,
        (true, false) => Ordering::Release,
        (false, true) => Ordering::Acquire,
        (false, false) => Relaxed,
    }
}

/// A fence, of the strongest order.
#[allow(dead_code)]
#[track_caller]
pub fn fence(order: Ordering) {
    assert_eq!(order, Ordering::SeqCst, "models leave out a fence as a whole");
    if has(Location::caller(), Weaker::Fence) {
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

            #[track_caller]
            pub fn load(&self, order: Ordering) -> $word {
                self.0.load(left_of(order))
            }

            #[track_caller]
            pub fn store(&self, word: $word, order: Ordering) {
                let order = left_of(order);
                if IN_ORDER.load(Relaxed) {
                    self.0.swap(word, order);
                } else {
                    self.0.store(word, order);
                }
            }

            #[track_caller]
            pub fn compare_exchange(
                &self,
                from: $word,
                to: $word,
                order: Ordering,
                other: Ordering,
            ) -> Result<$word, $word> {
                let (order, other) = (left_of(order), left_of(other));
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

            #[track_caller]
            fn change(&self, order: Ordering, change: impl Fn($word) -> $word) -> $word {
                let order = left_of(order);
                if is(Weaker::Step) {
                    let found = self.0.load(Relaxed);
                    self.0.store(change(found), Relaxed);
                    return found;
                }
                let changed = self.0.fetch_update(order, Relaxed, |found| Some(change(found)));
                changed.unwrap_or_else(|found| found)
            }

            #[track_caller]
            pub fn fetch_add(&self, more: $word, order: Ordering) -> $word {
                self.change(order, |found| found + more)
            }

            #[track_caller]
            pub fn fetch_sub(&self, less: $word, order: Ordering) -> $word {
                self.change(order, |found| found - less)
            }

            #[track_caller]
            pub fn fetch_or(&self, bits: $word, order: Ordering) -> $word {
                self.change(order, |found| found | bits)
            }

            #[track_caller]
            pub fn fetch_and(&self, bits: $word, order: Ordering) -> $word {
                self.change(order, |found| found & bits)
            }
        }
    };
}
atomic!(AtomicU32, u32);
atomic!(AtomicU64, u64);

/// A time of a clock that goes on by a nanosecond with each look at it, whatever others do meanwhile.
#[allow(dead_code)]
#[derive(Clone, Copy)]
pub struct Instant(u64);

#[allow(dead_code)]
impl Instant {
    pub fn now() -> Instant {
        static LOOKS: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
        Instant(LOOKS.fetch_add(1, Relaxed))
    }

    pub fn checked_add(self, more: Duration) -> Option<Instant> {
        Some(Instant(self.0 + more.as_nanos() as u64))
    }

    pub fn saturating_duration_since(self, earlier: Instant) -> Duration {
        Duration::from_nanos(self.0.saturating_sub(earlier.0))
    }
}

/// How often a thread is made to wait at a place where it could go on.
const TURNS: usize = 3;

/// One model at a time: what is weakened is the process's.
static ONE: std::sync::Mutex<()> = std::sync::Mutex::new(());

/// Whether a model has no order of steps that fails, and the places that it came to.
fn explore(in_order: bool, weaker: Weaker, without: &[Place], model: fn()) -> (bool, BTreeSet<Place>) {
    explore_turns(TURNS, in_order, weaker, without, model)
}

fn explore_turns(
    turns: usize,
    in_order: bool,
    weaker: Weaker,
    without: &[Place],
    model: fn(),
) -> (bool, BTreeSet<Place>) {
    let _one = held(&ONE);
    weaken(weaker);
    *held(&WITHOUT) = without.iter().copied().collect();
    IN_ORDER.store(in_order, Relaxed);
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(turns);
    let outcome = catch_unwind(AssertUnwindSafe(|| builder.check(model)));
    weaken(Weaker::Nothing);
    (outcome.is_ok(), std::mem::take(&mut held(&PLACES)))
}

/// Whether a model has no order of steps that fails.
pub fn explored(weaker: Weaker, model: fn()) -> bool {
    explore(false, weaker, &[], model).0
}

/// As `explored`, for models with a compare-and-swap of a word that others store into. Loom keeps the order of a word's changes
/// open as long as nobody has seen it, and lets a store slip between the two halves of such a step; so stores are exchanges
/// here, which follow each other.
#[allow(dead_code)]
pub fn explored_in_order(weaker: Weaker, model: fn()) -> bool {
    explore(true, weaker, &[], model).0
}

/// As `explored` without a weaker order, for models of three threads, whose orders of steps are many: threads are made to wait
/// this often.
#[allow(dead_code)]
pub fn explored_in_turns(turns: usize, model: fn()) -> bool {
    explore_turns(turns, false, Weaker::Nothing, &[], model).0
}

/// The places in these models that ask for an order which none of the models needs. They pass without all of these orders too.
#[allow(dead_code)]
pub fn without_need(models: &[fn()]) -> Vec<Place> {
    let mut places = BTreeSet::new();
    for &model in models {
        let (passes, mut seen) = explore(false, Weaker::Nothing, &[], model);
        assert!(passes);
        places.append(&mut seen);
    }
    assert!(!places.is_empty(), "no place was noted");
    let all_pass =
        |without: &[Place]| models.iter().all(|&model| explore(false, Weaker::Nothing, without, model).0);
    let unneeded: Vec<_> = places.into_iter().filter(|&place| all_pass(&[place])).collect();
    assert!(all_pass(&unneeded), "some of these are needed when the others are left out: {unneeded:?}");
    unneeded
}

#[allow(dead_code)]
impl Place {
    /// The name of the function that it is in, one of a file with this text.
    pub fn function<'a>(&self, text: &'a str) -> &'a str {
        let above = text.lines().take(self.at.line() as usize);
        let head = above.filter_map(|line| line.split_once("fn ")).last().expect("a function").1;
        head.split('(').next().unwrap_or(head)
    }
}
