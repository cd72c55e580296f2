//! Numbers of data in read-only memory, kept here by address, since they cannot be written into the data.
//!
//! The table is a hash table under the lock of the registry that numbers. Each use of such data asks it;
//! writable data has its number in a word of its own and never comes here.

use crate::base::{Addr, List, Outcome};

/// Marks of entries without an address: addresses of `id` words are even, and not 0.
const FREE: usize = 0;
const GONE: usize = 1;

#[derive(Clone, Copy)]
struct Entry {
    /// Address of the word that would have the number; `FREE`, or `GONE` for a forgotten one.
    at: usize,
    number: u32,
}

/// An open hash table: a power of two of entries, at most half of them not free.
pub(super) struct Beside {
    entries: List<Entry>,
    used: usize,
}

impl Beside {
    pub(super) const fn new() -> Beside {
        Beside { entries: List::new(), used: 0 }
    }

    /// Index of an address's entry, or of the free entry for it.
    fn place(&self, at: usize) -> usize {
        let mask = self.entries.len() - 1;
        let mut index = ((at as u64 >> 2).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & mask;
        while self.entries[index].at != at && self.entries[index].at != FREE {
            index = (index + 1) & mask;
        }
        index
    }

    /// The number of the word at an address; 0 when it has none here.
    pub(super) fn find(&self, at: usize) -> u32 {
        if self.entries.is_empty() { 0 } else { self.entries[self.place(at)].number }
    }

    /// Makes room for one more entry, so that `put` cannot fail.
    pub(super) fn reserve(&mut self) -> Outcome<()> {
        if (self.used + 1) * 2 <= self.entries.len() {
            return Ok(());
        }
        let there = self.entries.iter().filter(|entry| entry.at > GONE).count();
        let mut larger = Beside::new();
        larger.entries.fill(((there + 1) * 4).next_power_of_two().max(16), Entry { at: FREE, number: 0 })?;
        for entry in self.entries.iter().filter(|entry| entry.at > GONE) {
            larger.put(entry.at, entry.number);
        }
        *self = larger;
        Ok(())
    }

    /// Notes the number of a word that has none here; `reserve` has made room for it.
    pub(super) fn put(&mut self, at: usize, number: u32) {
        let place = self.place(at);
        self.entries[place] = Entry { at, number };
        self.used += 1;
    }

    /// Forgets all words from `base` on, `bytes` long, since their memory is about to go. Returns whether
    /// there were any.
    pub(super) fn forget(&mut self, base: Addr, bytes: usize) -> bool {
        let mut found = false;
        for entry in self.entries.iter_mut() {
            if entry.at > GONE && entry.at.wrapping_sub(base.0) < bytes {
                *entry = Entry { at: GONE, number: 0 };
                found = true;
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_by_address_until_they_are_forgotten() {
        let mut beside = Beside::new();
        let at = |n: u32| 0x1000 + 8 * n as usize;
        assert_eq!(beside.find(at(1)), 0);
        assert!(!beside.forget(Addr(0), usize::MAX));
        for n in 1..5000 {
            beside.reserve().unwrap();
            beside.put(at(n), n);
        }
        assert!((1..5000).all(|n| beside.find(at(n)) == n));
        assert!(beside.forget(Addr(at(1000)), 8 * 500) && !beside.forget(Addr(at(1000)), 8 * 500));
        assert!((1..5000).all(|n| beside.find(at(n)) == if (1000..1500).contains(&n) { 0 } else { n }));
        let length = beside.entries.len();
        // Data that comes and goes again and again takes no more room.
        for round in 0..100 {
            for n in 1000..1500 {
                beside.reserve().unwrap();
                beside.put(at(n), n + round);
            }
            assert!((1000..1500).all(|n| beside.find(at(n)) == n + round));
            beside.forget(Addr(at(1000)), 8 * 500);
        }
        assert!((1..1000).all(|n| beside.find(at(n)) == n) && beside.entries.len() <= 2 * length);
    }
}
