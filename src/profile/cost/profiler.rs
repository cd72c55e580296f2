//! The profiler of time and allocation by cost centre: its rows, its clock, the file of the end.

use crate::base::Outcome;
use crate::base::flag::{CostFlags, CostReport};
use crate::os::apart::Holder;
use crate::os::file::Target;
use crate::profile::cost::costs::Costs;
use crate::profile::cost::files::file_of_program;
use crate::profile::cost::time::TimeProfile;
use crate::profile::profiler::Profiler;
use crate::runtime::Runtime;

/// The profiler's state. The clock stands before the rows, and so is dropped first: its thread adds to
/// them until then.
pub struct CostProfiler {
    /// The report's file; `None` when no flag asks for one.
    pub(crate) target: Option<Target>,
    pub time: Option<TimeProfile>,
    pub rows: Costs,
}

impl CostProfiler {
    /// Makes the profiler. A file that cannot be written is refused here, when the heap is made
    /// [report.early].
    pub fn new(flags: &CostFlags, files: &Holder) -> Outcome<CostProfiler> {
        let target = match flags.report {
            CostReport::Nothing => None,
            _ => Some(Target::tried(&file_of_program(flags, files, ".prof")?)?),
        };
        Ok(CostProfiler { target, time: None, rows: Costs::new()? })
    }
}

impl Profiler for CostProfiler {
    /// The clock's thread does not live in the child either.
    fn child(&mut self, _rt: &mut Runtime) {
        self.target = None;
        self.time = None;
    }
}
