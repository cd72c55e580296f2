//! Copying by several workers at a time.
//!
//! The thread that collects copies as it always does. When much was saved that nobody has looked at, it cuts that into ranges and
//! calls the workers, itself among them: they look at the ranges, and at what they save meanwhile. Anything that is no plain
//! copy they leave to it, and it does that when no worker runs [gc.crowd]. So the serial loops stay what they are.
//!
//! Each worker has rooms of its own for copies, for which memory was held before the collection began. At its end they become
//! part of the steps, as groups of that thread do.

use super::copier::{First, left};
use super::copies::{Copies, Crowd, gap_place};
use super::desk::{Desk, Filling, Spot};
use super::entries::Entries;
use super::gaps::Segments;
use super::hand::{AGAIN, Hand, Range};
use super::observer::Observer;
use super::slices::Cards;
use super::told::Telling;
use super::tracer::{Notes, Tracer};
use crate::base::Addr;
use crate::block::{Block, Chain};
use crate::heap::Store;
use crate::heap::object::array::Array;
use crate::heap::object::info::Info;
use crate::heap::space::gaps::{Gap, LEAST_WORDS};
use crate::heap::space::generation::{Code, Place};
use crate::heap::space::remember::{Entry, Remembered};
use crate::megablock::Codes;

/// Words that were saved and not looked at for which workers are called: what they lead to is about as much again, and waking a
/// worker costs as much as copying a few hundred objects.
const MUCH_WORDS: usize = 1 << 14;
/// As `MUCH_WORDS`, for threads that look already.
const FEW_WORDS: usize = 1 << 10;
/// Arrays with cards that a worker leaves until all entries are done; others are looked at by one thread at once.
const MOST_ARRAYS: usize = 64;

impl Hand {
    /// Lets the rooms for objects that are scanned, or for others, become part of a place.
    fn join(
        &mut self,
        store: &mut Store,
        place: Place,
        filling: &mut Filling,
        is_leaf: bool,
        has_gaps: bool,
    ) {
        let rooms = self.rooms(is_leaf);
        let room = rooms.now[place.index()];
        while let Some(group) = rooms.filled[place.index()].pop() {
            filling.chain.push(group);
        }
        if let Some(group) = room.group.some() {
            group.fields().free = room.next;
            take_over(store, filling, group, has_gaps);
        } else if !room.gap.is_null() {
            filling.gap_words += room.next.words_since(room.gap);
            // SAFETY: nothing was put behind `next`, in a gap that was taken for this.
            unsafe { store.make_gap(Gap { start: room.next, end: room.limit }, false) };
        }
        if has_gaps {
            filling.gap_words += planted!(452, 0, rooms.gap_words);
        }
    }
}

impl Desk {
    fn hand_out(&mut self, copies: &Copies) {
        self.used_places[..self.used_count]
            .iter()
            .for_each(|place| self.spots[place.index()].hand_out(copies));
    }
}

impl Spot {
    /// The end of the objects in a group of this place.
    fn end_of(&self, group: Block) -> Addr {
        if self.filling.is_in(group) { self.filling.next } else { group.fields().free }
    }

    /// Objects that wait in the gap that is being filled.
    fn in_gap(&self) -> Range {
        if self.filling.gap.is_null() {
            Range::NONE
        } else {
            Range { start: self.gap_scan, end: self.filling.next }
        }
    }

    /// Whether at least so many words wait to be looked at.
    fn has_much(&self, much: usize) -> bool {
        let gap = self.in_gap();
        let mut words = gap.end.words_since(gap.start);
        let (mut at, mut from) = (self.scan_group, self.scan);
        while let Some(group) = at.some() {
            words += self.end_of(group).words_since(from);
            if words >= much {
                return true;
            }
            at = group.fields().back;
            from = at.some().map_or(Addr::NULL, Block::start);
        }
        words >= much
    }

    /// Whether so much waits from `scan` on in a group that is being filled that workers may be worth a call.
    #[inline(never)]
    pub(super) fn is_due(&self, group: Block, scan: Addr) -> bool {
        self.filling.is_in(group) && self.filling.next.words_since(scan) >= FEW_WORDS
    }

