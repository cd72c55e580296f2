//! Reports for people and for other programs: data in, text out. No heap, no clock, no file [report.pure].
//!
//! The runtime fills plain structs and hands them over with a place to write to. Figures that the references'
//! runtime has are written in its layout, to the column; other figures follow after them.

pub(crate) mod collection;
pub(crate) mod command;
pub mod cost;
pub mod cost_json;
pub mod cost_text;
pub(crate) mod error_stack;
pub mod haskell;
pub(crate) mod hp;
pub(crate) mod machine;
pub(crate) mod memory;
pub(crate) mod mix;
pub mod number;
pub(crate) mod one_line;
pub mod pauses;
pub(crate) mod pprof;
pub(crate) mod retainers;
pub mod snapshot;
pub(crate) mod space;
pub(crate) mod stops;
pub(crate) mod summary;
pub mod ticky;
mod ticky_blocks;

pub use collection::CollectionLine;
pub use memory::{Held, Memory};
pub use pauses::{Marked, Pauses, Stops};
pub use summary::{GenerationTimes, Spell, Summary};

#[cfg(test)]
mod tests;
