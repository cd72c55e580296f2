//! All profilers of one heap. A profiler is a folder of `profile/` and a row here.

use crate::base::flag::Flags;
use crate::base::{Failure, Outcome};
use crate::heap::Mutator;
use crate::heap::mutator::busy::Mark;
use crate::os::apart::Holder;
use crate::profile::biography::profiler::Lives;
use crate::profile::biography::shown::Shown;
use crate::profile::cost::costs::Costs;
use crate::profile::cost::profiler::CostProfiler;
#[cfg(test)]
use crate::profile::deaths::Deaths;
use crate::profile::heap::profile::Profile;
use crate::profile::heap::profiler::HeapProfiler;
use crate::profile::profiler::{Owed, Profiler};
use crate::profile::retainer::scheme::Retainers;
use crate::profile::samples::profiler::Samples;
use crate::profile::snapshot::answers::Answers;
use crate::profile::space::asked::SpaceAsked;
use crate::profile::space::profiler::SpaceProfiler;
use crate::profile::ticky::counters::TickyCounters;
use crate::profile::ticky::profiler::TickyProfiler;
use crate::runtime::Runtime;

/// The profilers of a heap from a list of rows: the name of one, its type, and how it is made idle.
macro_rules! profilers {
    (|$flags:ident, $files:ident, $mark:ident| $($(#[$cfg:meta])* $name:ident: $kind:ty = $made:expr;)*) => {
        pub struct Profilers {
            $($(#[$cfg])* pub $name: $kind,)*
            /// The answers to the last questions why something lives.
            pub answers: Answers,
            /// The report of space by function that flags have asked for.
            pub space_asked: SpaceAsked,
        }

        const COUNT: usize = [$($(#[$cfg])* stringify!($name)),*].len();

        impl Profilers {
            /// Makes the profilers of a heap, all of them idle. `mark` tells callbacks that the heap is busy.
            pub fn new($flags: &Flags, $files: &Holder, $mark: Mark) -> Outcome<Profilers> {
                let space_asked = SpaceAsked::new($flags, $files)?;
                Ok(Profilers { $($(#[$cfg])* $name: $made,)* answers: Answers::EMPTY, space_asked })
            }

            /// The profilers, in the order in which they are told.
            pub fn each(&mut self) -> [&mut dyn Profiler; COUNT] {
                [$($(#[$cfg])* &mut self.$name),*]
            }
        }
    };
}

profilers! {
    |flags, files, mark|
    costs: CostProfiler = CostProfiler::new(flags, files)?;
    ticky: TickyProfiler = TickyProfiler::new(flags, files)?;
    heap: HeapProfiler = HeapProfiler::default();
    space: SpaceProfiler = SpaceProfiler::default();
    lives: Lives = Lives::default();
    retainers: Retainers = Retainers::new(mark);
    samples: Samples = Samples::new(flags, files)?;
    #[cfg(test)]
    deaths: Deaths = Deaths::default();
}

impl Profilers {
    /// The greatest claim of any profiler before the next `words` words are allocated.
    pub fn owed(&mut self, rt: &mut Runtime, words: usize) -> Owed {
        self.each().into_iter().map(|profiler| profiler.due(rt, words)).max().unwrap_or(Owed::Nothing)
    }

    /// The samples that the biography (the one that runs, or else the last) has for the file of this letter.
    pub fn shown_lives(&mut self, rt: &mut Runtime, letter: char, anew: bool) -> Outcome<&Shown> {
        self.lives.shown_lives(rt, self.heap.profile.as_ref(), letter, anew)
    }

    /// Whether some profiler has to hear of each object that a call makes. Producers are noted for one of them.
    #[inline]
    pub fn hear_of_calls(&self) -> bool {
        self.samples.running.is_some() || self.space.running.is_some() || self.heap.profile.is_some()
    }

    /// Whether some profiler wants to know when a collection began.
    #[inline(never)]
    pub(crate) fn ask_the_time(&self) -> bool {
        self.heap.profile.is_some() || self.lives.running.is_some()
    }

    /// Gives a mutator counts of its own, beside others who add to theirs at the same time.
    pub(crate) fn part_counts(&mut self, mutator: *const Mutator) -> Outcome<()> {
        self.costs.rows.part(mutator, Costs::new()?)?;
        self.ticky.counters.part(mutator, TickyCounters::new()?)
    }

    /// Takes the counts of a mutator that ends, and frees its answer.
    pub(crate) fn join_counts(&mut self, mutator: *const Mutator) {
        if let Some(time) = &self.costs.time {
            time.unwatch(mutator.cast_mut());
        }
        self.costs.join_rows(mutator);
        self.ticky.join_counters(mutator);
        self.answers.forget(mutator);
    }

    /// Settles, before the first census of a profile, what its bands are made by.
    pub fn settle_profile(&mut self, rt: &mut Runtime) {
        self.heap.settle(rt, &mut self.lives);
    }

    /// Begins to note producers, as far as the profile needs them or may turn out to.
    pub fn note_producers(&mut self, rt: &mut Runtime, profile: &mut Profile, by_site: bool) -> Outcome<()> {
        let taken = self.space_asked.waits() || self.space.running.as_ref().is_some_and(|space| space.stamps);
        self.heap.note_producers(rt, profile, by_site, taken)
    }

    /// Stops noting producers for a profile that ends, and gives its restrictions back to it, with what
    /// they have met.
    pub fn forget_producers(&mut self, rt: &mut Runtime, profile: &mut Profile) {
        self.heap.forget_producers(rt, profile, Some(&mut self.lives));
    }

    /// Ends the heap profile without another word in its files.
    pub fn end_profile(&mut self, rt: &mut Runtime) {
        if let Some(mut profile) = self.heap.profile.take() {
            self.forget_producers(rt, &mut profile);
        }
    }

    /// The heap profile cannot go on [runtime.profile-ends], and the biography that belongs to it ends with it.
    pub fn stop_profile_for(&mut self, rt: &mut Runtime, failure: &Failure) {
        self.end_profile(rt);
        self.lives.abandon_with(rt, "the heap profile stops", failure);
    }
}
