//! The handle of a heap: made, attached to, detached from and dropped.

use crate::base::flag::{CostReport, Flags};
use crate::base::{Failure, List, Outcome};
use crate::gc::moves::Moves;
use crate::heap::mutator::busy::Busy;
use crate::heap::root::frame::LlvmFrame;
use crate::heap::{Mutator, Store, Tags};
use crate::host::still::{detach_at_the_end, forget_at_the_end};
use crate::os::apart::Holder;
use crate::os::thread::current_thread;
use crate::os::{clock, limits};
use crate::profile::cost::files::file_of_program;
use crate::profile::profilers::Profilers;
use crate::profile::retainer::scheme::RetainerScheme;
use crate::runtime::growth::Growth;
use crate::runtime::heap::{
    Checking, DEAD, External, MUTATOR_SIGNATURE, RUNTIME_SIGNATURE, Runtime, Values, forget_home,
    settle_at_home,
};
use crate::runtime::hooks::Hooks;
use crate::runtime::lazy::Races;
use crate::runtime::reports::{Reports, list_flags, now};
use crate::runtime::slot::{Placed, Slot, Slots};
use crate::runtime::slow::{SlowPath, each};
use crate::runtime::stats::Stats;
use crate::runtime::timeline::Timeline;
use std::ffi::c_void;
use std::ops::{Deref, DerefMut};

impl Placed for Host {
    fn slots() -> &'static Slots {
        static SLOTS: Slots = Slots::of::<Host>();
        &SLOTS
    }
}

/// The handle: a runtime, and the profilers that watch it.
pub struct Host {
    pub signature: u64,
    pub runtime: Runtime,
    pub profilers: Profilers,
    /// The holder of this heap's file names, which keeps them apart from those of other heaps.
    pub files: Holder,
}

impl Deref for Host {
    type Target = Runtime;

    fn deref(&self) -> &Runtime {
        &self.runtime
    }
}

impl DerefMut for Host {
    fn deref_mut(&mut self) -> &mut Runtime {
        &mut self.runtime
    }
}

impl Host {
    /// A heap whose files have their names.
    pub(crate) fn new(
        flags: Flags,
        values: Values,
        hooks: Hooks,
        retainers: RetainerScheme,
    ) -> Outcome<Slot<Host>> {
        let mut heap = Host::prepared(flags, values, hooks, retainers)?;
        heap.name_files()?;
        Ok(heap)
    }

    /// Gives the files that grow their names, in the place of those of earlier runs [report.refused].
    pub(crate) fn name_files(&mut self) -> Outcome<()> {
        self.reports.take_name()?;
        self.timeline.take_name()?;
        self.name_profile()
    }

    /// Ends the making of a heap, with a first mutator or without: nothing but a name can be refused when its files get these.
    pub(crate) fn complete_with(&mut self, a_mutator: bool) -> Outcome<Option<*mut Mutator>> {
        let mutator = a_mutator.then(|| self.attach()).transpose()?;
        self.name_files()?;
        Ok(mutator)
    }

    /// A heap that may still be refused: its files have temporary names, and go with it.
    pub(crate) fn prepared(
        mut flags: Flags,
        values: Values,
        hooks: Hooks,
        retainers: RetainerScheme,
    ) -> Outcome<Slot<Host>> {
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
        if flags.help {
            return Err(list_flags());
        }
        let files = Holder::new();
        let born = (clock::wall(), if flags.mutators > 1 { clock::cpu_of_all() } else { clock::cpu() });
        let reports = Reports::open(&flags, &files, now(born.1))?;
        let busy = Busy::new()?;
        let mut profilers = Profilers::new(&flags, &files, busy.mark())?;
        profilers.refuse_scheme(retainers.size as usize)?;
        profilers.retainers.scheme = retainers;
        let limits = limits::limits();
        flags.heap_limit_bytes = flags.heap_limit_bytes.or(limits.heap_in_container());
        let notes_moves = flags.checks();
        let checking = Checking { moves: notes_moves.then(Moves::new), ..Checking::default() };
        let faults = flags.faults;
        let mut store = Store::new(&flags, &limits, tags, values.alignment)?;
        let gate = Host::gate_for(&flags)?;
        if !gate.is_null() {
            store.be_shared();
        }
        flags.reserve_bytes = store.blocks.megablocks.notes().reserved_bytes;
        let growth = Growth::new(&flags, &limits);
        let mut runtime = Slot::new(Host {
            signature: RUNTIME_SIGNATURE,
            profilers,
            files,
            runtime: Runtime {
                stress_state: flags.seed,
                flags,
                limits,
                hooks,
                store,
                gate,
                mutators: List::new(),
                growth,
                stats: Stats::new(born.0, born.1, current_thread()),
                reports,
                timeline: Timeline::default(),
                busy,
                ending: false,
                external: External::default(),
                slow: SlowPath {
                    each_allocation: if faults { each::FAULTS } else { 0 },
                    ..SlowPath::default()
                },
                races: Races::default(),
                checking,
            },
        })?;
        runtime.tell_faults()?;
        runtime.set_ceiling(0);
        for number in 0..runtime.store.generation_count {
            runtime.store.generations[number].max_blocks = runtime.growth.least_old_blocks;
        }
        if runtime.flags.cost.report != CostReport::Nothing {
            runtime.count_costs(None)?;
        }
        runtime.begin_timeline()?;
        let (wish, line) = (runtime.flags.profile.try_clone()?, runtime.flags.line.try_clone()?);
        runtime.begin_profile(&wish, line)??;
        Ok(runtime)
    }

