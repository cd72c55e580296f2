//! Questions of a debugger. docs/debugging.md has the commands that ask them.

use super::guard::{check_sized, give, with_mutator};
use crate::base::{Addr, Outcome, Status};
use crate::gc::moves::{Batch, Move};
use crate::heap::Mutator;
use crate::profile::snapshot::path::Held;
use std::ffi::{c_char, c_void};

/// One move of an object, in checking mode.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Moved {
    /// In: `sizeof(barrow_moved)`.
    pub size: u32,
    /// Out: the oldest generation that the collection collected.
    pub generation: u32,
    /// Out: the number of the collection since the heap was made, from 1; 0 when none is known. `--stop-at` stops
    /// before it in a further run.
    pub collection: u64,
    pub from: *const c_void,
    pub to: *const c_void,
    /// Out: why the collection ran.
    pub reason: *const c_char,
}

/// The sanity walk: every object, pointer, remembered slot and block. A safepoint: outside checking mode (`-DS`,
/// `-DZ`) it collects first. `BARROW_E_DAMAGED` says in its sentence what is wrong where.
///
/// # Safety
/// `mutator` is live and the calling thread's. Every live reference is in a root.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_check(mutator: *mut Mutator) -> Status {
    // SAFETY: the caller's promise.
    unsafe { with_mutator(mutator, |runtime| runtime.check_heap(mutator).map(|_| ())) }
}

/// Why is this address alive? Gives a shortest way from a root of any mutator to the object that it lies in: `*out_count`
/// steps, the root first, which stay until the mutator asks again or is detached. The call itself moves and collects nothing, so a debugger may make it
/// where the client stands. `BARROW_E_ARG` when no root leads there. `BARROW_E_STATE` when another thread has collected while
/// the call waited for it, and objects have moved: the caller asks again, with the address as it is then.
///
/// # Safety
/// `mutator` is live and the calling thread's. Objects are well-formed. Every live reference is in a root. The out-pointers are writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_why(
    mutator: *mut Mutator,
    address: *const c_void,
    out_steps: *mut *const Held,
    out_count: *mut usize,
) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        with_mutator(mutator, |runtime| {
            if out_count.is_null() {
                return give(out_count, 0, "out_count");
            }
            let steps = runtime.why(mutator, Addr(address as usize))?;
            give(out_steps, steps.as_ptr(), "out_steps")?;
            give(out_count, steps.len(), "out_count")
        })
    }
}

/// In checking mode (`-DS`, `-DZ`, `-DL`): the last collection that moved an object to this address. Only recent
/// collections are remembered; `collection` is 0 when none of them did.
///
/// # Safety
/// `mutator` is live and the calling thread's. `out` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_moved_here(
    mutator: *mut Mutator,
    address: *const c_void,
    out: *mut Moved,
) -> Status {
    // SAFETY: the caller's promise.
    unsafe { with_mutator(mutator, |runtime| tell(runtime.last_move(Addr(address as usize), false)?, out)) }
}

/// In checking mode: the last collection that moved an object away from this address, which a stale reference still
/// holds. `out` is filled as by `barrow_moved_here`.
///
/// # Safety
/// `mutator` is live and the calling thread's. `out` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_moved_away(
    mutator: *mut Mutator,
    address: *const c_void,
    out: *mut Moved,
) -> Status {
    // SAFETY: the caller's promise.
    unsafe { with_mutator(mutator, |runtime| tell(runtime.last_move(Addr(address as usize), true)?, out)) }
}

/// # Safety
/// `out` is null or writable, and begins with a size.
unsafe fn tell(found: Option<(&Batch, Move)>, out: *mut Moved) -> Outcome<()> {
    // SAFETY: the caller's promise.
    unsafe {
        check_sized(out, "barrow_moved")?;
        give(out, found.map_or(Moved::NOT, Moved::by), "out")
    }
}

impl Moved {
    const NOT: Moved = Moved {
        size: size_of::<Moved>() as u32,
        generation: 0,
        collection: 0,
        from: std::ptr::null(),
        to: std::ptr::null(),
        reason: std::ptr::null(),
    };

    fn by((batch, Move { from, to }): (&Batch, Move)) -> Moved {
        Moved {
            generation: batch.oldest as u32,
            collection: batch.collection,
            from: from.as_ptr(),
            to: to.as_ptr(),
            reason: batch.reason.as_ptr(),
            ..Moved::NOT
        }
    }
}
