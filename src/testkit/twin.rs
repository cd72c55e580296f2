//! The fast paths of barrow/inline.h once more, word for word, for programs that are not C.

use crate::base::Status;
use crate::ffi::alloc::{barrow_alloc_slow, barrow_reserve_slow};
use crate::ffi::barrier::{barrow_remember_slow, barrow_wrote, barrow_wrote_word};
use crate::ffi::biography::barrow_used;
use crate::ffi::lazy::{barrow_blackhole_slow, barrow_update_slow};
use crate::ffi::weak::barrow_weak_array_set;
use crate::heap::{Mutator, Window};
use std::ffi::c_void;
use std::sync::atomic::{AtomicUsize, Ordering};

const MAX_INLINE_WORDS: usize = 256;
const MAX_RESERVE_WORDS: usize = 4096;
const LOG_BLOCK_BYTES: usize = 12;
const MEGABLOCK_BYTES: usize = 1 << 20;

fn age(code: u8) -> u32 {
    (code as u32).wrapping_sub(1) & 0x38
}

/// # Safety
/// `m` is live and the calling thread's: so for every function here.
unsafe fn window<'a>(m: *mut Mutator) -> &'a mut Window {
    // SAFETY: the caller's promise.
    unsafe { &mut (*m).window }
}

/// # Safety
/// As for `barrow_alloc`.
pub unsafe fn alloc(m: *mut Mutator, words: usize) -> *mut usize {
    // SAFETY: the caller's promise.
    unsafe {
        let w = window(m);
        let at = w.hp;
        if words > MAX_INLINE_WORDS || at.wrapping_add(words) > w.hp_lim {
            return barrow_alloc_slow(m, words);
        }
        w.hp = at.add(words);
        at
    }
}

/// # Safety
/// As for `barrow_try_alloc`.
pub unsafe fn try_alloc(m: *mut Mutator, words: usize) -> *mut usize {
    // SAFETY: the caller's promise.
    unsafe {
        let w = window(m);
        let at = w.hp;
        if words > MAX_INLINE_WORDS || at.wrapping_add(words) > w.hp_lim {
            return try_counted(m, words);
        }
        w.hp = at.add(words);
        at
    }
}

/// # Safety
/// As for `barrow_try_alloc`.
#[inline(never)]
unsafe fn try_counted(m: *mut Mutator, words: usize) -> *mut usize {
    // SAFETY: the caller's promise.
    let counted = unsafe { window(m).counted };
    if counted.is_null() || !(2..=MAX_INLINE_WORDS).contains(&words) {
        return std::ptr::null_mut();
    }
    #[cfg(target_arch = "x86_64")]
    {
        let at: *mut usize;
        // SAFETY: the window's entry takes words and mutator so, and changes these registers and no others.
        unsafe {
            std::arch::asm!(
                "call {counted}",
                counted = in(reg) counted,
                inout("r10") words => _,
                inout("r11") m => _,
                out("rax") at,
            )
        };
        at
    }
    #[cfg(not(target_arch = "x86_64"))]
    std::ptr::null_mut()
}

/// # Safety
/// As for `barrow_reserve`.
pub unsafe fn reserve(m: *mut Mutator, words: usize) -> bool {
    // SAFETY: the caller's promise.
    unsafe {
        let w = window(m);
        if words <= MAX_RESERVE_WORDS && w.hp.wrapping_add(words) <= w.hp_lim {
            return true;
        }
        barrow_reserve_slow(m, words)
    }
}

/// # Safety
/// As for `barrow_bump`.
pub unsafe fn bump(m: *mut Mutator, words: usize) -> *mut usize {
    // SAFETY: the caller's promise.
    unsafe {
        let w = window(m);
        let at = w.hp;
        w.hp = at.add(words);
        at
    }
}

/// # Safety
/// `field` is a field of a live object.
unsafe fn remember(m: *mut Mutator, field: *mut usize, kind: usize) {
    // SAFETY: the caller's promise.
    unsafe {
        let w = window(m);
        if w.remember == w.remember_lim {
            barrow_remember_slow(m, field as usize | kind);
        } else {
            w.remember.write(field as usize | kind);
            w.remember = w.remember.add(1);
        }
    }
}

/// # Safety
/// As for `barrow_write`.
pub unsafe fn barrier(m: *mut Mutator, owner: *mut c_void, field: *mut usize, value: usize) {
    // SAFETY: the caller's promise.
    unsafe {
        let w = window(m);
        let o = (owner as usize).wrapping_sub(w.heap_base);
        if o < w.heap_length {
            let owner_age = age(*w.codes.add(o >> LOG_BLOCK_BYTES));
            if owner_age == 0 {
                return;
            }
            let v = (value & !7).wrapping_sub(w.heap_base);
            if v < w.heap_length && age(*w.codes.add(v >> LOG_BLOCK_BYTES)) < owner_age {
                remember(m, field, 0);
            }
        } else if w.heap_length == 0 {
            barrow_wrote(m, owner, field.cast());
        }
    }
}

/// # Safety
/// As for `barrow_write`.
pub unsafe fn write(m: *mut Mutator, owner: *mut c_void, field: *mut usize, value: usize) {
    // SAFETY: the caller's promise.
    unsafe {
        field.write(value);
        barrier(m, owner, field, value);
    }
}

