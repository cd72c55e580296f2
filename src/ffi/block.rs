//! Blocks and megablocks for clients that manage memory of their own beside objects.

use super::guard::{give, value_with_heap, with_heap};
use crate::base::Status;
use crate::block::Descriptor;
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
            give(out_group, runtime.client_group(blocks)?.0, "out_group")
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
    unsafe { with_heap(heap, |runtime| runtime.free_client_group(group)) }
}

/// Gives `count` adjacent megablocks (`getMBlocks`), without descriptors. They are freed with the heap.
///
/// # Safety
/// `heap` is live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_get_megablocks(heap: *mut Host, count: usize) -> *mut c_void {
    // SAFETY: the caller's promise.
    unsafe {
        value_with_heap(heap, std::ptr::null_mut(), |runtime| Ok(runtime.client_megablocks(count)?.as_ptr()))
    }
}

/// Recomputes free, used and overhead from the descriptors and compares them with the allocator's figures; and adds up the
/// parts of what is held.
///
/// # Safety
/// `heap` is live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_audit(heap: *mut Host) -> Status {
    // SAFETY: the caller's promise.
    unsafe { with_heap(heap, |runtime| runtime.audit()) }
}
