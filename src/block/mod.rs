//! Blocks and groups of blocks, each with a descriptor.
//!
//! Owns: free + used + overhead = taken megablocks (`audit`, [block.inv.sum]). Knows megablocks and nothing of objects.

pub(crate) mod alloc;
mod audit;
pub(crate) mod chain;
pub(crate) mod descriptor;
mod free_list;

pub(crate) use alloc::Blocks;
pub(crate) use chain::{Chain, DoubleChain};
pub(crate) use descriptor::{Block, Descriptor};
