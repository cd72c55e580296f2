//! The pure function from old addresses to new ones, and the fields of objects, which it is applied to.

use super::super::marks::next_live;
use super::super::observer::Observer;
use super::super::slices::Slices;
use super::super::tracer::Tracer;
use super::together::update_elements_together;
use crate::base::Addr;
use crate::base::size::*;
use crate::block::descriptor::flag;
use crate::block::{Block, Chain};
use crate::heap::Tags;
use crate::heap::object::array::Array;
use crate::heap::object::info::{FLAG_NOTIFY_MOVED, Info};
use crate::heap::object::kind::Kinds;
use crate::heap::object::model::{HEADER_BITS, HEADER_RECORDED, SlotSink, info_of};
use crate::heap::object::weak::Weak;
use crate::heap::space::generation::Code;
use crate::heap::space::pinned::PinnedBlock;
use crate::heap::space::remember::{Entry, Remembered};
use crate::megablock::{Codes, Line};

/// Distance ahead of the walk at which lines are prefetched.
const LOOK_AHEAD_BYTES: usize = 768;

/// Rewrites slots. Each slot is to be handed in once: a new address looks like an old one.
#[derive(Clone, Copy)]
pub(crate) struct Forwarder<C: Codes> {
    pub(super) codes: C,
    /// The code of blocks whose objects move.
    code: Code,
    tags: Tags,
}

impl<C: Codes> Forwarder<C> {
    /// The new address of the marked object at `address`, which lies in a compacted block.
    #[inline(always)]
    pub(crate) fn new_address(&self, address: usize) -> usize {
        // SAFETY: compacted blocks have lines.
        new_address(unsafe { &*self.codes.line(address) }, address)
    }

    /// The word that a slot should hold instead of `word`, which refers to `address`.
    #[inline(always)]
    fn forwarded(&self, word: usize, address: usize, what: Remembered) -> usize {
        if self.codes.at(address) != self.code.0 {
            return word;
        }
        // SAFETY: compacted blocks have lines.
        let line = unsafe { &*self.codes.line(address) };
        if line.live >> (address / WORD_BYTES % LINE_WORDS) & 1 == 0 {
            return self.replaced(word, address, what);
        }
        // Tag bits, wherever they are in the word, stay as they are.
        word.wrapping_add(new_address(line, address).wrapping_sub(address))
    }

    /// Forwards a word past an unmarked object, an indirection that goes, to the object that it leads to. A pointer
    /// takes the tag of the one that replaces it; tagged words keep theirs.
    #[cold]
    #[inline(never)]
    fn replaced(&self, word: usize, address: usize, what: Remembered) -> usize {
        // SAFETY: an indirection has its value in word 1; nothing has moved yet.
        let value = unsafe { Addr(address).plus_words(1).load() };
        let end = self.forwarded(value, value & !HEADER_BITS, Remembered::Slot);
        if what == Remembered::Slot {
            end
        } else {
            word.wrapping_add((end & !HEADER_BITS).wrapping_sub(address))
        }
    }

    /// As `forwarded`, for the word of a pointer field; `tagged_word` is for tagged fields.
    #[inline(always)]
    pub(crate) fn pointer_word(&self, word: usize) -> usize {
        self.forwarded(word, word & !HEADER_BITS, Remembered::Slot)
    }

    #[inline(always)]
    pub(crate) fn tagged_word(&self, word: usize) -> usize {
        self.forwarded(word, self.tags.address(word), Remembered::TaggedSlot)
    }
}

#[inline(always)]
fn new_address(line: &Line, address: usize) -> usize {
    let before = line.live & ((1 << (address / WORD_BYTES % LINE_WORDS)) - 1);
    line.to.wrapping_add(before.count_ones() as usize * WORD_BYTES)
}

impl<C: Codes> SlotSink for Forwarder<C> {
    const AHEAD: bool = true;

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

    /// Rewrites the link as well, which leads to the next live weak pointer of the list.
    #[inline]
    fn weak(&mut self, weak: Addr) -> bool {
        let weak = Weak(weak);
        for slot in weak.slots() {
            self.pointer(slot);
        }
        weak.set_next(Addr(self.pointer_word(weak.next().0)));
        true
    }
}

/// The objects whose fields a pass rewrites.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    Others,
    Indirections,
}

impl Turn {
    #[inline(always)]
    pub(super) fn has(self, info: &Info) -> bool {
        info.is_in(Kinds::INDIRECTION) == (self == Turn::Indirections)
    }
}

