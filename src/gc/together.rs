//! Marking by several workers at a time.
//!
//! Workers read the heap and write mark bits. Everything else that a reference may ask for, such as a large object that is to be
//! listed, a static, a stack, a function of the client's, they set aside for the thread that collects, which does it when no
//! worker runs [gc.together]. So there is no other lock than that of the packets of work, and the serial code stays what it is.
//!
//! The mark stack is cut into packets while workers run. A worker fills and empties one like a stack; a full one goes to whoever
//! has none.

use super::aside::Left;
use super::marker::{Known, Marker};
use super::observer::Observer;
use super::rings::FIELDS_ONLY;
use super::slices::Slices;
use super::team::{ALONE, Packet, Together};
use super::told::Telling;
use super::tracer::Tracer;
use crate::base::Addr;
use crate::heap::Store;
use crate::heap::object::array::Array;
use crate::heap::object::info::Info;
use crate::megablock::Codes;

/// Entries of a large array's elements that are worth a call of the workers: more would take memory for no gain.
const MANY_WAITING: usize = 64 << 10;

impl<C: Codes, O: Observer> Tracer<'_, C, O> {
    /// Lets several workers mark from now on, where there is enough to do for them.
    pub(super) fn begin_together(&mut self, bytes: usize) {
        let words = self.marks.most_words();
        let Some(together) = Together::begin(&mut self.store.workers, words, bytes, O::ON) else { return };
        let start = self.marks.use_in_packets();
        self.store.workers.count(together.threads);
        // The stack has whole packets.
        self.marks.limit = start.plus_words(words / together.packet_words * together.packet_words);
        self.marks.together = Some(together);
    }

    /// Whether the stack is worth the workers' while, or must be emptied for what comes next. One thread empties it more often.
    pub(super) fn is_stack_due(&self) -> bool {
        let (start, words) = self.marks.bounds();
        let enough = (words / 2).min(MANY_WAITING);
        self.marks.together.is_none() || self.marks.next.words_since(start) >= enough
    }

    /// As `empty_stack`, by several workers if there is much. True when there was anything on the stack.
    pub(super) fn empty_stack_together(&mut self) -> bool {
        // The weak phase waits for objects one by one.
        if self.awaiting {
            return self.empty_stack();
        }
        let Some(mut together) = self.marks.together.take() else { return self.empty_stack() };
        let mut any = false;
        loop {
            let (start, _) = self.marks.bounds();
            let is_much = together.eager || self.marks.next.words_since(start) >= ALONE;
            if !is_much {
                any |= self.empty_stack_for_a_while();
            }
            if self.marks.next == start {
                break;
            }
            any = true;
            self.mark_together(&mut together, None);
        }
        self.marks.together = Some(together);
        any
    }

    /// Looks at the elements of a large array, and marks all that they and the stack lead to, if there are workers and it is worth
    /// their while. All of it comes to one generation, so nothing of the array is remembered.
    ///
    /// # Safety
    /// A well-formed array with this table lies here, which was reached.
    pub(super) unsafe fn mark_elements_together(&mut self, array: Array, info: &Info) -> bool {
        if self.awaiting {
            return false;
        }
        let Some(mut together) = self.marks.together.take() else { return false };
        // SAFETY: the caller's promise.
        let slices = unsafe { Slices::of(array, info, together.eager) };
        if let Some(slices) = &slices {
            self.mark_together(&mut together, Some(slices));
        }
        self.marks.together = Some(together);
        slices.is_some()
    }

    /// Marks until little is left on the stack, or nothing.
    fn mark_together(&mut self, together: &mut Together, slices: Option<&Slices>) {
        let (start, words) = self.marks.bounds();
        let limit = self.marks.limit;
        together.cut(start, words, self.marks.next.words_since(start));
        let mut entries;
        loop {
            self.call_workers(together, slices);
            // Objects that were set aside go on a packet of their own; without one, objects are marked and looked through later.
            let own = together.work.spare();
            let room = own.map_or((start, 0), |packet| (packet.start, packet.words));
            (self.marks.start, self.marks.next) = (room.0, room.0);
            self.marks.limit = room.0.plus_words(room.1);
            self.take_in(together);
            entries = self.marks.next.words_since(room.0);
            match (own, together.work.begin_again()) {
                (Some(own), Some(full)) => {
                    together.work.give(full);
                    together.work.put_down(Packet { filled: entries, ..own });
                }
                (None, Some(full)) => together.work.give(full),
                (own, None) if slices.is_some_and(|slices| planted!(429, false, !slices.are_taken())) => {
                    if let Some(own) = own {
                        together.work.put_down(Packet { filled: entries, ..own });
                    }
                }
                (own, None) => {
                    // All that is left is in one packet, which becomes the bottom of the stack.
                    let from = own.map_or(start, |packet| packet.start);
                    // SAFETY: both are parts of the stack, and the other packets are empty.
                    unsafe { std::ptr::copy(from.as_ptr::<usize>(), start.as_ptr(), entries) };
                    break;
                }
            }
        }
        together.join();
        (self.marks.start, self.marks.next, self.marks.limit) = (start, start.plus_words(entries), limit);
    }

    /// Lets all workers mark until there is nothing to do for them.
    fn call_workers(&mut self, together: &Together, slices: Option<&Slices>) {
        let sides = self.store.sides();
        let telling = Telling::new(sides, &mut *self.observer);
        let Store { workers, statics, .. } = &mut *self.store;
        let known = Known {
            codes: self.codes,
            model: self.model,
            code: self.marks.code,
            last: self.last,
            between: self.marks.between,
            leaves: self.marks.leaves,
            statics: self.statics.seen(statics),
            work: &together.work,
            slices,
            told: telling.told(),
            eager: together.eager,
        };
        let known = &known;
        workers.run(together.threads, &|number| {
            // SAFETY: each number is called once at a time, and nobody else uses its list meanwhile.
            Marker::new(*known, unsafe { &mut *together.asides[number].get() }).run();
        });
    }

    /// Does what workers have set aside. It may put objects on the stack.
    fn take_in(&mut self, together: &mut Together) {
        let before = (self.owner, self.desired);
        (self.owner, self.desired) = (0, 0);
        for number in 0..together.threads {
            while let Some(left) = together.asides[number].get_mut().pop() {
                match left {
                    Left::Pointer(slot) => self.evacuate_one(slot, false),
                    Left::Tagged(slot) => self.evacuate_one(slot, true),
                    // Neither is put on the stack, from which workers would set it aside again.
                    Left::Fields(object) => self.mark_apart(Addr(object.0 | FIELDS_ONLY)),
                    Left::Whole(object) => self.mark_apart(object),
                    Left::Unseen(object) => self.note_unseen(object),
                    // SAFETY: a marked object has a header.
                    Left::Special(object) => self.marked_special(object, unsafe { object.load() }),
                }
            }
        }
        (self.owner, self.desired) = before;
    }
}
