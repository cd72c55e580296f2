//! Marking in place: how a collection that leaves or slides objects finds the live ones.
//!
//! All blocks that it compacts have one code, which says "saved"; so `evacuate` leaves references to them as they are
//! and hands the object to `keep_in_place`, which puts it on the mark stack here. An object that leaves the stack
//! passes two rings: in the first its line comes into the cache, and a marked object ends there; in the second the
//! object comes. Then it is marked. The stack is bounded: an object that finds it full is marked at once, and its group
//! is looked through again later [gc.inv.iterative].

use super::marks::{bit, next_live, set_live};
use super::observer::Observer;
use super::replace::is_replaceable;
use super::rings::{FIELDS_ONLY, Rings};
use super::team::ALONE;
use super::tracer::Tracer;
use crate::base::size::*;
use crate::base::{Addr, Failure};
use crate::block::Block;
use crate::block::descriptor::flag;
use crate::heap::object::info::Info;
use crate::heap::object::kind::Kinds;
use crate::heap::object::model::{HEADER_AWAITED, HEADER_RECORDED, info_of};
use crate::heap::space::generation::Place;
use crate::heap::space::remember::{Entry, Remembered};
use crate::megablock::Codes;

/// Ends the program, since half of the heap is marked by now. Where sizes are even and the client has taken an odd one,
/// an object lies in the last word of the one before, and sliding them would damage both.
#[cold]
#[inline(never)]
fn misaligned(object: Addr) -> ! {
    std::panic::resume_unwind(Box::new(Failure::damaged(format_args!(
        "the object at {object} lies at no multiple of 16, as all objects do where object_alignment is 16: was an odd number of words taken by inline allocation before it? -DS says by which object"
    ))))
}

