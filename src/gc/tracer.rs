//! The state of one collector thread during one collection.

use super::mark::Marks;
use super::observer::Observer;
use super::statics::StaticLists;
use crate::base::Addr;
use crate::block::{Block, Chain, DoubleChain};
use crate::heap::remember::EntryList;
use crate::heap::space::{Code, PLACES, Place, Step};
use crate::heap::weak_array::WeakArrayList;
use crate::heap::{Model, Store};
use crate::megablock::Codes;

/// Where saved objects of one place go, and how far they have been scavenged. Found by a shift, not by a product.
#[derive(Clone, Copy, Debug)]
#[repr(align(128))]
pub struct Spot {
    /// Next free word, and the end of the group that it is in.
    pub next: Addr,
    pub limit: Addr,
    /// First object not scavenged yet, and the group that it is in.
    pub scan: Addr,
    pub scan_group: Block,
    /// Newest group first. Each group's `back` is the one made after it.
    pub chain: Chain,
    /// Large objects and pinned blocks that live here: to be scavenged, and done.
    pub large_todo: DoubleChain,
    pub large_done: DoubleChain,
    pub large_words: usize,
    /// Where the place ended before the collection.
    pub began: Block,
    pub began_next: Addr,
}

impl Spot {
    const EMPTY: Spot = Spot {
        next: Addr::NULL,
        limit: Addr::NULL,
        scan: Addr::NULL,
        scan_group: Block::NULL,
        chain: Chain::EMPTY,
        large_todo: DoubleChain::EMPTY,
        large_done: DoubleChain::EMPTY,
        large_words: 0,
        began: Block::NULL,
        began_next: Addr::NULL,
    };

    /// Words of small objects that came here in this collection.
    pub fn arrived_words(&self) -> usize {
        let mut words = 0;
        for group in self.chain.iter() {
            if group == self.began {
                return words + group.fields().free.words_since(self.began_next);
            }
            words += group.words_free_to();
        }
        words
    }
}

/// What is done when a field of an old object still points to a younger one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Notes {
    /// The field is remembered.
    Slots,
    /// Only the fact is kept, in `saw_younger`.
    Fact,
}

pub struct Tracer<'a, C: Codes, O: Observer> {
    pub store: &'a mut Store,
    pub observer: &'a mut O,
    pub codes: C,
    pub model: Model,
    /// The highest place of the generations that are collected.
    pub last: Place,
    /// Where survivors of a place go.
    pub onward: [Place; PLACES],
    pub spots: [Spot; PLACES],
    /// Places that can receive anything, for the loops.
    pub used_places: [Place; PLACES],
    pub used_count: usize,
    /// Generation of the object whose fields are looked at; 0 for roots.
    pub owner: u8,
    /// Its fields should be in this generation or an older one.
    pub desired: u8,
    pub notes: Notes,
    pub saw_younger: bool,
    /// Headers may say that the weak phase waits for their objects.
    pub awaiting: bool,
    /// Weak arrays that were come by, and remembered elements of others: for the weak phase.
    pub weak_arrays: WeakArrayList,
    pub weak_slots: EntryList,
    /// Indirections that do not move stay as they are: they form a loop.
    pub keeps_indirections: bool,
    pub statics: StaticLists,
    pub copied_words: u64,
    /// Set when objects are marked in place instead of copied.
    pub marks: Marks,
}

impl<'a, C: Codes, O: Observer> Tracer<'a, C, O> {
    /// Takes the collected generations' steps apart into `from`; the others' receive objects where they ended.
    pub fn new(
        store: &'a mut Store,
        observer: &'a mut O,
        codes: C,
        oldest_collected: usize,
        promote_at_once: bool,
    ) -> Self {
        let model = store.model;
        let mut tracer = Tracer {
            store,
            observer,
            codes,
            model,
            last: Place::new(oldest_collected, 7),
            onward: [Place::NURSERY; PLACES],
            spots: [Spot::EMPTY; PLACES],
            used_places: [Place::NURSERY; PLACES],
            used_count: 0,
            owner: 0,
            desired: 0,
            notes: Notes::Slots,
            saw_younger: false,
            awaiting: false,
            weak_arrays: WeakArrayList::EMPTY,
            weak_slots: EntryList::EMPTY,
            keeps_indirections: false,
            statics: StaticLists::new(false),
            copied_words: 0,
            marks: Marks::OFF,
        };
        tracer.statics.follows =
            oldest_collected == tracer.store.oldest() && !tracer.store.statics.is_empty();
        tracer.find_onward_places(promote_at_once);
        for number in oldest_collected + 1..tracer.store.generation_count {
            for step in 0..tracer.store.generations[number].step_count {
                let place = Place::new(number, step);
                tracer.spots[place.index()] =
                    continue_step(&mut tracer.store.generations[number].steps[step]);
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
                let next = if step + 1 < steps && !(promote_at_once && number + 1 < count) {
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
    pub fn receiving(&self, place: Place, code: Code) -> Code {
        if place <= self.last { code.saved() } else { code }
    }
}

fn continue_step(step: &mut Step) -> Spot {
    Spot {
        next: step.next,
        limit: step.limit,
        scan: step.next,
        scan_group: step.blocks.first,
        began: step.blocks.first,
        began_next: step.next,
        chain: step.blocks.take(),
        ..Spot::EMPTY
    }
}
