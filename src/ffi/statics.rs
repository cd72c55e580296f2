//! Static objects and CAFs.

use super::guard::{value_with_heap, with_heap, with_mutator};
use crate::base::{Addr, Status};
use crate::heap::Mutator;
use crate::host::Host;
use std::ffi::c_void;

/// Tells the heap of static objects in the client's data: constructors, functions and CAFs that it may come to. Each is
/// looked at; when one cannot be, such as one with pointers and of a kind that has no link word, the sentence names it and
/// none is taken. `keep`: CAFs among them, once entered, keep their values until `barrow_revert_cafs`, as an interactive
/// session wants; otherwise a CAF lives as long as code that lives mentions it in a reference table.
///
/// # Safety
/// `heap` is live, and where it takes one mutator, no other thread uses it. `objects` has `count` addresses of static
/// objects, which stay where they are until their module is unregistered or the heap is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_statics_add(
    heap: *mut Host,
    objects: *const *mut c_void,
    count: usize,
    keep: bool,
) -> Status {
    // SAFETY: the caller's promise.
    unsafe { with_heap(heap, |runtime| runtime.add_statics(objects, count, keep)) }
}

/// Tells the heap, as `barrow_statics_add` does, of a section of the client's data with nothing but static objects.
/// They are not looked at one by one: `barrow_info_check` and checking mode find what is wrong with them.
///
/// # Safety
/// `heap` is live, and where it takes one mutator, no other thread uses it. Every pointer in the `bytes` from `base` on
/// is the address of a static object, which stays where it is until its module is unregistered or the heap is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_statics_add_section(
    heap: *mut Host,
    base: *mut c_void,
    bytes: usize,
    keep: bool,
) -> Status {
    // SAFETY: the caller's promise.
    unsafe { with_heap(heap, |runtime| runtime.add_section(Addr(base as usize), bytes, keep)) }
}

/// Enters a CAF (`newCAF` and `UPD_CAF`): the `BARROW_THUNK_STATIC` at `caf` becomes a `BARROW_IND_STATIC` to `value`, most
/// often a `BARROW_CAF_BLACKHOLE` in the heap, which is updated with the result. Its own table is saved in its last word.
/// Of two threads that enter it at the same time the second is refused with `BARROW_E_ARG`, and looks at the CAF again.
///
/// # Safety
/// `mutator` is live and the calling thread's; `caf` is a static that the heap was told of; `value` is NULL or a live
/// object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_new_caf(
    mutator: *mut Mutator,
    caf: *mut c_void,
    value: *mut c_void,
) -> Status {
    // SAFETY: the caller's promise.
    unsafe { with_mutator(mutator, |r| r.new_caf(mutator, Addr(caf as usize), value as usize)) }
}

/// The CAF of this number, from 0, among those that are entered and kept; NULL when there are no more.
///
/// # Safety
/// `heap` is live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_kept_caf(heap: *mut Host, number: usize) -> *mut c_void {
    // SAFETY: the caller's promise.
    unsafe {
        value_with_heap(heap, std::ptr::null_mut(), |runtime| {
            let mut kept = runtime.store.statics.cafs.iter().filter(|caf| caf.keep);
            Ok(kept.nth(number).map_or(std::ptr::null_mut(), |caf| caf.at.as_ptr()))
        })
    }
}

/// Makes every entered CAF that is kept what it was before: it is computed again when it is entered again.
///
/// # Safety
/// `mutator` is live and the calling thread's; no code runs that has entered such a CAF.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_revert_cafs(mutator: *mut Mutator) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        with_mutator(mutator, |r| {
            r.revert_cafs();
            Ok(())
        })
    }
}

/// How many CAFs are entered now: those that collections found dead, or that were reverted, do not count.
///
/// # Safety
/// `heap` is live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_cafs(heap: *mut Host) -> usize {
    // SAFETY: the caller's promise.
    unsafe { value_with_heap(heap, 0, |runtime| Ok(runtime.store.statics.cafs.len())) }
}
