//! Coverage at compile time: `.mix` files, which say where the boxes stand in the source.

use super::guard::{self, free_standing, give_if_wanted, refuse_null, refuse_short};
use crate::base::list::List;
use crate::base::{Failure, Outcome, Status};
use crate::profile::coverage::mix::Mix;
use crate::report::mix::{Header, Place, Stamp};
use crate::runtime::slot::{Slot, live};
use std::ffi::{CStr, c_char};

pub use crate::profile::coverage::mix::BoxKind;

/// The head of a `.mix` file. With `size`, `file` and `source` set, everything else may stay zero.
#[repr(C)]
pub struct MixOptions {
    /// `sizeof(barrow_mix_options)` as the caller knows it.
    pub size: u32,
    /// Tab stops are this far apart, 1 to 64; 0 is 8.
    pub tab_width: u32,
    /// The file to write; tools look for ".hpc/MODULE.mix". The directory exists.
    pub file: *const c_char,
    /// The source as tools will look for it, below the directory that they are started in.
    pub source: *const c_char,
    /// When the source was last changed, in seconds since 1970 and nanoseconds.
    pub seconds: i64,
    pub nanoseconds: u32,
    /// Tells versions of the module apart, in its counts too; 0 has it made from everything else in the file.
    pub hash: u32,
}

/// A box: a place in the source and what is counted there. Lines and columns count from 1, tabs reach to the next tab
/// stop, and both ends are inside.
#[repr(C)]
pub struct MixBox {
    /// `sizeof(barrow_box)` as the caller knows it.
    pub size: u32,
    /// A `barrow_box_kind`.
    pub kind: u32,
    pub first_line: u32,
    pub first_column: u32,
    pub last_line: u32,
    pub last_column: u32,
    pub names: *const *const c_char,
    pub name_count: usize,
}

/// Begins a `.mix` file. Nothing is written before `barrow_mix_end`.
///
/// # Safety
/// `options` is NULL or points to options; `out_mix` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_mix_begin(options: *const MixOptions, out_mix: *mut *mut Mix) -> Status {
    free_standing(|| {
        if options.is_null() || out_mix.is_null() {
            return Err(Failure::argument(format_args!("the options or the place for the answer are NULL")));
        }
        // SAFETY: the caller's promise; the size exists in every version, the other fields when it says so.
        unsafe {
            refuse_short((*options).size, size_of::<MixOptions>(), "the struct has")?;
            out_mix.write(make(&*options)?.into_raw());
        }
        Ok(())
    })
}

/// # Safety
/// The strings in `options` are null or end with NUL.
unsafe fn make(options: &MixOptions) -> Outcome<Slot<Mix>> {
    // SAFETY: the caller's promise.
    let source = unsafe { guard::text(options.source, "the name of the source")? };
    if options.file.is_null() || source.is_empty() {
        return Err(Failure::argument(format_args!("a .mix file needs its own name and that of the source")));
    }
    let stamp = Stamp { seconds: options.seconds, nanos: options.nanoseconds };
    let tab_width = if options.tab_width == 0 { 8 } else { options.tab_width };
    // SAFETY: the caller's promise.
    let file = unsafe { CStr::from_ptr(options.file) };
    Mix::new(file.to_bytes(), &Header { source, stamp, tab_width }, options.hash)
}

/// Adds a box, and gives its number: the index of its counter. A decision has two; that for false is the next one.
/// `out_number` may be NULL.
///
/// # Safety
/// `mix` was given by `barrow_mix_begin`; `a_box` points to a box with `name_count` names.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_mix_add(
    mix: *mut Mix,
    a_box: *const MixBox,
    out_number: *mut usize,
) -> Status {
    free_standing(|| {
        // SAFETY: the caller's promise; the size exists in every version, the other fields when it says so.
        unsafe {
            let mix = live(mix)?;
            refuse_null(a_box, "the box")?;
            refuse_short((*a_box).size, size_of::<MixBox>(), "the struct has")?;
            give_if_wanted(out_number, add(mix, &*a_box)?);
        }
        Ok(())
    })
}

/// # Safety
/// `a_box` has as many names as it says.
unsafe fn add(mix: &mut Mix, a_box: &MixBox) -> Outcome<usize> {
    let place = Place {
        first_line: a_box.first_line,
        first_column: a_box.first_column,
        last_line: a_box.last_line,
        last_column: a_box.last_column,
    };
    // SAFETY: the caller's promise.
    mix.add_box(a_box.kind, place, &unsafe { names(a_box)? })
}

/// # Safety
/// `a_box` has as many names as it says.
unsafe fn names<'a>(a_box: &MixBox) -> Outcome<List<&'a str>> {
    if a_box.name_count > 0 && a_box.names.is_null() {
        return Err(Failure::argument(format_args!("the list of {} names is NULL", a_box.name_count)));
    }
    let mut names = List::new();
    for number in 0..a_box.name_count {
        // SAFETY: the caller's promise.
        names.push(unsafe { name(*a_box.names.add(number))? })?;
    }
    Ok(names)
}

/// # Safety
/// `text` is null or ends with NUL.
unsafe fn name<'a>(text: *const c_char) -> Outcome<&'a str> {
    // SAFETY: the caller's promise.
    let name = unsafe { guard::text(text, "a name of a box")? };
    if name.is_empty() {
        return Err(Failure::argument(format_args!("a name of a box is empty")));
    }
    Ok(name)
}

/// Writes the file, under a temporary name first, and frees `mix`, even if it could not be written. The hash and the
/// number of boxes go into the module's code (barrow_coverage_module). The out-pointers may be NULL.
///
/// # Safety
/// `mix` was given by `barrow_mix_begin` and is not used afterwards; the out-pointers are NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_mix_end(mix: *mut Mix, out_hash: *mut u32, out_boxes: *mut usize) -> Status {
    free_standing(|| {
        // SAFETY: the caller's promise.
        unsafe {
            live(mix)?;
            let (hash, boxes) = Slot::from_raw(mix).write()?;
            give_if_wanted(out_hash, hash);
            give_if_wanted(out_boxes, boxes);
        }
        Ok(())
    })
}

/// Frees `mix`; nothing is written.
///
/// # Safety
/// `mix` was given by `barrow_mix_begin` and is not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn barrow_mix_cancel(mix: *mut Mix) -> Status {
    free_standing(|| {
        // SAFETY: the caller's promise.
        unsafe {
            live(mix)?;
            drop(Slot::from_raw(mix));
        }
        Ok(())
    })
}
