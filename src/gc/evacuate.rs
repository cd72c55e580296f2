//! Moves one object to safety and tells the slot that pointed to it. The critical path of every collection.

use super::observer::Observer;
use super::replace::{PASSES, is_replaceable};
use super::tracer::{Notes, Tracer};
use super::words::copy_words;
use crate::base::Addr;
use crate::block::Block;
use crate::block::alloc::SAVING_BLOCKS;
use crate::heap::Info;
use crate::heap::object::info::{FLAG_NOTIFY_MOVED, FLAG_SHORTCUT, Kind, ReferenceTable, kind_and_flags};
use crate::heap::object::kind::Kinds;
use crate::heap::object::model::{
    HEADER_AWAITED, HEADER_BITS, HEADER_FORWARDED, HEADER_RECORDED, SlotSink, has_no_pointers, info_of,
};
use crate::heap::object::stack::Stack;
use crate::heap::object::weak_array::WeakArray;
use crate::heap::space::generation::{Code, Place};
use crate::heap::space::remember::{Entry, Remembered};
use crate::megablock::Codes;

impl<C: Codes, O: Observer> SlotSink for Tracer<'_, C, O> {
    #[inline(always)]
    fn pointer(&mut self, slot: Addr) {
        // SAFETY: slots come from roots and from fields of well-formed objects.
        let word = unsafe { slot.load() };
        self.evacuate(slot, word, word & !HEADER_BITS, Remembered::Slot);
    }

    fn mentions(&mut self, table: *const ReferenceTable) {
        self.evacuate_srt(table);
    }

    #[inline(always)]
    fn tagged(&mut self, slot: Addr) {
        // SAFETY: as above.
        let word = unsafe { slot.load() };
        let address = self.model.tags.address(word);
        if address != 0 {
            self.evacuate(slot, word, address, Remembered::TaggedSlot);
        }
    }

    fn frames(&mut self, stack: Addr) -> bool {
        self.scavenge_frames(Stack(stack));
        true
    }

    /// The weak phase looks at fields of weak pointers.
    fn weak(&mut self, _weak: Addr) -> bool {
        planted!(42, self.pointer(_weak.plus_words(1)));
        true
    }

    /// The weak phase looks at elements as well.
    fn weak_elements(&mut self, array: Addr, info: &Info) -> bool {
        self.list_weak_array(WeakArray(array), info);
        planted!(65, crate::heap::object::weak_array::each_element(WeakArray(array), info, self));
        true
    }
}

/// A tracer that is no part of each loop that hands it slots, where there are few of them.
pub(super) struct Rare<'t, 'a, C: Codes, O: Observer>(pub &'t mut Tracer<'a, C, O>);

impl<C: Codes, O: Observer> SlotSink for Rare<'_, '_, C, O> {
    fn pointer(&mut self, slot: Addr) {
        self.0.evacuate_again(slot);
    }

    fn tagged(&mut self, slot: Addr) {
        self.0.evacuate_one(slot, true);
    }
}

