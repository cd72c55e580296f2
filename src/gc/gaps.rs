//! Promoted objects fill the gaps of the oldest generation before they take new groups.
//!
//! The scan of saved objects goes from group to group through links in descriptors, which gaps do not have. So the
//! objects in a gap that is left before the scan has come to them are noted as a segment. There is room for a fixed
//! number of segments: when it is full, no gap is begun, and groups are taken instead, for all of which memory was held
//! before the collection began [gc.inv.no-middle].

use super::desk::Filling;
use super::observer::Observer;
use super::tracer::Tracer;
use crate::base::Addr;
use crate::base::size::WORD_BYTES;
use crate::heap::Store;
use crate::heap::space::gaps::{Gap, Gaps, LEAST_WORDS};
use crate::heap::space::generation::Place;
use crate::megablock::Codes;
use crate::os::memory::Area;

/// Runs of saved objects in gaps that wait for the scan, two words for each, in the memory of the mark stack, which is empty
/// while objects are copied.
#[derive(Clone, Copy)]
pub(super) struct Segments {
    start: Addr,
    next: Addr,
    end: Addr,
    /// Words of all runs.
    pub words: usize,
}

impl Segments {
    pub(super) fn within(room: &Area) -> Segments {
        let start = room.start();
        Segments { start, next: start, end: start.plus_bytes(room.bytes()), words: 0 }
    }

    /// Whether there is room for the gap that is being filled alone.
    fn is_full(&self) -> bool {
        self.next.plus_words(4) > self.end
    }

    pub(super) fn push(&mut self, start: Addr, end: Addr) {
        if start < end {
            debug_assert!(self.next < self.end);
            // SAFETY: the memory is the collection's own, and there is room (`is_full`).
            unsafe {
                self.next.store(start.0);
                self.next.plus_words(1).store(end.0);
            }
            self.next = self.next.plus_words(2);
            self.words += end.words_since(start);
        }
    }

    pub(super) fn pop(&mut self) -> Option<(Addr, Addr)> {
        if self.next == self.start {
            return None;
        }
        self.next = Addr(self.next.0 - 2 * WORD_BYTES);
        // SAFETY: `push` wrote these words.
        let (start, end) = unsafe { (Addr(self.next.load()), Addr(self.next.plus_words(1).load())) };
        self.words -= end.words_since(start);
        Some((start, end))
    }
}

/// Words of an object that does not fill a gap together with others, but takes a part of one that is large enough.
const MEDIUM_WORDS: usize = 2 * LEAST_WORDS;

impl Filling {
    /// Room in the open group, beside the gap. When no gap is being filled, the open group was looked at before.
    fn room_in_group(&self, words: usize) -> Option<Addr> {
        let open = self.open.some().filter(|_| !self.gap.is_null())?;
        let (start, end) = (open.fields().free, open.fields().free.plus_words(words));
        (end <= open.end()).then(|| {
            open.fields().free = end;
            start
        })
    }

    /// Room in the open group, to which a filling has come back.
    fn rest_of_group(&mut self, words: usize) -> Option<Addr> {
        let (start, end) = (self.next, self.next.plus_words(words));
        (end <= self.limit).then(|| {
            self.next = end;
            start
        })
    }

    fn begin(&mut self, gap: Gap, words: usize) -> Addr {
        (self.gap, self.next, self.limit) = (gap.start, gap.start.plus_words(words), gap.end);
        gap.start
    }

    /// Leaves the gap, the rest of which becomes a gap, and goes back to the open group.
    fn leave(&mut self, store: &mut Store) {
        self.seal();
        if self.gap.is_null() {
            return;
        }
        self.gap_words += self.next.words_since(self.gap);
        // SAFETY: nothing was put behind `next`, in a gap that was taken for this.
        unsafe { store.make_gap(Gap { start: self.next, end: self.limit }, false) };
        self.gap = Addr::NULL;
        (self.next, self.limit) =
            self.open.some().map_or((Addr::NULL, Addr::NULL), |open| (open.fields().free, open.end()));
    }
}

