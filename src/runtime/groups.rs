//! Groups of blocks and megablocks that clients hold beside objects.

use crate::base::size::*;
use crate::base::{Addr, Failure, Outcome};
use crate::block::descriptor::flag;
use crate::block::{Block, Descriptor};
use crate::runtime::Runtime;

impl Runtime {
    pub(crate) fn client_group(&mut self, blocks: usize) -> Outcome<Block> {
        if blocks == 0 || blocks > u32::MAX as usize / 2 {
            return Err(Failure::argument(format_args!(
                "a group has at least one block, and {blocks} is too many"
            )));
        }
        let group = self.store.blocks.alloc_group(blocks)?;
        group.fields().flags |= flag::CLIENT;
        Ok(group)
    }

    pub(crate) fn free_client_group(&mut self, group: *mut Descriptor) -> Outcome<()> {
        let group = self.known_descriptor(group)?;
        if !group.has(flag::CLIENT) || group.fields().free.is_null() {
            return Err(Failure::argument(format_args!(
                "the descriptor at {:?} is not the head of a group that barrow_alloc_group gave",
                group.0
            )));
        }
        group.fields().flags &= !flag::CLIENT;
        group.fields().free = group.start();
        self.store.blocks.free_group(group);
        Ok(())
    }

    fn known_descriptor(&self, group: *mut Descriptor) -> Outcome<Block> {
        let at = Addr(group as usize);
        let megablock = at.align_down(MEGABLOCK_BYTES);
        let index = at.bytes_since(megablock) / DESCRIPTOR_BYTES;
        let is_one = at.is_aligned(DESCRIPTOR_BYTES) && (FIRST_BLOCK..BLOCKS_PER_MEGABLOCK).contains(&index);
        if group.is_null() || !is_one || self.store.codes.span(at) != megablock {
            return Err(Failure::argument(format_args!("{group:?} is no descriptor of this heap")));
        }
        Ok(Block(group))
    }

    /// Adjacent megablocks without descriptors.
    pub(crate) fn client_megablocks(&mut self, count: usize) -> Outcome<Addr> {
        // With the one of its descriptors, a group has fewer than 2^32 blocks.
        if count == 0 || count >= planted!(598, (1 << 24) + 1, 1 << 24) {
            return Err(Failure::argument(format_args!("{count} megablocks cannot be had")));
        }
        // One megablock more has the group's descriptors; the memory behind it is aligned and the client's.
        let group = self.store.blocks.alloc_group(count * BLOCKS_PER_MEGABLOCK + USABLE_BLOCKS)?;
        group.fields().flags |= flag::CLIENT;
        Ok(group.megablock().plus_bytes(MEGABLOCK_BYTES))
    }
}
