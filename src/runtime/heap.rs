//! The runtime: everything that belongs to one heap handle.

use super::biography::Running;
use super::census::Census;
use super::cost_report::{CostProfiling, Target};
use super::growth::Growth;
use super::hooks::Hooks;
use super::lives_shown::ShownLives;
use super::profile::Profile;
use super::reports::Reports;
use super::retainers::Retainers;
use super::slot::{Placed, Slot, Slots};
use super::space::SpaceProfiler;
use super::stats::Stats;
use crate::base::busy::Busy;
use crate::base::cost_flags::CostReport;
use crate::base::flags::Flags;
use crate::base::{Failure, List, Outcome};
use crate::census::path::Held;
use crate::gc::moves::Moves;
use crate::heap::{Mutator, Store, Tags};
use crate::os::{clock, limits};
use crate::prof::costs::Costs;
use crate::prof::ticky::TickyCounters;
use std::cell::Cell;
use std::ffi::c_void;
use std::sync::atomic::{AtomicU64, Ordering};

pub const RUNTIME_SIGNATURE: u64 = 0x6261_7272_6f77_2d31;
pub const MUTATOR_SIGNATURE: u64 = 0x6261_7272_6f77_2d32;
pub const DEAD: u64 = 0xdead_dead_dead_dead;

impl Placed for Runtime {
    fn slots() -> &'static Slots {
        static SLOTS: Slots = Slots::of::<Runtime>();
        &SLOTS
    }
}

impl Placed for Mutator {
    fn slots() -> &'static Slots {
        static SLOTS: Slots = Slots::of::<Mutator>();
        &SLOTS
    }
}

pub struct Runtime {
    pub signature: u64,
    pub flags: Flags,
    pub limits: limits::Limits,
    pub hooks: Hooks,
    pub store: Store,
    /// At most one for now; the ABI has several.
    pub mutators: List<Slot<Mutator>>,
    pub growth: Growth,
    pub stats: Stats,
    pub census: Census,
    pub retainers: Retainers,
    /// The heap profile that runs.
    pub profile: Option<Profile>,
    /// Heap profiles so far.
    pub profiles_started: u64,
    /// While a profile asks for them.
    pub producers_are_noted: bool,
    /// By the place in the code that allocates, too.
    pub sites_are_noted: bool,
    pub reports: Reports,
    pub profiler: SpaceProfiler,
    /// While one is taken.
    pub biography: Option<Box<Running>>,
    pub lives_shown: ShownLives,
    /// A callback of ours is running, or a collection: calls that change the heap are refused.
    pub busy: Busy,
    /// The heap is being freed, and calls its last finalizers.
    pub ending: bool,
    /// Reported by the client, now and since the last major collection.
    pub external_bytes: u64,
    pub external_since_major: u64,
    /// Position in the sequence that `--stress` mixes collections from.
    pub stress_state: u64,
    pub slow_trips: u64,
    /// Blocks that the nursery was given last.
    pub nursery_in_force: usize,
    /// Before the costs, which its ticker's thread adds to until it is dropped.
    pub cost_profiling: CostProfiling,
    pub costs: Costs,
    pub ticky: TickyCounters,
    /// In checking mode: where things were, for who finds them no more.
    pub moves: Option<Moves>,
    /// The answer to the last question why something lives.
    pub held: List<Held>,
    /// The file of `-r`.
    pub ticky_target: Option<Target>,
}

/// What the client says of its values.
#[derive(Clone, Copy, Debug)]
pub struct Values {
    pub tagged_pointers: u16,
    pub address_mask: usize,
    pub address_offset: usize,
    /// 8 or 16.
    pub alignment: usize,
}

impl Runtime {
    pub fn new(mut flags: Flags, values: Values, hooks: Hooks) -> Outcome<Slot<Runtime>> {
        if values.alignment != 8 && values.alignment != 16 {
            return Err(Failure::argument(format_args!(
                "object_alignment is {}; it may be 8 or 16",
                values.alignment
            )));
        }
        let tags = Tags::checked(
            values.tagged_pointers,
            values.address_mask,
            values.address_offset,
            values.alignment,
        )?;
        let reports = Reports::open(&flags)?;
        let cost_profiling = CostProfiling::new(&flags.cost)?;
        let ticky_target = super::ticky::target(&flags)?;
        let limits = limits::limits();
        flags.heap_limit_bytes = flags.heap_limit_bytes.or(limits.heap_in_container());
        let moves = (flags.sanity || flags.poison || flags.plain_words).then(Moves::new);
        let store = Store::new(&flags, &limits, tags, values.alignment)?;
        flags.reserve_bytes = store.blocks.megablocks.notes().reserved_bytes;
        let growth = Growth::new(&flags, &limits);
        let busy = Busy::new()?;
        let mut runtime = Slot::new(Runtime {
            signature: RUNTIME_SIGNATURE,
            stress_state: flags.seed,
            flags,
            limits,
            hooks,
            store,
            mutators: List::new(),
            growth,
            stats: Stats::new(clock::wall(), clock::cpu(), current_thread()),
            census: Census::default(),
            retainers: Retainers::new(busy.mark()),
            profile: None,
            profiles_started: 0,
            producers_are_noted: false,
            sites_are_noted: false,
            reports,
            profiler: SpaceProfiler::default(),
            biography: None,
            lives_shown: ShownLives::default(),
            busy,
            ending: false,
            external_bytes: 0,
            external_since_major: 0,
            slow_trips: 0,
            nursery_in_force: 0,
            cost_profiling,
            costs: Costs::new()?,
            ticky: TickyCounters::new()?,
            ticky_target,
            moves,
            held: List::new(),
        })?;
        runtime.set_ceiling(0);
        for number in 0..runtime.store.generation_count {
            runtime.store.generations[number].max_blocks = runtime.growth.least_old_blocks;
        }
        let flags = runtime.flags.clone();
        // Before files are begun, which a heap that is refused would leave behind.
        if flags.cost.report != CostReport::Nothing {
            runtime.count_costs()?;
        }
        runtime.start_profile(&flags)?;
        Ok(runtime)
    }

