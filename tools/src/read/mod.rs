//! Readers: one file per format, each from bytes to the model.
//! Invariant: no input, however broken, makes a reader panic or take memory out of proportion to what it keeps;
//! each fault is reported with its line. Readers know nothing of commands or of drawing.

pub mod any;
mod error;
pub mod hp;
pub mod prof;
pub mod prof_json;

pub use error::ReadError;
