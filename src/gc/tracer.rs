//! The state of one collector thread during one collection.

use super::copies::{Copies, Crowd};
use super::gaps::Segments;
use super::marks::Marks;
use super::observer::Observer;
use super::statics::StaticLists;
use crate::base::Addr;
use crate::block::{Block, Chain, DoubleChain};
use crate::heap::object::weak_array::WeakArrayList;
use crate::heap::space::generation::{Code, PLACES, Place};
use crate::heap::space::remember::EntryList;
use crate::heap::{Model, Store};
use crate::megablock::Codes;

/// The groups that saved objects are put into, one behind the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Filling {
    /// Next free word, and the end of the group that it is in.
    pub next: Addr,
    pub limit: Addr,
    /// The group that was opened last. Unless a gap is being filled, `next` lies in it, and its descriptor does not know
    /// yet how far it is filled.
    pub open: Block,
    /// Start of the gap that `next` lies in; null when it lies in `open`.
    pub gap: Addr,
    /// Words that came into gaps before this one in this collection.
    pub gap_words: usize,
    /// Words of gaps in the groups of `chain`, which were left where they are.
    pub dead_words: usize,
    /// Groups that this collection has opened, the newest first. Each group's `back` is the one opened after it.
    pub chain: Chain,
    /// The group and the address where the place ended before the collection.
    pub began: Block,
    pub began_next: Addr,
}

impl Filling {
    pub(super) const EMPTY: Filling = Filling {
        next: Addr::NULL,
        limit: Addr::NULL,
        open: Block::NULL,
        gap: Addr::NULL,
        gap_words: 0,
        dead_words: 0,
        chain: Chain::EMPTY,
        began: Block::NULL,
        began_next: Addr::NULL,
    };

    /// Goes on in a group that is not full, if there is one.
    fn going_on_in(group: Block) -> Filling {
        let Some(group) = group.some() else { return Filling::EMPTY };
        let next = group.fields().free;
        Filling { next, limit: group.end(), open: group, began: group, began_next: next, ..Filling::EMPTY }
    }

    /// Lets the open group know how far it is filled, if it is the one that is being filled.
    pub(super) fn seal(&self) {
        if let (Some(open), true) = (self.open.some(), self.gap.is_null()) {
            open.fields().free = self.next;
        }
    }

    /// Whether objects go to this group now.
    #[inline(always)]
    pub(super) fn is_in(&self, group: Block) -> bool {
        group == self.open && self.gap.is_null()
    }

    /// Opens a new group, for an object of so many words and those that follow. A gap that is being filled is not left.
    pub(super) fn open(&mut self, group: Block, words: usize) -> Addr {
        self.seal();
        if let Some(last) = self.open.some() {
            last.fields().back = group;
        }
        self.chain.push(group);
        self.open = group;
        let after = group.start().plus_words(words);
        if self.gap.is_null() {
            (self.next, self.limit) = (after, group.end());
        } else {
            group.fields().free = after;
        }
        group.start()
    }

    /// Lets the open group know how far it is filled. Gives the words of objects that came in this collection, or that
    /// it left where they are.
    pub(super) fn close(&self) -> usize {
        self.seal();
        let first = self.began.some().map_or(0, |group| group.fields().free.words_since(self.began_next));
        let groups: usize = self.chain.iter().map(|group| group.words_free_to()).sum();
        first + groups + self.gap_words - self.dead_words
    }
}

/// The groups of saved objects of one place, and the progress of their scan. Aligned, so that a shift finds it.
#[derive(Clone, Copy, Debug)]
#[repr(align(128))]
pub(super) struct Spot {
    pub filling: Filling,
    /// First object not scavenged yet, and the group that it is in.
    pub scan: Addr,
    pub scan_group: Block,
    /// First object in the gap that is being filled that is not scavenged yet.
    pub gap_scan: Addr,
    /// Large objects and pinned blocks that live here: to be scavenged, and done.
    pub large_todo: DoubleChain,
    pub large_done: DoubleChain,
    pub large_words: usize,
}

impl Spot {
    const EMPTY: Spot = Spot {
        filling: Filling::EMPTY,
        scan: Addr::NULL,
        scan_group: Block::NULL,
        gap_scan: Addr::NULL,
        large_todo: DoubleChain::EMPTY,
        large_done: DoubleChain::EMPTY,
        large_words: 0,
    };
}

/// The record of a field of an old object that still points to a younger one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Notes {
    /// The field is remembered.
    Slots,
    /// The field is one that was remembered: it is remembered again, once [gc.remember.once].
    Again,
    /// Only the fact is kept, in `saw_younger`.
    Fact,
}

