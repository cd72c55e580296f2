//! Looks at the fields of saved objects until nothing is left to look at.

use super::follow::MOST_CELL_WORDS;
use super::observer::Observer;
use super::tracer::{Notes, Tracer};
use super::words::{LOOK_AHEAD_BYTES, is_constant};
use crate::base::Addr;
use crate::block::descriptor::flag;
use crate::heap::object::info::{Info, Kind};
use crate::heap::object::kind::Kinds;
use crate::heap::object::model::{HEADER_RECORDED, SlotSink, info_of};
use crate::heap::space::generation::{Code, Place};
use crate::heap::space::remember::{Entry, Remembered};
use crate::megablock::Codes;

/// Objects to scan after a vain look for a list, so that chains of other objects cost few such looks.
const WITHOUT_LIST: u32 = 32;

impl<C: Codes, O: Observer> Tracer<'_, C, O> {
    /// Runs until every scan pointer has met its free pointer and no large object waits.
    pub(super) fn scavenge_everything(&mut self) {
        let gaps = Place::new(self.store.oldest(), 0);
        loop {
            let mut any = self.marks.on && self.scavenge_marked();
            for i in 0..self.desk.used_count {
                let place = self.desk.used_places[i];
                any |= self.scavenge_small(place);
                any |= place == gaps && self.scavenge_gaps(place);
                any |= self.scavenge_large(place);
            }
            any |= self.scavenge_statics();
            if !any {
                return;
            }
        }
    }

    /// Scavenges the small objects of a place as far as there are any. True when there were.
    fn scavenge_small(&mut self, place: Place) -> bool {
        let generation = place.generation();
        let mut any = false;
        loop {
            let spot = &mut self.desk.spots[place.index()];
            let Some(group) = spot.scan_group.some() else { return any };
            // The group that is being filled ends where the next object goes; the descriptors of others say it.
            if spot.filling.is_in(group) {
                if spot.scan == spot.filling.next {
                    return any;
                }
            } else if spot.scan == group.fields().free {
                // Behind the last group, objects go to gaps.
                let Some(next) = group.fields().back.some() else { return any };
                (spot.scan_group, spot.scan) = (next, next.start());
                continue;
            }
            any = true;
            if self.crowd.most > 1 && self.share(place) {
                continue;
            }
            self.scavenge_group(place, generation);
        }
    }

    #[inline]
    fn scavenge_group(&mut self, place: Place, generation: u8) {
        let group = self.desk.spots[place.index()].scan_group;
        let mut scan = self.desk.spots[place.index()].scan;
        let mut ahead = scan;
        // Objects to scan before the next look for a list.
        let mut no_list = 0u32;
        (self.owner, self.desired) = (generation, generation);
        loop {
            let spot = &self.desk.spots[place.index()];
            let mut end = if spot.filling.is_in(group) { spot.filling.next } else { group.fields().free };
            if scan == end {
                break;
            }
            if no_list > 0 {
                no_list -= 1;
            } else if spot.filling.is_in(group) && end.words_since(scan) <= MOST_CELL_WORDS {
                let last = self.follow_list(place, scan, end);
                if last == scan {
                    no_list = WITHOUT_LIST;
                }
                scan = last;
                end = self.desk.spots[place.index()].filling.next;
                ahead = ahead.max(scan);
            }
            (scan, ahead) = self.scavenge_objects(scan, ahead, end, generation);
            // A group that is being filled grows as it is looked at, and workers are to be called before it is full.
            if self.crowd.most > 1 && self.desk.spots[place.index()].is_due(group, scan) {
                break;
            }
        }
        self.desk.spots[place.index()].scan = scan;
    }

    /// Scavenges the objects from `scan` to `end`. Gives where that ended, and how far the look ahead has come.
    #[inline(always)]
    fn scavenge_objects(
        &mut self,
        mut scan: Addr,
        mut ahead: Addr,
        end: Addr,
        generation: u8,
    ) -> (Addr, Addr) {
        let model = self.model;
        while scan < end {
            // SAFETY: objects fill the group from `scan` to `end`.
            let header = unsafe { scan.load() };
            let info = info_of(header);
            if header & HEADER_RECORDED != 0 || !is_constant(info) {
                (scan, ahead) = self.scavenge_unusual(scan, ahead, end, generation);
                self.desired = generation;
                continue;
            }
            let ptrs = info.ptrs as usize;
            let next = scan.plus_words(model.rounded(1 + ptrs + info.words as usize));
            if ptrs == 0 {
                // Where there are many of these, nothing has to be looked ahead to.
                (scan, ahead) = (next, ahead.max(next));
                continue;
            }
            // SAFETY: as above.
            ahead = unsafe { self.look_ahead(ahead, next, end) };
            for i in 1..1 + ptrs {
                self.pointer(scan.plus_words(i));
            }
            scan = next;
        }
        (scan, ahead)
    }

    /// Scavenges the saved objects of one generation from `start` to `end`.
    #[inline(never)]
    pub(super) fn scavenge_run(&mut self, start: Addr, end: Addr, generation: u8) {
        (self.owner, self.desired) = (generation, generation);
        self.scavenge_objects(start, start, end, generation);
    }

    /// Scavenges the object at `scan`, which may be any. Gives the next one, and how far the look ahead has come.
    #[inline(never)]
    fn scavenge_unusual(&mut self, scan: Addr, mut ahead: Addr, end: Addr, generation: u8) -> (Addr, Addr) {
        // SAFETY: objects fill a group from `scan` to `end`.
        unsafe {
            let header = scan.load();
            let info = info_of(header);
            let model = self.model;
            let next = scan.plus_words(model.size(scan, info));
            if info.is(Kind::Bytes) && header & HEADER_RECORDED == 0 {
                // Nothing to look at, here or on the way.
                return (next, ahead.max(next));
            }
            ahead = self.look_ahead(ahead, next, end);
            self.desired = if planted!(161, false, info.is_mutable()) { 0 } else { generation };
            self.scavenge_fields(scan, info, generation);
            if info.is_whole_in(Kinds::MENTIONING) {
                self.evacuate_srt(info.srt);
            }
            if header & HEADER_RECORDED != 0 {
                self.record_again(scan, header, generation);
            }
            (next, ahead)
        }
    }

    /// Prefetches the objects that words a little ahead of the scan may point to: they are in the cache by the time
    /// that the scan comes there. Plain words that look like addresses do no harm.
    ///
    /// # Safety
    /// Words from `ahead` to `end` are readable.
    #[inline(always)]
    unsafe fn look_ahead(&mut self, mut ahead: Addr, scan: Addr, end: Addr) -> Addr {
        let upto = Addr(scan.0 + LOOK_AHEAD_BYTES).min(end);
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

    pub(super) fn scavenge_object(&mut self, object: Addr, generation: u8) {
        // SAFETY: the callers hand in live objects.
        let header = unsafe { object.load() };
        let info = info_of(header);
        self.owner = generation;
        self.desired = if info.is_mutable() { 0 } else { generation };
        // SAFETY: as above.
        unsafe { self.scavenge_fields(object, info, generation) };
        if info.is_whole_in(Kinds::MENTIONING) {
            self.evacuate_srt(info.srt);
        }
        self.record_again(object, header, generation);
    }

    /// Looks at the fields of an object. Each field that leads to something younger is remembered by itself, but for those that a client's
    /// function hands in: such a function may keep pointers in a form of its own, and hand in a word on its stack
    /// [heap.remember.custom].
    ///
    /// # Safety
    /// A well-formed object with this table lies there.
    unsafe fn scavenge_fields(&mut self, object: Addr, info: &Info, generation: u8) {
        let model = self.model;
        if planted!(682, true, !info.is(Kind::Custom)) {
            // SAFETY: the caller's promise.
            return unsafe { model.each_slot(object, info, self) };
        }
        let (notes, younger) = (self.notes, self.saw_younger);
        (self.notes, self.saw_younger) = (Notes::Fact, false);
        // SAFETY: as above.
        unsafe { model.each_slot(object, info, self) };
        if self.saw_younger && notes == Notes::Slots {
            self.remember_for(generation, Entry::new(Remembered::ObjectOnce, object));
        }
        (self.notes, self.saw_younger) = (notes, self.saw_younger || younger);
    }

    /// An object that was recorded as mutable is recorded in whichever generation it comes to.
    pub(super) fn record_again(&mut self, object: Addr, header: usize, generation: u8) {
        // An object that slides is recorded at its new place.
        let moves = self.marks.on && Code(self.codes.at(object.0)) == self.marks.code;
        if header & HEADER_RECORDED != 0 && generation > planted!(16, 1, 0) && !moves {
            self.remember_for(generation, Entry::new(Remembered::Object, object));
        }
    }

    /// Looks at one remembered object. It stays remembered while it is mutable or has something younger.
    pub(super) fn scavenge_remembered(&mut self, object: Addr, what: Remembered, generation: u8) {
        // SAFETY: objects of older generations than the collected ones are alive.
        let header = unsafe { object.load() };
        if header == 0 {
            // A pinned object that was not filled yet.
            return;
        }
        let info = info_of(header);
        self.owner = generation;
        self.desired = if info.is_mutable() { 0 } else { generation };
        self.notes = Notes::Fact;
        (self.saw_younger, self.saw_moved) = (false, false);
        let model = self.model;
        // SAFETY: as above.
        unsafe { model.each_slot(object, info, self) };
        self.notes = Notes::Slots;
        if what == Remembered::ObjectOnce {
            if planted!(17, false, self.saw_younger) {
                self.remember_whole(generation, Entry::new(what, object));
            }
        } else if self.saw_younger || (what == Remembered::Object && info.is_mutable()) {
            self.remember_for(generation, Entry::new(what, object));
        } else if what == Remembered::Object {
            // SAFETY: as above.
            unsafe { object.store(header & !HEADER_RECORDED) };
        }
    }

    /// Remembers an object or a weak element of which an entry was looked at. An object with a field that was rewritten
    /// was met for the first time.
    pub(super) fn remember_whole(&mut self, generation: u8, entry: Entry) {
        if self.saw_moved {
            self.store.recent.add(entry);
            self.remember_for(generation, entry);
        } else {
            self.remember_once(generation, entry);
        }
    }

    /// Looks at those marked cards of a remembered array that lead to a collected generation.
    pub(super) fn scavenge_remembered_cards(&mut self, object: Addr) {
        let group = crate::block::Block::of(object).head();
        if !group.has(flag::CARDED) {
            return;
        }
        // SAFETY: objects of older generations than the collected ones are alive.
        let info = info_of(unsafe { object.load() });
        if info.is_in(Kinds::ARRAY) {
            let last = self.last.generation();
            self.scavenge_cards(group, info, last);
        }
    }
}
