//! The samples that are taken: points ahead, objects that were met and are not filled yet, and those that may be alive.
//!
//! The table of sampled objects (`Store::sampled`) is weak: collections forward its entries or drop them, and do nothing else.

use super::distance::Distances;
use super::row::{Key, Rows, Sum};
use super::stacks::Stacks;
use crate::base::size::WORD_BYTES;
use crate::base::{Addr, List, Outcome};
use crate::block::Block;
use crate::heap::mutator::busy::Mark;
use crate::heap::mutator::current;
use crate::heap::object::kind::Kinds;
use crate::heap::object::model::info_of;
use crate::heap::{Mutator, Store};
use std::ops::Range;

/// A point in words that were handed out: which object it lies in is seen when they are filled.
#[derive(Clone, Copy)]
struct Pending {
    /// The mutator that got the words.
    owner: *mut Mutator,
    /// The beginning of the words, where an object begins.
    start: Addr,
    words: usize,
    /// The word of the point, counted from there.
    offset: usize,
    /// The words are one object: its size is known, whatever it is changed into meanwhile.
    is_one: bool,
    stack: u32,
    ccs: u32,
}

/// A sampled object that was alive when it was last looked at.
#[derive(Clone, Copy)]
struct Live {
    entry: u32,
    row: u32,
    number: u64,
    words: usize,
}

pub struct Sampler {
    /// Bytes between two samples, on average.
    pub(crate) every: u64,
    distances: Distances,
    /// The next point among the words that calls hand out. Each mutator has the next one of those that its `hp` moves through.
    next_in_calls: u64,
    pending: List<Pending>,
    live: List<Live>,
    /// Length of `live` at which entries of dead objects are taken out.
    tidy_at: usize,
    pub(crate) rows: Rows,
    pub(crate) stacks: Stacks,
}

impl Sampler {
    pub(crate) fn new(every: u64, seed: u64) -> Outcome<Sampler> {
        let mut distances = Distances::new(every as f64 / WORD_BYTES as f64, seed);
        let next_in_calls = distances.draw_words() as u64;
        Ok(Sampler {
            every,
            distances,
            next_in_calls,
            pending: List::new(),
            live: List::new(),
            tidy_at: 1024,
            rows: Rows::new()?,
            stacks: Stacks::new()?,
        })
    }

    #[cfg(test)]
    pub(crate) fn held_bytes(&self) -> usize {
        self.pending.held_bytes() + self.live.held_bytes() + self.rows.held_bytes() + self.stacks.held_bytes()
    }

    /// Words that a mutator may take before its next point, which goes along when its area changes. Distances have no memory: a
    /// point that was passed, in words that the client took by itself, is drawn anew, and no mutator looks at others' words.
    #[inline]
    pub(crate) fn words_left(&mut self, mutator: &mut Mutator) -> usize {
        mutator.words_to_point().unwrap_or_else(|| {
            let left = self.distances.draw_words();
            mutator.sampled = mutator.hp().plus_words(left);
            left
        })
    }

    /// Whether objects that were met are not counted yet.
    pub(crate) fn waits(&self) -> bool {
        !self.pending.is_empty()
    }

    /// Words that a mutator may take before it comes to the slow path: the objects in reserved words are looked at there, as soon
    /// as another is made, before they become others, whose sizes say nothing of the words.
    #[inline]
    pub(crate) fn words_to_stop(&mut self, mutator: &mut Mutator) -> usize {
        let left = self.words_left(mutator);
        let (end, hp) = (mutator.sampled_to, mutator.hp());
        if end < hp { left } else { left.min(end.words_since(hp)) }
    }

    /// Notes the points in `words` words of the area that are about to be taken, for one object or several.
    #[inline]
    pub(crate) fn meet_area(
        &mut self,
        mutator: &mut Mutator,
        words: usize,
        is_one: bool,
        site: usize,
    ) -> Outcome<()> {
        let left = self.words_left(mutator);
        if left >= words { Ok(()) } else { self.note_in_area(mutator, left, (words, is_one), site) }
    }

    /// As `meet_area`, of words the first point in which is at `offset`.
    #[cold]
    fn note_in_area(
        &mut self,
        mutator: &mut Mutator,
        mut offset: usize,
        (words, is_one): (usize, bool),
        site: usize,
    ) -> Outcome<()> {
        let owner = &raw mut *mutator;
        let (start, ccs) = (mutator.hp(), current::stack_of(mutator).number);
        let stack = self.stacks.here(site)?;
        while offset < words {
            self.pending.push(Pending { owner, start, words, offset, is_one, stack, ccs })?;
            offset += 1 + self.distances.draw_words();
        }
        mutator.sampled = start.plus_words(offset);
        if !is_one {
            mutator.sampled_to = start.plus_words(words);
        }
        Ok(())
    }

    /// Notes an object of so many words that a call has made, when one of them is a point: the words that calls made are `before`
    /// before it, and `end` with it.
    #[inline]
    pub(crate) fn meet_call(
        &mut self,
        mutator: &mut Mutator,
        object: (Addr, usize),
        Range { start: before, end }: Range<u64>,
        site: usize,
    ) -> Outcome<()> {
        if self.next_in_calls < before {
            self.next_in_calls = before + self.distances.draw_words() as u64;
        }
        if self.next_in_calls >= end { Ok(()) } else { self.note_of_call(mutator, object, before..end, site) }
    }