/// Prefetches the lines of objects that words a little ahead of a walk may refer to. Gives how far it has come.
///
/// # Safety
/// The words from `ahead` to `end` are readable.
#[inline(always)]
pub(super) unsafe fn look_ahead<C: Codes>(codes: C, ahead: Addr, at: Addr, end: Addr) -> Addr {
    let mut ahead = ahead.max(at);
    let upto = at.plus_bytes(LOOK_AHEAD_BYTES).min(end);
    while ahead < upto {
        // SAFETY: the caller's promise.
        codes.prefetch_line(unsafe { ahead.load() });
        ahead = ahead.plus_words(1);
    }
    ahead
}

impl<C: Codes, O: Observer> Tracer<'_, C, O> {
    pub(crate) fn forwarder(&self) -> Forwarder<C> {
        Forwarder { codes: self.codes, code: self.marks.code, tags: self.model.tags }
    }

    /// Rewrites the fields of all live objects. Indirections come last: the layout of an application is found through
    /// an indirection to its function, which must still hold the function's old address.
    pub(super) fn update_objects(&mut self, groups: Chain) {
        for turn in [Turn::Others, Turn::Indirections] {
            let mut kept = self.update_fixed(turn);
            let by_workers = if turn == Turn::Others { self.update_together(groups) } else { None };
            match by_workers {
                Some(any) => kept |= any,
                None => {
                    for group in groups.iter() {
                        kept |= self.update_group_from(group, group.start(), turn);
                    }
                }
            }
            if !kept {
                return;
            }
        }
    }

    /// As `update_group_from`, for objects that do not move.
    fn update_fixed(&mut self, turn: Turn) -> bool {
        let (mut sink, model) = (self.forwarder(), self.model);
        let mut kept = false;
        let done = self.desk.spots[self.oldest_place().index()].large_done;
        let together = self.marks.together.as_ref().filter(|_| turn == Turn::Others);
        let workers = &mut self.store.workers;
        let mut update = |object: Addr| {
            // SAFETY: a reached object is well-formed.
            unsafe {
                let info = info_of(object.load());
                kept |= info.is_in(Kinds::INDIRECTION);
                if info.is_in(Kinds::ARRAY)
                    && let Some(together) = together
                    && let Some(slices) = Slices::of(Array(object), info, together.eager)
                {
                    return update_elements_together(workers, together.threads, model, sink, &slices);
                }
                if turn.has(info) {
                    model.each_slot(object, info, &mut sink);
                }
            }
        };
        for group in done.iter() {
            if group.has(flag::PINNED) {
                let block = PinnedBlock(group);
                block.each_object(|object| {
                    if planted!(39, !block.is_reached(object), block.is_reached(object)) {
                        update(object);
                    }
                });
            } else {
                update(group.object());
            }
        }
        kept
    }

    /// Rewrites the fields of objects that are about to move, from an address on. True when there are indirections among them.
    pub(super) fn update_group_from(&mut self, group: Block, from: Addr, turn: Turn) -> bool {
        let (mut sink, model, codes) = (self.forwarder(), self.model, self.codes);
        let end = group.fields().free;
        let mut at = next_live(codes, from, end);
        let mut ahead = at;
        let mut kept = false;
        while at < end {
            // SAFETY: a marked word that is not inside an object is the start of one, and objects end before `end`.
            unsafe {
                let header = at.load();
                let info = info_of(header);
                let next = at.plus_words(model.size(at, info));
                ahead = look_ahead(codes, ahead, at, end);
                kept |= info.is_in(Kinds::INDIRECTION);
                if turn.has(info) {
                    model.each_slot(at, info, &mut sink);
                    if info.flags & FLAG_NOTIFY_MOVED != 0 || header & HEADER_RECORDED != 0 {
                        self.update_special(at, header);
                    }
                }
                at = next_live(codes, next, end);
            }
        }
        kept
    }

    /// Notes an object whose client is to be told of its move, or that is recorded.
    ///
    /// # Safety
    /// A live object with this header, which has not moved yet.
    #[cold]
    pub(super) unsafe fn update_special(&mut self, object: Addr, header: usize) {
        if info_of(header).flags & FLAG_NOTIFY_MOVED != 0 {
            Block::of(object).head().fields().flags |= flag::TOLD;
        }
        if header & HEADER_RECORDED != 0 {
            self.record_moved(Addr(self.forwarder().new_address(object.0)));
        }
    }

    /// Everything is in the oldest generation now, but a recorded object may be written to without a barrier.
    #[cold]
    fn record_moved(&mut self, object: Addr) {
        let oldest = self.store.oldest() as u8;
        if oldest > 0 {
            self.remember_for(oldest, Entry::new(Remembered::Object, object));
        }
    }
}
