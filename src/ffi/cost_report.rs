//! Time and allocation profiles: ticks, reports, figures, and the stack at an error.

use super::guard::{self, free_standing, give, with_mutator};
use crate::base::flag::CostReport;
use crate::base::{Failure, Outcome, Status};
use crate::heap::Mutator;
use crate::heap::mutator::current::stack_of;
use crate::identity::Ccs;
use crate::identity::ccs;
use crate::os::output;
use crate::profile::cost::row::CostRow;
use crate::report::error_stack;
use std::ffi::{CStr, c_char};

/// Writes the time and allocation profile as it is now. `file` is its name; NULL is the name that the flags give it.
/// `detail` is a `barrow_cost_detail`. A file appears under its name when it is whole.
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
        with_mutator(mutator, |runtime| {
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

/// Counts a tick for each so many seconds of the mutator's CPU time from now on (`-V`), whatever was counted before; 0
/// ends it. Less than 0.0001 seconds is refused, and more than 3600. The heaps of `-p` and its like begin by themselves.
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

/// Fills rows with the first `count` stacks by number, and their costs as they are now. `out_count` is how many
/// stacks there are: ask with `count` 0 first. Inherited costs count all stacks.
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
        with_mutator(mutator, |runtime| {
            let all = runtime.cost_rows()?;
            if count > 0 && rows.is_null() {
                return Err(Failure::argument(format_args!("the place for the rows is NULL")));
            }
            if count > 0 {
                let apart = (*rows).size as usize;
                if apart < size_of::<CostRow>() || !apart.is_multiple_of(align_of::<CostRow>()) {
                    return Err(Failure::new(
                        Status::Abi,
                        format_args!("the first row says that it has {apart} bytes: was size set?"),
                    ));
                }
                for (at, row) in all.iter().take(count).enumerate() {
                    rows.cast::<u8>()
                        .add(at * apart)
                        .cast::<CostRow>()
                        .write(CostRow { size: apart as u32, ..*row });
                }
            }
            if out_count.is_null() { Ok(()) } else { give(out_count, all.len(), "out_count") }
        })
    }
}

/// Writes a stack to standard error, from the innermost centre out. NULL is the current one.
///
/// # Safety
/// `mutator` is live and the calling thread's; `stack` is NULL or a stack.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_ccs_print(mutator: *mut Mutator, stack: *const Ccs) -> Status {
    // SAFETY: the caller's promise; `with_mutator` has found the mutator live.
    unsafe {
        with_mutator(mutator, |_| {
            let stack = if stack.is_null() { stack_of(&*mutator) } else { known(stack)? };
            output::write_standard_error(&mut |mut out| error_stack::write(&mut out, stack));
            Ok(())
        })
    }
}

/// An error is raised: with the flag `-xc`, its kind and the current stack are written to standard error, and when that
/// begins in a CAF, also those of `count` evaluations that wait for its value, innermost first. Without, nothing.
///
/// # Safety
/// `mutator` is live and the calling thread's; `kind` is a string; `enclosing` has `count` stacks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_exception(
    mutator: *mut Mutator,
    kind: *const c_char,
    enclosing: *const *const Ccs,
    count: usize,
) -> Status {
    // SAFETY: the caller's promise; `with_mutator` has found the mutator live.
    unsafe {
        with_mutator(mutator, |runtime| {
            let kind = guard::text(kind, "the kind of the error")?;
            if count > 0 && enclosing.is_null() {
                return Err(Failure::argument(format_args!("the list of enclosing stacks is NULL")));
            }
            for at in 0..count {
                known(*enclosing.add(at))?;
            }
            if runtime.flags.cost.errors {
                let enclosing = || (0..count).filter_map(|at| ccs::find(*enclosing.add(at)));
                output::write_standard_error(&mut |mut out| {
                    error_stack::write_error(&mut out, kind, stack_of(&*mutator), enclosing())
                });
            }
            Ok(())
        })
    }
}

fn known(at: *const Ccs) -> Outcome<&'static Ccs> {
    ccs::find(at).ok_or_else(|| Failure::argument(format_args!("{at:?} is no cost-centre stack")))
}

/// The names of a cost centre, by its number. Any of the out-pointers may be NULL. The strings live as long as the process.
///
/// # Safety
/// The out-pointers are NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_cc_names(
    number: u32,
    label: *mut *const c_char,
    module: *mut *const c_char,
    source: *mut *const c_char,
) -> Status {
    free_standing(|| {
        let centre = crate::identity::cost_centre::centre(number)
            .ok_or_else(|| Failure::argument(format_args!("there is no cost centre {number}")))?;
        for (out, name) in [(label, centre.label), (module, centre.module), (source, centre.source)] {
            if !out.is_null() {
                // SAFETY: not null, and as the caller promises, writable.
                unsafe { out.write(name.as_ptr()) };
            }
        }
        Ok(())
    })
}
