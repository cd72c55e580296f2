//! The only layer that asks the operating system for anything: address space, memory, clocks, files, sizes.
//!
//! The layer knows no heap. Requests that can fail return `None` and leave nothing behind.

pub(crate) mod apart;
pub(crate) mod clock;
pub mod code;
pub(crate) mod debugger;
pub(crate) mod environment;
pub(crate) mod fake_stack;
pub(crate) mod file;
pub(crate) mod frames;
mod groups;
pub(crate) mod growing;
pub(crate) mod limits;
pub(crate) mod mappings;
pub(crate) mod memory;
pub(crate) mod output;
pub(crate) mod pipe;
pub(crate) mod processors;
pub(crate) mod seen;
pub(crate) mod shadow;
pub mod symbols;
pub(crate) mod thread;
pub(crate) mod ticker;
pub(crate) mod trap;
pub mod unnamed;
pub(crate) mod unwind;
pub(crate) mod usage;
pub(crate) mod workers;
