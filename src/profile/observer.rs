//! The observer that profiles are made of: one compiled instance of the collector, used while a profile needs it.
//!
//! The observer carries the side tables' entries along with the objects, and tells each profiler what it
//! wants to know of an object. The choice of the profilers to tell is made once for a collection: a
//! `Telling`.

use crate::base::Addr;
use crate::block::Block;
use crate::gc::moves::Moves;
use crate::gc::{Carrier, Observer};
use crate::heap::space::generation::Place;
use crate::heap::space::side::{Carried, Table};
use crate::heap::{Model, Store};
use crate::profile::batch::{Batch, Kept};
use crate::profile::biography::Running;
use crate::profile::biography::marked::has_moved;
use crate::profile::heap::tally::Tally;
use crate::profile::profiler::Listener;
use crate::profile::space::ledger::Space;

/// The profilers' wishes for each object in one collection.
#[derive(Default)]
pub struct Parts<'a> {
    /// The counters of a census, which counts in a major collection.
    pub tally: Option<&'a mut Tally>,
    /// The biography that is taken.
    pub biography: Option<&'a mut Running>,
    /// Space by function, while objects have the numbers of their makers.
    pub space: Option<&'a mut Space>,
    /// The places of the last collection, in checking mode.
    pub moves: Option<&'a mut Moves>,
    /// A profiler without a field of its own here, which is told of each object.
    pub listener: Option<&'a mut dyn Listener>,
}

impl Parts<'_> {
    /// Whether a profiler is told of each object, or has a word beside each: more than to where objects move.
    pub(crate) fn want_each_object(&self, store: &Store) -> bool {
        self.tally.is_some() || self.listener.is_some() || store.carried().any()
    }
}

