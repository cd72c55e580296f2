//! When a collection runs, and what is done around it: plan, collect, learn, size, tell.

use super::heap::Runtime;
use super::hooks::{Event, EventKind};
use super::profiled::Profiled;
use crate::base::size::*;
use crate::base::{Failure, Outcome, Status};
use crate::gc::{Cycle, Plan, Silent, collect};
use crate::heap::Mutator;
use crate::heap::mutator::attention;
use crate::heap::root::Visitor;
use crate::os::clock;
use crate::report::Spell;
use std::ffi::c_void;

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

/// The smallest nursery: 64 KiB.
const LEAST_NURSERY_BLOCKS: usize = 64 * 1024 / BLOCK_BYTES;

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
        mut extra: ExtraRoots<'_>,
    ) -> Outcome<()> {
        if self.busy {
            return Err(Failure::state(format_args!(
                "a collection is running: callbacks must not allocate, collect or change the heap"
            )));
        }
        // SAFETY: mutators do not move and live as long as they are in `mutators`; only this thread uses it.
        let mutator = unsafe { &mut *mutator };
        if self.flags.sanity {
            self.check_now(mutator)?;
        }
        let begun = Clocks::now();
        self.reports.collection_begins();
        self.census.began_ns = self.mutator_ns(begun.cpu);
        let wanted = self.plan(reason);
        let allocated = self.allocated_words(mutator);
        self.busy = true;
        let outcome = self.run(mutator, wanted, &mut extra);
        let cycle = match outcome {
            Ok(cycle) => cycle,
            Err(failure) => {
                // Nothing moved; the allocation area is still the old one.
                self.busy = false;
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
            self.busy = false;
            return self.collect_with(mutator, Reason::Major, extra);
        }
        self.return_memory(cycle.major);
        self.tell_of_finalizers();
        self.busy = false;
        if self.flags.sanity {
            self.check_now(mutator)?;
            self.check_fresh_census(mutator)?;
        }
        if std::mem::take(&mut self.census.is_fresh) {
            self.record_sample();
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
        Plan { oldest: wanted, promote_at_once: self.growth.promote_at_once }
    }

    fn stress_choice(&mut self) -> usize {
        self.stress_state =
            self.stress_state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.stress_state >> 33) as usize % self.store.generation_count
    }

    /// Runs the plan; with less memory than it needs, a smaller one that is still correct.
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
        let mut plan = plan;
        let mut counted;
        let mut major;
        let outcome = loop {
            major = plan.oldest == self.store.oldest();
            self.census.wanted |= self.samples_naturally();
            let tally = self.census.counting(major);
            let carries = self.store.blocks.megablocks.side.any_on();
            counted = tally.is_some();
            let done = if counted || carries {
                let biography = self.biography.as_deref_mut();
                let mut profiled = Profiled { carries, tally, biography, counts_biography: counted };
                collect(&mut self.store, mutator, plan, &mut profiled, &mut get_roots)
            } else {
                collect(&mut self.store, mutator, plan, &mut Silent, &mut get_roots)
            };
            match done {
                Ok(cycle) => break Ok(cycle),
                Err(failure) => {
                    let lower = (0..plan.oldest).rev().find(|&g| self.may_stop_at(g));
                    match lower {
                        Some(lower) if failure.status != Status::Argument => plan.oldest = lower,
                        _ => break Err(failure),
                    }
                }
            }
        };
        self.set_ceiling(0);
        if counted && outcome.is_ok() {
            self.census.finish();
        }
        if outcome.is_ok() && self.biography.is_some() {
            self.biography_after_collection(major, counted);
        }
        outcome
    }

    /// Whether older generations than this one have everything remembered that they must.
    fn may_stop_at(&self, number: usize) -> bool {
        self.store.generations[number + 1..self.store.generation_count].iter().all(|g| !g.forgot)
    }

    fn learn_from(&mut self, cycle: &Cycle) {
        let old_blocks = self.old_blocks();
        if cycle.major {
            self.external_since_major = 0;
            self.growth.fit(old_blocks);
            self.size_old_generations(old_blocks);
        } else {
            self.growth.learn(cycle.nursery_words, cycle.copied_words, old_blocks);
        }
        self.growth.peak_blocks = self.store.blocks.megablocks.most_taken() * BLOCKS_PER_MEGABLOCK;
    }

    fn old_blocks(&self) -> usize {
        self.store.all_generations().iter().map(|g| g.all_blocks()).sum()
    }

    /// Opens a nursery of the size that is wanted, or of the largest for which a collection of everything would
    /// still have room. Fails, and leaves the nursery closed, when there is no such size.
    pub fn size_everything(&mut self, mutator: &mut Mutator, last_resort: bool) -> Outcome<()> {
        let wanted = self.wanted_nursery();
        let mut nursery = wanted;
        self.store.exhausted = false;
        if last_resort && let Err(failure) = self.refuse_a_heap_too_full() {
            self.store.exhausted = true;
            mutator.set_area(crate::base::Addr::NULL, crate::base::Addr::NULL);
            return Err(failure);
        }
        loop {
            let fits = self.keep_for_copying(nursery).and_then(|()| {
                if self.store.size_nursery(mutator, nursery) { Ok(()) } else { Err(no_nursery(nursery)) }
            });
            let failure = match fits {
                Ok(()) => break,
                Err(failure) => failure,
            };
            // Before the nursery becomes much smaller than it should be, old generations are collected.
            if nursery <= LEAST_NURSERY_BLOCKS || (!last_resort && nursery < wanted / 2) {
                self.store.exhausted = true;
                mutator.set_area(crate::base::Addr::NULL, crate::base::Addr::NULL);
                return Err(failure);
            }
            nursery = (nursery / 2).max(LEAST_NURSERY_BLOCKS);
        }
        self.nursery_in_force = nursery;
        self.store.extend_nursery(mutator);
        Ok(())
    }

    /// `-m`: a heap that is nearly full after everything was collected would be collected again and again.
    fn refuse_a_heap_too_full(&self) -> Outcome<()> {
        let Some(limit) = self.flags.heap_limit_bytes else { return Ok(()) };
        let limit = limit / BLOCK_BYTES;
        // What lives counts twice, since its copies need room.
        let free = limit.saturating_sub(2 * self.old_blocks());
        if (free as f64) >= limit as f64 * self.flags.free_percent / 100.0 {
            return Ok(());
        }
        Err(Failure::new(
            Status::Limit,
            format_args!(
                "after collecting everything, {} KiB of the {} KiB that -M allows are free, less than the {} % of -m",
                free * BLOCK_BYTES / 1024,
                limit * BLOCK_BYTES / 1024,
                self.flags.free_percent
            ),
        ))
    }

    fn wanted_nursery(&self) -> usize {
        let old_blocks = self.old_blocks();
        let mut nursery = self.growth.nursery_blocks.max(self.hinted_nursery(old_blocks));
        if self.store.oldest() == 0 {
            // With one generation, the whole heap is collected each time: it has to grow in between.
            nursery = nursery.max(self.store.generations[0].max_blocks.saturating_sub(old_blocks));
        }
        nursery.min(self.room_for_nursery(old_blocks))
    }

    /// What the next collection would copy if everything lived: old generations, a full nursery, and pools.
    fn keep_for_copying(&mut self, nursery_blocks: usize) -> Outcome<()> {
        let old: usize =
            self.store.all_generations().iter().flat_map(|g| g.live_steps()).map(|s| s.live_words).sum();
        let young = (nursery_blocks + nursery_blocks / 2) * BLOCK_WORDS;
        let open = crate::gc::cycle::open_groups(&self.store);
        // Twice what is young: it is copied once by a minor collection, and again when a major one must follow.
        self.store.blocks.keep_for_later(old + 2 * young, 2 * open)
    }

    fn return_memory(&mut self, major: bool) {
        if major {
            let kept = self.old_blocks() as f64 * self.flags.keep_percent / 100.0;
            let keep = kept as usize + self.nursery_in_force;
            self.store.blocks.megablocks.release_above(keep / BLOCKS_PER_MEGABLOCK + 2);
        }
    }

    /// Old generations may grow to a multiple of what lives, but no further than a copying collection of them
    /// can be held within the limit.
    fn size_old_generations(&mut self, live_blocks: usize) {
        let grown = (live_blocks as f64 * self.growth.old_factor) as usize;
        let mut most = grown.max(self.growth.least_old_blocks);
        let room = (self.soft_limit_bytes() / BLOCK_BYTES).saturating_sub(self.growth.nursery_blocks * 2);
        // While it is copied, the heap is there twice: as it is, and what of it lives.
        let half = room.saturating_sub(live_blocks).max(live_blocks);
        most = most.min(half).max(live_blocks + live_blocks / 16 + 1);
        let count = self.store.generation_count;
        for number in 0..count {
            self.store.generations[number].max_blocks = most;
        }
    }

    /// What the heap should not exceed: its limit, or else what leaves a share of the machine to everything else.
    fn soft_limit_bytes(&self) -> usize {
        let machine = self.limits.physical - self.limits.physical / 5;
        self.flags.heap_limit_bytes.map_or(machine, |limit| limit.min(machine))
    }

    /// `-H`: the nursery fills what the heap does not need of the hinted size.
    fn hinted_nursery(&self, old_blocks: usize) -> usize {
        let hint = if self.flags.heap_hint_follows_peak {
            self.growth.peak_blocks
        } else {
            self.flags.heap_hint_bytes / BLOCK_BYTES
        };
        hint.saturating_sub(old_blocks * 2) / 2
    }

    fn room_for_nursery(&self, old_blocks: usize) -> usize {
        let Some(limit) = self.flags.heap_limit_bytes else { return usize::MAX };
        let free = (limit / BLOCK_BYTES).saturating_sub(old_blocks * 2);
        (free / 4).max(LEAST_NURSERY_BLOCKS)
    }

    fn limit_megablocks(&self) -> usize {
        self.flags
            .heap_limit_bytes
            .map_or(usize::MAX / BLOCKS_PER_MEGABLOCK / 2, |limit| limit / MEGABLOCK_BYTES)
    }

    /// What `allocate` took above the limit has to be copied as well.
    fn ceiling_while_collecting(&self) -> usize {
        self.limit_megablocks() + 2 * self.slack_megablocks()
    }

    /// Sets the limit in force, with a grace of so many megablocks.
    pub fn set_ceiling(&mut self, grace: usize) {
        let limit = self.limit_megablocks();
        self.store.blocks.set_ceiling(limit + grace);
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
        self.stats.book(cycle, wall, cpu, live as u64);
        self.tell_collection(cycle, Spell { cpu: cpu.0, wall: wall.0 });
        let plan = Plan { oldest: cycle.oldest, promote_at_once: false };
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

fn no_nursery(blocks: usize) -> Failure {
    Failure::new(
        Status::Limit,
        format_args!("no memory for a nursery of {} KiB", blocks * BLOCK_BYTES / 1024),
    )
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
        self.busy = true;
        let outcome = crate::gc::sanity::check(&mut self.store, mutator, &mut get_roots);
        self.busy = false;
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
