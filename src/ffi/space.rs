//! Per-function space: profiles begun and ended round any part of a run, and their results.

use super::guard::{
    bytes, check_sized, give, give_name, refuse_null, with_heap, with_mutator, with_mutator_alone,
};
use crate::base::{Outcome, Status};
use crate::heap::Mutator;
use crate::host::Host;
use crate::profile::space::profiler::SpaceOptions;
use std::ffi::c_char;

pub use crate::profile::space::figures::{SpaceFunction, SpaceKind, SpaceTotals};
pub use crate::profile::space::options::SpaceWish;

/// # Safety
/// `options` is null, or points to options of the size that they tell.
unsafe fn read_options(options: *const SpaceWish) -> Outcome<SpaceOptions> {
    refuse_null(options, "the options of a space profile")?;
    // SAFETY: the caller's promise; the size exists in every version, the other fields when it says so.
    unsafe {
        SpaceWish::refuse_smaller((*options).size as usize)?;
        (*options).read()
    }
}

/// Begins to count the allocation of each function and its copies, in any program, as it was compiled. A function is
/// told by `function` in the window, or else by the code that the allocation returns to. Profiles nest:
/// `out_profile` is the number by which this one ends.
///
/// # Safety
/// `mutator` is live and the calling thread's. Every live reference is in a root. `options` is as described; its
/// callbacks and `client` stay until the profile ends.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_space_begin(
    mutator: *mut Mutator,
    options: *const SpaceWish,
    out_profile: *mut u32,
) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        with_mutator_alone(mutator, |runtime| {
            let options = read_options(options)?;
            give(out_profile, 0, "out_profile")?;
            give(out_profile, runtime.begin_space(mutator, options)?, "out_profile")
        })
    }
}

/// Ends the profile that began last and has not ended. Its results are there until another one begins in a heap
/// without any, or ends, or `barrow_space_forget`.
///
/// # Safety
/// `mutator` is live and the calling thread's. Every live reference is in a root.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_space_end(mutator: *mut Mutator, profile: u32) -> Status {
    // SAFETY: the caller's promise.
    unsafe { with_mutator_alone(mutator, |runtime| runtime.end_space(mutator, profile)) }
}

/// Suspends all space profiles of the heap, until they are resumed as often: nothing is counted meanwhile.
///
/// # Safety
/// `mutator` is live and the calling thread's. Every live reference is in a root.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_space_suspend(mutator: *mut Mutator) -> Status {
    // SAFETY: the caller's promise.
    unsafe { with_mutator_alone(mutator, |runtime| runtime.suspend_space(mutator)) }
}

/// Goes on after `barrow_space_suspend`.
///
/// # Safety
/// `mutator` is live and the calling thread's. Every live reference is in a root.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_space_resume(mutator: *mut Mutator) -> Status {
    // SAFETY: the caller's promise.
    unsafe { with_mutator_alone(mutator, |runtime| runtime.resume_space(mutator)) }
}

/// Collects everything, and records the live objects of each function as a point of time of the profiles that run. While they are
/// suspended it is refused with `BARROW_E_STATE`.
///
/// # Safety
/// `mutator` is live and the calling thread's. Every live reference is in a root.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_space_point(mutator: *mut Mutator) -> Status {
    // SAFETY: the caller's promise.
    unsafe { with_mutator(mutator, |runtime| runtime.take_space_point(mutator)) }
}

/// Frees the results of the last profile.
///
/// # Safety
/// `heap` is live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_space_forget(heap: *mut Host) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        with_heap(heap, |runtime| {
            runtime.profilers.space.forget_results();
            Ok(())
        })
    }
}

/// The sums of the profile that ended last.
///
/// # Safety
/// `heap` is live; `out` points to totals with their `size` set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_space_totals(heap: *mut Host, out: *mut SpaceTotals) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        with_heap(heap, |runtime| {
            check_sized(out, "barrow_space_totals_t")?;
            out.write(SpaceTotals::of(runtime.profilers.space.last_results()?));
            Ok(())
        })
    }
}

/// Function number `index` of the profile that ended last, and as much of its name as `name`, of `room` bytes, can
/// hold with a NUL. Functions that allocate most come first. `name` may be NULL when `room` is 0.
///
/// # Safety
/// `heap` is live; `out` points to a function with its `size` set; `name` has `room` writable bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_space_function(
    heap: *mut Host,
    index: usize,
    out: *mut SpaceFunction,
    name: *mut c_char,
    room: usize,
) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        with_heap(heap, |runtime| {
            check_sized(out, "barrow_space_function_t")?;
            let (function, its_name) = SpaceFunction::of(runtime.profilers.space.last_results()?, index)?;
            give_name(name, room, its_name)?;
            out.write(function);
            Ok(())
        })
    }
}

/// The objects that function number `index` has made of the kinds in `column` (line 0), or the share of these that
/// was copied out of generation `line - 1`.
///
/// # Safety
/// `heap` is live; `out` points to a kind with its `size` set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_space_kind(
    heap: *mut Host,
    index: usize,
    line: usize,
    column: usize,
    out: *mut SpaceKind,
) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        with_heap(heap, |runtime| {
            check_sized(out, "barrow_space_kind_t")?;
            out.write(SpaceKind::of(runtime.profilers.space.last_results()?, index, (line, column))?);
            Ok(())
        })
    }
}

/// Node number `index` in the tree of callers: how many ticks found function number `*out_function` as the caller of node
/// `*out_parent - 1`, or running, when that is 0. A parent comes before its children.
///
/// # Safety
/// `heap` is live; the out-pointers are writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_space_caller(
    heap: *mut Host,
    index: usize,
    out_parent: *mut usize,
    out_function: *mut usize,
    out_ticks: *mut u64,
) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        with_heap(heap, |runtime| {
            let node = runtime.profilers.space.last_results()?.caller(index)?;
            give(out_parent, node.parent as usize, "out_parent")?;
            give(out_function, node.who as usize, "out_function")?;
            give(out_ticks, node.ticks, "out_ticks")
        })
    }
}

/// Writes the results of the last profile into a file: 's' simple, 'c' with copies by generation, 'f' full, with
/// kinds, 'j' everything as JSON, 'h' live data at points of time as a heap profile (.hp).
///
/// # Safety
/// `heap` is live; `path` ends with NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_space_report(heap: *mut Host, path: *const c_char, format: c_char) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        with_heap(heap, |runtime| {
            let path = bytes(path, "the name of the report")?;
            runtime.write_space_report(path, format as u8 as char)
        })
    }
}
