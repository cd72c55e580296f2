//! The pure function from old addresses to new ones, and the fields of objects, which it is applied to.

use super::super::mark::next_live;
use super::super::observer::Observer;
use super::super::tracer::Tracer;
use crate::base::Addr;
use crate::base::size::*;
use crate::block::descriptor::flag;
use crate::block::{Block, Chain};
use crate::heap::info::FLAG_NOTIFY_MOVED;
use crate::heap::model::{HEADER_BITS, HEADER_RECORDED, SlotSink, info_of};
use crate::heap::pinned::PinnedBlock;
use crate::heap::remember::{Entry, Remembered};
use crate::heap::space::Code;
use crate::heap::{Model, Tags};
use crate::megablock::Codes;

/// How far ahead of the walk lines are prefetched.
const LOOK_AHEAD_BYTES: usize = 192;

/// Rewrites slots. Each slot is to be handed in once: a new address looks like an old one.
#[derive(Clone, Copy)]
pub struct Forwarder<C: Codes> {
    codes: C,
    /// The code of what moves.
    code: Code,
    tags: Tags,
}

impl<C: Codes> Forwarder<C> {
    /// Where the object at `address` goes, which lies in a compacted block and is marked.
    #[inline(always)]
    pub fn new_address(&self, address: usize) -> usize {
        let bit = address / WORD_BYTES % LINE_WORDS;
        // SAFETY: compacted blocks have lines.
        let line = unsafe { &*self.codes.line(address) };
        let before = line.live & ((1 << bit) - 1);
        line.to.wrapping_add(before.count_ones() as usize * WORD_BYTES)
    }

    /// The word that a slot should hold instead of `word`, which refers to `address`.
    #[inline(always)]
    pub fn forwarded(&self, word: usize, address: usize) -> usize {
        if self.codes.at(address) != self.code.0 {
            return word;
        }
        // Tag bits, wherever they are in the word, stay as they are.
        word.wrapping_add(self.new_address(address).wrapping_sub(address))
    }

    /// As `forwarded`, for what a pointer field and a tagged field hold.
    #[inline(always)]
    pub fn pointer_word(&self, word: usize) -> usize {
        self.forwarded(word, word & !HEADER_BITS)
    }

    #[inline(always)]
    pub fn tagged_word(&self, word: usize) -> usize {
        self.forwarded(word, self.tags.address(word))
    }
}

impl<C: Codes> SlotSink for Forwarder<C> {
    #[inline(always)]
    fn pointer(&mut self, slot: Addr) {
        // SAFETY: slots come from roots and from fields of live objects.
        unsafe { slot.store(self.pointer_word(slot.load())) }
    }

    #[inline(always)]
    fn tagged(&mut self, slot: Addr) {
        // SAFETY: as above.
        unsafe { slot.store(self.tagged_word(slot.load())) }
    }
}

impl<C: Codes, O: Observer> Tracer<'_, C, O> {
    pub fn forwarder(&self) -> Forwarder<C> {
        Forwarder { codes: self.codes, code: self.marks.code, tags: self.model.tags }
    }

    /// Rewrites the fields of live objects that do not move.
    pub(super) fn update_fixed(&mut self) {
        let (mut sink, model) = (self.forwarder(), self.model);
        let done = self.spots[self.oldest_place().index()].large_done;
        for group in done.iter() {
            if group.has(flag::PINNED) {
                let block = PinnedBlock(group);
                block.each_object(|object| {
                    if block.is_reached(object) {
                        // SAFETY: a pinned object that was reached is well-formed.
                        unsafe { update_object(model, object, &mut sink) };
                    }
                });
            } else {
                // SAFETY: a large group that was reached holds a well-formed object.
                unsafe { update_object(model, group.object(), &mut sink) };
            }
        }
    }

    /// Rewrites the fields of live objects that are about to move.
    pub(super) fn update_moving(&mut self, groups: Chain) {
        for group in groups.iter() {
            self.update_group(group);
        }
    }

    fn update_group(&mut self, group: Block) {
        let (mut sink, model, codes) = (self.forwarder(), self.model, self.codes);
        let end = group.fields().free;
        let mut at = next_live(codes, group.start(), end);
        let mut ahead = at;
        while at < end {
            // SAFETY: a marked word that is not inside an object is the start of one, and objects end before `end`.
            unsafe {
                let header = at.load();
                let info = info_of(header);
                let next = at.plus_words(model.size(at, info));
                ahead = ahead.max(at);
                let upto = at.plus_bytes(LOOK_AHEAD_BYTES).min(end);
                while ahead < upto {
                    codes.prefetch_line(ahead.load());
                    ahead = ahead.plus_words(1);
                }
                model.each_slot(at, info, &mut sink);
                if info.flags & FLAG_NOTIFY_MOVED != 0 {
                    group.fields().flags |= flag::TOLD;
                }
                if header & HEADER_RECORDED != 0 {
                    let new = Addr(sink.new_address(at.0));
                    self.record_moved(new);
                }
                at = next_live(codes, next, end);
            }
        }
    }

    /// Everything is in the oldest generation now, but what was recorded may be written to without a barrier.
    #[cold]
    fn record_moved(&mut self, object: Addr) {
        let oldest = self.store.oldest() as u8;
        if oldest > 0 {
            self.remember_for(oldest, Entry::new(Remembered::Object, object));
        }
    }
}

/// # Safety
/// A well-formed object lies here.
unsafe fn update_object<C: Codes>(model: Model, object: Addr, sink: &mut Forwarder<C>) {
    // SAFETY: the caller's promise.
    unsafe { model.each_slot(object, info_of(object.load()), sink) }
}
