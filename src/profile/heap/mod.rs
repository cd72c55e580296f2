//! Heap profiles: live objects by their type and producer, counted in a census.
//!
//! Owns: the bands of a census, with the objects in no band, add up to the live bytes, exactly
//! [profile.inv.sum]. A census only counts here: the collector finds the live objects (`tally`), or a walk
//! over all blocks does (`walk`).

pub(crate) mod alarm;
pub(crate) mod bands;
pub(crate) mod break_down;
pub(crate) mod census;
pub(crate) mod figures;
pub(crate) mod missed;
pub(crate) mod pace;
pub(crate) mod producers;
pub(crate) mod profile;
pub(crate) mod profiler;
pub(crate) mod restrict;
pub(crate) mod sampling;
pub(crate) mod sparse;
pub(crate) mod tally;
pub(crate) mod unsampled;
pub(crate) mod walk;
