//! Thunks, updates, and the question that a client's shortcut functions may ask. The fast paths are in
//! barrow/inline.h.

use super::guard::{value_with_heap, value_with_mutator, with_heap, with_mutator};
use crate::base::{Addr, Failure, Status};
use crate::heap::{Info, Kind, Mutator};
use crate::host::Host;
use std::ffi::c_void;

/// Out of line part of `barrow_update`: replaces a thunk, a selector, a suspended application or a blackhole by an
/// indirection to its value, which is not the object itself: `BARROW_E_ARG`. In a heap with several mutators an object that is none of
/// these, any more perhaps, stays as it is, and the value is not NULL: `BARROW_E_ARG`.
///
/// # Safety
/// `mutator` is live and the calling thread's; `thunk` is a live object, and `value` one or, in a heap with one mutator, NULL,
/// perhaps with a tag in its low three bits.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_update_slow(
    mutator: *mut Mutator,
    thunk: *mut c_void,
    value: *mut c_void,
) -> Status {
    // SAFETY: the caller's promise.
    unsafe { with_mutator(mutator, |r| r.update(mutator, Addr(thunk as usize), value as usize, false)) }
}

/// Updates like `barrow_update`, with an indirection that collections keep: for thunks of which each entry is counted. In a heap
/// with several mutators the value is not NULL: `BARROW_E_ARG`.
///
/// # Safety
/// `mutator` is live and the calling thread's; `thunk` is a live object, and `value` one or, in a heap with one mutator, NULL,
/// perhaps with a tag in its low three bits.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_update_permanent(
    mutator: *mut Mutator,
    thunk: *mut c_void,
    value: *mut c_void,
) -> Status {
    // SAFETY: the caller's promise.
    unsafe { with_mutator(mutator, |r| r.update(mutator, Addr(thunk as usize), value as usize, true)) }
}

/// Out of line part of `barrow_blackhole`: marks a thunk as under evaluation, so that it keeps nothing alive. In a heap with
/// several mutators, one that another has marked or updated stays as it is.
///
/// # Safety
/// `mutator` is live and the calling thread's; `thunk` is a live object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_blackhole_slow(mutator: *mut Mutator, thunk: *mut c_void) -> Status {
    // SAFETY: the caller's promise.
    unsafe { with_mutator(mutator, |r| r.blackhole(Addr(thunk as usize))) }
}

/// Out of line part of `barrow_claim`: makes a thunk a blackhole of this mutator's. False when it is no thunk, any more
/// perhaps.
///
/// # Safety
/// `mutator` is live and the calling thread's; `thunk` is a live object, whose word 1 was 0 when it was made.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_claim_slow(mutator: *mut Mutator, thunk: *mut c_void) -> bool {
    // SAFETY: the caller's promise.
    unsafe { value_with_mutator(mutator, false, |r| r.claim(mutator, Addr(thunk as usize))) }
}

/// Waits until an object is no blackhole any more, as code does that needs the value of a thunk which another mutator has
/// claimed. A safepoint: afterwards the caller looks at the object again, in its root. `BARROW_E_LOOP` tells that
/// this mutator has claimed it, or that the one which has waits for this one, perhaps through others: then the computation
/// needs its own result, and nothing else ends the wait. Of the mutators that wait in a ring one is told, who updates
/// what it has claimed, with an exception for example, so that the others go on. `BARROW_E_STATE` tells that the mutator
/// which has claimed it was detached. The owner is not known of an object that was blackholed without a claim, nor of one that
/// was claimed on a stack object which its mutator has left since: it is waited for while the heap has another mutator.
///
/// # Safety
/// `mutator` is live and the calling thread's; `object` is NULL or a live object, perhaps with a tag in its low three
/// bits. Every live reference is in a root.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_wait_for(mutator: *mut Mutator, object: *mut c_void) -> Status {
    // SAFETY: the caller's promise.
    unsafe { with_mutator(mutator, |r| r.wait_for(mutator, object as usize)) }
}

/// Gives the heap a table of the client's, with its own entry code, for objects that the library makes of
/// thunks: indirections, blackholes, static indirections. The table's kind says for which. To be called
/// before any update, and in a heap that takes several mutators before other threads attach: BARROW_E_STATE.
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
