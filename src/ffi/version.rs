//! Versions, codes and sentences.

use super::guard;
use crate::base::Status;
use crate::heap::Window;
use std::ffi::c_char;
use std::mem::offset_of;

/// Clients compiled for another major version are refused.
pub const ABI_MAJOR: u32 = 0;
/// Counts additions to the ABI.
pub const ABI_MINOR: u32 = 1;

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

/// The library's version as text, such as "0.1.0".
#[unsafe(no_mangle)]
pub extern "C" fn barrow_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// The last failure on this thread, as a sentence; empty when there was none. It stays until the next failure.
#[unsafe(no_mangle)]
pub extern "C" fn barrow_last_error() -> *const c_char {
    guard::last_error()
}

/// The name of a status, such as "BARROW_E_LIMIT".
#[unsafe(no_mangle)]
pub extern "C" fn barrow_status_name(status: u32) -> *const c_char {
    const NAMES: [(&str, Status); 8] = [
        ("BARROW_OK\0", Status::Ok),
        ("BARROW_E_NOMEM\0", Status::NoMemory),
        ("BARROW_E_LIMIT\0", Status::Limit),
        ("BARROW_E_ARG\0", Status::Argument),
        ("BARROW_E_STATE\0", Status::State),
        ("BARROW_E_ABI\0", Status::Abi),
        ("BARROW_E_IO\0", Status::Io),
        ("BARROW_E_DAMAGED\0", Status::Damaged),
    ];
    let found = NAMES.iter().find(|(_, known)| *known as u32 == status);
    found.map_or("(no such status)\0", |(name, _)| name).as_ptr().cast()
}

/// The offset of a field of the window, by its name, in bytes from the mutator; -1 when there is no such
/// field. For code generators; C has `barrow_window`.
///
/// # Safety
/// `field` is NULL or a string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_window_offset(field: *const c_char) -> i64 {
    macro_rules! offsets {
        ($($name:ident),*) => { [$((stringify!($name), offset_of!(Window, $name))),*] };
    }
    let offsets = offsets![
        hp,
        hp_lim,
        frames,
        heap_base,
        heap_length,
        codes,
        remember,
        remember_lim,
        ccs,
        hp_at_ccs,
        era,
        poll,
        side,
        tagged_pointers,
        address_mask,
        address_offset,
        function,
        watch,
        entries,
        ticky,
        client,
        costs,
        ind,
        blackhole,
        stack,
        sp,
        sp_lim,
        counted,
        marks,
        reserved
    ];
    // SAFETY: the caller's promise.
    match unsafe { guard::text(field, "field") } {
        Ok(name) => offsets.iter().find(|(known, _)| *known == name).map_or(-1, |(_, offset)| *offset as i64),
        Err(failure) => {
            guard::remember_failure(&failure);
            -1
        }
    }
}
