//! Helpers of the pause of a running stack (`host::stack_pause`): the tables of frames, the gaps of frames
//! that went, and the objects of update frames.

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
