//! When a collection runs, and what is done around it: plan, collect, learn, size, tell.

use super::heap::Runtime;
use super::hooks::{Event, EventKind};
use super::kept::Batch;
use super::profiled::Profiled;
use crate::base::size::*;
use crate::base::{Failure, Outcome, Status};
use crate::gc::{Cycle, Plan, Silent, collect};
use crate::heap::Mutator;
use crate::heap::mutator::attention;
use crate::heap::root::Visitor;
use crate::heap::side::Table;
use crate::identity::ccs::Special;
use crate::os::{clock, debugger};
use crate::prof::space::time::Phase;
use crate::report::Spell;
use std::ffi::{CStr, c_void};

/// Why a collection runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// There is no room.
    NoRoom,
    /// The client asks for everything to be collected.
    Major,
    /// The client asks, and leaves the choice to us.
    Minor,
    /// A mutator goes.
    Detach,
    /// `--stress`.
    Stress,
}

impl Reason {
    /// For a person who asks who moved an object.
    fn text(self) -> &'static CStr {
        match self {
            Reason::NoRoom => c"there was no room, or somebody had asked for one",
            Reason::Major => c"everything was to be collected",
            Reason::Minor => c"barrow_collect",
            Reason::Detach => c"barrow_detach",
            Reason::Stress => c"--stress",
        }
    }
}

/// Roots told by a function of the caller for one collection, besides those that the heap knows.
pub type ExtraRoots<'a> = Option<&'a mut dyn FnMut(&mut Visitor)>;

impl Runtime {
    pub fn collect_for(&mut self, mutator: *mut Mutator, reason: Reason) -> Outcome<()> {
        self.collect_with(mutator, reason, None)
    }

    /// Collects what the reason and the state of the generations ask for.
    pub fn collect_with(
        &mut self,
        mutator: *mut Mutator,
        reason: Reason,
        extra: ExtraRoots<'_>,
    ) -> Outcome<()> {
        self.booking_time_to(Special::Gc, |runtime| runtime.collect_now(mutator, reason, extra))
    }

    fn collect_now(
        &mut self,
        mutator: *mut Mutator,
        reason: Reason,
        mut extra: ExtraRoots<'_>,
    ) -> Outcome<()> {
        if self.busy.is_set() {
            return Err(Failure::state(format_args!(
                "a collection is running: callbacks must not allocate, collect or change the heap"
            )));
        }
        // SAFETY: mutators do not move and live as long as they are in `mutators`; only this thread uses it.
        let mutator = unsafe { &mut *mutator };
        if self.flags.stop_at == self.stats.collections + 1 {
            debugger::stop();
        }
        if self.flags.sanity {
            self.check_now(mutator)?;
        }
        self.stats.begun += 1;
        self.pause_stack(mutator);
        if let Some(moves) = &mut self.moves {
            moves.begin(self.stats.collections + 1, reason.text());
        }
        let begun = Clocks::now();
        self.reports.collection_begins();
        self.census.began_ns = self.mutator_ns(begun.cpu);
        let wanted = self.plan(reason);
        let is_major = wanted.oldest == self.store.oldest();
        let joins = is_major && !self.census.wanted && self.joins_sample(self.census.began_ns);
        // Without counters there is no sample here; the one that is due will say why.
        self.census.wanted |= joins && self.census.prepare().is_ok();
        if self.census.wanted || self.samples_naturally() {
            self.settle_profile();
        }
        let allocated = self.allocated_words(mutator);
        self.before_collection_for_space(mutator);
        // What was made so far has its producer noted before it is moved.
        mutator.book();
        self.busy.set(true);
        let before = self.time_for_space(Phase::Collection);
        let outcome = self.run(mutator, wanted, &mut extra);
        self.census.wanted &= !joins;
        self.time_for_space(before);
        let cycle = match outcome {
            Ok(cycle) => cycle,
            Err(failure) => {
                // Nothing moved; the allocation area is still the old one.
                self.busy.set(false);
                let _ = mutator.take_attention();
                return Err(failure);
            }
        };
        mutator.satisfy(attention::COLLECT);
        self.learn_from(&cycle);
        self.book(&cycle, begun, allocated);
        let sized = self.size_everything(mutator, cycle.major);
        if sized.is_err() && !cycle.major && reason != Reason::Major {
            // The old generations hold too much for the next collection: this is the last moment to collect them.
            self.busy.set(false);
            return self.collect_now(mutator, Reason::Major, extra);
        }
        self.return_memory(cycle.major);
        self.tell_of_finalizers();
        self.busy.set(false);
        self.check_plain_words(mutator)?;
        if self.flags.sanity {
            self.check_now(mutator)?;
            self.check_fresh_census(mutator)?;
        }
        self.end_profile_without_tables();
        if std::mem::take(&mut self.census.is_fresh) {
            self.booking_time_to(Special::Overhead, |runtime| {
                if runtime.wants_retainers() {
                    runtime.sample_retainers(mutator, &mut extra);
                }
                runtime.record_sample();
            });
            if joins {
                self.joined_sample();
            }
        }
        self.aim(mutator);
        // Who asked for a collection has got it; who needs room is told that there is none.
        if reason == Reason::NoRoom || reason == Reason::Stress { sized } else { Ok(()) }
    }

