//! The observer that profiles are made of: one compiled instance of the collector, used while a profile needs it.
//!
//! It carries the side tables' entries along with the objects, and tells a census that runs what is alive. What another
//! profiler wants to do at these moments goes here too: a field that is `None` while that profiler is off.

use super::biography::Running;
use super::heap::Runtime;
use super::kept::{Batch, Kept};
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
    /// What was kept and nobody knows of yet.
    pub batch: Batch,
}

impl Profiled<'_> {
    /// The collection has ended.
    pub fn finish(&mut self) {
        debug_assert!(self.batch.is_empty(), "nobody was told of what was kept last");
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
            // SAFETY: the object is whole where it is now. Nobody knows its producer.
            unsafe { tally.count_made(to, words, 0) };
        } else if self.batch.add(Kept::new(from, to, words, was, place)) {
            self.tell();
        }
    }

    fn all_kept(&mut self) {
        self.tell();
    }

    fn left(&mut self, group: Block) {
        debug_assert!(self.batch.is_empty());
        if let Some(running) = &mut self.biography {
            // SAFETY: the collector is done with the group, and has not freed it.
            unsafe { running.book_uses_in(self.carried.sides, &self.model, group) };
        }
    }

    #[inline(always)]
    fn moved(&mut self, from: Addr, to: Addr, _words: usize) {
        debug_assert!(self.batch.is_empty());
        note(&mut self.moves, from, to);
        if from != to {
            // SAFETY: both places are in blocks of the heap.
            unsafe {
                self.carried.carry(from, to);
                if let Some(running) = &self.biography {
                    running.moved(self.carried.sides, to);
                }
            }
        }
    }

    fn replaces(&mut self, object: Addr) {
        if let Some(running) = &mut self.biography {
            // SAFETY: the object is still what it was.
            unsafe { running.book_marked_use(self.carried.sides, &self.model, object) };
        }
    }

    fn renames(&mut self) {
        self.tell();
    }

    fn renamed(&mut self, object: Addr, words: usize, before: usize) {
        if let Some(tally) = self.only_tally.as_mut().or(self.tally.as_mut()) {
            // SAFETY: the object is whole, and had this table when it was counted.
            unsafe { tally.recount(object, words, before) };
        }
    }
}

impl Profiled<'_> {
    /// Tells everybody of what was kept since the last time.
    #[cold]
    #[inline(never)]
    fn tell(&mut self) {
        let sides = self.carried.sides;
        if let Some(space) = &mut self.only_space {
            for kept in self.batch.take().iter() {
                // SAFETY: the collector has copied the object from one block of the heap to another, or left it.
                unsafe {
                    let number = sides.carry_number(Table::Producer, kept.from, kept.to);
                    space.kept(number, kept.to, kept.words(), kept.was(), kept.place());
                }
            }
            return;
        }
        if !self.only_lives {
            self.tell_others();
        }
        let kept = self.batch.take();
        // Last: the new places have their producers now.
        if let Some(running) = &mut self.biography {
            let tally = if self.tallies_alike { self.tally.as_deref_mut() } else { None };
            // SAFETY: as above.
            unsafe { running.met(sides, kept, self.young_have_lives, self.counts_biography, tally) };
        }
    }

    /// Of what the batch has, everybody but the biography, which takes it.
    fn tell_others(&mut self) {
        for kept in self.batch.all() {
            let (from, to, words) = (kept.from, kept.to, kept.words());
            note(&mut self.moves, from, to);
            // SAFETY: the collector has copied the object from one block of the heap to another, or left it.
            let made_by = unsafe { self.copied.carry(from, to) };
            if let Some(tally) = self.tally.as_mut().filter(|_| !self.tallies_alike) {
                // SAFETY: the object is whole where it is now.
                unsafe { tally.count_made(to, words, made_by) };
            }
            if let Some(space) = &mut self.space {
                // SAFETY: as above.
                unsafe { space.kept(made_by, to, words, kept.was(), kept.place()) };
            }
        }
    }
}

#[inline(always)]
fn note(moves: &mut Option<&mut Moves>, from: Addr, to: Addr) {
    if from != to
        && let Some(moves) = moves
    {
        moves.note(from, to);
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
