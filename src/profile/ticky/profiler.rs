//! The profiler of ticky counters: the library's own, the rows of functions, and the file of `-r`.

use crate::base::Outcome;
use crate::base::flag::Flags;
use crate::heap::Mutator;
use crate::heap::mutator::ticky::{EntryCount, Ticky};
use crate::identity::function;
use crate::os::apart::Holder;
use crate::os::file::Target;
use crate::profile::apart::Apart;
use crate::profile::profiler::Profiler;
use crate::profile::ticky::counters::TickyCounters;
use crate::profile::ticky::row;
use crate::runtime::Runtime;

pub struct TickyProfiler {
    /// The counters, by mutator where there may be several.
    pub counters: Apart<TickyCounters>,
    /// The file of `-r`.
    pub target: Option<Target>,
}

impl TickyProfiler {
    pub fn new(flags: &Flags, files: &Holder) -> Outcome<TickyProfiler> {
        Ok(TickyProfiler { target: row::target(flags, files)?, counters: Apart::new(TickyCounters::new()?) })
    }

    /// Takes back the counters of a mutator that ends, if it has its own. Without memory for the rows of functions, those
    /// of this mutator are lost.
    pub(crate) fn join_counters(&mut self, mutator: *const Mutator) {
        if let Some(ended) = self.counters.take(mutator) {
            planted!(305, (), self.counters.whole.add(&ended));
        }
    }

    /// The counters of the whole heap. The mutators are still.
    pub(crate) fn sum(&self) -> Ticky {
        let mut sum = self.counters.whole.read();
        self.counters.each().skip(1).for_each(|own| sum.add(&own.read()));
        sum
    }

    /// The counts of a function in the whole heap. The mutators are still.
    pub(crate) fn row(&self, number: u32) -> EntryCount {
        self.counters
            .each()
            .map(|counters| counters.row(number))
            .fold(EntryCount::default(), EntryCount::plus)
    }

    /// Numbers of functions that have been entered or have allocated in this heap, newest first.
    pub(crate) fn counted(&self) -> impl Iterator<Item = u32> {
        let last =
            if self.counters.each().any(TickyCounters::counts_functions) { function::count() } else { 0 };
        (1..=last).rev().filter(|&number| self.row(number) != EntryCount::default())
    }
}

impl Profiler for TickyProfiler {
    fn child(&mut self, _rt: &mut Runtime) {
        self.target = None;
    }
}
