//! The environment of the process, as whoever started it wants it.

use crate::base::{List, Outcome};
use crate::os::file;
use std::ffi::CStr;

/// Whether the process has more rights than whoever started it: its environment is not to be trusted then.
fn has_more_rights() -> bool {
    // SAFETY: a pure question.
    unsafe { libc::getauxval(libc::AT_SECURE) != 0 }
}

/// A copy of a variable; empty where there is none, or where the process has more rights than whoever started it.
pub(crate) fn variable(name: &CStr) -> Outcome<List<u8>> {
    if has_more_rights() {
        return Ok(List::new());
    }
    file::variable(name).map(|value| value.unwrap_or_default())
}
