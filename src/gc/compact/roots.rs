//! Roots are rewritten once each, however often a client names them.
//!
//! A new address looks like an old one, so a slot that was rewritten must not be rewritten again. Clients may name a
//! root twice: in two ranges that overlap, or in a range and in their callback, or as the field of a static. So the slots
//! that change are gathered, sorted and rewritten in their order, each once, in the memory of the mark stack, which is empty by now. When
//! that is too small for all of them, the first ones are gathered and rewritten, and the roots are visited again for those
//! behind, with as much memory as they need if the system has it. So no memory is needed that is not there, however many
//! roots there are. Tables of our own are visited once. A root that the client's function hands in by its value, and a place on that
//! function's stack, which is gone when it returns, get their words while the roots are visited first.

use super::super::observer::Observer;
use super::super::tracer::Tracer;
use super::Forwarder;
use crate::base::Addr;
use crate::heap::Mutator;
use crate::heap::object::slots::{Each, SlotSink};
use crate::heap::root::frame::{Visitor, visit_frames, visit_llvm_frames};
use crate::heap::space::remember::{Entry, Remembered};
use crate::megablock::Codes;
use crate::os::fake_stack::{FakeStack, real_of_ours};
use crate::os::memory::Area;

impl<C: Codes, O: Observer> Tracer<'_, C, O> {
    /// Rewrites all roots that the heap knows, and those of the client's callback.
    pub(super) fn update_roots(&mut self, mutator: &mut Mutator, get_roots: &mut dyn FnMut(&mut Visitor)) {
        self.update_own_tables(mutator);
        let (mut start, mut words) = self.marks.room();
        let mut larger: Option<Area> = None;
        let mut after = Addr::NULL;
        loop {
            // SAFETY: the memory is that of the mark stack, which nobody uses any more, or was mapped for this.
            let entries = unsafe { std::slice::from_raw_parts_mut(start.as_ptr::<Entry>(), words) };
            let forwarder = self.forwarder();
            let calls = Calls::from_here(Addr(&raw const forwarder as usize));
            let mut gathered =
                Gathered { forwarder, entries, count: 0, after, upto: Addr(usize::MAX), met: 0, calls };
            self.each_root(mutator, get_roots, &mut gathered);
            after = gathered.rewrite();
            if planted!(649, true, gathered.upto == Addr(usize::MAX)) {
                return;
            }
            if planted!(650, false, larger.is_none()) {
                larger = Area::map((gathered.met + 1) * size_of::<Entry>());
                if let Some(area) = &larger {
                    (start, words) = (area.start(), area.bytes() / size_of::<Entry>());
                }
            }
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
        planted!(
            651,
            self.each_static_slot(&mut Each(&mut |slot, is_tagged| {
                if is_tagged { sink.tagged(slot) } else { sink.pointer(slot) }
            }))
        );
    }

    fn each_root<S: SlotSink>(
        &self,
        mutator: &mut Mutator,
        get_roots: &mut dyn FnMut(&mut Visitor),
        sink: &mut S,
    ) {
        // The code for roots has one copy, for slots of either kind.
        let mut hand = |slot, is_tagged| if is_tagged { sink.tagged(slot) } else { sink.pointer(slot) };
        let mut rare = Each(&mut hand);
        self.each_static_slot(&mut rare);
        mutator.each(|mutator| {
            // SAFETY: frames and chain were checked before the collection began, and the client has not run since.
            unsafe {
                visit_frames(mutator.window.frames, &mut rare);
                if !mutator.llvm_chain.is_null() {
                    let _ = visit_llvm_frames(*mutator.llvm_chain, &mut rare);
                }
            }
            mutator.native.visit(&self.store.stack_maps, &mut rare);
        });
        self.store.registered.visit(&mut rare);
        get_roots(&mut Visitor::new(sink));
    }
}

/// The part of this thread's stack that the client's function and those that it calls use.
struct Calls {
    /// A place above it.
    base: Addr,
    fake: Option<FakeStack>,
}

impl Calls {
    /// `base` is a variable of the function that visits the roots.
    fn from_here(base: Addr) -> Calls {
        Calls { base: real_of_ours(base), fake: FakeStack::of_this_thread() }
    }

