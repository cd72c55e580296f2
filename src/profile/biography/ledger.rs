//! The biography of a heap while it runs: an era number, cells, and the entries for the book at each census.

use crate::base::{Failure, Outcome};
use crate::profile::biography::cells::{Cell, CellKey, Cells, Phase};
use crate::profile::biography::history::{Histories, Holder};
use crate::profile::biography::word::{LAST_ERA, Word};

/// A receiver of findings. Within one census, new holders come before cells that changed.
pub trait Book {
    /// Defines holder `number` from now on, whatever it was before.
    fn holder(&mut self, number: u32, holder: Holder) -> Outcome<()>;
    /// Takes a cell: `died` of its bytes have died since the last census, and `now` bytes are there at
    /// this one.
    fn cell(&mut self, key: CellKey, died: u64, now: u64) -> Outcome<()>;
}

pub struct Biography {
    era: u32,
    cells: Cells,
    /// The holders; none where identities do not change.
    histories: Option<Histories>,
    /// The first refusal inside a census, which its end reports.
    refused: Option<Failure>,
}

impl Biography {
    /// Makes a biography. With `changing`, the groups of objects may change from census to census.
    pub fn new(changing: bool) -> Biography {
        let histories = if changing { Some(Histories::new()) } else { None };
        Biography { era: 1, cells: Cells::new(), histories, refused: None }
    }

    /// The era that runs; the census at its end has the same number.
    pub fn era(&self) -> u32 {
        self.era
    }

    pub fn held_bytes(&self) -> usize {
        self.cells.held_bytes() + self.histories.as_ref().map_or(0, Histories::held_bytes)
    }

    /// Counts a live object in a census. Gives its holder, which belongs in its entry of the side table;
    /// `before` is the holder that the entry had (0 for none). `identity` counts from 1.
    #[inline(always)]
    pub fn seen(&mut self, before: u32, identity: u32, word: Word, bytes: u64) -> u32 {
        let word = if word == Word::NONE { Word::created(self.era) } else { word };
        self.count(before, identity, word.cell(1), bytes)
    }

    /// Counts a live object whose uses cannot be seen.
    #[inline(always)]
    pub fn seen_inherent(&mut self, identity: u32, bytes: u64) -> u32 {
        self.count(0, identity, CellKey::new(1, Phase::Inherent, 0), bytes)
    }

    #[inline(always)]
    fn count(&mut self, before: u32, identity: u32, key: CellKey, bytes: u64) -> u32 {
        let holder = match &mut self.histories {
            None => identity,
            Some(histories) => match histories.next(before, identity, key, self.era) {
                Ok(holder) => {
                    if holder != before && before != 0 {
                        moved(&mut self.cells, CellKey::new(before, key.phase(), key.era()), bytes);
                    }
                    holder
                }
                Err(failure) => {
                    self.refused.get_or_insert(failure);
                    return before;
                }
            },
        };
        if let Err(failure) = self.cells.add(CellKey::new(holder, key.phase(), key.era()), bytes) {
            self.refused.get_or_insert(failure);
        }
        holder
    }

    /// Books the first use of an object in this era; `word` is the one that it had before. The caller has
    /// replaced the word, so each use is told once.
    pub fn used(&mut self, holder: u32, word: Word, bytes: u64) {
        if self.was_counted(holder, word) {
            moved(&mut self.cells, word.cell(holder), bytes);
        }
    }

    /// Books at once the end of an object that is changed in place; its successor is another object.
    pub fn dead(&mut self, holder: u32, word: Word, bytes: u64) {
        if self.was_counted(holder, word)
            && let Some(cell) = self.cells.find(word.cell(holder))
        {
            cell.dead = (cell.dead + bytes).min(cell.last);
        }
    }

    /// Whether the last census counted the object. Objects that were made or used in this era are in no cell.
    fn was_counted(&self, holder: u32, word: Word) -> bool {
        holder != 0 && word.is_before(self.era)
    }

    /// Ends a census: books the bytes that have died since the last one, and begins the next era. When it
    /// fails, the profile cannot go on.
    pub fn end_census(&mut self, book: &mut impl Book) -> Outcome<()> {
        self.tell_holders(book)?;
        let mut outcome = Ok(());
        self.cells.turn(|key, cell, now| {
            let gone = died(cell, now);
            if outcome.is_ok() && (gone > 0 || now != cell.last) {
                outcome = book.cell(key, gone, now);
            }
        });
        outcome?;
        if let Some(histories) = &mut self.histories
            && histories.wants_sweep()
        {
            histories.begin_mark();
            self.cells.each(|key, _| histories.keep(key.holder()));
            histories.sweep();
        }
        if self.era == LAST_ERA {
            return Err(Failure::state(format_args!(
                "a biography has at most {LAST_ERA} eras, and this one is complete"
            )));
        }
        self.era += 1;
        Ok(())
    }

    /// Ends the profile: objects that the last census saw and that have not been used since die now.
    pub fn end(&mut self, book: &mut impl Book) -> Outcome<()> {
        self.tell_holders(book)?;
        let mut outcome = Ok(());
        self.cells.each(|key, cell| {
            let gone = died(cell, 0);
            if outcome.is_ok() && (gone > 0 || cell.last > 0) {
                outcome = book.cell(key, gone, 0);
            }
        });
        outcome
    }

    fn tell_holders(&mut self, book: &mut impl Book) -> Outcome<()> {
        if let Some(failure) = &self.refused {
            return Err(failure.clone());
        }
        let mut outcome = Ok(());
        if let Some(histories) = &mut self.histories {
            histories.take_fresh(|number, holder| {
                if outcome.is_ok() {
                    outcome = book.holder(number, holder);
                }
            });
        }
        outcome
    }
}

/// Moves a live object out of the cell that counted it at the last census.
fn moved(cells: &mut Cells, from: CellKey, bytes: u64) {
    if let Some(cell) = cells.find(from) {
        cell.used = (cell.used + bytes).min(cell.last);
    }
}

/// Bytes of a cell that died since the last census [profile.inv.difference]. Deaths that the program told of
/// always count; the rest cannot be below 0.
fn died(cell: Cell, now: u64) -> u64 {
    cell.dead
        + cell.last.saturating_sub(planted!(34, 0, cell.used)).saturating_sub(cell.dead).saturating_sub(now)
}
