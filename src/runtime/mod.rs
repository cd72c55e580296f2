//! One heap handle: options, slow path, when to collect, statistics, changes of objects in place.
//!
//! Owns the order of things: what is booked, collected and told when. It names every layer below and is named by
//! `ffi` only.

pub mod biography;
pub mod census;
pub mod change;
pub mod collect;
pub mod cost_report;
pub mod cost_rows;
pub mod costs;
pub mod coverage;
mod debug;
pub mod figures;
pub mod finalize;
pub mod fork;
pub mod growth;
pub mod heap;
pub mod hooks;
mod kept;
mod lazy;
pub mod lives;
pub mod lives_shown;
pub mod mix;
pub mod module;
pub mod names;
pub mod pace;
pub mod producers;
pub mod profile;
pub mod profiled;
pub mod reports;
pub mod retainer_profile;
pub mod retainer_report;
pub mod retainers;
mod sampling;
mod sizing;
pub mod slot;
pub mod slow;
mod snapshot;
pub mod space;
mod space_report;
mod space_walk;
pub mod stack;
pub mod stack_pause;
mod statics;
pub mod stats;
pub mod ticky;
mod users;

pub use heap::Runtime;