    /// Whether a place lies between the base and a variable of a function that was called last.
    fn have(&self, place: Addr, last: Addr) -> bool {
        match self.fake.and_then(|fake| fake.below(place)) {
            Some(below) => below < self.base,
            None => place < self.base && place >= real_of_ours(last),
        }
    }
}

/// The first slots, behind `after`, that have to change: as many as there is room for.
struct Gathered<'a, C: Codes> {
    forwarder: Forwarder<C>,
    /// The slots, as entries that say which of them are tagged. The first `count` count.
    entries: &'a mut [Entry],
    count: usize,
    after: Addr,
    /// The last slot that has room; no slot behind it is gathered.
    upto: Addr,
    /// Slots behind `after` that have to change, repetitions included.
    met: usize,
    calls: Calls,
}

impl<C: Codes> Gathered<'_, C> {
    /// Rewrites a place on the stack of the function that hands it in, the first time that roots are visited. Whether it is one.
    fn is_passing(&self, slot: Addr, what: Remembered) -> bool {
        let here = Addr(&raw const slot as usize);
        if planted!(683, true, !self.calls.have(slot, here)) {
            return false;
        }
        // SAFETY: the slot is a root.
        unsafe { slot.store(self.first_time(slot.load(), what)) };
        true
    }

    /// The word that a root has to hold which is known by its value alone. The client has put down the new one when roots are visited
    /// again.
    fn first_time(&self, word: usize, what: Remembered) -> usize {
        if planted!(673, false, !self.after.is_null()) { word } else { self.new_word(word, what) }
    }

    #[inline(always)]
    fn slot(&mut self, slot: Addr, what: Remembered) {
        if self.is_passing(slot, what) {
            return;
        }
        if slot <= self.after || self.forwarded(slot, what).is_none() {
            return;
        }
        self.met += 1;
        if slot > self.upto {
            return;
        }
        if self.count == self.entries.len() {
            self.make_room();
            if slot > self.upto {
                return;
            }
        }
        self.entries[self.count] = Entry::new(what, slot);
        self.count += 1;
    }

    /// The word that a slot has to hold instead of its own.
    #[inline(always)]
    fn forwarded(&self, slot: Addr, what: Remembered) -> Option<usize> {
        // SAFETY: the slot is a root.
        let word = unsafe { slot.load() };
        let new = self.new_word(word, what);
        (new != word).then_some(new)
    }

    #[inline(always)]
    fn new_word(&self, word: usize, what: Remembered) -> usize {
        match what {
            Remembered::Slot => self.forwarder.pointer_word(word),
            _ => self.forwarder.tagged_word(word),
        }
    }

    /// Makes half of the entries free, at least: those of the last slots go, for the next visit.
    #[cold]
    fn make_room(&mut self) {
        self.sort();
        let half = self.entries.len() / 2;
        if self.count > half {
            self.count = half;
            self.upto = self.entries[half - 1].at();
        }
    }

    /// Sorts the entries and leaves one of each slot, which may be named as a pointer and as a tagged word.
    fn sort(&mut self) {
        let entries = &mut self.entries[..self.count];
        entries.sort_unstable();
        self.count = 0;
        for index in 0..entries.len() {
            let (entry, kept) = (entries[index], self.count);
            if planted!(104, true, kept == 0 || entry.at() != entries[kept - 1].at()) {
                entries[kept] = entry;
                self.count += 1;
            }
        }
    }

    /// Rewrites the slots, and gives the last of them.
    fn rewrite(&mut self) -> Addr {
        self.sort();
        let mut last = self.after;
        for entry in &self.entries[..self.count] {
            last = entry.at();
            if let Some(new) = self.forwarded(last, entry.what()) {
                // SAFETY: the slot is a root.
                unsafe { last.store(new) };
            }
        }
        last
    }
}

impl<C: Codes> SlotSink for Gathered<'_, C> {
    #[inline(always)]
    fn pointer(&mut self, slot: Addr) {
        self.slot(slot, Remembered::Slot);
    }

    #[inline(always)]
    fn tagged(&mut self, slot: Addr) {
        self.slot(slot, Remembered::TaggedSlot);
    }
    fn value(&mut self, word: usize, is_tagged: bool) -> Option<usize> {
        Some(self.first_time(word, if is_tagged { Remembered::TaggedSlot } else { Remembered::Slot }))
    }
}
