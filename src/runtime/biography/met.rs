//! What a collection does for the biography of the objects that it keeps: carries their words along, books the uses that are
//! marked, and in a census counts them.

use super::running::Running;
use super::seen::Alike;
use crate::base::size::WORD_BYTES;
use crate::census::biography::word::{CREATE_MASK, LAST_MASK, STATE_MASK, STATE_USE};
use crate::census::biography::{Atom, Word};
use crate::census::tally::Tally;
use crate::heap::model::{HEADER_BITS, info_of};
use crate::heap::side::{Lifetimes, Sides};
use crate::heap::space::Place;
use crate::runtime::kept::Kept;

/// A bit that no word has: the object was used in this era.
const USED: u64 = 1 << 63;
const _: () = assert!(USED & (STATE_MASK | CREATE_MASK | LAST_MASK) == 0);

#[inline(always)]
fn with_use(word: Word, is_used: bool) -> Word {
    Word(word.0 | (is_used as u64 * USED))
}

fn without_use(word: Word) -> (Word, bool) {
    (Word(word.0 & !USED), word.0 & USED != 0)
}

/// So many objects ahead, what is known of one is asked for: they come in any order.
const AHEAD: usize = 16;

/// Asks for what is known of each object before its turn comes.
struct Ahead<'a, L> {
    lives: L,
    later: std::slice::Iter<'a, Kept>,
}

impl<'a, L: Lifetimes> Ahead<'a, L> {
    #[inline(always)]
    fn new(lives: L, kept: &'a [Kept]) -> Ahead<'a, L> {
        let (first, later) = kept.split_at(AHEAD.min(kept.len()));
        first.iter().for_each(|kept| lives.prefetch(kept.from));
        Ahead { lives, later: later.iter() }
    }

    #[inline(always)]
    fn ask(&mut self) {
        if let Some(kept) = self.later.next() {
            self.lives.prefetch(kept.from);
        }
    }
}

/// What the words of kept objects become in an era.
#[derive(Clone, Copy)]
struct Stamp {
    era: u32,
    /// Of an object that no collection has met.
    fresh: Word,
}

impl Stamp {
    /// Without a branch: which objects were used, nobody can guess.
    #[inline(always)]
    fn on(self, old: Word, is_used: bool) -> Word {
        let word = if old == Word::NONE { self.fresh } else { old };
        let used = (is_used as u64).wrapping_neg();
        Word(word.0 & (CREATE_MASK | !used) | (self.era as u64 | STATE_USE) & used)
    }

    /// Carries a word along. Gives it as it was, and whether the object was used.
    ///
    /// # Safety
    /// As for `Running::met`.
    #[inline(always)]
    unsafe fn carry(self, lives: impl Lifetimes, kept: &Kept, young_have_lives: bool) -> (Word, bool) {
        // What has not moved may have been met at an earlier collection, whatever the place is.
        let is_met = (kept.from == kept.to) | (kept.was != Place::NURSERY) | young_have_lives;
        // SAFETY: the caller's promise.
        unsafe {
            let (old, is_used) = lives.take(kept.from, is_met);
            lives.set(kept.to, self.on(Word(old), is_used).0);
            (Word(old), is_used)
        }
    }
}

impl Running {
    /// Of objects that were kept: carries their words along, with a stamp where there was none, and books their uses in this
    /// era. In a census it counts them, and so does `tally`, if there is one. `young_have_lives`: so may what was in the nursery.
    ///
    /// # Safety
    /// Objects were copied from one place of the heap to another, or left, and are well-formed where they are now.
    pub unsafe fn met(
        &mut self,
        sides: Sides,
        kept: &[Kept],
        young_have_lives: bool,
        is_counted: bool,
        tally: Option<&mut Tally>,
    ) {
        // SAFETY: the caller's promise.
        unsafe {
            match (sides.lives(), is_counted) {
                (Some(lives), true) => self.count(lives, kept, young_have_lives, tally),
                (Some(lives), false) => self.carry(lives, kept, young_have_lives),
                (None, true) => self.count(sides, kept, young_have_lives, tally),
                (None, false) => self.carry(sides, kept, young_have_lives),
            }
        }
    }

    /// # Safety
    /// As for `met`.
    #[inline(never)]
    unsafe fn carry(&mut self, lives: impl Lifetimes, kept: &[Kept], young_have_lives: bool) {
        let stamp = self.stamp();
        let mut ahead = Ahead::new(lives, kept);
        for kept in kept {
            ahead.ask();
            // SAFETY: the caller's promise.
            unsafe {
                let (old, is_used) = stamp.carry(lives, kept, young_have_lives);
                if is_used & (old != Word::NONE) && old.is_before(stamp.era) {
                    self.book_use(kept.to, kept.words, old);
                }
            }
        }
    }

    /// # Safety
    /// As for `met`.
    #[inline(never)]
    unsafe fn count(
        &mut self,
        lives: impl Lifetimes,
        kept: &[Kept],
        young_have_lives: bool,
        mut tally: Option<&mut Tally>,
    ) {
        let stamp = self.stamp();
        let mut ahead = Ahead::new(lives, kept);
        for kept in kept {
            ahead.ask();
            // SAFETY: the caller's promise.
            unsafe {
                let (old, is_used) = stamp.carry(lives, kept, young_have_lives);
                let (header, producer) = (kept.to.load() & !HEADER_BITS, self.producer(kept.to));
                if let Some(others) = self.seen.add(header, with_use(old, is_used), producer, kept.words) {
                    self.tell(others, tally.as_deref_mut());
                }
            }
        }
    }

    fn stamp(&self) -> Stamp {
        let era = self.era();
        Stamp { era, fresh: if self.beginning { Word::before(era) } else { Word::created(era) } }
    }

    /// The collection has ended.
    pub fn tell_seen(&mut self, mut tally: Option<&mut Tally>) {
        self.tell_uses();
        self.seen.take().for_each(|alike| self.tell(alike, tally.as_deref_mut()));
    }

    /// Books objects that were counted, and their use, if they were used.
    #[cold]
    #[inline(never)]
    fn tell(&mut self, alike: Alike, tally: Option<&mut Tally>) {
        let (old, is_used) = without_use(alike.word);
        let info = info_of(alike.header);
        if let Some(tally) = tally {
            tally.count_alike(info, alike.words, alike.objects);
        }
        if is_used && old.is_before(self.era()) {
            self.tell_used(Alike { word: old, ..alike }, self.holder_of(alike.header, alike.producer));
        }
        let atom = match self.atoms.number(Atom { info: info.number(), producer: alike.producer, set: 0 }) {
            Ok(atom) => atom,
            Err(failure) => {
                self.refused.get_or_insert(failure);
                return;
            }
        };
        let bytes = alike.words * WORD_BYTES as u64;
        if info.is_inherently_used() {
            self.ledger.seen_inherent(atom, bytes);
        } else {
            self.ledger.seen(0, atom, self.stamp().on(old, is_used), bytes);
        }
    }
}
