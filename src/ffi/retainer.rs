//! Retainers: what counts as one, and the sets of the last census by retainers (`-hr`).

use super::guard::{
    check_sized, give, give_if_wanted, give_name, refuse_null, value_with_heap, with_heap, with_mutator,
};
use crate::base::{Addr, Status};
use crate::heap::Mutator;
use crate::host::Host;
use crate::identity::ccs;
use crate::profile::retainer::scheme::{RETAINERS_LAZY, RETAINERS_STRICT, RetainerScheme};
use crate::profile::retainer::set::Named;
use crate::profile::retainer::{Retainer, SetId};
use std::ffi::{c_char, c_void};

pub use crate::profile::retainer::figures::RetainerSet;

/// Kinds of objects that are retainers in strict languages, for `barrow_retainer_scheme`: those of lazy ones, which
/// are thunks, mutable objects, stacks, threads and weak pointers, and functions with their captured values.
pub const BARROW_RETAINERS_STRICT: u64 = 0x7270300000204;
/// The kinds that are retainers in lazy languages, which hold when `kinds` is 0.
pub const BARROW_RETAINERS_LAZY: u64 = 0x7240300000204;

const _: () = assert!(BARROW_RETAINERS_STRICT == RETAINERS_STRICT && BARROW_RETAINERS_LAZY == RETAINERS_LAZY);

/// Sets the rules for retainers, their names and the costs of objects, from the next census on. NULL for the
/// library's own. Sets that are there get the hash of the new scheme at once; no function of the old one is called any more.
///
/// # Safety
/// `heap` is live. The functions of the scheme stay callable until it gives way to another one, and touch the heap in no way.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_retainers_by(heap: *mut Host, scheme: *const RetainerScheme) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        with_heap(heap, |runtime| {
            let scheme = if scheme.is_null() { &RetainerScheme::OURS } else { &*scheme };
            runtime.profilers.refuse_scheme(scheme.size as usize)?;
            runtime.profilers.retainers.follow(*scheme);
            Ok(())
        })
    }
}

/// How many numbers of sets there are: all are below this. Number 0 is no set, and 1 is MANY.
///
/// # Safety
/// `heap` is live; `out_count` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_retainer_sets(heap: *mut Host, out_count: *mut usize) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        with_heap(heap, |runtime| give(out_count, runtime.profilers.retainers.sets()?.count(), "out_count"))
    }
}

/// One set of the last census.
///
/// # Safety
/// `heap` is live; `out` points to a set with its `size` set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_retainer_set(heap: *mut Host, number: u32, out: *mut RetainerSet) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        with_heap(heap, |runtime| {
            check_sized(out, "barrow_retainer_set_t")?;
            out.write(runtime.retainer_set(number)?);
            Ok(())
        })
    }
}

/// The whole name of a member of a set, as the list in a `.prof` file has it: at most `bytes` with the NUL that ends it.
/// Gives the length of the whole name.
///
/// # Safety
/// `heap` is live; `buffer` has room for `bytes`, or is NULL when that is 0; `out_length` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_retainer_name(
    heap: *mut Host,
    number: u32,
    member: u32,
    buffer: *mut c_char,
    bytes: usize,
    out_length: *mut usize,
) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        with_heap(heap, |runtime| {
            let retainer = runtime.profilers.retainers.member(number, member)?;
            let name = runtime.profilers.retainers.whole_name(retainer)?;
            give_name(buffer, bytes, &name)?;
            give(out_length, name.len(), "out_length")
        })
    }
}

/// The name of a retainer in reports: at most `bytes` with the NUL that ends it, whole, or short as in bands. Gives
/// the length of all of it.
///
/// # Safety
/// `heap` is live; `buffer` has room for `bytes`, or is NULL when that is 0; `out_length` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_retainer_text(
    heap: *mut Host,
    retainer: u32,
    whole: bool,
    buffer: *mut c_char,
    bytes: usize,
    out_length: *mut usize,
) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        with_heap(heap, |runtime| {
            let name = runtime.profilers.retainers.text(Retainer(retainer), whole)?;
            give_name(buffer, bytes, &name)?;
            give(out_length, name.len(), "out_length")
        })
    }
}

