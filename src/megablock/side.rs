//! Side tables: the notes of profilers on each object, beside the heap instead of in it [megablock.side].
//!
//! A table has an entry for each 16 bytes of its megablock; its address is in the megablock's header, 0 if
//! there is none. In a heap with a range, the tables of a kind are one piece, in the order of their
//! megablocks (`directory`): address space, which costs memory only where it is touched. Where that is
//! refused, and in a heap without a range, they come from slabs, as they are needed. Either is mapped when
//! the kind is turned on and unmapped when it is turned off. Free tables of slabs are linked through their
//! first word.
//!
//! Marks are no such table: they are a byte for each 16 bytes of all addresses that a program can have, so
//! that compiled code need not ask whether an object is the heap's. That is terabytes of address space, which
//! cost memory only where they are touched.

use super::Header;
pub(crate) use super::directory::Directory;
use crate::base::size::{ADDRESS_BITS, MEGABLOCK_BYTES};
use crate::base::{Addr, Failure, List, Outcome};
use crate::os::memory::Area;
use crate::os::usage;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The kinds of tables: biography, producer, cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Table {
    /// Entries of 8 bytes: when the object was made and last used.
    Biography = 0,
    /// Entries of 4 bytes: the number of the object's maker.
    Producer = 1,
    /// Entries of 4 bytes: the retainer set, or a history that names it.
    Cell = 2,
}

pub(crate) const TABLE_KINDS: usize = 3;
/// The kinds in the order of their numbers: the biography is first.
pub(crate) const TABLES: [Table; TABLE_KINDS] = [Table::Biography, Table::Producer, Table::Cell];

/// Logarithm of the bytes for each entry: objects have at least two words, so no two begin in the same 16
/// bytes.
pub(crate) const LOG_GRANULE_BYTES: usize = 4;
const GRANULES: usize = MEGABLOCK_BYTES >> LOG_GRANULE_BYTES;

const MARKS: usize = 1 << (ADDRESS_BITS - LOG_GRANULE_BYTES);

/// Number of heaps of a process that have marks at a time. The marks of one heap take a sixteenth of all
/// addresses, and the rest are for heaps. Heaps without marks note uses by calls.
const MOST_MARKED_HEAPS: usize = 6;
static MARKED_HEAPS: AtomicUsize = AtomicUsize::new(0);

/// The marks of one heap.
struct Marks(Area);

impl Marks {
    fn map() -> Option<Marks> {
        let mut heaps = MARKED_HEAPS.load(Ordering::Relaxed);
        loop {
            if heaps >= MOST_MARKED_HEAPS {
                return None;
            }
            match MARKED_HEAPS.compare_exchange(heaps, heaps + 1, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => break,
                Err(now) => heaps = now,
            }
        }
        let area = Area::map(MARKS);
        if area.is_none() {
            MARKED_HEAPS.fetch_sub(1, Ordering::Relaxed);
        }
        area.map(Marks)
    }
}

