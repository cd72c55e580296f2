//! The things of one worker that copies, kept from one call to the next of a collection: room for copies, copies that were not
//! looked at yet, and lists of what it leaves to the thread that collects. Also the supply of room, which a lock guards.

use super::entries::SLICE;
use super::team::Shelved;
use super::told::Untold;
use crate::base::{Addr, List, Outcome};
use crate::block::alloc::SAVING_BLOCKS;
use crate::block::{Block, Blocks, Chain};
use crate::heap::space::gaps::{Gap, Gaps, LEAST_WORDS, Making};
use crate::heap::space::generation::{Code, PLACES, Place};
use crate::heap::space::remember::Entry;
use crate::megablock::{AnyCodes, Fresh};

/// Objects one behind the other that were saved and not looked at.
#[derive(Clone, Copy)]
pub(super) struct Range {
    pub start: Addr,
    pub end: Addr,
}

impl Range {
    pub(super) const NONE: Range = Range { start: Addr::NULL, end: Addr::NULL };

    pub(super) fn is_none(self) -> bool {
        self.start == self.end
    }
}

pub(super) type Ranges = Shelved<Range>;

/// Room for copies in a group, or in a gap.
#[derive(Clone, Copy)]
pub(super) struct Room {
    pub next: Addr,
    pub limit: Addr,
    /// First object that was not looked at.
    pub scan: Addr,
    /// The group, or null; and the start of the gap, or null.
    pub group: Block,
    pub gap: Addr,
}

impl Room {
    const NONE: Room =
        Room { next: Addr::NULL, limit: Addr::NULL, scan: Addr::NULL, group: Block::NULL, gap: Addr::NULL };

    pub(super) fn in_group(group: Block) -> Room {
        let start = group.start();
        Room { next: start, limit: group.end(), scan: start, group, gap: Addr::NULL }
    }

    pub(super) fn in_gap(gap: Gap) -> Room {
        Room { next: gap.start, limit: gap.end, scan: gap.start, group: Block::NULL, gap: gap.start }
    }
}

/// Ranges in gaps that one worker may have waiting.
const RANGES: usize = 32;
/// Entries of a list, and those after which a worker stops: one small object has fewer fields than lie between.
const MOST: usize = 2048;
pub(super) const ENOUGH: usize = 1536;
const _: () = assert!(MOST - ENOUGH > crate::base::size::LARGE_OBJECT_WORDS + 2);
const _: () = assert!(MOST - ENOUGH >= SLICE);

/// The rooms of a worker for each place, and groups that it has filled there: for objects that are scanned, or for others.
pub(super) struct Rooms {
    pub now: [Room; PLACES],
    pub filled: [Chain; PLACES],
    /// Words that came into gaps.
    pub gap_words: usize,
}

impl Rooms {
    const NONE: Rooms = Rooms { now: [Room::NONE; PLACES], filled: [Chain::EMPTY; PLACES], gap_words: 0 };
}

/// The bit that no address has.
pub(super) const AGAIN: usize = 1 << 63;

pub(super) struct Hand {
    pub scanned: Rooms,
    pub leaves: Rooms,
    /// The range at hand, when the worker stopped in it.
    pub now: Range,
    ranges: [Range; RANGES],
    range_count: usize,
    /// Filled groups with objects that were not looked at, linked through `back`, from `scanned` on.
    waiting: Block,
    /// Slots and objects for the thread that collects (`Left`).
    pub left: List<usize>,
    /// Entries to be remembered, of which those with the bit `AGAIN` may have been before in this collection.
    pub entries: List<usize>,
    /// Remembered entries that are no plain slots, or whose objects are not copied by workers.
    pub others: List<usize>,
    /// Ranges that begin with an object whose size only the client tells.
    pub rests: List<Range>,
    pub failed_promotions: u64,
    /// Copies of which an observer is to be told, where there is one.
    pub untold: Untold,
}

impl Hand {
    /// A hand without memory for its lists.
    #[inline(always)]
    pub(super) fn empty() -> Hand {
        Hand {
            scanned: Rooms::NONE,
            leaves: Rooms::NONE,
            now: Range::NONE,
            ranges: [Range::NONE; RANGES],
            range_count: 0,
            waiting: Block::NULL,
            left: List::new(),
            entries: List::new(),
            others: List::new(),
            rests: List::new(),
            failed_promotions: 0,
            untold: Untold::NONE,
        }
    }

    pub(super) fn get_room(&mut self, is_told: bool) -> Outcome<()> {
        self.left.reserve(MOST)?;
        self.entries.reserve(MOST)?;
        self.others.reserve(MOST)?;
        self.rests.reserve(MOST)?;
        self.untold = Untold::new(is_told)?;
        Ok(())
    }

    pub(super) fn rooms(&mut self, is_leaf: bool) -> &mut Rooms {
        if is_leaf { &mut self.leaves } else { &mut self.scanned }
    }

    /// Whether the lists are to be done before the worker goes on.
    pub(super) fn is_enough(&self) -> bool {
        [self.left.len(), self.entries.len(), self.others.len(), self.rests.len()]
            .iter()
            .any(|&n| n >= ENOUGH)
    }

    /// Leaves a remembered entry to the thread that collects.
    pub(super) fn leave_entry(&mut self, entry: Entry) {
        let left = self.others.push_within(entry.0);
        debug_assert!(left.is_ok(), "a worker stops before its lists are full");
    }

