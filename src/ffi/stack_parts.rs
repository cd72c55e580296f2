//! Parts of a stack: found, cut off, captured and put on a stack again.

use super::guard::{value_with_mutator, with_mutator};
use super::memory::{Given, until_there_is_memory, until_there_is_memory_for};
use crate::base::{Addr, Status};
use crate::heap::{Info, Mutator};
use crate::host::Host;
use crate::host::stack_parts::Until;
use std::ffi::c_void;

/// The newest frame with this table on the stack that the mutator runs on, in whichever chunk; when `after` is a frame, the
/// newest of those that are older. NULL when there is none. The address is good until the next call that may collect.
///
/// # Safety
/// `mutator` is live and the calling thread's; `after` is NULL or a frame of the stack that it runs on, and the window's
/// `sp` is that stack's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_stack_find(
    mutator: *mut Mutator,
    table: *const Info,
    after: *const usize,
) -> *mut usize {
    let after = Addr(after as usize);
    // SAFETY: the caller's promise.
    let found = unsafe {
        value_with_mutator(mutator, Addr::NULL, |runtime| runtime.find_frame(mutator, table, after))
    };
    found.as_ptr()
}

/// Takes all frames off that are newer than `frame`, in whichever chunk that lies; with NULL, all frames of the stack. `frame`
/// is the newest one afterwards: where an exception is caught, or control goes to a continuation. Objects under
/// update frames that go stay as they are, perhaps blackholes: who needs them updates them before. Never collects.
///
/// # Safety
/// `mutator` is live and the calling thread's; `frame` is NULL or a frame of the stack that it runs on, and the window's
/// `sp` is that stack's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_stack_cut(mutator: *mut Mutator, frame: *const usize) -> Status {
    // SAFETY: the caller's promise.
    unsafe { with_mutator(mutator, |runtime| runtime.cut_stack(mutator, Addr(frame as usize))) }
}

/// Makes an object of copies of the frames that are newer than `until`, or with NULL of all frames: a continuation, for
/// `barrow_stack_reinstate`, as often as one likes. The stack stays as it is. The object is a stack, with the same stop frame
/// and no words beside; it may be entered too, and is used up then. Never collects, but the overflow hook may. NULL when something is
/// wrong, when that hook has refused, or when it has collected with `--squeeze` and frames have become one: `until` is looked for again then.
///
/// # Safety
/// `mutator` is live and the calling thread's; `until` is NULL or a frame of the stack that it runs on, and the window's
/// `sp` is that stack's.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn barrow_stack_capture(
    mutator: *mut Mutator,
    until: *const usize,
) -> *mut c_void {
    let until = Until::at(Addr(until as usize));
    // SAFETY: the caller's promise.
    unsafe { until_there_is_memory(mutator, 0, |r, m, _, _| r.capture_stack(m, &until), (0, 0)).cast() }
}

/// Puts copies of the frames of `part` on the stack that the mutator runs on, in the same order. Makes room as
/// `barrow_stack_grow` does, and never collects, but the overflow hook may. False when something is wrong, or when that hook has refused.
///
/// # Safety
/// `mutator` is live and the calling thread's; `part` was given by `barrow_stack_capture`, and the window's `sp` is that of
/// the stack that the mutator runs on.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn barrow_stack_reinstate(mutator: *mut Mutator, part: *mut c_void) -> bool {
    let attempt = |r: &mut Host, m: *mut Mutator, [part, ..]: Given| r.reinstate_stack(m, Addr(part));
    // SAFETY: the caller's promise.
    unsafe { !until_there_is_memory_for(mutator, 0, [part as usize, 0, 0], &attempt).is_null() }
}
