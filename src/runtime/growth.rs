//! The sizes that the nursery, the generations and the heap may grow to.

use crate::base::flag::Flags;
use crate::base::size::*;
use crate::gc::Most;
use crate::os::limits::{self, Limits};

/// Sizes in force, adapted after each collection.
#[derive(Clone, Copy, Debug)]
pub struct Growth {
    pub nursery_blocks: usize,
    /// Blocks of the smallest nursery for the mutators that fill it at present.
    pub least_nursery_blocks: usize,
    /// Blocks of one mutator's nursery at first, and the smallest part of each of several.
    pub first_of_one_blocks: usize,
    pub least_of_each_blocks: usize,
    /// Mutators that filled the nursery before the last collection.
    pub fillers: usize,
    pub most_nursery_blocks: usize,
    pub nursery_is_fixed: bool,
    pub least_old_blocks: usize,
    pub old_factor: f64,
    /// Blocks above which old generations grow by the square root only.
    pub square_root_above: Option<usize>,
    /// Whether the next major collection compacts, so that no room is kept for copies of old objects.
    pub compacts_next: bool,
    /// Whether major collections leave old objects in place, so that no room is kept for their copies either.
    pub leaves: bool,
    /// Whether survivors skip aging, since most of the nursery lives.
    pub promote_at_once: bool,
    pub steps_are_fixed: bool,
    /// Blocks that are enough for the nursery: large objects make collections due while most of it is empty.
    pub enough_nursery_blocks: usize,
    /// Blocks beside those of objects before the last collection: what was remembered.
    pub remembered_blocks: usize,
    /// Blocks that lived after the last major collection.
    pub lived_blocks: usize,
    /// Blocks of the present nursery.
    pub nursery_in_force: usize,
    pub peak_blocks: usize,
}

/// Bounds of the nursery's first size, which is an eighth of the last-level cache (other programs use it
/// too), but not below the second-level cache. docs/decisions has the measurements.
const LEAST_NURSERY_BYTES: usize = 256 << 10;
const CACHED_NURSERY_BYTES: usize = 4 << 20;
const MOST_NURSERY_BYTES: usize = 32 << 20;

/// Above this share of survivors, copying costs more than a nursery that misses the cache does.
const CROWDED: f64 = 0.10;
/// Below this share, the nursery shrinks back towards the cache.
const SPARSE: f64 = 0.02;
/// Words of waste for each thousand words that live, when the factor allows as many: a third of the generation.
const MOST_WASTE: usize = 500;
/// The smallest nursery that is worth a collection, as a share of what the oldest generation may grow by.
const NURSERIES_OF_GROWTH: usize = 10;
/// Below this share, several mutators' nursery shrinks until each one's part fits into half a second-level cache: then collections cost
/// little.
const NEXT_TO_NOTHING: f64 = 0.001;
/// Above this share, aging would copy nearly everything twice.
const ALMOST_ALL: f64 = 0.35;

impl Growth {
    pub fn new(flags: &Flags, _limits: &Limits) -> Growth {
        let cached = (limits::last_level_cache() / 8)
            .max(limits::second_level_cache())
            .clamp(LEAST_NURSERY_BYTES, CACHED_NURSERY_BYTES);
        let limit = flags.heap_limit_bytes.unwrap_or(usize::MAX);
        let least = flags.nursery_bytes.unwrap_or(cached.min(limit / 8)).max(64 << 10) / BLOCK_BYTES;
        let most =
            flags.nursery_bytes.unwrap_or(MOST_NURSERY_BYTES.min(limit / 8)).max(64 << 10) / BLOCK_BYTES;
        Growth {
            nursery_blocks: least,
            least_nursery_blocks: least,
            first_of_one_blocks: least,
            least_of_each_blocks: least
                .min(limits::second_level_cache().max(LEAST_NURSERY_BYTES) / 2 / BLOCK_BYTES),
            fillers: 1,
            most_nursery_blocks: most.max(least),
            nursery_is_fixed: flags.nursery_bytes.is_some(),
            least_old_blocks: flags.old_minimum_bytes / BLOCK_BYTES,
            old_factor: flags.old_factor,
            square_root_above: flags.square_root_above.map(|bytes| bytes / BLOCK_BYTES),
            compacts_next: flags.compact_always,
            // Objects that stay leave no memory in which a stale reference would fault.
            leaves: flags.old_stays && !flags.faults && flags.generations > 1,
            promote_at_once: false,
            steps_are_fixed: flags.steps.is_some(),
            enough_nursery_blocks: usize::MAX,
            remembered_blocks: 0,
            lived_blocks: 0,
            nursery_in_force: 0,
            peak_blocks: 0,
        }
    }

