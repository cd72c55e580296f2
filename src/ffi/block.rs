//! Blocks and megablocks for clients that manage memory of their own beside objects.

use super::guard::{give, value_with_heap, with_heap};
use crate::base::size::*;
use crate::base::{Addr, Failure, Outcome, Status};
use crate::block::descriptor::flag;
use crate::block::{Block, Descriptor};
use crate::host::Host;
use std::ffi::c_void;

/// Gives a group of `blocks` adjacent blocks (`allocGroup`). The collector leaves it alone.
///
/// # Safety
/// `heap` is live; `out_group` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_alloc_group(
    heap: *mut Host,
    blocks: usize,
    out_group: *mut *mut Descriptor,
) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        with_heap(heap, |runtime| {
            give(out_group, std::ptr::null_mut(), "out_group")?;
            if blocks == 0 || blocks > u32::MAX as usize / 2 {
                return Err(Failure::argument(format_args!(
                    "a group has at least one block, and {blocks} is too many"
                )));
            }
            let group = runtime.store.blocks.alloc_group(blocks)?;
            group.fields().flags |= flag::CLIENT;
            give(out_group, group.0, "out_group")
        })
    }
}

/// Takes back a group that `barrow_alloc_group` gave (`freeGroup`).
///
/// # Safety
/// `heap` is live; `group` was given by `barrow_alloc_group` of this heap.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_free_group(heap: *mut Host, group: *mut Descriptor) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        with_heap(heap, |runtime| {
            let group = known_descriptor(runtime, group)?;
            if !group.has(flag::CLIENT) || group.fields().free.is_null() {
                return Err(Failure::argument(format_args!(
                    "the descriptor at {:?} is not the head of a group that barrow_alloc_group gave",
                    group.0
                )));
            }
            group.fields().flags &= !flag::CLIENT;
            group.fields().free = group.start();
            runtime.store.blocks.free_group(group);
            Ok(())
        })
    }
}

fn known_descriptor(runtime: &Host, group: *mut Descriptor) -> Outcome<Block> {
    let at = Addr(group as usize);
    let megablock = at.align_down(MEGABLOCK_BYTES);
    let index = at.bytes_since(megablock) / DESCRIPTOR_BYTES;
    let is_one = at.is_aligned(DESCRIPTOR_BYTES) && (FIRST_BLOCK..BLOCKS_PER_MEGABLOCK).contains(&index);
    if group.is_null() || !is_one || runtime.store.codes.span(at) != megablock {
        return Err(Failure::argument(format_args!("{group:?} is no descriptor of this heap")));
    }
    Ok(Block(group))
}

/// Gives `count` adjacent megablocks (`getMBlocks`), without descriptors. They are freed with the heap.
///
/// # Safety
/// `heap` is live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_get_megablocks(heap: *mut Host, count: usize) -> *mut c_void {
    // SAFETY: the caller's promise.
    unsafe {
        value_with_heap(heap, std::ptr::null_mut(), |runtime| {
            if count == 0 || count > 1 << 24 {
                return Err(Failure::argument(format_args!("{count} megablocks cannot be had")));
            }
            let blocks = count * BLOCKS_PER_MEGABLOCK;
            // One megablock more has the group's descriptors; the memory behind it is aligned and the client's.
            let group = runtime.store.blocks.alloc_group(blocks + USABLE_BLOCKS)?;
            group.fields().flags |= flag::CLIENT;
            Ok(group.megablock().plus_bytes(MEGABLOCK_BYTES).as_ptr())
        })
    }
}

/// Recomputes free, used and overhead from the descriptors and compares them with the allocator's figures.
///
/// # Safety
/// `heap` is live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_audit(heap: *mut Host) -> Status {
    // SAFETY: the caller's promise.
    unsafe { with_heap(heap, |runtime| runtime.store.blocks.audit().map(|_| ())) }
}
