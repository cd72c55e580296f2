//! The environment of the process, as whoever started it wants it.

use crate::base::{List, Outcome};
use std::ffi::CStr;

/// Whether the process has more rights than whoever started it: its environment is not to be trusted then.
fn has_more_rights() -> bool {
    // SAFETY: a pure question.
    unsafe { libc::getauxval(libc::AT_SECURE) != 0 }
}

/// A copy of a variable; empty where there is none, or where the process has more rights than whoever started it.
pub(crate) fn variable(name: &CStr) -> Outcome<List<u8>> {
    let mut copy = List::new();
    if has_more_rights() {
        return Ok(copy);
    }
    // SAFETY: the name ends with NUL; the value does, and it is copied before anything else runs here. A program that changes its
    // environment in one thread may not read it in another, as with `getenv` anywhere.
    let value = unsafe { libc::getenv(name.as_ptr()) };
    if !value.is_null() {
        // SAFETY: as above.
        copy.append(unsafe { CStr::from_ptr(value) }.to_bytes())?;
    }
    Ok(copy)
}
