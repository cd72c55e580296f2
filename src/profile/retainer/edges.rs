//! A hash table from two numbers to a third, which is not 0; it only grows.

use crate::base::{List, Outcome};

#[derive(Clone, Copy)]
struct Entry {
    key: u64,
    /// The third number; 0 for a free entry.
    value: u32,
}

pub struct Pairs {
    /// The table: its length is a power of two, or 0.
    entries: List<Entry>,
    used: usize,
}

impl Pairs {
    pub const fn new() -> Pairs {
        Pairs { entries: List::new(), used: 0 }
    }

    pub fn len(&self) -> usize {
        self.used
    }

    pub fn is_empty(&self) -> bool {
        self.used == 0
    }

    pub fn held_bytes(&self) -> usize {
        self.entries.held_bytes()
    }

    /// The value of a pair; 0 for a pair that is not there.
    #[inline(always)]
    pub fn get(&self, first: u32, second: u32) -> u32 {
        if self.entries.is_empty() { 0 } else { self.entries[self.place(key(first, second))].value }
    }

    pub fn put(&mut self, first: u32, second: u32, value: u32) -> Outcome<()> {
        debug_assert!(value != 0);
        if self.entries.len() * 3 < (self.used + 1) * 4 {
            self.grow()?;
        }
        let key = key(first, second);
        let place = self.place(key);
        self.used += (self.entries[place].value == 0) as usize;
        self.entries[place] = Entry { key, value };
        Ok(())
    }

    /// Adds to the value of a pair.
    pub fn add(&mut self, first: u32, second: u32, more: u32) -> Outcome<()> {
        let before = self.get(first, second);
        self.put(first, second, before.saturating_add(more))
    }

    pub fn each(&self) -> impl Iterator<Item = (u32, u32, u32)> {
        let used = self.entries.iter().filter(|entry| entry.value != 0);
        used.map(|entry| ((entry.key >> 32) as u32, entry.key as u32, entry.value))
    }

    pub fn clear(&mut self) {
        self.entries.clear();
        self.used = 0;
    }

    /// Index of a key's entry, or of the free entry for it.
    #[inline(always)]
    fn place(&self, key: u64) -> usize {
        let mask = self.entries.len() - 1;
        let mut place = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & mask;
        while self.entries[place].value != 0 && self.entries[place].key != key {
            place = (place + 1) & mask;
        }
        place
    }

    fn grow(&mut self) -> Outcome<()> {
        let mut larger = Pairs::new();
        larger.entries.fill((self.entries.len() * 2).max(64), Entry { key: 0, value: 0 })?;
        for entry in self.entries.iter().filter(|entry| entry.value != 0) {
            let place = larger.place(entry.key);
            larger.entries[place] = *entry;
        }
        self.entries = larger.entries;
        Ok(())
    }
}

fn key(first: u32, second: u32) -> u64 {
    (first as u64) << 32 | second as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_put_is_found() {
        let mut pairs = Pairs::new();
        assert_eq!(pairs.get(1, 2), 0);
        for i in 1..5000u32 {
            pairs.put(i % 70, i, i + 1).unwrap();
        }
        assert!((1..5000).all(|i| pairs.get(i % 70, i) == i + 1));
        assert_eq!(pairs.get(1, 5001), 0);
        pairs.add(9, 9, 4).unwrap();
        pairs.add(9, 9, 3).unwrap();
        let at_nine = pairs.each().find(|&(first, second, _)| (first, second) == (9, 9)).unwrap();
        assert_eq!((at_nine.2, pairs.len(), pairs.each().count()), (10 + 4 + 3, 4999, 4999));
    }
}
