//! The profiler of ticky counters: the library's own, the rows of functions, and the file of `-r`.

use crate::base::Outcome;
use crate::base::flag::Flags;
use crate::os::apart::Holder;
use crate::os::file::Target;
use crate::profile::profiler::Profiler;
use crate::profile::ticky::counters::TickyCounters;
use crate::profile::ticky::row;
use crate::runtime::Runtime;

pub struct TickyProfiler {
    pub counters: TickyCounters,
    /// The file of `-r`.
    pub target: Option<Target>,
}

impl TickyProfiler {
    pub fn new(flags: &Flags, files: &Holder) -> Outcome<TickyProfiler> {
        Ok(TickyProfiler { target: row::target(flags, files)?, counters: TickyCounters::new()? })
    }
}

impl Profiler for TickyProfiler {
    fn child(&mut self, _rt: &mut Runtime) {
        self.target = None;
    }
}
