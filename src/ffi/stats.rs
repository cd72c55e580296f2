//! Statistics.

use super::guard::{check_sized, with_heap};
use crate::base::Status;
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
            check_sized(out, "barrow_stats_t")?;
            let stats = runtime.figures();
            out.write(stats);
            Ok(())
        })
    }
}
