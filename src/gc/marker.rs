//! A worker that marks beside others. It writes mark bits, packets of the mark stack, and a list of what it leaves to the
//! thread that collects: nothing else in the heap [gc.together]. So what it reads does not change while it runs.
//!
//! The loop is that of `gc::mark`, with a claim where that one sets a bit: of several workers that meet an object one wins it.
//! A worker that has one entry only, as in a list, sets the bits of a line's objects in one locked step, when it comes to another
//! line. Such an object may be looked at by two [gc.together.line], of which one tells of it.

use super::aside::{Aside, Left};
use super::marks::bit;
use super::replace::is_replaceable;
use super::rings::Rings;
use super::slices::Slices;
use super::static_lists::Seen;
use super::team::{Packet, Packets, pace};
use super::told::{Told, Won};
use crate::base::Addr;
use crate::base::size::*;
use crate::base::still::claim::{claim, set};
use crate::base::still::{Look, Work};
use crate::block::Block;
use crate::block::descriptor::flag;
use crate::heap::Model;
use crate::heap::object::info::{Info, Kind};
use crate::heap::object::kind::Kinds;
use crate::heap::object::model::{HEADER_BITS, HEADER_RECORDED, SlotSink, info_of};
use crate::heap::space::generation::{Code, Place};
use crate::heap::space::pinned::PinnedBlock;
use crate::megablock::{Codes, Line};
use std::sync::atomic::{AtomicU64, Ordering};

/// The fewest entries of which half are given to a worker that has none.
const SHARED: usize = 2;

/// The knowledge that all workers of one collection share.
#[derive(Clone, Copy)]
pub(super) struct Known<'a, C: Codes> {
    pub codes: C,
    pub model: Model,
    /// The code of blocks whose objects are marked in place.
    pub code: Code,
    /// The highest place of the generations that are collected.
    pub last: Place,
    /// Bits that are 0 in the address of every object.
    pub between: usize,
    /// Whether objects stay where they are afterwards.
    pub leaves: bool,
    /// The state of statics, in a collection that follows them.
    pub statics: Option<Seen<'a>>,
    pub work: &'a Work<Packets>,
    /// A large array whose elements the workers look at first.
    pub slices: Option<&'a Slices<'a>>,
    /// The observer, if it is to be told of marked objects.
    pub told: Option<&'a dyn Told>,
    /// Whether every object is an occasion to share: in small heaps, which have several workers in tests alone.
    pub eager: bool,
}

// SAFETY: what it leads to does not change while workers run, but for the work, which is made to be shared.
unsafe impl<C: Codes> Sync for Known<'_, C> {}

pub(super) struct Marker<'a, C: Codes> {
    known: Known<'a, C>,
    aside: &'a mut Aside,
    /// The packet at hand, a stack: its end, and how far it is filled. Null for none.
    start: Addr,
    next: Addr,
    limit: Addr,
    /// The line of bits that wait to be set, or null, and these bits.
    line: *mut Line,
    bits: u64,
    /// Objects before the next look at what others want; 0 to look at once.
    left: usize,
    /// Whether an entry found no room.
    is_short: bool,
    /// Whether there was no empty packet when last asked for.
    is_out: bool,
}

/// The bits of a line's live words, as workers share them.
///
/// # Safety
/// The line exists, and while workers run it is written to by `claim` and `set` alone.
#[inline(always)]
unsafe fn live<'l>(line: *mut Line) -> &'l AtomicU64 {
    // SAFETY: the caller's promise.
    unsafe { AtomicU64::from_ptr(&raw mut (*line).live) }
}

/// Marks the words of an object, as `set_live` does; false when another worker has.
///
/// # Safety
/// The object lies in a block that is marked in place.
#[inline(always)]
unsafe fn claim_live(mut line: *mut Line, object: Addr, words: usize) -> bool {
    let here = words.min(LINE_WORDS - bit(object));
    let mut left = words - here;
    // SAFETY: the lines of a megablock are adjacent, and an object in a compacted block does not leave it. A line has one
    // object that reaches into it, so `to` has one writer.
    unsafe {
        if !claim(live(line), (!0 >> (LINE_WORDS - here)) << bit(object), 1 << bit(object)) {
            return false;
        }
        while left > 0 {
            line = line.add(1);
            let here = left.min(LINE_WORDS);
            set(live(line), !0 >> (LINE_WORDS - here));
            (*line).to = here;
            left -= here;
        }
    }
    true
}

impl<'a, C: Codes> Marker<'a, C> {
    pub(super) fn new(known: Known<'a, C>, aside: &'a mut Aside) -> Self {
        let (start, line) = (Addr::NULL, std::ptr::null_mut());
        Marker {
            known,
            aside,
            start,
            next: start,
            limit: start,
            line,
            bits: 0,
            left: 0,
            is_short: false,
            is_out: false,
        }
    }

