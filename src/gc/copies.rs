//! The state of a collection in which several workers copy: for how many memory is held, and what each has.

use super::copier::{Copier, First, Known};
use super::desk::Desk;
use super::hand::{Hand, Range, Ranges, Supply};
use super::static_lists::StaticLists;
use super::team::LEAST_BYTES;
use super::told::Told;
use crate::base::list::try_box;
use crate::base::still::Work;
use crate::base::{Addr, List, Outcome};
use crate::heap::Store;
use crate::heap::space::generation::{PLACES, Place};
use std::cell::UnsafeCell;
use std::sync::Mutex;

/// Ranges that may wait at a time, besides those that each worker has.
const RANGES: usize = 256;

/// The part that workers take in a collection.
#[derive(Clone, Copy)]
pub(super) struct Crowd {
    /// Workers for whose rooms memory is held; 1 where one thread copies.
    pub most: usize,
    /// Whether they are called however little there is.
    pub eager: bool,
}

impl Crowd {
    pub(super) const ALONE: Crowd = Crowd { most: 1, eager: false };
}

/// Holds memory for as many copies as there may be, before anything moves, with room for as many workers as are wanted and as there is
/// memory for.
pub(super) fn hold_room(store: &mut Store, words: usize, open: usize) -> Outcome<Crowd> {
    let bytes = words * crate::base::size::WORD_BYTES;
    let mut most = store.workers.wanted(bytes, LEAST_BYTES);
    while most > 1 {
        // Each leaves as many groups half filled as one thread does.
        let more = planted!(450, 0, most * open);
        if store.blocks.keep_back(words, open + more).is_ok() {
            return Ok(Crowd { most, eager: bytes < LEAST_BYTES });
        }
        most /= 2;
    }
    store.blocks.keep_back(words, open)?;
    Ok(Crowd::ALONE)
}

/// Workers at work, from their first call in a collection.
pub(super) struct Copies {
    threads: usize,
    eager: bool,
    work: Work<Ranges>,
    pub hands: List<UnsafeCell<Hand>>,
    /// Blocks of each place.
    pub there: [usize; PLACES],
}

impl Copies {
    pub(super) fn begin(
        threads: usize,
        processors: usize,
        eager: bool,
        is_told: bool,
    ) -> Outcome<Box<Copies>> {
        let mut hands = List::new();
        hands.reserve(threads)?;
        for _ in 0..threads {
            let _ = hands.push_within(UnsafeCell::new(Hand::empty()));
        }
        for hand in hands.iter_mut() {
            hand.get_mut().get_room(is_told)?;
        }
        let work = Work::new(threads as u32, Ranges::with_room(RANGES)?, Ranges::with_room(RANGES)?);
        work.fit(processors, eager);
        (0..RANGES).for_each(|_| work.give_back(Range::NONE));
        try_box(Copies { threads, eager, work, hands, there: [0; PLACES] })
    }

    /// Gives a range to the workers; false when there are as many as may be.
    pub(super) fn give(&self, start: Addr, end: Addr) -> bool {
        let has_room = self.work.spare().is_some();
        if has_room {
            self.work.give(Range { start, end });
        }
        has_room
    }

    /// Lets all workers copy until there is nothing to do for them.
    pub(super) fn call(
        &mut self,
        store: &mut Store,
        last: Place,
        desk: &Desk,
        first: First,
        lists: &StaticLists,
        told: Option<&dyn Told>,
    ) {
        let (gap_place, making) = (gap_place(store, last), store.making(false));
        let Store { workers, blocks, gaps, codes, model, statics, .. } = store;
        let Copies { threads, eager, work, hands, there } = self;
        let supply = Mutex::new(Supply { blocks, gaps, codes: *codes, last, gap_place, making, there });
        let known = Known {
            codes: *codes,
            model: *model,
            last,
            onward: &desk.onward,
            places: desk.used(),
            work,
            supply,
            eager: *eager,
            first,
            statics: lists.seen(statics),
            told,
        };
        let (known, hands) = (&known, &Hands(hands));
        workers.run(*threads, &|number| {
            // SAFETY: each number is called once at a time, and nobody else uses its hand meanwhile.
            Copier::new(known, unsafe { hands.of(number) }).run();
        });
    }

    /// Whether something waits that workers have or were given.
    pub(super) fn has_work(&mut self, places: &[Place]) -> bool {
        let has_work = self.hands.iter_mut().any(|hand| hand.get_mut().has_work(places));
        let given = self.work.begin_again().map(|range| self.work.give(range));
        has_work || given.is_some()
    }
}

/// The hands of workers, of which each uses the one of its own number.
struct Hands<'a>(&'a [UnsafeCell<Hand>]);

// SAFETY: each worker uses its own.
unsafe impl Sync for Hands<'_> {}

impl Hands<'_> {
    /// # Safety
    /// Nobody else uses the hand of this number meanwhile.
    #[allow(clippy::mut_from_ref)]
    unsafe fn of(&self, number: usize) -> &mut Hand {
        // SAFETY: the caller's promise.
        unsafe { &mut *self.0[number].get() }
    }
}

/// The place whose gaps are filled, if gaps are.
pub(super) fn gap_place(store: &Store, last: Place) -> Option<Place> {
    let place = Place::new(store.oldest(), 0);
    (place > last).then_some(place)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::flag::Flags;
    use crate::base::size::{BLOCK_BYTES, MEGABLOCK_BYTES};
    use crate::block::alloc::SAVING_BLOCKS;
    use crate::heap::Tags;
    use crate::os::limits::limits;

    /// A store with so many megablocks at most, which wants eight workers.
    fn store(ceiling: usize) -> Store {
        let flags = Flags::parse("--workers=8!").unwrap();
        let mut store = Store::new(&flags, &limits(), Tags::checked(0, 0, 0, 8).unwrap(), 8).unwrap();
        store.blocks.set_ceiling(ceiling);
        store
    }

    fn held(ceiling: usize) -> (usize, usize) {
        let mut store = store(ceiling);
        let crowd = hold_room(&mut store, 1000, 6).unwrap();
        (crowd.most, store.blocks.megablocks.free() * MEGABLOCK_BYTES)
    }

    #[test]
    fn room_for_workers_is_held() {
        let (most, bytes) = held(100);
        assert_eq!(most, 8);
        assert!(bytes >= (8 + 1) * 6 * SAVING_BLOCKS * BLOCK_BYTES);
    }

    #[test]
    fn less_memory_is_fewer_workers() {
        assert_eq!([held(1).0, held(2).0], [1, 2]);
    }
}
