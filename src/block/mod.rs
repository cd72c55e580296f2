//! Blocks and groups of blocks, each with a descriptor.
//!
//! Owns: free + used + overhead = taken megablocks (`audit`, [block.inv.sum]). Knows megablocks and nothing of objects.

pub mod alloc;
mod audit;
pub mod chain;
pub mod descriptor;
mod free_list;

pub use alloc::Blocks;
pub use audit::Audit;
pub use chain::{Chain, DoubleChain};
pub use descriptor::{Block, Descriptor};
