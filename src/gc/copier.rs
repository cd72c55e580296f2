//! A worker that copies beside others. It writes the copies that it makes, the words at the old places of their objects, and
//! lists of what it leaves to the thread that collects [gc.crowd].
//!
//! The loops are those of `gc::evacuate` and `gc::scavenge`, for objects of which no more is to be made than a copy. Of several
//! workers that copy an object one wins it (`still::forward`).

use super::entries::Entries;
use super::hand::{Hand, Range, Ranges, Supply};
use super::slices::{Cards, Slices};
use super::team::pace;
use super::words::{LOOK_AHEAD_BYTES, copy_words, is_constant};
use crate::base::Addr;
use crate::base::still::forward::{read, settle};
use crate::base::still::{Look, Work};
use crate::block::Block;
use crate::block::descriptor::flag;
use crate::heap::Model;
use crate::heap::object::array::card_for;
use crate::heap::object::info::{FLAG_NOTIFY_MOVED, FLAG_SHORTCUT, Info, Kind};
use crate::heap::object::kind::Kinds;
use crate::heap::object::model::{
    HEADER_BITS, HEADER_FORWARDED, HEADER_RECORDED, SlotSink, has_no_pointers, info_of,
};
use crate::heap::space::generation::{Code, PLACES, Place};
use crate::heap::space::pinned::PinnedBlock;
use crate::heap::space::remember::{Entry, Remembered, each_entry_between};
use crate::megablock::{AnyCodes, Codes};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// Elements of a card that are looked at before the next ones are asked for.
const ELEMENTS_AT_ONCE: usize = 16;
/// The fewest words of objects that are given to a worker that has none.
const SHARED_WORDS: usize = 64;

/// In the low bits of a word that a worker leaves: what is to be done, and at the address above them.
pub(super) mod left {
    /// The slot holds a tagged word.
    pub(in crate::gc) const TAGGED: usize = 1;
    /// The slot is one of a mutable object, which wants nothing promoted.
    pub(in crate::gc) const MUTABLE: usize = 2;
    /// A saved object whose fields are not looked at.
    pub(in crate::gc) const FIELDS: usize = 4;
    pub(in crate::gc) const ALL: usize = 7;
}

/// The things that workers look at before what was saved.
#[derive(Clone, Copy)]
pub(super) enum First<'a> {
    Nothing,
    Cards(&'a Cards<'a>),
    Entries(&'a Entries),
}

/// The fields that a worker looks at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fields {
    OfObjects,
    /// Elements of a card, which is marked afterwards by the youngest generation that one of them leads to.
    OfCard,
    /// Slots that were remembered.
    Remembered,
}

/// The knowledge that all workers of one collection share.
pub(super) struct Known<'a> {
    pub codes: AnyCodes,
    pub model: Model,
    /// The highest place of the generations that are collected.
    pub last: Place,
    pub onward: &'a [Place; PLACES],
    pub places: &'a [Place],
    pub work: &'a Work<Ranges>,
    pub supply: Mutex<Supply<'a>>,
    pub first: First<'a>,
    /// Whether every object is an occasion to share: in small heaps, which have several workers in tests alone.
    pub eager: bool,
}

// SAFETY: what it leads to does not change while workers run, but for the work and the supply, which are made to be shared.
unsafe impl Sync for Known<'_> {}

pub(super) struct Copier<'a> {
    known: &'a Known<'a>,
    hand: &'a mut Hand,
    /// Generation of the object whose fields are looked at, and the youngest one in which it wants their objects.
    owner: u8,
    desired: u8,
    /// Objects before the next look at what others want; 0 to look at once.
    left: usize,
    /// Whether there was no room for a copy.
    is_out: bool,
    fields: Fields,
    /// The youngest generation that an element of the card leads to.
    youngest: u8,
}

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

impl<'a> Copier<'a> {
    pub(super) fn new(known: &'a Known<'a>, hand: &'a mut Hand) -> Self {
        Copier {
            known,
            hand,
            owner: 0,
            desired: 0,
            left: 0,
            is_out: false,
            fields: Fields::OfObjects,
            youngest: u8::MAX,
        }
    }

    /// Looks at what was saved and copies what it leads to, until nothing is left or somebody interrupts.
    pub(super) fn run(&mut self) {
        if !self.look_at_first() {
            return;
        }
        loop {
            if !self.scan_all() {
                return;
            }
            let Some(range) = self.known.work.take() else { return };
            self.known.work.give_back(Range::NONE);
            self.hand.now = range;
        }
    }

