//! Changes of objects in place, and stores that need a barrier out of line.

use crate::base::size::*;
use crate::base::{Addr, Failure, Outcome};
use crate::heap::object::array::{Array, has_cards};
use crate::heap::object::info::Kind;
use crate::heap::object::kind::Kinds;
use crate::heap::object::model::{HEADER_BITS, HEADER_RECORDED, info_of};
use crate::heap::object::weak_array::{WeakArray, element_entry};
use crate::heap::space::generation::Code;
use crate::heap::space::remember::{Entry, Remembered};
use crate::heap::{Model, Mutator};
use crate::runtime::Runtime;
use std::sync::atomic::{AtomicU64, Ordering};

impl Runtime {
    pub(crate) fn code(&self, at: Addr) -> Code {
        Code(self.store.codes.at(at.0))
    }

    fn remember(&mut self, mutator: *mut Mutator, entry: Entry) {
        // SAFETY: the mutator is live, and only its own thread calls this.
        self.store.remember(unsafe { &mut *mutator }, entry);
    }

    /// Remembers that a pointer or tagged word was stored into a field of `owner`, if it leads to a
    /// younger object.
    pub(crate) fn wrote(&mut self, mutator: *mut Mutator, owner: Addr, field: Addr, what: Remembered) {
        self.barrier_told(field);
        let owner_code = self.code(owner);
        if owner_code.is_none() || owner_code.generation() == 0 {
            return;
        }
        let model = self.store.model;
        // SAFETY: the caller has just written the field. Another thread may have done so since, and tells of its own word.
        let word = unsafe { AtomicU64::from_ptr(field.as_ptr()) }.load(Ordering::Relaxed) as usize;
        let tagged = matches!(what, Remembered::TaggedSlot | Remembered::WeakTaggedSlot);
        let address = if tagged { model.tags.address(word) } else { word & !HEADER_BITS };
        let code = self.code(Addr(address));
        if !code.is_none()
            && code.generation() < planted!(5, owner_code.generation() - 1, owner_code.generation())
        {
            self.remember(mutator, Entry::new(what, field));
        }
    }

    /// Remembers a slot that may point to something younger than its own object, which is not given.
    pub(crate) fn record_slot(&mut self, mutator: *mut Mutator, slot: Addr, what: Remembered) -> Outcome<()> {
        let code = self.code(slot);
        if code.is_none() || !slot.is_aligned(WORD_BYTES) {
            return Err(Failure::argument(format_args!("the slot {slot} is no word of this heap")));
        }
        self.barrier_told(slot);
        if code.generation() > 0 {
            self.remember(mutator, Entry::new(what, slot));
        }
        Ok(())
    }

    /// `recordMutable`: remembers an object as long as it is mutable, wherever it moves.
    pub(crate) fn record_mutable(&mut self, mutator: *mut Mutator, object: Addr) -> Outcome<()> {
        let code = self.object_code(object)?;
        // SAFETY: `object_code` found a block of objects there; the client says that it is one.
        unsafe {
            let header = object.load();
            if header & HEADER_RECORDED != 0 {
                return Ok(());
            }
            object.store(header | HEADER_RECORDED);
        }
        if code.generation() > 0 {
            self.remember(mutator, Entry::new(Remembered::Object, object));
        }
        Ok(())
    }

    /// `recordOldToNewPtrs`: remembers an object until it has no reference to a younger one.
    pub(crate) fn record_old_to_new(&mut self, mutator: *mut Mutator, object: Addr) -> Outcome<()> {
        if self.store.statics.has(object) {
            self.remember_static(mutator, object);
            return Ok(());
        }
        let code = self.object_code(object)?;
        self.barrier_told(object);
        if code.generation() > 0 {
            self.remember(mutator, Entry::new(Remembered::ObjectOnce, object));
        }
        Ok(())
    }

    pub fn object_code(&self, object: Addr) -> Outcome<Code> {
        let code = self.code(object);
        if code.is_none() || !object.is_aligned(WORD_BYTES) {
            return Err(Failure::argument(format_args!(
                "{object} is no object of this heap{}",
                self.store.aside.told_of(object)
            )));
        }
        Ok(code)
    }

