//! The weak phase: which weak pointers live on, and whose finalizers are due.
//!
//! The phase runs when everything that is reachable otherwise was saved. A weak pointer is settled when its key is
//! alive, and it was reached itself or has a finalizer: then its value and finalizer are saved, which may settle
//! others. Weak arrays come next (`weak_arrays`), finalizers last. The rest waits: a few plain rounds over all that
//! wait settle nearly everything; after those, each waits in a bucket under the object that it lacks, and the header of
//! that object says so, so that long chains cost no more than their length [gc.weak.awaited].

use super::observer::Observer;
use super::replace::is_replaceable;
use super::tracer::{Notes, Tracer};
use crate::base::Addr;
use crate::heap::object::model::{HEADER_AWAITED, HEADER_BITS, HEADER_FORWARDED, info_of};
use crate::heap::object::weak::{State, WEAK_WORDS, Weak, WeakList};
use crate::megablock::Codes;

/// Rounds over all that wait, before they are filed. Filing costs about as much as two rounds.
const PLAIN_ROUNDS: usize = 3;

impl<C: Codes, O: Observer> Tracer<'_, C, O> {
    /// Runs when everything that is reachable without weak pointers was saved.
    pub(super) fn settle_weaks(&mut self) {
        let mut settled = WeakList::EMPTY;
        let listed = self.take_listed();
        let waiting = self.settle_what_may_be(listed, &mut settled);
        // Objects that only finalizers reach are dead for weak arrays, except for arrays that only finalizers reach.
        planted!(67, (), self.settle_weak_arrays());
        if !waiting.is_empty() {
            if planted!(207, false, self.keeps_weak) {
                self.keep_the_rest(waiting, &mut settled);
            } else {
                self.end_the_rest(waiting, &mut settled);
            }
            self.settle_weak_arrays();
        }
        for weak in Drain(settled) {
            self.list(weak);
        }
    }

    /// Settles the weak pointers that lack nothing, or nothing any more after others were settled. Gives the rest.
    fn settle_what_may_be(&mut self, mut waiting: WeakList, settled: &mut WeakList) -> WeakList {
        // In checking mode all are filed, so that tests try filing.
        let plain_rounds = if self.store.poisons { 0 } else { PLAIN_ROUNDS };
        let mut rounds = 0;
        while !waiting.is_empty() {
            if rounds == plain_rounds {
                return self.settle_filed(waiting, settled);
            }
            if !self.settle_round(&mut waiting, settled) {
                break;
            }
            self.scavenge_everything();
            rounds += 1;
        }
        waiting
    }

    /// Takes the weak pointers that this collection may end; dead ones leave the lists here.
    fn take_listed(&mut self) -> WeakList {
        let mut waiting = WeakList::EMPTY;
        for number in 0..=self.last.generation() as usize {
            for weak in Drain(self.store.weaks.lists[number].take()) {
                self.store.weaks.looked_at += 1;
                if self.state_now(weak) == Some(State::Live) {
                    waiting.push(weak);
                } else {
                    self.store.weaks.count -= 1;
                }
            }
        }
        waiting
    }

    fn state_now(&self, weak: Weak) -> Option<State> {
        // SAFETY: a listed weak pointer, or its old copy, lies here.
        let header = unsafe { weak.0.load() };
        if header & HEADER_FORWARDED == 0 {
            return Weak::state_of(header);
        }
        // SAFETY: a forwarding address leads to the copy.
        Weak::state_of(unsafe { Addr(header & !HEADER_BITS).load() })
    }

    /// Settles the weak pointers that lack nothing. True when there were any. Weak pointers go by their old addresses
    /// until they are settled: the old copy's words stay readable until the collection ends.
    fn settle_round(&mut self, waiting: &mut WeakList, settled: &mut WeakList) -> bool {
        let mut any = false;
        for weak in Drain(waiting.take()) {
            if self.lacks(weak).is_none() {
                self.settle(weak, settled);
                any = true;
            } else {
                waiting.push(weak);
            }
        }
        any
    }

    /// The object that has to be reached before this weak pointer is settled.
    fn lacks(&self, weak: Weak) -> Option<Addr> {
        if let Err(object) = self.look_up(weak.key()) {
            return Some(object);
        }
        (!weak.has_finalizer() && !self.is_alive(weak.0)).then_some(weak.0)
    }

    /// Saves the weak pointer and its fields, which are to be in its generation.
    fn settle(&mut self, weak: Weak, settled: &mut WeakList) {
        let weak = Weak(self.save(weak.0));
        let generation = self.generation_now(weak.0) as u8;
        self.owner = generation;
        self.desired = generation;
        // Younger objects of its fields are not remembered: the list of the weak pointer says their generation.
        self.notes = Notes::Fact;
        for slot in weak.slots() {
            self.evacuate_again(slot);
        }
        self.notes = Notes::Slots;
        settled.push(weak);
    }

    fn save(&mut self, object: Addr) -> Addr {
        let mut slot = object.0;
        self.owner = 0;
        self.desired = 0;
        self.evacuate_again(Addr(&raw mut slot as usize));
        Addr(slot)
    }

    /// Lists a weak pointer when it and the objects of its fields are where they will be.
    fn list(&mut self, weak: Weak) {
        let parts = weak.slots().map(|slot| {
            // SAFETY: the slots are fields of the weak pointer.
            self.generation_now(Addr(unsafe { slot.load() } & !HEADER_BITS))
        });
        let youngest =
            parts.into_iter().fold(self.generation_now(weak.0), planted!(112, usize::max, usize::min));
        self.store.weaks.lists[youngest].push(weak);
    }

    /// Settles weak pointers as rounds do, but looks again only at those whose lacking object was reached. Gives the
    /// rest.
    fn settle_filed(&mut self, waiting: WeakList, settled: &mut WeakList) -> WeakList {
        self.awaiting = true;
        let mut ready = waiting;
        let mut unfiled = WeakList::EMPTY;
        while !ready.is_empty() {
            for weak in Drain(ready.take()) {
                match self.lacks(weak) {
                    None => self.settle(weak, settled),
                    Some(object) if self.file(weak, object) => {}
                    Some(_) => planted!(424, (), unfiled.push(weak)),
                }
            }
            self.scavenge_everything();
            ready = self.store.weaks.ready.take();
            if ready.is_empty() && self.settle_round(&mut unfiled, settled) {
                self.scavenge_everything();
                ready = unfiled.take();
                for weak in Drain(self.store.weaks.ready.take()) {
                    ready.push(weak);
                }
            }
        }
        self.awaiting = false;
        self.unfile(unfiled)
    }

    /// Puts a weak pointer into the bucket of the object that it lacks. False when that may be replaced by another: its
    /// header is not ours to mark.
    fn file(&mut self, weak: Weak, object: Addr) -> bool {
        // SAFETY: an object that was not reached is still where it was.
        let header = unsafe { object.load() };
        if header <= HEADER_BITS || header & HEADER_FORWARDED != 0 || is_replaceable(info_of(header)) {
            return false;
        }
        // SAFETY: as above.
        unsafe { object.store(header | HEADER_AWAITED) };
        self.store.weaks.bucket(object).push(weak);
        true
    }

    fn unfile(&mut self, mut left: WeakList) -> WeakList {
        for index in 0..self.store.weaks.buckets.len() {
            for weak in Drain(self.store.weaks.buckets[index].take()) {
                if let Some(object) = self.lacks(weak) {
                    // SAFETY: as for `file`.
                    unsafe { object.store(object.load() & !HEADER_AWAITED) };
                }
                left.push(weak);
            }
        }
        left
    }

    /// Notes that an awaited object was reached; it is at `now`.
    #[cold]
    #[inline(never)]
    pub(super) fn awaited_reached(&mut self, object: Addr, now: Addr) {
        // SAFETY: the object is at `now`.
        unsafe { now.store(now.load() & !HEADER_AWAITED) };
        let filed = self.store.weaks.bucket(object).take();
        for weak in Drain(filed) {
            // Others in the bucket wait for other objects, and stay.
            let stays = self.lacks(weak).is_some_and(|lacking| {
                // SAFETY: a weak pointer lacks an object that was not reached.
                let marked = unsafe { lacking.load() } & HEADER_AWAITED != 0;
                marked && self.store.weaks.bucket_of(lacking) == self.store.weaks.bucket_of(object)
            });
            if stays {
                self.store.weaks.bucket(object).push(weak);
            } else {
                planted!(43, self.store.weaks.bucket(object).push(weak), self.store.weaks.ready.push(weak));
            }
        }
    }

    fn become_state(&mut self, weak: Weak, state: State) {
        // SAFETY: a weak pointer that was saved lies here.
        let before = unsafe { weak.0.load() };
        self.observer.renames();
        weak.become_state(state);
        if O::ON {
            self.observer.renamed(weak.0, self.store.rounded(WEAK_WORDS), before);
        }
    }

    /// Keeps the weak pointers that still wait, and all that they lead to: they are judged when everything is.
    fn keep_the_rest(&mut self, waiting: WeakList, settled: &mut WeakList) {
        for weak in Drain(waiting) {
            self.settle(weak, settled);
        }
        self.scavenge_everything();
    }

    /// Ends the weak pointers that still wait: the key is dead, or nothing refers to the weak pointer and it has no
    /// finalizer.
    fn end_the_rest(&mut self, waiting: WeakList, settled: &mut WeakList) {
        let (mut dying, mut ended, mut unreached) = (WeakList::EMPTY, WeakList::EMPTY, WeakList::EMPTY);
        // All are judged before anything is saved for a finalizer: an object that only a finalizer reaches is dead.
        for weak in Drain(waiting) {
            if self.is_alive(weak.key()) {
                unreached.push(weak);
                continue;
            }
            self.store.weaks.count -= 1;
            let list = if weak.has_finalizer() { &mut dying } else { &mut ended };
            list.push(weak);
        }
        for weak in Drain(dying) {
            let weak = Weak(self.save(weak.0));
            if self.marks.on {
                // An object that waits to be marked was not kept yet, and could not be renamed.
                self.empty_stack();
            }
            self.become_state(weak, State::Pending);
            weak.set_next(self.store.weaks.arrived);
            self.store.weaks.arrived = weak.0;
            self.store.weaks.fresh += 1;
            // The weak pointer may have been scavenged before its fields were to be looked at.
            let generation = self.generation_now(weak.0) as u8;
            planted!(111, (), self.scavenge_object(weak.0, generation));
        }
        self.scavenge_everything();
        // A finalizer may lead to others: those with a living key live on for it [gc.weak.found-late].
        for _ in Drain(planted!(180, unreached, self.settle_what_may_be(unreached, settled))) {
            self.store.weaks.count -= 1;
        }
        for weak in Drain(ended) {
            if let Some(now) = self.where_now(weak.0) {
                Weak(now).clear();
                Weak(now).set_next(Addr::NULL);
                self.become_state(Weak(now), State::Dead);
            }
        }
    }
}

/// Takes one after the other out of a list, so that each may be pushed to another.
struct Drain(WeakList);

impl Iterator for Drain {
    type Item = Weak;
    fn next(&mut self) -> Option<Weak> {
        self.0.pop()
    }
}
