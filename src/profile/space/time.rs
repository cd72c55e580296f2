//! Time by function: a thread of the library looks at intervals how much CPU time each mutator has used, and
//! at which function it is; where the client can walk its stack, the mutator is asked to do that at its next
//! safepoint.
//!
//! The time of collections and of the profiler itself is counted apart [profile.space.phases].

use crate::base::list::try_box;
use crate::base::{List, Outcome};
use crate::heap::Mutator;
use crate::heap::mutator::state::attention;
use crate::os::clock::{Nanos, ThreadClock};
use crate::os::ticker::Ticker;
use std::ffi::c_void;
use std::num::NonZeroU64;
use std::sync::atomic::{AtomicI32, AtomicPtr, AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The owner of the time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    Program = 0,
    Collection = 1,
    Profiler = 2,
}

/// Entries that wait for the mutator, at most; further ticks are lost, and counted as such.
const MOST_WAITING: usize = 1 << 16;

/// A mutator whose time is sampled.
struct Watched {
    mutator: *mut Mutator,
    clock: ThreadClock,
    cpu: Nanos,
    rest: u64,
    /// Ticks for which its stack was not walked yet.
    due: u64,
    /// Phase and function in which the mutator was found last with time to book, by no look of its own thread, as in
    /// profiles of cost centres; `None` for none since its time was settled.
    found: Option<(u32, usize)>,
}

#[derive(Default)]
struct Sampled {
    watched: List<Watched>,
    /// Pairs of the client's word at a tick, and the number of ticks.
    seen: List<(usize, u64)>,
    /// Nanoseconds of mutators that have gone which are no whole tick, or which the ticker never saw: the next one's that
    /// goes.
    left: u64,
    /// The ticks apart as of the last time that all was settled.
    apart: [u64; 3],
}

/// The state that the ticker's thread and those of mutators share.
struct Sampler {
    interval: NonZeroU64,
    /// Whether the client walks its stack.
    walks: bool,
    /// The owner of a thread's time, and that thread's clock. One thread at a time collects, or does the profiler's work.
    phase: AtomicU32,
    phase_of: AtomicI32,
    /// Ticks of collections, of the profiler, and of entries that could not be kept.
    apart: [AtomicU64; 3],
    sampled: Mutex<Sampled>,
}

/// A running clock; its ticker ends when it is dropped.
pub struct Clock {
    ticker: Option<Ticker>,
    sampler: *mut Sampler,
}

impl Sampler {
    fn sampled(&self) -> MutexGuard<'_, Sampled> {
        self.sampled.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks at all mutators. A look that `settles` is the calling thread's own, and has to book what it can.
    fn beat(&self, sampled: &mut Sampled, settles: bool) {
        let Sampled { watched, seen, left, .. } = sampled;
        let mut own = 0;
        if settles {
            own = ThreadClock::mine().0;
            if let Some(first) = watched.first_mut() {
                first.rest += std::mem::take(left);
            }
        }
        watched.iter_mut().for_each(|one| self.look_at(one, seen, own, settles));
    }

    /// Books the whole ticks that a mutator has used, if it was found anywhere. A look by the thread `own` does not find itself, but
    /// where it settles and nobody else has.
    #[inline(never)]
    fn look_at(&self, watched: &mut Watched, seen: &mut List<(usize, u64)>, own: i32, settles: bool) {
        let cpu = watched.clock.now();
        let used = cpu.since(watched.cpu).0;
        watched.rest += used;
        watched.cpu = cpu.max(watched.cpu);
        let by_chance = watched.clock.0 != own || settles && watched.found.is_none();
        if used > 0 && planted!(671, true, by_chance) {
            // A thread that stands takes part in the collection, or waits for its end.
            // SAFETY: while it is watched, the mutator is live, and the word is atomic.
            let stands = planted!(490, false, unsafe { (*watched.mutator).presence.stands_now() });
            let of_it = stands || self.phase_of.load(Ordering::Relaxed) == watched.clock.0;
            let phase = planted!(135, 0, if of_it { self.phase.load(Ordering::Relaxed) } else { 0 });
            watched.found = Some((phase, clock_reads_function(watched.mutator)));
        }
        let Some((phase, function)) = watched.found else { return };
        let ticks = watched.rest / self.interval;
        watched.rest %= self.interval;
        if ticks == 0 {
            return;
        }
        match phase {
            0 if self.walks => {
                watched.due += ticks;
                // SAFETY: while it is watched, the mutator is live.
                unsafe { Mutator::ask(watched.mutator, attention::WALK) };
            }
            0 => {
                let kept = match seen.last_mut() {
                    Some(last) if last.0 == function => {
                        last.1 += ticks;
                        true
                    }
                    _ => seen.len() < MOST_WAITING && seen.push((function, ticks)).is_ok(),
                };
                if !kept {
                    self.apart[2].fetch_add(ticks, Ordering::Relaxed);
                }
            }
            phase => {
                self.apart[phase as usize - 1].fetch_add(ticks, Ordering::Relaxed);
            }
        }
    }
}

