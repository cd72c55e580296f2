//! The memory of objects: the nursery, pools, generations and steps, remembered writes, and tables beside the heap.

mod buffers;
pub(crate) mod carded;
pub mod changed;
pub(crate) mod depot;
#[cfg(test)]
mod entries_tests;
pub(crate) mod gaps;
pub mod generation;
pub(crate) mod nursery;
mod pin;
pub(crate) mod pinned;
pub(crate) mod poison;
pub(crate) mod pool;
pub(crate) mod remember;
mod repeated;
pub(crate) mod side;
mod side_tables;
mod sides;
pub(crate) mod store;