    /// Looks at what this worker has saved. False when it is to stop.
    fn scan_all(&mut self) -> bool {
        while let Some(range) = self.hand.next(self.known.places) {
            if !self.scan(range) {
                return false;
            }
        }
        true
    }

    /// Looks at cards or entries, and at what it saves for them, until all are taken. False when the worker is to stop.
    #[inline(never)]
    fn look_at_first(&mut self) -> bool {
        // A worker that has stopped before has something in hand.
        while self.scan_all() && (self.left > 0 || self.look_up()) {
            match self.known.first {
                First::Nothing => return true,
                First::Cards(cards) => {
                    let Some(taken) = cards.take() else { return true };
                    (self.owner, self.desired, self.fields) = (cards.owner, cards.desired, Fields::OfCard);
                    taken.for_each(|card| self.look_at_card(cards, card));
                }
                First::Entries(entries) => {
                    let Some(taken) = entries.take() else { return true };
                    (self.desired, self.fields) = (0, Fields::Remembered);
                    each_entry_between(taken.start, taken.end, |entry| self.look_at_entry(entry));
                }
            }
            self.fields = Fields::OfObjects;
            self.stop_if_enough();
        }
        false
    }

    /// Looks at a remembered slot, as `Tracer::scavenge_entry` does. Anything else is left.
    fn look_at_entry(&mut self, entry: Entry) {
        let code = self.code(entry.at().0);
        let what = entry.what();
        if code.is_none() || !matches!(what, Remembered::Slot | Remembered::TaggedSlot) {
            self.hand.leave_entry(entry);
        } else if !code.is_saved() && code.place() > self.known.last {
            self.owner = code.generation();
            self.field(entry.at(), what);
        }
    }

    fn look_at_card(&mut self, cards: &Cards, card: usize) {
        let Slices { array, info, .. } = cards.slices;
        // SAFETY: the card exists, and is this worker's.
        let byte = unsafe { &mut *array.card(card) };
        if !cards.is_wanted(*byte) {
            if *byte != 0 {
                cards.note_marked();
            }
            return;
        }
        self.youngest = u8::MAX;
        let elements = cards.elements(card);
        let (start, end) = (elements.start, elements.end);
        let (mut at, mut ahead) = (start, array.element(start));
        while at < end {
            let next = (at + ELEMENTS_AT_ONCE).min(end);
            // SAFETY: the elements exist.
            ahead = unsafe { self.look_ahead(ahead, array.element(next), array.element(end)) };
            self.known.model.elements(info, array.element(at), next - at, &mut Unusual(self));
            at = next;
        }
        *byte = 0;
        if self.youngest != u8::MAX {
            *byte = planted!(432, 0, card_for(self.youngest));
            cards.note_marked();
        }
    }

    #[inline(always)]
    fn code(&self, address: usize) -> Code {
        Code(match &self.known.codes {
            AnyCodes::Range(codes) => codes.at(address),
            AnyCodes::Chunks(codes) => codes.at(address),
        })
    }

    /// Looks at the objects of a range. False when the worker is to stop; the rest is in its hand.
    fn scan(&mut self, range: Range) -> bool {
        let Range { start: mut at, end } = range;
        let mut ahead = at;
        let generation = self.code(at.0).generation();
        (self.owner, self.desired) = (generation, generation);
        let model = self.known.model;
        while at < end {
            if self.left == 0 && !self.look_up() {
                self.hand.now = Range { start: planted!(414, end, at), end };
                return false;
            }
            self.left -= 1;
            // SAFETY: objects fill the range, and it is this worker's.
            let header = unsafe { at.load() };
            let info = info_of(header);
            if header & HEADER_RECORDED != 0 || !is_constant(info) {
                at = self.scan_unusual(at, end, header, info);
                continue;
            }
            let ptrs = info.ptrs as usize;
            let next = at.plus_words(model.rounded(1 + ptrs + info.words as usize));
            // SAFETY: as above.
            ahead = unsafe { self.look_ahead(ahead.max(at), next, end) };
            for i in 1..=ptrs {
                self.pointer(at.plus_words(i));
            }
            at = next;
        }
        true
    }

