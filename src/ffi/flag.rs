//! Flags: their values, the list of them, and taking them out of a program's arguments.

use super::guard::{self, with_heap};
use crate::base::flag::parted::Parted;
use crate::base::once::Once;
use crate::base::{Failure, List, Outcome, Shown, Status};
use crate::host::Host;
use std::ffi::{CStr, c_char};

/// Takes the flags between `+RTS` and `-RTS` (or the end) out of a program's arguments, and writes them into
/// `flags` as one line. `--RTS` ends the search. Nothing is changed when it fails.
///
/// # Safety
/// `argc` and `argv` are those of `main`; `flags` has `bytes` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_take_flags(
    argc: *mut i32,
    argv: *mut *mut c_char,
    flags: *mut c_char,
    bytes: usize,
) -> Status {
    // SAFETY: the caller's promise.
    guard::free_standing(|| unsafe { take_flags(argc, argv, flags, bytes) })
}

/// # Safety
/// `buffer` is null or has `bytes` bytes.
unsafe fn write_text(text: &str, buffer: *mut c_char, bytes: usize) -> Outcome<()> {
    if buffer.is_null() || bytes == 0 {
        return Err(Failure::argument(format_args!("there is no room for the answer")));
    }
    // SAFETY: the caller's promise.
    unsafe { guard::give_name(buffer, bytes, text.as_bytes()) }
}

/// Writes the value in force of a flag, such as "-A", as text that ends with NUL. Text that does not fit is cut.
///
/// # Safety
/// `heap` is live; `flag` is a string; `buffer` has `bytes` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_flag_value(
    heap: *mut Host,
    flag: *const c_char,
    buffer: *mut c_char,
    bytes: usize,
) -> Status {
    // SAFETY: the caller's promise.
    unsafe {
        with_heap(heap, |runtime| {
            let name = guard::text(flag, "flag")?;
            let value = runtime.flags.read_back(name)?.ok_or_else(|| {
                let name = Shown::told(name.as_bytes());
                Failure::argument(format_args!("the flag {name} is not known"))
            })?;
            write_text(value.as_str(), buffer, bytes)
        })
    }
}

/// All flags, one to a line, with their defaults and effects.
#[unsafe(no_mangle)]
pub extern "C" fn barrow_flags_help() -> *const c_char {
    static HELP: Once<List<u8>> = Once::new();
    match HELP.get_or_make(crate::base::flag::help) {
        Ok(text) => text.as_ptr().cast(),
        Err(failure) => {
            guard::remember_failure(&failure);
            c"".as_ptr()
        }
    }
}

/// # Safety
/// `argc` and `argv` are null or those of `main`; `flags` is null or has `bytes` bytes.
unsafe fn take_flags(
    argc: *mut i32,
    argv: *mut *mut c_char,
    flags: *mut c_char,
    bytes: usize,
) -> Outcome<()> {
    refuse_nothing_given(!argc.is_null() && !argv.is_null() && !flags.is_null() && bytes > 0)?;
    // SAFETY: the caller's promise: `argc` arguments, all strings.
    unsafe {
        let given = std::slice::from_raw_parts_mut(argv, (*argc).max(0) as usize);
        let texts = given.iter().map(|&text| CStr::from_ptr(text).to_bytes());
        let Parted { line, kept } = Parted::of(texts, bytes)?;
        guard::give_name(flags, bytes, &line)?;
        *argc = keep(given, &kept) as i32;
    }
    Ok(())
}

/// Moves the arguments of these indexes to the front, and a NULL behind them. Returns their number.
fn keep(arguments: &mut [*mut c_char], kept: &[usize]) -> usize {
    for (to, &from) in kept.iter().enumerate() {
        arguments[to] = arguments[from];
    }
    if let Some(end) = arguments.get_mut(kept.len()) {
        *end = std::ptr::null_mut();
    }
    kept.len()
}

fn refuse_nothing_given(given: bool) -> Outcome<()> {
    if given {
        return Ok(());
    }
    Err(Failure::argument(format_args!("barrow_take_flags needs argc, argv and room for the flags")))
}