    #[cold]
    fn note_of_call(
        &mut self,
        mutator: &mut Mutator,
        (start, words): (Addr, usize),
        made: Range<u64>,
        site: usize,
    ) -> Outcome<()> {
        let (stack, ccs) = (self.stacks.here(site)?, current::stack_of(mutator).number);
        let owner = &raw mut *mutator;
        while self.next_in_calls < made.end {
            // A large object is counted in whole blocks: points behind its end are nobody's.
            let offset = (self.next_in_calls - made.start) as usize;
            self.next_in_calls += 1 + self.distances.draw_words() as u64;
            self.pending.push(Pending { owner, start, words, offset, is_one: true, stack, ccs })?;
        }
        Ok(())
    }

    /// Counts the objects that were met: those of a mutator that is at a safepoint, and where all are at one, those of others too.
    /// Every word of theirs below `hp` belongs to an object or is zero [heap.inv.filled].
    pub(crate) fn take(
        &mut self,
        store: &mut Store,
        mark: Mark,
        mutator: Option<&mut Mutator>,
        with_others: bool,
    ) -> Outcome<()> {
        let mut own = std::ptr::null_mut();
        let mut area = Addr::NULL..Addr::NULL;
        if let Some(mutator) = mutator {
            mutator.sampled_to = Addr::NULL;
            if self.pending.is_empty() {
                return Ok(());
            }
            store.close_nursery(mutator);
            area = mutator.hp()..mutator.limit;
            own = mutator;
        }
        let mut last = Addr::NULL;
        let mut pending = std::mem::take(&mut self.pending);
        let mut unused = Addr::NULL;
        for one in pending.iter().filter(|one| with_others || one.owner == own) {
            let Some((object, words)) = object_of(store, mark, one) else {
                let point = one.start.plus_words(one.offset);
                if planted!(602, false, unused.is_null() && one.owner == own && area.contains(&point)) {
                    unused = point;
                }
                continue;
            };
            if object == last {
                continue;
            }
            last = object;
            // SAFETY: an object begins there.
            let info = info_of(unsafe { object.load() }).number();
            let row = self.rows.number(Key { stack: one.stack, ccs: one.ccs, info })?;
            let weight = self.distances.weight(words);
            self.rows.all[row as usize].allocated.add(weight, words * WORD_BYTES);
            let entry = store.sampled.entry(object, true)?;
            let number = store.sampled.number(entry);
            let live = Live { entry, row, number, words };
            self.live.push(planted!(491, Live { row: row.saturating_sub(1), ..live }, live))?;
        }
        if !unused.is_null() {
            // Words that were reserved and are not used are the next object's, with the points in them.
            // SAFETY: it is the mutator that the caller gave.
            unsafe { (*own).sampled = unused };
        }
        pending.retain_mut(|one| !with_others && one.owner != own);
        self.pending = pending;
        Ok(())
    }

    /// Takes dead objects out when there may be many.
    pub(crate) fn tidy(&mut self, store: &Store) {
        if self.live.len() >= self.tidy_at {
            self.live.retain_mut(|one| store.sampled.lives(one.entry, one.number));
            self.tidy_at = (self.live.len() * 2).max(1024);
        }
    }

    /// Adds up what is alive as of the last collection of each object.
    pub(crate) fn settle(&mut self, store: &Store) {
        self.tidy_at = 0;
        self.tidy(store);
        self.rows.all.iter_mut().for_each(|row| row.live = Sum::default());
        for one in self.live.iter() {
            let weight = self.distances.weight(one.words);
            self.rows.all[one.row as usize].live.add(weight, one.words * WORD_BYTES);
        }
    }
}

/// The object in which a point lies, and its words; none where the words were not filled. Behind a thunk that has its value, or is
/// evaluated, the next object cannot be found: a point there, or in it, is lost.
fn object_of(store: &Store, mark: Mark, one: &Pending) -> Option<(Addr, usize)> {
    let target = one.start.plus_words(one.offset);
    if planted!(601, false, one.is_one) {
        // SAFETY: words of the heap that were handed out are readable.
        let is_filled = unsafe { one.start.load() } != 0;
        return (is_filled && one.offset < one.words).then_some((one.start, one.words));
    }
    let end = Block::of(one.start).head().fields().free;
    let mut at = one.start;
    while at < end && at <= target {
        // SAFETY: as above.
        let header = unsafe { at.load() };
        if header == 0 {
            at = at.plus_words(1);
            continue;
        }
        let info = info_of(header);
        if planted!(603, false, info.is_in(Kinds::INDIRECTION.and(Kinds::BLACK))) {
            return None;
        }
        // SAFETY: a word that is not zero here is the header of an object [heap.inv.filled], and words behind an object that was
        // made smaller are zero.
        let words = unsafe { mark.words_of(&store.model, at, info) };
        if at.plus_words(words) > target {
            return Some((at, words));
        }
        at = at.plus_words(words);
    }
    None
}