    /// Gives everything that waits to the workers, as far as there may be ranges.
    fn hand_out(&mut self, copies: &Copies) {
        let gap = self.in_gap();
        if !gap.is_none() && copies.give(gap.start, gap.end) {
            self.gap_scan = gap.end;
        }
        while let Some(group) = self.scan_group.some() {
            let end = self.end_of(group);
            if self.scan < end && !copies.give(self.scan, end) {
                return;
            }
            self.scan = end;
            let Some(next) = group.fields().back.some().filter(|_| !self.filling.is_in(group)) else {
                return;
            };
            (self.scan_group, self.scan) = (next, next.start());
        }
    }
}

impl Segments {
    /// As `Spot::hand_out`, for gaps that were left.
    fn hand_out(&mut self, copies: &Copies) {
        while let Some((start, end)) = self.pop() {
            if !copies.give(start, end) {
                return self.push(start, end);
            }
        }
    }
}

impl<C: Codes, O: Observer> Tracer<'_, C, O> {
    /// Lets several workers look at what was saved, if that is much, until nothing is left but what they could not do. True when
    /// they did.
    #[cold]
    #[inline(never)]
    pub(super) fn share(&mut self, place: Place) -> bool {
        // The weak phase waits for objects one by one.
        let much = if self.crowd.eager {
            1
        } else if self.store.workers.are_awake(self.crowd.most) {
            FEW_WORDS
        } else {
            MUCH_WORDS
        };
        let is_much = self.segments.words >= much || self.desk.spots[place.index()].has_much(much);
        if self.awaiting || !is_much {
            return false;
        }
        self.copy_with_workers(First::Nothing)
    }

    /// Lets workers look at the cards of a large array, and at all that they save meanwhile, if that is worth their while. When they
    /// did, whether a card is marked then.
    ///
    /// # Safety
    /// A well-formed array with this table lies here, and has cards.
    pub(super) unsafe fn share_cards(
        &mut self,
        array: Array,
        info: &Info,
        owner: u8,
        last: u8,
    ) -> Option<bool> {
        if self.crowd.most < 2 || self.marks.on || self.awaiting {
            return None;
        }
        // SAFETY: the caller's promise.
        let cards = unsafe { Cards::of(array, info, owner, last, self.crowd.eager) }?;
        self.copy_with_workers(First::Cards(&cards)).then(|| cards.is_marked())
    }

    /// Lets workers look at remembered entries, and at all that they save meanwhile, if that is worth their while. True when they did.
    pub(super) fn share_entries(&mut self, chain: &Chain, has_cards: bool) -> bool {
        // Slots of objects that changed are looked up in a list, which one thread does.
        if self.crowd.most < 2 || self.marks.on || !planted!(435, true, self.store.changed.is_empty()) {
            return false;
        }
        let Some(entries) = Entries::of(chain, has_cards, self.crowd.eager) else { return false };
        if !self.copy_with_workers(First::Entries(&entries)) {
            return false;
        }
        // Workers may look at the cards of these arrays, now that none is at work.
        let next =
            |copies: &mut Box<Copies>| copies.hands.iter_mut().find_map(|hand| hand.get_mut().others.pop());
        while let Some(entry) = self.copies.as_mut().and_then(next) {
            planted!(436, (), self.scavenge_entry(Entry(entry)));
        }
        true
    }

    /// Lets workers copy, who begin with this. False where no workers can be had, in the rest of the collection too.
    fn copy_with_workers(&mut self, first: First) -> bool {
        let Some(mut copies) = self.copies.take().or_else(|| self.begin_copies()) else {
            self.crowd.most = 1;
            return false;
        };
        if matches!(first, First::Cards(_)) {
            self.notes = Notes::Slots;
        }
        self.call_copiers(&mut copies, first);
        self.copies = Some(copies);
        true
    }

    /// Lets workers copy until nothing is left of what comes first, and of what was saved, but what they could not do.
    fn call_copiers(&mut self, copies: &mut Copies, first: First) {
        loop {
            self.segments.hand_out(copies);
            self.desk.hand_out(copies);
            let sides = self.store.sides();
            let telling = Telling::new(sides, &mut *self.observer);
            copies.call(self.store, self.last, self.desk, first, &self.statics, telling.told());
            self.take_in_copies(copies);
            let is_taken = match first {
                First::Nothing => true,
                First::Cards(cards) => planted!(433, true, cards.slices.are_taken()),
                First::Entries(entries) => planted!(434, true, entries.are_taken()),
            };
            if !copies.has_work(self.desk.used()) && is_taken {
                break;
            }
        }
    }

    fn begin_copies(&mut self) -> Option<Box<Copies>> {
        let threads = self.store.workers.gather(self.crowd.most);
        if threads < 2 {
            return None;
        }
        let processors = self.store.workers.processors();
        let mut copies = Copies::begin(threads, processors, self.crowd.eager, O::ON).ok()?;
        self.store.workers.count(threads);
        for &place in self.desk.used() {
            let new = self.desk.spots[place.index()].filling.chain.blocks
                + self.desk.leaves[place.index()].chain.blocks;
            copies.there[place.index()] = self.store.step(place).blocks.blocks + new;
        }
        Some(copies)
    }

    /// Does what workers have left. It may save objects.
    fn take_in_copies(&mut self, copies: &mut Copies) {
        // The workers' rooms are not here, so nothing is to be shared anew.
        let most = std::mem::replace(&mut self.crowd.most, 1);
        for hand in copies.hands.iter_mut() {
            let hand = hand.get_mut();
            while let Some(word) = hand.left.pop() {
                let at = Addr(word & !left::ALL);
                let generation = Code(self.codes.at(at.0)).generation();
                if word & left::FIELDS != 0 {
                    self.scavenge_object(at, generation);
                    continue;
                }
                self.owner = generation;
                self.desired = if word & left::MUTABLE != 0 { 0 } else { generation };
                self.evacuate_one(at, word & left::TAGGED != 0);
            }
            let mut arrays = 0;
            hand.others.retain_mut(|entry| {
                let entry = Entry(*entry);
                let waits = entry.what() == Remembered::Cards && arrays < MOST_ARRAYS;
                arrays += waits as usize;
                if !waits {
                    self.scavenge_entry(entry);
                }
                waits
            });
            while let Some(word) = hand.entries.pop() {
                let entry = Entry(word & !AGAIN);
                let generation = Code(self.codes.at(entry.at().0)).generation();
                if word & AGAIN == 0 {
                    self.remember_for(generation, entry);
                } else {
                    self.remember_once(generation, entry);
                }
            }
            while let Some(range) = hand.rests.pop() {
                let generation = Code(self.codes.at(range.start.0)).generation();
                self.scavenge_run(range.start, range.end, generation);
            }
            self.store.failed_promotions += std::mem::take(&mut hand.failed_promotions);
        }
        self.crowd.most = most;
    }

    /// Lets the workers' rooms become part of the places, when everything is saved.
    pub(super) fn end_copies(&mut self) {
        let Some(mut copies) = self.copies.take() else { return };
        self.crowd = Crowd::ALONE;
        let gap_place = gap_place(self.store, self.last);
        let Desk { spots, leaves, used_places, used_count, .. } = &mut *self.desk;
        for &place in &used_places[..*used_count] {
            let has_gaps = gap_place == Some(place);
            for hand in copies.hands.iter_mut() {
                let hand = hand.get_mut();
                hand.join(self.store, place, &mut spots[place.index()].filling, false, has_gaps);
                hand.join(self.store, place, &mut leaves[place.index()], true, has_gaps);
            }
        }
    }
}

/// Takes a group over that is filled in part. Its rest becomes a gap where gaps are filled; blocks that are not touched go back.
fn take_over(store: &mut Store, filling: &mut Filling, group: Block, has_gaps: bool) {
    let free = group.fields().free;
    if free == group.start() {
        store.codes.set(group.start(), group.blocks(), Code::NONE.0);
        store.blocks.free_group(group);
        return;
    }
    let group = store.trim(group);
    let gap = Gap { start: free, end: group.end() };
    if has_gaps && gap.words() >= LEAST_WORDS {
        group.fields().free = gap.end;
        filling.dead_words += gap.words();
        // SAFETY: nothing was put behind the last object.
        unsafe { store.make_gap(gap, false) };
    }
    filling.chain.push(group);
}

#[cfg(test)]
#[path = "crowd_tests.rs"]
mod tests;
