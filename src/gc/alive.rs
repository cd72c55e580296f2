//! Whether a collection has reached an object, and where it is now. The one place that knows: the weak phase and the
//! tables that go by address ask here.

use super::observer::Observer;
use super::tracer::Tracer;
use crate::base::Addr;
use crate::block::Block;
use crate::block::descriptor::flag;
use crate::heap::model::{HEADER_BITS, HEADER_FORWARDED};
use crate::heap::pinned::PinnedBlock;
use crate::heap::space::Code;
use crate::megablock::Codes;

impl<C: Codes, O: Observer> Tracer<'_, C, O> {
    /// Where an object of which this was the address is now; `None` when it was not reached. What is not in a
    /// collected generation is alive, null and foreign addresses included.
    pub fn where_now(&self, address: Addr) -> Option<Addr> {
        let code = Code(self.codes.at(address.0));
        if code.moves_up_to(self.last) {
            // SAFETY: a pointer into a block of small objects is the address of one.
            let header = unsafe { address.load() };
            return (header & HEADER_FORWARDED != 0).then_some(Addr(header & !HEADER_BITS));
        }
        if code.is_none() || !code.is_fixed() || code.place() > self.last {
            return Some(address);
        }
        if !code.is_saved() {
            return None;
        }
        let group = Block::of(address).head();
        let reached = !group.has(flag::PINNED) || PinnedBlock(group).is_reached(address);
        reached.then_some(address)
    }

    pub fn is_alive(&self, address: Addr) -> bool {
        self.where_now(address).is_some()
    }

    /// The generation that an object will be in; the oldest for what is outside the heap.
    pub fn generation_now(&self, address: Addr) -> usize {
        let code = Code(self.codes.at(address.0));
        if code.is_none() { self.store.oldest() } else { code.generation() as usize }
    }
}
