//! The biography word of an object: when it was made, whether and when it was last used.
//!
//! The word has two eras of 30 bits and a state, as the references lay it out, so that code which takes the
//! word apart works here. A zero word means that no collection has met the object: it was made in the current
//! era and not used.
//!
//! In the side table, a word that a collection has written also says in which half of its 16 bytes the object
//! begins, so that an object can be found from the mark of its use.

use crate::base::Addr;
use crate::base::size::WORD_BYTES;
use crate::profile::biography::cells::{CellKey, Phase};

pub(crate) const SHIFT: u32 = 30;
pub(crate) const LAST_MASK: u64 = (1 << SHIFT) - 1;
pub(crate) const CREATE_MASK: u64 = LAST_MASK << SHIFT;
pub(crate) const STATE_MASK: u64 = 3 << 60;
pub(crate) const STATE_CREATE: u64 = 0;
pub(crate) const STATE_USE: u64 = 1 << 60;
/// State of an object that lived when the profile began, so that its earlier uses are unknown. Its first use
/// ends this state.
pub(crate) const STATE_BEFORE: u64 = 2 << 60;

/// Bits for the place of the object: 1 or 2 for the first or the second half of 16 bytes, 0 if no collection
/// has written the word.
const PLACE_SHIFT: u32 = 62;
const PLACE_MASK: u64 = 3 << PLACE_SHIFT;

/// The last era that a word can name: at ten censuses a second it comes after three years.
pub(crate) const LAST_ERA: u32 = LAST_MASK as u32;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Word(pub u64);

impl Word {
    pub const NONE: Word = Word(0);

    #[inline(always)]
    pub fn of_entry(entry: u64) -> Word {
        Word(entry & !PLACE_MASK)
    }

    /// The entry that a collection writes for an object.
    #[inline(always)]
    pub fn entry_at(self, object: Addr) -> u64 {
        let half = planted!(89, 0, object.0 as u64 / WORD_BYTES as u64 % 2);
        self.0 | (half + 1) << PLACE_SHIFT
    }

    /// The entry that the program writes: it keeps the place of the old entry, which only collections
    /// know.
    #[inline(always)]
    pub fn entry_instead_of(self, before: u64) -> u64 {
        self.0 | before & PLACE_MASK
    }

    /// The object whose entry this is, if a collection has written it; `granule` are the 16 bytes that the entry is about.
    #[inline(always)]
    pub fn object_of(entry: u64, granule: Addr) -> Option<Addr> {
        let half = (entry >> PLACE_SHIFT).checked_sub(1)?;
        Some(granule.plus_words(half as usize))
    }

    #[inline(always)]
    pub fn created(era: u32) -> Word {
        Word((era as u64) << SHIFT | STATE_CREATE)
    }

    /// The word of an object that was there when the profile began.
    #[inline(always)]
    pub fn before(era: u32) -> Word {
        Word((era as u64) << SHIFT | STATE_BEFORE)
    }

    /// The word of the same object, used in this era.
    #[inline(always)]
    pub fn used(self, era: u32) -> Word {
        let create = if self == Word::NONE { (era as u64) << SHIFT } else { self.0 & CREATE_MASK };
        Word(create | era as u64 | STATE_USE)
    }

    #[inline(always)]
    pub fn creation(self) -> u32 {
        ((self.0 & CREATE_MASK) >> SHIFT) as u32
    }

    /// The era of the last use; meaningless before the first use.
    #[inline(always)]
    pub fn last_use(self) -> u32 {
        (self.0 & LAST_MASK) as u32
    }

    #[inline(always)]
    pub fn state(self) -> u64 {
        self.0 & STATE_MASK
    }

    /// Whether the last census before an era counted the object, and nobody has used it in that era.
    #[inline(always)]
    pub fn is_before(self, era: u32) -> bool {
        match self.state() {
            STATE_CREATE => self != Word::NONE && planted!(32, self.creation() + 1, self.creation()) < era,
            STATE_USE => self.last_use() < era,
            _ => true,
        }
    }

    /// The part of the word that decides its cell: an object that was used is in the same cell whenever
    /// it was made.
    #[inline(always)]
    pub fn alike(self) -> Word {
        const USED: u32 = STATE_USE.trailing_zeros();
        let made = (self.0 >> USED & 1).wrapping_sub(1) | !CREATE_MASK;
        Word(self.0 & made)
    }

    /// The cell that counts the object with this word.
    #[inline(always)]
    pub fn cell(self, holder: u32) -> CellKey {
        if self.state() == STATE_CREATE {
            CellKey::new(holder, Phase::Unused, self.creation())
        } else if self.state() == STATE_USE {
            CellKey::new(holder, Phase::Used, self.last_use())
        } else {
            CellKey::new(holder, Phase::Before, 0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_do_not_mix() {
        let word = Word::created(LAST_ERA - 1);
        assert_eq!((word.creation(), word.state()), (LAST_ERA - 1, STATE_CREATE));
        let used = word.used(LAST_ERA);
        assert_eq!((used.creation(), used.last_use(), used.state()), (LAST_ERA - 1, LAST_ERA, STATE_USE));
        assert_eq!(used.used(7).last_use(), 7);
        assert_eq!(Word::NONE.used(9), Word::created(9).used(9));
        assert_eq!(Word::before(1).used(3), Word::created(1).used(3));
    }

    #[test]
    fn words_of_a_cell_are_alike() {
        let alike = [
            (Word::created(3).used(9), Word::created(5).used(9)),
            (Word::before(1).used(9), Word::created(9).used(9)),
        ];
        for (a, b) in alike {
            assert_eq!(a.alike(), b.alike());
            assert_eq!(a.alike().cell(4), a.cell(4));
        }
        for word in [Word::created(3), Word::before(1), Word::NONE] {
            assert_eq!(word.alike(), word);
        }
        assert_ne!(Word::created(3).used(8).alike(), Word::created(3).used(9).alike());
    }

    #[test]
    fn entries_name_their_object() {
        let (word, granule) = (Word::created(3).used(LAST_ERA), Addr(0x7000_0000_1230));
        for object in [granule, granule.plus_words(1)] {
            let entry = word.entry_at(object);
            assert_eq!((Word::of_entry(entry), Word::object_of(entry, granule)), (word, Some(object)));
            let used = Word::of_entry(entry).used(7).entry_instead_of(entry);
            assert_eq!((Word::of_entry(used).last_use(), Word::object_of(used, granule)), (7, Some(object)));
        }
        assert_eq!(Word::object_of(word.0, granule), None);
    }
}
