//! Moves one object to safety and tells the slot that pointed to it. The critical path of every collection.

use super::observer::Observer;
use super::replace::{PASSES, is_replaceable};
use super::tracer::{Notes, Tracer};
use crate::base::Addr;
use crate::base::size::*;
use crate::block::alloc::SAVING_BLOCKS;
use crate::heap::Info;
use crate::heap::info::{FLAG_NOTIFY_MOVED, ReferenceTable};
use crate::heap::model::{HEADER_AWAITED, HEADER_BITS, HEADER_FORWARDED, HEADER_REPLACED, SlotSink, info_of};
use crate::heap::remember::{Entry, Remembered};
use crate::heap::space::{Code, Place};
use crate::heap::stack::Stack;
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

    fn frames(&mut self, stack: Addr) {
        self.scavenge_frames(Stack(stack));
    }

    /// The weak phase looks at these.
    fn weak(&mut self, _weak: Addr) {}
}

impl<C: Codes, O: Observer> Tracer<'_, C, O> {
    /// Saves the object at `address`, and rewrites `slot`, which holds `word`, a pointer to it.
    #[inline(always)]
    fn evacuate(&mut self, slot: Addr, word: usize, address: usize, what: Remembered) {
        let code = Code(self.codes.at(address));
        let now_in;
        if code.moves_up_to(self.last) {
            // SAFETY: a pointer into a block of small objects is the address of one.
            let header = unsafe { Addr(address).load() };
            let new = if header & HEADER_FORWARDED != 0 {
                if header & HEADER_REPLACED != 0 {
                    // SAFETY: word 1 of a replaced object is the word for its replacement.
                    return self.put(
                        slot,
                        word,
                        address,
                        unsafe { Addr(address).plus_words(1).load() },
                        what,
                    );
                }
                Addr(header & !HEADER_BITS)
            } else if is_replaceable(info_of(header)) {
                return self.replace(slot, word, address, what);
            } else {
                self.copy(Addr(address), header, code.place())
            };
            // Tag bits, wherever they are in the word, stay as they are.
            // SAFETY: as for the load.
            unsafe { slot.store(word.wrapping_add(new.0.wrapping_sub(address))) };
            if self.owner == 0 {
                return;
            }
            now_in = Code(self.codes.at(new.0)).generation();
        } else if code.is_none() {
            if self.statics.follows && address != 0 {
                self.reach_static(Addr(address));
            }
            return;
        } else {
            now_in = self.keep_in_place(Addr(address), code);
            if now_in == PASSES {
                return self.replace(slot, word, address, what);
            }
        }
        if now_in < self.owner {
            self.note_younger(slot, what);
        }
    }

    /// Evacuates what a slot leads to now.
    #[inline(never)]
    pub fn evacuate_again(&mut self, slot: Addr) {
        self.pointer(slot);
    }

    #[inline(always)]
    pub fn copy(&mut self, from: Addr, header: usize, place: Place) -> Addr {
        let info = info_of(header);
        // SAFETY: an object with this header lies here and was not moved yet.
        let words = unsafe { self.model.size(from, info) };
        let mut to = self.onward[place.index()];
        if to.generation() < self.desired {
            to = Place::new(self.desired as usize, 0);
        }
        let spot = &mut self.spots[to.index()];
        let mut new = spot.next;
        if spot.limit.0 - new.0 < words * WORD_BYTES {
            new = self.new_group(to);
        }
        self.spots[to.index()].next = new.plus_words(words);
        // SAFETY: the new place has room for `words` words and nobody knows it; the old one holds the object.
        unsafe {
            copy_words(from, new, words);
            from.store(new.0 | HEADER_FORWARDED);
        }
        self.copied_words += words as u64;
        if O::ON {
            self.observer.kept(from, new, words, place, to);
        }
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
        if info.flags & FLAG_NOTIFY_MOVED != 0 {
            tell_moved(info, from, new);
        }
    }

    /// Opens a new group for the objects of a place.
    #[cold]
    fn new_group(&mut self, place: Place) -> Addr {
        let spot = &mut self.spots[place.index()];
        let wanted = (spot.chain.blocks / 8 + 1).min(SAVING_BLOCKS);
        let group = match self.store.blocks.alloc_saving(wanted) {
            Ok(group) => group,
            // The worst case was held before the collection began.
            Err(failure) => panic!("a collection ran out of what it had held: {}", failure.sentence),
        };
        if let Some(last) = spot.chain.first.some() {
            last.fields().free = spot.next;
            last.fields().back = group;
        }
        let fields = group.fields();
        fields.generation = place.generation();
        fields.step = place.step();
        spot.chain.push(group);
        if spot.scan_group.is_null() {
            spot.scan_group = group;
            spot.scan = group.start();
        }
        spot.next = group.start();
        spot.limit = group.end();
        let code = self.receiving(place, Code::moving(place));
        self.store.codes.set(group.start(), group.blocks(), code.0);
        group.start()
    }

    #[cold]
    #[inline(never)]
    pub fn note_younger(&mut self, slot: Addr, what: Remembered) {
        self.saw_younger = true;
        // The owner wanted it in its own generation, and it had been copied to a younger one already.
        self.store.failed_promotions += (self.desired != 0) as u64;
        if self.notes == Notes::Slots {
            self.remember_for(self.owner, Entry::new(what, slot));
        }
    }

    pub fn remember_for(&mut self, generation: u8, entry: Entry) {
        let generation = &mut self.store.generations[generation as usize];
        if !generation.remembered.push(&mut self.store.blocks, entry) {
            generation.forgot = true;
        }
    }
}

/// # Safety
/// `words` words lie at `from`, and as many can be written at `to`, which does not overlap.
#[inline(always)]
unsafe fn copy_words(from: Addr, to: Addr, words: usize) {
    // SAFETY: the caller's promise. Straight code for the common sizes; the general copy is a call.
    unsafe {
        let (source, target) = (from.as_ptr::<usize>(), to.as_ptr::<usize>());
        if words <= 8 {
            target.write(source.read());
            target.add(1).write(source.add(1).read());
            for i in 2..words {
                target.add(i).write(source.add(i).read());
            }
        } else {
            target.copy_from_nonoverlapping(source, words);
        }
    }
}

pub fn tell_moved(info: &Info, from: Addr, to: Addr) {
    if !info.custom.is_null() {
        // SAFETY: the table was made by the client, whose function takes these two addresses.
        unsafe {
            if let Some(moved) = (*info.custom).moved {
                moved(from.as_ptr(), to.as_ptr());
            }
        }
    }
}
