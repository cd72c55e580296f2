//! The elements of weak arrays: kept up to date for live objects, NULL for dead ones.
//!
//! Arrays that a collection meets are listed through their links, and remembered elements of arrays that it does not
//! collect are put off. Both are settled when all weak pointers are, before anything is saved for a finalizer; arrays
//! that only finalizers reach, after that [gc.weak.arrays].

use super::evacuate::Rare;
use super::observer::Observer;
use super::tracer::{Notes, Tracer};
use crate::base::Addr;
use crate::heap::object::info::Info;
use crate::heap::object::model::{HEADER_BITS, info_of};
use crate::heap::object::weak_array::{WeakArray, each_element_outside, element_entry};
use crate::heap::space::generation::Code;
use crate::heap::space::remember::{Entry, Remembered, each_entry};
use crate::megablock::Codes;

impl<C: Codes, O: Observer> Tracer<'_, C, O> {
    /// Lists a weak array that the collection has met.
    #[cold]
    #[inline(never)]
    pub(super) fn list_weak_array(&mut self, array: WeakArray, info: &Info) {
        // SAFETY: only well-formed objects are looked at.
        unsafe {
            if array.is_listed() {
                return;
            }
            self.weak_arrays.push(array);
        }
        if planted!(110, false, self.statics.follows) {
            let (tags, codes) = (self.model.tags, self.codes);
            each_element_outside(array, info, &tags, |at| codes.at(at), &mut Rare(self));
        }
    }

    /// Notes a written element of an older array until the weak phase. Without memory for that, the element keeps its
    /// object alive this time [gc.weak.array-slots].
    #[cold]
    #[inline(never)]
    pub(super) fn put_weak_slot_off(&mut self, entry: Entry, generation: u8) {
        if self.weak_slots.push(&mut self.store.blocks, entry) {
            return;
        }
        (self.owner, self.desired, self.notes) = (generation, 0, Notes::Fact);
        self.saw_younger = false;
        self.evacuate_one(entry.at(), entry.what() != Remembered::WeakSlot);
        self.notes = Notes::Slots;
        if self.saw_younger {
            self.remember_for(generation, entry);
        }
    }

    /// Clears the elements whose objects were not reached, when everything that is to live was. Where marks that found no room are looked
    /// for afterwards, among all objects of their groups, arrays are met again: each array is settled in the end, and in no list.
    pub(super) fn settle_weak_arrays(&mut self) {
        let most_rounds = planted!(617, 1, usize::MAX);
        for _ in 0..most_rounds {
            if self.weak_arrays.is_empty() && self.weak_slots.is_empty() {
                return;
            }
            self.settle_met_weak_arrays();
        }
    }

    fn settle_met_weak_arrays(&mut self) {
        (self.desired, self.notes) = (0, Notes::Fact);
        let mut slots = self.weak_slots.take();
        each_entry(&slots, |entry| {
            self.owner = Code(self.codes.at(entry.at().0)).generation();
            (self.saw_younger, self.saw_moved) = (false, false);
            self.store.weaks.elements_looked_at += 1;
            self.settle_element(entry.at(), entry.what());
            if self.saw_younger {
                planted!(68, (), self.remember_whole(self.owner, entry));
            }
        });
        while let Some(group) = slots.pop() {
            self.store.blocks.free_group(group);
        }
        while let Some(array) = self.weak_arrays.pop() {
            self.settle_weak_array(array);
        }
        self.notes = Notes::Slots;
        // Indirections to live objects may wait to be looked at.
        self.scavenge_everything();
    }

    fn settle_weak_array(&mut self, array: WeakArray) {
        self.owner = self.generation_now(array.0) as u8;
        self.saw_younger = false;
        // SAFETY: a listed weak array is well-formed, and has not moved since.
        let (info, length) = unsafe { (info_of(array.0.load()), array.length()) };
        self.store.weaks.elements_looked_at += length as u64;
        for index in 0..length {
            self.settle_element(array.element(index), element_entry(info));
        }
        if self.saw_younger {
            planted!(66, (), self.remember_for(self.owner, Entry::new(Remembered::ObjectOnce, array.0)));
        }
    }

    #[inline]
    fn settle_element(&mut self, slot: Addr, what: Remembered) {
        // SAFETY: listed arrays have these elements, and remembered slots are elements.
        let word = unsafe { slot.load() };
        let tagged = what == Remembered::WeakTaggedSlot;
        let address = Addr(if tagged { self.model.tags.address(word) } else { word & !HEADER_BITS });
        let code = Code(self.codes.at(address.0));
        if code.is_none() || (self.marks.on && code == self.marks.code && self.is_marked(address)) {
            return;
        }
        if !self.is_alive(address) {
            // SAFETY: as above.
            unsafe { slot.store(0) };
        } else {
            self.evacuate_one(slot, tagged);
        }
    }
}
