//! The plan of a collection, its reason, and its events for the client.

use crate::base::Outcome;
use crate::base::size::*;
use crate::block::alloc::SAVING_BLOCKS;
use crate::gc::{Cycle, Plan, Way};
use crate::heap::Mutator;
use crate::heap::root::frame::Visitor;
use crate::os::clock;
use crate::os::thread::current_thread;
use crate::runtime::Runtime;
use crate::runtime::hooks::{Event, EventKind};
use std::ffi::CStr;

/// The reason of a collection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// There is no room.
    NoRoom,
    /// The client's call to collect everything, or the last way to get room.
    Major,
    /// A look at all objects, by a census or a snapshot.
    Whole,
    /// The client's call to collect, which leaves the generations to the library.
    Minor,
    /// The end of a mutator.
    Detach,
    /// A collection that `--stress` has added.
    Stress,
}

impl Reason {
    /// The reason in words, for a debugger's question which collection has moved an object.
    pub(crate) fn text(self) -> &'static CStr {
        match self {
            Reason::NoRoom => c"there was no room, or somebody had asked for one",
            Reason::Major => c"everything was to be collected",
            Reason::Whole => c"all objects were to be looked at",
            Reason::Minor => c"barrow_collect",
            Reason::Detach => c"barrow_detach",
            Reason::Stress => c"--stress",
        }
    }
}

/// A function of the caller that tells roots for one collection, besides those that the heap knows.
pub type ExtraRoots<'a> = Option<&'a mut dyn FnMut(&mut Visitor)>;

/// Both clocks at one moment.
#[derive(Clone, Copy)]
pub(crate) struct Clocks {
    pub(crate) wall: clock::Nanos,
    pub(crate) cpu: clock::Nanos,
}

impl Clocks {
    /// The clocks that a heap goes by.
    pub(crate) fn now(rt: &Runtime) -> Clocks {
        Clocks { wall: clock::wall(), cpu: rt.clock_here() }
    }

    /// The clocks that a collection's time is the difference of.
    pub(crate) fn of_work(rt: &Runtime) -> Clocks {
        Clocks { wall: clock::wall(), cpu: planted!(626, rt.clock_here(), rt.clock_of_work()) }
    }
}

impl Runtime {
    /// The plan with the oldest generation that is due, by the rule of the reference, or that the reason
    /// demands.
    pub(crate) fn plan(&mut self, reason: Reason) -> Plan {
        let store = &self.store;
        let oldest = store.oldest();
        let mut wanted = 0;
        for number in 1..store.generation_count {
            let generation = &store.generations[number];
            let (held, most) = (generation.steps[0].all_blocks(), generation.max_blocks);
            let left = if number == oldest { self.growth.left_for_last_nursery(most) } else { 0 };
            let is_full = held - self.gap_blocks(number) + left > most || held > most + most / 16;
            if generation.forgot || planted!(173, false, is_full) {
                wanted = number;
            }
        }
        // External memory is freed by finalizers, which need a major collection when its owners are old.
        let external = (self.external.since_major as usize) / BLOCK_BYTES;
        if external > store.generations[oldest].max_blocks + self.growth.nursery_blocks {
            wanted = oldest;
        }
        if store.exhausted {
            wanted = oldest;
        }
        match reason {
            Reason::Major | Reason::Whole => wanted = oldest,
            Reason::Stress => wanted = wanted.max(self.stress_choice()),
            _ => {}
        }
        Plan {
            oldest: wanted,
            promote_at_once: self.growth.promote_at_once,
            way: if wanted == oldest { self.way(reason) } else { Way::Copy },
            most: self.growth.most_between(self.store.generations[oldest].steps[0].words()),
        }
    }

    /// The way of a major collection. A client that asks for one gets the most thorough one there is; somebody who looks
    /// at all objects gets the fastest one after which there are no gaps.
    fn way(&self, reason: Reason) -> Way {
        let growth = &self.growth;
        let leaves = growth.leaves && self.store.oldest() > 0;
        if growth.compacts_next || (leaves && (reason == Reason::Major || self.is_sparse())) {
            Way::Slide
        } else if leaves && reason != Reason::Whole && self.store.all_generations().iter().all(|g| !g.forgot)
        {
            Way::Leave
        } else {
            Way::Copy
        }
    }

    /// Whether a third of the oldest generation is waste: words in which nothing lives, or did at the last major
    /// collection. A few blocks that are being filled do not count.
    fn is_sparse(&self) -> bool {
        let generation = &self.store.generations[self.store.oldest()];
        let step = &generation.steps[0];
        let unused = step.blocks.blocks.saturating_sub(step.live_words / BLOCK_WORDS + 2 * SAVING_BLOCKS);
        planted!(210, false, unused > generation.all_blocks() / 3)
    }

    fn stress_choice(&mut self) -> usize {
        self.stress_state =
            self.stress_state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.stress_state >> 33) as usize % self.store.generation_count
    }

    /// A plan that needs less memory: fewer generations, or else everything in place.
    pub(crate) fn smaller(&self, plan: Plan) -> Plan {
        let oldest = self.store.oldest();
        let lower = (0..plan.oldest).rev().find(|&g| self.may_stop_at(g));
        match lower {
            Some(lower) if plan.oldest < oldest => Plan { oldest: lower, ..plan },
            _ => Plan { oldest, way: Way::Slide, ..plan },
        }
    }

    /// Whether no generation older than this one lacks an entry in what it remembers.
    fn may_stop_at(&self, number: usize) -> bool {
        self.store.generations[number + 1..self.store.generation_count].iter().all(|g| !g.forgot)
    }

    pub(crate) fn allocated_words(&mut self, mutator: &mut Mutator) -> u64 {
        self.store.close_nursery(mutator);
        mutator.nursery.allocated_words() as u64
    }

    /// Words in all generations: live after a major collection, and with objects that have died in old
    /// generations since.
    pub fn live_words(&self) -> usize {
        self.store
            .all_generations()
            .iter()
            .flat_map(|generation| generation.live_steps())
            .map(|step| step.words())
            .sum()
    }

    pub(crate) fn tell(&self, kind: EventKind, plan: &Plan, done: Option<(&Cycle, u64)>) {
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
            stop_ns: self.stats.this_stop.0,
            mutators: self.mutators.len() as u64,
            thread: current_thread(),
        };
        // SAFETY: the client's callback takes its own pointer and an event, which lives during the call.
        unsafe { hook(self.hooks.client.0, &raw const event) };
    }

    /// Runs the sanity walk on the heap as it is.
    pub fn check_now(&mut self, mutator: &mut Mutator) -> Outcome<crate::gc::sanity::Census> {
        let mut none = None;
        let mut get_roots = self.hooks.roots_of_stop(mutator, &mut none);
        self.busy.set(true);
        let outcome =
            crate::gc::sanity::check(&mut self.store, mutator, &mut get_roots, self.checking.moves.as_ref());
        self.busy.set(false);
        outcome
    }
}