    /// Looks at an object that may be any. Gives the next one.
    #[inline(never)]
    fn scan_unusual(&mut self, object: Addr, end: Addr, header: usize, info: &Info) -> Addr {
        if info.is(Kind::Custom) {
            // Size and fields are its client's functions' to say, which one thread calls.
            let _ = self.hand.rests.push_within(Range { start: object, end });
            self.stop_if_enough();
            return end;
        }
        let model = self.known.model;
        // SAFETY: a well-formed object with this table lies here.
        let next = object.plus_words(unsafe { model.size(object, info) });
        // The fields of applications are told by their functions, which may be moving.
        if !info.is_whole_in(Kinds::TOGETHER) || info.is(Kind::Pap) || info.is(Kind::Ap) {
            self.leave(object, left::FIELDS);
            return next;
        }
        self.desired = if info.is_mutable() { 0 } else { self.owner };
        // SAFETY: as above.
        unsafe { model.each_slot(object, info, &mut Unusual(self)) };
        self.desired = self.owner;
        if planted!(416, false, header & HEADER_RECORDED != 0) && self.owner > 0 {
            self.remember(Remembered::Object, object);
        }
        next
    }

    /// As `Tracer::look_ahead`.
    ///
    /// # Safety
    /// Words from `ahead` to `end` are readable.
    #[inline(always)]
    unsafe fn look_ahead(&self, mut ahead: Addr, at: Addr, end: Addr) -> Addr {
        let upto = Addr(at.0 + LOOK_AHEAD_BYTES).min(end);
        while ahead < upto {
            // SAFETY: the caller's promise.
            let word = unsafe { ahead.load() };
            let might_be_ours = match &self.known.codes {
                AnyCodes::Range(codes) => codes.might_be_ours(word),
                AnyCodes::Chunks(codes) => codes.might_be_ours(word),
            };
            if might_be_ours {
                Addr(word).prefetch_object();
            }
            ahead = ahead.plus_words(1);
        }
        ahead
    }

    /// Looks whether others want work, or this worker is to stop. False when it is.
    #[cold]
    fn look_up(&mut self) -> bool {
        self.left = pace(self.known.eager);
        match self.known.work.look(self.is_out || self.hand.is_enough()) {
            Look::ComeOut => return false,
            Look::Share => self.share(),
            Look::GoOn => {}
        }
        true
    }

    /// Gives some of what waits to a worker that has nothing.
    fn share(&mut self) {
        let Some(free) = self.known.work.spare() else { return };
        let least = if self.known.eager { 1 } else { SHARED_WORDS };
        match self.hand.shared(self.known.places, least) {
            Some(range) => self.known.work.give(range),
            None => self.known.work.give_back(free),
        }
    }

    #[inline(always)]
    fn meet(&mut self, slot: Addr, word: usize, address: usize, what: Remembered) {
        let code = self.code(address);
        if !code.moves_up_to(self.known.last) {
            return self.meet_other(slot, address, code, what);
        }
        // SAFETY: a pointer into a block of small objects is the address of one.
        let header = read(unsafe { header_word(Addr(address)) }) as usize;
        let (new, now_in);
        if header & HEADER_BITS == 0 && is_copied(info_of(header)) {
            let to = self.known.onward[code.place().index()].max(Place::new(self.desired as usize, 0));
            let Some(saved) = self.copy(Addr(address), header, to) else {
                return self.leave_slot(slot, what);
            };
            (new, now_in) = saved;
        } else if header & HEADER_BITS == HEADER_FORWARDED {
            (new, now_in) = self.saved_at(header);
        } else {
            return self.leave_slot(slot, what);
        }
        // SAFETY: slots come from fields of well-formed objects, which are this worker's. Where a slot was remembered twice, another
        // worker may write the same to it.
        unsafe { slot_word(slot) }
            .store(word.wrapping_add(new.0.wrapping_sub(address)) as u64, Ordering::Relaxed);
        if now_in < self.owner {
            self.note_younger(slot, now_in, what);
        }
    }

    #[inline(always)]
    fn pointer(&mut self, slot: Addr) {
        // SAFETY: slots come from fields of well-formed objects.
        let word = unsafe { slot.load() };
        self.meet(slot, word, word & !HEADER_BITS, Remembered::Slot);
    }

    /// Meets the object of any field.
    #[inline(never)]
    fn field(&mut self, slot: Addr, what: Remembered) {
        // SAFETY: slots come from fields of well-formed objects.
        let word = unsafe { slot_word(slot) }.load(Ordering::Relaxed) as usize;
        let address =
            if what == Remembered::Slot { word & !HEADER_BITS } else { self.known.model.tags.address(word) };
        if address != 0 {
            self.meet(slot, word, address, what);
        }
    }