/// The function in which a mutator runs, seen from another thread (c-tests/tsan.supp).
fn clock_reads_function(mutator: *mut Mutator) -> usize {
    // SAFETY: while it is watched, the mutator is live; its thread writes the word whole.
    let function = unsafe { AtomicPtr::from_ptr(&raw mut (*mutator).window.function) };
    function.load(Ordering::Relaxed) as usize
}

/// # Safety
/// `context` is a sampler.
unsafe fn beat(context: *mut c_void) {
    // SAFETY: the caller's promise; the clock frees it after the ticker has ended.
    let sampler = unsafe { &*context.cast::<Sampler>() };
    sampler.beat(&mut sampler.sampled(), false);
}

impl Clock {
    /// Begins to look at mutators every `interval` nanoseconds.
    pub(crate) fn start(interval: u64, walks: bool) -> Outcome<Clock> {
        let sampler = Sampler {
            interval: NonZeroU64::new(interval).unwrap_or(NonZeroU64::MIN),
            walks,
            phase: AtomicU32::new(0),
            phase_of: AtomicI32::new(0),
            apart: Default::default(),
            sampled: Mutex::default(),
        };
        let mut clock = Clock { ticker: None, sampler: Box::into_raw(try_box(sampler)?) };
        // SAFETY: the sampler is freed after the ticker, by `drop`.
        clock.ticker =
            Some(unsafe { Ticker::start(Duration::from_nanos(interval), beat, clock.sampler.cast())? });
        Ok(clock)
    }

    fn sampler(&self) -> &Sampler {
        // SAFETY: it lives as long as this.
        unsafe { &*self.sampler }
    }

    /// Samples this mutator's time from now on.
    pub(crate) fn watch(&self, mutator: *mut Mutator) -> Outcome<()> {
        // SAFETY: the mutator is live, and the field stays as it is.
        let clock = unsafe { (&raw const (*mutator).clock).read() };
        let fresh = Watched { mutator, clock, cpu: clock.now(), rest: 0, due: 0, found: None };
        let watched = &mut self.sampler().sampled().watched;
        watched.retain_mut(|one| one.mutator != mutator);
        watched.push(fresh)
    }

    /// Samples what the mutator's thread, which calls, has used since the last look, and stops. Its stack is not walked any more, so ticks
    /// that wait for that are lost, and counted as such. Time of a thread that the ticker never saw waits for one that it did.
    pub(crate) fn unwatch(&self, mutator: *mut Mutator) {
        let sampler = self.sampler();
        let Sampled { watched, seen, left, .. } = &mut *sampler.sampled();
        let Some(index) = watched.iter().position(|one| one.mutator == mutator) else { return };
        let mut gone = watched.swap_remove(index);
        gone.rest += std::mem::take(left);
        let own = gone.clock.0;
        sampler.look_at(&mut gone, seen, own, false);
        *left = gone.rest;
        sampler.apart[2].fetch_add(gone.due, Ordering::Relaxed);
    }

    /// Gives the calling thread's time to a phase from now on. Returns the phase before.
    pub fn enter(&self, phase: Phase) -> Phase {
        self.sampler().phase_of.store(ThreadClock::mine().0, Ordering::Relaxed);
        match self.sampler().phase.swap(phase as u32, Ordering::Relaxed) {
            0 => Phase::Program,
            1 => Phase::Collection,
            _ => Phase::Profiler,
        }
    }

