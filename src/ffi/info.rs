//! Questions about info tables, objects and addresses.

use super::guard::{free_standing, value_with_heap, with_mutator_alone};
use crate::base::{Addr, Failure, Status};
use crate::heap::object::info::Resolver;
use crate::heap::object::model::info_of;
use crate::heap::space::generation::Code;
use crate::heap::{Info, Mutator};
use crate::host::Host;
use crate::runtime::module::Range;
use std::ffi::c_void;

/// Refuses an info table that describes no possible object, with a sentence. For a compiler's tests, and for a
/// client that checks its tables once when it starts.
///
/// # Safety
/// `info` is NULL or points to an info table.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_info_check(info: *const Info) -> Status {
    // SAFETY: the caller's promise.
    free_standing(|| unsafe { Info::check(Addr(info as usize)).map(|_| ()) })
}

/// The size of an object in words, its header included. 0 for an address that lies in no block of the heap, such as a static object's.
///
/// # Safety
/// `heap` is live; `object` is a live object of it, or lies outside.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_object_words(heap: *mut Host, object: *const c_void) -> usize {
    let at = Addr(object as usize);
    // SAFETY: the caller's promise.
    unsafe {
        value_with_heap(heap, 0, |runtime| {
            runtime.object_code(at)?;
            // The client tells the size of its own kinds.
            Ok(runtime.busy.mark().during(|| runtime.model().size(at, info_of(at.load()))))
        })
    }
}

/// The generation of an address; -1 when it is not in the heap.
///
/// # Safety
/// `heap` is live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_generation_of(heap: *mut Host, address: *const c_void) -> i32 {
    // SAFETY: the caller's promise.
    unsafe {
        value_with_heap(heap, -1, |runtime| {
            let code = Code(runtime.store.codes.at(address as usize));
            if code.is_none() {
                return Err(Failure::argument(format_args!("{address:?} is not in this heap")));
            }
            Ok(code.generation() as i32)
        })
    }
}

/// Whether an address is in a block of the heap that holds objects.
///
/// # Safety
/// `heap` is live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_in_heap(heap: *mut Host, address: *const c_void) -> bool {
    // SAFETY: the caller's promise.
    unsafe { value_with_heap(heap, false, |runtime| Ok(runtime.store.holds(Addr(address as usize)))) }
}

/// The address that a pointer out of the object leads to now, inside a `shortcut` function. The object there can be
/// read.
///
/// # Safety
/// `resolver` is the one that the function was given; `pointer` is a field of the object, or of one resolved before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_resolve(resolver: *mut Resolver, pointer: *const c_void) -> *mut c_void {
    if resolver.is_null() {
        return pointer.cast_mut();
    }
    // SAFETY: the caller's promise.
    unsafe { ((*resolver).find)((*resolver).state, pointer as usize) as *mut c_void }
}

/// Says that code and data from `base` on, `bytes` long, will be unloaded. Collects everything; refuses, naming the
/// first that it finds, while an object's info table, a frame of any thread or a callback lies there; else drops the roots that were
/// registered there. Machine code that a thread runs, or will return to, is not seen but by its stack maps: the client knows of it.
///
/// # Safety
/// `mutator` is live and the calling thread's. Every live reference is in a root.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_module_unregister(
    mutator: *mut Mutator,
    base: *const c_void,
    bytes: usize,
) -> Status {
    let range = Range { base: Addr(base as usize), bytes };
    // SAFETY: the caller's promise.
    unsafe { with_mutator_alone(mutator, |runtime| runtime.unregister_module(mutator, range)) }
}
