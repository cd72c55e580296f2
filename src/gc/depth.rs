//! The order in which objects are saved: depth first.
//!
//! An object that leaves the youngest generation comes directly behind the one that led to it first, with everything that
//! it leads to, before the next field is looked at. Programs make structures so, and walk them so [gc.order]. Remaining fields, and saved objects of
//! which no field was looked at, wait on a stack. The stack is bounded: when it is full, what is saved from then on is
//! scanned where it lies, in the order in which it was saved, until nothing is left of it; then the stack goes on
//! [gc.inv.iterative]. So no list, however it is linked, costs memory.

use super::evacuate::{is_plain, is_plain_leaf};
use super::observer::Observer;
use super::scavenge::WITHOUT_LIST;
use super::tracer::{Notes, Tracer};
use super::waiting::Entry;
use crate::base::Addr;
use crate::base::size::WORD_BYTES;
use crate::heap::object::info::{FLAG_MUTABLE, Info, Kind};
use crate::heap::object::kind::Kinds;
use crate::heap::object::model::{HEADER_BITS, HEADER_FORWARDED, info_of};
use crate::heap::space::generation::{Code, Place};
use crate::heap::space::remember::Remembered;
use crate::megablock::Codes;

/// In the address of a slot: its object may change, so the objects of its fields are not promoted for its sake.
const CHANGES: usize = 1;
/// In the end of slots: the generation of their object.
const GENERATION: usize = WORD_BYTES - 1;

