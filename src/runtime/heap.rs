//! The runtime: one heap without its profilers.

use crate::base::flag::Flags;
use crate::base::still::Gate;
use crate::base::{Addr, List};
use crate::gc::moves::Moves;
use crate::heap::mutator::busy::Busy;
use crate::heap::{Mutator, Store};
use crate::os::thread;
use crate::os::{clock, limits};
use crate::runtime::barriers::Barriers;
use crate::runtime::faults::Faults;
use crate::runtime::growth::Growth;
use crate::runtime::hooks::Hooks;
use crate::runtime::lazy::Races;
use crate::runtime::reports::Reports;
use crate::runtime::slot::{Placed, Slot, Slots};
use crate::runtime::slow::SlowPath;
use crate::runtime::stats::Stats;
use crate::runtime::timeline::Timeline;
use std::cell::Cell;

pub const RUNTIME_SIGNATURE: u64 = 0x6261_7272_6f77_2d31;
pub const MUTATOR_SIGNATURE: u64 = 0x6261_7272_6f77_2d32;
pub const DEAD: u64 = 0xdead_dead_dead_dead;

/// The memory of mutators. Calls from outside look into it by its own name: a static that other crates see is found
/// through a table of the linker, which is one instruction more in each call.
pub(crate) static MUTATORS: Slots = Slots::of::<Mutator>();

impl Placed for Mutator {
    #[inline(never)]
    fn slots() -> &'static Slots {
        &MUTATORS
    }
}

/// One heap without its profilers: its store, its mutators, its collections and its reports.
pub struct Runtime {
    pub flags: Flags,
    pub limits: limits::Limits,
    pub hooks: Hooks,
    pub store: Store,
    /// The gate that mutators come in by, when the heap takes several; else null.
    pub(crate) gate: *const Gate,
    /// The mutators, as many at most as `--mutators` allows.
    pub(crate) mutators: List<Slot<Mutator>>,
    pub growth: Growth,
    pub stats: Stats,
    pub reports: Reports,
    /// The file of `--stops`.
    pub(crate) timeline: Timeline,
    /// The heap's mark, set while a callback or a collection runs: calls that change the heap are
    /// refused.
    pub busy: Busy,
    /// Whether the heap is being freed, and calls its last finalizers.
    pub ending: bool,
    pub external: External,
    /// Position in the sequence that `--stress` mixes collections from.
    pub stress_state: u64,
    pub(crate) slow: SlowPath,
    pub(crate) races: Races,
    pub checking: Checking,
}

/// Bytes outside the heap that its objects keep alive, as the client reported them.
#[derive(Clone, Copy, Default)]
pub struct External {
    pub bytes: u64,
    /// Bytes that were reported since the last major collection.
    pub since_major: u64,
    /// Bytes of a block that is not whole yet, and does not count as allocated.
    pub part_of_block: u64,
}

/// State of the checking mode.
#[derive(Default)]
pub struct Checking {
    /// A number of collections, and the beginning of an object as of then: walks for keys of weak pointers
    /// begin there.
    pub walked: (u64, Addr),
    /// The places of objects before the last collection, for code that still has an old address.
    pub moves: Option<Moves>,
    pub(crate) faults: Faults,
    pub(crate) barriers: Barriers,
}

/// The client's choices for its values.
#[derive(Clone, Copy, Debug)]
pub struct Values {
    pub tagged_pointers: u16,
    pub address_mask: usize,
    pub address_offset: usize,
    /// Alignment of objects in bytes: 8 or 16.
    pub alignment: usize,
}

/// Mutators of a thread that calls find by one comparison, at most; any more take the longer way in each
/// call.
const HOMES: usize = 8;

thread_local!(static AT_HOME: Cell<[*mut Mutator; HOMES]> = const { Cell::new([std::ptr::null_mut(); HOMES]) });

/// Whether the mutator is still the one that this thread has attached.
fn is_at_home(mutator: *mut Mutator) -> bool {
    // SAFETY: slots stay mapped.
    !mutator.is_null() && unsafe { (*mutator).thread == thread::current_thread() && (*mutator).home != 0 }
}

/// Makes the mutator one of those at home in the calling thread, so that calls from here find it at once.
/// This ends with the thread, since another may have its thread pointer then.
pub(crate) fn settle_at_home(mutator: &mut Mutator) {
    let mut homes = AT_HOME.get();
    let Some(free) = homes.iter_mut().find(|home| !is_at_home(**home)) else { return };
    if !thread::HAS_POINTER || !thread::when_it_ends(leave_home) {
        return;
    }
    *free = mutator;
    AT_HOME.set(homes);
    mutator.home = thread::pointer();
}

/// Takes a mutator that is about to go off the calling thread's list: another thread's may have its place soon.
pub(crate) fn forget_home(mutator: *mut Mutator) {
    let homes = AT_HOME.get();
    AT_HOME.set(homes.map(|home| if home == mutator { std::ptr::null_mut() } else { home }));
}

fn leave_home() {
    for mutator in AT_HOME.get().into_iter().filter(|&mutator| is_at_home(mutator)) {
        // SAFETY: the mutator lives and is this thread's.
        unsafe { (*mutator).home = 0 };
    }
}

impl Runtime {
    /// The CPU time that counts for the heap: of the calling thread and of workers, or of all threads when the heap takes several
    /// mutators.
    pub(crate) fn clock_here(&self) -> clock::Nanos {
        if self.gate.is_null() { self.clock_of_work() } else { clock::cpu_of_all() }
    }

    /// The CPU time of the calling thread, and of threads that have done parts of a collection's work. The time that a process's other
    /// threads take beside a collection is the program's; and the system adds up the times of all of them for the process's clock,
    /// those of threads that run as they were some milliseconds ago.
    pub(crate) fn clock_of_work(&self) -> clock::Nanos {
        clock::Nanos(clock::cpu().0 + planted!(409, 0, self.store.workers.cpu_ns()))
    }

    /// Lets the calling thread's CPU time be the heap's from now on; it continues from the last reading of
    /// the other thread's clock. A heap with several mutators has one clock for all threads, which is not read here: the system adds
    /// up the times of all of them for it.
    pub fn take_clock(&mut self) {
        if !self.gate.is_null() {
            return;
        }
        let (here, now) = (thread::current_thread(), self.clock_here());
        let stats = &mut self.stats;
        if stats.clock_of != here {
            let shift = now.0.wrapping_sub(stats.last_cpu.0);
            stats.born_cpu.0 = stats.born_cpu.0.wrapping_add(shift);
            stats.clock_of = here;
            self.reports.shift_clock(shift);
        }
        stats.last_cpu = now;
    }

    /// The heap's clock of CPU time; for any other thread, its last reading.
    pub fn cpu_clock(&self) -> clock::Nanos {
        let is_ours = !self.gate.is_null() || self.stats.clock_of == thread::current_thread();
        if is_ours { self.clock_here() } else { self.stats.last_cpu }
    }

    /// The only mutator, as long as there is no more than one.
    pub(crate) fn first_mutator(&mut self) -> Option<*mut Mutator> {
        self.mutators.first_mut().map(|mutator| &raw mut **mutator)
    }
}
