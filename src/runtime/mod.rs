//! One heap handle: options, slow path, the choice of collections, statistics, changes of objects in place.
//!
//! The runtime names no profiler: profilers look at it from above, and the host tells them of each event.

pub(crate) mod barriers;
pub(crate) mod change;
pub mod collect;
pub(crate) mod debug;
pub(crate) mod environment;
mod fault_told;
pub(crate) mod faults;
pub mod figures;
pub(crate) mod finalize;
pub(crate) mod groups;
pub(crate) mod growth;
pub mod heap;
mod held;
pub mod hooks;
pub(crate) mod lazy;
pub(crate) mod module;
pub(crate) mod names;
pub(crate) mod reading;
pub(crate) mod reports;
pub(crate) mod sizing;
pub(crate) mod slot;
pub(crate) mod slow;
pub(crate) mod stack;
pub(crate) mod stack_pause;
pub(crate) mod state;
pub(crate) mod statics;
pub(crate) mod stats;
pub(crate) mod timeline;
pub(crate) mod users;

pub use heap::Runtime;
