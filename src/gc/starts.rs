//! The addresses at which objects begin: a bit for each word of the megablocks that hold any, so that a question costs the same
//! however many objects there are.

use crate::base::size::{MEGABLOCK_BYTES, WORD_BYTES};
use crate::base::{Addr, List, Outcome};

/// Bits in a word of a part.
const BITS: usize = u64::BITS as usize;
const PART_WORDS: usize = MEGABLOCK_BYTES / WORD_BYTES / BITS;

struct Part {
    megablock: usize,
    /// A bit for each word of the megablock, of which there are `PART_WORDS` words.
    begun: List<u64>,
}

pub(crate) struct Starts {
    /// In the order of addresses.
    parts: List<Part>,
    /// The part of the last address that was added.
    last: usize,
    count: usize,
}

/// The megablock of an address, the word of its part, and the bit in that.
fn place(at: Addr) -> (usize, usize, u64) {
    let word = at.0 % MEGABLOCK_BYTES / WORD_BYTES;
    (at.0 / MEGABLOCK_BYTES, word / BITS, 1 << (word % BITS))
}

impl Starts {
    pub(crate) fn new() -> Starts {
        Starts { parts: List::new(), last: 0, count: 0 }
    }

    /// Adds the address of a word.
    #[inline(never)]
    pub(crate) fn add(&mut self, at: Addr) -> Outcome<()> {
        let (megablock, word, bit) = place(at);
        if self.parts.get(self.last).is_none_or(|part| part.megablock != megablock) {
            self.last = match self.find(megablock) {
                Ok(index) => index,
                Err(index) => {
                    let mut begun = List::new();
                    begun.fill(PART_WORDS, 0)?;
                    self.parts.insert(index, Part { megablock, begun })?;
                    index
                }
            };
        }
        let bits = &mut self.parts[self.last].begun[word];
        self.count += usize::from(*bits & bit == 0);
        *bits |= bit;
        Ok(())
    }

    /// Whether that address was added.
    #[inline(never)]
    pub(crate) fn has(&self, at: Addr) -> bool {
        let (megablock, word, bit) = place(at);
        at.0.is_multiple_of(WORD_BYTES)
            && self.find(megablock).is_ok_and(|index| self.parts[index].begun[word] & bit != 0)
    }

    fn find(&self, megablock: usize) -> Result<usize, usize> {
        self.parts.binary_search_by_key(&megablock, |part| part.megablock)
    }

    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// All of them, in their order.
    pub(crate) fn iter(&self) -> Iter<'_> {
        Iter { parts: &self.parts, next: 0, bits: 0 }
    }
}

pub(crate) struct Iter<'a> {
    /// The parts whose words are not all behind.
    parts: &'a [Part],
    /// The number of the next word of the first part.
    next: usize,
    /// The bits that are left of the word before.
    bits: u64,
}

impl Iterator for Iter<'_> {
    type Item = Addr;

    // Out of line, since many walks have this in them, and the library's size counts.
    #[inline(never)]
    fn next(&mut self) -> Option<Addr> {
        loop {
            let part = self.parts.first()?;
            if self.bits != 0 {
                let word = (self.next - 1) * BITS + self.bits.trailing_zeros() as usize;
                self.bits &= self.bits - 1;
                return Some(Addr(part.megablock * MEGABLOCK_BYTES + word * WORD_BYTES));
            }
            if self.next == PART_WORDS {
                (self.parts, self.next) = (&self.parts[1..], 0);
            } else {
                self.bits = part.begun[self.next];
                self.next += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Held against a set, with addresses in a few megablocks, at their ends too.
    #[test]
    fn they_are_a_set_in_order() {
        let (mut ours, mut theirs) = (Starts::new(), BTreeSet::new());
        let mut seed = 1usize;
        for round in 0..4000 {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let megablock = [9, 2, 700, 3][seed >> 33 & 3];
            let word = [seed >> 40 & 0x1ffff, 0, 0x1ffff, 63, 64][round % 5];
            let at = Addr(megablock * MEGABLOCK_BYTES + word * WORD_BYTES);
            ours.add(at).unwrap();
            theirs.insert(at);
        }
        assert!(ours.iter().eq(theirs.iter().copied()));
        assert_eq!(ours.len(), theirs.len());
        for &at in &theirs {
            assert!(ours.has(at) && !ours.has(Addr(at.0 + 1)));
            let next = at.plus_words(1);
            assert_eq!(ours.has(next), theirs.contains(&next));
        }
        assert!(!Starts::new().has(Addr(MEGABLOCK_BYTES)));
    }
}
