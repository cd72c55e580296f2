//! Collections and checks.

use super::guard::{value_with_mutator, with_mutator};
use crate::base::{Failure, Outcome, Status};
use crate::heap::Mutator;
use crate::heap::root::frame::Visitor;
use crate::host::given::{is_at_ease, is_at_ease_beside_others};
use crate::os::output;
use crate::runtime::collect::Reason;
use std::ffi::c_void;

fn reason(major: bool) -> Reason {
    if major { Reason::Major } else { Reason::Minor }
}

/// Says on standard error that the heap is damaged: few programs look at the status of a collection.
fn said(outcome: Outcome<()>) -> Outcome<()> {
    if let Err(failure) = &outcome
        && failure.status == Status::Damaged
    {
        output::say(&failure.sentence);
    }
    outcome
}

/// Gives the collector an opportunity: it may collect here when it was asked to, and only then.
///
/// # Safety
/// `mutator` is live and the calling thread's. Every live reference is in a root.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_safepoint(mutator: *mut Mutator) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        if is_at_ease(mutator) || is_at_ease_beside_others(mutator) {
            return Status::Ok;
        }
        look_closer(mutator)
    }
}

/// Whether a collection is due (`doYouWantToGC`): pools and large objects count as well as the nursery.
///
/// # Safety
/// `mutator` is live and the calling thread's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_wants_gc(mutator: *mut Mutator) -> bool {
    // SAFETY: the caller's promise; `value_with_mutator` has found it live.
    unsafe {
        value_with_mutator(mutator, false, |runtime| {
            Ok(runtime.wants_collection() || (*mutator).window.poll != 0)
        })
    }
}

/// Collects garbage: everything with `major`, which moves old objects together, so that no gap is left, whatever `--old` says for
/// collections that come by themselves; else the generations that are due. A damaged heap, which `-DS` finds, is told on standard
/// error too.
///
/// # Safety
/// `mutator` is live and the calling thread's. Every live reference is in a root.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_collect(mutator: *mut Mutator, major: bool) -> Status {
    // SAFETY: the caller's promise.
    unsafe { with_mutator(mutator, |runtime| said(runtime.collect_for(mutator, reason(major)))) }
}

/// Collects like `barrow_collect`, with roots from `roots(client, visitor)` besides those that the heap knows. In a heap with
/// several mutators, another thread that collects first asks it too, while this one waits.
///
/// # Safety
/// `mutator` is live and the calling thread's. Every live reference is in a root, or among those that `roots` names to
/// the visitor; `roots` does nothing else with the heap.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_collect_with(
    mutator: *mut Mutator,
    major: bool,
    roots: Option<unsafe extern "C-unwind" fn(client: *mut c_void, visitor: *mut Visitor)>,
    client: *mut c_void,
) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        with_mutator(mutator, |runtime| match roots {
            Some(roots) => said(runtime.collect_with_function(mutator, reason(major), roots, client)),
            None => Err(Failure::argument(format_args!("the function that names roots is NULL"))),
        })
    }
}

/// # Safety
/// `mutator` is live and the calling thread's. Every live reference is in a root.
#[inline(never)]
pub(super) unsafe extern "C" fn look_closer(mutator: *mut Mutator) -> Status {
    // SAFETY: the caller's promise.
    unsafe { with_mutator(mutator, |host| said(host.safepoint(mutator))) }
}

/// Tells the heap that objects keep `delta` more bytes (or fewer) of memory alive outside it. A collection comes
/// sooner for it.
///
/// # Safety
/// `mutator` is live and the calling thread's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_external_bytes(mutator: *mut Mutator, delta: i64) -> Status {
    // SAFETY: the caller's promise.
    unsafe { with_mutator(mutator, |runtime| runtime.external(mutator, delta)) }
}
