//! Coverage at compile time: `.mix` files, which say where the boxes stand in the source.

use super::guard::{self, free_standing};
use crate::base::list::List;
use crate::base::{Failure, Outcome, Status};
use crate::profile::coverage::mix::{Mix, SIGNATURE, decision};
use crate::report::mix::{Decision, Header, Label, Place, Stamp};
use crate::runtime::slot::{Placed, Slot};
use std::ffi::{CStr, c_char};

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

/// The kinds of boxes.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum BoxKind {
    /// How often an expression was reached.
    Expression = 0,
    /// How often an alternative was reached: right-hand side of a guard or case, branch of an `if`.
    Alternative = 1,
    /// How often a top-level declaration was entered; it has one name.
    TopLevel = 2,
    /// How often a local declaration was entered; its names are those of what encloses it, outermost first, and its own.
    Local = 3,
    /// Two boxes: how often a guard came out true, then how often false.
    Guard = 4,
    /// Two boxes: how often the condition of an `if` or a loop came out true, then false.
    Condition = 5,
    /// Two boxes: how often a condition in a comprehension came out true, then false.
    Qualifier = 6,
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
            sized((*options).size, size_of::<MixOptions>())?;
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

fn sized(said: u32, known: usize) -> Outcome<()> {
    if (said as usize) < known {
        return Err(Failure::new(
            Status::Abi,
            format_args!("the struct has {said} bytes, this library needs {known}: was size set?"),
        ));
    }
    Ok(())
}

/// # Safety
/// `mix` may be any word.
unsafe fn live<'a>(mix: *mut Mix) -> Outcome<&'a mut Mix> {
    if mix.is_null() {
        return Err(Failure::argument(format_args!("the .mix file is NULL")));
    }
    if !Mix::slots().has(mix as usize) {
        return Err(Failure::argument(format_args!("{mix:?} is no .mix file")));
    }
    // SAFETY: slots stay mapped, and the signature tells whether something lives in this one.
    let mix = unsafe { &mut *mix };
    if mix.signature != SIGNATURE {
        return Err(Failure::state(format_args!("the .mix file was ended or cancelled, or never was one")));
    }
    Ok(mix)
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
            if a_box.is_null() {
                return Err(Failure::argument(format_args!("the box is NULL")));
            }
            sized((*a_box).size, size_of::<MixBox>())?;
            let number = add(mix, &*a_box)?;
            if !out_number.is_null() {
                out_number.write(number);
            }
        }
        Ok(())
    })
}

/// # Safety
/// `a_box` has as many names as it says.
unsafe fn add(mix: &mut Mix, a_box: &MixBox) -> Outcome<usize> {
    const EXPRESSION: u32 = BoxKind::Expression as u32;
    const ALTERNATIVE: u32 = BoxKind::Alternative as u32;
    const TOP_LEVEL: u32 = BoxKind::TopLevel as u32;
    const LOCAL: u32 = BoxKind::Local as u32;
    const GUARD: u32 = BoxKind::Guard as u32;
    const CONDITION: u32 = BoxKind::Condition as u32;
    const QUALIFIER: u32 = BoxKind::Qualifier as u32;
    let place = Place {
        first_line: a_box.first_line,
        first_column: a_box.first_column,
        last_line: a_box.last_line,
        last_column: a_box.last_column,
    };
    // SAFETY: the caller's promise.
    let names = unsafe { names(a_box)? };
    match (a_box.kind, &names[..]) {
        (EXPRESSION, []) => mix.add(place, &Label::Expression { alternative: false }),
        (ALTERNATIVE, []) => mix.add(place, &Label::Expression { alternative: true }),
        (TOP_LEVEL, [name]) => mix.add(place, &Label::TopLevel(name)),
        (LOCAL, [_, ..]) => mix.add(place, &Label::Local(&names)),
        (GUARD, []) => mix.add(place, &decision(Decision::Guard)),
        (CONDITION, []) => mix.add(place, &decision(Decision::Condition)),
        (QUALIFIER, []) => mix.add(place, &decision(Decision::Qualifier)),
        (kind, names) if kind <= QUALIFIER => {
            Err(Failure::argument(format_args!("a box of kind {kind} cannot have {} names", names.len())))
        }
        (kind, _) => Err(Failure::argument(format_args!("there is no kind {kind} of boxes"))),
    }
}

/// # Safety
/// `a_box` has as many names as it says.
unsafe fn names<'a>(a_box: &MixBox) -> Outcome<List<&'a str>> {
    let mut names = List::new();
    if a_box.name_count > 0 && a_box.names.is_null() {
        return Err(Failure::argument(format_args!("the list of {} names is NULL", a_box.name_count)));
    }
    for number in 0..a_box.name_count {
        // SAFETY: the caller's promise.
        let name = unsafe { guard::text(*a_box.names.add(number), "a name of a box")? };
        if name.is_empty() {
            return Err(Failure::argument(format_args!("a name of a box is empty")));
        }
        names.push(name)?;
    }
    Ok(names)
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
            if !out_hash.is_null() {
                out_hash.write(hash);
            }
            if !out_boxes.is_null() {
                out_boxes.write(boxes);
            }
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
