//! Cost centres and their stacks. The fast paths are in barrow/inline.h, and come here otherwise.

use super::guard::{self, each_listed, free_standing, status, value_with_mutator, with_mutator};
use crate::base::{Failure, Outcome, Status};
use crate::heap::Mutator;
use crate::heap::mutator::current::{self, stack_of};
use crate::host::Host;
use crate::identity::ccs::{self, Special};
use crate::identity::{Ccs, CostCentre, cost_centre};
use crate::os::output;
use crate::report::error_stack;
use std::ffi::c_char;

/// Gives numbers to cost centres that lie side by side, in their order. A centre that has a number keeps it; without
/// this call, it gets one when it is first entered. Numbers belong to no heap.
///
/// # Safety
/// `centres` points to `count` cost centres; they stay until `barrow_module_unregister` is told of
/// them, or for ever.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_cc_register(centres: *mut CostCentre, count: usize) -> Status {
    // SAFETY: the caller's promise.
    free_standing(|| unsafe {
        let bytes_of = |first: *const CostCentre| (*first).size as usize;
        each_listed((centres, count), "the list of cost centres", bytes_of, |centre| {
            cost_centre::register(centre).map(|_| ())
        })
    })
}

/// Out of line part of `barrow_ccs_enter`. Gives the stack that was current, which stays so when something is wrong.
///
/// # Safety
/// `mutator` is live and the calling thread's; `centre` is a cost centre in static data.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_ccs_enter_slow(mutator: *mut Mutator, centre: *mut CostCentre) -> *mut Ccs {
    // SAFETY: the caller's promise.
    unsafe { changed(mutator, |runtime| runtime.enter_centre(mutator, centre)) }
}

/// Begins to evaluate a definition that is evaluated once: the stack is MAIN and the definition's (or its module's)
/// cost centre, whoever has asked for it. Gives the stack that was current.
///
/// # Safety
/// `mutator` is live and the calling thread's; `centre` is a cost centre in static data.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_ccs_enter_caf(mutator: *mut Mutator, centre: *mut CostCentre) -> *mut Ccs {
    // SAFETY: the caller's promise.
    unsafe { changed(mutator, |runtime| runtime.enter_caf(mutator, centre)) }
}

/// Out of line part of `barrow_ccs_enter_function`. Gives the stack that was current.
///
/// # Safety
/// `mutator` is live and the calling thread's; `function` is a stack.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_ccs_enter_function_slow(
    mutator: *mut Mutator,
    function: *const Ccs,
) -> *mut Ccs {
    // SAFETY: the caller's promise.
    unsafe { changed(mutator, |runtime| runtime.enter_function(mutator, function)) }
}

/// Out of line part of `barrow_ccs_leave`.
///
/// # Safety
/// `mutator` is live and the calling thread's; `to` is a stack.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_ccs_leave_slow(mutator: *mut Mutator, to: *const Ccs) -> Status {
    // SAFETY: the caller's promise.
    unsafe { with_mutator(mutator, |runtime| runtime.leave_to(mutator, to)) }
}

/// Runs a change, and gives the stack from before. MAIN when the mutator is none: leaving to it does no harm.
///
/// # Safety
/// `mutator` may be any word.
unsafe fn changed(mutator: *mut Mutator, change: impl FnOnce(&mut Host) -> Outcome<()>) -> *mut Ccs {
    // SAFETY: the caller's promise.
    let before = unsafe {
        value_with_mutator(mutator, std::ptr::null_mut(), |runtime| {
            // SAFETY: the runtime is that of a live mutator.
            let before = (*mutator).window.ccs;
            // `barrow_last_error` says why nothing was changed; leaving to the stack that was current does no harm.
            let _ = status(change(runtime));
            Ok(before)
        })
    };
    if before.is_null() { ccs::main().as_mut_ptr() } else { before }
}

/// The stack that comes of pushing a centre on a stack; nothing is entered. NULL when something is wrong.
///
/// # Safety
/// `on` is a stack; `centre` is a cost centre, as for `barrow_cc_register`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_ccs_push(on: *const Ccs, centre: *mut CostCentre) -> *mut Ccs {
    given(|| {
        // SAFETY: the caller's promise.
        let number = unsafe { cost_centre::register(centre)? };
        known(ccs::find(on))?.push(number)
    })
}

/// A stack that the library has itself: a `barrow_ccs_which`.
#[unsafe(no_mangle)]
pub extern "C" fn barrow_ccs_special(which: u32) -> *mut Ccs {
    given(|| known(if which <= Special::Idle as u32 { ccs::stack(which) } else { None }))
}

/// The stack of a number; NULL when no stack has it.
#[unsafe(no_mangle)]
pub extern "C" fn barrow_ccs_of_number(number: u32) -> *mut Ccs {
    given(|| known(ccs::stack(number)))
}

/// How many stacks there are in this process. Their numbers are 0 to one less.
#[unsafe(no_mangle)]
pub extern "C" fn barrow_ccs_count() -> u32 {
    ccs::count()
}

fn known(found: Option<&'static Ccs>) -> Outcome<&'static Ccs> {
    found.ok_or_else(|| Failure::argument(format_args!("there is no such cost-centre stack")))
}

/// The stack that a body gives; null when it gives none.
fn given(body: impl FnOnce() -> Outcome<&'static Ccs>) -> *mut Ccs {
    let mut stack = std::ptr::null_mut();
    free_standing(|| {
        ccs::prepare()?;
        stack = body()?.as_mut_ptr();
        Ok(())
    });
    stack
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
            // SAFETY: the caller's promise.
            unsafe { guard::give_if_wanted(out, name.as_ptr()) };
        }
        Ok(())
    })
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
            let stack = if stack.is_null() { stack_of(&*mutator) } else { current::known(stack)? };
            output::write_standard_error(&mut |mut out| error_stack::write(&mut out, stack));
            Ok(())
        })
    }
}

/// # Safety
/// `stacks` is null or has `count` words.
unsafe fn stacks_at<'a>(stacks: *const *const Ccs, count: usize) -> Outcome<&'a [*const Ccs]> {
    if count == 0 {
        return Ok(&[]);
    }
    guard::refuse_null(stacks, "the list of enclosing stacks")?;
    // SAFETY: the caller's promise.
    Ok(unsafe { std::slice::from_raw_parts(stacks, count) })
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
            let enclosing = stacks_at(enclosing, count)?;
            runtime.tell_error(&*mutator, kind, enclosing)
        })
    }
}
