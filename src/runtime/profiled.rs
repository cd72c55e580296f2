//! The observer that profiles are made of: one compiled instance of the collector, used while a profile needs it.
//!
//! It carries the side tables' entries along with the objects, and tells a census that runs what is alive. What another
//! profiler wants to do at these moments goes here too: a field that is `None` while that profiler is off.

use super::biography::Running;
use super::heap::Runtime;
use crate::base::Addr;
use crate::block::Block;
use crate::census::tally::Tally;
use crate::gc::Observer;
use crate::gc::moves::Moves;
use crate::heap::Model;
use crate::heap::side::{self, Carried, Table};
use crate::heap::space::Place;
use crate::prof::space::Space;

pub struct Profiled<'a> {
    pub model: Model,
    /// Otherwise, of objects that no collection has met there is nothing in the biography.
    pub young_have_lives: bool,
    /// The side tables that are on.
    pub carried: Carried,
    /// Those of them that are copied with an object: a biography stamps its own.
    pub copied: Carried,
    /// A census counts in this collection, which is a major one, and nothing else is wanted: then this is here and not in
    /// `tally`.
    pub only_tally: Option<&'a mut Tally>,
    /// A census counts in this collection, beside others.
    pub tally: Option<&'a mut Tally>,
    /// A biography is taken.
    pub biography: Option<&'a mut Running>,
    /// It counts in this collection.
    pub counts_biography: bool,
    /// Space is counted by function, and nothing else is wanted: then this is here and not in `space`.
    pub only_space: Option<&'a mut Space>,
    /// Space is counted by function, beside others.
    pub space: Option<&'a mut Space>,
    /// In checking mode: what moves is noted.
    pub moves: Option<&'a mut Moves>,
    /// A biography counts, and hands on what it has counted to `tally`, which wants no more.
    pub tallies_alike: bool,
    /// Nobody but a biography wants to know of each object.
    pub only_lives: bool,
}

impl Profiled<'_> {
    /// The collection has ended.
    pub fn finish(&mut self) {
        if let Some(running) = &mut self.biography {
            running.tell_seen(self.tally.as_deref_mut().filter(|_| self.tallies_alike));
        }
    }
}

impl Observer for Profiled<'_> {
    const ON: bool = true;

    fn tells_kinds_apart(&self) -> bool {
        self.only_tally.is_some() || self.tally.is_some() || self.carried.any()
    }

    #[inline(always)]
    fn kept(&mut self, from: Addr, to: Addr, words: usize, was: Place, place: Place) {
        if let Some(tally) = &mut self.only_tally {
            // SAFETY: the object is whole where it is now.
            unsafe { tally.count(to, words) };
        } else {
            self.kept_for_more(from, to, words, was, place);
        }
    }

    fn left(&mut self, group: Block) {
        if let Some(running) = &mut self.biography {
            // SAFETY: the collector is done with the group, and has not freed it.
            unsafe { running.book_uses_in(self.carried.sides, &self.model, group) };
        }
    }

    #[inline(always)]
    fn ahead(&self, address: Addr) {
        if self.biography.is_some() {
            self.carried.sides.prefetch_life(address);
        }
    }

    #[inline(always)]
    fn moved(&mut self, from: Addr, to: Addr, _words: usize) {
        self.note(from, to);
        if from != to {
            // SAFETY: both places are in blocks of the heap.
            unsafe { self.carried.carry(from, to) };
        }
    }

    fn replaces(&mut self, object: Addr) {
        if let Some(running) = &mut self.biography {
            // SAFETY: the object is still what it was.
            unsafe { running.book_marked_use(self.carried.sides, &self.model, object) };
        }
    }

    fn renamed(&mut self, object: Addr, words: usize, before: usize) {
        if let Some(tally) = self.only_tally.as_mut().or(self.tally.as_mut()) {
            // SAFETY: the object is whole, and had this table when it was counted.
            unsafe { tally.recount(object, words, before) };
        }
    }
}

impl Profiled<'_> {
    /// `kept`, where more is wanted than a count. Apart, since in the collector's loop it would cost the registers of all that
    /// is there.
    #[inline(never)]
    fn kept_for_more(&mut self, from: Addr, to: Addr, words: usize, was: Place, place: Place) {
        if self.only_lives {
            self.kept_in_life(from, to, words, was, place);
        } else {
            self.kept_for_others(from, to, words, was, place);
        }
    }

    /// Takes what `kept_for_more` takes, so that going on to it is a jump.
    #[inline(never)]
    fn kept_in_life(&mut self, from: Addr, to: Addr, words: usize, was: Place, _place: Place) {
        self.stamp(from, to, words, was);
    }

    #[inline(never)]
    fn kept_for_others(&mut self, from: Addr, to: Addr, words: usize, was: Place, place: Place) {
        if let Some(space) = &mut self.only_space {
            // SAFETY: the collector has just copied the object from one block of the heap to another, or left it.
            unsafe {
                let number = self.carried.sides.carry_number(Table::Producer, from, to);
                space.kept(number, to, words, was, place);
            }
            return;
        }
        self.note(from, to);
        if from != to {
            // SAFETY: the collector has just copied the object from one block of the heap to another.
            unsafe { self.copied.carry(from, to) };
        }
        if let Some(tally) = self.tally.as_mut().filter(|_| !self.tallies_alike) {
            // SAFETY: the object is whole where it is now.
            unsafe { tally.count(to, words) };
        }
        if let Some(space) = &mut self.space {
            // SAFETY: as above.
            unsafe { space.kept(self.carried.sides.number(Table::Producer, to), to, words, was, place) };
        }
        // Last: the new place has a producer now.
        if self.biography.is_some() {
            self.stamp(from, to, words, was);
        }
    }

    #[inline(always)]
    fn stamp(&mut self, from: Addr, to: Addr, words: usize, was: Place) {
        let Some(running) = &mut self.biography else { return };
        // What has not moved may have been met at an earlier collection, whatever the place is.
        let is_met = from == to || was != Place::NURSERY || self.young_have_lives;
        // SAFETY: the collector has just copied the object from one block of the heap to another, or left it.
        unsafe {
            let word = running.stamp(self.carried.sides, from, to, words, is_met);
            if self.counts_biography {
                let tally = if self.tallies_alike { self.tally.as_deref_mut() } else { None };
                running.count(to, words, word, tally);
            }
        }
    }

    #[inline(always)]
    fn note(&mut self, from: Addr, to: Addr) {
        if from != to
            && let Some(moves) = &mut self.moves
        {
            moves.note(from, to);
        }
    }
}

impl Runtime {
    /// An object of `words` words is about to be changed in place: to profiles, it ends here.
    pub fn overwritten(&mut self, object: Addr, words: usize) {
        if self.biography.is_some() {
            self.biography_dead(object, words);
        }
    }

    /// An object was changed in place: to profiles, a new one begins here, with no past.
    pub fn created(&mut self, object: Addr, _words: usize) {
        if self.store.side_table_is_on(Table::Biography) {
            self.biography_created(object);
        }
        if self.store.side_table_is_on(Table::Cell) {
            // SAFETY: the caller has an object of this heap.
            unsafe { side::set_number(Table::Cell, object, 0) };
        }
    }
}
