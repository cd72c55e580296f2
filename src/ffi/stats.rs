//! Statistics.

use super::guard::with_heap;
use crate::base::{Failure, Outcome, Status};
use crate::host::Host;
use crate::runtime::figures::HeapStats;
use std::mem::offset_of;

/// The bytes of the statistics that a caller knows. A client that was compiled before there were stops has room for what was before
/// them.
///
/// # Safety
/// `out` is NULL or begins with its size.
unsafe fn known_bytes(out: *const HeapStats) -> Outcome<usize> {
    // SAFETY: the caller's promise.
    let room = if out.is_null() { 0 } else { (unsafe { out.cast::<u32>().read() }) as usize };
    let whole = size_of::<HeapStats>();
    let known = if room < whole { offset_of!(HeapStats, stops) } else { whole };
    if room < planted!(313, 0, known) {
        return Err(Failure::argument(format_args!(
            "out is NULL or its size is not sizeof(barrow_stats_t), {whole}"
        )));
    }
    Ok(known)
}

/// Reads the statistics of a heap. With the `size` of a former version, those that it had.
///
/// # Safety
/// `heap` is live; `out` points to statistics with their `size` set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_stats(heap: *mut Host, out: *mut HeapStats) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        with_heap(heap, |runtime| {
            let known = known_bytes(out)?;
            let mut stats = runtime.figures();
            stats.size = known as u32;
            out.cast::<u8>().copy_from_nonoverlapping((&raw const stats).cast(), known);
            Ok(())
        })
    }
}
