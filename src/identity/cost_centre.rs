//! Cost centres: the places of a program to which costs are booked.
//!
//! A centre is static data of the client with a writable `id`. It is numbered when it is registered, or when it is
//! first entered; from then on everything that is known of it is here.

use super::areas::Areas;
use super::text::Text;
use crate::base::list::List;
use crate::base::{Addr, Failure, Outcome};
use std::ffi::{CStr, c_char};
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A cost centre, as a compiler emits it: writable static data. `BARROW_CC` (barrow/inline.h) fills it in C.
#[repr(C)]
pub struct CostCentre {
    /// `sizeof(barrow_cc)` as the caller knows it.
    pub size: u16,
    /// `BARROW_CC_CAF`, or 0.
    pub flags: u16,
    /// 0 in the client's data; the library writes the centre's number here.
    pub id: u32,
    /// What reports call it; not NULL and not empty.
    pub label: *const c_char,
    /// NULL is the same as "".
    pub module: *const c_char,
    /// Where it is: "File.src:3:1-20", "File.src:(3,1)-(5,20)"; NULL is "<no location info>".
    pub source: *const c_char,
}

/// The costs that a definition has once, when it is evaluated: a module's, or one definition's.
pub const CC_CAF: u16 = 1;

/// What is known of a centre.
pub struct Centre {
    /// All three are UTF-8.
    pub label: &'static CStr,
    pub module: &'static CStr,
    pub source: &'static CStr,
    pub is_caf: bool,
    /// Where the client's data of it lies; 0 when it is gone, or was never there.
    at: AtomicUsize,
}

/// The centres that the library has itself have the numbers 1 to 7, in the order of `ccs::Special`.
pub const SPECIAL_CENTRES: u32 = 7;

const fn special(label: &'static CStr, module: &'static CStr) -> Centre {
    Centre { label, module, source: c"<built-in>", is_caf: false, at: AtomicUsize::new(0) }
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

static CENTRES: Areas<Centre> = Areas::new();
static COUNT: AtomicU32 = AtomicU32::new(SPECIAL_CENTRES);

pub(super) struct State {
    text: Text,
    /// Numbers of centres whose data is gone.
    gone: List<u32>,
}

pub(super) fn hold() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

static STATE: Mutex<State> = Mutex::new(State { text: Text::new(), gone: List::new() });

/// How many centres there are. Their numbers are 1 to this.
pub fn count() -> u32 {
    COUNT.load(Ordering::Acquire)
}

/// The centre of a number; `None` when nobody was given that number.
pub fn centre(number: u32) -> Option<&'static Centre> {
    let index = number.checked_sub(1)?;
    if let Some(own) = SPECIAL.get(index as usize) {
        return Some(own);
    }
    if number > count() {
        return None;
    }
    // SAFETY: entries below the count are written and are never changed but for their atomics.
    unsafe { CENTRES.at((index - SPECIAL_CENTRES) as usize).as_ref() }
}

/// The centre of MAIN.
pub fn main() -> &'static Centre {
    &SPECIAL[0]
}

struct Wanted<'a> {
    label: &'a CStr,
    module: &'a CStr,
    source: &'a CStr,
    is_caf: bool,
}

impl Wanted<'_> {
    fn is(&self, centre: &Centre) -> bool {
        (self.label, self.module, self.source, self.is_caf)
            == (centre.label, centre.module, centre.source, centre.is_caf)
    }
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

