//! The counters of each maker. Rows are made when a number comes up in an allocation, never in a collection.

use crate::base::{List, Outcome};
use crate::profile::heap::tally::Count;
use crate::profile::space::kinds::{COLUMNS, Sort};
use crate::profile::space::ledger::manner;

#[derive(Clone, Copy, Default)]
pub(crate) struct Row {
    pub allocated: Count,
    pub copied: Count,
    /// Ticks of the clock at which it was running; `elsewhere` are those at which it waited on the stack.
    pub top: u64,
    pub elsewhere: u64,
    /// The manners of the profiles, four bits for each, from the outermost on.
    manners: u32,
    /// Index of the first cell of its table of kinds plus one; 0 for none.
    kinds: u32,
}

/// The part of a row for one generation: objects copied out of it, words in it since its last collection
/// (`in_it`), and words that the running collection has put into it (`fresh`).
#[derive(Clone, Copy, Default)]
pub(crate) struct Aged {
    pub copied: Count,
    pub in_it: u64,
    fresh: u64,
}

/// A cell of a table of kinds.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct Cell {
    pub objects: u64,
    pub bytes: u64,
    pub overhead: u64,
}

/// Profiles that have manners of their own; those inside the last of them share its.
const APART: usize = 8;

/// The place of a profile's manner among those of all.
pub(crate) fn manner_in(depth: usize, manner: u32) -> u32 {
    manner << (depth.min(APART - 1) * 4)
}

/// The records that any profile wants.
pub(crate) fn all_of(manners: u32) -> u32 {
    let manners = manners | manners >> 16;
    let manners = manners | manners >> 8;
    (manners | manners >> 4) & manner::MANNER_ALL
}

pub(crate) struct Rows {
    rows: List<Row>,
    aged: List<Aged>,
    cells: List<Cell>,
    generations: usize,
}

impl Rows {
    pub(crate) fn new(generations: usize) -> Rows {
        Rows { rows: List::new(), aged: List::new(), cells: List::new(), generations }
    }

    /// Makes a row for a number, with the manners of all profiles.
    pub(crate) fn make(&mut self, number: u32, manners: u32) -> Outcome<()> {
        let (number, manner) = (number as usize, all_of(manners));
        let cells = (1 + self.generations) * COLUMNS;
        self.aged.reserve(((number + 1) * self.generations).saturating_sub(self.aged.len()))?;
        if manner & manner::MANNER_KINDS != 0 {
            self.cells.reserve(cells)?;
        }
        self.rows.fill(number + 1, Row::default())?;
        self.aged.fill((number + 1) * self.generations, Aged::default())?;
        let row = &mut self.rows[number];
        row.manners = manners;
        if manner & manner::MANNER_KINDS != 0 {
            row.kinds = self.cells.len() as u32 + 1;
            self.cells.fill(self.cells.len() + cells, Cell::default())?;
        }
        Ok(())
    }

    /// Bytes that a row for a new number would add to `held_bytes`.
    pub(crate) fn growth_bytes(&self, number: usize, manners: u32) -> usize {
        let by_kind = all_of(manners) & manner::MANNER_KINDS != 0;
        let cells = if by_kind { (1 + self.generations) * COLUMNS } else { 0 };
        self.rows.growth_bytes((number + 1).saturating_sub(self.rows.len()))
            + self.aged.growth_bytes(((number + 1) * self.generations).saturating_sub(self.aged.len()))
            + self.cells.growth_bytes(cells)
    }

    #[inline(always)]
    pub(crate) fn has(&self, number: u32) -> bool {
        number != 0 && (number as usize) < self.rows.len()
    }

    /// The records of a number that any profile wants.
    pub(crate) fn manner(&self, number: u32) -> u32 {
        self.rows.get(number as usize).map_or(0, |row| all_of(row.manners))
    }

    /// The records of a number that the profile at this depth wants.
    pub(crate) fn manner_at(&self, number: u32, depth: usize) -> u32 {
        let manners = self.rows.get(number as usize).map_or(0, |row| row.manners);
        all_of(manners & manner_in(depth, manner::MANNER_ALL))
    }

