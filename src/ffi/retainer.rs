//! Retainers: what counts as one, and the sets of the last census by retainers (`-hr`).

use super::guard::{check_sized, give, give_name, with_heap};
use crate::base::{Failure, Outcome, Status};
use crate::census::retainer::{SetId, Sets};
use crate::runtime::Runtime;
use crate::runtime::retainers::{RETAINERS_STRICT, RetainerScheme};
use std::ffi::c_char;

/// Kinds of objects that are retainers in strict languages, for `barrow_retainer_scheme`: those of lazy ones, which are
/// thunks, what is mutable, stacks, threads and weak pointers, and functions with what they have captured.
pub const BARROW_RETAINERS_STRICT: u64 = RETAINERS_STRICT;

/// One set of retainers.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct RetainerSet {
    /// In: `sizeof(barrow_retainer_set_t)`.
    pub size: u32,
    /// How many retainers are in it; 0 for MANY, whose number is 1.
    pub members: u32,
    /// What its objects cost at the last census, and how many there were.
    pub cost: u64,
    pub objects: u64,
}

/// Says what a retainer is, how it is called, and what objects cost, from the next census on. NULL for what the library
/// thinks right.
///
/// # Safety
/// `heap` is live. The functions of the scheme stay callable as long as the heap, and touch it in no way.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_retainers_by(heap: *mut Runtime, scheme: *const RetainerScheme) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        with_heap(heap, |runtime| {
            let scheme = if scheme.is_null() { &RetainerScheme::OURS } else { &*scheme };
            if (scheme.size as usize) < size_of::<RetainerScheme>() {
                return Err(Failure::argument(format_args!(
                    "the scheme's size is {}, and not sizeof(barrow_retainer_scheme), {}",
                    scheme.size,
                    size_of::<RetainerScheme>()
                )));
            }
            if runtime.wants_retainers() {
                return Err(Failure::state(format_args!(
                    "a profile by retainers runs: its sets would mix two schemes; stop it first"
                )));
            }
            runtime.retainers.scheme = *scheme;
            Ok(())
        })
    }
}

fn sets(runtime: &Runtime) -> Outcome<&Sets> {
    runtime.retainers.sets.as_ref().ok_or_else(|| {
        Failure::state(format_args!("there are no retainer sets: no census was taken with -hr in force"))
    })
}

/// How many numbers of sets there are: all are below this. Number 0 is no set, and 1 is MANY.
///
/// # Safety
/// `heap` is live; `out_count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_retainer_sets(heap: *mut Runtime, out_count: *mut usize) -> Status {
    // SAFETY: the caller's promise.
    unsafe { with_heap(heap, |runtime| give(out_count, sets(runtime)?.count(), "out_count")) }
}

/// One set of the last census.
///
/// # Safety
/// `heap` is live; `out` points to a set with its `size` set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_retainer_set(
    heap: *mut Runtime,
    number: u32,
    out: *mut RetainerSet,
) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        with_heap(heap, |runtime| {
            let sets = known(runtime, number)?;
            check_sized(out, "barrow_retainer_set_t")?;
            let set = SetId(number);
            out.write(RetainerSet {
                size: size_of::<RetainerSet>() as u32,
                members: sets.members(set).len() as u32,
                cost: sets.cost(set),
                objects: sets.objects(set),
            });
            Ok(())
        })
    }
}

fn known(runtime: &Runtime, number: u32) -> Outcome<&Sets> {
    let sets = sets(runtime)?;
    if number == 0 || number as usize >= sets.count() {
        return Err(Failure::argument(format_args!(
            "there is no retainer set {number}; numbers are 1 to {}",
            sets.count() - 1
        )));
    }
    Ok(sets)
}

/// The whole name of a member of a set, as the list in a `.prof` file has it: at most `bytes` with the NUL that ends it.
/// Gives the length of the whole name.
///
/// # Safety
/// `heap` is live; `buffer` has room for `bytes`, or is NULL when that is 0; `out_length` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_retainer_name(
    heap: *mut Runtime,
    number: u32,
    member: u32,
    buffer: *mut c_char,
    bytes: usize,
    out_length: *mut usize,
) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        with_heap(heap, |runtime| {
            let members = known(runtime, number)?.members(SetId(number));
            let Some(&retainer) = members.get(member as usize) else {
                return Err(Failure::argument(format_args!(
                    "retainer set {number} has {} members, and no number {member}",
                    members.len()
                )));
            };
            let name = runtime.retainers.whole_name(retainer)?;
            give_name(buffer, bytes, &name)?;
            give(out_length, name.len(), "out_length")
        })
    }
}
