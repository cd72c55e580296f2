//! Bytes by holder, phase and era: an open hash table that grows between censuses and, when it must, within one.
//!
//! A census adds to one cell for each live object, so its key and its running sum lie together, apart from
//! the numbers that matter only when an object is used and when the census ends.

use crate::base::{List, Outcome};

/// The use of the objects in a cell, as far as it is known.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Phase {
    /// Objects not used so far; the era is that of creation.
    Unused = 0,
    /// Objects that were used; the era is that of the last use.
    Used = 1,
    /// Objects from before the profile, not used since; no era.
    Before = 2,
    /// Objects of a kind whose uses cannot be seen; no era.
    Inherent = 3,
}

impl Phase {
    pub fn from_number(number: u8) -> Option<Phase> {
        [Phase::Unused, Phase::Used, Phase::Before, Phase::Inherent].get(number as usize).copied()
    }
}

/// Holder, phase and era in one word.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct CellKey(pub u64);

impl CellKey {
    /// Holders are numbered from 1, so no key is 0.
    #[inline(always)]
    pub fn new(holder: u32, phase: Phase, era: u32) -> CellKey {
        debug_assert!(holder != 0 && era <= crate::profile::biography::word::LAST_ERA);
        CellKey((holder as u64) << 32 | (phase as u64) << 30 | era as u64)
    }

    pub fn holder(self) -> u32 {
        (self.0 >> 32) as u32
    }

    pub fn phase(self) -> Phase {
        match self.0 >> 30 & 3 {
            0 => Phase::Unused,
            1 => Phase::Used,
            2 => Phase::Before,
            _ => Phase::Inherent,
        }
    }

    pub fn era(self) -> u32 {
        self.0 as u32 & crate::profile::biography::word::LAST_ERA
    }

