//! Time by cost-centre stack: a thread of the library looks at intervals which stack is current, and books to
//! it the CPU time that the mutator has used since the last look, in whole ticks.
//!
//! Wall time does not count, since other programs may have had the processor. Collections and profiling
//! itself have stacks of their own [ccs.phases].

use crate::base::list::try_box;
use crate::base::{List, Outcome};
use crate::heap::Mutator;
use crate::heap::mutator::window::Cost;
use crate::identity::Ccs;
use crate::identity::ccs::Special;
use crate::os::clock::{self, Nanos, ThreadClock};
use crate::os::ticker::Ticker;
use std::ffi::c_void;
use std::num::NonZeroU64;
use std::sync::atomic::{AtomicI32, AtomicPtr, AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The state that the ticker's thread and the mutator's share.
struct Sampler {
    /// A row for each stack, valid as long as the sampler lives.
    rows: *mut Cost,
    interval: NonZeroU64,
    /// The number of the special stack that gets a thread's time now, and the thread's clock; 0 for the current stack of
    /// the mutator. One thread at a time collects, or writes a profile.
    phase: AtomicU32,
    phase_of: AtomicI32,
    times: Mutex<Times>,
}

#[derive(Default)]
struct Times {
    watched: List<Watched>,
    /// Nanoseconds of mutators that have gone which are no whole tick, or which the ticker never saw: the next one's that
    /// goes.
    left: u64,
}

/// A mutator whose time is booked.
struct Watched {
    mutator: *mut Mutator,
    clock: ThreadClock,
    cpu: Nanos,
    wall: Nanos,
    /// Nanoseconds that are not a whole tick yet: `rest` of the mutator's CPU time, `idle` of time spent
    /// waiting.
    rest: u64,
    idle: u64,
    /// The stack that was seen last with time to book; `None` for none yet. A look of the thread's own, where it
    /// ends or writes a report, does not come by chance: it finds the stack of that place, which may have used nothing.
    seen: Option<u32>,
}

/// A running profile of time; its ticker ends when it is dropped.
pub struct TimeProfile {
    ticker: Option<Ticker>,
    sampler: *mut Sampler,
}

/// A mutator in foreign code waits if it has used less than this share (one in so many) of the time
/// passed.
const IDLE_SHARE: u64 = 8;

impl Sampler {
    fn book(&self, number: u32, ticks: u64) {
        // SAFETY: there is a row for each possible stack; all threads add to its ticks as an atomic.
        unsafe { AtomicU64::from_ptr(&raw mut (*self.rows.add(number as usize)).ticks) }
            .fetch_add(ticks, Ordering::Relaxed);
    }

    fn times(&self) -> MutexGuard<'_, Times> {
        self.times.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks at all mutators. A look that `settles` is the calling thread's own, and has to book what it can.
    fn beat(&self, settles: bool) {
        let Times { watched, left } = &mut *self.times();
        let mut own = 0;
        if settles {
            own = ThreadClock::mine().0;
            if let Some(first) = watched.first_mut() {
                first.rest += std::mem::take(left);
            }
        }
        watched.iter_mut().for_each(|one| self.look_at(one, own, settles));
    }

    /// Books the whole ticks that a mutator has used, if it was seen. A look by the thread `own` does not see itself, but where it settles
    /// and nobody else has.
    #[inline(never)]
    fn look_at(&self, watched: &mut Watched, own: i32, settles: bool) {
        let (cpu, wall) = (watched.clock.now(), clock::wall());
        let (used, passed) = (cpu.since(watched.cpu).0, wall.since(watched.wall).0);
        (watched.cpu, watched.wall) = (cpu.max(watched.cpu), wall);
        if clock_reads_foreign(watched.mutator) > 0 && used < passed / IDLE_SHARE {
            watched.idle += passed - used;
            self.book(Special::Idle as u32, watched.idle / self.interval);
            watched.idle %= self.interval;
        }
        watched.rest += used;
        let by_chance = watched.clock.0 != own || settles && watched.seen.is_none();
        if used > 0 && planted!(670, true, by_chance) {
            // A thread that stands takes part in the collection, or waits for its end.
            // SAFETY: the memory of mutators is never unmapped, and the word is atomic.
            let stands = planted!(457, false, unsafe { (*watched.mutator).presence.stands_now() });
            let of_it = stands || self.phase_of.load(Ordering::Relaxed) == watched.clock.0;
            let phase = if of_it { self.phase.load(Ordering::Relaxed) } else { 0 };
            let is_special = planted!(150, false, phase != 0);
            watched.seen = Some(if is_special { phase } else { clock_reads_stack(watched.mutator) });
        }
        if let Some(seen) = watched.seen {
            self.book(seen, watched.rest / self.interval);
            planted!(489, watched.rest = 0, watched.rest %= self.interval);
        }
    }
}

/// How often a mutator has entered foreign code, seen from another thread (c-tests/tsan.supp).
fn clock_reads_foreign(mutator: *mut Mutator) -> u32 {
    // SAFETY: the memory of mutators is never unmapped. The field is written by its thread as a word.
    unsafe { AtomicU32::from_ptr(&raw mut (*mutator).foreign) }.load(Ordering::Relaxed)
}

/// The number of a mutator's stack, seen from another thread (c-tests/tsan.supp).
fn clock_reads_stack(mutator: *mut Mutator) -> u32 {
    // SAFETY: the memory of mutators is never unmapped; the word is written whole, and stacks are never freed.
    unsafe {
        let stack: *mut Ccs = AtomicPtr::from_ptr(&raw mut (*mutator).window.ccs).load(Ordering::Acquire);
        (*stack).number
    }
}

/// # Safety
/// `context` is a sampler.
unsafe fn beat(context: *mut c_void) {
    // SAFETY: the caller's promise; the profile frees it after the ticker has ended.
    unsafe { (*context.cast::<Sampler>()).beat(false) }
}

impl TimeProfile {
    /// Begins to count ticks of `interval` nanoseconds.
    ///
    /// # Safety
    /// `rows` has a row for each possible stack; they outlive the profile.
    pub unsafe fn start(rows: *mut Cost, interval: u64) -> Outcome<TimeProfile> {
        let (phase, phase_of) = (AtomicU32::new(0), AtomicI32::new(0));
        let every = NonZeroU64::new(interval).unwrap_or(NonZeroU64::MIN);
        let sampler = Sampler { rows, interval: every, phase, phase_of, times: Mutex::default() };
        let mut profile = TimeProfile { ticker: None, sampler: Box::into_raw(try_box(sampler)?) };
        // SAFETY: the sampler is freed after the ticker, by `drop`.
        profile.ticker =
            Some(unsafe { Ticker::start(Duration::from_nanos(interval), beat, profile.sampler.cast())? });
        Ok(profile)
    }

    fn sampler(&self) -> &Sampler {
        // SAFETY: it lives as long as the profile.
        unsafe { &*self.sampler }
    }

    pub fn interval(&self) -> u64 {
        self.sampler().interval.get()
    }

    /// Books what mutators have used since the last look, and what waits for one which goes.
    pub(crate) fn settle(&self) {
        self.sampler().beat(true);
    }

    /// Books this mutator's time from now on.
    pub(crate) fn watch(&self, mutator: *mut Mutator) -> Outcome<()> {
        // SAFETY: the mutator is live, and the field stays as it is.
        let clock = unsafe { (&raw const (*mutator).clock).read() };
        let fresh =
            Watched { mutator, clock, cpu: clock.now(), wall: clock::wall(), rest: 0, idle: 0, seen: None };
        let watched = &mut self.sampler().times().watched;
        watched.retain_mut(|one| one.mutator != mutator);
        watched.push(fresh)
    }

    /// Books what the mutator's thread, which calls, has used since the last look, and stops. Time of a thread that the
    /// ticker never saw waits for one that it did.
    pub(crate) fn unwatch(&self, mutator: *mut Mutator) {
        let sampler = self.sampler();
        let Times { watched, left } = &mut *sampler.times();
        let Some(index) = watched.iter().position(|one| one.mutator == mutator) else { return };
        let mut gone = watched.swap_remove(index);
        gone.rest += planted!(488, 0, std::mem::take(left));
        let own = gone.clock.0;
        sampler.look_at(&mut gone, own, false);
        *left = gone.rest;
    }

    /// Gives the time to a special stack from now on, or with MAIN to the mutator. Returns the number
    /// before.
    pub fn enter(&self, phase: u32) -> u32 {
        self.sampler().phase_of.store(ThreadClock::mine().0, Ordering::Relaxed);
        self.sampler().phase.swap(phase, Ordering::Relaxed)
    }
}

impl Drop for TimeProfile {
    fn drop(&mut self) {
        self.ticker = None;
        // SAFETY: it came from a box, and the ticker, which used it, has ended.
        drop(unsafe { Box::from_raw(self.sampler) });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::still::Gate;

    #[test]
    fn a_thread_that_stands_has_the_phase_of_the_collection() {
        let mut rows: Vec<Cost> = (0..8).map(|_| Cost::default()).collect();
        let mut mutator = Mutator::new(0, std::ptr::null_mut());
        let mut stack = Ccs { number: 3, ..Ccs::bottom() };
        mutator.window.ccs = &raw mut stack;
        let sampler = Sampler {
            rows: rows.as_mut_ptr(),
            interval: NonZeroU64::MIN,
            phase: AtomicU32::new(5),
            // Another thread collects.
            phase_of: AtomicI32::new(0),
            times: Mutex::default(),
        };
        let look = |mutator: &mut Mutator| {
            let clock = ThreadClock::mine();
            let (cpu, wall) = (Nanos(0), clock::wall());
            sampler
                .times()
                .watched
                .push(Watched { mutator, clock, cpu, wall, rest: 0, idle: 0, seen: None })
                .unwrap();
            sampler.beat(false);
            sampler.times().watched.clear();
        };
        look(&mut mutator);
        assert!(rows[3].ticks > 0 && rows[5].ticks == 0);
        let (gate, before) = (Gate::new(), rows[3].ticks);
        gate.enter(1);
        gate.rest(&mutator.presence);
        look(&mut mutator);
        assert!(rows[3].ticks == before && rows[5].ticks > 0);
    }

    const INTERVAL: u64 = 1_000_000_000_000;

    /// A profile that beats when it is told to.
    fn profile(rows: &mut [Cost]) -> TimeProfile {
        let sampler = Sampler {
            rows: rows.as_mut_ptr(),
            interval: NonZeroU64::new(INTERVAL).unwrap(),
            phase: AtomicU32::new(0),
            phase_of: AtomicI32::new(0),
            times: Mutex::default(),
        };
        TimeProfile { ticker: None, sampler: Box::into_raw(Box::new(sampler)) }
    }

    /// Uses some tenths of a tick, as the first mutator that is watched, in this stack.
    fn run(profile: &TimeProfile, mutator: &mut Mutator, stack: *mut Ccs, tenths: u64) {
        mutator.window.ccs = stack;
        profile.sampler().times().watched[0].rest += tenths * INTERVAL / 10;
        let before = ThreadClock::mine().now();
        while ThreadClock::mine().now() == before {}
    }

    #[test]
    fn parts_of_a_tick_of_mutators_that_go_are_added_up() {
        let mut rows: Vec<Cost> = (0..8).map(|_| Cost::default()).collect();
        let mut stack = Ccs { number: 3, ..Ccs::bottom() };
        let profile = profile(&mut rows);
        let mut ticks = Vec::new();
        for _ in 0..5 {
            let mut mutator = Mutator::new(0, std::ptr::null_mut());
            profile.watch(&raw mut mutator).unwrap();
            run(&profile, &mut mutator, &raw mut stack, 4);
            profile.sampler().beat(false);
            profile.unwatch(&raw mut mutator);
            assert!(profile.sampler().times().watched.is_empty());
            ticks.push(rows[3].ticks);
        }
        assert_eq!(ticks, [0, 0, 1, 1, 2]);
    }

    #[test]
    fn the_last_tick_is_that_of_the_stack_which_the_ticker_saw() {
        let mut rows: Vec<Cost> = (0..8).map(|_| Cost::default()).collect();
        let [mut work, mut end] = [3, 4].map(|number| Ccs { number, ..Ccs::bottom() });
        let (work, end) = (&raw mut work, &raw mut end);
        let profile = profile(&mut rows);
        let mut mutator = Mutator::new(0, std::ptr::null_mut());
        let told = |rows: &[Cost]| [rows[3].ticks, rows[4].ticks];
        // A report between two looks, and the end.
        profile.watch(&raw mut mutator).unwrap();
        run(&profile, &mut mutator, work, 8);
        profile.sampler().beat(false);
        run(&profile, &mut mutator, end, 4);
        profile.settle();
        assert_eq!(told(&rows), [1, 0]);
        run(&profile, &mut mutator, end, 9);
        profile.unwatch(&raw mut mutator);
        assert_eq!(told(&rows), [2, 0]);
        // Time of a thread that was never seen waits for one that is.
        profile.watch(&raw mut mutator).unwrap();
        run(&profile, &mut mutator, end, 21);
        profile.unwatch(&raw mut mutator);
        assert_eq!(told(&rows), [2, 0]);
        profile.watch(&raw mut mutator).unwrap();
        run(&profile, &mut mutator, work, 1);
        profile.sampler().beat(false);
        run(&profile, &mut mutator, end, 7);
        profile.unwatch(&raw mut mutator);
        assert_eq!(told(&rows), [5, 0]);
        // A report has it in any case.
        profile.watch(&raw mut mutator).unwrap();
        run(&profile, &mut mutator, end, 11);
        profile.unwatch(&raw mut mutator);
        profile.settle();
        assert_eq!(told(&rows), [5, 0]);
        profile.watch(&raw mut mutator).unwrap();
        profile.settle();
        assert_eq!(told(&rows), [5, 1]);
    }
}
