//! Atoms: the groups that all profiles of one biography together tell apart, numbered in the order in which
//! they came up.
//!
//! An atom is an info table and, where some profile asks for it, a producer and a retainer set. Numbers count
//! from 1.

use crate::base::{List, Outcome};

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Atom {
    /// Number of the info table; 0 for a table that could not be named.
    pub info: u32,
    /// Number of the producer; 0 for none, and where no profile asks.
    pub producer: u32,
    /// Number of the retainer set; 0 for none, and where no profile asks.
    pub set: u32,
}

pub struct Atoms {
    /// The atoms: atom n is at index n - 1.
    all: List<Atom>,
    /// Numbers of the atoms that are only an info table, by its number: no hash where none is needed.
    plain: List<u32>,
    /// Numbers of the other atoms: an open hash table.
    index: List<u32>,
    in_index: usize,
    /// Number of atoms that `next_new` has given.
    told: usize,
}

impl Atoms {
    pub const fn new() -> Atoms {
        Atoms { all: List::new(), plain: List::new(), index: List::new(), in_index: 0, told: 0 }
    }

    pub fn held_bytes(&self) -> usize {
        self.all.held_bytes() + self.plain.held_bytes() + self.index.held_bytes()
    }

    pub fn get(&self, number: u32) -> Option<Atom> {
        self.all.get((number as usize).wrapping_sub(1)).copied()
    }

    /// The number of an atom, which a new atom gets here.
    #[inline(always)]
    pub fn number(&mut self, atom: Atom) -> Outcome<u32> {
        if atom.producer == 0 && atom.set == 0 {
            match self.plain.get(atom.info as usize) {
                Some(&number) if number != 0 => Ok(number),
                _ => self.add_plain(atom),
            }
        } else {
            self.hashed(atom)
        }
    }

    /// The number of an atom, 0 for an atom that never came up.
    pub fn find(&self, atom: Atom) -> u32 {
        if atom.producer == 0 && atom.set == 0 {
            return self.plain.get(atom.info as usize).copied().unwrap_or(0);
        }
        let mask = self.index.len().wrapping_sub(1);
        let mut at = hash(atom) & mask;
        while let Some(&number) = self.index.get(at) {
            if number == 0 || self.all[number as usize - 1] == atom {
                return number;
            }
            at = (at + 1) & mask;
        }
        0
    }

    #[cold]
    fn add_plain(&mut self, atom: Atom) -> Outcome<u32> {
        self.plain.fill(atom.info as usize + 1, 0)?;
        self.all.push(atom)?;
        self.plain[atom.info as usize] = self.all.len() as u32;
        Ok(self.all.len() as u32)
    }

    fn hashed(&mut self, atom: Atom) -> Outcome<u32> {
        match self.find(atom) {
            0 => self.add_hashed(atom),
            number => Ok(number),
        }
    }

    #[cold]
    fn add_hashed(&mut self, atom: Atom) -> Outcome<u32> {
        if (self.in_index + 1) * 2 > self.index.len() {
            let mut index = List::new();
            index.fill((self.in_index * 4).max(256).next_power_of_two(), 0)?;
            for (number, atom) in self.all.iter().enumerate().filter(|(_, a)| a.producer != 0 || a.set != 0) {
                place(&mut index, *atom, number as u32 + 1);
            }
            self.index = index;
        }
        self.all.push(atom)?;
        let number = self.all.len() as u32;
        place(&mut self.index, atom, number);
        self.in_index += 1;
        Ok(number)
    }

    /// The next atom that this function has not given before.
    pub fn next_new(&mut self) -> Option<Atom> {
        let atom = self.all.get(self.told).copied()?;
        self.told += 1;
        Some(atom)
    }
}

fn place(index: &mut [u32], atom: Atom, number: u32) {
    let mask = index.len() - 1;
    let mut at = hash(atom) & mask;
    while index[at] != 0 {
        at = (at + 1) & mask;
    }
    index[at] = number;
}

#[inline(always)]
fn hash(atom: Atom) -> usize {
    let low = (atom.info as u64) << 32 | atom.producer as u64;
    let mixed =
        low.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (atom.set as u64).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (mixed >> 29) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay() {
        let mut atoms = Atoms::new();
        let atom = |n: u32| Atom { info: n % 7, producer: n / 7 % 50, set: n / 350 };
        for round in 0..2 {
            for n in 0..3500 {
                let number = atoms.number(atom(n)).expect("memory");
                assert_eq!(number, n + 1, "round {round}");
                assert_eq!((atoms.find(atom(n)), atoms.get(number)), (number, Some(atom(n))));
            }
        }
        assert_eq!(atoms.find(Atom { info: 9, producer: 0, set: 0 }), 0);
        assert_eq!(std::iter::from_fn(|| atoms.next_new()).count(), 3500);
        assert!(atoms.next_new().is_none());
    }
}