    /// Takes stock after a change: fields that were remembered singly may be plain words now, so the object
    /// is remembered as a whole; the slop is cleared, so that no word in it looks like an object.
    pub(crate) fn changed(&mut self, object: Addr, code: Code, old_words: usize, new_words: usize) {
        self.barrier_told(object);
        let end = object.plus_words(old_words);
        if self.store.clears_slop || self.store.clears_changed || code.is_fixed() {
            for i in new_words..old_words {
                // SAFETY: these words belonged to the object.
                unsafe { object.plus_words(i).store(0) };
            }
        }
        if code.generation() > 0 && self.store.changed.add(object, end).is_err() {
            self.store.forget_all();
        }
        if code.is_fixed() {
            // An array that keeps cards stays remembered for them. Of anything else word 1 may be no length.
            // SAFETY: the caller has changed an object, which is well-formed again.
            let keeps_cards =
                unsafe { info_of(object.load()).is_in(Kinds::ARRAY) && has_cards(Array(object).length()) };
            if !planted!(666, true, planted!(667, false, keeps_cards)) {
                let group = crate::block::Block::of(object).head();
                group.fields().flags &= !crate::block::descriptor::flag::CARDED;
            }
            self.store.ends_at(object, object.plus_words(new_words), code.place());
        }
    }

    /// Copies elements between arrays, or within one; the places may overlap.
    pub(crate) fn array_copy(
        &mut self,
        mutator: *mut Mutator,
        to: (Addr, usize),
        from: (Addr, usize),
        count: usize,
    ) -> Outcome<()> {
        self.elements_of(to.0, to.1, count)?;
        self.elements_of(from.0, from.1, count)?;
        let source = Array(from.0).element(from.1).as_ptr::<usize>();
        let target = Array(to.0).element(to.1).as_ptr::<usize>();
        // SAFETY: both runs of elements exist; the copy allows overlap.
        unsafe { planted!(20, crate::base::planted::upwards, std::ptr::copy)(source, target, count) };
        self.wrote_elements(mutator, to.0, to.1, count)
    }

    pub(crate) fn array_fill(
        &mut self,
        mutator: *mut Mutator,
        to: Addr,
        first: usize,
        count: usize,
        word: usize,
    ) -> Outcome<()> {
        self.elements_of(to, first, count)?;
        for i in first..first + count {
            // SAFETY: the element exists.
            unsafe { Array(to).element(i).store(word) };
        }
        self.wrote_elements(mutator, to, first, count)
    }

    /// Stores into an element of a weak array.
    pub(crate) fn set_weak_element(
        &mut self,
        mutator: *mut Mutator,
        array: Addr,
        index: usize,
        word: usize,
    ) -> Outcome<()> {
        self.object_code(array)?;
        // SAFETY: `object_code` found a block of objects there; the client says that it is one.
        let info = info_of(unsafe { array.load() });
        if !info.is(Kind::WeakArray) {
            return Err(Failure::argument(format_args!("{array} ({}) is no weak array", info.name())));
        }
        // SAFETY: it is a weak array.
        let length = unsafe { WeakArray(array).length() };
        if index >= length {
            return Err(Failure::argument(format_args!(
                "element {index} of a weak array of {length} does not exist"
            )));
        }
        let element = WeakArray(array).element(index);
        // SAFETY: the element exists. Other threads may read it, and find an object that is filled.
        unsafe { AtomicU64::from_ptr(element.as_ptr()) }.store(word as u64, Ordering::Release);
        self.wrote(mutator, array, element, element_entry(info));
        Ok(())
    }

    fn elements_of(&self, array: Addr, first: usize, count: usize) -> Outcome<()> {
        self.object_code(array)?;
        // SAFETY: `object_code` found a block of objects there; the client says that it is one.
        let info = info_of(unsafe { array.load() });
        if !info.is_in(Kinds::ARRAY) {
            return Err(Failure::argument(format_args!("{array} ({}) is no array of pointers", info.name())));
        }
        // SAFETY: it is an array.
        let length = unsafe { Array(array).length() };
        if first.checked_add(count).is_none_or(|end| end > length) {
            return Err(Failure::argument(format_args!(
                "elements {first} to {} of an array of {length} do not exist",
                first.wrapping_add(count)
            )));
        }
        Ok(())
    }

    /// Remembers that several elements were written: cards for large arrays, the whole object for others.
    fn wrote_elements(
        &mut self,
        mutator: *mut Mutator,
        array: Addr,
        first: usize,
        count: usize,
    ) -> Outcome<()> {
        let code = self.object_code(array)?;
        self.barrier_told(array);
        if code.generation() == 0 || count < planted!(27, 2, 1) {
            return Ok(());
        }
        // SAFETY: it is an array.
        let carded = code.is_fixed() && unsafe { has_cards(Array(array).length()) };
        let group = crate::block::Block::of(array).head();
        if carded && group.has(crate::block::descriptor::flag::LARGE) {
            // SAFETY: it has cards, and the elements exist.
            unsafe { Array(array).mark(first, count) };
            self.store.remember_cards(group);
        } else {
            self.remember(mutator, Entry::new(Remembered::ObjectOnce, array));
        }
        Ok(())
    }

    pub fn model(&self) -> Model {
        self.store.model
    }
}
