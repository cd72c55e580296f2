//! Makers of objects: a cost-centre stack, a place in the code and a function of the client, hash-consed to
//! one number.
//!
//! The number of a live object is kept in the side table of producers, so these numbers live as long as that
//! table is on, and their table belongs to the heap. Number 0 is no maker: of objects made earlier, or while
//! no profile asked.

use crate::base::{List, Outcome};

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Maker {
    /// Number of the cost-centre stack, where a profile asks for it.
    pub stack: u32,
    /// Number of the innermost of nested profiles; 0 for none.
    pub run: u32,
    /// The word in the client's window.
    pub function: usize,
    /// The address to which the allocation returned.
    pub site: usize,
}

impl Maker {
    pub const NOBODY: Maker = Maker { stack: 0, run: 0, function: 0, site: 0 };

    fn hash(self) -> usize {
        let mut hash = (self.stack as u64) << 32 | self.run as u64;
        for word in [self.function, self.site] {
            hash = (hash.rotate_left(23) ^ word as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
        (hash ^ hash >> 29) as usize
    }
}

/// The makers with their numbers, in the order in which they came up.
#[derive(Default)]
pub struct Makers {
    all: List<Maker>,
    /// Numbers by hash: an open table, at most half full; 0 for a free slot.
    slots: List<u32>,
}

const LEAST_SLOTS: usize = 1024;

impl Makers {
    pub fn new() -> Outcome<Makers> {
        let mut makers = Makers::default();
        makers.all.push(Maker::NOBODY)?;
        makers.slots.fill(LEAST_SLOTS, 0)?;
        Ok(makers)
    }

    /// The number above all makers' numbers.
    pub fn count(&self) -> usize {
        self.all.len()
    }

    pub fn get(&self, number: u32) -> Maker {
        self.all.get(number as usize).copied().unwrap_or(Maker::NOBODY)
    }

    pub fn find(&self, maker: Maker) -> Option<u32> {
        if maker == Maker::NOBODY {
            return Some(0);
        }
        let number = self.slots[self.slot(maker)];
        (number != 0).then_some(number)
    }

    /// The number of a maker, which a new one gets here.
    pub fn number(&mut self, maker: Maker) -> Outcome<u32> {
        if let Some(number) = self.find(maker) {
            return Ok(number);
        }
        if 2 * (self.all.len() + 1) > self.slots.len() {
            self.grow()?;
        }
        let number = self.all.len() as u32;
        self.all.push(maker)?;
        let slot = self.slot(maker);
        self.slots[slot] = number;
        Ok(number)
    }

    /// Gives a number to another maker, whom nobody finds until the slots are filled again.
    pub fn rename(&mut self, number: u32, maker: Maker) {
        self.all[number as usize] = maker;
    }

    /// Fills the slots anew, after makers have got other numbers.
    pub fn fill_again(&mut self) {
        self.slots.iter_mut().for_each(|slot| *slot = 0);
        self.fill_slots();
    }

    pub fn held_bytes(&self) -> usize {
        self.all.held_bytes() + self.slots.held_bytes()
    }

    /// Bytes that one more number would add to `held_bytes`.
    pub fn growth_bytes(&self) -> usize {
        let is_full = 2 * (self.all.len() + 1) > self.slots.len();
        self.all.growth_bytes(1) + if is_full { self.slots.growth_bytes(self.slots.len()) } else { 0 }
    }

    /// Index of a maker's slot, or of the free slot for it.
    fn slot(&self, maker: Maker) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = maker.hash() & mask;
        while self.slots[at] != 0 && self.all[self.slots[at] as usize] != maker {
            at = (at + 1) & mask;
        }
        at
    }

    fn grow(&mut self) -> Outcome<()> {
        let mut wider = List::new();
        wider.fill(2 * self.slots.len(), 0)?;
        self.slots = wider;
        self.fill_slots();
        Ok(())
    }

    fn fill_slots(&mut self) {
        for number in 1..self.all.len() {
            let slot = self.slot(self.all[number]);
            self.slots[slot] = number as u32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_makers_have_equal_numbers() {
        let mut makers = Makers::new().unwrap();
        let maker = |n: usize| Maker {
            stack: n as u32 % 7,
            run: 1,
            function: n * 64,
            site: if n.is_multiple_of(2) { 0 } else { n << 40 },
        };
        for round in 0..2 {
            for n in 0..5000 {
                assert_eq!(makers.number(maker(n)).unwrap(), n as u32 + 1, "round {round}");
                assert_eq!(makers.get(n as u32 + 1), maker(n));
            }
        }
        assert_eq!(makers.count(), 5001);
        assert_eq!(makers.number(Maker::NOBODY).unwrap(), 0);
        assert_eq!(makers.find(Maker { stack: 9, ..maker(1) }), None);
    }
}
