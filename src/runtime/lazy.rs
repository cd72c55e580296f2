//! The tables of lazy kinds that a client may name, and what several mutators that evaluate the same thunks leave to be done.

use crate::base::{Addr, Failure, List, Outcome};
use crate::heap::Mutator;
use crate::heap::object::info::Info;
use crate::heap::object::kind::Kinds;
use crate::heap::object::lazy::promise;
use crate::heap::object::model::{HEADER_BITS, HEADER_FORWARDED, info_of};
use crate::heap::space::side::Table;
use crate::runtime::Runtime;

/// The bit of a word that says whose a claimed thunk is: no address has it, so no reference is taken for an owner.
pub(crate) const OWNER: usize = 1 << (usize::BITS - 1);

/// The word of a blackhole that no mutator is known to evaluate.
pub(crate) const NOBODY: usize = 0;

/// The bit that such a word has beside, when the mutator ran on a stack object: another one may go on with that.
pub(crate) const ON_A_STACK: usize = 1 << 3;

/// State of evaluation by several mutators.
#[derive(Default)]
pub(crate) struct Races {
    /// Words that were given to mutators.
    given: usize,
    /// Words of thunks that changed, each from an address to another, which another thread may still read, or the code of a
    /// thunk that was claimed. They are cleared when all stand, by whoever walks over the heap next.
    slop: List<(Addr, Addr)>,
    /// The number of these, from the first on, that lie in the order of their addresses.
    ordered: usize,
}

/// Words of a part of the heap from which on its walk looks up so many words of thunks that it is worth putting them in order: 200,000
/// thunks in one part took 15 s.
const MANY_WORDS: usize = 256;

impl Races {
    /// Another word for a mutator in thunks that it claims. No two mutators of a heap have the same, ever.
    pub(crate) fn next_owner(&mut self) -> usize {
        self.given += 1;
        OWNER | self.given << 4
    }

    /// Makes room, so that the next words can be noted.
    pub(crate) fn reserve(&mut self) -> Outcome<()> {
        self.slop.reserve(1)
    }

    /// Notes words that are to be cleared; there is room. A thunk that was claimed leaves none when it is updated.
    pub(crate) fn clear_later(&mut self, from: Addr, to: Addr) {
        if planted!(615, true, from < to) {
            let _ = self.slop.push_within((from, to));
        }
    }

    /// The end of the words from this address on that are still to be cleared, or the address itself. The newest are looked at
    /// first: the thunk has changed lately.
    pub(crate) fn end_of_slop(&self, from: Addr) -> Addr {
        let (ordered, newest) = self.slop.split_at(self.ordered);
        let place = || ordered.binary_search_by_key(&from, |slop| slop.0).ok();
        let found = newest.iter().rev().find(|slop| slop.0 == from);
        found.or_else(|| place().map(|at| &ordered[at])).map_or(from, |slop| slop.1)
    }

    /// Prepares for a walk over so many words, which asks `end_of_slop` of each thunk there.
    pub(crate) fn prepare_walk(&mut self, words: usize) {
        if planted!(644, false, words >= MANY_WORDS) {
            self.slop.sort_unstable();
            self.ordered = self.slop.len();
        }
    }

    /// Clears the words that were noted. No thread reads them any more.
    pub(crate) fn clear_slop(&mut self) {
        for &(from, to) in self.slop.iter() {
            // SAFETY: they were words of a thunk, which has not moved since.
            unsafe { clear(from, to) };
        }
        self.slop.clear();
        self.ordered = 0;
    }
}

/// # Safety
/// The words belonged to an object of the heap, and nobody reads them.
pub(crate) unsafe fn clear(from: Addr, to: Addr) {
    for i in 0..to.words_since(from) {
        // SAFETY: the caller's promise.
        unsafe { from.plus_words(i).store(0) };
    }
}

impl Runtime {
    pub(crate) fn thunk_table<'a>(&self, thunk: Addr, what: &str) -> Outcome<&'a Info> {
        // SAFETY: the caller found a block of objects there; the client says that it is one.
        let header = unsafe { promise(thunk) }.header() as usize;
        if header <= HEADER_BITS || header & HEADER_FORWARDED != 0 {
            return Err(Failure::argument(format_args!("{thunk} is no object of this heap")));
        }
        let info = info_of(header);
        if info.is_in(Kinds::UPDATABLE) {
            return Ok(info);
        }
        Err(Failure::argument(format_args!(
            "the object at {thunk} ({}) is of kind {} and no thunk: it cannot be {what}",
            info.name(),
            info.kind
        )))
    }

    /// Lets a mutator's inline code change thunks, or sends it out of line: there the slop is cleared, and
    /// biographies and side tables are kept up to date.
    pub fn show_tables(&self, mutator: &mut Mutator) {
        let tables = &self.store.tables;
        let heard = self.store.side_table_is_on(Table::Biography) || self.store.side_table_is_on(Table::Cell);
        let in_line = !self.store.clears_slop && !heard;
        let shown =
            |table: Addr| if in_line { table.as_ptr::<Info>().cast_const() } else { std::ptr::null() };
        let window = &mut mutator.window;
        window.claimed = shown(tables.blackhole);
        if self.gate.is_null() {
            window.ind = shown(tables.ind);
            window.blackhole = shown(tables.blackhole);
        } else {
            // Stores that do not look at the thunk first would take back what another mutator has made of it.
            window.shared_ind = shown(tables.ind);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};

    #[test]
    fn many_words_of_thunks_are_found_in_time() {
        const THUNKS: usize = 100_000;
        let mut races = Races::default();
        let thunk = |index: usize| Addr(4096 + 64 * index);
        let note = |races: &mut Races, index| {
            races.reserve().unwrap();
            races.clear_later(thunk(index), thunk(index).plus_words(1 + index % 5));
        };
        (0..THUNKS).rev().for_each(|index| note(&mut races, index));
        let begun = Instant::now();
        races.prepare_walk(8 * THUNKS);
        (THUNKS..THUNKS + 10).for_each(|index| note(&mut races, index));
        for index in 0..THUNKS + 10 {
            assert_eq!(races.end_of_slop(thunk(index)), thunk(index).plus_words(1 + index % 5));
            let other = thunk(index).plus_words(6);
            assert_eq!(races.end_of_slop(other), other);
        }
        assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
    }
}
