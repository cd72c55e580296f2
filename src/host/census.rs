//! Censuses: major collections during which all live objects are counted.

use crate::base::{Failure, Outcome, Shown, Status};
use crate::heap::Mutator;
use crate::host::Host;
use crate::identity::info;
use crate::identity::names::names;
use crate::os::clock;
use crate::profile::heap::tally::Tally;
use crate::profile::heap::unsampled::Progress;
use crate::profile::heap::walk::walk;
use crate::profile::profiler::Owed;
use crate::runtime::collect::{Clocks, Reason};

impl Host {
    /// Takes a census.
    pub(crate) fn take_census(&mut self, mutator: *mut Mutator) -> Outcome<()> {
        self.refuse_while_busy()?;
        // SAFETY: the mutator is live, and only its own thread calls this.
        planted!(492, (), unsafe { (*mutator).refuse_while_open()? });
        self.stop_others(mutator);
        self.profilers.heap.census.prepare()?;
        self.profilers.heap.census.wanted = true;
        let before = self.profilers.heap.census.taken;
        let collected = self.collect_for(mutator, Reason::Whole);
        self.profilers.heap.census.wanted = false;
        if self.profilers.heap.census.taken == before {
            collected?;
            return Err(Failure::no_memory(format_args!(
                "there is no room to collect everything, so a census cannot be taken"
            )));
        }
        collected
    }

    /// Takes a sample if one is due, and returns whether it was. Called where a collection may run, before
    /// `words` words are allocated.
    pub(crate) fn sample_if_due(&mut self, mutator: *mut Mutator, words: usize) -> Outcome<bool> {
        if self.profilers.owed(&mut self.runtime, words) != Owed::Census {
            return Ok(false);
        }
        // Another mutator may have taken the sample while this one waited.
        if self.stop_others(mutator) && self.profilers.owed(&mut self.runtime, words) != Owed::Census {
            return Ok(true);
        }
        let before = Clocks::now(&self.runtime);
        // Without room to collect everything there is no sample; the next one may find room.
        let taken = self.take_census(mutator);
        self.profilers.heap.sampled(&mut self.runtime, before);
        self.aim(mutator);
        match taken {
            Err(failure) if failure.status == Status::Damaged => Err(failure),
            taken => Ok(taken.is_ok()),
        }
    }

    /// Lets the fast path of a mutator come to the slow path at the very word where a sample is due.
    pub(crate) fn aim(&mut self, mutator: *mut Mutator) {
        let Host { runtime, profilers, .. } = self;
        let left = profilers.heap.aim(runtime, mutator);
        if let Some(sampler) = &mut profilers.samples.running {
            // SAFETY: the mutator is live, and only its own thread calls this.
            let mutator = unsafe { &mut *mutator };
            let left = left.min(sampler.words_to_stop(mutator));
            mutator.stop_after(left);
        }
    }

    /// The time and the allocation of the program so far.
    pub fn progress(&mut self) -> Progress {
        Progress {
            mutator_ns: self.mutator_ns(self.cpu_clock()),
            wall_ns: clock::wall().since(self.stats.born_wall).0,
            allocated_bytes: self.allocated_bytes_now(),
        }
    }

    /// Counts again by a walk, in checking mode, what the collection that has just ended has counted.
    pub fn check_fresh_census(&mut self, mutator: &mut Mutator) -> Outcome<()> {
        if self.profilers.heap.census.is_fresh { self.check_census(mutator) } else { Ok(()) }
    }

    /// Compares the census that was just taken with a walk over all blocks.
    pub fn check_census(&mut self, mutator: &mut Mutator) -> Outcome<()> {
        let mut other = Tally::new()?;
        self.busy.mark().during(|| walk(&mut self.store, mutator, &mut other))?;
        let Some(tally) = &self.profilers.heap.census.tally else { return Ok(()) };
        match tally.differs_from(&other) {
            None => Ok(()),
            Some((number, counted, walked)) => {
                let whole = info::get(number).whole;
                let names = names();
                let name = Shown::told(names.text(whole));
                Err(Failure::damaged(format_args!(
                    "the census counted {} objects of {name} ({} bytes), a walk over the blocks finds {} ({} bytes)",
                    counted.objects,
                    counted.bytes(),
                    walked.objects,
                    walked.bytes()
                )))
            }
        }
    }
}
