//! Marked groups that are measured, and between whose objects gaps are made, by the workers that have marked: each takes one group after the
//! other, and touches the lines and the words of that one alone [gc.together.sweep]. The lists of groups are the collecting
//! thread's.

use super::groups::Groups;
use super::marks::{Found, clear_live, measure, next_dead, next_live};
use crate::base::Addr;
use crate::block::{Block, Chain};
use crate::heap::space::gaps::{Gap, Gaps, Making};
use crate::megablock::Codes;
use crate::os::workers::Workers;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Groups that workers go through, and what they find or make together.
struct Shared<C: Codes, T> {
    codes: C,
    groups: Groups,
    all: Mutex<T>,
}

// SAFETY: groups are taken by one worker each, whose lines and words it touches; the rest has a lock.
unsafe impl<C: Codes, T> Sync for Shared<C, T> {}

impl<C: Codes, T> Shared<C, T> {
    fn new(codes: C, groups: Chain, all: T) -> Self {
        Shared { codes, groups: Groups::new(groups), all: Mutex::new(all) }
    }

    fn all(&self) -> MutexGuard<'_, T> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Measures all groups, which were marked.
pub(super) fn measure_all<C: Codes>(workers: &mut Workers, threads: usize, codes: C, groups: Chain) -> Found {
    let shared = Shared::new(codes, groups, Found::default());
    workers.run(threads, &|_| {
        let mut found = Found::default();
        shared.groups.each(|group| {
            // SAFETY: the group was marked.
            found.add(unsafe { measure(shared.codes, group.start(), group.fields().free) });
        });
        shared.all().add(found);
    });
    *shared.all()
}

/// Makes gaps between the objects of all groups, as `between_objects` does. Gives the words that live.
pub(super) fn sweep_all<C: Codes>(
    workers: &mut Workers,
    threads: usize,
    codes: C,
    groups: Chain,
    making: Making,
    gaps: &mut Gaps,
) -> usize {
    let shared = Shared::new(codes, groups, (0, gaps));
    workers.run(threads, &|_| {
        let (mut live, mut own) = (0, Gaps::EMPTY);
        shared.groups.each(|group| {
            live += between_objects(shared.codes, group, &mut |gap| {
                // SAFETY: words that are not marked belong to no live object.
                unsafe { own.make_as(gap, making) };
            });
        });
        let mut all = shared.all();
        all.0 += live;
        planted!(462, (), all.1.join(own));
    });
    shared.all().0
}

/// Hands out the dead words before each live run of a group, clears its lines, and leaves the end of its last live object in `scanned`,
/// if it has one. Gives the words that live.
#[inline(never)]
pub(super) fn between_objects<C: Codes>(codes: C, group: Block, visit: &mut dyn FnMut(Gap)) -> usize {
    let end = group.fields().free;
    let (mut at, mut live) = (group.start(), 0);
    loop {
        let object = next_live(codes, at, end);
        if object >= end {
            break;
        }
        visit(Gap { start: at, end: planted!(209, object.plus_words(1), object) });
        at = next_dead(codes, object, end);
        live += at.words_since(object);
    }
    // SAFETY: the group was marked, up to `end`.
    unsafe { clear_live(codes, group.start(), end) };
    group.fields().scanned = if live > 0 { at } else { Addr::NULL };
    live
}