impl<C: Codes, O: Observer> Tracer<'_, C, O> {
    /// Saves the object at `address`, and rewrites `slot`, which holds `word`, a pointer to it.
    #[inline(always)]
    fn evacuate(&mut self, slot: Addr, word: usize, address: usize, what: Remembered) {
        let code = Code(self.codes.at(address));
        if !code.moves_up_to(self.last) {
            return self.evacuate_fixed(slot, word, address, code, what);
        }
        // SAFETY: a pointer into a block of small objects is the address of one.
        let header = unsafe { Addr(address).load() };
        let (new, now_in);
        if header & HEADER_BITS == 0 && is_plain(info_of(header)) {
            let to = self.destination(code.place());
            new = self.copy_plain(Addr(address), info_of(header), code.place(), to);
            now_in = to.generation();
        } else if header & HEADER_BITS == HEADER_FORWARDED {
            new = Addr(header & !HEADER_BITS);
            let now = if self.owner == 0 { 0 } else { Code(self.codes.at(new.0)).generation() };
            now_in = planted!(31, now.max(self.desired), now);
        } else {
            return self.evacuate_unusual(slot, word, address, header, what);
        }
        self.lead(slot, planted!(11, address, word).wrapping_add(new.0.wrapping_sub(address)), now_in, what);
    }

    /// Stores the word for an object of generation `now_in` in a slot. Tag bits, wherever they are, stay as they were.
    #[inline(always)]
    fn lead(&mut self, slot: Addr, word: usize, now_in: u8, what: Remembered) {
        // SAFETY: slots come from roots and from fields of well-formed objects.
        unsafe { slot.store(word) };
        if now_in < self.owner {
            self.note_younger(slot, now_in, what);
        }
    }

    /// Evacuates an address that is no small object of a collected generation.
    #[inline(always)]
    fn evacuate_fixed(&mut self, slot: Addr, word: usize, address: usize, code: Code, what: Remembered) {
        if code.is_none() {
            if self.statics.follows && address != 0 {
                self.reach_static(Addr(address));
            }
            return;
        }
        let now_in = self.keep_in_place(Addr(address), code);
        if now_in == PASSES {
            return self.replace(slot, word, address, what);
        }
        if now_in < self.owner {
            self.note_in_place(slot, code, now_in, what);
        }
    }

    /// Evacuates an object that is not plain, that is recorded or awaited, or that was replaced.
    #[inline(never)]
    fn evacuate_unusual(&mut self, slot: Addr, word: usize, address: usize, header: usize, what: Remembered) {
        if header & HEADER_FORWARDED != 0 {
            // SAFETY: word 1 of a replaced object is the word for its replacement.
            return self.put(slot, word, address, unsafe { Addr(address).plus_words(1).load() }, what);
        }
        if is_replaceable(info_of(header)) {
            return self.replace(slot, word, address, what);
        }
        let new = self.copy(Addr(address), header, Code(self.codes.at(address)).place());
        let now_in = Code(self.codes.at(new.0)).generation();
        self.lead(slot, word.wrapping_add(new.0.wrapping_sub(address)), now_in, what);
    }

    #[inline(never)]
    pub(super) fn evacuate_again(&mut self, slot: Addr) {
        self.pointer(slot);
    }

    /// As `pointer` and `tagged`, for slots of which there are few.
    #[inline(never)]
    pub(super) fn evacuate_one(&mut self, slot: Addr, is_tagged: bool) {
        if is_tagged { self.tagged(slot) } else { self.evacuate_again(slot) }
    }

    /// The place where an object of a place is saved: onward, and no younger than the object that points to it wants.
    #[inline(always)]
    pub(super) fn destination(&self, place: Place) -> Place {
        self.desk.onward[place.index()].max(Place::new(planted!(160, 0, self.desired) as usize, 0))
    }

    /// Room for `words` words at a place.
    #[inline(always)]
    fn room(&mut self, to: Place, words: usize) -> Addr {
        let filling = &mut self.desk.spots[to.index()].filling;
        let (new, end) = (filling.next, filling.next.plus_words(words));
        if end <= filling.limit {
            filling.next = end;
            return new;
        }
        self.more_room(to, words)
    }

    /// As `room`, for an object without fields to look at.
    #[inline(always)]
    fn room_for_leaf(&mut self, to: Place, words: usize) -> Addr {
        let filling = &mut self.desk.leaves[to.index()];
        let (new, end) = (filling.next, filling.next.plus_words(words));
        if end <= filling.limit {
            filling.next = end;
            return new;
        }
        self.more_room_for_leaf(to, words)
    }

    /// Copies an object whose table is all that there is to know of it.
    #[inline(always)]
    fn copy_plain(&mut self, from: Addr, info: &Info, place: Place, to: Place) -> Addr {
        let words = self.model.rounded(1 + info.ptrs as usize + info.words as usize);
        // SAFETY: the object has this table.
        let new =
            if unsafe { is_leaf(from, info) } { self.room_for_leaf(to, words) } else { self.room(to, words) };
        self.copy_to(from, new, words, place, to)
    }

    /// Copies the words of an object, leaves its new address behind, and tells the observer.
    #[inline(always)]
    fn copy_to(&mut self, from: Addr, new: Addr, words: usize, place: Place, to: Place) -> Addr {
        // SAFETY: the new place has room for `words` words and nobody knows it; the old one holds the object.
        unsafe {
            copy_words(from, new, words);
            from.store(new.0 | HEADER_FORWARDED);
        }
        if O::ON {
            self.observer.kept(from, new, words, place, to);
        }
        new
    }

    /// Copies any object that stays what it is.
    pub(super) fn copy(&mut self, from: Addr, header: usize, place: Place) -> Addr {
        let info = info_of(header);
        // SAFETY: an object with this header lies here and was not moved yet.
        let words = unsafe { self.model.size(from, info) };
        let to = self.destination(place);
        // A recorded object is looked at once more, and recorded at its new place.
        let is_leaf = has_no_pointers(info) && header & planted!(83, 0, HEADER_RECORDED) == 0;
        self.leaves_saved += is_leaf as usize;
        let new = if is_leaf { self.room_for_leaf(to, words) } else { self.room(to, words) };
        self.copy_to(from, new, words, place, to);
        if (info.flags & FLAG_NOTIFY_MOVED) as usize | (header & HEADER_AWAITED) != 0 {
            self.copied_special(info, header, from, new);
        }
        new
    }

    #[cold]
    #[inline(never)]
    fn copied_special(&mut self, info: &Info, header: usize, from: Addr, new: Addr) {
        if header & HEADER_AWAITED != 0 {
            self.awaited_reached(from, new);
        }
        if info.flags & planted!(30, 0, FLAG_NOTIFY_MOVED) != 0 {
            tell_moved(info, from, new);
        }
    }

    /// Room for `words` words in a gap, or else in a new group for the objects of a place.
    #[cold]
    #[inline(never)]
    fn more_room(&mut self, place: Place, words: usize) -> Addr {
        if let Some(start) = self.room_beside(place, words) {
            return start;
        }
        let step = self.store.step(place);
        let there = step.blocks.blocks - step.leaf_blocks;
        let group = self.take_group(place, there + self.desk.spots[place.index()].filling.chain.blocks);
        let spot = &mut self.desk.spots[place.index()];
        let start = spot.filling.open(group, words);
        if spot.scan_group.is_null() {
            spot.scan_group = group;
            spot.scan = planted!(10, group.start().plus_words(2), group.start());
        }
        start
    }

    /// As `more_room`, for an object of a place that has no pointers. The scan never comes to its group.
    #[cold]
    #[inline(never)]
    fn more_room_for_leaf(&mut self, place: Place, words: usize) -> Addr {
        if let Some(start) = self.room_beside_for_leaf(place, words) {
            return start;
        }
        let there = self.store.step(place).leaf_blocks;
        let group = self.take_group(place, there + self.desk.leaves[place.index()].chain.blocks);
        self.desk.leaves[place.index()].open(group, words)
    }

    /// Takes a group for a place that has `there` blocks of its kind.
    fn take_group(&mut self, place: Place, there: usize) -> Block {
        let wanted = (there / 8 + 1).min(SAVING_BLOCKS);
        let group = match self.store.blocks.alloc_saving(wanted) {
            Ok(group) => group,
            // The worst case was held before the collection began.
            Err(failure) => panic!("a collection ran out of what it had held: {}", failure.sentence),
        };
        let mut fields = group.fields();
        fields.generation = place.generation();
        fields.step = place.step();
        let code = self.receiving(place, Code::moving(place));
        self.store.codes.set(group.start(), group.blocks(), code.0);
        if planted!(76, false, O::ON) {
            self.store.clear_marks(group.start(), group.end());
        }
        group
    }

    #[cold]
    #[inline(never)]
    pub(super) fn note_younger(&mut self, slot: Addr, now_in: u8, what: Remembered) {
        (self.saw_younger, self.saw_moved) = (true, true);
        self.youngest = self.youngest.min(now_in);
        // The owner wanted the object in its own generation, and it had been copied to a younger one already.
        self.store.failed_promotions += (self.desired != 0) as u64;
        let entry = Entry::new(what, slot);
        match self.notes {
            Notes::Slots if planted!(7, what != Remembered::Slot, false) => {}
            Notes::Slots => self.remember_for(self.owner, entry),
            Notes::Again => {
                self.store.recent.add(entry);
                self.remember_for(self.owner, entry);
            }
            Notes::Fact => {}
        }
    }

    /// As `note_younger`, for a slot that was not rewritten, since its object is where it will be: by its code when the
    /// slot was met, it was moved there, or does not move. A remembered slot that leads to a copy already was looked at
    /// before in this collection, by an equal entry [gc.remember.once].
    #[cold]
    #[inline(never)]
    fn note_in_place(&mut self, slot: Addr, code: Code, now_in: u8, what: Remembered) {
        if self.notes != Notes::Again {
            let moved = std::mem::replace(&mut self.saw_moved, false);
            self.note_younger(slot, now_in, what);
            self.saw_moved = moved;
        } else if planted!(176, false, code.is_fixed() || !code.is_saved()) {
            self.remember_once(self.owner, Entry::new(what, slot));
        }
    }

    /// Remembers an entry that may have been remembered before in this collection.
    pub(super) fn remember_once(&mut self, generation: u8, entry: Entry) {
        if self.store.recent.add(entry) {
            self.store.generations[generation as usize].unproven += 1;
            self.remember_for(generation, entry);
        }
    }

    /// Bounds the remembered entries at the end of a collection: equal ones become one where many may be repeated.
    pub(super) fn bound_remembered(&mut self) {
        self.store.recent.clear();
        let count = self.store.generation_count;
        let checked = self.store.poisons;
        for generation in &mut self.store.generations[1..count.max(1)] {
            generation.bound_remembered(&mut self.store.blocks, checked);
        }
    }

    pub(super) fn remember_for(&mut self, generation: u8, entry: Entry) {
        let generation = &mut self.store.generations[generation as usize];
        if !generation.remembered.push(&mut self.store.blocks, entry) {
            generation.forgot = true;
        }
    }
}

