//! Objects that several workers slide at a time. A worker takes one group after the other, in their order, and moves what lives in
//! it. It writes to a group of another worker's only when all that lay there has moved away [gc.together.slide]. So it is with
//! entries of an observer's tables, which follow their objects [gc.together.carry].
//!
//! Objects go to no later group than their own, and groups are taken in order; so the first group that is not done is waited for by
//! others and its worker waits for none.

use super::super::groups::Groups;
use super::super::observer::{Carrier, Observer};
use super::super::tracer::Tracer;
use super::forward::Forwarder;
use super::slide::{Cursor, Targets, each_moving};
use crate::base::Addr;
use crate::base::still::vacated;
use crate::block::descriptor::flag;
use crate::block::{Block, Chain};
use crate::heap::Model;
use crate::megablock::Codes;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

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
struct Sliding<'a, C: Codes, O: Observer> {
    forwarder: Forwarder<C>,
    model: Model,
    groups: Groups,
    carrier: O::Carrier,
    /// The observer, if it is told of moves.
    told: Option<Mutex<&'a mut O>>,
    /// Words that were moved.
    moved: AtomicU64,
}

// SAFETY: the groups are what they are, words and entries are moved by the rule above, lines are only read, and one worker at a time tells
// the observer, which runs no client's code.
unsafe impl<C: Codes, O: Observer> Sync for Sliding<'_, C, O> {}

impl<C: Codes, O: Observer> Sliding<'_, C, O> {
    fn run(&self) {
        let nowhere = Addr::NULL..Addr::NULL;
        let mut cursor = Cursor::new(Vacated { own: Block::NULL, known: nowhere });
        while let Some(group) = self.groups.take() {
            let targets = cursor.begin();
            targets.own = group;
            if O::ON {
                each_moving(self.forwarder, self.model, group, &mut |object| {
                    if !cursor.slide_object(&object) {
                        return;
                    }
                    let (from, to) = (object.from, object.to);
                    // SAFETY: the entries at the new place were those of words that have moved, and the worker that
                    // moved them has said so since, if it was another.
                    planted!(477, (), unsafe { self.carrier.carry(from, to) });
                    if let Some(observer) = &self.told {
                        let mut observer = observer.lock().unwrap_or_else(PoisonError::into_inner);
                        planted!(478, (), observer.moved(from, to));
                    }
                });
            } else {
                cursor.slide(self.forwarder.codes, group);
            }
            vacated::tell(word_of(group));
        }
        self.moved.fetch_add(cursor.moved(), Ordering::Relaxed);
    }
}

impl<C: Codes, O: Observer> Tracer<'_, C, O> {
    /// Slides the objects of all groups by the workers that have marked. False when one thread has to: only one has marked, or a
    /// client's function is to be asked for the size of an object, or told of its move.
    pub(super) fn slide_together(&mut self, groups: Chain) -> bool {
        let Some(together) = &self.marks.together else { return false };
        if groups.iter().any(|group| group.has(flag::TOLD)) || O::ON && together.asks_sizes {
            return false;
        }
        groups.iter().for_each(|group| group.fields().was = vacated::NOT_YET);
        let (forwarder, carrier) = (self.forwarder(), self.observer.carrier());
        let told = self.observer.notes_moves().then(|| Mutex::new(&mut *self.observer));
        let (model, groups) = (self.model, Groups::new(groups));
        let sliding = Sliding { forwarder, model, groups, carrier, told, moved: AtomicU64::new(0) };
        self.store.workers.run(together.threads, &|_| sliding.run());
        self.copied_words += sliding.moved.into_inner();
        true
    }
}