    /// Marks what there is to mark, until nothing is left or somebody interrupts.
    pub(super) fn run(&mut self) {
        if !self.known.slices.is_none_or(|slices| self.look_through(slices)) {
            return self.end();
        }
        while let Some(packet) = self.known.work.take() {
            self.take_up(packet);
            let goes_on = self.empty();
            planted!(427, (), self.turn_to(std::ptr::null_mut()));
            if !goes_on {
                break;
            }
        }
        self.end();
    }

    fn end(&mut self) {
        self.let_go();
        if let Some(told) = self.known.told {
            told.tell_all(&mut self.aside.untold);
        }
    }

    /// Tells of an object that this worker has marked, where somebody is told.
    #[inline(always)]
    fn won(&mut self, object: Addr, words: usize) {
        if self.known.told.is_some() {
            self.turn_to(std::ptr::null_mut());
            self.note(object, words);
            self.aside.untold.settle_all();
            self.tell_some();
        }
    }

    /// Adds an object to those that are told of.
    #[inline(never)]
    fn note(&mut self, object: Addr, words: usize) {
        let group = Block::of(object).head().fields();
        let was = Place::new(group.generation as usize, group.step as usize);
        let place = self.known.code.place();
        planted!(459, (), self.aside.untold.add(Won { from: object, to: object, words, was, place }));
    }

    /// Drops the objects of a line that another worker has marked; `before` are the line's bits before this worker's were set.
    #[inline(never)]
    fn settle(&mut self, before: u64) {
        self.aside.untold.settle(|object| planted!(463, 0, before) >> bit(object) & 1 == 0);
        self.tell_some();
    }

    #[inline(never)]
    fn tell_some(&mut self) {
        if let Some(told) = self.known.told
            && self.aside.untold.is_due()
        {
            told.tell_some(&mut self.aside.untold);
        }
    }

    /// Looks at slices of an array, and marks what they lead to, until all are taken. False when the worker is to stop.
    fn look_through(&mut self, slices: &Slices) -> bool {
        let model = self.known.model;
        while let Some(slice) = slices.take() {
            let first = slices.array.element(slice.start);
            model.elements(slices.info, first, slice.len(), self);
            debug_assert!(!self.is_short, "what a slice leads to has room");
            // Packets that this or another worker has filled come before more elements, which would need others.
            loop {
                let goes_on = self.empty();
                self.turn_to(std::ptr::null_mut());
                if !goes_on {
                    return false;
                }
                let Some(packet) = self.known.work.take_one() else { break };
                self.take_up(packet);
            }
        }
        true
    }

    /// Works on this packet from now on. The one before is empty.
    fn take_up(&mut self, packet: Packet) {
        self.let_go();
        (self.start, self.next) = (packet.start, packet.start.plus_words(packet.filled));
        self.limit = packet.start.plus_words(packet.words);
    }

    /// Sets the bits that wait, and lets those of another line wait from now on.
    #[inline(always)]
    fn turn_to(&mut self, line: *mut Line) {
        if self.bits != 0 {
            // SAFETY: the line is that of an object that was met.
            let before = set(unsafe { live(self.line) }, self.bits);
            if self.known.told.is_some() {
                self.settle(before);
            }
        }
        (self.line, self.bits) = (line, 0);
    }

    /// Gives the packet at hand to whoever takes it next.
    fn let_go(&mut self) {
        if self.start.is_null() {
            return;
        }
        let packet = Packet {
            start: self.start,
            words: self.limit.words_since(self.start),
            filled: self.next.words_since(self.start),
        };
        self.known.work.put_down(packet);
        (self.start, self.next, self.limit) = (Addr::NULL, Addr::NULL, Addr::NULL);
    }

    /// Marks the objects of the packet at hand and what they lead to, as `Tracer::empty_stack` does. False when the worker is
    /// to stop; what it held is in packets and set aside.
    fn empty(&mut self) -> bool {
        let mut rings = Rings::EMPTY;
        loop {
            if self.left == 0 && !self.look_up() {
                rings.entries().for_each(|entry| self.keep(entry));
                return false;
            }
            self.left -= 1;
            let is_only = rings.is_empty() && self.next.words_since(self.start) <= 1;
            let mut fresh = Addr::NULL;
            if self.next > self.start {
                self.next = Addr(self.next.0 - WORD_BYTES);
                // SAFETY: the word was pushed.
                fresh = Addr(unsafe { self.next.load() });
                if !is_only {
                    Addr(self.known.codes.line(fresh.0) as usize).prefetch();
                }
            } else if rings.is_empty() {
                return true;
            }
            let object = if is_only { fresh } else { rings.pass(fresh, |object| self.is_marked(object)) };
            if !object.is_null() {
                self.mark(object, is_only);
            }
        }
    }