    /// The greatest generation that is due, as the reference says; or what the reason demands.
    fn plan(&mut self, reason: Reason) -> Plan {
        let store = &self.store;
        let oldest = store.oldest();
        let mut wanted = 0;
        for number in 1..store.generation_count {
            let generation = &store.generations[number];
            if generation.forgot || generation.steps[0].all_blocks() > generation.max_blocks {
                wanted = number;
            }
        }
        // External memory is freed by finalizers, which need a major collection when its owners are old.
        let external = (self.external_since_major as usize) / BLOCK_BYTES;
        if external > store.generations[oldest].max_blocks + self.growth.nursery_blocks {
            wanted = oldest;
        }
        if store.exhausted {
            wanted = oldest;
        }
        match reason {
            Reason::Major => wanted = oldest,
            Reason::Stress => wanted = wanted.max(self.stress_choice()),
            _ => {}
        }
        Plan {
            oldest: wanted,
            promote_at_once: self.growth.promote_at_once,
            compact: wanted == oldest && self.growth.compacts_next,
        }
    }

    fn stress_choice(&mut self) -> usize {
        self.stress_state =
            self.stress_state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.stress_state >> 33) as usize % self.store.generation_count
    }

    /// Runs the plan; with less memory than it needs, one that needs less.
    fn run(&mut self, mutator: &mut Mutator, plan: Plan, extra: &mut ExtraRoots<'_>) -> Outcome<Cycle> {
        let hooks = self.hooks;
        self.tell(EventKind::CollectionBegins, &plan, None);
        let mut get_roots = |visitor: &mut Visitor| {
            if let Some(roots) = hooks.roots {
                // SAFETY: the client's callback takes its own pointer and a visitor, which lives during the call.
                unsafe { roots(hooks.client.0, &raw mut *visitor) };
            }
            if let Some(extra) = extra.as_mut() {
                extra(visitor);
            }
        };
        self.store.blocks.set_ceiling(self.ceiling_while_collecting());
        let seconds = self.mutator_seconds();
        let mut plan = plan;
        let mut counted;
        let mut major;
        // Of an earlier collection that failed behind its counting.
        self.census.is_fresh = false;
        let outcome = loop {
            major = plan.oldest == self.store.oldest();
            self.census.wanted |= self.samples_naturally();
            let tally = self.census.counting(major);
            let carried = self.store.carried();
            counted = tally.is_some();
            let moves = self.moves.as_mut();
            let done = if counted || carried.any() || moves.is_some() {
                let biography = self.biography.as_deref_mut();
                let copied = if biography.is_some() { carried.but_biography() } else { carried };
                // Otherwise when retainer sets are known.
                let counts_biography =
                    counted && biography.as_ref().is_some_and(|running| !running.groups_by_set());
                // One that stamps nothing would take the numbers of another profile for its own.
                let space = self.profiler.space.as_deref_mut().filter(|space| space.stamps);
                let only_counts_space = !counted && moves.is_none() && carried.is_only(Table::Producer);
                let (only_space, space) = if only_counts_space { (space, None) } else { (None, space) };
                let (model, young_have_lives) = (self.store.model, self.store.young_have_lives);
                let only_counts = !carried.any() && moves.is_none();
                let (only_tally, tally) = if only_counts { (tally, None) } else { (None, tally) };
                let tallies_alike = counts_biography && tally.as_ref().is_some_and(|tally| tally.is_plain());
                let only_lives = biography.is_some()
                    && !(copied.any() || moves.is_some() || space.is_some())
                    && (tally.is_none() || tallies_alike);
                let mut profiled = Profiled {
                    model,
                    young_have_lives,
                    carried,
                    copied,
                    only_tally,
                    tally,
                    biography,
                    counts_biography,
                    only_space,
                    space,
                    moves,
                    tallies_alike,
                    only_lives,
                    batch: Batch::new(),
                };
                let done = collect(&mut self.store, mutator, plan, &mut profiled, &mut get_roots);
                profiled.finish();
                done
            } else {
                collect(&mut self.store, mutator, plan, &mut Silent, &mut get_roots)
            };
            match done {
                Ok(cycle) => break Ok(cycle),
                Err(failure) if failure.status == Status::Argument || plan.compact => break Err(failure),
                Err(_) => plan = self.smaller(plan),
            }
        };
        self.set_ceiling(0);
        if counted && outcome.is_ok() {
            self.census.finish();
        }
        if let (Ok(cycle), Some(moves)) = (&outcome, &mut self.moves) {
            moves.end(cycle.oldest);
        }
        if let Ok(cycle) = &outcome {
            self.after_collection_for_space(cycle.oldest, seconds);
        }
        if outcome.is_ok() && self.biography.is_some() {
            self.biography_after_collection(major, counted);
        }
        outcome
    }

    /// What can be done with less memory than a plan needs: fewer generations, or else everything in place.
    fn smaller(&self, plan: Plan) -> Plan {
        let oldest = self.store.oldest();
        let lower = (0..plan.oldest).rev().find(|&g| self.may_stop_at(g));
        match lower {
            Some(lower) if plan.oldest < oldest => Plan { oldest: lower, ..plan },
            _ => Plan { oldest, compact: true, ..plan },
        }
    }

    /// Whether older generations than this one have everything remembered that they must.
    fn may_stop_at(&self, number: usize) -> bool {
        self.store.generations[number + 1..self.store.generation_count].iter().all(|g| !g.forgot)
    }

    fn allocated_words(&mut self, mutator: &mut Mutator) -> u64 {
        self.store.close_nursery(mutator);
        mutator.nursery.allocated_words() as u64
    }

    fn book(&mut self, cycle: &Cycle, begun: Clocks, nursery_words: u64) {
        let ended = Clocks::now();
        let (wall, cpu) = (ended.wall.since(begun.wall), ended.cpu.since(begun.cpu));
        let live: usize = self.live_words();
        self.stats.nursery_words += nursery_words;
        self.count_collected(cycle.major);
        self.stats.book(cycle, wall, cpu, live as u64);
        self.stats.last_cpu = ended.cpu;
        self.tell_collection(cycle, Spell { cpu: cpu.0, wall: wall.0 });
        let plan = Plan { oldest: cycle.oldest, promote_at_once: false, compact: cycle.compacted };
        self.tell(EventKind::CollectionEnds, &plan, Some((cycle, wall.0)));
    }

    /// Words in all generations: live after a major collection, and what has died in old ones since.
    pub fn live_words(&self) -> usize {
        self.store
            .all_generations()
            .iter()
            .flat_map(|generation| generation.live_steps())
            .map(|step| step.live_words + step.large_words)
            .sum()
    }

    fn tell(&self, kind: EventKind, plan: &Plan, done: Option<(&Cycle, u64)>) {
        let Some(hook) = self.hooks.event else { return };
        let event = Event {
            size: size_of::<Event>() as u32,
            kind,
            collection: self.stats.collections + done.is_none() as u64,
            generation: plan.oldest as u32,
            major: (plan.oldest == self.store.oldest()) as u32,
            copied_bytes: done.map_or(0, |(cycle, _)| cycle.copied_words * 8),
            live_bytes: if done.is_some() { self.live_words() as u64 * 8 } else { 0 },
            pause_ns: done.map_or(0, |(_, pause)| pause),
        };
        // SAFETY: the client's callback takes its own pointer and an event, which lives during the call.
        unsafe { hook(self.hooks.client.0, &raw const event) };
    }

    /// Roots from a C function with its own pointer, for one collection.
    pub fn collect_with_function(
        &mut self,
        mutator: *mut Mutator,
        reason: Reason,
        roots: super::hooks::RootsHook,
        client: *mut c_void,
    ) -> Outcome<()> {
        let mut extra = |visitor: &mut Visitor| {
            // SAFETY: the client's function takes its own pointer and a visitor, which lives during the call.
            unsafe { roots(client, &raw mut *visitor) };
        };
        self.collect_with(mutator, reason, Some(&mut extra))
    }
}