/// The profilers that are told of each object that a collection keeps.
enum Telling<'a> {
    /// A census by kinds alone, with no table on.
    TallyOnly(&'a mut Tally),
    /// A census by producers, with no table on but theirs.
    MadeOnly(&'a mut Tally),
    /// Space by function alone, with no table on but that of producers.
    SpaceOnly(&'a mut Space),
    /// A biography, and through it perhaps a census, with no table on but the biography's own.
    LivesOnly(Lives<'a>),
    All(All<'a>),
}

/// A biography in one collection.
struct Lives<'a> {
    running: &'a mut Running,
    /// Whether objects that no collection has met have words in the biography.
    young_have_lives: bool,
    /// Whether the biography counts in this collection. A biography that groups by retainer sets counts
    /// later, when these are known.
    counts: bool,
    /// The census that the biography hands its counts on to, when both want the same.
    alike: Option<&'a mut Tally>,
}

/// All profilers, in any combination.
struct All<'a> {
    /// The tables whose entries are copied with an object: a biography stamps its own.
    copied: Carried,
    tally: Option<&'a mut Tally>,
    space: Option<&'a mut Space>,
    lives: Option<Lives<'a>>,
    moves: Option<&'a mut Moves>,
    listener: Option<&'a mut dyn Listener>,
}

impl<'a> Telling<'a> {
    fn of(parts: Parts<'a>, carried: Carried, young_have_lives: bool) -> Telling<'a> {
        let Parts { tally, biography, space, moves, listener } = parts;

        let counts = tally.is_some();
        let copied = if biography.is_some() { carried.but_biography() } else { carried };
        let lives = biography.map(|running| {
            let counts = counts && !running.groups_by_set();
            Lives { running, young_have_lives, counts, alike: None }
        });
        match (tally, space, lives, moves) {
            (tally, space, lives, moves) if listener.is_some() => {
                Telling::All(All { copied, tally, space, lives, moves, listener })
            }
            (Some(tally), None, None, None) if !carried.any() => Telling::TallyOnly(tally),
            (Some(tally), None, None, None) if carried.is_only(Table::Producer) => Telling::MadeOnly(tally),
            (None, Some(space), None, None) if carried.is_only(Table::Producer) => Telling::SpaceOnly(space),
            (mut tally, space, Some(mut lives), moves) => {
                if lives.counts && tally.as_ref().is_some_and(|tally| tally.is_plain()) {
                    lives.alike = tally.take();
                }
                if !copied.any() && moves.is_none() && space.is_none() && tally.is_none() {
                    return Telling::LivesOnly(lives);
                }
                Telling::All(All { copied, tally, space, lives: Some(lives), moves, listener: None })
            }
            (tally, space, lives, moves) => {
                Telling::All(All { copied, tally, space, lives, moves, listener: None })
            }
        }
    }

    fn lives(&mut self) -> Option<&mut Lives<'a>> {
        match self {
            Telling::LivesOnly(lives) => Some(lives),
            Telling::All(all) => all.lives.as_mut(),
            Telling::TallyOnly(_) | Telling::MadeOnly(_) | Telling::SpaceOnly(_) => None,
        }
    }

    fn has_lives(&self) -> bool {
        matches!(self, Telling::LivesOnly(_) | Telling::All(All { lives: Some(_), .. }))
    }

    /// The counters of the census, whichever profiler adds to them.
    fn tally(&mut self) -> Option<&mut Tally> {
        match self {
            Telling::TallyOnly(tally) | Telling::MadeOnly(tally) => Some(tally),
            Telling::SpaceOnly(_) => None,
            Telling::LivesOnly(lives) => lives.alike.as_deref_mut(),
            Telling::All(all) => {
                let alike = all.lives.as_mut().and_then(|lives| lives.alike.as_deref_mut());
                all.tally.as_deref_mut().or(alike)
            }
        }
    }
}

pub(crate) struct Profiled<'a> {
    model: Model,
    /// The side tables that are on.
    carried: Carried,
    telling: Telling<'a>,
    tells_kinds_apart: bool,
    /// Whether objects are only promoted: living ones are kept once more, and count then.
    promotes: bool,
    /// Objects that were kept and that no profiler was told of yet.
    batch: Batch,
}

impl<'a> Profiled<'a> {
    /// The observer for these parts, or none when no profiler wants to know anything.
    pub(crate) fn new(parts: Parts<'a>, store: &Store) -> Option<Profiled<'a>> {
        let carried = store.carried();
        if parts.moves.is_none() && !parts.want_each_object(store) {
            return None;
        }
        let tells_kinds_apart = parts.tally.is_some() || carried.any();
        let telling = Telling::of(parts, carried, store.young_have_lives);
        let model = store.model;
        Some(Profiled { model, carried, telling, tells_kinds_apart, promotes: false, batch: Batch::new() })
    }

    pub(crate) fn finish(&mut self) {
        debug_assert!(self.batch.is_empty(), "nobody was told of what was kept last");
        if let Some(Lives { running, alike, .. }) = self.telling.lives() {
            running.tell_seen(alike.as_deref_mut());
        }
    }
}

/// The side tables whose entries follow objects that slide.
#[derive(Clone, Copy)]
pub(crate) struct Entries {
    carried: Carried,
    has_lives: bool,
}

impl Carrier for Entries {
    #[inline(always)]
    unsafe fn carry(self, from: Addr, to: Addr) {
        // SAFETY: the caller's promise.
        unsafe {
            self.carried.carry(from, to);
            if self.has_lives {
                planted!(86, (), has_moved(self.carried.sides, to));
            }
        }
    }
}

impl Observer for Profiled<'_> {
    const ON: bool = true;
    type Carrier = Entries;

    fn tells_kinds_apart(&self) -> bool {
        self.tells_kinds_apart
    }

    #[inline(always)]
    fn kept(&mut self, from: Addr, to: Addr, words: usize, was: Place, place: Place) {
        if let Telling::TallyOnly(tally) = &mut self.telling {
            if self.promotes {
                return;
            }
            // SAFETY: the object is whole where it is now. No census by producers is taken, so 0 will do
            // for its producer.
            unsafe { tally.count_made(to, words, 0) };
        } else if self.batch.add(Kept::new(from, to, words, was, place)) {
            self.tell();
        }
    }

    fn promotes(&mut self, begins: bool) {
        debug_assert!(self.batch.is_empty());
        self.promotes = planted!(332, false, begins);
        if !begins {
            match &mut self.telling {
                Telling::SpaceOnly(space) | Telling::All(All { space: Some(space), .. }) => {
                    planted!(333, (), space.promoted());
                }
                _ => {}
            }
        }
    }

    fn all_kept(&mut self) {
        self.tell();
    }

    fn left(&mut self, group: Block) {
        debug_assert!(self.batch.is_empty());
        if let Some(Lives { running, .. }) = self.telling.lives() {
            // SAFETY: the collector is done with the group, and has not freed it.
            unsafe { running.book_uses_in(self.carried.sides, &self.model, group) };
        }
        if let Telling::All(All { listener: Some(listener), .. }) = &mut self.telling {
            // SAFETY: as above.
            unsafe { listener.left(&self.model, group) };
        }
    }

    fn carrier(&self) -> Entries {
        debug_assert!(self.batch.is_empty());
        Entries { carried: self.carried, has_lives: self.telling.has_lives() }
    }

    fn notes_moves(&self) -> bool {
        matches!(self.telling, Telling::All(All { moves: Some(_), .. }))
    }

    #[inline(always)]
    fn moved(&mut self, from: Addr, to: Addr) {
        if let Telling::All(All { moves, .. }) = &mut self.telling {
            note(moves, from, to);
        }
    }

    fn replaces(&mut self, object: Addr) {
        if let Some(Lives { running, .. }) = self.telling.lives() {
            let sides = self.carried.sides;
            // SAFETY: the object is still what it was. An indirection that stays in its place is a new object, with no past.
            unsafe {
                planted!(75, (), running.book_marked_use(sides, &self.model, object));
                planted!(700, (), sides.set_biography(object, 0));
                sides.set_number(Table::Cell, object, 0);
            }
        }
    }

    fn renames(&mut self) {
        planted!(77, (), self.tell());
    }

    fn renamed(&mut self, object: Addr, words: usize, before: usize) {
        if !self.promotes
            && let Some(tally) = self.telling.tally()
        {
            // SAFETY: the object is whole, and had this table when it was counted.
            unsafe { tally.recount(object, words, before) };
        }
    }
}

impl Profiled<'_> {
    /// Tells the profilers of the objects that were kept since the last call.
    #[cold]
    #[inline(never)]
    fn tell(&mut self) {
        let (sides, promotes) = (self.carried.sides, self.promotes);
        let lives = match &mut self.telling {
            // A census alone was told of each object when it was kept.
            Telling::TallyOnly(_) => return,
            Telling::MadeOnly(tally) => {
                for kept in self.batch.take().iter() {
                    // SAFETY: the collector has copied the object from one block of the heap to another, or left it.
                    unsafe {
                        let made_by = sides.carry_number(Table::Producer, kept.from, kept.to);
                        if !promotes {
                            tally.count_made(kept.to, kept.words(), made_by);
                        }
                    }
                }
                return;
            }
            Telling::SpaceOnly(space) => {
                for kept in self.batch.take().iter() {
                    // SAFETY: the collector has copied the object from one block of the heap to another, or left it.
                    unsafe {
                        let number = sides.carry_number(Table::Producer, kept.from, kept.to);
                        space.kept(number, kept.to, kept.words(), kept.was(), kept.place());
                    }
                }
                return;
            }
            Telling::LivesOnly(lives) => Some(lives),
            Telling::All(all) => {
                all.tell(self.batch.all(), promotes);
                all.lives.as_mut()
            }
        };
        let kept = self.batch.take();
        // The biography is told last: the new places have their producers now.
        if let Some(Lives { running, young_have_lives, counts, alike }) = lives {
            // SAFETY: as above.
            unsafe {
                running.met(sides, kept, *young_have_lives, *counts && !promotes, alike.as_deref_mut())
            };
        }
    }
}

impl All<'_> {
    /// Tells all profilers but the biography of these objects; the biography is told last.
    fn tell(&mut self, batch: &[Kept], promotes: bool) {
        for kept in batch {
            let (from, to, words) = (kept.from, kept.to, kept.words());
            note(&mut self.moves, from, to);
            // SAFETY: the collector has copied the object from one block of the heap to another, or left it.
            let made_by = unsafe { self.copied.carry(from, to) };
            if let Some(tally) = &mut self.tally
                && !promotes
            {
                // SAFETY: the object is whole where it is now.
                unsafe { tally.count_made(to, words, made_by) };
            }
            if let Some(space) = &mut self.space {
                // SAFETY: as above.
                unsafe { space.kept(made_by, to, words, kept.was(), kept.place()) };
            }
            if let Some(listener) = &mut self.listener
                && !promotes
            {
                listener.kept(kept);
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