    /// The next range to look at, of those that this worker has.
    pub(super) fn next(&mut self, places: &[Place]) -> Option<Range> {
        if !self.now.is_none() {
            return Some(std::mem::replace(&mut self.now, Range::NONE));
        }
        self.saved_last(places, 1).or_else(|| self.spare())
    }

    /// Objects of at least so many words that were saved in a room which is not full.
    fn saved_last(&mut self, places: &[Place], least: usize) -> Option<Range> {
        places.iter().find_map(|place| {
            let room = &mut self.scanned.now[place.index()];
            let range = Range { start: room.scan, end: room.next };
            (range.end.words_since(range.start) >= least).then(|| {
                room.scan = room.next;
                range
            })
        })
    }

    /// A range in a full gap or group.
    fn spare(&mut self) -> Option<Range> {
        if self.range_count > 0 {
            self.range_count -= 1;
            return Some(self.ranges[self.range_count]);
        }
        let group = self.waiting.some()?;
        let mut fields = group.fields();
        self.waiting = fields.back;
        let start = std::mem::replace(&mut fields.scanned, Addr::NULL);
        fields.back = Block::NULL;
        Some(Range { start, end: fields.free })
    }

    /// A range for another worker; objects of fewer words are not worth it.
    pub(super) fn shared(&mut self, places: &[Place], least: usize) -> Option<Range> {
        self.spare().or_else(|| self.saved_last(places, least))
    }

    pub(super) fn has_work(&self, places: &[Place]) -> bool {
        let is_open = |place: &Place| {
            let room = &self.scanned.now[place.index()];
            room.scan < room.next
        };
        !self.now.is_none() || self.range_count > 0 || !self.waiting.is_null() || places.iter().any(is_open)
    }

    /// Whether a gap may be begun for objects that are scanned: its range needs a place later.
    fn may_fill_gap(&self) -> bool {
        self.range_count < RANGES
    }

    /// Leaves a room that is full, and takes another with at least so many words. Gives what is to be touched of it before it is filled;
    /// `None` when there is none.
    pub(super) fn refill(
        &mut self,
        place: Place,
        words: usize,
        is_leaf: bool,
        supply: &mut Supply,
    ) -> Option<Fresh> {
        self.leave(place, is_leaf, supply);
        let may_fill_gap = is_leaf || self.may_fill_gap();
        let gap = if may_fill_gap { supply.gap(place, words) } else { None };
        let (room, fresh) = match gap {
            Some(gap) => (Room::in_gap(gap), Fresh::NONE),
            None => supply.group(place).map(|(group, fresh)| (Room::in_group(group), fresh))?,
        };
        self.rooms(is_leaf).now[place.index()] = room;
        Some(fresh)
    }

    /// Leaves a room: what lies behind the objects in a gap is a gap again, and what was not looked at waits.
    fn leave(&mut self, place: Place, is_leaf: bool, supply: &mut Supply) {
        let rooms = self.rooms(is_leaf);
        let room = std::mem::replace(&mut rooms.now[place.index()], Room::NONE);
        let waits = !is_leaf && planted!(411, false, room.scan < room.next);
        if let Some(group) = room.group.some() {
            group.fields().free = room.next;
            rooms.filled[place.index()].push(group);
            if waits {
                let mut fields = group.fields();
                (fields.scanned, fields.back) = (room.scan, self.waiting);
                self.waiting = group;
            }
        } else if !room.gap.is_null() {
            rooms.gap_words += room.next.words_since(room.gap);
            // SAFETY: nothing was put behind `next`, in a gap that was taken for this.
            unsafe { supply.give_back(Gap { start: room.next, end: room.limit }) };
            if waits {
                self.ranges[self.range_count] = Range { start: room.scan, end: room.next };
                self.range_count += 1;
            }
        }
    }
}

/// The memory that workers take room from. One of them does at a time.
pub(super) struct Supply<'a> {
    pub blocks: &'a mut Blocks,
    pub gaps: &'a mut Gaps,
    pub codes: AnyCodes,
    pub last: Place,
    /// The place whose gaps are filled, if gaps are.
    pub gap_place: Option<Place>,
    /// The way in which the rest of a gap becomes a gap.
    pub making: Making,
    /// Blocks of each place.
    pub there: &'a mut [usize; PLACES],
}

// SAFETY: all that it leads to is the heap's, whose other users wait.
unsafe impl Send for Supply<'_> {}

impl Supply<'_> {
    fn gap(&mut self, place: Place, words: usize) -> Option<Gap> {
        if self.gap_place != Some(place) {
            return None;
        }
        if words < 2 * LEAST_WORDS { self.gaps.take_for_small(words) } else { self.gaps.take(words) }
    }

    /// # Safety
    /// The words were a gap's, and no object is in them.
    unsafe fn give_back(&mut self, gap: Gap) {
        let making = planted!(480, Making { all: false, poisons: false }, self.making);
        // SAFETY: the caller's promise.
        unsafe { self.gaps.make_as(gap, making) };
    }

    /// A group of as many blocks as one thread would take there. `None` when what was held is used up.
    fn group(&mut self, place: Place) -> Option<(Block, Fresh)> {
        let there = &mut self.there[place.index()];
        let (group, fresh) = self.blocks.alloc_untouched((*there / 8 + 1).min(SAVING_BLOCKS)).ok()?;
        *there += group.blocks();
        let mut fields = group.fields();
        (fields.generation, fields.step) = (place.generation(), place.step());
        let code = Code::moving(place);
        let code = if place <= self.last { planted!(412, code, code.saved()) } else { code };
        self.codes.set(group.start(), group.blocks(), code.0);
        Some((group, fresh))
    }
}
