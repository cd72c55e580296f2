//! The settings of the time and allocation profile.

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
    /// First part of the names of profiles; empty for the program's name.
    pub stem: Text,
    /// Length of a tick in seconds; 0 for no ticks.
    pub tick_seconds: f64,
    /// Bytes allocated for a tick, whatever the clock says; 0 for ticks by time.
    pub tick_bytes: u64,
    pub errors: bool,
}

/// Length of the shortest tick in seconds: shorter ones would give the clock's thread the machine to
/// itself.
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
