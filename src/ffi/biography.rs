//! Biography: uses of objects, and changes in place that the library does not see. The fast paths are in
//! barrow/inline.h.

use super::census::give_band;
use super::guard::{check_sized, give, value_with_mutator, with_heap, with_mutator};
use crate::base::{Addr, Outcome, Status};
use crate::heap::Mutator;
use crate::host::Host;
use crate::profile::biography::shown::Shown;
use crate::profile::heap::figures::CensusBand;
use std::ffi::{c_char, c_void};

/// Out of line part of `barrow_use`: the first use of an object in this era.
///
/// # Safety
/// `mutator` is live and the calling thread's; `object` is the address of an object, in this heap or elsewhere.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_used(mutator: *mut Mutator, object: *const c_void) {
    // SAFETY: the caller's promise.
    unsafe {
        with_mutator(mutator, |runtime| {
            runtime.profilers.lives.used(&mut runtime.runtime, Addr(object as usize));
            Ok(())
        });
    }
}

/// The address of an object's biography word, with its mark booked; NULL when there is none. Valid until the next
/// safepoint.
///
/// # Safety
/// `mutator` is live and the calling thread's; `object` is the address of an object, in this heap or elsewhere.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_biography_slow(mutator: *mut Mutator, object: *const c_void) -> *mut usize {
    // SAFETY: the caller's promise.
    unsafe {
        value_with_mutator(mutator, std::ptr::null_mut(), |runtime| {
            Ok(runtime.profilers.lives.word_of(&mut runtime.runtime, Addr(object as usize)))
        })
    }
}

/// Says that an object of `words` words, its header included, ends here, because it is about to be overwritten
/// (`LDV_recordDead`). An object that lies there afterwards counts as made now. `barrow_become`, `barrow_shrink` and
/// their like say so themselves. Does nothing for statics.
///
/// # Safety
/// `mutator` is live and the calling thread's; `object` is the address of an object, in this heap or elsewhere. The
/// object is whole.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_record_dead(
    mutator: *mut Mutator,
    object: *const c_void,
    words: usize,
) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        with_mutator(mutator, |runtime| {
            runtime.profilers.lives.record_dead(&mut runtime.runtime, Addr(object as usize), words)
        })
    }
}

/// Says what `barrow_record_dead` says of an object that becomes one of two words: clears the words behind those, so that
/// nothing in them looks like an object (`LDV_recordDead_FILL_SLOP_DYNAMIC`).
///
/// # Safety
/// `mutator` is live and the calling thread's; `object` is the address of an object, in this heap or elsewhere. The
/// object is whole; the object may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_record_dead_fill_slop(mutator: *mut Mutator, object: *mut c_void) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        with_mutator(mutator, |runtime| {
            runtime.profilers.lives.record_dead_fill_slop(&mut runtime.runtime, Addr(object as usize))
        })
    }
}

fn shown(runtime: &mut Host, by: c_char) -> Outcome<&Shown> {
    runtime.profilers.shown_lives(&mut runtime.runtime, by as u8 as char, false)
}

/// The number of censuses that the biography of the running profile has seen, or when none runs, that of the last
/// one. `by` is 'b' for the phases of -hb, or the letter of a break-down that -hb with phases restricts. While it
/// runs, its samples are as if everything died at this call; the calls for samples and bands that follow show them.
///
/// # Safety
/// `heap` is live; `out_count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_biography_samples(
    heap: *mut Host,
    by: c_char,
    out_count: *mut usize,
) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        with_heap(heap, |runtime| {
            let shown = runtime.profilers.shown_lives(&mut runtime.runtime, by as u8 as char, true)?;
            give(out_count, shown.samples.len(), "out_count")
        })
    }
}

/// The time of census number `sample` of a biography, in seconds of the mutator's CPU time, and the number of its
/// bands.
///
/// # Safety
/// `heap` is live; `out_seconds` and `out_bands` are writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_biography_sample(
    heap: *mut Host,
    by: c_char,
    sample: usize,
    out_seconds: *mut f64,
    out_bands: *mut usize,
) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        with_heap(heap, |runtime| {
            let shown = shown(runtime, by)?;
            let sample = shown.sample(sample)?;
            give(out_seconds, sample.seconds, "out_seconds")?;
            give(out_bands, shown.bands_of(&sample).len(), "out_bands")
        })
    }
}

/// Band number `index` of such a sample, and as much of its name as `name`, of `room` bytes, can hold with a NUL. Numbers
/// of objects are not kept: they are 0.
///
/// # Safety
/// `heap` is live; `out` points to a band with its `size` set; `name` has `room` writable bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_biography_band(
    heap: *mut Host,
    by: c_char,
    sample: usize,
    index: usize,
    out: *mut CensusBand,
    name: *mut c_char,
    room: usize,
) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        with_heap(heap, |runtime| {
            check_sized(out, "barrow_census_band_t")?;
            give_band(out, name, room, shown(runtime, by)?.band(sample, index)?)
        })
    }
}