    /// Begins the file of `--stops`, if it is asked for.
    fn begin_timeline(&mut self) -> Outcome<()> {
        let Host { runtime, files, .. } = self;
        let Runtime { flags, timeline, stats, .. } = runtime;
        let name = match flags.stops.as_ref().map(|name| name.as_str()) {
            None => return Ok(()),
            Some("") => file_of_program(&flags.cost, files, ".stops")?,
            Some(name) => files.own_file(name.as_bytes())?,
        };
        timeline.begin(flags, &name, stats.born_wall)
    }

    /// Ends a heap: writes its reports, and calls the functions of the weak pointers that are left.
    pub(crate) fn end(mut heap: Slot<Host>) -> Outcome<()> {
        planted!(516, (), heap.go_in_to_end());
        heap.take_clock();
        // Profiles stop before finalizers run, whose uses and objects belong to no biography.
        let spaced = heap.first_mutator().map_or(Ok(()), |mutator| {
            if heap.is_shared() {
                // Mutators that have gone left objects, which the profile looks at with those of the last one.
                // SAFETY: the mutator is live, and no other thread has one here.
                planted!(522, (), heap.store.take_over(unsafe { &mut *mutator }));
            }
            heap.finish_asked_space(mutator)
        });
        let profiled = heap.stop_profile();
        heap.run_functions_at_the_end();
        heap.tell_the_end([profiled, planted!(659, Ok(()), spaced)])
    }

    /// Makes a mutator for the calling thread.
    pub(crate) fn attach(&mut self) -> Outcome<*mut Mutator> {
        self.make_way_for_another()?;
        self.take_clock();
        self.know_this_thread()?;
        self.mutators.reserve(1)?;
        let owner = (&raw mut *self).cast::<c_void>();
        // The signature comes when the mutator is complete, so that one whose attaching fails is never taken for a live one.
        let mut mutator = Slot::new(Mutator::new(DEAD, owner))?;
        mutator.thread = current_thread();
        mutator.gate = self.gate;
        mutator.shelf = self.mutators.len();
        if let Err(failure) = self.complete(&mut mutator) {
            planted!(485, (), forget_at_the_end(&raw mut *mutator));
            self.profilers.join_counts(&raw const *mutator);
            // Chunks may have been found without room for what the next collection copies of them.
            planted!(555, (), self.store.size_nursery_to_nothing(&mut mutator));
            return Err(failure);
        }
        mutator.signature = MUTATOR_SIGNATURE;
        self.begin(mutator)
    }

    /// Gives a mutator what it needs of the heap, before anybody else can see it.
    fn complete(&mut self, mutator: &mut Slot<Mutator>) -> Outcome<()> {
        if self.is_shared() {
            detach_at_the_end(&raw mut **mutator)?;
            mutator.home_beside_others = Mutator::word_beside_others();
            self.profilers.part_counts(&raw const **mutator)?;
        } else {
            settle_at_home(mutator);
        }
        mutator.always_slow = self.always_slow();
        mutator.window.counted = self.counted_entry();
        self.lend_costs(mutator);
        self.lend_ticky(mutator);
        let window = &mut mutator.window;
        // Without a table of codes, compiled code calls at each barrier, as it does for heaps in chunks.
        if let crate::megablock::AnyCodes::Range(codes) = self.store.codes
            && !self.flags.barriers
        {
            window.heap_base = codes.base;
            window.heap_length = codes.bytes;
            window.codes = codes.table;
        }
        window.tagged_pointers = self.store.model.tags.pointers;
        window.address_mask = self.store.model.tags.mask;
        window.address_offset = self.store.model.tags.offset;
        mutator.window.owner = self.races.next_owner();
        mutator.own_word = mutator.window.owner;
        self.show_tables(mutator);
        // A full heap has no room for a nursery. It takes a mutator anyway, since a mutator is needed to free
        // and collect. Where there is a nursery, the mutator finds chunks of it when it needs one.
        if self.mutators.is_empty() && self.store.depot.has_no_chunks() {
            let opened = self.size_everything(mutator, true);
            if self.live_words() == 0 {
                opened?;
            }
            self.share_nursery(mutator);
        }
        Ok(())
    }