    pub(crate) fn row(&mut self, number: u32) -> &mut Row {
        &mut self.rows[number as usize]
    }

    pub(crate) fn get(&self, number: u32) -> &Row {
        &self.rows[number as usize]
    }

    pub(crate) fn aged(&self, number: u32) -> &[Aged] {
        let first = number as usize * self.generations;
        &self.aged[first..first + self.generations]
    }

    /// The cells of a row: a line for allocated objects, then one for each generation that objects were
    /// copied out of, by column.
    pub(crate) fn cells(&self, number: u32) -> &[Cell] {
        match self.rows[number as usize].kinds as usize {
            0 => &[],
            first => &self.cells[first - 1..first - 1 + (1 + self.generations) * COLUMNS],
        }
    }

    #[inline]
    pub(crate) fn allocated(&mut self, number: u32) -> &mut Count {
        &mut self.rows[number as usize].allocated
    }

    #[inline(always)]
    pub(crate) fn wants_kinds(&self, number: u32) -> bool {
        self.rows.get(number as usize).is_some_and(|row| row.kinds != 0)
    }

    #[inline]
    pub(crate) fn add_kinds(&mut self, number: u32, line: usize, sort: Sort, objects: u64) {
        let first = self.rows[number as usize].kinds as usize;
        if first != 0 {
            let cell = &mut self.cells[first - 1 + line * COLUMNS + sort.column as usize];
            cell.objects += objects;
            cell.bytes += planted!(62, 1, objects) * sort.bytes;
            cell.overhead += objects * sort.overhead;
        }
    }

    pub(crate) fn copied(&mut self, number: u32, generation: usize, more: Count) {
        let aged = &mut self.aged[number as usize * self.generations + generation].copied;
        for count in [aged, &mut self.rows[number as usize].copied] {
            count.words += more.words;
            count.objects += more.objects;
        }
    }

    /// Adds kept words of a collected generation to the generation that they are in now.
    pub(crate) fn stays(&mut self, number: u32, generation: usize, words: u64) {
        self.aged[number as usize * self.generations + generation].fresh += words;
    }

    /// Ends a collection: kept words replace those in the generations that were collected, and are added to
    /// those in older ones. Gives the sum of all live words.
    pub(crate) fn settle(&mut self, oldest: usize) -> u64 {
        let mut total = 0;
        for row in self.aged.chunks_exact_mut(self.generations) {
            for (generation, aged) in row.iter_mut().enumerate() {
                let fresh = std::mem::take(&mut aged.fresh);
                aged.in_it = if generation <= oldest { fresh } else { aged.in_it + fresh };
                total += aged.in_it;
            }
        }
        total
    }

    pub(crate) fn living(&self) -> u64 {
        self.aged.iter().map(|aged| aged.in_it).sum()
    }

    /// Calls `visit` with each number and its live words.
    pub(crate) fn each_living(&self, visit: &mut dyn FnMut(u32, u64)) {
        for (number, row) in self.aged.chunks_exact(self.generations).enumerate() {
            let words = row.iter().map(|aged| aged.in_it).sum();
            if words != 0 {
                visit(number as u32, words);
            }
        }
    }

    pub(crate) fn count(&self) -> usize {
        self.rows.len()
    }

    pub(crate) fn held_bytes(&self) -> usize {
        self.rows.held_bytes() + self.aged.held_bytes() + self.cells.held_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minor_collections_add_to_older_generations_and_major_ones_replace() {
        let mut rows = Rows::new(2);
        rows.make(1, manner::MANNER_ALL).unwrap();
        rows.make(2, manner::MANNER_SPACE).unwrap();
        assert!(rows.wants_kinds(1) && !rows.wants_kinds(2) && !rows.has(0) && !rows.has(3));
        rows.stays(1, 0, 10);
        rows.stays(2, 1, 5);
        assert_eq!(rows.settle(0), 15);
        rows.stays(1, 1, 10);
        assert_eq!(rows.settle(0), 15);
        rows.stays(1, 1, 4);
        assert_eq!(rows.settle(1), 4);
        let mut seen = Vec::new();
        rows.each_living(&mut |number, words| seen.push((number, words)));
        assert_eq!(seen, [(1, 4)]);
    }
}