/// Both clocks at one moment.
#[derive(Clone, Copy)]
struct Clocks {
    wall: clock::Nanos,
    cpu: clock::Nanos,
}

impl Clocks {
    fn now() -> Clocks {
        Clocks { wall: clock::wall(), cpu: clock::cpu() }
    }
}

impl Runtime {
    /// The sanity walk on the heap as it stands.
    pub fn check_now(&mut self, mutator: &mut Mutator) -> Outcome<crate::gc::sanity::Census> {
        let hooks = self.hooks;
        let mut get_roots = |visitor: &mut Visitor| {
            if let Some(roots) = hooks.roots {
                // SAFETY: as in `run`.
                unsafe { roots(hooks.client.0, &raw mut *visitor) };
            }
        };
        self.busy.set(true);
        let outcome = crate::gc::sanity::check(&mut self.store, mutator, &mut get_roots, self.moves.as_ref());
        self.busy.set(false);
        outcome
    }

    /// `barrow_check`: outside checking mode, slop may lie between objects, so everything is collected first.
    pub fn check_heap(&mut self, mutator: *mut Mutator) -> Outcome<crate::gc::sanity::Census> {
        self.refuse_while_busy()?;
        if !self.store.poisons {
            self.collect_for(mutator, Reason::Major)?;
        }
        // SAFETY: the mutator is live, and only its own thread calls this.
        self.check_now(unsafe { &mut *mutator })
    }
}
