//! Moves of recent collections, for the search for a stale reference: in checking mode only.
//!
//! The record has the last collections; the oldest are forgotten first, also when they hold too much together. It may
//! grow during a collection: when there is no memory, that collection counts as not recorded, and nothing else suffers.

use crate::base::{Addr, List};

/// The most collections that are kept, and the most moves of all together: 16 MiB.
const COLLECTIONS: usize = 1024;
const MOST_MOVES: usize = 1 << 20;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Move {
    pub from: Addr,
    pub to: Addr,
}

/// The moves of one collection.
pub struct Batch {
    /// Number of the collection since the heap was made, from 1.
    pub collection: u64,
    /// The oldest generation that was collected.
    pub oldest: usize,
    /// The reason for the collection, as a string of C.
    pub reason: &'static std::ffi::CStr,
    /// Sorted by `from` once the collection is over.
    moves: List<Move>,
    is_whole: bool,
}

pub struct Moves {
    /// Batches, the newest last.
    batches: List<Batch>,
    total: usize,
}

impl Moves {
    pub const fn new() -> Moves {
        Moves { batches: List::new(), total: 0 }
    }

    /// Begins to record a collection. A failed collection has moved nothing, and its number comes again.
    pub fn begin(&mut self, collection: u64, reason: &'static std::ffi::CStr) {
        self.batches.retain_mut(|batch| batch.collection != collection);
        while self.batches.len() >= COLLECTIONS || self.total > MOST_MOVES && !self.batches.is_empty() {
            self.total -= self.batches.remove(0).moves.len();
        }
        let batch = Batch { collection, oldest: 0, reason, moves: List::new(), is_whole: true };
        let _ = self.batches.push(batch);
    }

    #[inline]
    pub fn note(&mut self, from: Addr, to: Addr) {
        if let Some(batch) = self.batches.last_mut()
            && batch.is_whole
            && batch.moves.push(Move { from, to }).is_err()
        {
            batch.moves = List::new();
            batch.is_whole = false;
        }
    }

    pub fn end(&mut self, oldest: usize) {
        if let Some(batch) = self.batches.last_mut() {
            batch.oldest = oldest;
            batch.moves.sort_unstable_by_key(|one| one.from);
            self.total += batch.moves.len();
        }
    }

    /// The last collection that moved an object to `at`.
    pub fn to(&self, at: Addr) -> Option<(&Batch, Move)> {
        let found = |batch: &Batch| batch.moves.iter().find(|one| one.to == at).copied();
        self.batches.iter().rev().find_map(|batch| found(batch).map(|one| (batch, one)))
    }

    /// The last collection that moved an object away from `at`.
    pub fn from(&self, at: Addr) -> Option<(&Batch, Move)> {
        self.batches.iter().rev().find_map(|batch| batch.from(at).map(|one| (batch, one)))
    }

    pub fn last(&self) -> Option<&Batch> {
        self.batches.last()
    }
}

impl Batch {
    pub fn from(&self, at: Addr) -> Option<Move> {
        let index = self.moves.binary_search_by_key(&at, |one| one.from).ok()?;
        Some(self.moves[index])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_move_is_told() {
        let mut moves = Moves::new();
        moves.begin(1, c"first");
        moves.note(Addr(80), Addr(800));
        moves.note(Addr(16), Addr(160));
        moves.end(0);
        moves.begin(2, c"second");
        moves.note(Addr(160), Addr(1600));
        moves.note(Addr(16), Addr(240));
        moves.end(1);
        let told = |found: Option<(&Batch, Move)>| {
            found.map(|(batch, one)| (batch.collection, one.from.0, one.to.0))
        };
        assert_eq!(told(moves.from(Addr(16))), Some((2, 16, 240)));
        assert_eq!(told(moves.from(Addr(80))), Some((1, 80, 800)));
        assert_eq!(told(moves.to(Addr(1600))), Some((2, 160, 1600)));
        assert_eq!(told(moves.to(Addr(160))), Some((1, 16, 160)));
        assert_eq!(told(moves.from(Addr(800))), None);
        assert_eq!(moves.last().map(|batch| (batch.oldest, batch.reason)), Some((1, c"second")));
    }

    #[test]
    fn it_forgets_the_oldest() {
        let mut moves = Moves::new();
        for collection in 1..=3000 {
            moves.begin(collection, c"");
            for i in 0..600 {
                moves.note(Addr(collection as usize * 10_000 + i), Addr(i));
            }
            moves.end(0);
        }
        assert!(moves.from(Addr(10_000)).is_none() && moves.from(Addr(30_000_000)).is_some());
        assert!(moves.total <= MOST_MOVES + 600 && moves.batches.len() <= COLLECTIONS);
        // The collection failed, and runs again.
        moves.begin(3000, c"again");
        assert!(moves.from(Addr(30_000_000)).is_none());
    }

    /// A collection that is recorded in part would tell that what it does not name did not move.
    #[test]
    fn a_collection_without_memory_is_not_recorded() {
        let mut moves = Moves::new();
        moves.begin(1, c"");
        moves.note(Addr(16), Addr(160));
        crate::base::fault::fail_after(0);
        (1..1000).for_each(|i| moves.note(Addr(16 + 8 * i), Addr(160 + 8 * i)));
        crate::base::fault::stop();
        moves.note(Addr(8), Addr(80));
        moves.end(0);
        assert_eq!([8, 16, 24].map(|at| moves.from(Addr(at)).is_some()), [false; 3]);
        moves.begin(2, c"");
        moves.note(Addr(8), Addr(80));
        moves.end(0);
        assert!(moves.from(Addr(8)).is_some());
    }
}
