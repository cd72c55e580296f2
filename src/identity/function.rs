//! Functions of the client whose entries are counted: static data with a writable `id`, numbered like cost centres.

use super::areas::Areas;
use super::text::Text;
use crate::base::list::List;
use crate::base::{Addr, Failure, Outcome};
use std::ffi::{CStr, c_char};
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A function, thunk or constructor of which entries and allocation are counted, as a compiler emits it: writable static
/// data. `BARROW_TICKY_FUNCTION` (barrow/ticky.h) fills it in C.
#[repr(C)]
pub struct TickyFunction {
    /// `sizeof(barrow_ticky_function)` as the caller knows it.
    pub size: u16,
    /// `BARROW_TICKY_EXPORTED`, or 0.
    pub flags: u16,
    /// 0 in the client's data; the library writes the function's number here.
    pub id: u32,
    pub arity: u32,
    pub reserved: u32,
    /// What reports call it; not NULL and not empty.
    pub name: *const c_char,
    /// NULL is the same as "".
    pub module: *const c_char,
    /// A letter for each argument (docs/ticky.md); NULL is the same as "".
    pub arguments: *const c_char,
    /// "fun", "fun,se", "thk", "con: Just", ...; NULL is "fun".
    pub what: *const c_char,
    /// What it is local to; NULL when it is not, or when nobody knows.
    pub parent: *const c_char,
}

/// Other modules use it: reports write Module.name, not name (Module).
pub const TICKY_EXPORTED: u16 = 1;

/// Their numbers are below this.
pub const MOST_FUNCTIONS: u32 = 1 << 20;

/// What is known of a function. All texts are UTF-8.
pub struct Function {
    pub name: &'static CStr,
    pub module: &'static CStr,
    pub arguments: &'static CStr,
    pub what: &'static CStr,
    pub parent: &'static CStr,
    pub arity: u32,
    pub exported: bool,
    /// Where the client's data of it lies; 0 when it is gone.
    at: AtomicUsize,
}

static FUNCTIONS: Areas<Function> = Areas::new();
static COUNT: AtomicU32 = AtomicU32::new(0);

pub(super) struct State {
    text: Text,
    /// Numbers of functions whose data is gone.
    gone: List<u32>,
}

pub(super) fn hold() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

static STATE: Mutex<State> = Mutex::new(State { text: Text::new(), gone: List::new() });

/// How many functions there are. Their numbers are 1 to this.
pub fn count() -> u32 {
    COUNT.load(Ordering::Acquire)
}

/// The function of a number; `None` when nobody was given that number.
pub fn function(number: u32) -> Option<&'static Function> {
    let index = number.checked_sub(1)?;
    if number > count() {
        return None;
    }
    // SAFETY: entries below the count are written and are never changed but for their atomics.
    unsafe { FUNCTIONS.at(index as usize).as_ref() }
}

/// What the client's data says, not copied yet.
struct Wanted<'a> {
    texts: [&'a CStr; 5],
    arity: u32,
    exported: bool,
}

impl Wanted<'_> {
    fn is(&self, f: &Function) -> bool {
        self.texts == [f.name, f.module, f.arguments, f.what, f.parent]
            && (self.arity, self.exported) == (f.arity, f.exported)
    }
}

/// # Safety
/// `of` points to a function whose strings end with NUL.
unsafe fn wanted<'a>(of: *mut TickyFunction) -> Outcome<Wanted<'a>> {
    // SAFETY: the caller's promise: so below.
    let (size, flags) = unsafe { ((*of).size, (*of).flags) };
    if (size as usize) < size_of::<TickyFunction>() || flags & !TICKY_EXPORTED != 0 {
        return Err(Failure::argument(format_args!(
            "the function at {of:?} has size {size} and flags {flags:#x}; this library reads size {} or more and the flag {TICKY_EXPORTED}",
            size_of::<TickyFunction>()
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

fn id_of(of: *mut TickyFunction) -> *mut u32 {
    // SAFETY: only the address of the field is taken.
    unsafe { &raw mut (*of).id }
}

/// The number of a function, which gets one now if it has none.
///
/// # Safety
/// `of` is null or points to a function, which stays until `forget` is told of it.
pub unsafe fn register(of: *mut TickyFunction) -> Outcome<u32> {
    if of.is_null() || !of.is_aligned() {
        return Err(Failure::argument(format_args!("{of:?} is no function to count")));
    }
    // SAFETY: the client's writable word, which all read and write as an atomic.
    let id = unsafe { AtomicU32::from_ptr(id_of(of)) };
    let known = id.load(Ordering::Acquire);
    if known != 0 {
        return match function(known) {
            Some(function) if function.at.load(Ordering::Relaxed) == of as usize => Ok(known),
            _ => Err(Failure::argument(format_args!(
                "the function at {of:?} has the number {known}, which was not given to it: its id was not 0 at first"
            ))),
        };
    }
    // SAFETY: the caller's promise.
    let wanted = unsafe { wanted(of)? };
    let mut state = hold();
    if id.load(Ordering::Acquire) != 0 {
        // Another thread was faster.
        return Ok(id.load(Ordering::Acquire));
    }
    let number = match returned(&mut state, &wanted) {
        Some(number) => number,
        None => add(&mut state, &wanted)?,
    };
    if let Some(function) = function(number) {
        function.at.store(of as usize, Ordering::Relaxed);
    }
    id.store(number, Ordering::Release);
    Ok(number)
}

/// A module that was unloaded and is back has the numbers that it had.
fn returned(state: &mut State, wanted: &Wanted<'_>) -> Option<u32> {
    let same = |number: &u32| function(*number).is_some_and(|function| wanted.is(function));
    let at = state.gone.iter().position(same)?;
    Some(state.gone.swap_remove(at))
}

fn add(state: &mut State, wanted: &Wanted<'_>) -> Outcome<u32> {
    let number = count() + 1;
    if number >= MOST_FUNCTIONS {
        return Err(Failure::no_memory(format_args!(
            "entries of {} functions are counted, which is as many as there can be",
            MOST_FUNCTIONS - 1
        )));
    }
    // One day everything may be unloaded at once, and that cannot fail.
    let held = state.gone.len();
    state.gone.reserve(number as usize - held)?;
    let place = FUNCTIONS.room(number as usize - 1)?;
    let mut kept = [c""; 5];
    for (kept, text) in kept.iter_mut().zip(wanted.texts) {
        *kept = state.text.keep(text)?;
    }
    let [name, module, arguments, what, parent] = kept;
    let (arity, exported) = (wanted.arity, wanted.exported);
    let function =
        Function { name, module, arguments, what, parent, arity, exported, at: AtomicUsize::new(0) };
    // SAFETY: the table has made room here, and nobody reads it before the count says so.
    unsafe { place.write(function) };
    COUNT.store(number, Ordering::Release);
    Ok(number)
}

/// Data of the client from `base` on, `bytes` long, is about to go. The functions there keep their numbers and names.
pub fn forget(base: Addr, bytes: usize) {
    let mut state = hold();
    for number in 1..=count() {
        let Some(function) = function(number) else { continue };
        let at = function.at.load(Ordering::Relaxed);
        if at != 0 && at.wrapping_sub(base.0) < bytes {
            function.at.store(0, Ordering::Relaxed);
            // SAFETY: the caller says that the data is still there. Should the module stay after all, the function is
            // numbered anew.
            unsafe { AtomicU32::from_ptr(id_of(at as *mut TickyFunction)) }.store(0, Ordering::Release);
            let _ = state.gone.push_within(number);
        }
    }
}
