//! Processes that are copied by `fork` while heaps live in them.
//!
//! Before the fork, every lock of the library is taken, so that none is held by a thread that the child does
//! not have [runtime.fork]; afterwards they are given back on both sides. In the child, files begun before
//! are the parent's: reports and profiles to them end silently. Heaps of threads that the child does not have
//! cannot be used.

use crate::base::flag::Destination;
use crate::base::{List, Outcome, Sentence, Text};
use crate::heap::Mutator;
use crate::heap::object::statics;
use crate::host::Host;
use crate::host::given::is_mutator;
use crate::host::still::{self, forget_at_the_end};
use crate::identity;
use crate::megablock::owners;
use crate::os::thread::current_thread;
use crate::os::{apart, clock, code, output, ticker, trap};
use crate::profile::coverage::mix::Mix;
use crate::profile::coverage::program::Coverage;
use crate::runtime::faults;
use crate::runtime::heap::{DEAD, RUNTIME_SIGNATURE, forget_home};
use crate::runtime::slot::{Held as _, HeldSlots, Placed};
use std::sync::MutexGuard;

/// All locks of this layer and those below, held by one thread, in the order in which they are taken
/// elsewhere.
pub(crate) struct Held {
    _coverages: HeldSlots,
    _mixes: HeldSlots,
    mutators: HeldSlots,
    runtimes: HeldSlots,
    _statics: statics::HeldOwners,
    _identities: identity::Held,
    _beats: ticker::HeldBeats,
    _names: MutexGuard<'static, List<apart::Taken>>,
    _addresses: MutexGuard<'static, List<owners::Part>>,
    _handler: Option<MutexGuard<'static, trap::Installed>>,
    _files: Option<MutexGuard<'static, ()>>,
    _dates: Option<MutexGuard<'static, ()>>,
    cpu: clock::Nanos,
    cpu_of_all: clock::Nanos,
}

/// Takes all locks, after waiting until no other thread is inside a part of the library that a child
/// would find half changed.
pub(crate) fn hold() -> Held {
    Held {
        _coverages: Coverage::slots().hold(),
        _mixes: Mix::slots().hold(),
        mutators: Mutator::slots().hold(),
        runtimes: Host::slots().hold(),
        _statics: statics::hold(),
        _identities: identity::hold(),
        _beats: ticker::hold(),
        _names: apart::hold(),
        _addresses: owners::hold(),
        _handler: planted!(499, None, Some(trap::hold())),
        _files: planted!(502, None, Some(code::hold())),
        _dates: planted!(539, None, Some(clock::hold())),
        cpu: clock::cpu(),
        cpu_of_all: clock::cpu_of_all(),
    }
}

/// Repairs the library in the child, before any other part of it is used.
pub(crate) fn become_child(held: Held) {
    // Times since the program began go on from the parent's.
    clock::go_on_from(held.cpu, held.cpu_of_all);
    let (heaps, mutators, again) = (held.runtimes.each(), held.mutators.each(), held.mutators.each());
    drop(held);
    faults::forget_visitors();
    still::become_child();
    end_heaps_of_others(mutators);
    for at in heaps {
        let runtime = at as *mut Host;
        // SAFETY: slots stay mapped, and the signature tells whether a heap lives in this one. Of the threads that might
        // use it, only this one is left.
        unsafe {
            if is_live(runtime) {
                (*runtime).become_child();
            }
        }
    }
    retire_in_dead_heaps(again);
    for at in Coverage::slots().hold().each() {
        let coverage = at as *mut Coverage;
        // SAFETY: as above; a thread in the middle of a call would have held the lock that the caller has
        // taken.
        unsafe {
            if (*coverage).is_live() {
                (*coverage).forget();
            }
        }
    }
}

/// # Safety
/// A heap lives at the address, or did.
unsafe fn is_live(heap: *mut Host) -> bool {
    // SAFETY: the caller's promise; slots stay mapped.
    unsafe { (*heap).signature == RUNTIME_SIGNATURE }
}

// Mutators are found by their slots: a thread that is not in the child may have been changing its heap's list of them.

/// Makes heaps dead in which threads have mutators that the child does not have: they may have left it in any state.
fn end_heaps_of_others(slots: impl Iterator<Item = usize>) {
    let here = current_thread();
    for mutator in slots.map(|at| at as *mut Mutator).filter(|&at| is_mutator(at)) {
        // SAFETY: slots stay mapped, and no other thread is left.
        unsafe {
            let owner = (*mutator).owner.cast::<Host>();
            if (*mutator).thread != here && Host::slots().has(owner as usize) {
                (*owner).signature = DEAD;
            }
        }
    }
}

/// Ends mutators of heaps that are dead, so that calls, and allocations in line, come to where they are refused.
fn retire_in_dead_heaps(slots: impl Iterator<Item = usize>) {
    for mutator in slots.map(|at| at as *mut Mutator).filter(|&at| is_mutator(at)) {
        // SAFETY: as above.
        unsafe {
            let owner = (*mutator).owner.cast::<Host>();
            if Host::slots().has(owner as usize) && !is_live(owner) {
                forget_home(mutator);
                // A callback of a collection may have forked, which ends in the child as it would have: it needs the windows.
                if planted!(540, false, (*owner).runtime.busy.is_set()) {
                    ((*mutator).signature, (*mutator).home, (*mutator).home_beside_others) = (DEAD, 0, 0);
                    continue;
                }
                planted!(503, (*mutator).signature = DEAD, (*mutator).retire(DEAD));
                forget_at_the_end(mutator);
            }
        }
    }
}

impl Host {
    /// Takes this heap into a child.
    pub(crate) fn become_child(&mut self) {
        let is_used = !self.renew_gate();
        if is_used || self.busy.is_set() {
            // A thread without a mutator was in a call, and may have left the heap in any state; or a callback forked.
            self.signature = DEAD;
            return;
        }
        for mutator in self.mutators.iter_mut() {
            mutator.clock = clock::ThreadClock::mine();
        }
        let ticked = self.profilers.costs.time.is_some();
        let Host { runtime, profilers, .. } = self;
        profilers.each().into_iter().for_each(|profiler| profiler.child(runtime));
        // The report of --space is the parent's, also where its profile waits for the first mutator.
        planted!(630, (), self.profilers.space_asked.target = None);
        self.reports.end_quietly();
        self.timeline.end_quietly();
        self.runtime.flags.stops = None;
        for destination in [
            &mut self.runtime.flags.summary,
            &mut self.runtime.flags.each_collection,
            &mut self.runtime.flags.one_line,
        ] {
            *destination = Destination::Nowhere;
        }
        if let Err(failure) = planted!(143, Ok(()), self.name_files_apart()) {
            output::say(&failure.sentence);
        }
        if ticked && let Err(failure) = self.start_ticks(self.flags.cost.tick_seconds) {
            output::say(&failure.sentence);
        }
    }

    /// Puts the child's number into the names of the profiles that it starts.
    fn name_files_apart(&mut self) -> Outcome<()> {
        self.profilers.heap.started = 0;
        let Ok(stem) = self.stem() else { return Ok(()) };
        let Ok(stem) = std::str::from_utf8(&stem) else { return Ok(()) };
        let number = Sentence::new(format_args!(".{}", std::process::id()));
        let mut own = Text::new();
        own.add_all(&[stem, number.as_str()])?;
        self.flags.cost.stem = own;
        Ok(())
    }
}
