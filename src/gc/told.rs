//! Objects that workers have marked and that an observer is to be told of [gc.together.told]. Each worker has a list, and tells of
//! all that is in it while no other one tells: where another one does, it goes on marking as long as its list has room.

use crate::base::{Addr, List, Outcome};
use crate::heap::space::generation::Place;
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

/// Objects for which a worker asks whether it may tell, and those that a list has room for.
const MANY: usize = 128;
const MOST: usize = 1024;

/// An object that a worker has marked.
#[derive(Clone, Copy)]
pub(super) struct Won {
    pub object: Addr,
    pub words: usize,
    /// The place of the object before the collection.
    pub was: Place,
}

/// The objects of one worker that nobody was told of. The list has no room where nobody is told.
pub(super) struct Untold(List<Won>);

impl Untold {
    pub(super) fn new(is_told: bool) -> Outcome<Untold> {
        let mut list = List::new();
        list.reserve(if is_told { MOST } else { 0 })?;
        Ok(Untold(list))
    }
}

/// The function that tells the observer, for one worker at a time.
type Tell<'a> = &'a mut (dyn FnMut(&[Won]) + 'a);

pub(super) struct Told<'a>(Mutex<Tell<'a>>);

// SAFETY: the function leads to the collection's observer, which no other thread uses while workers run; they call it one at a time, and
// the lock orders what they do there. It runs no client's code.
unsafe impl Sync for Told<'_> {}

impl<'a> Told<'a> {
    pub(super) fn new(tell: Tell<'a>) -> Told<'a> {
        Told(Mutex::new(tell))
    }

    /// Adds an object to a list, and tells of those in it where there are many.
    #[inline(never)]
    pub(super) fn add(&self, untold: &mut Untold, won: Won) {
        let added = untold.0.push_within(won);
        debug_assert!(added.is_ok(), "a full list is told of");
        let count = untold.0.len();
        if count == MOST {
            self.tell_all(untold);
        } else if count.is_multiple_of(MANY) {
            match self.0.try_lock() {
                Ok(tell) => tell_of(tell, untold),
                Err(TryLockError::Poisoned(held)) => tell_of(held.into_inner(), untold),
                Err(TryLockError::WouldBlock) => {}
            }
        }
    }

    /// Tells of all objects of a list.
    pub(super) fn tell_all(&self, untold: &mut Untold) {
        tell_of(self.0.lock().unwrap_or_else(PoisonError::into_inner), untold);
    }
}

fn tell_of(mut tell: MutexGuard<Tell>, untold: &mut Untold) {
    tell(&untold.0);
    untold.0.clear();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_wait_while_another_worker_tells() {
        let mut seen = Vec::new();
        let mut tell = |won: &[Won]| seen.extend(won.iter().map(|won| won.object.0));
        let told = Told::new(&mut tell);
        let mut untold = Untold::new(true).unwrap();
        let mut add = |from: usize, to: usize, untold: &mut Untold| {
            (from..to)
                .for_each(|n| told.add(untold, Won { object: Addr(8 * n), words: 1, was: Place::NURSERY }));
        };
        let held = told.0.lock().unwrap();
        add(0, MOST - 1, &mut untold);
        drop(held);
        assert_eq!(untold.0.len(), MOST - 1);
        add(MOST - 1, MOST + MANY + 1, &mut untold);
        assert_eq!(untold.0.len(), 1);
        told.tell_all(&mut untold);
        assert!(untold.0.is_empty());
        assert!(seen.into_iter().eq((0..=MOST + MANY).map(|n| 8 * n)));
    }
}