    /// The blocks that old generations may grow to when `live_blocks` of them are live: up to
    /// `square_root_above` by the factor; beyond it, by as much as the factor adds at that size times the
    /// square root of how much larger they are. Then the time of all collections and the memory beyond live
    /// objects grow alike; with a factor, memory grows and time stays.
    pub fn grown(&self, live_blocks: usize) -> usize {
        let live = live_blocks as f64;
        let counted = match self.square_root_above {
            Some(knee) if planted!(165, false, live_blocks > knee) => (live * knee as f64).sqrt(),
            _ => live,
        };
        (live + counted * planted!(164, (self.old_factor - 1.0) / 2.0, self.old_factor - 1.0)) as usize
    }

    /// The blocks of objects in so many blocks of memory: the rest is descriptors.
    pub fn without_descriptors(blocks: usize) -> usize {
        planted!(216, blocks, blocks - blocks / (BLOCKS_PER_MEGABLOCK / FIRST_BLOCK))
    }

    /// Blocks that the oldest generation leaves free when a collection of it is due, of `most`: it is not filled to the end
    /// by nurseries that become smaller and smaller, since they have room, with their copies, in what is left.
    pub fn left_for_last_nursery(&self, most: usize) -> usize {
        if !self.leaves || self.nursery_is_fixed {
            return 0;
        }
        planted!(217, 0, most.saturating_sub(self.lived_blocks) / NURSERIES_OF_GROWTH * 2)
    }

    /// The memory that may lie between objects that stay, when so many words live: half of what they may grow by may be
    /// wasted.
    pub fn most_between(&self, live_words: usize) -> Most {
        let live_blocks = live_words / BLOCK_WORDS + 1;
        let held = self.grown(live_blocks).max(self.least_old_blocks) * 1000 / live_blocks;
        Most { waste: (held.saturating_sub(1000) / 2).min(MOST_WASTE), held: held.max(1000) }
    }

    /// Makes room in the nursery for so many mutators that fill it at once, each in a processor's own cache.
    pub fn be_filled_by(&mut self, mutators: usize) {
        if self.nursery_is_fixed {
            return;
        }
        let before = std::mem::replace(&mut self.fillers, planted!(425, 1, mutators.max(1)));
        self.least_nursery_blocks = (self.first_of_one_blocks * self.fillers).min(self.most_nursery_blocks);
        if self.fillers > before {
            self.nursery_blocks = self.nursery_blocks.max(self.least_nursery_blocks);
        }
    }

    /// Limits the nursery to a share of the old generations: a larger one costs more memory than it saves time. So it
    /// shrinks when much has died. The share is larger where old objects stay: the nursery has the room of their copies.
    pub fn fit(&mut self, old_blocks: usize) {
        if !self.nursery_is_fixed {
            let share = if self.leaves { 2 } else { 5 };
            let most = self.most_nursery_blocks.min(old_blocks / share).max(self.least_nursery_blocks);
            self.nursery_blocks = self.nursery_blocks.clamp(self.least_nursery_blocks, most);
        }
    }