/// # Safety
/// As for `barrow_write_word`.
pub unsafe fn write_word(m: *mut Mutator, owner: *mut c_void, field: *mut usize, word: usize) {
    // SAFETY: the caller's promise.
    unsafe {
        let w = window(m);
        let o = (owner as usize).wrapping_sub(w.heap_base);
        field.write(word);
        if o < w.heap_length {
            let owner_age = age(*w.codes.add(o >> LOG_BLOCK_BYTES));
            if owner_age == 0 || w.tagged_pointers >> (word & 15) & 1 == 0 {
                return;
            }
            let v = (word & w.address_mask).wrapping_add(w.address_offset).wrapping_sub(w.heap_base);
            if v < w.heap_length && age(*w.codes.add(v >> LOG_BLOCK_BYTES)) < owner_age {
                remember(m, field, 1);
            }
        } else if w.heap_length == 0 {
            barrow_wrote_word(m, owner, field);
        }
    }
}

/// # Safety
/// As for `barrow_weak_array_write`.
pub unsafe fn write_weak(m: *mut Mutator, array: *mut c_void, element: *mut usize, value: usize) {
    // SAFETY: the caller's promise.
    unsafe { wrote_weak(m, array, element, value, value & !7, true, 5) }
}

/// # Safety
/// As for `barrow_weak_array_write_word`.
pub unsafe fn write_weak_word(m: *mut Mutator, array: *mut c_void, element: *mut usize, word: usize) {
    // SAFETY: the caller's promise.
    unsafe {
        let w = window(m);
        let is_pointer = w.tagged_pointers >> (word & 15) & 1 != 0;
        let address = (word & w.address_mask).wrapping_add(w.address_offset);
        wrote_weak(m, array, element, word, address, is_pointer, 6);
    }
}

/// # Safety
/// As for `barrow_weak_array_write`.
unsafe fn wrote_weak(
    m: *mut Mutator,
    array: *mut c_void,
    element: *mut usize,
    word: usize,
    address: usize,
    is_pointer: bool,
    kind: usize,
) {
    // SAFETY: the caller's promise.
    unsafe {
        let w = window(m);
        let o = (array as usize).wrapping_sub(w.heap_base);
        element.write(word);
        if o < w.heap_length {
            let array_age = age(*w.codes.add(o >> LOG_BLOCK_BYTES));
            let v = address.wrapping_sub(w.heap_base);
            if array_age != 0
                && is_pointer
                && v < w.heap_length
                && age(*w.codes.add(v >> LOG_BLOCK_BYTES)) < array_age
            {
                remember(m, element, kind);
            }
        } else if w.heap_length == 0 {
            let index = (element as usize - array as usize) / 8 - 3;
            barrow_weak_array_set(m, array, index, word as *mut c_void);
        }
    }
}

/// # Safety
/// As for `barrow_cas`.
pub unsafe fn cas(
    m: *mut Mutator,
    owner: *mut c_void,
    field: *mut usize,
    expected: usize,
    value: usize,
) -> bool {
    // SAFETY: the caller's promise.
    unsafe {
        let word = AtomicUsize::from_ptr(field);
        if word.compare_exchange(expected, value, Ordering::AcqRel, Ordering::Acquire).is_err() {
            return false;
        }
        barrier(m, owner, field, value);
        true
    }
}

/// # Safety
/// As for `barrow_update`.
pub unsafe fn update(m: *mut Mutator, thunk: *mut c_void, value: *mut c_void) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        let w = window(m);
        let o = (thunk as usize).wrapping_sub(w.heap_base);
        if !w.ind.is_null()
            && o < w.heap_length
            && thunk != value
            && age(*w.codes.add(o >> LOG_BLOCK_BYTES)) == 0
        {
            let words = thunk.cast::<usize>();
            words.add(1).write(value as usize);
            words.write(w.ind as usize | (words.read() & 7));
            return Status::Ok;
        }
        barrow_update_slow(m, thunk, value)
    }
}

/// # Safety
/// As for `barrow_blackhole`.
pub unsafe fn blackhole(m: *mut Mutator, thunk: *mut c_void) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        let w = window(m);
        if !w.blackhole.is_null() {
            let words = thunk.cast::<usize>();
            words.add(1).write(0);
            words.write(w.blackhole as usize | (words.read() & 7));
            return Status::Ok;
        }
        barrow_blackhole_slow(m, thunk)
    }
}

/// # Safety
/// As for `barrow_use`.
pub unsafe fn use_object(m: *mut Mutator, object: *const c_void) {
    // SAFETY: the caller's promise; an address in the range lies in a megablock with a header.
    unsafe {
        let w = window(m);
        let at = object as usize;
        if !w.marks.is_null() {
            *w.marks.add(at >> 4) = 1;
            return;
        }
        if w.era == 0 {
            return;
        }
        let is_inside = at.wrapping_sub(w.heap_base) < w.heap_length;
        let megablock = at & !(MEGABLOCK_BYTES - 1);
        if is_inside {
            let words = *((megablock + w.side[0]) as *const *mut usize);
            if words.is_null() || *words.add((at - megablock) >> 4) & ((1 << 30) - 1) == w.era as usize {
                return;
            }
            barrow_used(m, object);
        } else if w.heap_length == 0 {
            barrow_used(m, object);
        }
    }
}
