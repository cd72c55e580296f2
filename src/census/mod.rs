//! What is alive, by what it is, who made it and who holds it.
//!
//! Owns: the bands of a census, with what no band shows, add up to the live bytes, exactly [census.inv.sum]. A census
//! only counts here: the collector says what is alive (`tally`), or a walk over all blocks does (`walk`). It knows
//! neither files nor times.

pub mod bands;
pub mod biography;
pub mod path;
pub mod restrict;
pub mod retainer;
pub mod snapshot;
pub mod tally;
pub mod walk;
