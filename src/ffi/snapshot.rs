//! Snapshots of the object graph.

use super::guard::{bytes, with_mutator};
use crate::base::Status;
use crate::heap::Mutator;
use std::ffi::c_char;

/// Collects everything, and writes the graph of what lives into the file `path`: every object with its address, size,
/// name and what it refers to, and every root with its name. `barrow convert FILE --to heapsnapshot` makes a file of it
/// that Chrome's developer tools open; docs/formats-snapshot.md says what is in it. The file is there as a whole or not
/// at all: BARROW_E_IO when it cannot be written, and a file that was there before stays.
///
/// # Safety
/// `mutator` is live and the calling thread's. Every live reference is in a root. `path` ends with NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_snapshot(mutator: *mut Mutator, path: *const c_char) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        with_mutator(mutator, |runtime| {
            runtime.write_snapshot(mutator, bytes(path, "the name of the snapshot")?)
        })
    }
}