/// # Safety
/// `cc` points to a cost centre whose strings end with NUL.
unsafe fn wanted<'a>(cc: *mut CostCentre) -> Outcome<Wanted<'a>> {
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

fn id_of(cc: *mut CostCentre) -> *mut u32 {
    // SAFETY: only the address of the field is taken.
    unsafe { &raw mut (*cc).id }
}

/// The number of a cost centre, which gets one now if it has none.
///
/// # Safety
/// `cc` is null or points to a cost centre, which stays until `forget` is told of it.
pub unsafe fn register(cc: *mut CostCentre) -> Outcome<u32> {
    if cc.is_null() || !cc.is_aligned() {
        return Err(Failure::argument(format_args!("{cc:?} is no cost centre")));
    }
    // SAFETY: the client's writable word, which all read and write as an atomic.
    let id = unsafe { AtomicU32::from_ptr(id_of(cc)) };
    let known = id.load(Ordering::Acquire);
    if known != 0 {
        return match centre(known) {
            Some(centre) if centre.at.load(Ordering::Relaxed) == cc as usize => Ok(known),
            _ => Err(Failure::argument(format_args!(
                "the cost centre at {cc:?} has the number {known}, which was not given to it: its id was not 0 at first"
            ))),
        };
    }
    // SAFETY: the caller's promise.
    let wanted = unsafe { wanted(cc)? };
    let mut state = hold();
    if id.load(Ordering::Acquire) != 0 {
        // Another thread was faster.
        return Ok(id.load(Ordering::Acquire));
    }
    let number = match returned(&mut state, &wanted) {
        Some(number) => number,
        None => add(&mut state, &wanted)?,
    };
    if let Some(centre) = centre(number) {
        centre.at.store(cc as usize, Ordering::Relaxed);
    }
    match id.compare_exchange(0, number, Ordering::AcqRel, Ordering::Acquire) {
        Ok(_) => Ok(number),
        Err(there) => Err(Failure::argument(format_args!(
            "the id of the cost centre at {cc:?} was set to {there} while it was registered"
        ))),
    }
}

/// A module that was unloaded and is back has the centres that it had.
fn returned(state: &mut State, wanted: &Wanted<'_>) -> Option<u32> {
    let same = |number: &u32| centre(*number).is_some_and(|centre| wanted.is(centre));
    let at = state.gone.iter().position(same)?;
    Some(state.gone.swap_remove(at))
}

fn add(state: &mut State, wanted: &Wanted<'_>) -> Outcome<u32> {
    let number = count() + 1;
    // One day everything may be unloaded at once, and that cannot fail.
    let most_gone = (number - SPECIAL_CENTRES) as usize;
    let held = state.gone.len();
    state.gone.reserve(most_gone - held)?;
    let place = CENTRES.room((number - 1 - SPECIAL_CENTRES) as usize)?;
    let centre = Centre {
        label: state.text.keep(wanted.label)?,
        module: state.text.keep(wanted.module)?,
        source: state.text.keep(wanted.source)?,
        is_caf: wanted.is_caf,
        at: AtomicUsize::new(0),
    };
    // SAFETY: the table has made room here, and nobody reads it before the count says so.
    unsafe { place.write(centre) };
    COUNT.store(number, Ordering::Release);
    Ok(number)
}

/// Data of the client from `base` on, `bytes` long, is about to go. The centres there keep their numbers and names.
pub fn forget(base: Addr, bytes: usize) {
    let mut state = hold();
    for number in SPECIAL_CENTRES + 1..=count() {
        if let Some(centre) = centre(number) {
            let at = centre.at.load(Ordering::Relaxed);
            if at != 0 && at.wrapping_sub(base.0) < bytes {
                centre.at.store(0, Ordering::Relaxed);
                // SAFETY: the caller says that the data is still there. Should the module stay after all, the centre
                // is numbered anew.
                unsafe { AtomicU32::from_ptr(id_of(at as *mut CostCentre)) }.store(0, Ordering::Release);
                let _ = state.gone.push_within(number);
            }
        }
    }
}

/// A name as text.
pub fn as_text(name: &CStr) -> &str {
    name.to_str().unwrap_or("")
}

impl Centre {
    /// Whether the client's data of it lies in this range.
    pub fn lies_in(&self, base: Addr, bytes: usize) -> bool {
        let at = self.at.load(Ordering::Relaxed);
        at != 0 && at.wrapping_sub(base.0) < bytes
    }
}