/// Whether a copy of such an object is all that has to be made of it, and its table tells its size.
#[inline(always)]
pub(super) fn is_plain(info: &Info) -> bool {
    // Numbers up to 7 are kinds of a fixed size or none. One load and one comparison.
    const OTHER: u16 = kind_and_flags(!7, FLAG_NOTIFY_MOVED | FLAG_SHORTCUT);
    const _: () = assert!(Kinds::FIXED.bits() >> 8 == 0 && Kinds::ALL.bits() & 0xff == Kinds::FIXED.bits());
    info.kind_and_flags() & OTHER == 0
}

/// Whether a plain object has nothing to look at: no pointers, or one or two that are null, as the outer nodes of trees have.
///
/// # Safety
/// An object with this table lies here.
#[inline(always)]
pub(super) unsafe fn is_leaf(object: Addr, info: &Info) -> bool {
    let ptrs = info.ptrs as usize;
    // SAFETY: the object has so many fields.
    let field = |number| unsafe { object.plus_words(number).load() };
    // By the bits of a bitmap, an object of another kind may have pointers where its table counts none.
    info.is(Kind::Constr) && (ptrs == 0 || ptrs <= 2 && field(1) | planted!(481, field(1), field(ptrs)) == 0)
}

pub(super) fn tell_moved(info: &Info, from: Addr, to: Addr) {
    if !info.custom.is_null() {
        // SAFETY: the table was made by the client, whose function takes these two addresses.
        unsafe {
            if let Some(moved) = (*info.custom).moved {
                moved(from.as_ptr(), to.as_ptr());
            }
        }
    }
}
