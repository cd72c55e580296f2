//! Every function by its place in one table, for clients that load the library.

use super::guard;
use super::version::{ABI_MAJOR, ABI_MINOR};
use crate::base::{Failure, Outcome, Status};

// `FUNCTIONS`, made by build.rs: the names of abi/table.txt, which ci/header.sh makes of the header's own prototypes.
include!(concat!(env!("BARROW_GENERATED"), "/table.rs"));

/// `barrow_functions` of barrow/table.h.
#[repr(C)]
pub struct FunctionTable {
    pub size: u32,
    pub abi_major: u32,
    pub abi_minor: u32,
    pub count: u32,
    functions: [unsafe extern "C" fn(); COUNT],
}

static TABLE: FunctionTable = FunctionTable {
    size: size_of::<FunctionTable>() as u32,
    abi_major: ABI_MAJOR,
    abi_minor: ABI_MINOR,
    count: COUNT as u32,
    functions: FUNCTIONS,
};

/// Whether a function of the header begins at this address.
pub(super) fn has(address: usize) -> bool {
    address != 0 && TABLE.functions.iter().any(|&function| function as usize == address)
}

/// The function table, for a caller that was compiled for this major version and knows a table of `size` bytes; NULL,
/// and a sentence in `barrow_last_error`, when the library has another major version or fewer functions. The one name
/// that a program which loads the library has to look up; barrow/table.h has the struct.
#[unsafe(no_mangle)]
pub extern "C" fn barrow_function_table(abi_major: u32, size: u32) -> *const FunctionTable {
    match refuse_other(abi_major).and_then(|()| refuse_larger(size)) {
        Ok(()) => &raw const TABLE,
        Err(failure) => {
            guard::remember_failure(&failure);
            std::ptr::null()
        }
    }
}

fn refuse_other(abi_major: u32) -> Outcome<()> {
    if abi_major == ABI_MAJOR {
        return Ok(());
    }
    Err(Failure::new(
        Status::Abi,
        format_args!(
            "the caller was compiled for version {abi_major} of the ABI, and this library ({}) has version {ABI_MAJOR}",
            env!("CARGO_PKG_VERSION")
        ),
    ))
}

fn refuse_larger(size: u32) -> Outcome<()> {
    let (version, ours) = (env!("CARGO_PKG_VERSION"), TABLE.size);
    if size <= ours {
        return Ok(());
    }
    let why = format_args!(
        "the caller knows a table of {size} bytes, and this library ({version}) has one of {ours}: it is older than the \
         header that the caller was compiled with"
    );
    Err(Failure::new(Status::Abi, why))
}
