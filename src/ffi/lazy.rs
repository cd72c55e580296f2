//! Thunks, updates, and the question that a client's shortcut functions may ask. The fast paths are in
//! barrow/inline.h.

use super::guard::{value_with_heap, with_heap, with_mutator};
use crate::base::{Addr, Failure, Status};
use crate::heap::{Info, Kind, Mutator};
use crate::host::Host;
use std::ffi::c_void;

/// Out of line part of `barrow_update`: replaces a thunk, a selector, a suspended application or a blackhole by an
/// indirection to its value.
///
/// # Safety
/// `mutator` is live and the calling thread's; `thunk` is a live object, and `value` one or NULL, perhaps with a tag
/// in its low three bits.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_update_slow(
    mutator: *mut Mutator,
    thunk: *mut c_void,
    value: *mut c_void,
) -> Status {
    // SAFETY: the caller's promise.
    unsafe { with_mutator(mutator, |r| r.update(mutator, Addr(thunk as usize), value as usize, false)) }
}

/// Updates like `barrow_update`, with an indirection that collections keep: for thunks of which each entry is counted.
///
/// # Safety
/// `mutator` is live and the calling thread's; `thunk` is a live object, and `value` one or NULL, perhaps with a tag in
/// its low three bits.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_update_permanent(
    mutator: *mut Mutator,
    thunk: *mut c_void,
    value: *mut c_void,
) -> Status {
    // SAFETY: the caller's promise.
    unsafe { with_mutator(mutator, |r| r.update(mutator, Addr(thunk as usize), value as usize, true)) }
}

/// Out of line part of `barrow_blackhole`: marks a thunk as under evaluation, so that it keeps nothing alive.
///
/// # Safety
/// `mutator` is live and the calling thread's; `thunk` is a live object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_blackhole_slow(mutator: *mut Mutator, thunk: *mut c_void) -> Status {
    // SAFETY: the caller's promise.
    unsafe { with_mutator(mutator, |r| r.blackhole(Addr(thunk as usize))) }
}

/// Gives the heap a table of the client's, with its own entry code, for objects that the library makes of
/// thunks: indirections, blackholes, static indirections. The table's kind says for which. To be called
/// before any update.
///
/// # Safety
/// `heap` is live and no other thread uses it; `info` is NULL or an info table.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_use_table(heap: *mut Host, info: *const Info) -> Status {
    // SAFETY: the caller's promise.
    unsafe { with_heap(heap, |runtime| runtime.use_table(Addr(info as usize))) }
}

/// The table that the heap gives to objects that it makes of thunks, by kind: the library's own, or the
/// one that `barrow_use_table` gave. NULL for other kinds.
///
/// # Safety
/// `heap` is live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_table(heap: *mut Host, kind: u32) -> *const Info {
    // SAFETY: the caller's promise.
    unsafe {
        value_with_heap(heap, std::ptr::null_mut::<Info>(), |runtime| {
            let known = u8::try_from(kind).ok().and_then(Kind::from_number);
            match known.and_then(|kind| runtime.store.tables.of_kind(kind)) {
                Some(table) => Ok(table.as_ptr()),
                None => Err(Failure::argument(format_args!("the library makes no objects of kind {kind}"))),
            }
        })
    }
}
