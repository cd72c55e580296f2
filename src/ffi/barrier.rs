//! Writes into objects that may be old, and changes of objects in place. The fast paths are in barrow/inline.h.

use super::guard::with_mutator;
use crate::base::{Addr, Status};
use crate::heap::Mutator;
use crate::heap::space::remember::{Entry, Remembered};
use std::ffi::c_void;

/// Out of line part of `barrow_write` for heaps in chunks: a pointer was stored into `field` of `owner`.
///
/// # Safety
/// `mutator` is live and the calling thread's; `owner` is an object and `field` one of its fields.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_wrote(mutator: *mut Mutator, owner: *mut c_void, field: *mut c_void) {
    // SAFETY: the caller's promise.
    unsafe { wrote(mutator, owner, field, Remembered::Slot) }
}

/// Out of line part of `barrow_write_word` for heaps in chunks, and for tagged words.
///
/// # Safety
/// `mutator` is live and the calling thread's; `owner` is an object and `field` one of its fields.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_wrote_word(mutator: *mut Mutator, owner: *mut c_void, field: *mut usize) {
    // SAFETY: the caller's promise.
    unsafe { wrote(mutator, owner, field.cast(), Remembered::TaggedSlot) }
}

/// Out of line part of the barrier: the buffer of remembered slots is full, and `entry` goes into the next one.
///
/// # Safety
/// `mutator` is live and the calling thread's; `entry` was made by barrow/inline.h.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_remember_slow(mutator: *mut Mutator, entry: usize) {
    // SAFETY: the caller's promise.
    unsafe {
        with_mutator(mutator, |runtime| {
            runtime.barrier_told(Entry(entry).at());
            runtime.store.remember(&mut *mutator, Entry(entry));
            Ok(())
        });
    }
}

/// # Safety
/// `mutator` is live and the calling thread's; `owner` is an object and `field` one of its fields.
unsafe fn wrote(mutator: *mut Mutator, owner: *mut c_void, field: *mut c_void, what: Remembered) {
    // SAFETY: the caller's promise.
    unsafe {
        with_mutator(mutator, |runtime| {
            runtime.wrote(mutator, Addr(owner as usize), Addr(field as usize), what);
            Ok(())
        });
    }
}

/// Remembers a pointer field that was written without a barrier, without naming the object that it is in.
///
/// # Safety
/// `mutator` is live and the calling thread's; `slot` is a field of a live object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_record_slot(mutator: *mut Mutator, slot: *mut c_void) -> Status {
    // SAFETY: the caller's promise.
    unsafe { with_mutator(mutator, |r| r.record_slot(mutator, Addr(slot as usize), Remembered::Slot)) }
}

/// Remembers a field with a tagged word that was written without a barrier, without naming the object that it is in.
///
/// # Safety
/// `mutator` is live and the calling thread's; `slot` is a field of a live object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_record_word_slot(mutator: *mut Mutator, slot: *mut usize) -> Status {
    // SAFETY: the caller's promise.
    unsafe { with_mutator(mutator, |r| r.record_slot(mutator, Addr(slot as usize), Remembered::TaggedSlot)) }
}

/// Says that an object has become mutable (`recordMutable`): every collection looks at it from now on. Once is
/// enough for an object; it is dropped when its kind is not mutable and nothing in it is younger.
///
/// # Safety
/// `mutator` is live and the calling thread's; `object` is a live object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_record_mutable(mutator: *mut Mutator, object: *mut c_void) -> Status {
    // SAFETY: the caller's promise.
    unsafe { with_mutator(mutator, |r| r.record_mutable(mutator, Addr(object as usize))) }
}

/// Says that an object may now point to younger ones (`recordOldToNewPtrs`), and will not change again.
///
/// # Safety
/// `mutator` is live and the calling thread's; `object` is a live object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_record_old_to_new(mutator: *mut Mutator, object: *mut c_void) -> Status {
    // SAFETY: the caller's promise.
    unsafe { with_mutator(mutator, |r| r.record_old_to_new(mutator, Addr(object as usize))) }
}

/// Copies `count` elements of an array into another, or within one, with the barrier for all of them at once. `BARROW_E_ARG`
/// when one of them has fewer elements; then nothing is copied.
///
/// # Safety
/// `mutator` is live and the calling thread's; `to` and `from` are live arrays.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_array_copy(
    mutator: *mut Mutator,
    to: *mut c_void,
    to_index: usize,
    from: *const c_void,
    from_index: usize,
    count: usize,
) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        with_mutator(mutator, |r| {
            r.array_copy(mutator, (Addr(to as usize), to_index), (Addr(from as usize), from_index), count)
        })
    }
}

/// Stores the same value into `count` elements of an array, with the barrier for all of them at once. `BARROW_E_ARG` when it has fewer
/// elements; then nothing is stored.
///
/// # Safety
/// `mutator` is live and the calling thread's; `array` is a live array, `value` a live object, null, or a word that
/// the array may hold.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_array_fill(
    mutator: *mut Mutator,
    array: *mut c_void,
    index: usize,
    count: usize,
    value: *mut c_void,
) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        with_mutator(mutator, |r| r.array_fill(mutator, Addr(array as usize), index, count, value as usize))
    }
}

/// Shortens an object to a smaller length, in the unit of its length field. The only way to change that field.
///
/// # Safety
/// `mutator` is live and the calling thread's; `object` is a live object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_shrink(mutator: *mut Mutator, object: *mut c_void, length: usize) -> Status {
    // SAFETY: the caller's promise.
    unsafe { with_mutator(mutator, |r| r.shrink(Addr(object as usize), length)) }
}

/// Changes the kind of an object in place. The new kind's fields are written before; it may be smaller. Where the old
/// kind has a length field, that word stays as it is until then: it says how large the object was.
///
/// # Safety
/// `mutator` is live and the calling thread's; `object` is a live object; `info` is an info table; NULL is refused.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_become(
    mutator: *mut Mutator,
    object: *mut c_void,
    info: *const c_void,
) -> Status {
    // SAFETY: the caller's promise.
    unsafe { with_mutator(mutator, |r| r.become_kind(Addr(object as usize), Addr(info as usize))) }
}
