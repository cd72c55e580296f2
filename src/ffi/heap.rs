//! Heaps and mutators: made, asked, freed.

use super::config::{self, Config};
use super::default_heap::{self, is_default};
use super::guard::{self, give, status, with_heap, with_mutator};
use crate::base::{Failure, Outcome, Status};
use crate::heap::Mutator;
use crate::host::Host;
use crate::host::foreign::{
    admit, come_back, come_back_in_one_step, leave_for_foreign, leave_in_one_step, nudge,
};
use crate::host::given::{heap_at, is_own_at_first_look, is_own_beside_others, may_leave};
use crate::runtime::slot::Slot;

/// Makes a heap, and a mutator for the calling thread.
///
/// A heap is freed with `barrow_heap_free`. With the flag `--mutators=<n>` threads share it, through mutators of their own
/// (docs/threads.md). The info tables of its
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
            let host = config::make(config)?;
            // Attaching may collect, which keeps others still, until the call ends.
            let mutator = heap_at(host.as_raw())?.complete_with(!out_mutator.is_null())?;
            out_heap.write(host.into_raw());
            mutator.map_or(Ok(()), |mutator| give(out_mutator, mutator, "out_mutator"))
        }
    })
}

/// Frees a heap, its mutators and all its memory. The functions of all weak pointers that are left are called first,
/// with `mutator` NULL: they may read key and value, and not use the heap; finalizers that are objects are not run.
/// Reports that its flags asked for are written; a report that cannot be written is told of on the standard error
/// stream, and the first of these gives the code and the sentence; the heap is gone then as well. `BARROW_E_STATE` and `BARROW_E_ARG`
/// are refusals, as while other threads have mutators in a heap that takes several, and leave it as it was. In a heap that takes
/// one nothing is asked: the thread of its mutator calls this, or has ended, or leaves the heap to the caller.
///
/// # Safety
/// `heap` was given by `barrow_heap_new`. Nothing in it is used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_heap_free(heap: *mut Host) -> Status {
    // SAFETY: the caller's promise.
    let outcome = unsafe { with_heap(heap, |host| refuse_in_use(host, heap)) };
    if outcome != Status::Ok {
        return outcome;
    }
    // SAFETY: `with_heap` has found a live heap, which came from a slot.
    let runtime = unsafe { Slot::from_raw(heap) };
    guard::run(runtime.hooks, move || status(Host::end(runtime)))
}

fn refuse_in_use(host: &Host, heap: *const Host) -> Outcome<()> {
    refuse_default(heap)?;
    host.refuse_others("free it again after barrow_detach there")
}

fn refuse_default(heap: *const Host) -> Outcome<()> {
    if is_default(heap) {
        return Err(Failure::state(format_args!("the default heap lives as long as the process")));
    }
    Ok(())
}

/// Makes a mutator for the calling thread, from any thread and at any time but in a callback: one to a thread, and as many
/// to a heap as `--mutators=<n>` says, which is one without it; one more is refused. It waits for a collection that runs, so a thread
/// with a mutator in another such heap leaves that for foreign code before.
/// A thread that ends without `barrow_detach` is detached then, in a heap that takes several mutators.
///
/// # Safety
/// `heap` was given by `barrow_heap_new` or `barrow_default_heap`; `out_mutator` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_attach(heap: *mut Host, out_mutator: *mut *mut Mutator) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        with_heap(heap, |runtime| {
            guard::refuse_null(out_mutator, "the place for the answer, out_mutator,")?;
            give(out_mutator, default_heap::attach(runtime)?, "out_mutator")
        })
    }
}

