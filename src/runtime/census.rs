//! Taking a census: a major collection during which everything alive is counted.

use super::collect::Reason;
use super::heap::Runtime;
use crate::base::{Failure, Outcome};
use crate::census::bands::{Bands, BreakDown, Show};
use crate::census::tally::{Count, Tally};
use crate::census::walk::walk;
use crate::heap::{Info, Mutator};
use crate::identity::info;
use crate::identity::names::names;

/// The census of a heap: what the running one has counted, and what the last one found.
#[derive(Default)]
pub struct Census {
    /// Made at the first census, and kept.
    tally: Option<Tally>,
    /// Counts of the next major collection are wanted.
    pub wanted: bool,
    /// The tally holds a whole census, and nothing has counted since.
    is_whole: bool,
    /// It was taken in the collection that runs or ran last, and nobody has looked at it yet.
    pub is_fresh: bool,
    /// Censuses so far.
    pub taken: u64,
    pub total: Count,
    /// `-hm` is by the producer's module in the profile that runs.
    pub modules_of_producers: bool,
    bands: Bands,
    /// What `bands` shows at the moment.
    shown: Option<BreakDown>,
    /// Mutator time when the collection that counts began, in nanoseconds.
    pub began_ns: u64,
}

impl Census {
    /// Where a collection counts, when it should.
    pub fn counting(&mut self, major: bool) -> Option<&mut Tally> {
        if !(major && self.wanted) {
            return None;
        }
        self.is_whole = false;
        self.shown = None;
        let tally = self.tally.as_mut()?;
        tally.clear();
        Some(tally)
    }

    /// Makes the counters, so that a census needs no memory for them later.
    pub fn prepare(&mut self) -> Outcome<()> {
        if self.tally.is_none() {
            self.tally = Some(Tally::new()?);
        }
        Ok(())
    }

    /// The counters, once they are prepared.
    pub fn tally(&mut self) -> Option<&mut Tally> {
        self.shown = None;
        self.tally.as_mut()
    }

    /// The collection that counted has ended.
    pub fn finish(&mut self) {
        if let Some(tally) = &self.tally {
            self.total = tally.total();
            self.is_whole = true;
            self.is_fresh = true;
            self.wanted = false;
            self.taken += 1;
        }
    }

    /// What the last census counted for an info table.
    pub fn of(&self, info: &Info) -> Count {
        self.tally.as_ref().map_or(Count::default(), |tally| tally.of_info(info.number()))
    }

    /// The bands of the last census.
    pub fn bands(&mut self, by: BreakDown) -> Outcome<&Bands> {
        let tally = self.tally.as_ref().filter(|_| self.is_whole);
        let Some(tally) = tally else {
            return Err(Failure::state(format_args!("no census was taken yet, or the last one failed")));
        };
        if by == BreakDown::Retainer {
            return Err(Failure::argument(format_args!(
                "retainer sets have a list of their own: barrow_retainer_sets"
            )));
        }
        if by == BreakDown::Producer && !tally.counts_producers() {
            return Err(Failure::state(format_args!(
                "producers are not noted: a profile with -hc has to run before the objects are made"
            )));
        }
        if by == BreakDown::Site && !tally.counts_sites {
            return Err(Failure::state(format_args!(
                "allocation sites are not noted: a profile with -ha has to run before the objects are made"
            )));
        }
        if self.shown != Some(by) {
            self.shown = None;
            let module_of_producer = self.modules_of_producers && tally.counts_producers();
            self.bands.fill(tally, Show { module_of_producer, ..Show::all(by) })?;
            self.shown = Some(by);
        }
        Ok(&self.bands)
    }

    /// The bands of the last census for a profile, which has its own restrictions.
    pub fn shown(&mut self, show: Show<'_>) -> Outcome<&Bands> {
        let Some(tally) = &self.tally else { return Ok(&self.bands) };
        self.shown = None;
        self.bands.fill(tally, show)?;
        Ok(&self.bands)
    }
}

impl Runtime {
    /// Collects everything and counts it.
    pub fn take_census(&mut self, mutator: *mut Mutator) -> Outcome<()> {
        self.refuse_while_busy()?;
        self.census.prepare()?;
        self.census.wanted = true;
        let before = self.census.taken;
        let collected = self.collect_for(mutator, Reason::Major);
        self.census.wanted = false;
        if self.census.taken == before {
            collected?;
            return Err(Failure::no_memory(format_args!(
                "there is no room to collect everything, so a census cannot be taken"
            )));
        }
        collected
    }

    /// In checking mode, what was counted in the collection that has just ended is counted again by a walk.
    pub fn check_fresh_census(&mut self, mutator: &mut Mutator) -> Outcome<()> {
        if self.census.is_fresh { self.check_census(mutator) } else { Ok(()) }
    }

    /// Compares the census that was just taken with a walk over all blocks.
    pub fn check_census(&mut self, mutator: &mut Mutator) -> Outcome<()> {
        let mut other = Tally::new()?;
        walk(&mut self.store, mutator, &mut other)?;
        let Some(tally) = &self.census.tally else { return Ok(()) };
        match tally.differs_from(&other) {
            None => Ok(()),
            Some((number, counted, walked)) => {
                let names = names();
                let name = String::from_utf8_lossy(names.text(info::get(number).whole));
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
