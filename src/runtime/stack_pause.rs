//! What is done to the running stack before a collection, never in it: thunks under update frames are marked as under
//! evaluation, and, when asked for, update frames side by side become one.

use crate::base::Addr;
use crate::heap::object::info::{Info, Kind};
use crate::heap::object::kind::Kinds;
use crate::heap::object::model::{HEADER_BITS, HEADER_FORWARDED, info_of};
use crate::runtime::Runtime;

pub(crate) fn info_at(frame: Addr) -> &'static Info {
    // SAFETY: a frame begins with the address of its table, which lives for ever.
    unsafe { &*Addr(frame.load()).as_ptr::<Info>() }
}

pub(crate) fn gap_end(gap: Addr) -> Addr {
    // SAFETY: the first word of a gap is its length.
    gap.plus_words(unsafe { gap.load() })
}

impl Runtime {
    pub(crate) fn updatee(frame: Addr) -> Addr {
        // SAFETY: an update frame's first word is the object to be updated.
        Addr(unsafe { frame.plus_words(1).load() } & !HEADER_BITS)
    }

    pub(crate) fn updatable_kind(&self, at: Addr) -> Option<Kind> {
        if at.is_null() || !self.store.holds(at) {
            return None;
        }
        // SAFETY: a pointer into a block of objects is the address of one.
        let header = unsafe { at.load() };
        if header <= HEADER_BITS || header & HEADER_FORWARDED != 0 {
            return None;
        }
        info_of(header).kind().filter(|kind| kind.is_in(Kinds::UPDATABLE))
    }
}
