//! A row of the ticky report, as clients read it, and the file of `-r`.

use crate::base::flag::Flags;
use crate::base::{List, Outcome};
use crate::os::apart::Holder;
use crate::os::file::Target;
use crate::profile::cost::files::file_of_program;
use std::ffi::c_char;

/// The counts of one function, with its names, which live as long as the process.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TickyRow {
    /// `sizeof(barrow_ticky_row_t)` as the caller knows it.
    pub size: u32,
    pub number: u32,
    pub entries: u64,
    /// Bytes that its code allocated, and bytes of its own closures.
    pub allocated_by: u64,
    pub allocated_of: u64,
    pub name: *const c_char,
    pub module: *const c_char,
    pub arguments: *const c_char,
    pub what: *const c_char,
    pub parent: *const c_char,
    pub arity: u32,
    /// `BARROW_TICKY_EXPORTED`, or 0.
    pub flags: u32,
}

/// The file of `-r`, or `None`. A file that cannot be written is refused here, when the heap is made
/// [report.early].
pub(crate) fn target(flags: &Flags, files: &Holder) -> Outcome<Option<Target>> {
    if flags.ticky.is_none() {
        return Ok(None);
    }
    Ok(Some(Target::tried(&file_of(flags, files)?)?))
}

/// The name of the file of a report for which no name was given.
pub(crate) fn file_of(flags: &Flags, files: &Holder) -> Outcome<List<u8>> {
    match flags.ticky.as_ref().map(|name| name.as_str()) {
        None | Some("") => file_of_program(&flags.cost, files, ".ticky"),
        Some(name) => files.own_file(name.as_bytes()),
    }
}
