//! Objects that workers have marked or copied and that an observer is to be told of [gc.together.told]. Each worker has a list, and tells of
//! all that is in it while no other one tells: where another one does, it goes on marking as long as its list has room.

use super::observer::Observer;
use crate::base::size::{LINE_WORDS, MIN_OBJECT_WORDS};
use crate::base::{Addr, List, Outcome};
use crate::heap::space::generation::Place;
use crate::heap::space::side::Sides;
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

/// Objects for which a worker asks whether it may tell, and those that a list has room for.
const MANY: usize = 128;
const MOST: usize = 512;
/// Objects of one line at most.
const OF_A_LINE: usize = LINE_WORDS / MIN_OBJECT_WORDS;

/// An object that a worker has marked, where both addresses are one, or copied.
#[derive(Clone, Copy)]
pub(super) struct Won {
    pub from: Addr,
    pub to: Addr,
    pub words: usize,
    /// The places of the object before the collection, and now.
    pub was: Place,
    pub place: Place,
}

/// The objects of one worker that nobody was told of. The list has no room where nobody is told.
pub(super) struct Untold {
    list: List<Won>,
    /// Objects at the list's beginning that are the worker's; whether the others are is seen when their line is written.
    settled: usize,
    /// Objects with which the worker asks whether it may tell.
    due: usize,
}

impl Untold {
    pub(super) const NONE: Untold = Untold { list: List::new(), settled: 0, due: MANY };

    pub(super) fn new(is_told: bool) -> Outcome<Untold> {
        let mut untold = Untold::NONE;
        untold.list.reserve(if is_told { MOST + OF_A_LINE } else { 0 })?;
        Ok(untold)
    }

    /// Adds an object.
    #[inline(always)]
    pub(super) fn add(&mut self, won: Won) {
        let added = self.list.push_within(won);
        debug_assert!(added.is_ok(), "a full list is told of");
    }

    /// Drops the objects added last that are not the worker's.
    #[inline(always)]
    pub(super) fn settle(&mut self, is_ours: impl Fn(Addr) -> bool) {
        let mut at = self.settled;
        while at < self.list.len() {
            if is_ours(self.list[at].to) {
                at += 1;
            } else {
                self.list.swap_remove(at);
            }
        }
        self.settled = at;
    }

    /// Says that all objects that were added are the worker's.
    #[inline(always)]
    pub(super) fn settle_all(&mut self) {
        self.settled = self.list.len();
    }

    /// Whether there are enough to tell of some.
    #[inline(always)]
    pub(super) fn is_due(&self) -> bool {
        self.settled >= self.due
    }
}

/// The observer, as workers know it.
pub(super) trait Told: Sync {
    /// Tells of the objects of a list if no other worker tells, or there is no room for more.
    fn tell_some(&self, untold: &mut Untold);
    /// Tells of all objects of a list.
    fn tell_all(&self, untold: &mut Untold);
    /// Clears marks of uses where copies will lie.
    fn clear_marks(&self, from: Addr, to: Addr);
}

/// An observer that is told by one worker at a time.
pub(super) struct Telling<'a, O> {
    observer: Mutex<&'a mut O>,
    sides: Sides,
}

// SAFETY: no other thread uses the observer while workers run; they tell it one at a time, and the lock orders what they do there. It runs
// no client's code.
unsafe impl<O> Sync for Telling<'_, O> {}

impl<'a, O: Observer> Telling<'a, O> {
    pub(super) fn new(sides: Sides, observer: &'a mut O) -> Self {
        Telling { observer: Mutex::new(observer), sides }
    }

    /// The observer, if it is told anything.
    pub(super) fn told(&self) -> Option<&dyn Told> {
        if O::ON { Some(self) } else { None }
    }
}

impl<O: Observer> Told for Telling<'_, O> {
    fn tell_some(&self, untold: &mut Untold) {
        if untold.settled >= MOST {
            return self.tell_all(untold);
        }
        match self.observer.try_lock() {
            Ok(observer) => tell_of(observer, untold),
            Err(TryLockError::Poisoned(held)) => tell_of(held.into_inner(), untold),
            Err(TryLockError::WouldBlock) => untold.due = (untold.settled + MANY).min(MOST),
        }
    }

    fn tell_all(&self, untold: &mut Untold) {
        tell_of(self.observer.lock().unwrap_or_else(PoisonError::into_inner), untold);
    }

    fn clear_marks(&self, from: Addr, to: Addr) {
        // SAFETY: nothing lies there yet, and no compiled code runs.
        unsafe { self.sides.clear_marks(from, to.bytes_since(from)) };
    }
}

fn tell_of<O: Observer>(mut observer: MutexGuard<&mut O>, untold: &mut Untold) {
    debug_assert_eq!(untold.settled, untold.list.len());
    untold.list.iter().for_each(|won| observer.kept(won.from, won.to, won.words, won.was, won.place));
    untold.list.clear();
    (untold.settled, untold.due) = (0, MANY);
}

#[cfg(test)]
#[path = "told_tests.rs"]
pub(super) mod tests;