impl<C: Codes, O: Observer> Tracer<'_, C, O> {
    /// Lets an object that was saved to `place` wait until its fields are looked at. Young ones are scanned where they lie.
    #[inline(always)]
    pub(super) fn wait(&mut self, object: Addr, place: Place) {
        if place >= self.ordered
            && !self.waiting.is_full()
            && self.waiting.push(Entry { slot: object.0, end: 0 })
        {
            self.begin_breadth();
        }
    }

    /// Looks at everything that waits, and at everything behind. True when there was something. The owner and what is
    /// known of its fields stay as they are.
    #[inline(always)]
    pub(super) fn drain(&mut self) -> bool {
        let any = !self.waiting.is_empty();
        if any {
            let owner = (self.owner, self.desired, self.notes);
            let saw = (self.saw_younger, self.youngest, self.saw_moved);
            self.notes = Notes::Slots;
            self.descend();
            (self.owner, self.desired, self.notes) = owner;
            (self.saw_younger, self.youngest, self.saw_moved) = saw;
        }
        any
    }

    /// As `drain`, between two objects of a scan, which goes on where it is when the stack is full.
    #[inline(always)]
    pub(super) fn drain_unless_full(&mut self) {
        if !self.waiting.is_full() {
            self.drain();
        }
    }

    /// Empties the stack.
    #[inline(never)]
    fn descend(&mut self) {
        let (mut slot, mut end) = (Addr::NULL, Addr::NULL);
        // Objects to save before the next look for a list.
        let mut no_list = 0u32;
        loop {
            if slot == end {
                if self.waiting.is_full() {
                    self.scavenge_in_breadth();
                }
                let Some(entry) = self.waiting.pop() else { return };
                if entry.end == 0 {
                    (slot, end) = self.fields(Addr(entry.slot));
                    continue;
                }
                let generation = entry.end & GENERATION;
                self.owner = generation as u8;
                self.desired = if entry.slot & CHANGES != 0 { 0 } else { generation as u8 };
                (slot, end) = (Addr(entry.slot & !CHANGES), Addr(entry.end & !GENERATION));
            }
            // SAFETY: slots of a saved object.
            let word = unsafe { slot.load() };
            let address = word & !HEADER_BITS;
            let at = slot;
            slot = slot.plus_words(1);
            let code = Code(self.codes.at(address));
            if !code.moves_up_to(self.last) {
                self.evacuate_fixed(at, word, address, code, Remembered::Slot);
                continue;
            }
            // SAFETY: a pointer into a block of small objects is the address of one.
            let header = unsafe { Addr(address).load() };
            if header & HEADER_BITS == 0 && is_plain(info_of(header)) {
                let info = info_of(header);
                let to = self.destination(code.place());
                let new = self.copy_plain(Addr(address), info, code.place(), to);
                self.lead_to(at, word, address, new, to.generation(), Remembered::Slot);
                if is_plain_leaf(info) || to < self.ordered || self.waiting.is_full() {
                    continue;
                }
                self.put_off(slot, end);
                for i in 2..=info.ptrs as usize {
                    // SAFETY: a word of the object that was just saved.
                    Addr(unsafe { new.plus_words(i).load() }).prefetch();
                }
                if info.is(Kind::Constr) {
                    (slot, end) = self.fields_of_record(new, info, to.generation());
                    if no_list > 0 {
                        no_list -= 1;
                    } else if info.ptrs == 1 && !self.waiting.is_full() {
                        let last = self.follow_list(to, new);
                        no_list = if last == new { WITHOUT_LIST } else { 0 };
                        (slot, end) = (last.plus_words(1), last.plus_words(2));
                    }
                } else {
                    (slot, end) = self.fields(new);
                }
            } else if header & HEADER_BITS == HEADER_FORWARDED {
                self.evacuate_forwarded(at, word, address, header, Remembered::Slot);
            } else {
                let before = self.waiting.count();
                self.evacuate_unusual(at, word, address, header, Remembered::Slot);
                if self.waiting.count() == before + 1 && !self.waiting.is_full() {
                    // The object that waits now is the one that was met.
                    if let Some(entry) = self.waiting.pop() {
                        self.put_off(slot, end);
                        (slot, end) = self.fields(Addr(entry.slot));
                    }
                }
            }
        }
    }

    /// Lets the other slots of the owner wait. The stack is not full.
    #[inline(always)]
    fn put_off(&mut self, slot: Addr, end: Addr) {
        if slot != end {
            let changes = if self.desired == self.owner { 0 } else { CHANGES };
            let entry = Entry { slot: slot.0 | changes, end: end.0 | self.owner as usize };
            if self.waiting.push(entry) {
                self.begin_breadth();
            }
        }
    }

    #[inline(always)]
    fn fields_of_record(&mut self, object: Addr, info: &Info, generation: u8) -> (Addr, Addr) {
        self.owner = generation;
        self.desired = if info.flags & FLAG_MUTABLE != 0 { 0 } else { generation };
        let first = object.plus_words(1);
        (first, first.plus_words(info.ptrs as usize))
    }

    /// The slots of a saved object; none when they are looked at already, as those of rarer kinds are. Objects that those lead to
    /// wait, in the order of the slots.
    #[inline(never)]
    fn fields(&mut self, object: Addr) -> (Addr, Addr) {
        let generation = Code(self.codes.at(object.0)).generation();
        // SAFETY: a saved object lies here.
        let header = unsafe { object.load() };
        let info = info_of(header);
        // SAFETY: as above.
        if let Some((first, count)) = unsafe { self.model.run_of_pointers(object, info) } {
            self.owner = generation;
            self.desired = if planted!(161, false, info.is_mutable()) { 0 } else { generation };
            if info.is_whole_in(Kinds::MENTIONING) {
                self.evacuate_srt(info.srt);
            }
            self.record_again(object, header, generation);
            return (first, first.plus_words(count));
        }
        let before = self.waiting.count();
        self.scavenge_object(object, generation);
        self.waiting.reverse_from(before);
        (Addr::NULL, Addr::NULL)
    }

    /// Begins to scan what is saved where it lies: what was saved until now is done, or waits on the stack.
    #[cold]
    #[inline(never)]
    fn begin_breadth(&mut self) {
        for i in 0..self.used_count {
            let place = self.used_places[i];
            if place < self.ordered {
                continue;
            }
            let spot = &mut self.spots[place.index()];
            let filling = &spot.filling;
            spot.scan_group = filling.open;
            spot.scan = match filling.open.some() {
                Some(open) if !filling.gap.is_null() => open.fields().free,
                _ => filling.next,
            };
            spot.gap_scan = filling.next;
        }
    }

    /// Scans what was saved since the stack is full, and what that leads to.
    #[cold]
    #[inline(never)]
    fn scavenge_in_breadth(&mut self) {
        planted!(216, (), self.scavenge_in_order());
    }
}
