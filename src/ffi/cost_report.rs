//! Time and allocation profiles: ticks, reports, figures, and the stack at an error.

use super::guard::{give_rows, with_mutator, with_mutator_alone};
use crate::base::flag::CostReport;
use crate::base::{Failure, Outcome, Status};
use crate::heap::Mutator;
use crate::profile::cost::row::CostRow;
use std::ffi::{CStr, c_char};

/// Writes the time and allocation profile as it is now. `file` is its name; NULL is the name that the flags give it;
/// BARROW_E_STATE if that is the file of a profile by retainers (`-hr` without `-p`).
/// `detail` is a `barrow_cost_detail`. A file appears under its name when it is whole.
/// In a heap with several mutators, the call waits for the others as a collection does: every live reference is in a root.
///
/// # Safety
/// `mutator` is live and the calling thread's; `file` is NULL or a string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_cost_report(
    mutator: *mut Mutator,
    file: *const c_char,
    detail: u32,
) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        with_mutator_alone(mutator, |runtime| {
            let name = if file.is_null() { None } else { Some(CStr::from_ptr(file).to_bytes()) };
            runtime.write_cost_report(name, detail_of(detail)?)
        })
    }
}

fn detail_of(number: u32) -> Outcome<CostReport> {
    use CostReport::*;
    let known = [Standard, Detailed, All, Json].into_iter().find(|&detail| detail as u32 == number);
    known.ok_or_else(|| Failure::argument(format_args!("there is no report of the kind {number}")))
}

/// Fills rows with the first `count` stacks by number, and their costs as they are now. `out_count` is how many
/// stacks there are: ask with `count` 0 first. Inherited costs count all stacks.
/// In a heap with several mutators, the call waits for the others as a collection does: every live reference is in a root.
///
/// # Safety
/// `mutator` is live and the calling thread's; `rows` has `count` rows, with its size in the first; `out_count` is NULL
/// or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_costs(
    mutator: *mut Mutator,
    rows: *mut CostRow,
    count: usize,
    out_count: *mut usize,
) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        with_mutator_alone(mutator, |runtime| {
            let all = runtime.cost_rows()?;
            give_rows((rows, count), &all, out_count)
        })
    }
}

/// Counts a tick for each so many seconds of the mutator's CPU time from now on (`-V`), whatever was counted before; 0
/// ends it. Less than 0.0001 seconds is refused, and more than 3600; BARROW_E_STATE with `--tick-bytes`. The heaps of `-p` and its like begin by themselves.
///
/// # Safety
/// `mutator` is live and the calling thread's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_cost_ticks(mutator: *mut Mutator, seconds: f64) -> Status {
    // SAFETY: the caller's promise.
    unsafe { with_mutator(mutator, |runtime| runtime.start_ticks(seconds)) }
}

/// Books ticks to the current stack: for a client with a clock of its own, and for tests.
///
/// # Safety
/// `mutator` is live and the calling thread's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_cost_tick(mutator: *mut Mutator, ticks: u64) -> Status {
    // SAFETY: the caller's promise.
    unsafe { with_mutator(mutator, |runtime| runtime.tick(mutator, ticks)) }
}
