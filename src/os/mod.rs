//! The only place that asks the operating system for anything: address space, memory, clocks, sizes of things.
//!
//! It knows no heap. Requests that can fail return `None` and leave nothing behind.

pub mod clock;
pub mod code;
pub mod debugger;
pub mod file;
pub mod growing;
pub mod limits;
pub mod memory;
pub mod output;
pub mod symbols;
pub mod ticker;
pub mod unwind;
pub mod usage;