impl<C: Codes, O: Observer> Tracer<'_, C, O> {
    /// A gap for the objects of a place, if the place has gaps.
    fn gap_for(
        &mut self,
        place: Place,
        words: usize,
        take: fn(&mut Gaps, usize) -> Option<Gap>,
    ) -> Option<Gap> {
        let oldest = self.store.oldest();
        if place != Place::new(oldest, 0) || place <= self.last {
            return None;
        }
        let gap = take(&mut self.store.gaps, words)?;
        if O::ON {
            self.store.clear_marks(gap.start, gap.end);
        }
        Some(gap)
    }

    /// Room for an object without a new group: in a gap, or in the open group beside one.
    pub(super) fn room_beside(&mut self, place: Place, words: usize) -> Option<Addr> {
        let is_full = self.segments.is_full();
        if words >= MEDIUM_WORDS {
            let part = if is_full { None } else { self.part_of_gap(place, words) };
            let filling = &mut self.desk.spots[place.index()].filling;
            let Some(start) = part else { return filling.room_in_group(words) };
            filling.gap_words += words;
            self.segments.push(start, start.plus_words(words));
            return Some(start);
        }
        self.leave_gap(place);
        let gap = if is_full { None } else { self.gap_for(place, words, Gaps::take_for_small) };
        let spot = &mut self.desk.spots[place.index()];
        let Some(gap) = gap else { return spot.filling.rest_of_group(words) };
        spot.gap_scan = gap.start;
        Some(spot.filling.begin(gap, words))
    }

    /// As `room_beside`, for an object without pointers.
    pub(super) fn room_beside_for_leaf(&mut self, place: Place, words: usize) -> Option<Addr> {
        if words >= MEDIUM_WORDS {
            let part = self.part_of_gap(place, words);
            let filling = &mut self.desk.leaves[place.index()];
            filling.gap_words += if part.is_some() { words } else { 0 };
            return part.or_else(|| filling.room_in_group(words));
        }
        self.desk.leaves[place.index()].leave(self.store);
        let gap = self.gap_for(place, words, Gaps::take_for_small);
        let filling = &mut self.desk.leaves[place.index()];
        let Some(gap) = gap else { return filling.rest_of_group(words) };
        Some(filling.begin(gap, words))
    }

    /// The first words of a gap; the rest is a gap again.
    fn part_of_gap(&mut self, place: Place, words: usize) -> Option<Addr> {
        let gap = self.gap_for(place, words, Gaps::take)?;
        let end = gap.start.plus_words(words);
        // SAFETY: the gap was taken for this object alone.
        unsafe { self.store.make_gap(Gap { start: end, end: gap.end }, false) };
        Some(gap.start)
    }

    fn leave_gap(&mut self, place: Place) {
        let spot = &mut self.desk.spots[place.index()];
        if !spot.filling.gap.is_null() {
            planted!(212, (), self.segments.push(spot.gap_scan, spot.filling.next));
        }
        spot.filling.leave(self.store);
    }

    /// Scavenges the objects in gaps as far as there are any. True when there were.
    pub(super) fn scavenge_gaps(&mut self, place: Place) -> bool {
        let mut any = false;
        loop {
            if self.crowd.most > 1 {
                any |= self.share(place);
            }
            let spot = &mut self.desk.spots[place.index()];
            let (start, end) = if !spot.filling.gap.is_null() && spot.gap_scan < spot.filling.next {
                (std::mem::replace(&mut spot.gap_scan, spot.filling.next), spot.filling.next)
            } else if let Some(segment) = self.segments.pop() {
                segment
            } else {
                return any;
            };
            any = true;
            self.scavenge_run(start, end, place.generation());
        }
    }

    /// Leaves the gaps that were filled last, at the end of a collection.
    pub(super) fn leave_gaps(&mut self) {
        let place = Place::new(self.store.oldest(), 0);
        self.desk.spots[place.index()].filling.leave(self.store);
        self.desk.leaves[place.index()].leave(self.store);
    }
}
