//! One collection: who lives. Reads and moves what `heap` holds; decides nothing about when.
//!
//! Owns: what is reachable is kept, and every pointer to it says where it now is [gc.inv.reachable]. Iterative
//! everywhere [gc.inv.iterative], and never out of memory in the middle: what a collection may need is held before
//! anything moves [gc.inv.no-middle].

mod alive;
mod compact;
pub mod cycle;
mod evacuate;
mod follow;
mod large;
mod mark;
mod marks_check;
pub mod moves;
mod names;
pub mod observer;
pub mod plain_words;
mod replace;
mod roots;

pub mod sanity;
mod sanity_lazy;
mod scavenge;
mod selector;
mod stack;
mod statics;
mod tidy;
mod tracer;
mod weak;
mod weak_arrays;
mod weak_check;

pub use cycle::{Compaction, Cycle, Plan, collect};
pub use observer::{Observer, Silent};
