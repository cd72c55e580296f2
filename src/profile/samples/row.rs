//! Sums of samples: a row for each machine stack, cost-centre stack and type together.

use crate::base::{List, Outcome};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Key {
    /// The number of the machine's stack.
    pub(crate) stack: u32,
    /// The number of the cost-centre stack.
    pub(crate) ccs: u32,
    /// The number of the info table; 0 where none is known.
    pub(crate) info: u32,
}

/// Objects and bytes for which samples stand.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Sum {
    pub(crate) objects: f64,
    pub(crate) bytes: f64,
}

impl Sum {
    /// Adds one sample of `bytes` bytes that stands for `weight` objects.
    pub(crate) fn add(&mut self, weight: f64, bytes: usize) {
        self.objects += weight;
        self.bytes += weight * bytes as f64;
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Row {
    pub(crate) key: Key,
    pub(crate) allocated: Sum,
    /// The part of it that is alive, as of the last `Sampler::settle`.
    pub(crate) live: Sum,
}

pub(crate) struct Rows {
    pub(crate) all: List<Row>,
    /// Numbers of rows and 1, in open addressing: 0 is free.
    slots: List<u32>,
}

impl Rows {
    pub(crate) fn new() -> Outcome<Rows> {
        let mut slots = List::new();
        slots.fill(256, 0)?;
        Ok(Rows { all: List::new(), slots })
    }

    #[cfg(test)]
    pub(crate) fn held_bytes(&self) -> usize {
        self.all.held_bytes() + self.slots.held_bytes()
    }

    /// The number of the row with this key, which is made when there is none.
    pub(crate) fn number(&mut self, key: Key) -> Outcome<u32> {
        let mut at = self.slot(key);
        if let Some(number) = self.slots[at].checked_sub(1) {
            return Ok(number);
        }
        if (self.all.len() + 1) * 2 > self.slots.len() {
            let mut slots = List::new();
            slots.fill(self.slots.len() * 2, 0)?;
            self.slots = slots;
            for number in 0..self.all.len() {
                let at = self.slot(self.all[number].key);
                self.slots[at] = number as u32 + 1;
            }
            at = self.slot(key);
        }
        self.all.push(Row { key, allocated: Sum::default(), live: Sum::default() })?;
        self.slots[at] = self.all.len() as u32;
        Ok(self.all.len() as u32 - 1)
    }

    fn slot(&self, key: Key) -> usize {
        let mixed = (key.stack as u64) << 40 ^ (key.ccs as u64) << 20 ^ key.info as u64;
        let mask = self.slots.len() - 1;
        let mut at = (mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & mask;
        while self.slots[at] != 0 && self.all[self.slots[at] as usize - 1].key != key {
            at = (at + 1) & mask;
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_keys_have_one_row() {
        let mut rows = Rows::new().unwrap();
        for _ in 0..2 {
            for one in 0..2000u32 {
                let key = Key { stack: one % 7, ccs: one, info: one / 3 };
                assert_eq!(rows.number(key).unwrap(), one);
            }
        }
        assert_eq!(rows.all.len(), 2000);
    }
}
