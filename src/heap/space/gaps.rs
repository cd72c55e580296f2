//! Gaps: runs of words of the oldest generation in which nothing lives, between objects that were left in place.
//!
//! A gap looks like an object (`own::GAP`), so that a walk over a block goes from object to object. Gaps that are large
//! enough to be filled are listed by size, linked through their third word; the others are waste until an object beside
//! them dies, or until the generation is slid together. A new gap is listed in front, so lists need no memory.

use crate::base::Addr;
use crate::base::size::WORD_BYTES;
use crate::heap::Store;
use crate::heap::object::own;
use crate::heap::space::poison::poison;

/// The smallest gap that is filled: a gap with a few objects costs more to begin than to leave.
pub(crate) const LEAST_WORDS: usize = 16;
const LOG_LEAST: usize = LEAST_WORDS.trailing_zeros() as usize;
/// Lists: each has gaps of up to twice the size of the one before; the last has all the others.
const LISTS: usize = 10;

/// The gaps that can be filled.
pub struct Gaps {
    lists: [Addr; LISTS],
    /// The last gap of each list, if it has any.
    ends: [Addr; LISTS],
    /// Words of the gaps in the lists.
    words: usize,
}

/// One gap: its first word, and the word behind its last.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Gap {
    pub start: Addr,
    pub end: Addr,
}

/// The list that gaps of so many words are in.
fn list_of(words: usize) -> usize {
    ((usize::BITS - 1 - words.leading_zeros()) as usize - LOG_LEAST).min(LISTS - 1)
}

impl Gap {
    pub(crate) fn words(self) -> usize {
        self.end.words_since(self.start)
    }

    /// Whether these words become a gap: all that there are, or those that can be filled.
    fn is_made(self, all_are: bool) -> bool {
        self.start < self.end && (all_are || self.words() >= LEAST_WORDS)
    }

    /// The gap that begins at an address, if one does.
    ///
    /// # Safety
    /// The word there is readable and is a header, and so are the words that a gap's header promises.
    pub(crate) unsafe fn at(start: Addr) -> Option<Gap> {
        // SAFETY: the caller's promise.
        let header = unsafe { start.load() };
        if header == own::GAP_WORD.address().0 {
            return Some(Gap { start, end: start.plus_words(1) });
        }
        (header == own::GAP.address().0).then(|| {
            // SAFETY: the second word of a larger gap is its bytes behind that.
            let bytes = unsafe { start.plus_words(1).load() };
            Gap { start, end: start.plus_words(2 + bytes / WORD_BYTES) }
        })
    }
}

impl Gaps {
    pub const EMPTY: Gaps = Gaps { lists: [Addr::NULL; LISTS], ends: [Addr::NULL; LISTS], words: 0 };

    pub fn words(&self) -> usize {
        self.words
    }

    /// Forgets all gaps, which belong to groups that are about to be looked through or freed.
    pub fn clear(&mut self) {
        *self = Gaps::EMPTY;
    }

    /// Makes a gap of these words, and lists it where it is large enough.
    ///
    /// # Safety
    /// The words belong to a block of the oldest generation, and no live object has any of them.
    pub(crate) unsafe fn make(&mut self, gap: Gap) {
        let words = gap.words();
        debug_assert!(words > 0);
        // SAFETY: the caller's promise; a gap that is listed has three words.
        unsafe {
            if words == 1 {
                gap.start.store(own::GAP_WORD.address().0);
                return;
            }
            gap.start.store(own::GAP.address().0);
            gap.start.plus_words(1).store((words - 2) * WORD_BYTES);
            if words >= LEAST_WORDS {
                let (list, end) = (&mut self.lists[list_of(words)], &mut self.ends[list_of(words)]);
                if list.is_null() {
                    *end = gap.start;
                }
                gap.start.plus_words(2).store(list.0);
                *list = gap.start;
                self.words += words;
            }
        }
    }

    /// Takes gaps over, which come before its own.
    pub(crate) fn join(&mut self, others: Gaps) {
        for number in 0..LISTS {
            let (first, end) = (others.lists[number], others.ends[number]);
            if first.is_null() {
                continue;
            }
            if self.lists[number].is_null() {
                self.ends[number] = end;
            }
            // SAFETY: the last gap of a list has three words.
            unsafe { end.plus_words(2).store(self.lists[number].0) };
            self.lists[number] = first;
        }
        self.words += others.words;
    }

    /// Takes a gap of at least so many words out of the lists: one of the smallest.
    pub(crate) fn take(&mut self, words: usize) -> Option<Gap> {
        let first = list_of(words.max(LEAST_WORDS));
        (first..LISTS).find_map(|list| self.take_from(list, words))
    }

    /// As `take`, for an object that others will follow: a gap with room for some, and not one of the largest, which
    /// large objects need.
    pub(crate) fn take_for_small(&mut self, words: usize) -> Option<Gap> {
        const FIRST: usize = 2;
        let lists = (0..=FIRST).rev().chain(FIRST + 1..LISTS);
        lists.into_iter().find_map(|list| self.take_from(list, words))
    }

    /// Takes the first gap of a list, if it is large enough.
    #[inline]
    fn take_from(&mut self, list: usize, words: usize) -> Option<Gap> {
        let first = self.lists[list];
        if first.is_null() {
            return None;
        }
        // SAFETY: the heads of lists are gaps, and listed gaps have three words.
        unsafe {
            let gap = Gap::at(first).filter(|gap| gap.words() >= words)?;
            self.lists[list] = Addr(first.plus_words(2).load());
            planted!(422, (), self.words -= gap.words());
            Some(gap)
        }
    }

