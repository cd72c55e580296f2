//! Roots are rewritten once each, however often a client names them.
//!
//! A new address looks like an old one, so a slot that was rewritten must not be rewritten again. Clients may name a
//! root twice: in two ranges that overlap, or in a range and in their callback. So the slots that were rewritten are
//! kept in a set, in the memory of the mark stack, which is empty by now. When that is too small for all of them, the
//! slots are dealt with in parts, by a hash: then the roots are visited once for each part. So the set needs no memory
//! that is not there, however many roots there are. Tables of our own are visited once.

use super::super::observer::Observer;
use super::super::tracer::Tracer;
use super::Forwarder;
use crate::base::Addr;
use crate::heap::object::model::SlotSink;
use crate::heap::root::frame::{Visitor, visit_frames, visit_llvm_frames};
use crate::heap::{Mutator, Store};
use crate::megablock::Codes;

/// Entries of the set for each slot in it, so that it is never full: slots are spread evenly over the parts.
const ENTRIES_PER_SLOT: usize = 2;

impl<C: Codes, O: Observer> Tracer<'_, C, O> {
    /// Rewrites all roots that the heap knows, and those of the client's callback.
    pub(super) fn update_roots(&mut self, mutator: &mut Mutator, get_roots: &mut dyn FnMut(&mut Visitor)) {
        let forwarder = self.forwarder();
        self.update_own_tables(mutator);
        let mut count = Counter { forwarder, moving: 0 };
        each_root(self.store, mutator, get_roots, &mut count);
        if count.moving == 0 {
            return;
        }
        let wanted = count.moving * ENTRIES_PER_SLOT;
        let (start, most) = self.marks.room();
        // No more of it than is wanted, or a large heap would fill much memory for a few roots.
        let (entries, parts) = (most.min(wanted), wanted.div_ceil(most) as u64);
        for part in 0..parts {
            // SAFETY: the memory is that of the mark stack, which nobody uses any more.
            let set = unsafe { std::slice::from_raw_parts_mut(start.as_ptr::<usize>(), entries) };
            set.fill(0);
            each_root(self.store, mutator, get_roots, &mut Rewriter { forwarder, set, part, parts });
        }
    }
}

impl<C: Codes, O: Observer> Tracer<'_, C, O> {
    /// Rewrites the tables that only the library writes to, each slot of which is met once.
    fn update_own_tables(&mut self, mutator: &mut Mutator) {
        let mut sink = self.forwarder();
        mutator.each(|mutator| sink.pointer(Addr(&raw mut mutator.window.stack as usize)));
        planted!(46, (), self.store.stable.visit_all(&mut sink));
        for slot in self.store.weaks.queue_slots() {
            sink.pointer(slot);
        }
        for list in &mut self.store.weaks.lists {
            list.0 = Addr(sink.pointer_word(list.0.0));
        }
        self.each_static_slot(&mut sink);
    }
}

fn each_root<S: SlotSink>(
    store: &Store,
    mutator: &mut Mutator,
    get_roots: &mut dyn FnMut(&mut Visitor),
    sink: &mut S,
) {
    mutator.each(|mutator| {
        // SAFETY: frames and chain were checked before the collection began, and the client has not run since.
        unsafe {
            visit_frames(mutator.window.frames, sink);
            if !mutator.llvm_chain.is_null() {
                let _ = visit_llvm_frames(*mutator.llvm_chain, sink);
            }
        }
        mutator.native.visit(&store.stack_maps, sink);
    });
    for root in store.registered.iter() {
        root.visit(sink);
    }
    get_roots(&mut Visitor::new(sink));
}

/// Counts the slots that have to change, repetitions included.
struct Counter<C: Codes> {
    forwarder: Forwarder<C>,
    moving: usize,
}

impl<C: Codes> SlotSink for Counter<C> {
    const AHEAD: bool = true;

    fn pointer(&mut self, slot: Addr) {
        // SAFETY: the slot is a root.
        let word = unsafe { slot.load() };
        self.moving += (self.forwarder.pointer_word(word) != word) as usize;
    }

    fn tagged(&mut self, slot: Addr) {
        // SAFETY: as above.
        let word = unsafe { slot.load() };
        self.moving += (self.forwarder.tagged_word(word) != word) as usize;
    }
}

/// Rewrites the slots of one part, each once.
struct Rewriter<'a, C: Codes> {
    forwarder: Forwarder<C>,
    /// Slots that were rewritten, by open addressing; 0 where there is none.
    set: &'a mut [usize],
    part: u64,
    parts: u64,
}

impl<C: Codes> Rewriter<'_, C> {
    /// A slot that was rewritten is not looked at again: its new address may be that of anything that has not moved yet.
    fn rewrite(&mut self, slot: Addr, forwarded: impl FnOnce(&Forwarder<C>, usize) -> usize) {
        // Multiplicative hashing, with two numbers, so that the slots of one part are spread over the whole set.
        let spread =
            |odd: u64, over: u64| (((slot.0 as u64).wrapping_mul(odd) as u128 * over as u128) >> 64) as u64;
        if spread(0xc2b2_ae3d_27d4_eb4f, self.parts) != self.part {
            return;
        }
        let mut index = spread(0x9e37_79b9_7f4a_7c15, self.set.len() as u64) as usize;
        while self.set[index] != 0 {
            if planted!(104, false, self.set[index] == slot.0) {
                return;
            }
            index = (index + 1) % self.set.len();
        }
        // SAFETY: the slot is a root.
        let word = unsafe { slot.load() };
        let new = forwarded(&self.forwarder, word);
        if new != word {
            self.set[index] = slot.0;
            // SAFETY: as above.
            unsafe { slot.store(new) };
        }
    }
}

impl<C: Codes> SlotSink for Rewriter<'_, C> {
    const AHEAD: bool = true;

    fn pointer(&mut self, slot: Addr) {
        self.rewrite(slot, Forwarder::pointer_word);
    }

    fn tagged(&mut self, slot: Addr) {
        self.rewrite(slot, Forwarder::tagged_word);
    }
}
