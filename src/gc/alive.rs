//! Looks up whether a collection has reached an object, and its present address. Only this file knows: the weak phase
//! and the tables that go by address ask here.

use super::observer::Observer;
use super::replace::{Circle, passes};
use super::tracer::Tracer;
use crate::base::Addr;
use crate::block::Block;
use crate::block::descriptor::flag;
use crate::heap::object::model::{HEADER_BITS, HEADER_FORWARDED, HEADER_REPLACED};
use crate::heap::space::generation::Code;
use crate::heap::space::pinned::PinnedBlock;
use crate::megablock::Codes;

impl<C: Codes, O: Observer> Tracer<'_, C, O> {
    /// The present address of the object that was at `address`, or of the object that stands for it; `None` when it was
    /// not reached. Addresses outside the collected generations are alive, null and foreign ones included.
    pub(super) fn where_now(&self, address: Addr) -> Option<Addr> {
        self.look_up(address).ok()
    }

    /// As `where_now`; the error is the object that was not reached, behind indirections that collections remove.
    pub(super) fn look_up(&self, address: Addr) -> Result<Addr, Addr> {
        let mut at = address;
        let mut circle = Circle::new(0);
        loop {
            let code = Code(self.codes.at(at.0));
            let compacted = self.marks.on && code == self.marks.code;
            let moves = code.moves_up_to(self.last) || compacted;
            // A pinned block that was reached has its new generation already; not all of its objects were reached.
            let stays = !code.is_fixed() || (code.place() > self.last && !code.is_saved());
            if !moves && (code.is_none() || stays) {
                return Ok(at);
            }
            if compacted {
                if self.is_marked(at) {
                    return Ok(at);
                }
            } else if code.is_saved() {
                let group = Block::of(at).head();
                if !group.has(flag::PINNED) || PinnedBlock(group).is_reached(at) {
                    return Ok(at);
                }
                // The object was passed by before another one saved the block, or is not referred to at all.
            }
            // SAFETY: a pointer into a block of objects is the address of one.
            let header = unsafe { at.load() };
            if header & HEADER_FORWARDED != 0 && header & HEADER_REPLACED == 0 {
                return Ok(Addr(header & !HEADER_BITS));
            }
            let passes = header & HEADER_FORWARDED != 0 || passes(header);
            if !passes || circle.closes(at.0) {
                return Err(at);
            }
            // SAFETY: word 1 of an indirection, and of a replaced object, is the word for the value.
            at = Addr(unsafe { at.plus_words(1).load() } & !HEADER_BITS);
        }
    }

    /// Whether pointers to this object were or will be replaced by pointers to another.
    pub(super) fn is_replaced(&self, at: Addr) -> bool {
        let code = Code(self.codes.at(at.0));
        let moves = self.is_unsaved(at, code) || code.moves_up_to(self.last);
        // In a pinned block that was saved, an object may not have been reached.
        let may_pass = planted!(
            676,
            code.is_fixed() && !code.is_saved() && code.place() <= self.last,
            self.may_pass(at, code)
        );
        if !moves && !may_pass {
            return false;
        }
        // SAFETY: a pointer into a block of objects is the address of one.
        let header = unsafe { at.load() };
        if header & HEADER_FORWARDED != 0 { header & HEADER_REPLACED != 0 } else { passes(header) }
    }

    pub(super) fn is_alive(&self, address: Addr) -> bool {
        self.where_now(address).is_some()
    }

    /// The generation that an object will be in; the oldest for addresses outside the heap.
    pub(super) fn generation_now(&self, address: Addr) -> usize {
        let code = Code(self.codes.at(address.0));
        if code.is_none() { self.store.oldest() } else { code.generation() as usize }
    }
}