impl<C: Codes, O: Observer> Tracer<'_, C, O> {
    #[inline(always)]
    pub(super) fn is_marked(&self, object: Addr) -> bool {
        // SAFETY: compacted blocks have lines.
        unsafe { (*self.codes.line(object.0)).live >> bit(object) & 1 != 0 }
    }

    /// Puts an object in a compacted block on the stack, since a reference to it was met.
    #[inline(always)]
    pub(super) fn mark_later(&mut self, object: Addr) {
        if object.0 & self.marks.between != 0 {
            misaligned(object);
        }
        planted!(106, return self.mark(object));
        if self.marks.next == self.marks.limit && !self.marks.grow() {
            self.mark_without_room(object);
            return;
        }
        // SAFETY: `next` is below `limit`, in the stack's own memory.
        unsafe { self.marks.next.store(object.0) };
        self.marks.next = self.marks.next.plus_words(1);
    }

    #[cold]
    #[inline(never)]
    fn mark_without_room(&mut self, object: Addr) {
        // SAFETY: a reference into a compacted block leads to an object.
        if !self.marks.leaves && !self.is_marked(object) && is_replaceable(info_of(unsafe { object.load() }))
        {
            // The replacement needs no room here either.
            self.mark_replacement(object);
            return;
        }
        if self.mark_alone(object) {
            planted!(102, (), self.note_unseen(object));
        }
    }

    /// Marks an object that would be replaced by another if it could be. Its fields are looked at later.
    pub(super) fn mark_as_it_is(&mut self, object: Addr) {
        if !self.mark_alone(object) {
            return;
        }
        if self.marks.next == self.marks.limit && !self.marks.grow() {
            self.note_unseen(object);
        } else {
            self.mark_later(Addr(object.0 | FIELDS_ONLY));
        }
    }

    /// Marks an object without its fields; false when it was marked before.
    fn mark_alone(&mut self, object: Addr) -> bool {
        if self.is_marked(object) {
            return false;
        }
        // SAFETY: a reference into a compacted block leads to an object.
        unsafe {
            let header = object.load();
            let words = self.model.size(object, info_of(header));
            set_live(self.codes.line(object.0), object, words);
            self.marked(object, words);
            if header & (HEADER_AWAITED | HEADER_RECORDED) != 0 {
                self.marked_special(object, header);
            }
        }
        true
    }

    pub(super) fn note_unseen(&mut self, object: Addr) {
        let group = Block::of(object).head();
        if !group.has(flag::UNSEEN) {
            group.fields().flags |= flag::UNSEEN;
            group.fields().back = self.marks.unseen;
            self.marks.unseen = group;
        }
    }

    /// Marks all waiting objects, and everything that they lead to. True when there were any.
    pub(super) fn scavenge_marked(&mut self) -> bool {
        let mut any = self.empty_stack_together();
        while let Some(group) = self.marks.unseen.some() {
            any = true;
            self.marks.unseen = group.fields().back;
            group.fields().flags &= !flag::UNSEEN;
            self.look_through(group);
            self.empty_stack_together();
        }
        any
    }

    /// Marks the objects on the stack, and everything that they lead to.
    #[inline(never)]
    pub(super) fn empty_stack(&mut self) -> bool {
        if O::ON { self.mark_some(usize::MAX, Addr::NULL) } else { self.mark_up_to::<false>(0, Addr::NULL) }
    }

    /// As `empty_stack`, but for objects that are left on the stack when so many were marked.
    #[inline(never)]
    pub(super) fn empty_stack_for_a_while(&mut self) -> bool {
        if O::ON { self.mark_some(ALONE, Addr::NULL) } else { self.mark_up_to::<true>(ALONE, Addr::NULL) }
    }

    /// Marks an entry by itself, where that is rare.
    #[inline(never)]
    pub(super) fn mark_apart(&mut self, entry: Addr) {
        if O::ON {
            self.mark_some(0, entry);
        } else {
            self.mark(entry);
        }
    }

    /// Marks `first`, if there is one, and then up to `most` objects of the stack. With an observer nothing else marks, so that the code for one
    /// object is there once.
    #[inline(never)]
    fn mark_some(&mut self, most: usize, first: Addr) -> bool {
        self.mark_up_to::<true>(most, first)
    }

    /// Marks in line where one thread marks; a further copy of that would be large.
    #[inline(always)]
    fn mark_up_to<const BOUNDED: bool>(&mut self, mut most: usize, first: Addr) -> bool {
        let mut any = false;
        let mut rings = Rings::EMPTY;
        let mut object = first;
        loop {
            if O::ON && !object.is_null() {
                self.mark(object);
            }
            if BOUNDED {
                if most == 0 {
                    rings.entries().for_each(|entry| self.put_back(entry));
                    return true;
                }
                most -= 1;
            }
            let mut fresh = Addr::NULL;
            if self.marks.next > self.marks.start {
                self.marks.next = Addr(self.marks.next.0 - WORD_BYTES);
                // SAFETY: the word was pushed.
                fresh = Addr(unsafe { self.marks.next.load() });
                any = true;
                if rings.is_empty() && self.marks.next == self.marks.start {
                    // A single object, such as the next cell of a list, leaves nothing to do while it comes.
                    object = fresh;
                    self.mark_from_stack::<BOUNDED>(object);
                    continue;
                }
                Addr(self.codes.line(fresh.0) as usize).prefetch();
            } else if rings.is_empty() {
                return any;
            }
            object = rings.pass(fresh, |object| self.is_marked(object));
            if !object.is_null() {
                self.mark_from_stack::<BOUNDED>(object);
            }
        }
    }

    /// Marks an object of the stack where nobody is told of it.
    #[inline(always)]
    fn mark_from_stack<const APART: bool>(&mut self, object: Addr) {
        if APART && !O::ON {
            self.mark_apart(object);
        } else if !O::ON {
            self.mark(object);
        }
    }

    /// Puts an entry on the stack again.
    fn put_back(&mut self, entry: Addr) {
        if self.marks.next < self.marks.limit || entry.0 & FIELDS_ONLY == 0 {
            self.mark_later(entry);
        } else {
            self.note_unseen(entry.align_down(WORD_BYTES));
        }
    }

    #[inline(always)]
    pub(super) fn mark(&mut self, entry: Addr) {
        let line = self.codes.line(entry.0);
        let object = entry.align_down(WORD_BYTES);
        // SAFETY: a reference into a compacted block leads to an object, and compacted blocks have lines.
        unsafe {
            let header = object.load();
            let info = info_of(header);
            if entry == object {
                if (*line).live >> bit(object) & 1 != 0 {
                    return;
                }
                if is_replaceable(info) && !self.marks.leaves {
                    self.mark_replacement(object);
                    return;
                }
                let words = self.model.size(object, info);
                set_live(line, object, words);
                self.marked(object, words);
                if header & (HEADER_AWAITED | HEADER_RECORDED) != 0 {
                    self.marked_special(object, header);
                }
            }
            self.look_at_fields(object, info);
        }
    }

    /// Tells the weak phase of an awaited object. A recorded object that stays where it is is remembered again; the others
    /// are remembered where they slide to.
    #[cold]
    #[inline(never)]
    pub(super) fn marked_special(&mut self, object: Addr, header: usize) {
        if header & HEADER_AWAITED != 0 {
            self.awaited_reached(object, object);
        }
        if header & planted!(206, 0, HEADER_RECORDED) != 0 && self.marks.leaves {
            self.remember_for(self.store.oldest() as u8, Entry::new(Remembered::Object, object));
        }
    }

    #[inline(always)]
    fn marked(&mut self, object: Addr, words: usize) {
        if O::ON {
            // All these blocks have one code by now; their groups still say where they were.
            let group = Block::of(object).head().fields();
            let was = Place::new(group.generation as usize, group.step as usize);
            self.observer.kept(object, object, words, was, self.marks.code.place());
        }
    }

    /// # Safety
    /// A well-formed object with this table lies here.
    #[inline(always)]
    pub(super) unsafe fn look_at_fields(&mut self, object: Addr, info: &Info) {
        let model = self.model;
        // SAFETY: the caller's promise.
        unsafe { model.each_slot(object, info, self) };
        if info.is_whole_in(Kinds::MENTIONING) {
            self.evacuate_srt(info.srt);
        }
    }

    /// Marks the object that an indirection leads to. The indirection stays unmarked, so that references to it will be
    /// replaced.
    #[cold]
    #[inline(never)]
    fn mark_replacement(&mut self, object: Addr) {
        if let Some(end) = self.end_of_chain(object) {
            self.point_chain_at(object, end);
        }
    }

    /// Looks at the fields of all marked objects of a group again.
    fn look_through(&mut self, group: Block) {
        let end = group.fields().free;
        let mut at = next_live(self.codes, group.start(), end);
        while at < end {
            // SAFETY: a marked word that is not inside an object is the start of one.
            unsafe {
                let info = info_of(at.load());
                let next = at.plus_words(self.model.size(at, info));
                self.look_at_fields(at, info);
                at = next_live(self.codes, next, end);
            }
        }
    }
}
