//! One collection as the host runs it: plan, collect with an observer, learn, size, tell, sample.

use crate::base::size::WORD_BYTES;
use crate::base::{Failure, Outcome, Status};
use crate::gc::{Cycle, Most, Plan, Silent, Way, collect};
use crate::heap::Mutator;
use crate::heap::mutator::state::attention;
use crate::heap::root::frame::{Visitor, check_any_frames};
use crate::host::Host;
use crate::identity::ccs::Special;
use crate::os::clock::Nanos;
use crate::os::debugger::{self, Readable};
use crate::profile::observer::{Parts, Profiled};
use crate::profile::profiler::Collected;
use crate::profile::space::time::Phase;
use crate::report::Spell;
use crate::report::stops::CollectionSpan;
use crate::runtime::collect::{Clocks, ExtraRoots, Reason};
use crate::runtime::hooks::EventKind;
use std::ffi::c_void;

impl Host {
    pub(crate) fn collect_for(&mut self, mutator: *mut Mutator, reason: Reason) -> Outcome<()> {
        self.collect_with(mutator, reason, None)
    }

    /// Collects as many generations as the reason and their state ask for.
    pub(crate) fn collect_with(
        &mut self,
        mutator: *mut Mutator,
        reason: Reason,
        extra: ExtraRoots<'_>,
    ) -> Outcome<()> {
        if self.is_shared() {
            self.refuse_to_collect()?;
            // SAFETY: the mutator is live, and only its own thread calls this.
            unsafe { (*mutator).refuse_while_open()? };
            // Another mutator may have collected while this one waited; a caller that looked for room looks again.
            let before = self.stats.collections;
            if self.stop_others(mutator) && self.stats.collections != before && reason == Reason::NoRoom {
                return Ok(());
            }
        }
        self.booking_time_to(Special::Gc, |runtime| runtime.collect_now(mutator, reason, extra))
    }

    /// Runs one collection, from the plan to the sample that it was taken for.
    fn collect_now(
        &mut self,
        mutator: *mut Mutator,
        reason: Reason,
        mut extra: ExtraRoots<'_>,
    ) -> Outcome<()> {
        self.refuse_to_collect()?;
        // SAFETY: mutators do not move and live as long as they are in `mutators`; only this thread uses it.
        let mutator = unsafe { &mut *mutator };
        mutator.refuse_while_open()?;
        let begun = self.begin_collection(mutator, reason)?;
        let plan = self.plan(reason);
        self.settle_before(&plan);
        let allocated = self.allocated_words(mutator);
        self.note_filled(mutator, allocated);
        self.tell_before(mutator, &plan);
        self.busy.set(planted!(144, false, true));
        self.note_before_faults(mutator);
        let cycle = match self.run(mutator, plan, &mut extra) {
            Ok(cycle) => cycle,
            Err(failure) => {
                self.give_up(mutator, reason);
                return Err(failure);
            }
        };
        mutator.satisfy(attention::COLLECT);
        self.learn_from(&cycle, mutator);
        self.book(&cycle, begun, allocated);
        self.note_after_faults(reason.text());
        // A collection that has left objects in place may have left holes that only a slide closes.
        let last_resort = cycle.major && cycle.way != Way::Leave;
        let mut sized = self.size_everything(mutator, last_resort);
        if sized.is_err() && self.store.release_aside(true) {
            sized = self.size_everything(mutator, last_resort);
        }
        if sized.is_err() && !last_resort && reason != Reason::Major {
            // The old generations hold too much for the next collection: this is the last moment to collect them.
            self.busy.set(false);
            // Where this one has moved objects, nobody has stored.
            planted!(625, (), self.forget_copies());
            return self.collect_now(mutator, Reason::Major, extra);
        }
        self.return_memory(cycle.major);
        self.tell_of_finalizers();
        self.busy.set(false);
        self.check_after_collection(mutator)?;
        self.copy_for_barriers(mutator);
        self.sample_if_counted(mutator, &mut extra);
        self.profilers.heap.joined = false;
        self.aim(mutator);
        // A caller that asked for a collection has got it; a caller that needs room is told that there is
        // none.
        if reason == Reason::NoRoom || reason == Reason::Stress { sized } else { Ok(()) }
    }

    /// Goes on after a collection that failed. Nothing moved; the allocation area is still the old one.
    fn give_up(&mut self, mutator: &mut Mutator, reason: Reason) {
        self.profilers.heap.joined = false;
        self.busy.set(false);
        self.note_after_faults(reason.text());
        // A caller that is told of the failure asks again, if it likes. Others who want this mutator are not told.
        mutator.satisfy(attention::COLLECT);
        mutator.show_limit();
    }