impl Drop for Marks {
    fn drop(&mut self) {
        MARKED_HEAPS.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Table {
    pub const fn log_entry_bytes(self) -> usize {
        match self {
            Table::Biography => 3,
            Table::Producer | Table::Cell => 2,
        }
    }

    /// Whether its entries are numbers of 32 bits.
    pub const fn has_numbers(self) -> bool {
        !matches!(self, Table::Biography)
    }

    pub const fn bytes(self) -> usize {
        GRANULES << self.log_entry_bytes()
    }

    /// Offset of the table's address in a megablock's header; never 0, so that 0 can mean "off".
    pub const fn header_offset(self) -> usize {
        std::mem::offset_of!(Header, side) + self as usize * size_of::<usize>()
    }
}

const _: () = assert!(Table::Biography.header_offset() > 0);

/// The tables of one kind.
struct TableKind {
    table: Table,
    on: bool,
    free: Addr,
    free_count: usize,
    all: usize,
    slabs: List<Area>,
    piece: Option<Area>,
    /// Number of megablocks that have a table.
    attached: usize,
    /// Whether a megablock was taken and got no table: the entries of its objects are lost, and the profile
    /// must stop.
    starved: bool,
}

// Tables that are mapped at a time, at least and at most: slabs grow with the heap, so that there are few
// mappings, and the surplus of a slab costs address space only.
const LEAST_SLAB: usize = 8;
const MOST_SLAB: usize = 512;

impl TableKind {
    const fn new(table: Table) -> TableKind {
        TableKind {
            table,
            on: false,
            free: Addr::NULL,
            free_count: 0,
            all: 0,
            slabs: List::new(),
            piece: None,
            attached: 0,
            starved: false,
        }
    }

    /// Makes sure that `count` megablocks can get a table without a call to the system.
    fn hold(&mut self, count: usize) -> Outcome<()> {
        if self.free_count >= count || self.piece.is_some() {
            return Ok(());
        }
        let tables = (count - self.free_count).max((self.all / 4).clamp(LEAST_SLAB, MOST_SLAB));
        self.slabs.reserve(1)?;
        let bytes = self.table.bytes();
        let Some(slab) = Area::map(tables * bytes) else {
            return Err(Failure::no_memory(format_args!(
                "no memory for the side tables of {tables} megablocks: {} KiB",
                tables * bytes / 1024
            )));
        };
        for i in (0..tables).rev() {
            self.push_free(slab.start().plus_bytes(i * bytes));
        }
        self.all += tables;
        let _ = self.slabs.push_within(slab);
        Ok(())
    }

    fn push_free(&mut self, table: Addr) {
        // SAFETY: the table lies in one of our slabs and belongs to no megablock.
        unsafe { table.store(self.free.0) };
        self.free = table;
        self.free_count += 1;
    }

    fn pop_free(&mut self) -> Option<Addr> {
        let table = self.free;
        if table.is_null() {
            return None;
        }
        // SAFETY: a free table's first word is the next one; it is cleared like the rest of a new table's entries.
        unsafe {
            self.free = Addr(table.load());
            table.store(0);
        }
        self.free_count -= 1;
        Some(table)
    }

    fn drop_all(&mut self) {
        self.on = false;
        self.starved = false;
        self.free = Addr::NULL;
        self.free_count = 0;
        self.all = 0;
        self.slabs = List::new();
        self.piece = None;
        self.attached = 0;
    }

    /// Bytes of a table for `bytes` of a range.
    fn part(&self, bytes: usize) -> usize {
        bytes >> LOG_GRANULE_BYTES << self.table.log_entry_bytes()
    }

    /// The table of the megablock at this offset in the range.
    fn take_table(&mut self, offset: usize) -> Option<Addr> {
        let table = match &self.piece {
            Some(piece) => Some(piece.start().plus_bytes(self.part(offset))),
            None => {
                if self.free_count == 0 && self.hold(1).is_err() {
                    self.starved = true;
                }
                self.pop_free()
            }
        };
        self.attached += table.is_some() as usize;
        table
    }

    fn give_back(&mut self, table: Addr) {
        self.attached -= 1;
        if self.piece.is_none() {
            self.push_free(table);
        }
    }

    fn bytes(&self) -> usize {
        match self.piece {
            Some(_) => self.attached * self.table.bytes(),
            None => self.slabs.iter().map(Area::bytes).sum(),
        }
    }
}

/// The side tables of one heap.
pub struct SideTables {
    /// Whether tables in one piece are to have huge pages, as the heap has.
    huge_pages: bool,
    /// Start and bytes of the range; null and 0 in a heap without one.
    range: (Addr, usize),
    kinds: [TableKind; TABLE_KINDS],
    marks: Option<Marks>,
    /// Number of megablocks that have marks and begin a group.
    marked: usize,
}

impl SideTables {
    pub const fn new(huge_pages: bool) -> SideTables {
        SideTables {
            huge_pages,
            range: (Addr::NULL, 0),
            kinds: [
                TableKind::new(Table::Biography),
                TableKind::new(Table::Producer),
                TableKind::new(Table::Cell),
            ],
            marks: None,
            marked: 0,
        }
    }

    pub fn is_on(&self, table: Table) -> bool {
        self.kinds[table as usize].on
    }

    #[inline]
    pub fn any_on(&self) -> bool {
        self.kinds.iter().fold(false, |any, kind| any | kind.on)
    }

    /// Address of the first mark, that of address 0. None while marks are off.
    pub fn marks(&self) -> Option<Addr> {
        self.marks.as_ref().map(|marks| marks.0.start())
    }

    /// Maps marks. `count` is the number of taken megablocks that begin a group.
    pub(super) fn turn_marks_on(&mut self, count: usize, range: Option<(Addr, usize)>) -> bool {
        if self.marks.is_none() {
            self.marks = Marks::map();
            self.marked = count;
            if let Some(Marks(marks)) = &self.marks {
                marks.advise_no_dump();
                // Huge pages are advised for the heap's marks alone: the kernel walks over all that it may
                // make huge, and would make one for the mark of a static.
                if let Some((start, bytes)) = range.filter(|_| self.huge_pages) {
                    let mark = |at: usize| at >> LOG_GRANULE_BYTES;
                    marks.advise_huge_pages_in(mark(start.0)..mark(start.0 + bytes));
                }
            }
        }
        self.marks.is_some()
    }

    pub(super) fn turn_marks_off(&mut self) {
        self.marks = None;
        self.marked = 0;
    }

    /// Returns the memory of free megablocks' entries in tables of one piece, and of their marks. Their
    /// values may be anything when a megablock is used again.
    pub(super) fn discard(&mut self, from: Addr, bytes: usize) {
        let offset = from.0.wrapping_sub(self.range.0.0);
        // SAFETY: the maker of objects there clears their entries in the tables before.
        unsafe {
            for kind in &self.kinds {
                if let Some(piece) = &kind.piece {
                    piece.discard(kind.part(offset), kind.part(bytes));
                }
            }
            if let Some(Marks(marks)) = &self.marks {
                marks.discard(from.0 >> LOG_GRANULE_BYTES, bytes >> LOG_GRANULE_BYTES);
            }
        }
    }

    /// Touches the entries of a table in one piece for a part of the range, all of which will be filled.
    /// False when there is no use in asking again.
    pub fn populate(&self, table: Table, part: Range<usize>) -> bool {
        let kind = &self.kinds[table as usize];
        let Some(piece) = &kind.piece else { return false };
        let offset = |at: usize| kind.part(at.wrapping_sub(self.range.0.0));
        part.is_empty() || piece.populate(offset(part.start)..offset(part.end))
    }

    /// Whether a megablock could not get a table since the last call.
    #[cfg(any(test, feature = "testkit"))]
    pub fn take_starved(&mut self) -> bool {
        TABLES.into_iter().fold(false, |any, table| any | self.take_starved_of(table))
    }

    /// As `take_starved`, for the tables of one kind.
    pub fn take_starved_of(&mut self, table: Table) -> bool {
        std::mem::take(&mut self.kinds[table as usize].starved)
    }

    /// Bytes of tables for the present megablocks. Pages that were never written cost nothing.
    pub fn bytes(&self) -> usize {
        self.kinds.iter().map(TableKind::bytes).sum::<usize>() + self.marked * GRANULES
    }

    /// Bytes of tables that have memory behind them. `used`: bytes of the range that were ever in use.
    pub fn touched_bytes(&self, used: usize) -> usize {
        let slabs = self.kinds.iter().flat_map(|kind| kind.slabs.iter().map(|slab| (slab, slab.bytes())));
        let pieces =
            self.kinds.iter().flat_map(|kind| kind.piece.iter().map(|piece| (piece, kind.part(used))));
        slabs.chain(pieces).map(|(area, bytes)| usage::touched_bytes(area.start(), bytes)).sum()
    }

    /// Bytes of the marks for a part of the heap that have memory behind them.
    pub fn touched_marks(&self, from: Addr, bytes: usize) -> usize {
        let first = |marks: &Area| marks.start().plus_bytes(from.0 >> LOG_GRANULE_BYTES);
        self.marks
            .as_ref()
            .map_or(0, |Marks(marks)| usage::touched_bytes(first(marks), bytes >> LOG_GRANULE_BYTES))
    }

    /// Maps tables for `count` megablocks that were promised, since a collection maps none.
    pub(super) fn hold(&mut self, count: usize) {
        for kind in self.kinds.iter_mut().filter(|kind| kind.on) {
            if kind.hold(count).is_err() {
                kind.starved = true;
            }
        }
    }

    /// Makes room for the tables of `count` megablocks in this range, in one piece if possible. The caller
    /// attaches them.
    pub(super) fn turn_on(
        &mut self,
        table: Table,
        count: usize,
        range: Option<(Addr, usize)>,
    ) -> Outcome<()> {
        let kind = &mut self.kinds[table as usize];
        if let Some(range) = range {
            self.range = range;
            kind.piece = Area::map(kind.part(range.1));
            kind.piece.iter().filter(|_| self.huge_pages).for_each(Area::advise_huge_pages);
        }
        let held = kind.hold(count);
        kind.on = held.is_ok();
        held
    }

    /// Unmaps the tables; headers must not name them any more.
    pub(super) fn turn_off(&mut self, table: Table) {
        self.kinds[table as usize].drop_all();
    }

    pub fn directory(&self) -> Directory {
        let piece = |table: Table| self.kinds[table as usize].piece.as_ref().map(Area::start);
        Directory::new(self.range, TABLES.map(piece), self.marks())
    }

    /// Gives a megablock with a new header its tables.
    pub(super) fn attach(&mut self, megablock: Addr, only: Option<Table>) {
        let offset = megablock.0.wrapping_sub(self.range.0.0);
        self.marked += (only.is_none() && self.marks.is_some()) as usize;
        for kind in self.kinds.iter_mut().filter(|kind| kind.on) {
            if only.is_some_and(|only| only != kind.table) {
                continue;
            }
            if let Some(table) = kind.take_table(offset) {
                // SAFETY: the megablock is taken and has a header, which only this thread uses.
                unsafe { (*megablock.as_ptr::<Header>()).side[kind.table as usize] = table.0 };
            }
        }
    }

    /// Takes the tables away from a megablock that begins a group and is given back.
    pub(super) fn detach(&mut self, megablock: Addr) {
        self.marked -= self.marks.is_some() as usize;
        for kind in self.kinds.iter_mut().filter(|kind| kind.on) {
            // SAFETY: as for `attach`.
            let header = unsafe { &mut *megablock.as_ptr::<Header>() };
            let table = std::mem::take(&mut header.side[kind.table as usize]);
            if table != 0 {
                planted!(101, (), kind.give_back(Addr(table)));
            }
        }
    }

    /// Returns the memory of free tables to the system, but for `keep` of each kind.
    pub(super) fn release_above(&mut self, keep: usize) {
        for kind in self.kinds.iter_mut() {
            let (mut table, mut seen) = (kind.free, 0);
            while !table.is_null() {
                // SAFETY: a free table's first word is the next one.
                let next = Addr(unsafe { table.load() });
                if seen >= keep {
                    let slab =
                        kind.slabs.iter().find(|slab| table.0.wrapping_sub(slab.start().0) < slab.bytes());
                    if let Some(slab) = slab {
                        // SAFETY: the contents of a free table are not needed, except for its link, which is
                        // put back.
                        unsafe {
                            slab.discard(table.bytes_since(slab.start()), kind.table.bytes());
                            table.store(next.0);
                        }
                    }
                }
                seen += 1;
                table = next;
            }
        }
    }
}

/// The address of a table's entry for an address, or `None` where the megablock has no such table.
///
/// # Safety
/// The address lies in a taken megablock that begins a group: not in the tail of a spanning one.
#[inline(always)]
pub(crate) unsafe fn entry(table: Table, at: Addr) -> Option<Addr> {
    // SAFETY: the caller's promise.
    unsafe { Directory::NONE.entry(table, at) }
}
