//! One collection: which objects live. Reads and moves the objects of `heap`; does not decide when.
//!
//! Owns: reachable objects are kept, and every pointer to one says where it now is [gc.inv.reachable]. Iterative
//! everywhere [gc.inv.iterative], and never out of memory in the middle: memory that a collection may need is held
//! before anything moves [gc.inv.no-middle].

mod alive;
mod aside;
mod compact;
mod copier;
mod copies;
mod crowd;
pub(crate) mod cycle;
mod desk;
mod entries;
mod evacuate;
mod follow;
mod gaps;
mod groups;
mod hand;
mod large;
mod leave;
mod mark;
mod marker;
mod marks;
mod marks_check;
mod meets;
pub(crate) mod moves;
mod names;
pub(crate) mod objects;
pub(crate) mod observer;
pub(crate) mod plain_words;
mod replace;
mod rings;
mod roots;

pub(crate) mod sanity;
mod sanity_lazy;
mod scavenge;
mod selector;
mod slices;
mod stack;
mod starts;
mod static_lists;
mod statics;
mod sums_check;
mod sweep;
mod team;
mod tidy;
mod together;
mod told;
mod tracer;
mod weak;
mod weak_arrays;
mod weak_check;
mod words;

pub(crate) use cycle::{Compaction, Cycle, Most, Plan, Way, collect};
pub(crate) use observer::{Carrier, Observer, Silent};