    fn refuse_to_collect(&self) -> Outcome<()> {
        if self.busy.is_set() {
            return Err(Failure::state(format_args!(
                "a collection is running: callbacks must not allocate, collect or change the heap"
            )));
        }
        Ok(())
    }

    /// Prepares a collection before its plan: stops for debuggers, checks, pauses the running stack, and
    /// reads the clocks.
    fn begin_collection(&mut self, mutator: &mut Mutator, reason: Reason) -> Outcome<Clocks> {
        if self.flags.stop_at == self.stats.collections + 1 {
            debugger::stop();
        }
        planted!(564, (), self.races.clear_slop());
        self.check_barriers()?;
        if self.flags.sanity {
            self.check_now(mutator)?;
        }
        self.stats.begun += 1;
        self.pause_stack(mutator);
        if let Some(moves) = &mut self.runtime.checking.moves {
            moves.begin(self.runtime.stats.collections + 1, reason.text());
        }
        // Before the collection's own clocks are read, so that a point after it is later.
        if let Some(space) = self.profilers.space.running.as_deref_mut() {
            space.began_seconds = self.runtime.mutator_seconds();
        }
        let begun = Clocks::of_work(&self.runtime);
        self.reports.collection_begins();
        if self.profilers.ask_the_time() {
            let now = Clocks::now(&self.runtime);
            self.profilers.heap.census.began_ns = self.profilers.heap.sample_ns(&self.runtime, now);
        }
        Ok(begun)
    }

    /// Settles a profile before a collection that counts: its bands must be decided by then.
    fn settle_before(&mut self, plan: &Plan) {
        let is_major = plan.oldest == self.store.oldest();
        if self.profilers.heap.will_count(is_major) {
            self.profilers.settle_profile(&mut self.runtime);
        }
    }

    /// Books everything allocated so far and gives it its producer, before objects move.
    fn tell_before(&mut self, mutator: &mut Mutator, plan: &Plan) {
        let Host { runtime, profilers, .. } = self;
        profilers.each().into_iter().for_each(|profiler| profiler.before(runtime, mutator, plan));
        mutator.book();
    }

    /// Lets profilers take in the collection that has ended.
    fn tell_after(&mut self, collected: &Collected) {
        let Host { runtime, profilers, .. } = self;
        profilers.each().into_iter().for_each(|profiler| profiler.after(runtime, collected));
    }

    fn check_after_collection(&mut self, mutator: &mut Mutator) -> Outcome<()> {
        self.check_plain_words(mutator)?;
        if self.flags.sanity {
            self.check_now(mutator)?;
            self.check_fresh_census(mutator)?;
        }
        Ok(())
    }

    /// Makes the census that this collection has taken, if any, a sample of the running profile.
    fn sample_if_counted(&mut self, mutator: &mut Mutator, extra: &mut ExtraRoots<'_>) {
        self.end_profile_without_tables();
        if !std::mem::take(&mut self.profilers.heap.census.is_fresh) {
            return;
        }
        self.booking_time_to(Special::Overhead, |host| {
            if host.profilers.heap.wants_retainers() {
                host.sample_retainers(mutator, extra);
            }
            host.record_sample();
        });
        if planted!(90, false, self.profilers.heap.joined) {
            self.profilers.heap.joined_sample(&mut self.runtime);
        }
    }

    /// Runs the plan, and tells profilers of its outcome.
    fn run(&mut self, mutator: &mut Mutator, plan: Plan, extra: &mut ExtraRoots<'_>) -> Outcome<Cycle> {
        let before = self.time_is(Phase::Collection);
        self.tell(EventKind::CollectionBegins, &plan, None);
        self.runtime.store.blocks.set_ceiling(self.ceiling_while_collecting());
        // The mark may be left of an earlier collection that failed after it had counted.
        self.profilers.heap.census.is_fresh = false;
        let outcome = self.run_within_memory(mutator, plan, extra);
        self.set_ceiling(0);
        if let Ok((cycle, counted)) = &outcome {
            if let Some(moves) = &mut self.checking.moves {
                moves.end(cycle.oldest);
            }
            let Cycle { oldest, major, .. } = *cycle;
            let sample_seconds = self.profilers.heap.census.began_ns as f64 / 1e9;
            self.tell_after(&Collected { oldest, major, counted: *counted, sample_seconds });
        }
        self.time_is(before);
        outcome.map(|(cycle, _)| cycle)
    }

