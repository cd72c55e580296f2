//! The space profiler's part of each mutator: its functions that allocated lately, and words that it has reserved.
//!
//! The short way of an allocation adds to the table of its own mutator without a lock; who looks at all tables has stopped
//! the short way of all [profile.space.own].

use crate::base::{Addr, Outcome};
use crate::heap::Mutator;
use crate::heap::mutator::counting::{Lately, SEEN, Seen, place_of};
use crate::identity::maker::Makers;
use crate::profile::space::ledger::Space;

/// Words that were reserved in one step and are filled in several; their end is `hp`.
#[derive(Clone, Copy)]
struct Region {
    from: Addr,
    number: u32,
}

pub(crate) struct Own {
    /// The address of the mutator.
    of: usize,
    /// `None` without room for it: then each object is counted by itself.
    lately: Option<Lately>,
    region: Option<Region>,
}

impl Own {
    const BYTES: usize = SEEN * size_of::<Seen>();
}

impl Space {
    #[inline]
    fn place(&self, m: *const Mutator) -> Option<usize> {
        self.own.iter().position(|own| own.of == m as usize)
    }

    /// Makes room for the parts of so many mutators, which the least limit counts: only their tables need more later.
    pub(crate) fn expect(&mut self, mutators: usize) -> Outcome<()> {
        self.own.reserve(mutators)
    }

    /// Bytes of the tables of the short way.
    pub(super) fn lately_bytes(&self) -> usize {
        self.own.iter().filter(|own| own.lately.is_some()).count() * Own::BYTES
    }

    /// Gives a mutator its part, with a table where the limit has room for one.
    pub(crate) fn part(&mut self, m: *const Mutator) -> Outcome<()> {
        // The attempt to attach it may have failed before.
        self.join(m);
        // Before the first profile begins no limit holds, and the least one has room for those who are there.
        let may_have = self.runs.is_empty() || planted!(628, true, Own::BYTES <= self.room());
        let lately = if may_have { Some(Lately::new()?) } else { None };
        self.own.push(Own { of: m as usize, lately, region: None })?;
        self.has_grown();
        Ok(())
    }

    /// Takes back the part of a mutator that ends, whose short way is stopped.
    pub(crate) fn join(&mut self, m: *const Mutator) {
        if let Some(own) = self.place(m) {
            planted!(361, (), self.settle(own));
            drop(self.own.swap_remove(own));
        }
    }

    /// The table to which a mutator adds on the short way.
    #[inline]
    pub(crate) fn lately_of(&self, m: *const Mutator) -> Option<&Lately> {
        self.place(m).and_then(|own| self.own[own].lately.as_ref())
    }

    /// The number of the mutator's function, or of the code that allocates, for the innermost profile; 0 for a function
    /// that is not profiled.
    #[inline]
    pub(crate) fn number(&mut self, m: &mut Mutator, site: usize, makers: &mut Makers) -> u32 {
        let function = m.window.function as usize;
        let (own, at) = (self.place(m), place_of(function, site));
        if let Some(lately) = own.and_then(|own| self.own[own].lately.as_ref()) {
            let seen = lately.get(at);
            if seen.is(function, site) && function | site != 0 {
                return seen.number;
            }
        }
        // The client may be asked, and must not allocate meanwhile.
        m.counting.stop();
        let number = self.number_slowly(function, if function != 0 { 0 } else { site }, makers);
        if let Some(own) = own {
            self.see(own, at, Seen { function, site, number, ..Seen::NOBODY });
        }
        number
    }

    /// Forgets the numbers of the innermost profile, which are given anew.
    pub fn forget_seen(&mut self) {
        for own in 0..self.own.len() {
            (0..SEEN).for_each(|at| self.see(own, at, Seen::NOBODY));
        }
    }

    /// Adds the counts in the tables of the short way to the rows.
    pub fn settle_lately(&mut self) {
        (0..self.own.len()).for_each(|own| self.settle(own));
    }

    fn settle(&mut self, own: usize) {
        for at in 0..SEEN {
            let Some(seen) = self.own[own].lately.as_ref().map(|lately| lately.get(at)) else { return };
            self.see(own, at, Seen { words: 0, objects: 0, ..seen });
        }
    }

    /// Replaces a place of a table of the short way; its counts go to their row.
    fn see(&mut self, own: usize, at: usize, seen: Seen) {
        let Some(lately) = &mut self.own[own].lately else { return };
        let before = lately.get(at);
        lately.set(at, seen);
        if before.objects > planted!(61, 1, 0) {
            self.allocated(before.number, before.words as usize, before.objects);
        }
    }

    /// Notes that a mutator has reserved words from `hp` on; the objects there are looked at when the region is closed.
    pub(crate) fn open_region(&mut self, m: &Mutator, number: u32) {
        if let Some(own) = self.place(m) {
            self.own[own].region = Some(Region { from: m.hp(), number });
        }
    }

    pub(crate) fn has_region(&self, m: *const Mutator) -> bool {
        self.place(m).is_some_and(|own| self.own[own].region.is_some())
    }

    pub(crate) fn close_region(&mut self, m: *const Mutator) -> Option<(Addr, u32)> {
        let own = self.place(m)?;
        self.own[own].region.take().map(|region| (region.from, region.number))
    }
}