    /// Looks whether others want work, or this worker is to stop. False when it is.
    #[cold]
    fn look_up(&mut self) -> bool {
        self.left = pace(self.known.eager);
        self.is_out = false;
        match self.known.work.look(self.is_short || self.aside.is_enough()) {
            Look::ComeOut => return false,
            Look::Share => self.share(),
            Look::GoOn => {}
        }
        true
    }

    /// Gives the lower half of the packet at hand, which leads to the most as a rule, to a worker that has nothing.
    fn share(&mut self) {
        let filled = self.next.words_since(self.start);
        if filled < SHARED {
            return;
        }
        let Some(packet) = self.known.work.spare() else { return };
        let half = filled / 2;
        // SAFETY: packets are of one size, and this one is nobody else's.
        unsafe {
            packet.start.as_ptr::<usize>().copy_from_nonoverlapping(self.start.as_ptr(), half);
            std::ptr::copy(self.start.plus_words(half).as_ptr::<usize>(), self.start.as_ptr(), filled - half);
        }
        self.next = self.start.plus_words(filled - half);
        self.known.work.give(Packet { filled: planted!(405, half - 1, half), ..packet });
    }

    /// Puts an entry back that the worker holds as it stops.
    fn keep(&mut self, entry: Addr) {
        if self.next < self.limit {
            // SAFETY: `next` is below `limit`, in the packet at hand.
            unsafe { self.next.store(entry.0) };
            self.next = self.next.plus_words(1);
        } else {
            let object = entry.align_down(WORD_BYTES);
            self.aside.push_at_last(if entry == object { Left::Whole(object) } else { Left::Fields(object) });
        }
    }

    #[inline(always)]
    fn is_marked(&self, object: Addr) -> bool {
        // SAFETY: blocks that are marked in place have lines.
        unsafe { live(self.known.codes.line(object.0)).load(Ordering::Relaxed) >> bit(object) & 1 != 0 }
    }

    /// Marks an object. The bits of one that is the only entry may wait.
    #[inline(always)]
    fn mark(&mut self, entry: Addr, is_only: bool) {
        let object = entry.align_down(WORD_BYTES);
        // SAFETY: a reference into a block that is marked in place leads to an object, and such blocks have lines.
        unsafe {
            let line = self.known.codes.line(object.0);
            let header = object.load();
            let info = info_of(header);
            if entry != object {
                if info.is(Kind::Custom) {
                    return self.leave(Left::Fields(object));
                }
            } else {
                let waiting = if is_only && line == self.line { self.bits } else { 0 };
                if (live(line).load(Ordering::Relaxed) | waiting) >> bit(object) & 1 != 0 {
                    return;
                }
                // The size and the fields of a custom object are its client's functions' to say, which one thread calls.
                if info.is(Kind::Custom) || (!self.known.leaves && is_replaceable(info)) {
                    return self.leave(Left::Whole(object));
                }
                let words = self.known.model.size(object, info);
                if is_only && self.may_wait(object, header, words) {
                    self.mark_soon(line, object, words);
                } else {
                    if !claim_live(line, object, words) {
                        return;
                    }
                    self.won(object, words);
                    if header & HEADER_RECORDED != 0 && self.known.leaves {
                        planted!(406, (), self.leave(Left::Special(object)));
                    }
                }
            }
            self.look_at_fields(object, info);
        }
    }

    /// Whether nothing is wrong when two workers look at this object.
    #[inline(always)]
    fn may_wait(&self, object: Addr, header: usize, words: usize) -> bool {
        let info = info_of(header);
        header & HEADER_RECORDED == 0
            && info.is_whole_in(Kinds::TOGETHER)
            && !is_replaceable(info)
            && bit(object) + words <= LINE_WORDS
    }

    /// Lets the bits of an object wait.
    #[inline(always)]
    fn mark_soon(&mut self, line: *mut Line, object: Addr, words: usize) {
        if line != self.line {
            self.turn_to(line);
        }
        self.bits |= (!0 >> (LINE_WORDS - words)) << bit(object);
        if self.known.told.is_some() {
            self.note(object, words);
        }
    }

