//! Info tables of the library's own objects. They lie in writable memory, as a client's do, since numbers are written
//! into them.

use crate::base::Addr;
use crate::heap::object::info::{FLAG_INHERENTLY_USED, FLAG_MUTABLE, Info, Kind, Names};
use std::cell::UnsafeCell;
use std::ffi::CStr;

#[repr(transparent)]
pub(crate) struct OwnInfo(UnsafeCell<Info>);

// SAFETY: nothing but `id` is ever written, and that by compare-and-swap.
unsafe impl Sync for OwnInfo {}

struct OwnNames(Names);
// SAFETY: names are constant.
unsafe impl Sync for OwnNames {}

impl OwnInfo {
    pub(crate) fn address(&self) -> Addr {
        Addr(self.0.get() as usize)
    }
}

const fn names(description: &'static CStr) -> OwnNames {
    OwnNames(Names {
        description: description.as_ptr(),
        type_name: description.as_ptr(),
        module: c"barrow".as_ptr(),
        source: std::ptr::null(),
    })
}

const fn own(kind: Kind, flags: u8, ptrs: u32, words: u32, names: &'static OwnNames) -> OwnInfo {
    OwnInfo(UnsafeCell::new(Info { flags, names: &raw const names.0, ..Info::plain(kind, ptrs, words) }))
}

static WEAK_NAMES: OwnNames = names(c"WEAK");
static PENDING_NAMES: OwnNames = names(c"WEAK (finalizer waits)");
static DEAD_NAMES: OwnNames = names(c"DEAD_WEAK");
static NAME_NAMES: OwnNames = names(c"STABLE_NAME");
static STACK_NAMES: OwnNames = names(c"STACK");
static STOP_NAMES: OwnNames = names(c"STOP_FRAME");
static GAP_NAMES: OwnNames = names(c"GAP");

/// Whether an info table is one of these.
pub(crate) fn is_own(info: Addr) -> bool {
    [&WEAK, &PENDING, &DEAD, &STABLE_NAME, &STACK, &STOP].iter().any(|own| own.address() == info)
}

/// A weak pointer: the collector's weak phase alone visits its fields.
pub(crate) static WEAK: OwnInfo = own(Kind::Weak, 0, 3, 3, &WEAK_NAMES);
/// A weak pointer whose finalizer waits: its fields are kept alive, and the next one in the queue.
pub(crate) static PENDING: OwnInfo = own(Kind::Constr, FLAG_INHERENTLY_USED, 4, 2, &PENDING_NAMES);
/// A dead weak pointer: as large as before, and nothing in it.
pub(crate) static DEAD: OwnInfo = own(Kind::Constr, FLAG_INHERENTLY_USED, 0, 6, &DEAD_NAMES);
pub(crate) static STABLE_NAME: OwnInfo = own(Kind::StableName, 0, 0, 1, &NAME_NAMES);
/// A stack, or a chunk of one.
pub(crate) static STACK: OwnInfo = own(Kind::Stack, FLAG_MUTABLE, 0, 0, &STACK_NAMES);
/// The end of a stack, or of one chunk of it: a frame with the next chunk.
pub(crate) static STOP: OwnInfo = own(Kind::StopFrame, 0, 1, 0, &STOP_NAMES);
/// Words between objects of the oldest generation in which nothing lives: laid out as an array of bytes.
pub(crate) static GAP: OwnInfo = own(Kind::Bytes, 0, 0, 0, &GAP_NAMES);
/// A gap of one word, which no other object has.
pub(crate) static GAP_WORD: OwnInfo = own(Kind::Constr, 0, 0, 0, &GAP_NAMES);
