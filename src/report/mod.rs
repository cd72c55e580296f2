//! What is written for people and for other programs: data in, text out. No heap, no clock, no file [report.pure].
//!
//! The runtime fills plain structs and hands them over with a place to write to. What the references' runtime
//! writes is written here in the same layout, to the column; what it has no word for follows after it.

pub mod biography;
pub mod collection;
pub mod command;
pub mod cost;
pub mod cost_json;
pub mod cost_text;
pub mod error_stack;
pub mod haskell;
pub mod hp;
pub mod machine;
pub mod memory;
pub mod mix;
pub mod number;
pub mod one_line;
pub mod pauses;
pub mod snapshot;
pub mod space;
pub mod space_json;
pub mod summary;
pub mod tix;
pub mod tix_read;

pub use collection::CollectionLine;
pub use memory::Memory;
pub use pauses::Pauses;
pub use summary::{GenerationTimes, Spell, Summary};

pub mod retainers;
#[cfg(test)]
mod tests;