    /// Takes the ticks of a mutator that wait for a walk.
    pub(crate) fn take_due(&self, mutator: *mut Mutator) -> u64 {
        let mut sampled = self.sampler().sampled();
        let found = sampled.watched.iter_mut().find(|one| one.mutator == mutator);
        found.map_or(0, |one| std::mem::take(&mut one.due))
    }

    /// Looks at all mutators now, and takes what was seen. Stacks are not walked for time so far any more: ticks that wait for that are
    /// lost. Where the time so far does not count, nothing of it does.
    pub(crate) fn settle(&self, counts: bool) -> List<(usize, u64)> {
        let sampler = self.sampler();
        let sampled = &mut *sampler.sampled();
        sampler.beat(sampled, true);
        let Sampled { watched, seen, apart, .. } = sampled;
        for one in watched.iter_mut() {
            one.found = None;
            let due = std::mem::take(&mut one.due);
            sampler.apart[2].fetch_add(due, Ordering::Relaxed);
        }
        for (settled, now) in apart.iter_mut().zip(&sampler.apart) {
            if planted!(609, true, counts) {
                *settled = now.load(Ordering::Relaxed);
            } else {
                now.store(*settled, Ordering::Relaxed);
            }
        }
        std::mem::take(seen)
    }

    pub fn take_seen(&self) -> List<(usize, u64)> {
        std::mem::take(&mut self.sampler().sampled().seen)
    }

    /// Ticks of collections, of the profiler, and of the program where memory was short.
    pub fn apart(&self) -> [u64; 3] {
        [0, 1, 2].map(|which: usize| self.sampler().apart[which].load(Ordering::Relaxed))
    }

    pub fn interval(&self) -> u64 {
        self.sampler().interval.get()
    }
}

impl Drop for Clock {
    fn drop(&mut self) {
        self.ticker = None;
        // SAFETY: it came from a box, and the ticker, which used it, has ended.
        drop(unsafe { Box::from_raw(self.sampler) });
    }
}

/// A node in the tree of callers: function `who`, which called the parent's function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caller {
    /// Index of the parent plus one; 0 for a function that was at the top.
    pub parent: u32,
    pub who: u32,
    pub ticks: u64,
    /// Index plus one of the next node of the same parent; `child` is that of the first child. 0 for
    /// none.
    next: u32,
    child: u32,
}

/// Callers of functions that were at the top, to a depth.
#[derive(Default)]
pub struct Callers {
    pub nodes: List<Caller>,
    first: u32,
    /// Whether the tree may get no more nodes.
    pub is_full: bool,
}

