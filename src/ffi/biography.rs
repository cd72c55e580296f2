//! Biography: uses of objects, and changes in place that the library does not see. The fast paths are in
//! barrow/inline.h.

use super::guard::{value_with_mutator, with_mutator};
use crate::base::{Addr, Status};
use crate::heap::Mutator;
use std::ffi::c_void;

/// Out of line part of `barrow_use`: the first use of an object in this era.
///
/// # Safety
/// `mutator` is live and the calling thread's; `object` is the address of an object, in this heap or elsewhere.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_used(mutator: *mut Mutator, object: *const c_void) {
    // SAFETY: the caller's promise.
    unsafe {
        with_mutator(mutator, |runtime| {
            runtime.used(Addr(object as usize));
            Ok(())
        });
    }
}

/// Where the biography word of an object lies, for heaps in chunks; NULL when there is none. Valid until the next
/// safepoint.
///
/// # Safety
/// As for `barrow_used`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_biography_slow(mutator: *mut Mutator, object: *const c_void) -> *mut usize {
    // SAFETY: the caller's promise.
    unsafe {
        value_with_mutator(mutator, std::ptr::null_mut(), |runtime| {
            Ok(runtime.biography_word(Addr(object as usize)))
        })
    }
}

/// Says that an object of `words` words, its header included, ends here, because it is about to be overwritten
/// (`LDV_recordDead`). What lies there afterwards counts as made now. `barrow_become`, `barrow_shrink` and their like
/// say so themselves. Does nothing for statics.
///
/// # Safety
/// As for `barrow_used`. The object is whole.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_record_dead(
    mutator: *mut Mutator,
    object: *const c_void,
    words: usize,
) -> Status {
    // SAFETY: the caller's promise.
    unsafe { with_mutator(mutator, |runtime| runtime.record_dead(Addr(object as usize), words)) }
}

/// As `barrow_record_dead`, for an object that becomes one of two words: clears the words behind those, so that
/// nothing in them looks like an object (`LDV_recordDead_FILL_SLOP_DYNAMIC`).
///
/// # Safety
/// As for `barrow_record_dead`; the object may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_record_dead_fill_slop(mutator: *mut Mutator, object: *mut c_void) -> Status {
    // SAFETY: the caller's promise.
    unsafe { with_mutator(mutator, |runtime| runtime.record_dead_fill_slop(Addr(object as usize))) }
}
