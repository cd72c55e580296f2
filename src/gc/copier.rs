//! A worker that copies beside others. It writes the copies that it makes, the words at the old places of their objects, and
//! lists of what it leaves to the thread that collects [gc.crowd].
//!
//! The loops are those of `gc::evacuate` and `gc::scavenge`, for objects of which no more is to be made than a copy. Of several
//! workers that copy an object one wins it (`still::forward`).

use super::entries::Entries;
use super::hand::{Hand, Range, Ranges, Supply};
use super::slices::{Cards, Slices};
use super::static_lists::Seen;
use super::team::pace;
use super::told::Told;
use super::words::{LOOK_AHEAD_BYTES, is_constant};
use crate::base::Addr;
use crate::base::still::{Look, Work};
use crate::heap::Model;
use crate::heap::object::array::card_for;
use crate::heap::object::info::{Info, Kind};
use crate::heap::object::kind::Kinds;
use crate::heap::object::model::{HEADER_RECORDED, SlotSink, info_of};
use crate::heap::space::carded::drop_covered;
use crate::heap::space::generation::{Code, PLACES, Place};
use crate::heap::space::remember::{Entry, Remembered, each_entry_between};
use crate::megablock::{AnyCodes, BoundedCodes};
use std::sync::Mutex;

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
pub(super) enum Fields {
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
    /// The state of statics, in a collection that follows them.
    pub statics: Option<Seen<'a>>,
    /// The observer, if it is to be told of copies.
    pub told: Option<&'a dyn Told>,
    /// Whether every object is an occasion to share: in small heaps, which have several workers in tests alone.
    pub eager: bool,
}

// SAFETY: what it leads to does not change while workers run, but for the work and the supply, which are made to be shared.
unsafe impl Sync for Known<'_> {}

pub(super) struct Copier<'a> {
    pub(super) known: &'a Known<'a>,
    pub(super) hand: &'a mut Hand,
    /// A part of what `known` leads to. Since others write some of that, the loops would read it anew for each field.
    pub(super) codes: BoundedCodes,
    pub(super) model: Model,
    pub(super) last: Place,
    pub(super) onward: &'a [Place; PLACES],
    pub(super) follows_statics: bool,
    /// Whether an observer is to be told of copies.
    pub(super) is_told: bool,
    /// Generation of the object whose fields are looked at, and the youngest one in which it wants their objects.
    pub(super) owner: u8,
    pub(super) desired: u8,
    /// Objects before the next look at what others want; 0 to look at once.
    pub(super) left: usize,
    /// Whether there was no room for a copy.
    pub(super) is_out: bool,
    pub(super) fields: Fields,
    /// The youngest generation that an element of the card leads to.
    pub(super) youngest: u8,
}

impl<'a> Copier<'a> {
    pub(super) fn new(known: &'a Known<'a>, hand: &'a mut Hand) -> Self {
        Copier {
            known,
            hand,
            codes: known.codes.bounded(),
            model: known.model,
            last: known.last,
            onward: known.onward,
            follows_statics: planted!(476, false, known.statics.is_some()),
            is_told: known.told.is_some(),
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
        if self.look_at_first() {
            while self.scan_all()
                && let Some(range) = self.known.work.take()
            {
                self.known.work.give_back(Range::NONE);
                self.hand.now = range;
            }
        }
        if let Some(told) = self.known.told {
            told.tell_all(&mut self.hand.untold);
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
                    self.look_at_cards(cards, taken);
                }
                First::Entries(entries) => {
                    let Some(taken) = entries.take() else { return true };
                    (self.desired, self.fields) = (0, Fields::Remembered);
                    let (start, mut end) = (taken.start, taken.end);
                    if entries.has_cards {
                        let (codes, last) = (self.known.codes, self.last.generation());
                        // SAFETY: entries lie there, and they are this worker's.
                        end = unsafe { drop_covered(start, end, codes, last) };
                    }
                    each_entry_between(start, end, |entry| self.look_at_entry(entry));
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
        } else if !code.is_saved() && code.place() > self.last {
            self.owner = code.generation();
            self.meet_fields(entry.at(), 1, what);
        }
    }

    fn look_at_cards(&mut self, cards: &Cards, taken: std::ops::Range<usize>) {
        let Slices { array, info, .. } = cards.slices;
        // SAFETY: the cards exist, and are this worker's.
        let byte = |card| unsafe { &mut *array.card(card) };
        let most = array.element(cards.elements(taken.end - 1).end);
        let mut ahead = Addr::NULL;
        for card in taken.clone() {
            let leads = *byte(card);
            if !cards.is_wanted(leads) {
                if leads != 0 {
                    cards.note_marked();
                }
                continue;
            }
            self.youngest = u8::MAX;
            let elements = cards.elements(card);
            let goes_on = card + 1 < taken.end && cards.is_wanted(*byte(card + 1));
            let upto = if goes_on { most } else { array.element(elements.end) };
            let mut at = elements.start;
            while at < elements.end {
                let next = (at + ELEMENTS_AT_ONCE).min(elements.end);
                // SAFETY: the elements exist.
                ahead = unsafe { self.look_ahead(ahead.max(array.element(at)), array.element(next), upto) };
                let model = self.model;
                model.elements(info, array.element(at), next - at, &mut Unusual(self));
                at = next;
            }
            *byte(card) = 0;
            if self.youngest != u8::MAX {
                *byte(card) = planted!(432, 0, card_for(self.youngest));
                cards.note_marked();
            }
        }
    }

    #[inline(always)]
    pub(super) fn code(&self, address: usize) -> Code {
        Code(self.codes.at(address))
    }

    /// Looks at the objects of a range. False when the worker is to stop; the rest is in its hand.
    fn scan(&mut self, range: Range) -> bool {
        let Range { start: mut at, end } = range;
        let mut ahead = at;
        let generation = self.code(at.0).generation();
        (self.owner, self.desired) = (generation, generation);
        let model = self.model;
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
            for i in 1..1 + ptrs {
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
        let model = self.model;
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
        if info.is_whole_in(Kinds::MENTIONING) && planted!(475, false, self.mentions(info)) {
            self.leave(object, left::FIELDS);
            // The thread that looks at it records it.
            planted!(701, (), return next);
        }
        if planted!(416, false, header & HEADER_RECORDED != 0) && self.owner > 0 {
            self.remember(Entry::new(Remembered::Object, object).0);
        }
        next
    }

    /// Whether code of this table has references to statics that were not looked at lately.
    fn mentions(&self, info: &Info) -> bool {
        !info.srt.is_null() && self.known.statics.is_some_and(|seen| !seen.has_table(info.srt))
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
            if self.codes.might_be_ours(word) {
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
}

/// The fields of an object that is not constant. Its sink is not compiled into each loop over fields.
struct Unusual<'c, 'a>(&'c mut Copier<'a>);

impl SlotSink for Unusual<'_, '_> {
    fn pointer(&mut self, slot: Addr) {
        self.0.meet_fields(slot, 1, Remembered::Slot);
    }

    fn tagged(&mut self, slot: Addr) {
        self.0.meet_fields(slot, 1, Remembered::TaggedSlot);
    }

    fn pointers(&mut self, first: Addr, count: usize) {
        self.0.meet_fields(first, count, Remembered::Slot);
    }

    fn tagged_words(&mut self, first: Addr, count: usize) {
        self.0.meet_fields(first, count, Remembered::TaggedSlot);
    }
}

#[cfg(test)]
#[path = "copier_tests.rs"]
mod tests;
