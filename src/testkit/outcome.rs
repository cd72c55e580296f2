//! The outcome of a step of a program, and of a call of the library.

use crate::base::Status;
use crate::ffi::version::barrow_last_error;
use std::ffi::CStr;

pub(super) type Step = Result<(), String>;

/// The outcome of a call, with its sentence.
pub(super) fn done(status: Status, what: &str) -> Step {
    if status == Status::Ok { Ok(()) } else { Err(format!("{what}: {}: {}", status.name(), last_error())) }
}

pub(super) fn last_error() -> String {
    // SAFETY: the library gives a string that ends with NUL and lives until its next failure.
    unsafe { CStr::from_ptr(barrow_last_error()) }.to_string_lossy().into_owned()
}
