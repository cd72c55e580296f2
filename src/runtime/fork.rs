//! A process that is copied by `fork` while heaps live in it.
//!
//! Before it, every lock of the library is taken, so that none is held by a thread that the child does not have
//! [runtime.fork]. After it, they are given back on both sides. In the child, files that were begun before are the
//! parent's: what would write to them ends without a word. Heaps of threads that are not there any more cannot be used.

use super::coverage::Coverage;
use super::heap::{Runtime, current_thread};
use super::mix::Mix;
use super::slot::{HeldSlots, Placed};
use crate::base::flags::{Destination, FileName};
use crate::heap::{Mutator, statics};
use crate::identity;
use crate::os::{clock, ticker};

/// Every lock of this layer and those below, held by one thread. In the order in which they are taken elsewhere.
pub struct Held {
    _coverages: HeldSlots,
    _mixes: HeldSlots,
    _mutators: HeldSlots,
    runtimes: HeldSlots,
    _statics: statics::HeldOwners,
    _identities: identity::Held,
    _beats: ticker::HeldBeats,
    cpu: clock::Nanos,
}

/// Waits until nobody else is inside the library where it would matter to a child.
pub fn hold() -> Held {
    Held {
        _coverages: Coverage::slots().hold(),
        _mixes: Mix::slots().hold(),
        _mutators: Mutator::slots().hold(),
        runtimes: Runtime::slots().hold(),
        _statics: statics::hold(),
        _identities: identity::hold(),
        _beats: ticker::hold(),
        cpu: clock::cpu(),
    }
}

/// In the child, before anything else of the library is used.
pub fn become_child(held: Held) {
    // Times since the program began go on where the parent's were.
    clock::go_on_from(held.cpu);
    let mut heaps = held.runtimes.each();
    drop(held);
    for at in &mut heaps {
        let runtime = at as *mut Runtime;
        // SAFETY: slots stay mapped, and the signature tells whether a heap lives in this one. Of the threads that might
        // use it, only this one is left.
        unsafe {
            if (*runtime).signature == super::heap::RUNTIME_SIGNATURE {
                (*runtime).become_child();
            }
        }
    }
    for at in Coverage::slots().hold().each() {
        let coverage = at as *mut Coverage;
        // SAFETY: as above; whoever was in the middle of a call held the lock that the caller has taken.
        unsafe {
            if (*coverage).signature == super::coverage::SIGNATURE {
                (*coverage).forget();
            }
        }
    }
}

impl Runtime {
    /// This heap is in a child now.
    fn become_child(&mut self) {
        let here = current_thread();
        if self.busy.is_set() || self.mutators.iter().any(|mutator| mutator.thread != here) {
            // Its thread is not there, and may have left it in any state.
            self.signature = super::heap::DEAD;
            for mutator in self.mutators.iter_mut() {
                mutator.signature = super::heap::DEAD;
            }
            return;
        }
        self.end_profile();
        self.end_biography_quietly();
        self.end_space_quietly();
        self.forget_space_results();
        self.reports.end_quietly();
        self.ticky_target = None;
        for destination in
            [&mut self.flags.summary, &mut self.flags.each_collection, &mut self.flags.one_line]
        {
            *destination = Destination::Nowhere;
        }
        let ticked = self.cost_profiling.become_child();
        self.name_files_apart();
        if ticked && let Err(failure) = self.start_ticks(self.flags.cost.tick_seconds) {
            super::profile::say(&failure.sentence);
        }
    }

    /// Profiles that the child starts have its number in their names.
    fn name_files_apart(&mut self) {
        let Ok(stem) = self.stem() else { return };
        let Ok(stem) = std::str::from_utf8(&stem) else { return };
        let own = FileName::new(format_args!("{stem}.{}", std::process::id()));
        if own.as_str().starts_with(stem) {
            self.flags.cost.stem = own;
        }
        self.profiles_started = 0;
    }
}
