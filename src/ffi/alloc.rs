//! Allocation. The fast paths are in barrow/inline.h, and come here when there is no room.

use super::guard::{self, value_with_mutator, with_mutator};
use super::memory::until_there_is_memory;
use crate::base::{Addr, Failure, Outcome, Status};
use crate::heap::{Mutator, Window};
use crate::host::Host;
use crate::host::given::{heap_of, host_at_home, is_always_slow_beside_others, usable_heap_of};
use std::ffi::c_char;

/// The offset of a field of the window, by its name, in bytes from the mutator; -1 when there is no such
/// field. For code generators; C has `barrow_window`.
///
/// # Safety
/// `field` is NULL or a string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_window_offset(field: *const c_char) -> i64 {
    let mut offset = -1;
    guard::free_standing(|| {
        // SAFETY: the caller's promise.
        let name = unsafe { guard::text(field, "field")? };
        offset = Window::offset_of(name).map_or(-1, |bytes| bytes as i64);
        Ok(())
    });
    offset
}

/// The body of an entry that goes on to `inner` with its own arguments and, behind them, the address that it returns to:
/// by that the space profiler knows who allocates. It touches no stack, so unwinding passes it.
#[cfg(target_arch = "x86_64")]
macro_rules! with_return_address {
    ($inner:ident, x86 $register:literal, arm $other:literal) => {
        std::arch::naked_asm!(
            ".cfi_startproc",
            concat!("mov ", $register, ", [rsp]"),
            "jmp {inner}",
            ".cfi_endproc",
            inner = sym $inner,
        )
    };
}
#[cfg(target_arch = "aarch64")]
macro_rules! with_return_address {
    ($inner:ident, x86 $other:literal, arm $register:literal) => {
        std::arch::naked_asm!(
            ".cfi_startproc",
            concat!("mov ", $register, ", x30"),
            "b {inner}",
            ".cfi_endproc",
            inner = sym $inner,
        )
    };
}

/// Out of line part of `barrow_alloc`: `words` words, at least 2, perhaps after a collection. NULL when there is no memory and no overflow hook, or the hook refused, or the size is impossible.
///
/// # Safety
/// `mutator` is live and the calling thread's. Every live reference is in a root.
#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn barrow_alloc_slow(mutator: *mut Mutator, words: usize) -> *mut usize {
    with_return_address!(alloc_for, x86 "rdx", arm "x2")
}

/// `barrow_alloc_slow` for code that stands between it and the program: profiles show `caller`, an address in the
/// program's code, as the place that allocates.
///
/// # Safety
/// `mutator` is live and the calling thread's. Every live reference is in a root.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn barrow_alloc_slow_for(
    mutator: *mut Mutator,
    words: usize,
    caller: *const std::ffi::c_void,
) -> *mut usize {
    // SAFETY: the caller's promise.
    unsafe { alloc_for(mutator, words, caller as usize) }
}

/// `barrow_alloc_slow` for the code that it was called from.
///
/// # Safety
/// `mutator` is live and the calling thread's. Every live reference is in a root.
pub(super) unsafe extern "C-unwind" fn alloc_for(
    mutator: *mut Mutator,
    words: usize,
    site: usize,
) -> *mut usize {
    // While space is counted by function, or places in the code are noted, every allocation comes here.
    if Mutator::counted_lately(mutator)
        // SAFETY: the mutator was found to be one; the thread is the caller's promise.
        && let Some(at) = unsafe { (*mutator).take_counted(words, site) }
    {
        return at.as_ptr();
    }
    // SAFETY: the caller's promise.
    unsafe { alloc_for_another(mutator, words, site) }
}

/// An allocation that is not like the one before it.
///
/// # Safety
/// `mutator` is live and the calling thread's. Every live reference is in a root.
#[inline(never)]
unsafe extern "C-unwind" fn alloc_for_another(
    mutator: *mut Mutator,
    words: usize,
    site: usize,
) -> *mut usize {
    if Mutator::counted_lately(mutator)
        // SAFETY: as in `alloc_for`.
        && unsafe { (*mutator).has_counted(site) }
        // SAFETY: as in `alloc_for`.
        && let Some(at) = unsafe { (*mutator).take_counted(words, site) }
    {
        return at.as_ptr();
    }
    // SAFETY: the caller's promise.
    unsafe { alloc_the_long_way(mutator, words, site) }
}

