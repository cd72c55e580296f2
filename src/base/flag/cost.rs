//! What is in force for the time and allocation profile.

use crate::base::Text;

/// What a time and allocation profile tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C)]
pub enum CostReport {
    /// There is none.
    Nothing = 0,
    /// What costs something, in percent: `-p`.
    Standard = 1,
    /// And its ticks and bytes: `-P`.
    Detailed = 2,
    /// Everything, the library's own centres too: `-pa`.
    All = 3,
    /// The same in JSON: `-pj`.
    Json = 4,
}

#[derive(Debug)]
pub struct CostFlags {
    pub report: CostReport,
    /// What the names of profiles begin with; empty: the program's name.
    pub stem: Text,
    /// 0: no ticks.
    pub tick_seconds: f64,
    /// Not 0: a tick for each so many bytes allocated, whatever the clock says.
    pub tick_bytes: u64,
    pub errors: bool,
}

/// Shorter ticks are refused: the clock's thread would have the machine to itself.
pub const SHORTEST_TICK_SECONDS: f64 = 0.0001;
pub const LONGEST_TICK_SECONDS: f64 = 3600.0;

impl Default for CostFlags {
    fn default() -> CostFlags {
        CostFlags {
            report: CostReport::Nothing,
            stem: Text::new(),
            tick_seconds: 0.02,
            tick_bytes: 0,
            errors: false,
        }
    }
}
