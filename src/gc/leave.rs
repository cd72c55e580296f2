//! A major collection that leaves the objects of the oldest generation where they are.
//!
//! First everything younger is collected, and what lives of it comes to the oldest generation; so aging, middle
//! generations and remembered entries never meet marks. Then the oldest generation is marked in place, and the words
//! between its live objects become gaps [gc.leave]. No reference to an old object is rewritten, so an indirection lives
//! as long as one leads to it; minor collections and slides remove those. The two phases are one collection to everybody
//! else: the first ends no weak pointer, since finalizers are judged when all of the heap is. Objects with too much waste
//! between them slide after all, once they are marked [gc.leave.waste].

use super::copies::Crowd;
use super::cycle::{Compaction, Held, Most, take_from_space};
use super::observer::Observer;
use super::sweep::{between_objects, measure_all, sweep_all};
use super::tracer::Tracer;
use crate::base::size::BLOCK_WORDS;
use crate::base::{Addr, fault};
use crate::block::{Block, Chain};
use crate::heap::root::frame::Visitor;
use crate::heap::space::gaps::Gap;
use crate::heap::space::generation::{Code, PLACES, Place};
use crate::heap::space::remember::each_entry;
use crate::heap::{Mutator, Store};
use crate::megablock::Codes;

/// Collects everything. Gives the words that were copied or slid, and the figures of the compaction if objects were slid
/// after all.
pub(super) fn leave<C: Codes, O: Observer>(
    store: &mut Store,
    mutator: &mut Mutator,
    (most, crowd): (Most, Crowd),
    observer: &mut O,
    codes: C,
    get_roots: &mut dyn FnMut(&mut Visitor),
) -> (u64, Option<Compaction>) {
    observer.promotes(true);
    let copied = promote_all(store, mutator, crowd, observer, codes, get_roots);
    observer.promotes(false);
    // Marking needs no memory.
    store.blocks.end_keeping();
    let (slid, compaction) = mark_oldest(store, mutator, most, observer, codes, get_roots);
    (copied + slid, compaction)
}

/// Collects everything younger than the oldest generation into it.
fn promote_all<C: Codes, O: Observer>(
    store: &mut Store,
    mutator: &mut Mutator,
    crowd: Crowd,
    observer: &mut O,
    codes: C,
    get_roots: &mut dyn FnMut(&mut Visitor),
) -> u64 {
    let younger = store.oldest() - 1;
    let from = take_from_space(store, younger);
    let mut tracer = Tracer::new(store, observer, codes, younger, true);
    tracer.desk.onward = [Place::new(younger + 1, 0); PLACES];
    tracer.keeps_weak = true;
    tracer.crowd = crowd;
    tracer.keep_what_lives(mutator, false, get_roots);
    tracer.update_names(false);
    tracer.bound_remembered();
    tracer.tidy(from, mutator);
    tracer.copied_words
}

/// Marks the objects of the oldest generation, when there is no other, and makes gaps between them; or slides them, when
/// too much would be wasted. Gives the words that slid.
fn mark_oldest<C: Codes, O: Observer>(
    store: &mut Store,
    mutator: &mut Mutator,
    most: Most,
    observer: &mut O,
    codes: C,
    get_roots: &mut dyn FnMut(&mut Visitor),
) -> (u64, Option<Compaction>) {
    let oldest = store.oldest();
    let step = &store.generations[oldest].steps[0];
    let open = [step.open, step.open_leaves];
    let groups = take_from_space(store, oldest).reversed();
    let before = Held::before(store, groups);
    let mut tracer = Tracer::new(store, observer, codes, oldest, true);
    tracer.begin_compaction(groups);
    tracer.marks.leaves = true;
    tracer.keep_what_lives(mutator, true, get_roots);
    let mut compaction = None;
    let emptied = if planted!(213, false, tracer.wastes(groups, most)) {
        tracer.will_slide();
        let emptied = tracer.compact(groups, mutator, get_roots);
        compaction = Some(before.after(tracer.store, tracer.marks.stack_bytes()));
        emptied
    } else {
        if planted!(335, false, O::ON) {
            groups.iter().for_each(|group| tracer.observer.left(group));
        }
        tracer.update_names(true);
        tracer.sweep(groups, open)
    };
    planted!(208, (), tracer.finish_statics());
    tracer.reopen_stack(mutator);
    tracer.bound_remembered();
    tracer.tidy(emptied, mutator);
    let slid_words = tracer.copied_words;
    if compaction.is_some() || store.is_dense() {
        store.blocks.megablocks.discard_lines();
    }
    (slid_words, compaction)
}