/// An object that the profilers of every allocation are told of, where no more than that has to be done.
///
/// # Safety
/// `mutator` is live and the calling thread's.
#[inline(always)]
unsafe fn allocated_noted(mutator: *mut Mutator, words: usize, site: &mut usize) -> Option<Addr> {
    // SAFETY: the caller's promise, also below.
    if let Some(host) = unsafe { usable_heap_of(mutator) } {
        return guard::run_on(host, |host| host.allocate_noted(mutator, words, site));
    }
    // SAFETY: as above.
    if !unsafe { is_always_slow_beside_others(mutator) } {
        return None;
    }
    // SAFETY: as above.
    let mut inside = unsafe { heap_of(mutator) }.ok()?;
    guard::run_on(&mut inside, |host| host.allocate_noted(mutator, words, site))
}

/// # Safety
/// `mutator` is live and the calling thread's. Every live reference is in a root.
#[inline(never)]
unsafe extern "C-unwind" fn alloc_the_long_way(
    mutator: *mut Mutator,
    words: usize,
    site: usize,
) -> *mut usize {
    let (returns_to, mut site) = (site, site);
    // SAFETY: the caller's promise, also below.
    if let Some(at) = unsafe { allocated_noted(mutator, words, &mut site) } {
        return at.as_ptr();
    }
    let attempt = |host: &mut Host, mutator: *mut Mutator, words: usize, _: (usize, usize)| {
        host.allocate_for_site(mutator, words, site, returns_to)
    };
    // SAFETY: the caller's promise.
    unsafe { until_there_is_memory(mutator, words, attempt, (0, 0)) }
}

/// Makes sure that `words` words, at most `BARROW_MAX_RESERVE_WORDS`, can be taken with `barrow_bump`, with no
/// collection in between. May collect. False when there is no memory and no overflow hook, or the hook refused, or more are asked for.
///
/// # Safety
/// `mutator` is live and the calling thread's. Every live reference is in a root.
#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn barrow_reserve_slow(mutator: *mut Mutator, words: usize) -> bool {
    with_return_address!(reserve_for, x86 "rdx", arm "x2")
}

/// `barrow_reserve_slow` for the code that it was called from.
///
/// # Safety
/// `mutator` is live and the calling thread's. Every live reference is in a root.
pub(super) unsafe extern "C-unwind" fn reserve_for(mutator: *mut Mutator, words: usize, site: usize) -> bool {
    let attempt = |host: &mut Host, mutator: *mut Mutator, words: usize, _: (usize, usize)| {
        host.reserve(mutator, words, site)
    };
    // SAFETY: the caller's promise.
    unsafe { !until_there_is_memory(mutator, words, attempt, (0, 0)).is_null() }
}

/// `words` words for one object, without a collection, except in the overflow hook. It may exceed the heap's limit by a sixteenth or 4 MiB, whichever is
/// more; when a collection is due it asks for one at the next `barrow_alloc`. NULL when there is no memory and no overflow hook, or the hook refused, or the size is impossible. The object must be filled before the next safepoint.
///
/// # Safety
/// `mutator` is live and the calling thread's.
#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn barrow_allocate(mutator: *mut Mutator, words: usize) -> *mut usize {
    with_return_address!(allocate_for, x86 "rdx", arm "x2")
}

unsafe extern "C-unwind" fn allocate_for(mutator: *mut Mutator, words: usize, site: usize) -> *mut usize {
    // SAFETY: the caller's promise; the mutator was found to be live.
    unsafe {
        if let Some(host) = host_at_home(mutator)
            && let Some(at) = host.allocate_in_pool(&mut *mutator, words)
        {
            return at.as_ptr();
        }
        allocate_the_long_way(mutator, words, site)
    }
}

/// # Safety
/// `mutator` is live and the calling thread's.
#[inline(never)]
unsafe extern "C-unwind" fn allocate_the_long_way(
    mutator: *mut Mutator,
    words: usize,
    site: usize,
) -> *mut usize {
    let attempt = |runtime: &mut Host, mutator: *mut Mutator, words: usize, _: (usize, usize)| {
        runtime.allocate(mutator, words, site)
    };
    // SAFETY: the caller's promise.
    unsafe { until_there_is_memory(mutator, words, attempt, (0, 0)) }
}

