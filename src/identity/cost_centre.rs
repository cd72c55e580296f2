//! Cost centres: the places of a program to which costs are booked.
//!
//! A centre is static data of the client with an `id`. It is numbered when it is registered, or when it is
//! first entered; its texts are copied here then.

use super::numbered::{Numbered, Registry, State};
use super::text::Text;
use crate::base::{Addr, Failure, Outcome};
use std::ffi::{CStr, c_char};
use std::sync::MutexGuard;

/// A cost centre, as a compiler emits it: static data, writable where it is to be entered quickly. `BARROW_CC`
/// (barrow/inline.h) fills it in C.
#[repr(C)]
pub struct CostCentre {
    /// `sizeof(barrow_cc)` as the caller knows it.
    pub size: u16,
    /// `BARROW_CC_CAF`, or 0.
    pub flags: u16,
    /// 0 in the client's data; the library writes the centre's number here, unless the memory is read-only.
    pub id: u32,
    /// The name in reports; not NULL and not empty.
    pub label: *const c_char,
    /// NULL is the same as "".
    pub module: *const c_char,
    /// The place in the source: "File.src:3:1-20", "File.src:(3,1)-(5,20)"; NULL is "<no location info>".
    pub source: *const c_char,
}

/// The costs that a definition has once, when it is evaluated: a module's, or one definition's.
pub const CC_CAF: u16 = 1;

/// The texts and flags of a centre.
pub struct Centre {
    /// The label; like the two texts below, it is UTF-8.
    pub label: &'static CStr,
    pub module: &'static CStr,
    pub source: &'static CStr,
    pub is_caf: bool,
}

/// Number of the library's own centres, which are numbered from 1 in the order of `ccs::Special`.
pub const SPECIAL_CENTRES: u32 = 7;

const fn special(label: &'static CStr, module: &'static CStr) -> Centre {
    Centre { label, module, source: c"<built-in>", is_caf: false }
}

static SPECIAL: [Centre; SPECIAL_CENTRES as usize] = [
    special(c"MAIN", c"MAIN"),
    special(c"SYSTEM", c"SYSTEM"),
    special(c"GC", c"GC"),
    special(c"OVERHEAD_of", c"PROFILING"),
    special(c"DONT_CARE", c"MAIN"),
    special(c"PINNED", c"SYSTEM"),
    special(c"IDLE", c"IDLE"),
];

static CENTRES: Registry<Centre> = Registry::new(SPECIAL_CENTRES);

pub(super) fn hold() -> MutexGuard<'static, State> {
    CENTRES.hold()
}

/// Number of centres. They are numbered from 1.
pub fn count() -> u32 {
    CENTRES.count()
}

/// The centre of a number; `None` for a number that was not given yet.
pub fn centre(number: u32) -> Option<&'static Centre> {
    let own = SPECIAL.get((number as usize).wrapping_sub(1));
    own.or_else(|| CENTRES.get(number))
}

/// The centre of MAIN.
pub fn main() -> &'static Centre {
    &SPECIAL[0]
}

/// The texts and flags in the client's data of a centre.
pub struct Wanted<'a> {
    label: &'a CStr,
    module: &'a CStr,
    source: &'a CStr,
    is_caf: bool,
}

/// # Safety
/// `text` is null or ends with NUL.
unsafe fn text<'a>(text: *const c_char, otherwise: &'a CStr, what: &str) -> Outcome<&'a CStr> {
    if text.is_null() {
        return Ok(otherwise);
    }
    // SAFETY: the caller's promise.
    let text = unsafe { CStr::from_ptr(text) };
    match text.to_str() {
        Ok(_) => Ok(text),
        Err(_) => Err(Failure::argument(format_args!("the {what} of a cost centre is not valid UTF-8"))),
    }
}

impl Numbered for Centre {
    type Emitted = CostCentre;
    type Wanted<'a> = Wanted<'a>;
    const WHAT: &'static str = "cost centre";
    const MOST: u32 = u32::MAX;

    fn id_of(emitted: *mut CostCentre) -> *mut u32 {
        // SAFETY: only the address of the field is taken.
        unsafe { &raw mut (*emitted).id }
    }

    unsafe fn read<'a>(cc: *mut CostCentre) -> Outcome<Wanted<'a>> {
        // SAFETY: the caller's promise.
        let (size, flags) = unsafe { ((*cc).size, (*cc).flags) };
        if (size as usize) < size_of::<CostCentre>() || flags & !CC_CAF != 0 {
            return Err(Failure::argument(format_args!(
                "the cost centre at {cc:?} has size {size} and flags {flags:#x}; this library reads size {} or more and the flag {CC_CAF}",
                size_of::<CostCentre>()
            )));
        }
        // SAFETY: the caller's promise.
        let wanted = unsafe {
            Wanted {
                label: text((*cc).label, c"", "label")?,
                module: text((*cc).module, c"", "module")?,
                source: text((*cc).source, c"<no location info>", "source")?,
                is_caf: flags & CC_CAF != 0,
            }
        };
        if wanted.label.is_empty() {
            return Err(Failure::argument(format_args!("the cost centre at {cc:?} has no label")));
        }
        Ok(wanted)
    }

    fn keep(wanted: &Wanted<'_>, text: &mut Text) -> Outcome<Centre> {
        Ok(Centre {
            label: text.keep(wanted.label)?,
            module: text.keep(wanted.module)?,
            source: text.keep(wanted.source)?,
            is_caf: wanted.is_caf,
        })
    }

    fn is(&self, wanted: &Wanted<'_>) -> bool {
        (self.label, self.module, self.source, self.is_caf)
            == (wanted.label, wanted.module, wanted.source, wanted.is_caf)
    }
}

/// The number of a cost centre, which a new one gets here.
///
/// # Safety
/// `cc` is null or points to a cost centre, which stays until `forget` is told of it.
pub unsafe fn register(cc: *mut CostCentre) -> Outcome<u32> {
    // SAFETY: the caller's promise.
    unsafe { CENTRES.register(cc) }
}

/// Forgets the addresses of client data that is about to go. The centres there keep their numbers and
/// names.
pub(crate) fn forget(base: Addr, bytes: usize) {
    CENTRES.forget(base, bytes);
}

/// Whether the client's data of a centre lies in this range.
pub fn lies_in(number: u32, base: Addr, bytes: usize) -> bool {
    CENTRES.lies_in(number, base, bytes)
}

/// A name as text.
pub fn as_text(name: &CStr) -> &str {
    name.to_str().unwrap_or("")
}
