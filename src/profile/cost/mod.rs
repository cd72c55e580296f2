//! Cost centres: time and allocation, attributed to the stack of centres that was current. Every count is attributed once.

pub(crate) mod costs;
pub(crate) mod files;
pub(crate) mod profiler;
pub(crate) mod row;
pub(crate) mod time;