/// `words` words for one object that never moves, without a collection, as `barrow_allocate` gives them. The address `offset` bytes
/// into it, a multiple of 8, is a multiple of `align` bytes, a power of two up to the size of a block. It may hold pointers. NULL as
/// from `barrow_allocate`, and when no object can lie so.
///
/// # Safety
/// `mutator` is live and the calling thread's.
#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn barrow_allocate_pinned(
    mutator: *mut Mutator,
    words: usize,
    align: usize,
    offset: usize,
) -> *mut usize {
    with_return_address!(allocate_pinned_for, x86 "r8", arm "x4")
}

unsafe extern "C-unwind" fn allocate_pinned_for(
    mutator: *mut Mutator,
    words: usize,
    align: usize,
    offset: usize,
    site: usize,
) -> *mut usize {
    // SAFETY: the caller's promise; the mutator was found to be live.
    unsafe {
        if let Some(host) = host_at_home(mutator)
            && let Some(at) = host.allocate_pinned_in_block(&mut *mutator, words, align, offset)
        {
            return at.as_ptr();
        }
        pinned_the_long_way(mutator, words, align, offset, site)
    }
}

/// # Safety
/// `mutator` is live and the calling thread's.
#[inline(never)]
unsafe extern "C-unwind" fn pinned_the_long_way(
    mutator: *mut Mutator,
    words: usize,
    align: usize,
    offset: usize,
    site: usize,
) -> *mut usize {
    let attempt = |runtime: &mut Host, mutator: *mut Mutator, words: usize, placing: (usize, usize)| {
        runtime.allocate_pinned(mutator, words, placing, site)
    };
    // SAFETY: the caller's promise.
    unsafe { until_there_is_memory(mutator, words, attempt, (align, offset)) }
}

/// Opens the allocation area: memory from `*hp` up to `*hp_lim` is the caller's to fill. Until it is closed, calls
/// that would take words of it or collect are refused, so that `barrow_alloc` gives NULL; `barrow_allocate` is not. An area
/// that is open is not opened again, and no profile of space begins or goes on.
///
/// # Safety
/// `mutator` is live and the calling thread's; the out-pointers are writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_open_nursery(
    mutator: *mut Mutator,
    hp: *mut *mut usize,
    hp_lim: *mut *mut usize,
) -> Status {
    // SAFETY: the caller's promise; `with_mutator` has found the mutator live.
    unsafe {
        with_mutator(mutator, |host| {
            refuse_no_places(hp, hp_lim)?;
            let (from, to) = host.open_area(&mut *mutator)?;
            hp.write(from);
            hp_lim.write(to);
            Ok(())
        })
    }
}

fn refuse_no_places(hp: *mut *mut usize, hp_lim: *mut *mut usize) -> Outcome<()> {
    if hp.is_null() || hp_lim.is_null() {
        return Err(Failure::argument(format_args!(
            "the places for the area, hp and hp_lim, are not both given: one is NULL"
        )));
    }
    Ok(())
}

/// Closes the allocation area, which was opened: everything below `hp` is filled.
///
/// # Safety
/// `mutator` is live and the calling thread's; `hp` lies in the area that was opened.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_close_nursery(mutator: *mut Mutator, hp: *mut usize) -> Status {
    // SAFETY: the caller's promise; `with_mutator` has found the mutator live.
    unsafe { with_mutator(mutator, |host| host.close_area(&mut *mutator, hp)) }
}

/// Closes the allocation area and opens the next. False when the nursery is exhausted; the area stays closed then,
/// and a collection is due.
///
/// # Safety
/// `mutator` is live and the calling thread's; `*hp` lies in the area that was opened.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_extend_nursery(
    mutator: *mut Mutator,
    hp: *mut *mut usize,
    hp_lim: *mut *mut usize,
) -> bool {
    // SAFETY: the caller's promise; `value_with_mutator` has found the mutator live.
    unsafe {
        value_with_mutator(mutator, false, |host| {
            refuse_no_places(hp, hp_lim)?;
            host.close_area(&mut *mutator, *hp)?;
            Ok(host.extend_area(mutator))
        }) && barrow_open_nursery(mutator, hp, hp_lim) == Status::Ok
    }
}
