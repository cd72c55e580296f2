//! Statistics.

use super::guard::with_heap;
use crate::base::{Failure, Status};
use crate::host::Host;
use crate::runtime::figures::HeapStats;

/// Reads the statistics of a heap.
///
/// # Safety
/// `heap` is live; `out` points to statistics with their `size` set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_stats(heap: *mut Host, out: *mut HeapStats) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        with_heap(heap, |runtime| {
            if out.is_null() || ((*out).size as usize) < size_of::<HeapStats>() {
                return Err(Failure::argument(format_args!(
                    "out is NULL or its size is not sizeof(barrow_stats_t), {}",
                    size_of::<HeapStats>()
                )));
            }
            let stats = runtime.figures();
            out.write(stats);
            Ok(())
        })
    }
}