impl Callers {
    /// Adds ticks for `who` under a parent, and gives the node's index plus one; 0 when there is no memory,
    /// or the tree is full.
    pub fn add(&mut self, parent: u32, who: u32, ticks: u64) -> u32 {
        let first = if parent == 0 { self.first } else { self.nodes[parent as usize - 1].child };
        let mut at = first;
        while at != 0 {
            let node = &mut self.nodes[at as usize - 1];
            if node.who == who {
                node.ticks += ticks;
                return at;
            }
            at = node.next;
        }
        if self.is_full || self.nodes.push(Caller { parent, who, ticks, next: first, child: 0 }).is_err() {
            return 0;
        }
        let at = self.nodes.len() as u32;
        if parent == 0 {
            self.first = at;
        } else {
            self.nodes[parent as usize - 1].child = at;
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::still::Gate;

    #[test]
    fn a_thread_that_stands_has_the_phase_of_the_collection() {
        let mutator = Mutator::new(0, std::ptr::null_mut());
        let sampler = Sampler {
            interval: NonZeroU64::MIN,
            walks: false,
            phase: AtomicU32::new(Phase::Collection as u32),
            // Another thread collects.
            phase_of: AtomicI32::new(0),
            apart: Default::default(),
            sampled: Mutex::default(),
        };
        let watched = (&raw const mutator).cast_mut();
        let look = || {
            let (clock, cpu) = (ThreadClock::mine(), Nanos(0));
            let fresh = Watched { mutator: watched, clock, cpu, rest: 0, due: 0, found: None };
            sampler.sampled().watched.push(fresh).unwrap();
            sampler.beat(&mut sampler.sampled(), false);
            let sampled = &mut *sampler.sampled();
            sampled.watched.clear();
            let ticks = sampled.seen.iter().map(|&(_, ticks)| ticks).sum::<u64>();
            (ticks, sampler.apart[0].load(Ordering::Relaxed))
        };
        let (before, apart) = look();
        assert!(before > 0 && apart == 0);
        let gate = Gate::new();
        gate.enter(1);
        gate.rest(&mutator.presence);
        let (after, apart) = look();
        assert!(after == before && apart > 0);
    }

    #[test]
    fn the_last_tick_is_that_of_the_function_which_the_ticker_saw() {
        const INTERVAL: u64 = 1_000_000_000_000;
        let sampler = Sampler {
            interval: NonZeroU64::new(INTERVAL).unwrap(),
            walks: false,
            phase: AtomicU32::new(0),
            phase_of: AtomicI32::new(0),
            apart: Default::default(),
            sampled: Mutex::default(),
        };
        let clock = Clock { ticker: None, sampler: Box::into_raw(Box::new(sampler)) };
        let mut mutator = Mutator::new(0, std::ptr::null_mut());
        let run = |mutator: &mut Mutator, function: usize, tenths: u64| {
            mutator.window.function = std::ptr::without_provenance_mut(function);
            clock.sampler().sampled().watched[0].rest += tenths * INTERVAL / 10;
            let before = ThreadClock::mine().now();
            while ThreadClock::mine().now() == before {}
        };
        let (work, end) = (3, 4);
        // A profile that begins or ends between two looks, and the end of the thread.
        clock.watch(&raw mut mutator).unwrap();
        run(&mut mutator, work, 8);
        clock.sampler().beat(&mut clock.sampler().sampled(), false);
        run(&mut mutator, end, 4);
        assert_eq!(clock.settle(true)[..], [(work, 1)]);
        run(&mut mutator, work, 1);
        clock.sampler().beat(&mut clock.sampler().sampled(), false);
        run(&mut mutator, end, 8);
        clock.unwatch(&raw mut mutator);
        assert_eq!(clock.take_seen()[..], [(work, 1)]);
        // Time of a thread that was never seen waits for one that is.
        clock.watch(&raw mut mutator).unwrap();
        run(&mut mutator, end, 21);
        clock.unwatch(&raw mut mutator);
        assert!(clock.take_seen().is_empty());
        clock.watch(&raw mut mutator).unwrap();
        run(&mut mutator, work, 1);
        clock.sampler().beat(&mut clock.sampler().sampled(), false);
        run(&mut mutator, end, 7);
        clock.unwatch(&raw mut mutator);
        assert_eq!(clock.take_seen()[..], [(work, 3)]);
        // A profile that ends has it in any case; what was found before stands for nothing later.
        clock.watch(&raw mut mutator).unwrap();
        run(&mut mutator, work, 11);
        clock.unwatch(&raw mut mutator);
        clock.watch(&raw mut mutator).unwrap();
        assert_eq!(clock.settle(true)[..], [(work, 1)]);
        clock.sampler().beat(&mut clock.sampler().sampled(), false);
        clock.settle(false);
        run(&mut mutator, end, 11);
        assert_eq!(clock.settle(true)[..], [(end, 1)]);
    }

    #[test]
    fn callers_are_a_tree() {
        let mut callers = Callers::default();
        for stack in [&[1, 2, 3][..], &[1, 2, 4], &[2, 3], &[1, 2, 3]] {
            let mut parent = 0;
            for &who in stack {
                parent = callers.add(parent, who, 1);
            }
        }
        let told: Vec<_> = callers.nodes.iter().map(|node| (node.parent, node.who, node.ticks)).collect();
        assert_eq!(told, [(0, 1, 3), (1, 2, 3), (2, 3, 2), (2, 4, 1), (0, 2, 1), (5, 3, 1)]);
    }
}