    /// Makes a mutator for the calling thread.
    pub fn attach(&mut self) -> Outcome<*mut Mutator> {
        if !self.mutators.is_empty() {
            return Err(Failure::state(format_args!(
                "this heap has a mutator already; several mutators to a heap are not built yet, \
                 so detach it first or make another heap"
            )));
        }
        self.take_clock();
        self.mutators.reserve(1)?;
        let owner = (&raw mut *self).cast::<c_void>();
        let mut mutator = Slot::new(Mutator::new(MUTATOR_SIGNATURE, owner))?;
        mutator.thread = current_thread();
        mutator.always_slow = self.always_slow();
        mutator.window.counted = self.counted_entry();
        self.lend_costs(&mut mutator);
        self.lend_ticky(&mut mutator);
        let window = &mut mutator.window;
        if let crate::megablock::AnyCodes::Range(codes) = self.store.codes {
            window.heap_base = codes.base;
            window.heap_length = codes.bytes;
            window.codes = codes.table;
        }
        window.tagged_pointers = self.store.model.tags.pointers;
        window.address_mask = self.store.model.tags.mask;
        window.address_offset = self.store.model.tags.offset;
        self.show_tables(&mut mutator);
        // A full heap has no room for a nursery. It takes a mutator anyway: somebody must be able to free and collect.
        let opened = self.size_everything(&mut mutator, true);
        if self.live_words() == 0 {
            opened?;
        }
        let pointer = &raw mut *mutator;
        let _ = self.mutators.push_within(mutator);
        if let Err(failure) = self.count_time_of(pointer) {
            self.detach(pointer)?;
            return Err(failure);
        }
        self.note_producers_of(pointer);
        self.aim(pointer);
        self.watch_for_space(pointer);
        self.show_era();
        Ok(pointer)
    }

    /// The calling thread's CPU time is the heap's from now on; it goes on from what the other thread's was when it was
    /// last looked at.
    pub fn take_clock(&mut self) {
        let (here, now) = (current_thread(), clock::cpu());
        let stats = &mut self.stats;
        if stats.clock_of != here {
            let shift = now.0.wrapping_sub(stats.last_cpu.0);
            stats.born_cpu.0 = stats.born_cpu.0.wrapping_add(shift);
            stats.clock_of = here;
            self.reports.shift_clock(shift);
        }
        stats.last_cpu = now;
    }

    /// What the heap's clock of CPU time reads; to another thread, what it did read last.
    pub fn cpu_clock(&self) -> clock::Nanos {
        if self.stats.clock_of == current_thread() { clock::cpu() } else { self.stats.last_cpu }
    }

    /// Takes a mutator away. What it allocated stays: it is collected as far as it lives.
    pub fn detach(&mut self, mutator: *mut Mutator) -> Outcome<()> {
        if let Some(time) = &self.cost_profiling.time {
            time.unwatch();
        }
        // Objects in its nursery have to survive without it.
        self.collect_for(mutator, super::collect::Reason::Detach)?;
        let index = self.mutators.iter().position(|m| std::ptr::eq(&raw const **m, mutator));
        let Some(index) = index else {
            return Err(Failure::state(format_args!("the mutator belongs to another heap")));
        };
        self.take_clock();
        self.watch_for_space(std::ptr::null_mut());
        let mut mutator = self.mutators.swap_remove(index);
        self.store.size_nursery_to_nothing(&mut mutator);
        let gone = &mut *mutator;
        gone.buffers.release(&mut gone.window, &mut self.store.blocks);
        mutator.signature = DEAD;
        Ok(())
    }

    /// The only mutator, as long as there is no more than one.
    pub fn first_mutator(&mut self) -> Option<*mut Mutator> {
        self.mutators.first_mut().map(|mutator| &raw mut **mutator)
    }
}

impl Drop for Runtime {
    fn drop(&mut self) {
        self.signature = DEAD;
        let owner = self.statics_owner();
        self.store.statics.release(owner);
        for mutator in self.mutators.iter_mut() {
            mutator.signature = DEAD;
        }
    }
}

/// A number that tells threads apart, those that have ended too.
pub fn current_thread() -> u64 {
    static LAST: AtomicU64 = AtomicU64::new(0);
    thread_local!(static HERE: Cell<u64> = const { Cell::new(0) });
    HERE.with(|here| {
        if here.get() == 0 {
            here.set(LAST.fetch_add(1, Ordering::Relaxed) + 1);
        }
        here.get()
    })
}
