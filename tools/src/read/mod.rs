//! Readers: one file per format, each from bytes that it does not trust to a model, or to a message with the line.
//! Invariant: no input, however broken, makes a reader panic, recurse without bound, or take memory out of proportion
//! to what it keeps. Readers know nothing of commands or of drawing.

pub mod any;
pub mod biography;
mod error;
pub mod eventlog;
pub mod fault;
#[cfg(test)]
mod fuzz;
pub mod haskell;
pub mod hp;
#[cfg(test)]
pub mod journal_fuzz;
pub mod kind;
mod logged_time;
pub mod mix;
pub mod overlay;
pub mod pprof;
pub mod prof;
pub mod prof_json;
mod progress;
pub mod snapshot;
pub mod source;
pub mod space;
pub mod stops;
pub mod ticky;
pub mod tix;

pub use error::ReadError;
