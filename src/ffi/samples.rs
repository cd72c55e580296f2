//! Samples of allocation, as a file.

use super::guard::{bytes, with_mutator_alone};
use crate::base::Status;
use crate::heap::Mutator;
use std::ffi::c_char;

/// Writes the samples that were taken so far (`--sample-every`) into the file `path`, as pprof's heap profile: objects and bytes
/// that were allocated, and that were alive when they were last collected, scaled by the sampling; `go tool pprof` shows it, and with
/// `-base` the difference of two. Nothing is collected. BARROW_E_STATE when no samples are taken, BARROW_E_NOMEM when
/// they have ended for want of memory, BARROW_E_IO when the file cannot be written; a file that was there before stays then.
/// In a heap with several mutators, the call waits for the others as a collection does: every live reference is in a root.
///
/// # Safety
/// `mutator` is live and the calling thread's. Every object that was allocated is filled. `path` ends with NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_samples_write(mutator: *mut Mutator, path: *const c_char) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        with_mutator_alone(mutator, |runtime| {
            runtime.write_samples(mutator, bytes(path, "the name of the file of samples")?)
        })
    }
}
