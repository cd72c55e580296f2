//! What things are called. Everything that a profile names has a number, from one append-only table per kind of thing.
//!
//! Owns: a number, once given, means the same for the rest of the process, and its names are copies, so reports never
//! read the client's memory [identity.inv.append-only]. This is all that is process-wide; counters belong to a runtime
//! and are arrays indexed by number. Knows no heap: whoever has an object's table asks for its number.

pub mod info;
pub mod names;

pub use names::Name;
