//! A callback of a collection that calls what it must not: each call is refused, and changes nothing.

use crate::base::Status;
use crate::ffi::alloc::{barrow_alloc_slow, barrow_allocate, barrow_allocate_pinned};
use crate::ffi::collect::barrow_collect;
use crate::ffi::debug::barrow_check;
use crate::ffi::heap::{barrow_attach, barrow_detach, barrow_heap_free};
use crate::ffi::names::barrow_stable_name;
use crate::ffi::stable::{barrow_handle_new, barrow_stable_new};
use crate::heap::Mutator;
use crate::host::Host;
use std::ffi::c_void;

/// The calls that there are.
pub(super) const CALLS: u64 = 11;

/// Makes one call from inside a callback. True when it was refused, as it has to be.
///
/// # Safety
/// A collection of the heap runs, on this thread, with this mutator.
pub(super) unsafe fn refuses(call: u64, heap: *mut Host, m: *mut Mutator, object: *mut c_void) -> bool {
    // SAFETY: the caller's promise; what is refused leaves everything as it is.
    unsafe {
        match call % CALLS {
            0 => barrow_collect(m, true) != Status::Ok,
            1 => barrow_alloc_slow(m, 3).is_null(),
            2 => barrow_allocate(m, 5000).is_null(),
            3 => barrow_allocate_pinned(m, 4, 64, 0).is_null(),
            4 => {
                let mut handle = std::ptr::null_mut();
                barrow_handle_new(m, object, &mut handle) != Status::Ok && handle.is_null()
            }
            5 => barrow_detach(m) != Status::Ok,
            6 => {
                let mut other = std::ptr::null_mut();
                barrow_attach(heap, &mut other) != Status::Ok && other.is_null()
            }
            7 => barrow_heap_free(heap) != Status::Ok,
            8 => barrow_check(m) != Status::Ok,
            9 => barrow_stable_new(m, object) == 0,
            _ => barrow_stable_name(m, object).is_null(),
        }
    }
}