pub(super) struct Tracer<'a, C: Codes, O: Observer> {
    pub store: &'a mut Store,
    pub observer: &'a mut O,
    pub codes: C,
    pub model: Model,
    /// The highest place of the generations that are collected.
    pub last: Place,
    /// The places for survivors, by their places before.
    pub onward: [Place; PLACES],
    pub spots: [Spot; PLACES],
    /// The groups of saved objects without pointers, which are not scavenged.
    pub leaves: [Filling; PLACES],
    /// The objects in gaps that were left, which are not scavenged yet.
    pub segments: Segments,
    /// Places that can receive anything, for the loops.
    pub used_places: [Place; PLACES],
    pub used_count: usize,
    /// Generation of the object whose fields are looked at; 0 for roots.
    pub owner: u8,
    /// The youngest generation in which the owner wants the objects of its fields.
    pub desired: u8,
    pub notes: Notes,
    pub saw_younger: bool,
    /// The youngest generation that was seen when `saw_younger` was set.
    pub youngest: u8,
    /// Whether a field that leads to something younger was rewritten, which happens once in a collection.
    pub saw_moved: bool,
    /// Whether weak pointers with dead keys live on, since another phase of this collection judges them.
    pub keeps_weak: bool,
    /// Whether headers may say that the weak phase waits for their objects.
    pub awaiting: bool,
    /// Weak arrays that were met, and remembered elements of others: for the weak phase.
    pub weak_arrays: WeakArrayList,
    pub weak_slots: EntryList,
    /// Whether indirections that do not move stay as they are, since they form a loop.
    pub keeps_indirections: bool,
    pub statics: StaticLists,
    pub copied_words: u64,
    /// Objects without pointers that were copied.
    pub leaves_saved: usize,
    /// The part that other workers take in copying.
    pub crowd: Crowd,
    pub copies: Option<Box<Copies>>,
    /// The state of marking in place; `OFF` in a copying collection.
    pub marks: Marks,
}

impl<'a, C: Codes, O: Observer> Tracer<'a, C, O> {
    /// Begins a collection. Steps of generations that are not collected receive objects where they ended.
    pub(super) fn new(
        store: &'a mut Store,
        observer: &'a mut O,
        codes: C,
        oldest_collected: usize,
        promote_at_once: bool,
    ) -> Self {
        let model = store.model;
        let segments = Segments::within(&store.mark_room);
        let mut tracer = Tracer {
            store,
            observer,
            codes,
            model,
            last: Place::new(oldest_collected, 7),
            onward: [Place::NURSERY; PLACES],
            spots: [Spot::EMPTY; PLACES],
            leaves: [Filling::EMPTY; PLACES],
            segments,
            used_places: [Place::NURSERY; PLACES],
            used_count: 0,
            owner: 0,
            desired: 0,
            notes: Notes::Slots,
            saw_younger: false,
            youngest: u8::MAX,
            saw_moved: false,
            keeps_weak: false,
            awaiting: false,
            weak_arrays: WeakArrayList::EMPTY,
            weak_slots: EntryList::EMPTY,
            keeps_indirections: false,
            statics: StaticLists::new(false),
            copied_words: 0,
            leaves_saved: 0,
            crowd: Crowd::ALONE,
            copies: None,
            marks: Marks::OFF,
        };
        tracer.statics.follows =
            oldest_collected == tracer.store.oldest() && !tracer.store.statics.is_empty();
        tracer.find_onward_places(promote_at_once);
        for number in oldest_collected + 1..tracer.store.generation_count {
            for step in 0..tracer.store.generations[number].step_count {
                let (place, step) = (Place::new(number, step), &tracer.store.generations[number].steps[step]);
                let filling = Filling::going_on_in(step.open);
                tracer.spots[place.index()] =
                    Spot { filling, scan: filling.next, scan_group: filling.open, ..Spot::EMPTY };
                tracer.leaves[place.index()] =
                    planted!(84, Filling::EMPTY, Filling::going_on_in(step.open_leaves));
            }
        }
        tracer
    }

    fn find_onward_places(&mut self, promote_at_once: bool) {
        let count = self.store.generation_count;
        for number in 0..count {
            let steps = self.store.generations[number].step_count;
            for step in 0..steps {
                let place = Place::new(number, step);
                let next =
                    if planted!(158, false, step + 1 < steps) && !(promote_at_once && number + 1 < count) {
                        Place::new(number, step + 1)
                    } else if number + 1 < count {
                        Place::new(number + 1, 0)
                    } else {
                        place
                    };
                self.onward[place.index()] = next;
                if place != Place::NURSERY {
                    self.used_places[self.used_count] = place;
                    self.used_count += 1;
                }
            }
        }
    }

    /// The code of blocks that receive objects of a place.
    #[inline]
    pub(super) fn receiving(&self, place: Place, code: Code) -> Code {
        if place <= self.last { code.saved() } else { code }
    }
}