    /// Learns from a collection: `survived` of `offered` words of the nursery; `old_blocks` is the rest of the heap.
    pub fn learn(&mut self, offered: usize, survived: u64, old_blocks: usize) {
        if offered == 0 {
            return;
        }
        let share = (survived as f64 / offered as f64).min(1.0);
        if !self.steps_are_fixed {
            self.promote_at_once = planted!(159, false, share > ALMOST_ALL);
        }
        if self.nursery_is_fixed {
            return;
        }
        if share > CROWDED {
            self.nursery_blocks *= planted!(162, 1, 2);
        } else if share < SPARSE {
            let smaller = self.nursery_blocks - self.nursery_blocks / planted!(163, usize::MAX, 8);
            if self.fillers > 1 && share < NEXT_TO_NOTHING {
                self.nursery_blocks = smaller.max(self.least_of_each_blocks * self.fillers);
                return;
            }
            self.nursery_blocks = smaller.max(self.least_nursery_blocks);
        }
        self.fit(old_blocks);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn growth(line: &str) -> Growth {
        Growth::new(&Flags::parse(line).unwrap(), &limits::limits())
    }

    /// Lets a growth learn from a full nursery of a million words of which this share survived, beside a
    /// large heap.
    fn survived(growth: &mut Growth, share: f64) {
        growth.learn(1_000_000, (share * 1e6) as u64, 1 << 20);
    }

    #[test]
    fn the_nursery_follows_what_survives() {
        let mut growth = growth("");
        let least = growth.nursery_blocks;
        survived(&mut growth, 0.2);
        assert_eq!(growth.nursery_blocks, 2 * least);
        survived(&mut growth, 0.05);
        assert_eq!(growth.nursery_blocks, 2 * least);
        survived(&mut growth, 0.01);
        assert_eq!(growth.nursery_blocks, 2 * least - least / 4);
        (0..100).for_each(|_| survived(&mut growth, 0.01));
        assert_eq!(growth.nursery_blocks, least);
        (0..100).for_each(|_| survived(&mut growth, 0.2));
        assert_eq!(growth.nursery_blocks, MOST_NURSERY_BYTES / BLOCK_BYTES);
    }

    #[test]
    fn each_mutator_that_fills_the_nursery_has_its_part() {
        let mut growth = growth("");
        let one = growth.nursery_blocks;
        growth.be_filled_by(2);
        assert_eq!(growth.nursery_blocks, 2 * one);
        growth.be_filled_by(2);
        (0..100).for_each(|_| survived(&mut growth, 0.01));
        assert_eq!(growth.nursery_blocks, 2 * one);
        (0..100).for_each(|_| survived(&mut growth, 0.0));
        assert_eq!(growth.nursery_blocks, 2 * growth.least_of_each_blocks);
        survived(&mut growth, 0.01);
        assert_eq!(growth.nursery_blocks, 2 * one);
        growth.be_filled_by(1000);
        assert_eq!(growth.nursery_blocks, growth.most_nursery_blocks);
        growth.be_filled_by(0);
        (0..100).for_each(|_| survived(&mut growth, 0.01));
        assert_eq!(growth.nursery_blocks, one);
        let mut fixed = super::tests::growth("-A256k");
        fixed.be_filled_by(2);
        assert_eq!(fixed.nursery_blocks, (256 << 10) / BLOCK_BYTES);
    }

    #[test]
    fn a_nursery_of_a_fixed_size_stays() {
        let mut growth = growth("-A256k");
        for share in [0.9, 0.001] {
            survived(&mut growth, share);
            assert_eq!(growth.nursery_blocks, (256 << 10) / BLOCK_BYTES);
        }
    }

    #[test]
    fn what_nearly_all_survives_does_not_age() {
        let mut adaptive = growth("");
        for (share, at_once) in [(0.5, true), (0.3, false), (0.36, true)] {
            survived(&mut adaptive, share);
            assert_eq!(adaptive.promote_at_once, at_once, "{share}");
        }
        let mut told = growth("-T2");
        survived(&mut told, 0.9);
        assert!(!told.promote_at_once);
    }

    #[test]
    fn the_last_nurseries_have_room() {
        let mut growth = growth("");
        growth.lived_blocks = 1000;
        assert_eq!(growth.left_for_last_nursery(2000), 200);
        growth.nursery_is_fixed = true;
        assert_eq!(growth.left_for_last_nursery(2000), 0);
        assert_eq!(Growth::without_descriptors(6400), 6300);
    }

    #[test]
    fn old_generations_grow_by_the_factor_and_by_the_root_above_the_knee() {
        assert_eq!(growth("-F3").grown(1000), 3000);
        let mut rooted = growth("-F3");
        rooted.square_root_above = Some(100);
        assert_eq!((rooted.grown(100), rooted.grown(10_000)), (300, 10_000 + 2 * 1000));
    }
}
