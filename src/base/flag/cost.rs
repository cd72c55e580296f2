//! The settings of the time and allocation profile.

use crate::base::Text;

/// The contents of a time and allocation profile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C)]
pub enum CostReport {
    /// No profile.
    Nothing = 0,
    /// Stacks that cost something, in percent: `-p`.
    Standard = 1,
    /// Percentages with ticks and bytes: `-P`.
    Detailed = 2,
    /// All stacks, with the library's own centres: `-pa`.
    All = 3,
    /// All stacks in JSON: `-pj`.
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
