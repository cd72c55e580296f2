//! Roots that the client has registered: single ones and ranges, for the life of the heap or until it takes them back.
//!
//! A hash of addresses says where each one is listed, so that a client that registers a root for each of its own objects
//! pays the same for each.

use super::frame::Registered;
use crate::base::size::WORD_BYTES;
use crate::base::{Addr, Failure, List, Outcome, Status};
use crate::heap::object::slots::SlotSink;
use crate::os::debugger::Readable;

const EMPTY: u32 = u32::MAX;

#[derive(Default)]
pub struct RegisteredRoots {
    roots: List<Registered>,
    /// Positions in `roots` by a hash of addresses: a power of two of places, at most half of them taken, and no empty place
    /// between where an address belongs and where it is.
    index: List<u32>,
}

impl RegisteredRoots {
    pub const fn new() -> RegisteredRoots {
        RegisteredRoots { roots: List::new(), index: List::new() }
    }

    pub fn iter(&self) -> impl Iterator<Item = &Registered> {
        self.roots.iter()
    }

    pub fn visit<S: SlotSink>(&self, sink: &mut S) {
        self.roots.iter().for_each(|root| root.visit(sink));
    }

    pub fn check(&self, readable: &mut Readable) -> Outcome<()> {
        // A range without roots may be nowhere.
        let is_read = |root: &&Registered| planted!(591, true, root.count > 0);
        let mut read = self.roots.iter().filter(is_read);
        match read.find(|root| !readable.has(root.first.0, root.count * WORD_BYTES)) {
            None => Ok(()),
            Some(root) => Err(Failure::argument(format_args!(
                "of the {} roots that were registered at {}, not all can be read: was their memory given back without barrow_root_remove, or code unloaded without barrow_module_unregister?",
                root.count, root.first
            ))),
        }
    }

    pub fn add(&mut self, root: Registered) -> Outcome<()> {
        if self.roots.len() >= EMPTY as usize / 2 {
            return Err(Failure::new(Status::Limit, format_args!("more roots than can be registered")));
        }
        self.roots.reserve(1)?;
        let places = ((self.roots.len() + 1) * 2).next_power_of_two();
        if places > self.index.len() {
            self.index.fill(places, EMPTY)?;
            self.fill_index();
        }
        let _ = self.roots.push_within(root);
        self.enter(self.roots.len() - 1);
        Ok(())
    }

    /// Takes back a root that was registered at this address; false when there is none.
    pub fn remove(&mut self, first: Addr) -> bool {
        let Some(place) = self.place_where(first, |roots, position| roots[position].first == first) else {
            return false;
        };
        let position = self.index[place] as usize;
        self.empty(place);
        let last = self.roots.len() - 1;
        if position != last {
            // The last root takes the position that is free now.
            if let Some(place) = self.place_where(self.roots[last].first, |_, at| at == last) {
                self.index[place] = position as u32;
            }
        }
        self.roots.swap_remove(position);
        true
    }

    pub fn retain(&mut self, keep: impl Fn(&Registered) -> bool) {
        self.roots.retain_mut(|root| keep(root));
        self.fill_index();
    }

    fn home(&self, first: Addr) -> usize {
        let hash = (first.0 as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(32) as usize;
        hash & (self.index.len() - 1)
    }

    /// The first place, from where an address belongs to the next empty one, whose position is the right one.
    fn place_where(&self, first: Addr, is_it: impl Fn(&[Registered], usize) -> bool) -> Option<usize> {
        if self.index.is_empty() {
            return None;
        }
        let mask = self.index.len() - 1;
        let mut place = self.home(first);
        while self.index[place] != EMPTY {
            if is_it(&self.roots, self.index[place] as usize) {
                return Some(place);
            }
            place = (place + 1) & mask;
        }
        None
    }

    fn enter(&mut self, position: usize) {
        let mask = self.index.len() - 1;
        let mut place = self.home(self.roots[position].first);
        while self.index[place] != EMPTY {
            place = (place + 1) & mask;
        }
        self.index[place] = position as u32;
    }

    fn fill_index(&mut self) {
        self.index.iter_mut().for_each(|place| *place = EMPTY);
        for position in 0..self.roots.len() {
            self.enter(position);
        }
    }

    /// Empties a place. Positions that follow move up as far as they may, so that searches still find them.
    fn empty(&mut self, mut hole: usize) {
        let mask = self.index.len() - 1;
        let mut place = hole;
        loop {
            place = (place + 1) & mask;
            if self.index[place] == EMPTY {
                break;
            }
            let home = self.home(self.roots[self.index[place] as usize].first);
            // The position belongs at or before the hole, counted backwards from where it is.
            if (place.wrapping_sub(home) & mask) >= (place.wrapping_sub(hole) & mask) {
                self.index[hole] = self.index[place];
                hole = place;
            }
        }
        self.index[hole] = EMPTY;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root(at: usize) -> Registered {
        Registered { first: Addr(at), count: 1, tagged: false, name: std::ptr::null() }
    }

    /// Against a plain list, with few addresses, so that they meet often and some are registered several times.
    #[test]
    fn it_is_a_bag_of_addresses() {
        let (mut roots, mut plain, mut state) = (RegisteredRoots::new(), Vec::new(), 1u64);
        for step in 0..200_000 {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let at = 8 + 8 * ((state >> 33) as usize % 300);
            let growing = step / 1000 % 2 == 0;
            if (state >> 60 < 9) == growing {
                roots.add(root(at)).unwrap();
                plain.push(at);
            } else {
                let there = plain.iter().position(|&one| one == at);
                assert_eq!(roots.remove(Addr(at)), there.is_some());
                there.map(|there| plain.swap_remove(there));
            }
            if step % 997 == 0 {
                roots.retain(|one| one.first.0 % 56 != 0);
                plain.retain(|one| one % 56 != 0);
            }
            if step % 101 == 0 {
                let mut ours: Vec<usize> = roots.iter().map(|root| root.first.0).collect();
                ours.sort_unstable();
                plain.sort_unstable();
                assert_eq!(ours, plain);
            }
        }
    }
}
