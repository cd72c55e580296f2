//! Heap profiles: started, marked and stopped in mid-run.

use super::guard::{text, with_mutator_alone};
use crate::base::Status;
use crate::heap::Mutator;
use std::ffi::c_char;

/// Starts a heap profile, as flags of the heap would have done: "-hy -hdBranch,Leaf -i0.5". It takes -h, -i, -ib, -in,
/// -iw, -ix, -xt, -L and -R. A profile that runs is stopped first, with its files complete; the second one of a heap, or of a second
/// heap that lives beside it, writes `PROGRAM.2.hp`, and so on. BARROW_E_IO when a file cannot be written.
/// In a heap with several mutators, the call waits for the others as a collection does.
///
/// # Safety
/// `mutator` is live and the calling thread's. Every live reference is in a root. `flags` is NULL or ends with NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_profile_start(mutator: *mut Mutator, flags: *const c_char) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        with_mutator_alone(mutator, |runtime| runtime.start_profile_with(text(flags, "the line of flags")?))
    }
}

/// Marks this moment in the heap profile that runs: `hp2ps` draws the mark at the time axis. BARROW_E_STATE when none runs.
/// In a heap with several mutators, the call waits for the others as a collection does: every live reference is in a root.
///
/// # Safety
/// `mutator` is live and the calling thread's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_profile_mark(mutator: *mut Mutator) -> Status {
    // SAFETY: the caller's promise.
    unsafe { with_mutator_alone(mutator, |runtime| runtime.mark_profile()) }
}

/// Stops the heap profile: its files are complete. Without one nothing happens.
/// In a heap with several mutators, the call waits for the others as a collection does: every live reference is in a root.
///
/// # Safety
/// `mutator` is live and the calling thread's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_profile_stop(mutator: *mut Mutator) -> Status {
    // SAFETY: the caller's promise.
    unsafe { with_mutator_alone(mutator, |runtime| runtime.stop_profile()) }
}