/// Ends a mutator. Objects that it made and others hold stay: a heap with one mutator collects, one that takes several
/// does not. The stack that it runs on has its top written to it; `BARROW_E_ARG` when the window's `sp` is not in that. `BARROW_E_IO` tells
/// that the report of `--space`, which the last mutator leaves, could not be written: the mutator has gone. With any other code it stays,
/// and a collection may have run.
///
/// # Safety
/// `mutator` was given by `barrow_heap_new`, `barrow_attach` or `barrow_default_mutator`, and is not used afterwards. A reference that
/// is needed when it stays is in a root.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_detach(mutator: *mut Mutator) -> Status {
    let mut was_default = false;
    // SAFETY: the caller's promise.
    let status = unsafe {
        with_mutator(mutator, |runtime| {
            was_default = is_default(runtime);
            runtime.detach(mutator)
        })
    };
    default_heap::release(was_default, status);
    status
}

/// The heap of a mutator, or NULL.
///
/// # Safety
/// `mutator` is NULL, or was given by `barrow_heap_new`, `barrow_attach` or `barrow_default_mutator` and has not ended.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_heap_of(mutator: *mut Mutator) -> *mut Host {
    // SAFETY: the caller's promise.
    unsafe { guard::value_with_mutator(mutator, std::ptr::null_mut(), |runtime| Ok(&raw mut *runtime)) }
}

/// Says that the thread leaves for foreign code, which touches no object. Others may collect meanwhile. In a heap that takes
/// several mutators, whoever may wait for long, for another thread above all, leaves first: a collection waits for all who
/// have not. Calls nest; in between, the mutator is not used.
///
/// # Safety
/// `mutator` is live and the calling thread's. Every live reference is in a root.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_enter_foreign(mutator: *mut Mutator) -> Status {
    // SAFETY: the caller's promise; the look has found it live.
    unsafe {
        match leave_in_one_step(mutator, is_own_at_first_look(mutator)) {
            Some(false) => Status::Ok,
            Some(true) => tell_that_it_left(mutator),
            None => leave_the_longer_way(mutator),
        }
    }
}

// Functions of C's, which are called last: so the exported function needs no frame.
/// # Safety
/// The mutator has just left.
#[cold]
#[inline(never)]
unsafe extern "C" fn tell_that_it_left(mutator: *mut Mutator) -> Status {
    // SAFETY: the caller's promise.
    unsafe { nudge(mutator) };
    Status::Ok
}

/// # Safety
/// `mutator` may be any word.
#[cold]
#[inline(never)]
unsafe extern "C" fn leave_the_longer_way(mutator: *mut Mutator) -> Status {
    // SAFETY: the caller's promise; the look, or `may_leave`, has found it live.
    unsafe {
        match leave_in_one_step(mutator, is_own_beside_others(mutator)) {
            Some(false) => Status::Ok,
            Some(true) => tell_that_it_left(mutator),
            None => guard::free_standing(|| may_leave(mutator).and_then(|()| leave_for_foreign(mutator))),
        }
    }
}

/// Says that the thread is back. A collection that runs is waited for. BARROW_E_STATE when it was not away.
///
/// # Safety
/// `mutator` is live and the calling thread's. Every live reference is in a root.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_leave_foreign(mutator: *mut Mutator) -> Status {
    // SAFETY: the caller's promise; the look has found it live.
    unsafe {
        match come_back_in_one_step(mutator, is_own_at_first_look(mutator)) {
            Some(true) => Status::Ok,
            Some(false) => come_back_when_admitted(mutator),
            None => come_back_the_longer_way(mutator),
        }
    }
}

/// # Safety
/// The mutator has just come back.
#[cold]
#[inline(never)]
unsafe extern "C" fn come_back_when_admitted(mutator: *mut Mutator) -> Status {
    // SAFETY: the caller's promise.
    unsafe { admit(mutator) };
    Status::Ok
}

/// # Safety
/// `mutator` may be any word.
#[cold]
#[inline(never)]
unsafe extern "C" fn come_back_the_longer_way(mutator: *mut Mutator) -> Status {
    // SAFETY: the caller's promise; the look, or `may_leave`, has found it live.
    unsafe {
        match come_back_in_one_step(mutator, is_own_beside_others(mutator)) {
            Some(true) => Status::Ok,
            Some(false) => come_back_when_admitted(mutator),
            None => guard::free_standing(|| may_leave(mutator).and_then(|()| come_back(mutator))),
        }
    }
}