    /// Runs the plan, or a smaller one when there is less memory than it needs. Returns also whether a census
    /// has counted.
    fn run_within_memory(
        &mut self,
        mutator: &mut Mutator,
        mut plan: Plan,
        extra: &mut ExtraRoots<'_>,
    ) -> Outcome<(Cycle, bool)> {
        let mut get_roots = self.hooks.roots_of_stop(mutator, extra);
        loop {
            let Host { runtime, profilers, .. } = self;
            let mut parts = Parts { moves: runtime.checking.moves.as_mut(), ..Parts::default() };
            let major = plan.oldest == runtime.store.oldest();
            profilers.each().into_iter().for_each(|profiler| profiler.part(&mut parts, major));
            let counted = parts.tally.is_some();
            let store = &mut runtime.store;
            let done = match Profiled::new(parts, store) {
                Some(mut profiled) => {
                    let done = collect(store, mutator, plan, &mut profiled, &mut get_roots);
                    profiled.finish();
                    done
                }
                None => collect(store, mutator, plan, &mut Silent, &mut get_roots),
            };
            match done {
                Ok(cycle) => return Ok((cycle, counted)),
                Err(failure) if failure.status == Status::Argument => return Err(failure),
                Err(_) if runtime.store.release_aside(true) => {}
                Err(failure) if plan.way == Way::Slide => return Err(failure),
                Err(_) => plan = self.smaller(plan),
            }
        }
    }

    fn book(&mut self, cycle: &Cycle, begun: Clocks, nursery_words: u64) {
        let ended = Clocks::of_work(&self.runtime);
        let (wall, cpu) = (ended.wall.since(begun.wall), ended.cpu.since(begun.cpu));
        let live: usize = self.live_words();
        self.stats.nursery_words += nursery_words;
        self.count_collected(cycle.major);
        let is_parallel = self.store.workers.is_counted;
        self.stats.book(cycle, is_parallel, wall, cpu, live as u64);
        self.stats.last_cpu = ended.cpu;
        self.tell_collection(cycle, Spell { cpu: cpu.0, wall: wall.0 });
        self.note_span(cycle, begun, ended, live);
        let plan = Plan { oldest: cycle.oldest, promote_at_once: false, way: cycle.way, most: Most::any() };
        self.tell(EventKind::CollectionEnds, &plan, Some((cycle, wall.0)));
        // A further collection of the same stop has not waited.
        self.stats.this_stop = Nanos(0);
    }

    /// Tells the time line of a collection that is in the figures.
    fn note_span(&mut self, cycle: &Cycle, begun: Clocks, ended: Clocks, live_words: usize) {
        let workers = std::mem::take(&mut self.store.workers.called).max(1) as u64;
        let span = CollectionSpan {
            workers,
            number: self.stats.collections,
            generation: cycle.oldest as u64,
            major: cycle.major,
            copied_bytes: cycle.copied_words * WORD_BYTES as u64,
            live_bytes: (live_words * WORD_BYTES) as u64,
            ..CollectionSpan::default()
        };
        self.timeline.collected(begun.wall, ended.wall, span);
    }

    /// Collects with roots that a C function tells, for this one collection.
    pub(crate) fn collect_with_function(
        &mut self,
        mutator: *mut Mutator,
        reason: Reason,
        roots: crate::runtime::hooks::RootsHook,
        client: *mut c_void,
    ) -> Outcome<()> {
        let mut extra = |visitor: &mut Visitor| {
            // SAFETY: the client's function takes its own pointer and a visitor, which lives during the call.
            unsafe { roots(client, &raw mut *visitor) };
        };
        // SAFETY: the mutator is live, and only its own thread calls this; others look while it stands.
        unsafe { (*mutator).told = Some((roots, client)) };
        let outcome = self.collect_with(mutator, reason, Some(&mut extra));
        // SAFETY: as above.
        unsafe { (*mutator).told = None };
        outcome
    }

    /// `barrow_check`. Outside checking mode, slop may lie between objects, so everything is collected first.
    pub(crate) fn check_heap(&mut self, mutator: *mut Mutator) -> Outcome<crate::gc::sanity::Census> {
        self.refuse_while_busy()?;
        // SAFETY: the mutator is live, and only its own thread calls this.
        unsafe { (*mutator).refuse_while_open()? };
        if !self.store.poisons {
            // SAFETY: the mutator is live.
            check_any_frames(unsafe { (*mutator).window.frames }, &mut Readable::new())?;
            self.collect_for(mutator, Reason::Major)?;
        }
        self.stop_others(mutator);
        planted!(664, (), self.races.clear_slop());
        self.check_barriers()?;
        // SAFETY: the mutator is live, and only its own thread calls this.
        self.check_now(unsafe { &mut *mutator })
    }
}
