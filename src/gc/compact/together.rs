//! References that several workers rewrite at a time. A worker takes one group after the other, and writes slots of the objects in
//! it: nobody else does, and the tables that say where objects go are only read [gc.together.update].
//!
//! The thread that collects does the rest: objects that do not move, indirections, everything that a client's function is asked
//! or told of, and recorded objects.

use super::super::aside::{Aside, Left};
use super::super::groups::Groups;
use super::super::marks::next_live;
use super::super::observer::Observer;
use super::super::slices::Slices;
use super::super::tracer::Tracer;
use super::forward::{Forwarder, Turn, look_ahead};
use crate::block::{Block, Chain};
use crate::heap::Model;
use crate::heap::object::info::{FLAG_NOTIFY_MOVED, Kind};
use crate::heap::object::model::{HEADER_RECORDED, info_of};
use crate::megablock::Codes;
use crate::os::workers::Workers;
use std::sync::atomic::{AtomicBool, Ordering};

/// The state that workers share.
struct Rewriting<C: Codes> {
    forwarder: Forwarder<C>,
    model: Model,
    codes: C,
    groups: Groups,
    /// Whether there are indirections, which come last.
    kept: AtomicBool,
    /// Whether a rest of a group was left, in which there may be objects whose sizes clients' functions tell.
    asks_sizes: AtomicBool,
}

// SAFETY: objects of a group are touched by the worker that took it; all else is read, but for the atomics.
unsafe impl<C: Codes> Sync for Rewriting<C> {}

impl<C: Codes> Rewriting<C> {
    /// Rewrites what it can of one group after the other, until all are taken, or there is no room for what is left.
    fn run(&self, aside: &mut Aside) {
        while aside.has_room() {
            let Some(group) = self.groups.take() else { return };
            self.update(group, aside);
        }
    }

    /// As `Tracer::update_group`, for objects that are no indirections.
    fn update(&self, group: Block, aside: &mut Aside) {
        let mut sink = self.forwarder;
        let end = group.fields().free;
        let mut at = next_live(self.codes, group.start(), end);
        let mut ahead = at;
        while at < end {
            // SAFETY: a marked word that is not inside an object is the start of one, and objects end before `end`.
            unsafe {
                let header = at.load();
                let info = info_of(header);
                // The size of a custom object, which tells where the next one begins, is its client's function's to say.
                if info.is(Kind::Custom) || !aside.has_room() {
                    self.asks_sizes.store(true, Ordering::Relaxed);
                    return aside.push_at_last(Left::Fields(at));
                }
                let next = at.plus_words(self.model.size(at, info));
                ahead = look_ahead(self.codes, ahead, at, end);
                if Turn::Others.has(info) {
                    self.model.each_slot(at, info, &mut sink);
                    if info.flags & FLAG_NOTIFY_MOVED != 0 || header & HEADER_RECORDED != 0 {
                        planted!(470, (), aside.push_at_last(Left::Special(at)));
                    }
                } else {
                    self.kept.store(true, Ordering::Relaxed);
                }
                at = next_live(self.codes, next, end);
            }
        }
    }
}

/// The elements of a large array that workers rewrite.
struct Elements<'a, C: Codes> {
    forwarder: Forwarder<C>,
    slices: &'a Slices<'a>,
}

// SAFETY: elements of a slice are touched by the worker that took it; all else is read.
unsafe impl<C: Codes> Sync for Elements<'_, C> {}

impl<C: Codes> Elements<'_, C> {
    fn run(&self, model: Model) {
        let (mut sink, slices) = (self.forwarder, self.slices);
        while let Some(slice) = slices.take() {
            model.elements(slices.info, slices.array.element(slice.start), slice.len(), &mut sink);
        }
    }
}

/// Rewrites the elements of a large array, which several workers take in slices.
pub(super) fn update_elements_together<C: Codes>(
    workers: &mut Workers,
    threads: usize,
    model: Model,
    forwarder: Forwarder<C>,
    slices: &Slices,
) {
    let job = Elements { forwarder, slices };
    workers.run(threads, &|_| job.run(model));
}

impl<C: Codes, O: Observer> Tracer<'_, C, O> {
    /// Rewrites the fields of the objects of all groups that are no indirections, by the workers that have marked. Gives
    /// whether there are indirections; none when one thread has marked.
    pub(super) fn update_together(&mut self, groups: Chain) -> Option<bool> {
        let mut together = self.marks.together.take()?;
        let threads = together.threads;
        let rewriting = Rewriting {
            forwarder: self.forwarder(),
            model: self.model,
            codes: self.codes,
            groups: Groups::new(groups),
            kept: AtomicBool::new(false),
            asks_sizes: AtomicBool::new(false),
        };
        while !rewriting.groups.are_taken() {
            let shared = &together;
            self.store.workers.run(threads, &|number| {
                // SAFETY: each number is called once at a time, and nobody else uses its list meanwhile.
                rewriting.run(unsafe { &mut *shared.asides[number].get() });
            });
            for aside in together.asides.iter_mut() {
                while let Some(left) = aside.get_mut().pop() {
                    let kept = self.update_left(left);
                    rewriting.kept.fetch_or(kept, Ordering::Relaxed);
                }
            }
        }
        together.asks_sizes = planted!(479, false, rewriting.asks_sizes.into_inner());
        self.marks.together = Some(together);
        Some(rewriting.kept.into_inner())
    }

    /// Does what a worker has left. True when there are indirections in it.
    fn update_left(&mut self, left: Left) -> bool {
        match left {
            // The rest of a group.
            Left::Fields(object) => {
                let group = Block::of(object).head();
                planted!(471, false, self.update_group_from(group, object, Turn::Others))
            }
            Left::Special(object) => {
                // SAFETY: a live object, which has not moved yet.
                unsafe { self.update_special(object, object.load()) };
                false
            }
            _ => unreachable!("workers that rewrite leave nothing else"),
        }
    }
}
