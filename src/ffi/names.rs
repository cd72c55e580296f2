//! Identity hashes and stable names.

use super::guard::value_with_mutator;
use super::memory::{Given, until_there_is_memory_for};
use crate::base::Addr;
use crate::heap::Mutator;
use crate::host::Host;
use std::ffi::c_void;

/// A hash of an object's identity: it stays the same when the object moves, for hash tables that compare by address.
/// Not 0; 0 when something is wrong. It costs a few words in a table as long as the object lives. `object` may have a tag in
/// its low three bits, which does not matter.
///
/// # Safety
/// `mutator` is live and the calling thread's; `object` is a live object, or lies outside of the heap.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_identity_hash(mutator: *mut Mutator, object: *const c_void) -> u64 {
    // SAFETY: the caller's promise.
    unsafe {
        value_with_mutator(mutator, 0, |runtime| {
            // An odd factor: numbers that differ give hashes that differ, in all of their bits.
            Ok(runtime.identity(Addr(object as usize))?.wrapping_mul(0x9e37_79b9_7f4a_7c15))
        })
    }
}

/// The stable name of an object: an object of kind `BARROW_STABLE_NAME`, the same one as long as it lives, which does not
/// keep the other alive. Its number (`barrow_stable_name_number` in barrow/inline.h) is never another object's. Never
/// collects, but the overflow hook may. NULL when something is wrong, or when that hook has refused.
///
/// # Safety
/// `mutator` is live and the calling thread's; `object` is a live object, or lies outside of the heap.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn barrow_stable_name(
    mutator: *mut Mutator,
    object: *const c_void,
) -> *mut c_void {
    let given = [object as usize, 0, 0];
    let attempt = |r: &mut Host, m: *mut Mutator, [object, ..]: Given| r.stable_name(m, Addr(object));
    // SAFETY: the caller's promise.
    unsafe { until_there_is_memory_for(mutator, 2, given, &attempt).cast() }
}
