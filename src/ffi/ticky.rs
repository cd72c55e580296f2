//! Ticky counters: functions, counters as data, the report. The increments are in barrow/ticky.h.

use super::guard::{
    each_listed, free_standing, give_rows, refuse_null, text, with_mutator, with_mutator_alone,
};
use crate::base::{Failure, Outcome, Status};
use crate::heap::Mutator;
use crate::heap::mutator::ticky::{EntryCount, ROWS, Ticky};
use crate::identity::function::{self, TickyFunction};
use crate::profile::ticky::row::TickyRow;
use std::cell::UnsafeCell;
use std::ffi::{CStr, c_char};

/// Gives numbers to functions that lie side by side, in their order. A function that has a number keeps it; without
/// this call, it gets one when it is first counted. Numbers belong to no heap.
///
/// # Safety
/// `functions` points to `count` functions; they stay until `barrow_module_unregister` is told of them,
/// or for ever.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_ticky_register(functions: *mut TickyFunction, count: usize) -> Status {
    // SAFETY: the caller's promise.
    free_standing(|| unsafe {
        let bytes_of = |first: *const TickyFunction| (*first).size as usize;
        each_listed((functions, count), "the list of functions", bytes_of, |function| {
            function::register(function).map(|_| ())
        })
    })
}

/// The target of increments that cannot be counted.
struct Lost(UnsafeCell<EntryCount>);
// SAFETY: nobody reads it, so it does not matter what is there.
unsafe impl Sync for Lost {}
static LOST: Lost = Lost(UnsafeCell::new(EntryCount { entries: 0, allocated_by: 0, allocated_of: 0 }));

/// The place where entries of a function are counted: out of line part of `BARROW_TICKY_ENTER` and its like. When
/// something is wrong, one whose counts are lost. The place stays as long as the heap, or with `--mutators` until the mutator is detached.
///
/// # Safety
/// `mutator` is live and the calling thread's; `of` is a function, as for `barrow_ticky_register`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_ticky_row(mutator: *mut Mutator, of: *mut TickyFunction) -> *mut EntryCount {
    let mut row = LOST.0.get();
    // SAFETY: the caller's promise.
    unsafe {
        with_mutator(mutator, |runtime| {
            row = runtime.function_row(mutator, of)?;
            Ok(())
        });
    }
    row
}

/// Copies the counters as they are now, as many bytes as `out->size` says, and sets `out->size` to how many were copied.
/// Counters that the caller knows and the library does not are 0.
/// In a heap with several mutators, the call waits for the others as a collection does: every live reference is in a root.
///
/// # Safety
/// `mutator` is live and the calling thread's; `out` points to a struct of `out->size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_ticky_counters(mutator: *mut Mutator, out: *mut Ticky) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        with_mutator_alone(mutator, |runtime| {
            refuse_null(out, "the place for the counters")?;
            let room = (*out).size as usize;
            refuse_odd_room(room)?;
            runtime.ticky_now().copy_to(out, room);
            Ok(())
        })
    }
}

fn refuse_odd_room(bytes: usize) -> Outcome<()> {
    if bytes < 16 || !bytes.is_multiple_of(8) {
        return Err(Failure::new(
            Status::Abi,
            format_args!("the place for the counters says that it has {bytes} bytes: was size set?"),
        ));
    }
    Ok(())
}

/// The offset of a counter in `barrow_ticky`, in bytes, by its name in reports ("ALLOC_CON_ctr", "RET_NEW_hst"); -1
/// when there is none of that name.
///
/// # Safety
/// `name` is NULL or a string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_ticky_offset(name: *const c_char) -> i64 {
    let mut offset = -1;
    free_standing(|| {
        // SAFETY: the caller's promise.
        let name = unsafe { text(name, "the name of the counter")? };
        let row = ROWS.iter().find(|row| row.name == name);
        offset = row.map_or(-1, |row| row.at as i64 * 8);
        Ok(())
    });
    offset
}

/// Fills rows with the first `count` functions that were entered or have allocated in this heap, newest first.
/// `out_count` is how many there are: ask with `count` 0 first.
/// In a heap with several mutators, the call waits for the others as a collection does: every live reference is in a root.
///
/// # Safety
/// `mutator` is live and the calling thread's; `rows` has `count` rows, with its size in the first; `out_count` is NULL
/// or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_ticky_functions(
    mutator: *mut Mutator,
    rows: *mut TickyRow,
    count: usize,
    out_count: *mut usize,
) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        with_mutator_alone(mutator, |runtime| {
            let all = runtime.ticky_rows()?;
            give_rows((rows, count), &all, out_count)
        })
    }
}

/// Writes the ticky counters as they are now. `file` is the report's name; NULL is the name that the flags give it. A file
/// appears under its name when it is whole.
/// In a heap with several mutators, the call waits for the others as a collection does: every live reference is in a root.
///
/// # Safety
/// `mutator` is live and the calling thread's; `file` is NULL or a string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_ticky_report(mutator: *mut Mutator, file: *const c_char) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        with_mutator_alone(mutator, |runtime| {
            let name = if file.is_null() { None } else { Some(CStr::from_ptr(file).to_bytes()) };
            runtime.write_ticky_report(name)
        })
    }
}