    /// The kind of waste that the cell's objects turn out to have been if they die now, and its first era;
    /// none for phases that are never waste.
    pub fn wasted_from(self) -> Option<(Waste, u32)> {
        match self.phase() {
            Phase::Unused => Some((Waste::Void, self.era())),
            Phase::Used => Some((Waste::Drag, self.era() + 1)),
            Phase::Before | Phase::Inherent => None,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Waste {
    Void,
    Drag,
}

/// The numbers of a cell besides its running sum.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cell {
    /// Bytes at the last census.
    pub last: u64,
    /// Part of `last`, in bytes, that other cells count or will count: objects that were used or changed
    /// their holder.
    pub used: u64,
    /// Part of `last`, in bytes, that the program has said to be dead since.
    pub dead: u64,
}

#[derive(Clone, Copy, Default)]
struct Hot {
    key: u64,
    now: u64,
}

pub(crate) struct Cells {
    hot: List<Hot>,
    cold: List<Cell>,
    /// Keys in the table.
    taken: usize,
    /// Index of the place that was added to last: neighbours are often alike.
    last: usize,
}

const LEAST: usize = 64;

impl Cells {
    pub(crate) const fn new() -> Cells {
        Cells { hot: List::new(), cold: List::new(), taken: 0, last: 0 }
    }

    pub(crate) fn held_bytes(&self) -> usize {
        self.hot.held_bytes() + self.cold.held_bytes()
    }

    /// Makes room for `more` more keys.
    pub(crate) fn reserve(&mut self, more: usize) -> Outcome<()> {
        if (self.taken + more) * 4 <= self.hot.len() * 3 {
            return Ok(());
        }
        let live = (0..self.hot.len()).filter(|&at| self.is_live(at)).count();
        self.rebuild((live + more) * 2)
    }

    /// Adds to the running sum of a cell.
    #[inline(always)]
    pub(crate) fn add(&mut self, key: CellKey, bytes: u64) -> Outcome<()> {
        if let Some(hot) = self.hot.get_mut(self.last)
            && hot.key == key.0
        {
            hot.now += bytes;
            return Ok(());
        }
        let mask = self.hot.len().wrapping_sub(1);
        let mut at = first_place(key.0) & mask;
        // An empty table has no place to look at; `at` is then beyond its end.
        while let Some(hot) = self.hot.get_mut(at) {
            if hot.key == key.0 {
                hot.now += bytes;
                self.last = at;
                return Ok(());
            }
            if hot.key == 0 {
                break;
            }
            at = (at + 1) & mask;
        }
        let at = self.insert(key)?;
        self.hot[at].now += bytes;
        Ok(())
    }

    /// A cell with its running sum, if the table has the key.
    pub(crate) fn find(&mut self, key: CellKey) -> Option<&mut Cell> {
        let at = self.place(key)?;
        Some(&mut self.cold[at])
    }

    /// Replaces a cell; gives the old one.
    pub(crate) fn put(&mut self, key: CellKey, cell: Cell) -> Outcome<Cell> {
        let at = match self.place(key) {
            Some(at) => at,
            None => self.insert(key)?,
        };
        Ok(std::mem::replace(&mut self.cold[at], cell))
    }

    fn place(&self, key: CellKey) -> Option<usize> {
        let mask = self.hot.len().wrapping_sub(1);
        let mut at = first_place(key.0) & mask;
        loop {
            match self.hot.get(at)?.key {
                0 => return None,
                found if found == key.0 => return Some(at),
                _ => at = (at + 1) & mask,
            }
        }
    }

    #[cold]
    #[inline(never)]
    fn insert(&mut self, key: CellKey) -> Outcome<usize> {
        self.reserve(1)?;
        let mask = self.hot.len() - 1;
        let mut at = first_place(key.0) & mask;
        while self.hot[at].key != 0 {
            at = (at + 1) & mask;
        }
        self.hot[at] = Hot { key: key.0, now: 0 };
        self.cold[at] = Cell::default();
        self.taken += 1;
        Ok(at)
    }

    fn is_live(&self, at: usize) -> bool {
        self.hot[at].key != 0 && (self.hot[at].now != 0 || self.cold[at] != Cell::default())
    }

    /// Makes a table of at least `wanted` places, with the cells that are not empty.
    fn rebuild(&mut self, wanted: usize) -> Outcome<()> {
        let places = wanted.max(LEAST).next_power_of_two();
        let (mut hot, mut cold) = (List::new(), List::new());
        hot.fill(places, Hot::default())?;
        cold.fill(places, Cell::default())?;
        let mut taken = 0;
        for from in (0..self.hot.len()).filter(|&from| self.is_live(from)) {
            let mut at = first_place(self.hot[from].key) & (places - 1);
            while hot[at].key != 0 {
                at = (at + 1) & (places - 1);
            }
            (hot[at], cold[at]) = (self.hot[from], self.cold[from]);
            taken += 1;
        }
        (self.hot, self.cold, self.taken) = (hot, cold, taken);
        Ok(())
    }

    /// Shows every cell that is not empty, with its running sum, which becomes its `last`.
    pub(crate) fn turn(&mut self, mut show: impl FnMut(CellKey, Cell, u64)) {
        let mut live = 0;
        for (hot, cold) in self.hot.iter_mut().zip(self.cold.iter_mut()) {
            if hot.key != 0 && (hot.now != 0 || *cold != Cell::default()) {
                show(CellKey(hot.key), *cold, hot.now);
                *cold = Cell { last: hot.now, used: 0, dead: 0 };
                live += (hot.now != 0) as usize;
                hot.now = 0;
            }
        }
        // A walk costs time for every place of the table. A refusal leaves the table as it is.
        if live * 16 < self.hot.len() && self.hot.len() > LEAST {
            let _ = self.rebuild(live * 4);
        }
    }

    /// Shows every cell that was not empty at the last census.
    pub(crate) fn each(&self, mut show: impl FnMut(CellKey, Cell)) {
        for (hot, cold) in self.hot.iter().zip(self.cold.iter()) {
            if hot.key != 0 && *cold != Cell::default() {
                show(CellKey(hot.key), *cold);
            }
        }
    }
}

#[inline(always)]
fn first_place(key: u64) -> usize {
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 29) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_survive_growth_and_turns() {
        let mut cells = Cells::new();
        let key = |n: u32| CellKey::new(1 + n % 77, Phase::Unused, n / 77);
        for round in 1..=3u64 {
            for n in 0..10_000 {
                cells.add(key(n), round).expect("memory");
            }
            let (mut seen, mut sum) = (0, 0);
            cells.turn(|key, cell, now| {
                assert_eq!(cell.last, round - 1, "{key:?}");
                seen += 1;
                sum += now;
            });
            assert_eq!((seen, sum), (10_000, 10_000 * round));
        }
        // Nothing lives in these cells any more: each is shown once, then gone.
        let mut ended = 0;
        cells.turn(|_, cell, now| ended += (cell.last == 3 && now == 0) as u32);
        assert_eq!(ended, 10_000);
        cells.turn(|key, _, _| panic!("{key:?} is still there"));
        assert!(cells.hot.len() <= LEAST);
    }

    #[test]
    fn keys_hold_three_things() {
        let key = CellKey::new(u32::MAX, Phase::Before, super::super::word::LAST_ERA);
        assert_eq!((key.holder(), key.phase(), key.era()), (u32::MAX, Phase::Before, (1 << 30) - 1));
    }
}