impl Store {
    /// Whether less than half has died of the oldest generation, which was just marked. Then it grows much before it is marked
    /// again, and new memory for its lines costs little beside the marks.
    fn is_dense(&self) -> bool {
        let step = &self.generations[self.oldest()].steps[0];
        step.live_words > step.blocks.blocks * BLOCK_WORDS / 2
    }
}

impl<C: Codes, O: Observer> Tracer<'_, C, O> {
    /// Whether there would be too much between the objects of these groups, were they to stay where they are.
    fn wastes(&mut self, groups: Chain, most: Most) -> bool {
        let threads = self.threads_at_once();
        let all = measure_all(&mut self.store.workers, threads, self.codes, groups);
        // Large objects live as well, and nothing lies between them.
        let large = self.desk.spots[Place::new(self.store.oldest(), 0).index()].large_words;
        let exceeds = |words: usize, share: usize| {
            words > (all.live + large).saturating_mul(share) / 1000 + fault::spare_waste()
        };
        exceeds(all.waste, most.waste) || exceeds(all.reach + large, most.held)
    }

    /// Lets objects slide that were marked to stay. Recorded objects among them are remembered where they slide to.
    fn will_slide(&mut self) {
        self.marks.leaves = false;
        let oldest = self.store.oldest();
        let mut chain = self.store.generations[oldest].remembered.take();
        each_entry(&chain, |entry| {
            if planted!(214, true, Code(self.codes.at(entry.at().0)) != self.marks.code) {
                self.remember_for(oldest as u8, entry);
            }
        });
        while let Some(group) = chain.pop() {
            self.store.blocks.free_group(group);
        }
    }

    /// Makes gaps between the marked objects. Gives the groups in which nothing lives. The two groups that were filled
    /// last go on being filled.
    fn sweep(&mut self, mut groups: Chain, open: [Block; 2]) -> Chain {
        let place = Place::new(self.store.oldest(), 0).index();
        let (mut kept, mut emptied) = (Chain::EMPTY, Chain::EMPTY);
        let swept = self.sweep_together(groups);
        let (mut live, mut held) = (swept.unwrap_or(0), 0);
        while let Some(group) = groups.pop() {
            let end = group.fields().free;
            if swept.is_none() {
                // SAFETY: words that are not marked belong to no live object.
                live += between_objects(self.codes, group, &mut |gap| unsafe { self.make_gap(gap) });
            }
            let at = std::mem::replace(&mut group.fields().scanned, Addr::NULL);
            if at.is_null() {
                emptied.push(group);
                continue;
            }
            self.end_group(group, at, end, open.contains(&group));
            held += group.words_free_to();
            kept.push(group);
            if open.contains(&group) {
                group.fields().back = Block::NULL;
                let filling = if group == open[0] {
                    &mut self.desk.spots[place].filling
                } else {
                    &mut self.desk.leaves[place]
                };
                (filling.open, filling.next, filling.limit) = (group, group.fields().free, group.end());
            }
        }
        self.desk.spots[place].filling.chain = kept;
        self.desk.spots[place].filling.dead_words = held - live;
        emptied
    }

    /// Makes the gaps between objects by the workers that have marked. Gives the words that live; none when one thread is to do it.
    fn sweep_together(&mut self, groups: Chain) -> Option<usize> {
        let threads = self.threads_at_once();
        if threads < 2 {
            return None;
        }
        let making = self.store.making(O::ON);
        let Store { workers, gaps, .. } = &mut *self.store;
        Some(sweep_all(workers, threads, self.codes, groups, making, gaps))
    }

    /// The threads that have marked, as many as can run.
    fn threads_at_once(&mut self) -> usize {
        let Some(together) = &self.marks.together else { return 1 };
        if together.eager { together.threads } else { together.threads.min(self.store.workers.processors()) }
    }

    /// Ends a group whose last live object ends at `at`; what lay behind it is dead. A group that is not filled any more
    /// ends with a gap.
    fn end_group(&mut self, group: Block, at: Addr, end: Addr, is_open: bool) {
        group.fields().free = at;
        if is_open {
            self.store.poison(at, end);
            return;
        }
        let group = self.store.trim(group);
        group.fields().free = group.end();
        // SAFETY: as for `sweep_group`; objects of this group end before `at`.
        unsafe { self.make_gap(Gap { start: at, end: group.end() }) };
    }

    /// As `Store::make_gap`. With an observer every gap is made, since a profiler may walk over all objects after the collection.
    ///
    /// # Safety
    /// The caller keeps the promise of `Gaps::make`: the words are those of the oldest generation, and no object is in them.
    unsafe fn make_gap(&mut self, gap: Gap) {
        // SAFETY: the caller's promise.
        unsafe { self.store.make_gap(gap, planted!(334, false, O::ON)) };
    }
}