    /// Words of the gaps in the lists, counted one by one, for checks.
    pub(crate) fn counted_words(&self) -> usize {
        let mut words = 0;
        for &first in &self.lists {
            let mut at = first;
            while !at.is_null() {
                // SAFETY: as for `take`.
                unsafe {
                    let Some(gap) = Gap::at(at) else { return usize::MAX };
                    words += gap.words();
                    at = Addr(gap.start.plus_words(2).load());
                }
            }
        }
        words
    }
}

/// The words that become gaps, and what is left in them.
#[derive(Clone, Copy)]
pub(crate) struct Making {
    /// Whether somebody walks over memory with words between objects: a gap that is too small to be filled stays as it is otherwise.
    pub all: bool,
    pub poisons: bool,
}

impl Gaps {
    /// Makes words of the oldest generation a gap, in which nothing is left that could be taken for an object.
    ///
    /// # Safety
    /// The caller keeps the promise of `make`: the words are those of the oldest generation, and no object is in them.
    #[inline(never)]
    pub(crate) unsafe fn make_as(&mut self, gap: Gap, making: Making) {
        if gap.is_made(making.all) {
            if making.poisons {
                poison(gap.start, gap.end);
            }
            // SAFETY: the caller's promise.
            unsafe { self.make(gap) };
        }
    }
}

impl Store {
    /// The gaps that this heap makes; `is_walked` says that somebody will walk over the memory.
    pub(crate) fn making(&self, is_walked: bool) -> Making {
        Making { all: self.clears_slop || is_walked, poisons: self.poisons }
    }

    /// Makes a gap as this heap makes them (`making`).
    ///
    /// # Safety
    /// The caller keeps the promise of `Gaps::make_as`.
    pub(crate) unsafe fn make_gap(&mut self, gap: Gap, is_walked: bool) {
        let making = self.making(is_walked);
        // SAFETY: the caller's promise.
        unsafe { self.gaps.make_as(gap, making) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gaps of these sizes, one behind the other with a word between them.
    fn listed(memory: &mut [usize], sizes: &[usize]) -> Gaps {
        let mut gaps = Gaps::EMPTY;
        let mut at = Addr(memory.as_mut_ptr() as usize);
        for &words in sizes {
            let end = at.plus_words(words);
            // SAFETY: the words are the test's own.
            unsafe { gaps.make(Gap { start: at, end }) };
            at = end.plus_words(1);
        }
        gaps
    }

    #[test]
    fn lists_go_by_size() {
        let mut memory = vec![0; 1000];
        let mut gaps = listed(&mut memory, &[1, 2, 15, 16, 40, 33, 300]);
        assert_eq!((gaps.words(), gaps.counted_words()), (389, 389));
        let mut take = |words| gaps.take(words).map_or(0, Gap::words);
        assert_eq!([take(2), take(35), take(20), take(20), take(2)], [16, 300, 33, 40, 0]);
        assert_eq!((gaps.words(), gaps.counted_words()), (0, 0));
    }

    #[test]
    fn gaps_tell_their_sizes() {
        let mut memory = vec![0; 100];
        for words in [1, 2, 3, 50] {
            listed(&mut memory, &[words]);
            // SAFETY: the words are the test's own.
            let found = unsafe { Gap::at(Addr(memory.as_ptr() as usize)) };
            assert_eq!(found.map(Gap::words), Some(words));
        }
    }

    #[test]
    fn gaps_of_another_come_first() {
        let (mut memory, mut others) = (vec![0; 1000], vec![0; 1000]);
        for (own, other, expected) in [
            (&[20, 40][..], &[21, 22][..], &[22, 21, 20][..]),
            (&[], &[20, 21], &[21, 20]),
            (&[20], &[], &[20]),
            (&[20, 21, 22], &[23], &[23, 22, 21, 20]),
        ] {
            let (mut gaps, more) = (listed(&mut memory, own), listed(&mut others, other));
            gaps.join(more);
            assert_eq!(gaps.words(), own.iter().sum::<usize>() + other.iter().sum::<usize>());
            assert_eq!(gaps.words(), gaps.counted_words());
            let first: Vec<usize> =
                (0..expected.len()).map(|_| gaps.take_from(0, 16).unwrap().words()).collect();
            assert_eq!(first, expected);
            // The list goes on where it was joined.
            gaps.join(listed(&mut others, &[30]));
            assert_eq!(gaps.take_from(0, 16).map(Gap::words), Some(30));
        }
    }

    /// Room for some small objects, then less, and only then one of the large gaps.
    #[test]
    fn small_objects_get_middle_gaps_first() {
        let mut memory = vec![0; 1000];
        let mut gaps = listed(&mut memory, &[16, 32, 64, 128, 256]);
        let mut take = || gaps.take_for_small(2).map_or(0, Gap::words);
        assert_eq!([(); 6].map(|()| take()), [64, 32, 16, 128, 256, 0]);
        assert_eq!([16, 31, 32, 63, 64].map(list_of), [0, 0, 1, 1, 2]);
        assert_eq!(
            [usize::MAX, LEAST_WORDS << LISTS, LEAST_WORDS << (LISTS - 1)].map(list_of),
            [LISTS - 1; 3]
        );
        assert_eq!(list_of((LEAST_WORDS << (LISTS - 1)) - 1), LISTS - 2);
    }
}
