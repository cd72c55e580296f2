//! The biography's part of a collection: it carries the words of kept objects along, books the uses that are
//! marked, and counts the objects in a census.

use crate::base::size::WORD_BYTES;
use crate::heap::object::model::{HEADER_BITS, info_of};
use crate::heap::space::side::{Lifetimes, Sides};
use crate::profile::batch::{Kept, Taken};
use crate::profile::biography::running::Running;
use crate::profile::biography::seen::{Alike, Seen};
use crate::profile::biography::word::{CREATE_MASK, LAST_MASK, STATE_MASK, STATE_USE};
use crate::profile::biography::{Atom, Word};
use crate::profile::heap::tally::Tally;

/// A bit that no word has; with it, the object was used in this era.
const USED: u64 = 1 << 63;
const _: () = assert!(USED & (STATE_MASK | CREATE_MASK | LAST_MASK) == 0);

#[inline(always)]
fn with_use(word: Word, is_used: bool) -> Word {
    Word(word.0 | (is_used as u64 * USED))
}

fn without_use(word: Word) -> (Word, bool) {
    (Word(word.0 & !USED), word.0 & USED != 0)
}

/// The words that kept objects get in an era.
#[derive(Clone, Copy)]
struct Stamp {
    era: u32,
    /// The word of an object that no collection has met.
    fresh: Word,
}

impl Stamp {
    /// The word of a kept object. Without a branch, since nobody can guess which objects were used.
    #[inline(always)]
    fn on(self, old: Word, is_used: bool) -> Word {
        let word =
            if old == Word::NONE { self.fresh } else { planted!(38, Word::created(old.creation()), old) };
        let used = Word(word.0 & CREATE_MASK | self.era as u64 | STATE_USE);
        if is_used { used } else { word }
    }

    /// Carries a word along. Gives the old word, and whether the object was used.
    ///
    /// # Safety
    /// As for `Running::met`.
    #[inline(always)]
    unsafe fn carry(self, lives: impl Lifetimes, kept: &Kept, young_have_lives: bool) -> (Word, bool) {
        // SAFETY: the caller's promise.
        unsafe {
            let (old, is_used) = lives.take(kept.from, kept.is_met() | young_have_lives);
            let old = Word::of_entry(old);
            lives.set(kept.to, self.on(old, is_used).entry_at(kept.to));
            (old, is_used)
        }
    }
}

impl Running {
    /// Takes kept objects: carries their words along, with a stamp where there was none, and books their uses
    /// in this era. In a census it counts them, and so does `tally`, if there is one. With
    /// `young_have_lives`, objects from the nursery may have words too.
    ///
    /// # Safety
    /// Objects were copied from one place of the heap to another, or left, and are well-formed where they are now.
    pub unsafe fn met(
        &mut self,
        sides: Sides,
        kept: Taken<'_>,
        young_have_lives: bool,
        is_counted: bool,
        tally: Option<&mut Tally>,
    ) {
        // SAFETY: the caller's promise.
        unsafe {
            match (sides.lives(), is_counted, self.with_producers) {
                (Some(lives), true, false) => self.count::<false>(lives, kept, young_have_lives, tally),
                (Some(lives), true, true) => self.count::<true>(lives, kept, young_have_lives, tally),
                (Some(lives), false, _) => self.carry(lives, kept, young_have_lives),
                (None, true, _) => self.count::<true>(sides, kept, young_have_lives, tally),
                (None, false, _) => self.carry(sides, kept, young_have_lives),
            }
        }
    }

    /// # Safety
    /// As for `met`.
    #[inline(never)]
    unsafe fn carry(&mut self, lives: impl Lifetimes, kept: Taken<'_>, young_have_lives: bool) {
        let stamp = self.stamp();
        for kept in kept.asking(|later| lives.prefetch(later.from, later.is_met() | young_have_lives)) {
            // SAFETY: the caller's promise.
            unsafe {
                let (old, is_used) = stamp.carry(lives, kept, young_have_lives);
                if is_used & (old != Word::NONE) && planted!(78, false, old.is_before(stamp.era)) {
                    self.book_use(kept.to, kept.words(), old);
                }
            }
        }
    }

    /// # Safety
    /// As for `met`. `PRODUCERS`: producers are told apart.
    #[inline(never)]
    unsafe fn count<const PRODUCERS: bool>(
        &mut self,
        lives: impl Lifetimes,
        kept: Taken<'_>,
        young_have_lives: bool,
        mut tally: Option<&mut Tally>,
    ) {
        let stamp = self.stamp();
        for kept in kept.asking(|later| lives.prefetch(later.from, later.is_met() | young_have_lives)) {
            // SAFETY: the caller's promise.
            unsafe {
                let (old, is_used) = stamp.carry(lives, kept, young_have_lives);
                let producer = if PRODUCERS { self.producer(kept.to) } else { 0 };
                let (header, word) = (kept.to.load() & !HEADER_BITS, with_use(old.alike(), is_used));
                if let Some(others) = self.seen.add(header, word, producer, kept.words()) {
                    self.tell(others, tally.as_deref_mut());
                }
            }
        }
    }

    fn stamp(&self) -> Stamp {
        let era = self.era();
        Stamp {
            era,
            fresh: if planted!(35, false, self.beginning) { Word::before(era) } else { Word::created(era) },
        }
    }

    /// Tells the ledger what is left at the end of a collection.
    pub fn tell_seen(&mut self, mut tally: Option<&mut Tally>) {
        self.tell_uses();
        for place in 0..Seen::PLACES {
            if let Some(alike) = self.seen.take_at(place) {
                self.tell(alike, tally.as_deref_mut());
            }
        }
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
        if is_used && old.is_before(planted!(71, self.era() - 1, self.era())) {
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
