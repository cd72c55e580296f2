//! Remembered entries that several workers look at [gc.crowd.entries]: they lie in groups, and are taken in slices.

use super::hand::Range;
use crate::base::List;
use crate::block::Chain;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Entries of a slice: a worker that has just not enough to stop has room for as many.
pub(super) const SLICE: usize = 256;
/// Entries that are worth a call of the workers.
const MANY: usize = 8 << 10;

pub(super) struct Entries {
    slices: List<Range>,
    /// Whether cards of some array are remembered.
    pub has_cards: bool,
    /// The first slice that nobody has taken.
    next: AtomicUsize,
}

impl Entries {
    /// The slices of a chain, if workers are to share it; `None` without memory for them as well.
    pub(super) fn of(chain: &Chain, has_cards: bool, eager: bool) -> Option<Entries> {
        let count: usize = chain.iter().map(|group| group.words_free_to()).sum();
        if count < if eager { 1 } else { MANY } {
            return None;
        }
        let mut slices = List::new();
        slices.reserve(chain.iter().map(|group| group.words_free_to().div_ceil(SLICE)).sum()).ok()?;
        for group in chain.iter() {
            let (mut start, end) = (group.start(), group.fields().free);
            while start < end {
                let next = start.plus_words(SLICE).min(end);
                let _ = slices.push_within(Range { start, end: next });
                start = next;
            }
        }
        Some(Entries { slices, has_cards, next: AtomicUsize::new(0) })
    }

    /// Takes the next slice.
    pub(super) fn take(&self) -> Option<Range> {
        // Each worker adds once after the last slice, so this does not come round.
        self.slices.get(self.next.fetch_add(1, Ordering::Relaxed)).copied()
    }

    /// Whether somebody has taken the last slice.
    pub(super) fn are_taken(&self) -> bool {
        self.next.load(Ordering::Relaxed) >= self.slices.len()
    }
}