/// Asks the scheme in force about an object: whether it is a retainer, its identity (`R()` of the references: a
/// number that stays the same for the run), and its cost. Each out-pointer may be NULL.
///
/// # Safety
/// `mutator` is live and the calling thread's; `object` is a whole object of its heap. The out-pointers are NULL or
/// writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_retainer_of(
    mutator: *mut Mutator,
    object: *const c_void,
    out_is_retainer: *mut bool,
    out_retainer: *mut u32,
    out_cost: *mut u64,
) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        with_mutator(mutator, |runtime| {
            let (is_retainer, retainer, cost) = runtime.as_retainer(Addr(object as usize))?;
            give_if_wanted(out_is_retainer, is_retainer);
            give_if_wanted(out_retainer, retainer.0);
            give_if_wanted(out_cost, cost);
            Ok(())
        })
    }
}

/// The set of one object: who holds it now. Collects everything and walks over the whole heap, so it is for a debugger or a
/// question at a time. `*object` is a root for the collection, and where the object is afterwards, refused or not; 0 is the set of what
/// nothing else holds. The figures of all sets are those of this walk then, and with a profile by retainers still those of its last census. Refused while a
/// biography by retainers runs.
///
/// # Safety
/// `mutator` is live and the calling thread's. Every live reference is in a root. `object` points to the address of a whole object
/// of its heap; `out_set` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_retainer_set_of(
    mutator: *mut Mutator,
    object: *mut *mut c_void,
    out_set: *mut u32,
) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        with_mutator(mutator, |runtime| {
            refuse_null(object, "the place of the object's address")?;
            give(out_set, 0, "out_set")?;
            let set = runtime.set_of_object(mutator, &mut *object.cast())?;
            give(out_set, set.0, "out_set")
        })
    }
}

/// The identity of objects that a cost-centre stack made. 0 for a pointer to no stack.
///
/// # Safety
/// `stack` was given by this library, or is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_retainer_of_ccs(stack: *const ccs::Ccs) -> u32 {
    ccs::find(stack).map_or(0, |stack| Retainer::new(Named::Stack(stack.number)).0)
}

/// The set with one member more than another: the same number for the same members in any order. Set 0 has none;
/// MANY stays MANY. Sets are those of the profiles of the heap, and stay until `barrow_retainer_sets_free`, or until
/// a profile by retainers begins.
///
/// # Safety
/// `heap` is live; `out_set` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_retainer_set_add(
    heap: *mut Host,
    set: u32,
    retainer: u32,
    out_set: *mut u32,
) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        with_heap(heap, |runtime| {
            let larger = runtime.profilers.retainers.set_with(set, Retainer(retainer))?;
            give(out_set, larger.0, "out_set")
        })
    }
}

/// Whether a retainer is a member of a set; every one is of MANY.
///
/// # Safety
/// `heap` is live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_retainer_set_has(heap: *mut Host, set: u32, retainer: u32) -> bool {
    // SAFETY: the caller's promise.
    unsafe {
        value_with_heap(heap, false, |runtime| {
            let sets = runtime.profilers.retainers.known_sets(set)?;
            Ok(sets.is_member(Retainer(retainer), SetId(set)))
        })
    }
}

/// Member number `index` of a set.
///
/// # Safety
/// `heap` is live; `out_retainer` is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_retainer_set_member(
    heap: *mut Host,
    set: u32,
    index: u32,
    out_retainer: *mut u32,
) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        with_heap(heap, |runtime| {
            give(out_retainer, runtime.profilers.retainers.member(set, index)?.0, "out_retainer")
        })
    }
}

/// Makes the costs of all sets 0, and the store of sets when there is none.
///
/// # Safety
/// `heap` is live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_retainer_sets_refresh(heap: *mut Host) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        with_heap(heap, |runtime| {
            runtime.profilers.retainers.make_sets()?.refresh();
            Ok(())
        })
    }
}

/// Frees all sets. Refused while a profile by retainers runs.
///
/// # Safety
/// `heap` is live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_retainer_sets_free(heap: *mut Host) -> Status {
    // SAFETY: the caller's promise.
    unsafe { with_heap(heap, |runtime| runtime.profilers.free_retainer_sets()) }
}