    /// # Safety
    /// A well-formed object with this table lies here.
    #[inline(always)]
    unsafe fn look_at_fields(&mut self, object: Addr, info: &Info) {
        let model = self.known.model;
        // SAFETY: the caller's promise.
        unsafe { model.each_slot(object, info, self) };
        if info.is_whole_in(Kinds::MENTIONING) && !info.srt.is_null() {
            let mentions = self.known.statics.is_some_and(|seen| !seen.has_table(info.srt));
            if mentions {
                self.leave(Left::Fields(object));
            }
        }
        if self.is_short {
            self.aside.push_at_last(Left::Fields(object));
        }
    }

    /// Leaves something to the thread that collects.
    #[cold]
    #[inline(never)]
    fn leave(&mut self, left: Left) {
        if !self.aside.push(left) {
            // The whole object is looked at again.
            self.is_short = true;
        }
        if self.is_short || self.aside.is_enough() {
            self.left = 0;
        }
    }

    #[inline(always)]
    fn meet(&mut self, address: usize, left: Left) {
        let code = Code(self.known.codes.at(address));
        if code != self.known.code {
            return self.meet_other(address, code, left);
        }
        if address & self.known.between != 0 {
            // The thread that collects says what is wrong.
            return self.leave(left);
        }
        if self.next == self.limit && !self.turn_over() {
            return self.mark_without_room(Addr(address));
        }
        // SAFETY: `next` is below `limit`, in the packet at hand.
        unsafe { self.next.store(address) };
        self.next = self.next.plus_words(1);
    }

    /// Marks an object without its fields, since no packet has room for it; its group is looked through later.
    #[cold]
    #[inline(never)]
    fn mark_without_room(&mut self, object: Addr) {
        if self.is_marked(object) {
            return;
        }
        if !self.aside.has_room() {
            // The object that leads here is looked at again.
            (self.is_short, self.left) = (true, 0);
            return;
        }
        // SAFETY: a reference into a block that is marked in place leads to an object, and such blocks have lines.
        unsafe {
            let header = object.load();
            let info = info_of(header);
            if info.is(Kind::Custom) || (!self.known.leaves && is_replaceable(info)) {
                return self.leave(Left::Whole(object));
            }
            let words = self.known.model.size(object, info);
            if !claim_live(self.known.codes.line(object.0), object, words) {
                return;
            }
            self.won(object, words);
            if header & HEADER_RECORDED != 0 && self.known.leaves {
                self.leave(Left::Special(object));
            }
        }
        if planted!(407, false, !Block::of(object).head().has(flag::UNSEEN)) {
            self.leave(Left::Unseen(object));
        }
    }

    /// Takes an empty packet instead of a full one. False when there is none.
    #[cold]
    #[inline(never)]
    fn turn_over(&mut self) -> bool {
        if self.is_out {
            return false;
        }
        let Some(packet) = self.known.work.spare() else {
            self.is_out = true;
            return false;
        };
        self.let_go();
        (self.start, self.next) = (packet.start, packet.start);
        self.limit = packet.start.plus_words(packet.words);
        true
    }

    /// Meets an address that is in no block whose objects are marked in place. Nothing is left to do for most.
    #[inline(never)]
    fn meet_other(&mut self, address: usize, code: Code, left: Left) {
        let is_settled = if code.is_none() {
            self.known.statics.is_none_or(|seen| !seen.is_fresh(Addr(address)))
        } else if !code.is_fixed() {
            true
        } else if code.is_saved() {
            let group = Block::of(Addr(address)).head();
            !group.has(flag::PINNED) || planted!(408, true, PinnedBlock(group).is_reached(Addr(address)))
        } else {
            code.place() > self.known.last
        };
        if !is_settled {
            self.leave(left);
        }
    }
}

impl<C: Codes> SlotSink for Marker<'_, C> {
    #[inline(always)]
    fn pointer(&mut self, slot: Addr) {
        // SAFETY: slots come from fields of well-formed objects.
        let address = unsafe { slot.load() } & !HEADER_BITS;
        if address != 0 {
            self.meet(address, Left::Pointer(slot));
        }
    }

    #[inline(always)]
    fn tagged(&mut self, slot: Addr) {
        // SAFETY: as above.
        let word = unsafe { slot.load() };
        let address = self.known.model.tags.address(word);
        if address != 0 {
            self.meet(address, Left::Tagged(slot));
        }
    }

    /// The weak phase looks at fields of weak pointers.
    fn weak(&mut self, _weak: Addr) -> bool {
        true
    }

    fn weak_elements(&mut self, array: Addr, _info: &Info) -> bool {
        self.leave(Left::Fields(array));
        true
    }

    fn frames(&mut self, stack: Addr) -> bool {
        self.leave(Left::Fields(stack));
        true
    }
}

#[cfg(test)]
#[path = "marker_tests.rs"]
mod tests;
