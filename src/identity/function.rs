//! Functions of the client whose entries are counted: static data with an `id`, numbered like cost centres.

use super::numbered::{Numbered, Registry, State};
use super::text::Text;
use crate::base::{Addr, Failure, Outcome};
use std::ffi::{CStr, c_char, c_void};
use std::sync::MutexGuard;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A function, thunk or constructor of which entries and allocation are counted, as a compiler emits it: static data,
/// writable where it is to be counted quickly. `BARROW_TICKY_FUNCTION` (barrow/ticky.h) fills it in C.
#[repr(C)]
pub struct TickyFunction {
    /// `sizeof(barrow_ticky_function)` as the caller knows it.
    pub size: u16,
    /// `BARROW_TICKY_EXPORTED`, or 0.
    pub flags: u16,
    /// 0 in the client's data; the library writes the function's number here, unless the memory is read-only.
    pub id: u32,
    pub arity: u32,
    pub reserved: u32,
    /// The name in reports; not NULL and not empty.
    pub name: *const c_char,
    /// NULL is the same as "".
    pub module: *const c_char,
    /// A letter for each argument (docs/ticky.md); NULL is the same as "".
    pub arguments: *const c_char,
    /// "fun", "fun,se", "thk", "con: Just", ...; NULL is "fun".
    pub what: *const c_char,
    /// The function that it is local to; NULL for none, or when it is not known.
    pub parent: *const c_char,
    /// Address of its code, or the word that stands for it in `barrow_window.function`, by which a space
    /// profile finds its calls; NULL for no space profiles. Not read when `size` leaves it out.
    pub code: *const c_void,
}

/// Bytes of the struct without `code`.
const LEAST_BYTES: usize = std::mem::offset_of!(TickyFunction, code);

/// Other modules use it: reports write Module.name, not name (Module).
pub const TICKY_EXPORTED: u16 = 1;

/// Their numbers are below this.
pub const MOST_FUNCTIONS: u32 = 1 << 20;

/// The texts of a function, all UTF-8, and its arity and code.
pub struct Function {
    pub name: &'static CStr,
    pub module: &'static CStr,
    pub arguments: &'static CStr,
    pub what: &'static CStr,
    pub parent: &'static CStr,
    pub arity: u32,
    pub exported: bool,
    /// Address of its code, or the word that stands for it; 0 for neither.
    code: AtomicUsize,
}

impl Function {
    pub fn code(&self) -> usize {
        self.code.load(Ordering::Relaxed)
    }
}

static FUNCTIONS: Registry<Function> = Registry::new(0);

pub(super) fn hold() -> MutexGuard<'static, State> {
    FUNCTIONS.hold()
}

/// Number of functions. They are numbered from 1.
pub fn count() -> u32 {
    FUNCTIONS.count()
}

/// The function of a number; `None` for a number that was not given yet.
pub fn function(number: u32) -> Option<&'static Function> {
    FUNCTIONS.get(number)
}

/// The client's data of a function, not copied yet.
pub struct Wanted<'a> {
    texts: [&'a CStr; 5],
    arity: u32,
    exported: bool,
}

impl Numbered for Function {
    type Emitted = TickyFunction;
    type Wanted<'a> = Wanted<'a>;
    const WHAT: &'static str = "function to count";
    const MOST: u32 = MOST_FUNCTIONS;

    fn id_of(emitted: *mut TickyFunction) -> *mut u32 {
        // SAFETY: only the address of the field is taken.
        unsafe { &raw mut (*emitted).id }
    }

    unsafe fn read<'a>(of: *mut TickyFunction) -> Outcome<Wanted<'a>> {
        // SAFETY: the caller's promise: so below.
        let (size, flags) = unsafe { ((*of).size, (*of).flags) };
        if (size as usize) < LEAST_BYTES || flags & !TICKY_EXPORTED != 0 {
            return Err(Failure::argument(format_args!(
                "the function at {of:?} has size {size} and flags {flags:#x}; this library reads size {} or more and the flag {TICKY_EXPORTED}",
                LEAST_BYTES
            )));
        }
        // SAFETY: as above.
        let given = unsafe { [(*of).name, (*of).module, (*of).arguments, (*of).what, (*of).parent] };
        let mut texts = [c"", c"", c"", c"fun", c""];
        for (text, given) in texts.iter_mut().zip(given) {
            if !given.is_null() {
                // SAFETY: as above.
                *text = unsafe { CStr::from_ptr(given) };
                if text.to_str().is_err() {
                    return Err(Failure::argument(format_args!(
                        "a text of the function at {of:?} is not valid UTF-8"
                    )));
                }
            }
        }
        if texts[0].is_empty() {
            return Err(Failure::argument(format_args!("the function at {of:?} has no name")));
        }
        // SAFETY: as above.
        Ok(Wanted { texts, arity: unsafe { (*of).arity }, exported: flags & TICKY_EXPORTED != 0 })
    }

    fn keep(wanted: &Wanted<'_>, text: &mut Text) -> Outcome<Function> {
        let mut kept = [c""; 5];
        for (kept, given) in kept.iter_mut().zip(wanted.texts) {
            *kept = text.keep(given)?;
        }
        let [name, module, arguments, what, parent] = kept;
        let (arity, exported) = (wanted.arity, wanted.exported);
        let code = AtomicUsize::new(0);
        Ok(Function { name, module, arguments, what, parent, arity, exported, code })
    }

    unsafe fn came(&self, of: *mut TickyFunction) {
        // SAFETY: the caller's promise; the size tells whether there is such a field.
        let code = unsafe {
            if ((*of).size as usize) < size_of::<TickyFunction>() { std::ptr::null() } else { (*of).code }
        };
        self.code.store(code as usize, Ordering::Relaxed);
    }

    fn is(&self, wanted: &Wanted<'_>) -> bool {
        wanted.texts == [self.name, self.module, self.arguments, self.what, self.parent]
            && (wanted.arity, wanted.exported) == (self.arity, self.exported)
    }
}

/// The number of a function, which a new one gets here.
///
/// # Safety
/// `of` is null or points to a function, which stays until `forget` is told of it.
pub unsafe fn register(of: *mut TickyFunction) -> Outcome<u32> {
    // SAFETY: the caller's promise.
    unsafe { FUNCTIONS.register(of) }
}

/// Forgets the addresses of client data that is about to go. The functions there keep their numbers and
/// names.
pub(crate) fn forget(base: Addr, bytes: usize) {
    FUNCTIONS.forget(base, bytes);
}
