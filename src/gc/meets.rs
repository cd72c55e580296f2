//! The word in a slot that a worker looks at as it copies: the worker copies its object, takes the place of the copy that is there,
//! or leaves the slot to the thread that collects [gc.crowd].

use super::copier::{Copier, Fields, left};
use super::evacuate::{is_leaf, is_plain};
use super::hand::AGAIN;
use super::told::Won;
use super::words::copy_words;
use crate::base::Addr;
use crate::base::still::forward::{read, settle};
use crate::block::Block;
use crate::block::descriptor::flag;
use crate::heap::object::info::{FLAG_NOTIFY_MOVED, FLAG_SHORTCUT, Info};
use crate::heap::object::kind::Kinds;
use crate::heap::object::model::{HEADER_BITS, HEADER_FORWARDED, has_no_pointers, info_of};
use crate::heap::space::generation::{Code, Place};
use crate::heap::space::pinned::PinnedBlock;
use crate::heap::space::remember::{Entry, Remembered};
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU64, Ordering};

/// The header of an object that may be copied by several workers.
///
/// # Safety
/// An object lies there, in a block whose objects move, and while workers run its header is changed by `settle` alone.
#[inline(always)]
unsafe fn header_word<'l>(object: Addr) -> &'l AtomicU64 {
    // SAFETY: the caller's promise.
    unsafe { AtomicU64::from_ptr(object.as_ptr()) }
}

/// A slot that another worker may look at as well.
///
/// # Safety
/// A field lies there, and while workers run it is changed by them alone.
#[inline(always)]
unsafe fn slot_word<'l>(slot: Addr) -> &'l AtomicU64 {
    // SAFETY: the caller's promise.
    unsafe { AtomicU64::from_ptr(slot.as_ptr()) }
}

/// Whether workers copy such objects.
#[inline(always)]
fn is_copied(info: &Info) -> bool {
    info.is_whole_in(Kinds::TOGETHER) && info.flags & planted!(413, 0, FLAG_NOTIFY_MOVED | FLAG_SHORTCUT) == 0
}

