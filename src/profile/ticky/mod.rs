//! Ticky counters: the events that compiled code and the library count of themselves. Every count is
//! attributed once.

pub(crate) mod counters;
pub(crate) mod profiler;
pub(crate) mod row;
