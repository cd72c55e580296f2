//! The census of a heap: the counts of the running one, and the result of the last one.

use crate::base::{Failure, Outcome};
use crate::heap::Info;
use crate::profile::heap::bands::{Bands, Show};
use crate::profile::heap::break_down::BreakDown;
use crate::profile::heap::tally::{Count, Tally};

/// The census of a heap: the counts of the running one, and the result of the last one.
#[derive(Default)]
pub struct Census {
    /// The counters, made at the first census and kept.
    pub(crate) tally: Option<Tally>,
    /// Whether the next major collection is to count.
    pub wanted: bool,
    /// Whether the tally holds a whole census, to which nothing was added since.
    is_whole: bool,
    /// Whether the last census counted producers: counters that came after it are empty.
    with_producers: bool,
    /// Whether the last census counted places in the code.
    with_sites: bool,
    /// Whether the census was taken in the collection that runs or ran last, and was not looked at yet.
    pub is_fresh: bool,
    /// Number of censuses so far.
    pub taken: u64,
    pub total: Count,
    /// Whether `-hm` is by the producer's module in the profile that runs.
    pub modules_of_producers: bool,
    bands: Bands,
    /// The break-down of `bands` at the moment.
    shown: Option<BreakDown>,
    /// Mutator time when the collection that counts began, in nanoseconds.
    pub began_ns: u64,
}

impl Census {
    /// The counters for a collection, set to zero.
    pub fn counting(&mut self) -> Option<&mut Tally> {
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

    /// Ends a census with the collection that counted.
    pub fn finish(&mut self) {
        if let Some(tally) = &self.tally {
            self.total = tally.total();
            self.is_whole = true;
            (self.with_producers, self.with_sites) = (tally.counts_producers(), tally.counts_sites);
            self.is_fresh = true;
            self.wanted = false;
            self.taken += 1;
        }
    }

    /// Bytes alive at the last census, with threads and stacks or without.
    pub fn live_bytes(&self, with_threads: bool) -> u64 {
        let threads =
            self.tally.as_ref().filter(|_| !with_threads).map_or(0, |tally| tally.of_threads().bytes());
        self.total.bytes() - threads
    }

    /// The count of an info table at the last census.
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
        let with_producers = tally.counts_producers() && planted!(612, true, self.with_producers);
        if by == BreakDown::Producer && !with_producers {
            return Err(Failure::state(format_args!(
                "producers are not noted: a profile with -hc has to run before the objects are made"
            )));
        }
        if by == BreakDown::Site && !(tally.counts_sites && self.with_sites) {
            return Err(Failure::state(format_args!(
                "allocation sites are not noted: a profile with -ha has to run before the objects are made"
            )));
        }
        if self.shown != Some(by) {
            self.shown = None;
            let module_of_producer = self.modules_of_producers && with_producers;
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
