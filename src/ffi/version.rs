//! Versions, codes and sentences.

use super::guard;
use crate::base::Status;
use std::ffi::c_char;

/// Clients compiled for another major version are refused.
pub const ABI_MAJOR: u32 = 0;
/// Counts additions to the ABI.
pub const ABI_MINOR: u32 = 1;

/// The last failure on this thread, as a sentence; empty when there was none. The library owns it; it stays until the next failure on
/// this thread.
#[unsafe(no_mangle)]
pub extern "C" fn barrow_last_error() -> *const c_char {
    guard::last_error()
}

/// The code of the failure that `barrow_last_error` tells of, for calls that return something else: BARROW_OK when there was
/// none.
#[unsafe(no_mangle)]
pub extern "C" fn barrow_last_status() -> Status {
    guard::last_status()
}

/// The name of a status, such as "BARROW_E_LIMIT": a constant.
#[unsafe(no_mangle)]
pub extern "C" fn barrow_status_name(status: u32) -> *const c_char {
    Status::of_number(status).map_or(c"(no such status)", Status::c_name).as_ptr()
}

/// The library's version as text, such as "0.1.0".
#[unsafe(no_mangle)]
pub extern "C" fn barrow_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// The major version of the ABI that this library has; the minor one through `minor`, unless that is NULL.
///
/// # Safety
/// `minor` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_abi_version(minor: *mut u32) -> u32 {
    if !minor.is_null() {
        // SAFETY: the caller's promise.
        unsafe { minor.write(ABI_MINOR) };
    }
    ABI_MAJOR
}
