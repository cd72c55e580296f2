//! Entries that say the same thing become one, so that remembered entries have a bound in terms of distinct slots,
//! however often the same field is written [heap.remember.distinct].
//!
//! A collection meets most entries provably for the first time, and counts the others apart. Mutators' entries are
//! sampled when they have doubled: a sample has equal ones if there are enough of them to matter.

use crate::base::List;
use crate::base::size::BLOCK_WORDS;
use crate::block::{Blocks, Chain};
use crate::heap::space::generation::Generation;
use crate::heap::space::remember::{Entry, EntryList};

const LOG_RECENT: u32 = 9;

/// Some entries that this collection has remembered: each at the place of its hash, instead of an older one.
pub struct Recent {
    entries: [Entry; 1 << LOG_RECENT],
    used: bool,
}

impl Recent {
    pub const EMPTY: Recent = Recent { entries: [Entry(0); 1 << LOG_RECENT], used: false };

    /// Adds an entry; false when it is known already.
    pub fn add(&mut self, entry: Entry) -> bool {
        let index = entry.0.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (usize::BITS - LOG_RECENT);
        self.used = true;
        std::mem::replace(&mut self.entries[index], entry) != entry
    }

    pub fn clear(&mut self) {
        if self.used {
            *self = Recent::EMPTY;
        }
    }
}

/// Entries that a collection may remember without knowing that they differ: half a megabyte.
const MOST_UNPROVEN: usize = 1 << 16;
/// As `MOST_UNPROVEN`, in checking mode, so that tests exceed it.
const MOST_UNPROVEN_CHECKED: usize = 4;

impl Generation {
    /// Makes equal entries one after a collection, where it may pay.
    pub fn bound_remembered(&mut self, blocks: &mut Blocks, checked: bool) {
        let unproven = std::mem::take(&mut self.unproven);
        self.distinct -= self.distinct.div_ceil(8);
        let most = if checked { MOST_UNPROVEN_CHECKED } else { MOST_UNPROVEN };
        if planted!(177, true, unproven <= most + 2 * self.distinct) {
            return;
        }
        match self.remembered.make_distinct(blocks) {
            Some(count) => self.distinct = count,
            // Without memory to sort them, all are needless once this generation is collected.
            None => {
                self.remembered.release(blocks);
                self.forgot = true;
            }
        }
    }
}

impl EntryList {
    /// Gives how many there are afterwards; `None` when there is no memory to find out.
    fn make_distinct(&mut self, blocks: &mut Blocks) -> Option<usize> {
        let mut chain = self.take();
        let count = make_distinct(&mut chain, blocks);
        self.put_back(chain);
        count
    }
}

/// Makes equal entries of a chain one. Gives how many there are afterwards; `None`, and leaves all as they are, when there
/// is no memory to sort them in.
pub(super) fn make_distinct(chain: &mut Chain, blocks: &mut Blocks) -> Option<usize> {
    let mut all: List<Entry> = List::new();
    all.reserve(chain.iter().map(|group| group.words_free_to()).sum()).ok()?;
    for group in chain.iter() {
        let mut at = group.start();
        while at < group.fields().free {
            // SAFETY: entries fill the group from its start to its `free`.
            let _ = all.push_within(Entry(unsafe { at.load() }));
            at = at.plus_words(1);
        }
    }
    all.sort_unstable();
    let count = keep_one_of_each(&mut all);
    let mut left = &all[..count];
    let mut rest = Chain::EMPTY;
    while let Some(group) = chain.pop() {
        if left.is_empty() {
            blocks.free_group(group);
            continue;
        }
        let (here, later) = left.split_at(left.len().min(group.blocks() * BLOCK_WORDS));
        for (index, entry) in here.iter().enumerate() {
            // SAFETY: the group has room for as many words, and nobody else looks at it now.
            unsafe { group.start().plus_words(index).store(entry.0) };
        }
        group.fields().free = group.start().plus_words(here.len());
        rest.push(group);
        left = later;
    }
    *chain = rest;
    Some(count)
}

/// Moves the first of each run of equal entries to the front. Gives how many there are.
pub(super) fn keep_one_of_each(sorted: &mut [Entry]) -> usize {
    let mut count = 0;
    for index in 0..sorted.len() {
        if index == 0 || sorted[index] != sorted[count - 1] {
            sorted[count] = sorted[index];
            count += 1;
        }
    }
    count
}

/// Equal entries in a sample that make it worth while to look for all of them.
const TELLING: usize = 4;

/// Whether enough entries of a chain are equal to make them one. Of n entries, each twice, a sample of 4√n has some 16
/// equal pairs.
pub(super) fn looks_repeated(chain: &Chain) -> bool {
    let total: usize = chain.iter().map(|group| group.words_free_to()).sum();
    let wanted = 4 * (total as f64).sqrt() as usize;
    let mut sample: List<Entry> = List::new();
    if wanted == 0 || sample.reserve(wanted).is_err() {
        return false;
    }
    // One of each stretch, so that no entry is taken twice; which one is left to chance, so that no period hides.
    let stretch = (total / wanted).max(1);
    let mut chance = total as u64 | 1;
    for group in chain.iter() {
        let count = group.words_free_to();
        let mut first = 0;
        while first < count {
            chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let index = first + (chance >> 33) as usize % stretch.min(count - first);
            // SAFETY: entries fill the group from its start to its `free`.
            if sample.push_within(Entry(unsafe { group.start().plus_words(index).load() })).is_err() {
                break;
            }
            first += stretch;
        }
    }
    sample.sort_unstable();
    let distinct = keep_one_of_each(&mut sample);
    sample.len() - distinct >= TELLING
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::fault;
    use crate::base::flag::Flags;
    use crate::megablock::Megablocks;
    use crate::os::limits;

    /// A generation whose list has two entries 3,000 times each, all of them unproven.
    fn crowded() -> (Generation, Blocks) {
        let flags = Flags::parse("-xr64m").unwrap();
        let mut blocks = Blocks::new(Megablocks::new(&flags, &limits::limits()).unwrap());
        let mut generation = Generation::EMPTY;
        for number in 0..6000 {
            assert!(generation.remembered.push(&mut blocks, Entry(8 + number % 2 * 8)));
        }
        generation.unproven = 6000;
        (generation, blocks)
    }

    #[test]
    fn equal_entries_become_one_where_they_may_be_many() {
        let (mut generation, mut blocks) = crowded();
        generation.bound_remembered(&mut blocks, true);
        assert_eq!((generation.remembered.len(), generation.distinct, generation.forgot), (2, 2, false));
        // So few more are not looked at.
        generation.unproven = MOST_UNPROVEN_CHECKED + 2;
        generation.remembered.push(&mut blocks, Entry(8));
        generation.bound_remembered(&mut blocks, true);
        assert_eq!(generation.remembered.len(), 3);
    }

    #[test]
    fn entries_that_cannot_be_sorted_are_forgotten() {
        let (mut generation, mut blocks) = crowded();
        fault::fail_after(0);
        generation.bound_remembered(&mut blocks, true);
        fault::stop();
        assert!(generation.forgot && generation.remembered.is_empty());
    }

    #[test]
    fn recent_entries_are_known_until_another_takes_their_place() {
        let mut recent = Recent::EMPTY;
        assert!(recent.add(Entry(8)) && !recent.add(Entry(8)));
        let other = (2..).map(|n| Entry(8 * n)).find(|&other| recent.add(other) && recent.add(Entry(8)));
        assert!(other.is_some(), "no two entries have one place");
        recent.clear();
        assert!(recent.add(Entry(8)));
    }
}
