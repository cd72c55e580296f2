//! The biography of a heap while the program runs: it stamps objects as collections meet them, books uses and changes
//! in place, and appends to the journal at each census.
//!
//! The journal is what the samples are made from, at the end of the profile or after the program was killed
//! (`report::biography`). When anything fails, the biography ends with one message and the program goes on.

mod column;
mod course;
mod marked;
mod met;
mod running;
mod seen;
mod uses;

pub use column::Column;
pub use running::{Heading, Running};