impl Copier<'_> {
    #[inline(always)]
    pub(super) fn meet(&mut self, slot: Addr, word: usize, address: usize, what: Remembered) {
        if !self.codes.might_be_ours(address) {
            // Most such addresses are null.
            if address != 0 && self.follows_statics {
                self.meet_static(slot, address, what);
            }
            return;
        }
        let code = self.code(address);
        if !code.moves_up_to(self.last) {
            return self.meet_other(slot, address, code, what);
        }
        // SAFETY: a pointer into a block of small objects is the address of one.
        let header = read(unsafe { header_word(Addr(address)) }) as usize;
        let saved = if header & HEADER_BITS == 0 && is_plain(info_of(header)) {
            let info = info_of(header);
            let words = self.model.rounded(1 + info.ptrs as usize + info.words as usize);
            // SAFETY: an object with this table lies there; only its header changes while workers run.
            let is_leaf = unsafe { is_leaf(Addr(address), info) };
            self.copy(Addr(address), header, words, is_leaf, code.place())
        } else if header & HEADER_BITS == HEADER_FORWARDED {
            Some(planted!(619, self.copy_again(header), self.saved_at(header)))
        } else {
            self.copy_unusual(Addr(address), header, code.place())
        };
        let Some((new, now_in)) = saved else { return self.leave_slot(slot, what) };
        // SAFETY: slots come from fields of well-formed objects, which are this worker's. Where a slot was remembered twice, another
        // worker may write the same to it, or read it, and then asks for the code of the copy's block.
        unsafe { slot_word(slot) }
            .store(word.wrapping_add(new.0.wrapping_sub(address)) as u64, Ordering::Release);
        if now_in < self.owner {
            self.note_younger(slot, now_in, what);
        }
    }

    /// Copies an object that is not plain, if workers do so. `None` when it is to be left.
    #[inline(never)]
    fn copy_unusual(&mut self, from: Addr, header: usize, was: Place) -> Option<(Addr, u8)> {
        if header & HEADER_BITS != 0 || !is_copied(info_of(header)) {
            return None;
        }
        let info = info_of(header);
        // SAFETY: an object with this header lies here; only its header changes while workers run.
        let words = unsafe { self.model.size(from, info) };
        self.copy(from, header, words, has_no_pointers(info), was)
    }

    #[inline(always)]
    pub(super) fn pointer(&mut self, slot: Addr) {
        // SAFETY: slots come from fields of well-formed objects.
        let word = unsafe { slot.load() };
        self.meet(slot, word, word & !HEADER_BITS, Remembered::Slot);
    }

    /// Meets the objects of fields of any kind, which lie side by side.
    #[inline(never)]
    pub(super) fn meet_fields(&mut self, first: Addr, count: usize, what: Remembered) {
        for slot in (0..count).map(|index| first.plus_words(index)) {
            // SAFETY: slots come from fields of well-formed objects.
            let word = unsafe { slot_word(slot) }.load(Ordering::Acquire) as usize;
            let address =
                if what == Remembered::Slot { word & !HEADER_BITS } else { self.model.tags.address(word) };
            if address != 0 {
                self.meet(slot, word, address, what);
            }
        }
    }

    /// The place that a forwarding word tells, and the generation there, where anybody asks for that.
    #[inline(always)]
    pub(super) fn saved_at(&self, header: usize) -> (Addr, u8) {
        let new = header & !HEADER_BITS;
        (Addr(new), if self.owner == 0 { 0 } else { self.generation_at(new) })
    }

    /// Objects that were copied before are few, and the question is not in each loop for the library's size.
    #[inline(never)]
    fn generation_at(&self, address: usize) -> u8 {
        self.code(address).generation()
    }

    /// The planted bug that gives each reference a copy of its own.
    #[cfg(feature = "planted")]
    fn copy_again(&mut self, header: usize) -> (Addr, u8) {
        let (copy, now_in) = self.saved_at(header);
        // SAFETY: the copy is an object in a block of small ones.
        let (words, place) = unsafe {
            (self.model.size(copy, info_of(copy.load() & !HEADER_BITS)), self.code(copy.0).place())
        };
        let Some(new) = self.room(place, words, false) else { return (copy, now_in) };
        // SAFETY: the new place has room for `words` words, and nobody knows it.
        unsafe { copy_words(copy, new, words) };
        (new, now_in)
    }

    /// Copies an object, unless another worker does so first. Gives where it is, and the generation there; `None` when there is no
    /// room.
    #[inline(always)]
    fn copy(
        &mut self,
        from: Addr,
        header: usize,
        words: usize,
        is_leaf: bool,
        was: Place,
    ) -> Option<(Addr, u8)> {
        let to = self.onward[was.index()].max(Place::new(self.desired as usize, 0));
        let new = self.room(to, words, is_leaf)?;
        // SAFETY: the new place has room for `words` words and nobody knows it; the old one holds the object.
        let settled = unsafe {
            new.store(header);
            copy_fields(from, new, words, self.model.round != 0);
            settle(header_word(from), header as u64, (new.0 | HEADER_FORWARDED) as u64)
        };
        match settled {
            Ok(()) => {
                if self.is_told {
                    self.tell(Won { from, to: new, words, was, place: to });
                }
                Some((new, to.generation()))
            }
            Err(other) => Some(self.lost(to, new, is_leaf, other as usize)),
        }
    }

    #[inline(never)]
    fn tell(&mut self, won: Won) {
        let Some(told) = self.known.told else { return };
        planted!(460, (), self.hand.untold.add(won));
        self.hand.untold.settle_all();
        if self.hand.untold.is_due() {
            told.tell_some(&mut self.hand.untold);
        }
    }

    /// Gives the room of a copy back that another worker was sooner to make, and says where that one's is.
    #[cold]
    #[inline(never)]
    fn lost(&mut self, to: Place, new: Addr, is_leaf: bool, other: usize) -> (Addr, u8) {
        self.hand.rooms(is_leaf).now[to.index()].next = new;
        self.saved_at(other)
    }

    /// Room for `words` words at a place.
    #[inline(always)]
    pub(super) fn room(&mut self, to: Place, words: usize, is_leaf: bool) -> Option<Addr> {
        let room = &mut self.hand.rooms(is_leaf).now[to.index()];
        let (new, end) = (room.next, room.next.plus_words(words));
        if end <= room.limit {
            room.next = end;
            return Some(new);
        }
        self.more_room(to, words, is_leaf)
    }

    #[cold]
    #[inline(never)]
    fn more_room(&mut self, to: Place, words: usize, is_leaf: bool) -> Option<Addr> {
        let mut supply = self.known.supply.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(fresh) = self.hand.refill(to, words, is_leaf, &mut supply) else {
            // The thread that collects says what is wrong.
            (self.is_out, self.left) = (true, 0);
            return None;
        };
        // The system takes its time, and others may take room meanwhile.
        drop(supply);
        fresh.touch();
        if let Some(told) = self.known.told {
            let room = self.hand.rooms(is_leaf).now[to.index()];
            planted!(461, (), told.clear_marks(room.next, room.limit));
        }
        self.room(to, words, is_leaf)
    }

    /// Meets an address outside the heap, in a collection that follows statics.
    #[inline(never)]
    fn meet_static(&mut self, slot: Addr, address: usize, what: Remembered) {
        if self.known.statics.is_some_and(|seen| seen.is_fresh(Addr(address))) {
            self.leave_slot(slot, what);
        }
    }

    /// Meets an address that is no small object of a collected generation.
    #[inline(never)]
    fn meet_other(&mut self, slot: Addr, address: usize, code: Code, what: Remembered) {
        if code.is_none() {
            return self.meet_static(slot, address, what);
        }
        let is_settled = if !code.is_fixed() {
            true
        } else if code.is_saved() {
            let group = Block::of(Addr(address)).head();
            !group.has(flag::PINNED) || planted!(418, true, PinnedBlock(group).is_reached(Addr(address)))
        } else {
            code.place() > self.last
        };
        if !is_settled {
            return self.leave_slot(slot, what);
        }
        if code.generation() < self.owner {
            if self.fields != Fields::Remembered {
                self.note_younger(slot, code.generation(), what);
            } else if code.is_fixed() || !code.is_saved() {
                // As in `note_in_place`: an equal entry may have come, and has come where there is a copy.
                self.remember(Entry::new(what, slot).0 | planted!(542, 0, AGAIN));
            }
        }
    }

    /// Leaves a slot to the thread that collects.
    #[cold]
    #[inline(never)]
    pub(super) fn leave_slot(&mut self, slot: Addr, what: Remembered) {
        if self.fields == Fields::Remembered {
            return self.hand.leave_entry(Entry::new(what, slot));
        }
        let tagged = if what == Remembered::Slot { 0 } else { left::TAGGED };
        let mutable = if self.desired == self.owner { 0 } else { left::MUTABLE };
        self.leave(slot, tagged | mutable);
    }

    pub(super) fn leave(&mut self, at: Addr, what: usize) {
        let left = self.hand.left.push_within(at.0 | what);
        debug_assert!(left.is_ok(), "a worker stops before its lists are full");
        self.stop_if_enough();
    }

    #[cold]
    #[inline(never)]
    fn note_younger(&mut self, slot: Addr, now_in: u8, what: Remembered) {
        self.hand.failed_promotions += (self.desired != 0) as u64;
        if self.fields == Fields::OfCard {
            self.youngest = self.youngest.min(now_in);
        } else {
            planted!(419, (), self.remember(Entry::new(what, slot).0));
        }
    }

    /// Remembers an entry, which may have the bit `AGAIN`, when the thread that collects comes to it.
    pub(super) fn remember(&mut self, entry: usize) {
        let pushed = self.hand.entries.push_within(entry);
        debug_assert!(pushed.is_ok(), "a worker stops before its lists are full");
        self.stop_if_enough();
    }

    pub(super) fn stop_if_enough(&mut self) {
        if self.hand.is_enough() {
            self.left = 0;
        }
    }
}

/// Copies the words of an object but for its header, which others may be changing.
///
/// # Safety
/// `words` words lie at `from`, at least two, and as many can be written at `to`, which does not overlap. Where sizes are rounded, the
/// last word at `from` may be the header of another object.
#[inline(always)]
pub(super) unsafe fn copy_fields(from: Addr, to: Addr, words: usize, are_rounded: bool) {
    let (from, to) = (from.plus_words(1), to.plus_words(1));
    let mut words = words - 1;
    // SAFETY: the caller's promise.
    unsafe {
        if are_rounded {
            words -= 1;
            let last = header_word(from.plus_words(words)).load(Ordering::Relaxed);
            to.plus_words(words).store(last as usize);
        }
        match words {
            0 => {}
            1 => to.store(from.load()),
            _ => copy_words(from, to, words),
        }
    }
}