    /// Lets a mutator begin.
    fn begin(&mut self, mut mutator: Slot<Mutator>) -> Outcome<*mut Mutator> {
        let pointer = &raw mut *mutator;
        let _ = self.mutators.push_within(mutator);
        self.timeline.attached();
        // SAFETY: the mutator lives until it is detached, or the heap goes.
        unsafe { self.busy.closes(pointer) };
        if let Err(failure) = self.be_profiled(pointer) {
            self.detach(pointer)?;
            return Err(failure);
        }
        self.let_waiters_look();
        Ok(pointer)
    }

    /// Has profilers look at a mutator that begins.
    fn be_profiled(&mut self, mutator: *mut Mutator) -> Outcome<()> {
        self.count_time_of(mutator)?;
        self.profilers.heap.note_producers_of(mutator);
        self.profilers.heap.watch(mutator)?;
        self.aim(mutator);
        self.profilers.space.comes(mutator)?;
        if self.profilers.lives.running.is_some() {
            // SAFETY: the mutator is live and the calling thread's.
            self.profilers.lives.show_era_to(&mut self.runtime, unsafe { &mut *mutator });
        }
        self.begin_asked_space(mutator)
    }

    /// Gives a mutator the chain of LLVM's frames, or none. LLVM has one for all threads, on which the code of one mutator may push.
    pub(crate) fn attach_llvm_chain(
        &mut self,
        mutator: *mut Mutator,
        chain: *mut *mut LlvmFrame,
    ) -> Outcome<()> {
        let has_it = |other: &Mutator| other.llvm_chain == chain && !std::ptr::eq(other, mutator);
        let other = self.mutators.iter().find(|&other| !chain.is_null() && has_it(other));
        if let Some(other) = planted!(507, other.filter(|_| false), other) {
            return Err(Failure::state(format_args!(
                "the chain at {chain:?} is attached to another mutator, {:?} of thread {}: LLVM has one chain for all threads, so the code of one mutator uses it; NULL detaches it there",
                other.as_raw(),
                other.thread
            )));
        }
        // SAFETY: the mutator is live, and only its own thread calls this.
        unsafe { (*mutator).llvm_chain = chain };
        Ok(())
    }

    /// Takes a mutator away. Its objects stay, and are collected like others.
    pub(crate) fn detach(&mut self, mutator: *mut Mutator) -> Outcome<()> {
        if self.is_shared() {
            return self.detach_shared(mutator);
        }
        planted!(520, drop(self.report_with_the_last(mutator)));
        // Live objects in its nursery are moved to where they need no mutator. A mutator stays when that is refused.
        planted!(4, (), self.collect_for(mutator, crate::runtime::collect::Reason::Detach)?);
        let reported = self.report_with_the_last(mutator);
        let index = self.mutators.iter().position(|m| std::ptr::eq(&raw const **m, mutator));
        let Some(index) = index else {
            return Err(Failure::state(format_args!("the mutator belongs to another heap")));
        };
        if let Some(time) = &self.profilers.costs.time {
            time.unwatch(mutator);
        }
        self.take_clock();
        // SAFETY: the mutator is live, and only its own thread calls this.
        self.profilers.space.goes(&mut self.runtime, unsafe { &mut *mutator });
        self.profilers.heap.unwatch(mutator);
        // SAFETY: a null pointer stands for no mutator.
        unsafe { self.busy.closes(std::ptr::null_mut()) };
        let mut mutator = self.mutators.swap_remove(index);
        self.timeline.detached(mutator.thread);
        mutator.pass_ticks_on(&mut self.profilers.costs.part_of_tick);
        self.store.size_nursery_to_nothing(&mut mutator);
        let gone = &mut *mutator;
        gone.buffers.release(&mut gone.window, &mut self.store.blocks);
        forget_home(mutator.as_raw());
        mutator.retire(DEAD);
        reported
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        self.signature = DEAD;
        self.forget_faults();
        let owner = self.statics_owner();
        self.store.statics.release(owner);
        for mutator in self.mutators.iter_mut() {
            forget_home(mutator.as_raw());
            mutator.retire(DEAD);
            forget_at_the_end(mutator.as_raw());
        }
        self.close_gate();
    }
}
