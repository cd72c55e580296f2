//! The memory for what a collection knows of each place. It lies beside the heap and not on the stack of the thread that collects,
//! which may be small.

use crate::base::Addr;
use crate::block::{Block, Chain, DoubleChain};
use crate::heap::Store;
use crate::heap::space::generation::{Generation, PLACES, Place};
use crate::heap::space::store::PLACES_ROOM_BYTES;

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

pub(super) struct Desk {
    pub spots: [Spot; PLACES],
    /// The groups of saved objects without pointers, which are not scavenged.
    pub leaves: [Filling; PLACES],
    /// The places for survivors, by their places before.
    pub onward: [Place; PLACES],
    /// Places that can receive anything, for the loops; their number.
    pub used_places: [Place; PLACES],
    pub used_count: usize,
}

const _: () = assert!(size_of::<Desk>() <= PLACES_ROOM_BYTES && align_of::<Desk>() <= 4096);

impl Desk {
    /// The desk of a heap, for a collection. Steps of generations that are not collected receive objects where they ended.
    pub(super) fn laid<'a>(
        store: &mut Store,
        oldest_collected: usize,
        promote_at_once: bool,
    ) -> &'a mut Desk {
        // SAFETY: the room is mapped as long as the heap lives, has the size and the alignment of a page, and begins as zeros,
        // which are empty lists and the nursery's place. One collection runs at a time, whose tracer holds the store as long as it
        // holds the desk.
        let desk = unsafe { &mut *store.places_room.start().as_ptr::<Desk>() };
        let generations = store.all_generations();
        desk.used_count = 0;
        for (number, generation) in generations.iter().enumerate() {
            for (step_number, step) in generation.live_steps().iter().enumerate() {
                let place = Place::new(number, step_number);
                desk.onward[place.index()] = onward(place, generations, promote_at_once);
                if place != Place::NURSERY {
                    desk.used_places[desk.used_count] = place;
                    desk.used_count += 1;
                }
                let goes_on = number > oldest_collected;
                let filling = if goes_on { Filling::going_on_in(step.open) } else { Filling::EMPTY };
                desk.spots[place.index()] =
                    Spot { filling, scan: filling.next, scan_group: filling.open, ..Spot::EMPTY };
                desk.leaves[place.index()] = if planted!(84, false, goes_on) {
                    Filling::going_on_in(step.open_leaves)
                } else {
                    Filling::EMPTY
                };
            }
        }
        desk
    }

    pub(super) fn used(&self) -> &[Place] {
        &self.used_places[..self.used_count]
    }
}

/// The place for survivors of a place.
fn onward(place: Place, generations: &[Generation], promote_at_once: bool) -> Place {
    let (number, step) = (place.generation() as usize, place.step() as usize);
    let has_older = number + 1 < generations.len();
    if planted!(158, false, step + 1 < generations[number].step_count) && !(promote_at_once && has_older) {
        Place::new(number, step + 1)
    } else if has_older {
        Place::new(number + 1, 0)
    } else {
        place
    }
}
