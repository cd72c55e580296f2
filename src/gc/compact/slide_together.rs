//! Objects that several workers slide at a time. A worker takes one group after the other, in their order, and moves what lives in
//! it. It writes to a group of another worker's only when all that lay there has moved away [gc.together.slide].
//!
//! Objects go to no later group than their own, and groups are taken in order; so the first group that is not done is waited for by
//! others and its worker waits for none.

use super::super::groups::Groups;
use super::super::observer::Observer;
use super::super::tracer::Tracer;
use super::slide::{Cursor, Targets};
use crate::base::Addr;
use crate::base::still::vacated;
use crate::block::descriptor::flag;
use crate::block::{Block, Chain};
use crate::megablock::Codes;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Looks at a group of another worker before the processor is left to others: a group is moved in some microseconds.
const LOOKS: u32 = 1000;

/// The word that says whether a group is read. Groups of small objects have no other use for the field while a collection runs.
fn word_of(group: Block) -> &'static AtomicU32 {
    // SAFETY: descriptors of a heap's blocks stay, and while workers run nobody touches this field but by this.
    unsafe { AtomicU32::from_ptr(&raw mut (*group.0).was) }
}

/// The memory that a worker has found free.
struct Vacated {
    /// The group that the worker moves.
    own: Block,
    /// The group that words were moved to last.
    known: Range<Addr>,
}

impl Targets for Vacated {
    #[inline(always)]
    fn reach(&mut self, next: Addr, words: usize) {
        if next < self.known.start || next.plus_words(words) > self.known.end {
            self.wait_for(next, words);
        }
    }
}

impl Vacated {
    /// A line's words go to two groups at most.
    #[cold]
    #[inline(never)]
    fn wait_for(&mut self, next: Addr, words: usize) {
        for word in [next, next.plus_words(words - 1)] {
            let group = Block::of(word).head();
            let mut looks = 0;
            while group != self.own && !vacated::is_told(word_of(group)) {
                looks += 1;
                if looks < LOOKS { std::hint::spin_loop() } else { std::thread::yield_now() }
            }
            self.known = group.start()..group.end();
        }
    }
}

/// The state that workers share.
struct Sliding<C: Codes> {
    codes: C,
    groups: Groups,
    /// Words that were moved.
    moved: AtomicU64,
}

// SAFETY: the groups are what they are, words are moved by the rule above, and lines are only read.
unsafe impl<C: Codes> Sync for Sliding<C> {}

impl<C: Codes> Sliding<C> {
    fn run(&self) {
        let nowhere = Addr::NULL..Addr::NULL;
        let mut cursor = Cursor::new(Vacated { own: Block::NULL, known: nowhere });
        while let Some(group) = self.groups.take() {
            let targets = cursor.begin();
            targets.own = group;
            cursor.slide(self.codes, group);
            vacated::tell(word_of(group));
        }
        self.moved.fetch_add(cursor.moved(), Ordering::Relaxed);
    }
}

impl<C: Codes, O: Observer> Tracer<'_, C, O> {
    /// Slides the objects of all groups by the workers that have marked. False when one thread has to, since only one has marked
    /// or somebody is told of moves.
    pub(super) fn slide_together(&mut self, groups: Chain) -> bool {
        let Some(together) = &self.marks.together else { return false };
        if O::ON || groups.iter().any(|group| group.has(flag::TOLD)) {
            return false;
        }
        groups.iter().for_each(|group| group.fields().was = vacated::NOT_YET);
        let sliding = Sliding { codes: self.codes, groups: Groups::new(groups), moved: AtomicU64::new(0) };
        self.store.workers.run(together.threads, &|_| sliding.run());
        self.copied_words += sliding.moved.into_inner();
        true
    }
}
