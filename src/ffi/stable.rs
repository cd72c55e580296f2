//! Handles and stable pointers.

use super::guard::{give, value_with_mutator, with_mutator};
use crate::base::Status;
use crate::heap::Mutator;
use crate::heap::root::stable::{Handle, StableTable};
use crate::host::given::host_at_home;
use std::ffi::c_void;

/// Makes a handle: a place that does not move and keeps its object alive. `barrow_handle_get` (barrow/inline.h) reads
/// it; `barrow_handle_free` ends it.
///
/// # Safety
/// `mutator` is live and the calling thread's; `object` is NULL or a live object; `out_handle` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_handle_new(
    mutator: *mut Mutator,
    object: *mut c_void,
    out_handle: *mut *mut Handle,
) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        if !out_handle.is_null()
            && let Some(host) = host_at_home(mutator)
            && let Some(handle) = host.store.stable.remake(object as usize)
        {
            out_handle.write(handle);
            return Status::Ok;
        }
        handle_the_long_way(mutator, object, out_handle)
    }
}

/// # Safety
/// As for `barrow_handle_new`.
#[inline(never)]
unsafe fn handle_the_long_way(
    mutator: *mut Mutator,
    object: *mut c_void,
    out_handle: *mut *mut Handle,
) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        with_mutator(mutator, |runtime| {
            give(out_handle, std::ptr::null_mut(), "out_handle")?;
            let handle = runtime.store.stable.make(object as usize)?;
            give(out_handle, handle, "out_handle")
        })
    }
}

/// Lets a handle hold another object.
///
/// # Safety
/// `mutator` is live and the calling thread's; `handle` was given by `barrow_handle_new` and is not freed; `object` is
/// NULL or a live object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_handle_set(
    mutator: *mut Mutator,
    handle: *mut Handle,
    object: *mut c_void,
) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        with_mutator(mutator, |runtime| {
            let index = runtime.store.stable.find(handle)?;
            runtime.store.stable.set(index, object as usize)
        })
    }
}

/// Ends a handle. Its object lives on only if something else refers to it.
///
/// # Safety
/// `mutator` is live and the calling thread's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_handle_free(mutator: *mut Mutator, handle: *mut Handle) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        if let Some(host) = host_at_home(mutator)
            && host.store.stable.free_at(handle)
        {
            return Status::Ok;
        }
        free_the_long_way(mutator, handle)
    }
}

/// # Safety
/// As for `barrow_handle_free`.
#[inline(never)]
unsafe fn free_the_long_way(mutator: *mut Mutator, handle: *mut Handle) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        with_mutator(mutator, |runtime| {
            let index = runtime.store.stable.find(handle)?;
            runtime.store.stable.free(index);
            Ok(())
        })
    }
}

/// Makes a stable pointer: a number, not 0, that stands for an object until `barrow_stable_free`. 0 when there is no
/// memory.
///
/// # Safety
/// `mutator` is live and the calling thread's; `object` is NULL or a live object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_stable_new(mutator: *mut Mutator, object: *mut c_void) -> usize {
    // SAFETY: the caller's promise.
    unsafe {
        value_with_mutator(mutator, 0, |runtime| {
            Ok(StableTable::index_of(runtime.store.stable.make(object as usize)?) + 1)
        })
    }
}

/// The object of a stable pointer; NULL when there is no such stable pointer.
///
/// # Safety
/// `mutator` is live and the calling thread's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_stable_get(mutator: *mut Mutator, stable: usize) -> *mut c_void {
    // SAFETY: the caller's promise; a live entry is readable.
    unsafe {
        if let Some(host) = host_at_home(mutator)
            && let Some(object) = host.store.stable.object_at(stable)
        {
            return object as *mut c_void;
        }
        object_of(mutator, stable)
    }
}

/// # Safety
/// `mutator` is live and the calling thread's.
#[inline(never)]
unsafe extern "C" fn object_of(mutator: *mut Mutator, stable: usize) -> *mut c_void {
    // SAFETY: the caller's promise; a live entry is readable.
    unsafe {
        value_with_mutator(mutator, std::ptr::null_mut(), |runtime| {
            let handle = runtime.store.stable.at_number(stable)?;
            Ok((*handle).object as *mut c_void)
        })
    }
}

/// Ends a stable pointer.
///
/// # Safety
/// `mutator` is live and the calling thread's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_stable_free(mutator: *mut Mutator, stable: usize) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        with_mutator(mutator, |runtime| {
            let handle = runtime.store.stable.at_number(stable)?;
            let index = runtime.store.stable.find(handle)?;
            runtime.store.stable.free(index);
            Ok(())
        })
    }
}
