//! The profilers: one folder for each, with its state, what the collector tells it, and its files.
//!
//! A profiler never calls the collector. It looks at a runtime and says what it is owed; the host decides.

pub(crate) mod apart;
pub(crate) mod batch;
pub mod biography;
pub(crate) mod cost;
pub mod coverage;
#[cfg(test)]
pub(crate) mod deaths;
pub(crate) mod heap;
pub(crate) mod observer;
pub(crate) mod profiler;
pub(crate) mod profilers;
pub(crate) mod retainer;
pub(crate) mod samples;
pub(crate) mod snapshot;
pub(crate) mod space;
pub(crate) mod ticky;
