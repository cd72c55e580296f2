//! Heaps and mutators: made, asked, freed.

use super::config::{self, Config};
use super::guard::{self, give, status, with_heap, with_mutator};
use crate::base::{Failure, Outcome, Status};
use crate::heap::Mutator;
use crate::host::Host;
use crate::runtime::slot::Slot;

/// Makes a heap, and a mutator for the calling thread.
///
/// A heap is freed with `barrow_heap_free`. Threads share it through mutators of their own. The info tables of its
/// objects outlive it. `out_mutator` may be NULL; `barrow_attach` makes one then.
///
/// # Safety
/// `config` is NULL or points to a configuration; the out-pointers are NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_heap_new(
    config: *const Config,
    out_heap: *mut *mut Host,
    out_mutator: *mut *mut Mutator,
) -> Status {
    guard::free_standing(|| {
        guard::refuse_null(out_heap, "the place for the answer, out_heap,")?;
        // SAFETY: the caller's promise; the out-pointer that is written is not null.
        unsafe {
            let mut host = config::make(config)?;
            let mutator = if out_mutator.is_null() { None } else { Some(host.attach()?) };
            out_heap.write(host.into_raw());
            mutator.map_or(Ok(()), |mutator| give(out_mutator, mutator, "out_mutator"))
        }
    })
}

/// Frees a heap, its mutators and all its memory. The functions of all weak pointers that are left are called first,
/// with `mutator` NULL: they may read key and value, and not use the heap; finalizers that are objects are not run.
/// Reports that its flags asked for are written; a report that cannot be written is told of on the standard error
/// stream, and the first of these gives the code and the sentence.
///
/// # Safety
/// `heap` was given by `barrow_heap_new`. Nothing in it is used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_heap_free(heap: *mut Host) -> Status {
    // SAFETY: the caller's promise.
    let outcome = unsafe { with_heap(heap, |_| refuse_default(heap)) };
    if outcome != Status::Ok {
        return outcome;
    }
    // SAFETY: `with_heap` has found a live heap, which came from a slot.
    let runtime = unsafe { Slot::from_raw(heap) };
    guard::run(runtime.hooks, move || status(Host::end(runtime)))
}

fn refuse_default(heap: *const Host) -> Outcome<()> {
    if super::default_heap::is_default(heap) {
        return Err(Failure::state(format_args!("the default heap lives as long as the process")));
    }
    Ok(())
}

/// Makes a mutator for the calling thread. A second one to a heap is refused for now.
///
/// # Safety
/// `heap` was given by `barrow_heap_new`; `out_mutator` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_attach(heap: *mut Host, out_mutator: *mut *mut Mutator) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        with_heap(heap, |runtime| {
            guard::refuse_null(out_mutator, "the place for the answer, out_mutator,")?;
            give(out_mutator, runtime.attach()?, "out_mutator")
        })
    }
}

/// Ends a mutator. Its heap collects, so that objects that it made and others hold stay.
///
/// # Safety
/// `mutator` was given by `barrow_heap_new` or `barrow_attach`, and is not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_detach(mutator: *mut Mutator) -> Status {
    // SAFETY: the caller's promise.
    unsafe { with_mutator(mutator, |runtime| runtime.detach(mutator)) }
}

/// The heap of a mutator, or NULL.
///
/// # Safety
/// `mutator` is NULL, or was given by `barrow_heap_new` or `barrow_attach` and has not ended.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_heap_of(mutator: *mut Mutator) -> *mut Host {
    // SAFETY: the caller's promise.
    unsafe { guard::value_with_mutator(mutator, std::ptr::null_mut(), |runtime| Ok(&raw mut *runtime)) }
}

/// Says that the thread leaves for foreign code, which touches no object. Others may collect meanwhile.
///
/// # Safety
/// `mutator` is live. Every live reference is in a root.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_enter_foreign(mutator: *mut Mutator) -> Status {
    // SAFETY: the caller's promise; `with_mutator` has found it live.
    unsafe {
        with_mutator(mutator, |_| {
            (*mutator).foreign += 1;
            Ok(())
        })
    }
}

/// Says that the thread is back.
///
/// # Safety
/// `mutator` is live. Every live reference is in a root.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_leave_foreign(mutator: *mut Mutator) -> Status {
    // SAFETY: the caller's promise; `with_mutator` has found it live.
    unsafe {
        with_mutator(mutator, |_| {
            if (*mutator).foreign == 0 {
                return Err(Failure::state(format_args!("the mutator is not in foreign code")));
            }
            (*mutator).foreign -= 1;
            Ok(())
        })
    }
}
