//! Who made an object: a cost-centre stack, a place in the code, a function of the client, hash-consed to one number.
//!
//! The number of a live object is kept in the side table of producers, so these numbers live as long as that table is on,
//! and their table belongs to the heap. Number 0 is nobody: what was made before, or while nobody asked.

use crate::base::{List, Outcome};

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Producer {
    /// Number of the cost-centre stack, where a profile asks for it.
    pub stack: u32,
    /// Which of the profiles that ran one in another was the innermost; 0 for none.
    pub run: u32,
    /// What the client has put into its window.
    pub function: usize,
    /// The address to which the allocation returned.
    pub site: usize,
}

impl Producer {
    pub const NOBODY: Producer = Producer { stack: 0, run: 0, function: 0, site: 0 };

    fn hash(self) -> usize {
        let mut hash = (self.stack as u64) << 32 | self.run as u64;
        for word in [self.function, self.site] {
            hash = (hash.rotate_left(23) ^ word as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
        (hash ^ hash >> 29) as usize
    }
}

/// Numbers of producers, in the order in which they came up.
#[derive(Default)]
pub struct Producers {
    all: List<Producer>,
    /// Open addressing, at most half full; 0 for a free slot.
    slots: List<u32>,
}

const LEAST_SLOTS: usize = 1024;

impl Producers {
    pub fn new() -> Outcome<Producers> {
        let mut producers = Producers::default();
        producers.all.push(Producer::NOBODY)?;
        producers.slots.fill(LEAST_SLOTS, 0)?;
        Ok(producers)
    }

    /// All numbers are below this.
    pub fn count(&self) -> usize {
        self.all.len()
    }

    pub fn get(&self, number: u32) -> Producer {
        self.all.get(number as usize).copied().unwrap_or(Producer::NOBODY)
    }

    pub fn find(&self, producer: Producer) -> Option<u32> {
        if producer == Producer::NOBODY {
            return Some(0);
        }
        let number = self.slots[self.slot(producer)];
        (number != 0).then_some(number)
    }

    /// The number of a producer, which gets one when it has none.
    pub fn number(&mut self, producer: Producer) -> Outcome<u32> {
        if let Some(number) = self.find(producer) {
            return Ok(number);
        }
        if 2 * (self.all.len() + 1) > self.slots.len() {
            self.grow()?;
        }
        let number = self.all.len() as u32;
        self.all.push(producer)?;
        let slot = self.slot(producer);
        self.slots[slot] = number;
        Ok(number)
    }

    pub fn held_bytes(&self) -> usize {
        self.all.held_bytes() + self.slots.held_bytes()
    }

    /// Where a producer is, or would be.
    fn slot(&self, producer: Producer) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = producer.hash() & mask;
        while self.slots[at] != 0 && self.all[self.slots[at] as usize] != producer {
            at = (at + 1) & mask;
        }
        at
    }

    fn grow(&mut self) -> Outcome<()> {
        let mut wider = List::new();
        wider.fill(2 * self.slots.len(), 0)?;
        self.slots = wider;
        for number in 1..self.all.len() {
            let slot = self.slot(self.all[number]);
            self.slots[slot] = number as u32;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_producers_have_equal_numbers() {
        let mut producers = Producers::new().unwrap();
        let producer = |n: usize| Producer {
            stack: n as u32 % 7,
            run: 1,
            function: n * 64,
            site: if n.is_multiple_of(2) { 0 } else { n << 40 },
        };
        for round in 0..2 {
            for n in 0..5000 {
                assert_eq!(producers.number(producer(n)).unwrap(), n as u32 + 1, "round {round}");
                assert_eq!(producers.get(n as u32 + 1), producer(n));
            }
        }
        assert_eq!(producers.count(), 5001);
        assert_eq!(producers.number(Producer::NOBODY).unwrap(), 0);
        assert_eq!(producers.find(Producer { stack: 9, ..producer(1) }), None);
    }
}
