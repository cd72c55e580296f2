//! Flags: their values, the list of them, and taking them out of a program's arguments.

use super::guard::{self, with_heap};
use crate::base::{Failure, Outcome, Shown, Status};
use crate::host::Host;
use std::ffi::c_char;

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

/// # Safety
/// `buffer` is null or has `bytes` bytes.
unsafe fn write_text(text: &str, buffer: *mut c_char, bytes: usize) -> Outcome<()> {
    if buffer.is_null() || bytes == 0 {
        return Err(Failure::argument(format_args!("there is no room for the answer")));
    }
    // SAFETY: the caller's promise.
    unsafe { guard::give_name(buffer, bytes, text.as_bytes()) }
}

/// All flags, one to a line, with their defaults and effects.
#[unsafe(no_mangle)]
pub extern "C" fn barrow_flags_help() -> *const c_char {
    static HELP: once_cell::sync::OnceCell<crate::base::List<u8>> = once_cell::sync::OnceCell::new();
    let made = HELP.get_or_try_init(crate::base::flag::help);
    match made {
        Ok(text) => text.as_ptr().cast(),
        Err(failure) => {
            guard::remember_failure(&failure);
            c"".as_ptr()
        }
    }
}

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
/// `argc` and `argv` are null or those of `main`; `flags` is null or has `bytes` bytes.
unsafe fn take_flags(
    argc: *mut i32,
    argv: *mut *mut c_char,
    flags: *mut c_char,
    bytes: usize,
) -> Outcome<()> {
    if argc.is_null() || argv.is_null() || flags.is_null() || bytes == 0 {
        return Err(Failure::argument(format_args!(
            "barrow_take_flags needs argc, argv and room for the flags"
        )));
    }
    // SAFETY: the caller's promise: `argc` arguments, all strings.
    unsafe {
        let count = (*argc).max(0) as usize;
        let argument = |i: usize| std::ffi::CStr::from_ptr(*argv.add(i));
        // Twice over the arguments: first to see that everything fits, then to do it.
        for doing in [false, true] {
            let (mut inside, mut searching) = (false, true);
            let (mut kept, mut used) = (0, 0);
            for i in 0..count {
                let text = argument(i).to_bytes();
                if i > 0 && searching && text == b"--RTS" {
                    searching = false;
                    continue;
                }
                if i > 0 && searching && !inside && text == b"+RTS" {
                    inside = true;
                    continue;
                }
                if searching && inside && text == b"-RTS" {
                    inside = false;
                    continue;
                }
                if searching && inside {
                    let space = (used > 0) as usize;
                    if used + space + text.len() + 1 > bytes {
                        return Err(Failure::argument(format_args!(
                            "the flags after +RTS need more than {bytes} bytes"
                        )));
                    }
                    if doing {
                        if space > 0 {
                            flags.add(used).write(b' ' as c_char);
                        }
                        flags.add(used + space).copy_from_nonoverlapping(text.as_ptr().cast(), text.len());
                    }
                    used += space + text.len();
                    continue;
                }
                if doing {
                    *argv.add(kept) = *argv.add(i);
                }
                kept += 1;
            }
            if doing {
                flags.add(used).write(0);
                *argc = kept as i32;
                if kept < count {
                    *argv.add(kept) = std::ptr::null_mut();
                }
            }
        }
    }
    Ok(())
}
