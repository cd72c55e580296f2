//! Censuses by hand, and the bands of the last one.

use super::guard::{check_sized, give, give_name, with_heap, with_mutator};
use crate::base::{Failure, Outcome, Status};
use crate::heap::Mutator;
use crate::host::Host;
use crate::identity::names::names;
use crate::profile::heap::break_down::BreakDown;
use crate::profile::heap::figures::NamedBand;
use std::ffi::c_char;

pub use crate::profile::heap::figures::{CensusBand, CensusTotals};

fn break_down(letter: c_char) -> Outcome<BreakDown> {
    let letter = letter as u8 as char;
    BreakDown::from_letter(letter).ok_or_else(|| {
        Failure::argument(format_args!(
            "there is no break-down {letter:?}; it is one of T, y, d, m, i, c and a, as in -hT"
        ))
    })
}

/// Takes a census: collects everything, and counts the live objects.
///
/// # Safety
/// `mutator` is live and the calling thread's. Every live reference is in a root.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_census(mutator: *mut Mutator) -> Status {
    // SAFETY: the caller's promise.
    unsafe { with_mutator(mutator, |runtime| runtime.take_census(mutator)) }
}

/// The sums of the last census.
///
/// # Safety
/// `heap` is live; `out` points to totals with their `size` set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_census_totals(heap: *mut Host, out: *mut CensusTotals) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        with_heap(heap, |runtime| {
            check_sized(out, "barrow_census_totals_t")?;
            out.write(CensusTotals::of(&runtime.profilers.heap.census));
            Ok(())
        })
    }
}

/// How many bands the last census has, grouped `by` kind ('T'), type ('y'), description ('d'), module ('m'), info
/// table ('i') or, while a profile notes them, producer ('c') and allocation site ('a').
///
/// # Safety
/// `heap` is live; `out_count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_census_count(heap: *mut Host, by: c_char, out_count: *mut usize) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        with_heap(heap, |runtime| {
            let bands = runtime.profilers.heap.census.bands(break_down(by)?)?;
            give(out_count, bands.list().len(), "out_count")
        })
    }
}

/// Band number `index` of the last census, and as much of its name as `name`, of `room` bytes, can hold with a NUL.
/// The bands of one census add up to its live bytes. `name` may be NULL when `room` is 0.
///
/// # Safety
/// `heap` is live; `out` points to a band with its `size` set; `name` has `room` writable bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_census_band(
    heap: *mut Host,
    by: c_char,
    index: usize,
    out: *mut CensusBand,
    name: *mut c_char,
    room: usize,
) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        with_heap(heap, |runtime| {
            check_sized(out, "barrow_census_band_t")?;
            let band = runtime.profilers.heap.census.band(break_down(by)?, index)?;
            give_band(out, name, room, band)
        })
    }
}

/// # Safety
/// `out` was checked; `name` is null or has `room` writable bytes.
pub(super) unsafe fn give_band(
    out: *mut CensusBand,
    name: *mut c_char,
    room: usize,
    (band, bytes, objects): NamedBand,
) -> Outcome<()> {
    let names = names();
    let text = names.text(band);
    // SAFETY: the caller's promise.
    unsafe {
        give_name(name, room, text)?;
        let (size, name_length) = (size_of::<CensusBand>() as u32, text.len() as u32);
        out.write(CensusBand { size, name_length, bytes, objects });
    }
    Ok(())
}
