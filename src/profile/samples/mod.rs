//! Samples of allocation: a heap profile that may stay on for ever, as pprof reads it.
//!
//! Each word that is allocated is a point of a Poisson process with the same chance, so an object of `size` bytes is sampled with
//! probability `1 - exp(-size / mean)`, and counts for the inverse [profile.samples]. Points are drawn ahead: the fast path stops at the
//! next one, and pays for none.

pub(crate) mod distance;
pub(crate) mod file;
pub(crate) mod profiler;
pub(crate) mod row;
pub(crate) mod sampler;
pub(crate) mod stacks;
