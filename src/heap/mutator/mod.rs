//! One thread of client code: its window, its allocations and their booking, its counters.

pub mod area;
pub(crate) mod booking;
pub(crate) mod busy;
pub(crate) mod counted_entry;
pub(crate) mod counting;
pub(crate) mod current;
pub(crate) mod enter;
pub(crate) mod running;
pub(crate) mod state;
pub mod ticky;
pub(crate) mod window;
