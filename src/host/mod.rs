//! The handle: one runtime and the profilers that watch it, and the verbs in which both take part.
//!
//! Owns the order of things: what is booked, collected, counted and told when. It names every layer below and is named by
//! `ffi` only. A verb that no profiler takes part in belongs to the runtime.

pub(crate) mod allocate;
#[cfg(test)]
mod attach_tests;
pub(crate) mod calls;
pub(crate) mod census;
pub(crate) mod change;
pub(crate) mod changed;
pub(crate) mod collect;
pub(crate) mod cost_report;
pub(crate) mod cost_rows;
pub(crate) mod costs;
#[cfg(test)]
mod deaths_tests;
pub(crate) mod debug;
#[cfg(test)]
mod ends_tests;
pub(crate) mod finalize;
pub(crate) mod foreign;
pub(crate) mod fork;
pub(crate) mod given;
pub(crate) mod handle;
pub(crate) mod lazy;
#[cfg(test)]
mod left_tests;
pub(crate) mod lives;
pub(crate) mod module;
pub(crate) mod names;
#[cfg(test)]
mod plain;
pub(crate) mod profile;
#[cfg(test)]
mod profile_tests;
#[cfg(test)]
mod promises_tests;
pub(crate) mod reports;
#[cfg(test)]
mod reports_tests;
pub(crate) mod retainer_profile;
pub(crate) mod retainers;
pub(crate) mod samples;
#[cfg(test)]
mod samples_tests;
mod slow;
pub(crate) mod snapshot;
pub(crate) mod sole;
pub(crate) mod space;
pub(crate) mod space_report;
#[cfg(test)]
mod spaces_tests;
pub(crate) mod stack;
pub(crate) mod stack_parts;
pub(crate) mod stack_pause;
pub(crate) mod still;
pub(crate) mod ticky;
pub(crate) mod wait;
#[cfg(test)]
mod whole_tests;

pub use handle::Host;
