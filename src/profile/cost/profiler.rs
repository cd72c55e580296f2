//! The profiler of time and allocation by cost centre: its rows, its clock, the file of the end.

use crate::base::Outcome;
use crate::base::flag::{CostReport, Flags};
use crate::heap::Mutator;
use crate::heap::mutator::window::Cost;
use crate::identity::stacks;
use crate::os::apart::Holder;
use crate::os::file::Target;
use crate::profile::apart::Apart;
use crate::profile::cost::costs::Costs;
use crate::profile::cost::files::file_of_program;
use crate::profile::cost::time::TimeProfile;
use crate::profile::profiler::Profiler;
use crate::runtime::Runtime;

/// The profile in the heap's `PROGRAM.prof`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Prof {
    Nothing,
    Costs,
    Retainers,
}

/// The profiler's state. The clock stands before the rows, and so is dropped first: its thread adds to
/// them until then.
pub struct CostProfiler {
    /// The report's file; `None` when no flag asks for one.
    pub(crate) target: Option<Target>,
    pub(crate) prof: Prof,
    pub time: Option<TimeProfile>,
    /// The length of the ticks that are in the rows.
    pub(crate) tick_seconds: f64,
    /// The rows, by mutator where there may be several. All ticks are booked to the heap's.
    pub rows: Apart<Costs>,
    /// Bytes of mutators that have gone which are no whole tick, where ticks fall due by bytes.
    pub(crate) part_of_tick: u64,
}

impl CostProfiler {
    /// Makes the profiler. A file that cannot be written is refused here, when the heap is made
    /// [report.early].
    pub fn new(flags: &Flags, files: &Holder) -> Outcome<CostProfiler> {
        stacks::prepare_for(flags.mutators)?;
        let flags = &flags.cost;
        let target = match flags.report {
            CostReport::Nothing => None,
            _ => Some(Target::tried(&file_of_program(flags, files, ".prof")?)?),
        };
        let prof = if target.is_some() { Prof::Costs } else { Prof::Nothing };
        let (rows, tick_seconds) = (Apart::new(Costs::new()?), flags.tick_seconds);
        Ok(CostProfiler { target, prof, time: None, tick_seconds, rows, part_of_tick: 0 })
    }

    /// Books the time since the clock's last look.
    pub(crate) fn settle(&self) {
        if let Some(time) = &self.time {
            planted!(608, (), time.settle());
        }
    }

    /// Takes back the rows of a mutator that ends, if it has its own.
    pub(crate) fn join_rows(&mut self, mutator: *const Mutator) {
        if let Some(ended) = self.rows.take(mutator) {
            planted!(304, (), self.rows.whole.add(&ended));
        }
    }

    /// The costs of a stack in the whole heap. The mutators are still.
    pub(crate) fn row(&self, number: u32) -> Cost {
        self.rows.each().fold(Cost::default(), |sum, rows| {
            let Cost { bytes, entries, ticks, .. } = rows.row(number);
            Cost {
                bytes: sum.bytes.wrapping_add(bytes),
                entries: sum.entries.wrapping_add(entries),
                ticks: sum.ticks.saturating_add(ticks),
                ..sum
            }
        })
    }
}

impl Profiler for CostProfiler {
    /// The clock's thread does not live in the child either.
    fn child(&mut self, _rt: &mut Runtime) {
        self.target = None;
        self.prof = if self.prof == Prof::Costs { Prof::Costs } else { Prof::Nothing };
        self.time = None;
    }
}