    /// The place that a forwarding word tells, and the generation there, where anybody asks for that.
    #[inline(always)]
    fn saved_at(&self, header: usize) -> (Addr, u8) {
        let new = header & !HEADER_BITS;
        (Addr(new), if self.owner == 0 { 0 } else { self.code(new).generation() })
    }

    /// Copies an object, unless another worker does so first. Gives where it is, and the generation there; `None` when there is no
    /// room.
    #[inline(always)]
    fn copy(&mut self, from: Addr, header: usize, to: Place) -> Option<(Addr, u8)> {
        let info = info_of(header);
        // SAFETY: an object with this header lies here; only its header changes while workers run.
        let words = unsafe { self.known.model.size(from, info) };
        let is_leaf = info.ptrs == 0 && info.is(Kind::Constr) || has_no_pointers(info);
        let new = self.room(to, words, is_leaf)?;
        // SAFETY: the new place has room for `words` words and nobody knows it; the old one holds the object.
        let settled = unsafe {
            new.store(header);
            copy_fields(from, new, words, self.known.model.round != 0);
            settle(header_word(from), header as u64, (new.0 | HEADER_FORWARDED) as u64)
        };
        match settled {
            Ok(()) => Some((new, to.generation())),
            Err(other) => {
                self.hand.rooms(is_leaf).now[to.index()].next = new;
                Some(self.saved_at(other as usize))
            }
        }
    }

    /// Room for `words` words at a place.
    #[inline(always)]
    fn room(&mut self, to: Place, words: usize, is_leaf: bool) -> Option<Addr> {
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
        if !self.hand.refill(to, words, is_leaf, &mut supply) {
            // The thread that collects says what is wrong.
            (self.is_out, self.left) = (true, 0);
            return None;
        }
        drop(supply);
        self.room(to, words, is_leaf)
    }

    /// Meets an address that is no small object of a collected generation. Statics are not followed in these collections.
    #[inline(never)]
    fn meet_other(&mut self, slot: Addr, address: usize, code: Code, what: Remembered) {
        if code.is_none() {
            return;
        }
        let is_settled = if !code.is_fixed() {
            true
        } else if code.is_saved() {
            let group = Block::of(Addr(address)).head();
            !group.has(flag::PINNED) || planted!(418, true, PinnedBlock(group).is_reached(Addr(address)))
        } else {
            code.place() > self.known.last
        };
        if !is_settled {
            return self.leave_slot(slot, what);
        }
        if code.generation() < self.owner {
            // An equal entry was looked at before, as `note_in_place` says.
            if self.fields == Fields::Remembered && code.is_saved() && !code.is_fixed() {
                return;
            }
            self.note_younger(slot, code.generation(), what);
        }
    }

    /// Leaves a slot to the thread that collects.
    #[cold]
    #[inline(never)]
    fn leave_slot(&mut self, slot: Addr, what: Remembered) {
        if self.fields == Fields::Remembered {
            return self.hand.leave_entry(Entry::new(what, slot));
        }
        let tagged = if what == Remembered::Slot { 0 } else { left::TAGGED };
        let mutable = if self.desired == self.owner { 0 } else { left::MUTABLE };
        self.leave(slot, tagged | mutable);
    }

    fn leave(&mut self, at: Addr, what: usize) {
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
            planted!(419, (), self.remember(what, slot));
        }
    }

    /// Remembers an entry, when the thread that collects comes to it.
    fn remember(&mut self, what: Remembered, at: Addr) {
        let pushed = self.hand.entries.push_within(Entry::new(what, at).0);
        debug_assert!(pushed.is_ok(), "a worker stops before its lists are full");
        self.stop_if_enough();
    }

    fn stop_if_enough(&mut self) {
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
unsafe fn copy_fields(from: Addr, to: Addr, words: usize, are_rounded: bool) {
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

/// The fields of an object that is not constant. Its sink is not compiled into each loop over fields.
struct Unusual<'c, 'a>(&'c mut Copier<'a>);

impl SlotSink for Unusual<'_, '_> {
    fn pointer(&mut self, slot: Addr) {
        self.0.field(slot, Remembered::Slot);
    }

    fn tagged(&mut self, slot: Addr) {
        self.0.field(slot, Remembered::TaggedSlot);
    }
}

#[cfg(test)]
#[path = "copier_tests.rs"]
mod tests;
