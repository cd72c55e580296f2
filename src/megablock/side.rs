//! Side tables: what a profiler remembers of each object, beside the heap instead of in it [megablock.side].
//!
//! A table has an entry for each 16 bytes of its megablock and lies wherever the system put it; its address is in the
//! megablock's header, 0 where there is none. The tables of a kind come from slabs, which are mapped when the kind is
//! turned on and unmapped all at once when it is turned off. Free tables are linked through their first word.
//!
//! Headers lie a megablock apart, so they all want the same few lines of the caches. The collector, which asks for tables of
//! many megablocks by turns, finds them in a dense copy, the directory.

use super::Header;
use crate::base::size::{LOG_MEGABLOCK_BYTES, MEGABLOCK_BYTES};
use crate::base::{Addr, Failure, List, Outcome};
use crate::os::memory::Area;
use crate::os::usage;

/// Which table: biography, producer, cell, mark.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Table {
    /// 8 bytes: when the object was made and last used.
    Biography = 0,
    /// 4 bytes: the number of who made it.
    Producer = 1,
    /// 4 bytes: the retainer set, or a history that names it.
    Cell = 2,
    /// 1 byte: whether the object was used in this era. It says of the biography what compiled code asks most often, in
    /// an eighth of the memory, which is cached where the biography is not.
    Mark = 3,
}

pub const TABLE_KINDS: usize = 4;
/// In the order of their numbers: the biography is first.
pub const TABLES: [Table; TABLE_KINDS] = [Table::Biography, Table::Producer, Table::Cell, Table::Mark];

/// Objects have at least two words, so no two begin in the same 16 bytes.
pub const LOG_GRANULE_BYTES: usize = 4;
const GRANULES: usize = MEGABLOCK_BYTES >> LOG_GRANULE_BYTES;

impl Table {
    pub const fn log_entry_bytes(self) -> usize {
        match self {
            Table::Biography => 3,
            Table::Producer | Table::Cell => 2,
            Table::Mark => 0,
        }
    }

    /// Whether its entries are numbers of 32 bits.
    pub const fn has_numbers(self) -> bool {
        matches!(self, Table::Producer | Table::Cell)
    }

    pub const fn bytes(self) -> usize {
        GRANULES << self.log_entry_bytes()
    }

    /// Where a megablock's header has the table's address; never 0, so that 0 can say "off".
    pub const fn header_offset(self) -> usize {
        std::mem::offset_of!(Header, side) + self as usize * size_of::<usize>()
    }
}

const _: () = assert!(Table::Biography.header_offset() > 0);
// Compiled code finds the marks behind the biography (BARROW_MARKS_BEHIND_BIOGRAPHY).
const _: () = assert!(Table::Mark.header_offset() - Table::Biography.header_offset() == 24);

/// Tables of one kind.
struct TableKind {
    table: Table,
    on: bool,
    free: Addr,
    free_count: usize,
    all: usize,
    slabs: List<Area>,
    /// A megablock was taken and got no table: what its objects have is lost, and the profile must stop.
    starved: bool,
}

// At least this many tables are mapped at a time, and at most so many: slabs grow with the heap, so that there are few
// mappings, and what a slab has too many costs address space only.
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
            starved: false,
        }
    }

    /// Makes sure that `count` megablocks can have a table without the system.
    fn hold(&mut self, count: usize) -> Outcome<()> {
        if self.free_count >= count {
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
    }
}

/// The tables of the megablocks of a reserved range, without a look at their headers.
#[derive(Clone, Copy)]
pub struct Directory {
    base: usize,
    bytes: usize,
    rows: *mut Row,
}

type Row = [usize; TABLE_KINDS];

impl Directory {
    /// Of no range: the header has to be asked.
    pub const NONE: Directory = Directory { base: 0, bytes: 0, rows: std::ptr::null_mut() };

    #[inline(always)]
    fn row(self, at: Addr) -> Option<*mut Row> {
        let offset = at.0.wrapping_sub(self.base);
        (offset < self.bytes).then(|| self.rows.wrapping_add(offset >> LOG_MEGABLOCK_BYTES))
    }

    /// The address of a table's entry for an address, or `None` where the megablock has no such table.
    ///
    /// # Safety
    /// As for `entry`; the tables have not been dropped since the directory was asked for.
    #[inline(always)]
    pub unsafe fn entry(self, table: Table, at: Addr) -> Option<Addr> {
        let base = match self.row(at) {
            // SAFETY: there is a row for each megablock of the range while tables are on.
            Some(row) => unsafe { (*row)[table as usize] },
            // SAFETY: the caller's promise: the megablock has a header.
            None => unsafe { at.align_down(MEGABLOCK_BYTES).plus_bytes(table.header_offset()).load() },
        };
        in_table(base, table, at)
    }

    /// A megablock that begins a group has no table of this kind any more.
    pub(super) fn forget(self, table: Table, megablock: Addr) {
        // SAFETY: it has a header, and a row if it lies in the range, which only this thread uses.
        unsafe {
            (*megablock.as_ptr::<Header>()).side[table as usize] = 0;
            if let Some(row) = self.row(megablock) {
                (*row)[table as usize] = 0;
            }
        }
    }

    /// The addresses of the biography and the mark of what lies at an address, which may be any word: `None` where the range
    /// ends, and where one of them is missing.
    #[inline(always)]
    pub fn lives(self, at: Addr) -> Option<(Addr, Addr)> {
        // SAFETY: there is a row for each megablock of the range while tables are on.
        let row = unsafe { *self.row(at)? };
        let (words, marks) = (row[Table::Biography as usize], row[Table::Mark as usize]);
        if words == 0 || marks == 0 {
            return None;
        }
        let granule = (at.0 & (MEGABLOCK_BYTES - 1)) >> LOG_GRANULE_BYTES;
        Some((Addr(words + (granule << Table::Biography.log_entry_bytes())), Addr(marks + granule)))
    }
}

/// The side tables of one heap.
pub struct SideTables {
    /// Memory of the directory, while a table is on in a heap with a range; and the range.
    rows: Option<Area>,
    range: (Addr, usize),
    kinds: [TableKind; TABLE_KINDS],
}

impl SideTables {
    pub const fn new() -> SideTables {
        SideTables {
            rows: None,
            range: (Addr::NULL, 0),
            kinds: [
                TableKind::new(Table::Biography),
                TableKind::new(Table::Producer),
                TableKind::new(Table::Cell),
                TableKind::new(Table::Mark),
            ],
        }
    }

    pub fn is_on(&self, table: Table) -> bool {
        self.kinds[table as usize].on
    }

    pub fn any_on(&self) -> bool {
        self.kinds.iter().any(|kind| kind.on)
    }

    /// Whether a megablock could not have its table since the last time that this was asked.
    pub fn take_starved(&mut self) -> bool {
        TABLES.into_iter().fold(false, |any, table| any | self.take_starved_of(table))
    }

    /// The same, for the tables of one kind.
    pub fn take_starved_of(&mut self, table: Table) -> bool {
        std::mem::take(&mut self.kinds[table as usize].starved)
    }

    /// Bytes of tables that are mapped. Pages that nobody wrote cost nothing, and so does the directory: 32 bytes for each
    /// megablock.
    pub fn bytes(&self) -> usize {
        self.kinds.iter().flat_map(|kind| kind.slabs.iter()).map(Area::bytes).sum()
    }

    pub fn touched_bytes(&self) -> usize {
        let slabs = self.kinds.iter().flat_map(|kind| kind.slabs.iter());
        slabs.chain(self.rows.iter()).map(|slab| usage::touched_bytes(slab.start(), slab.bytes())).sum()
    }

    /// `promise`, for the tables: a collection does not map any.
    pub(super) fn hold(&mut self, count: usize) {
        for kind in self.kinds.iter_mut().filter(|kind| kind.on) {
            if kind.hold(count).is_err() {
                kind.starved = true;
            }
        }
    }

    /// Makes room for the tables of `count` megablocks in this range, if they are in one. The caller attaches them.
    pub(super) fn turn_on(
        &mut self,
        table: Table,
        count: usize,
        range: Option<(Addr, usize)>,
    ) -> Outcome<()> {
        if let (None, Some((start, bytes))) = (&self.rows, range) {
            let rows = Area::map((bytes >> LOG_MEGABLOCK_BYTES) * size_of::<Row>());
            let refused =
                || Failure::no_memory(format_args!("no memory for the directory of the side tables"));
            (self.rows, self.range) = (Some(rows.ok_or_else(refused)?), (start, bytes));
        }
        let kind = &mut self.kinds[table as usize];
        let held = kind.hold(count);
        kind.on = held.is_ok();
        self.drop_unused_rows();
        held
    }

    /// Unmaps the tables; no header may name one any more.
    pub(super) fn turn_off(&mut self, table: Table) {
        self.kinds[table as usize].drop_all();
        self.drop_unused_rows();
    }

    fn drop_unused_rows(&mut self) {
        if !self.any_on() {
            self.rows = None;
        }
    }

    pub fn directory(&self) -> Directory {
        match &self.rows {
            Some(rows) => {
                Directory { base: self.range.0.0, bytes: self.range.1, rows: rows.start().as_ptr() }
            }
            None => Directory::NONE,
        }
    }

    /// Gives a megablock with a new header its tables.
    pub(super) fn attach(&mut self, megablock: Addr, only: Option<Table>) {
        let row = self.directory().row(megablock);
        for kind in self.kinds.iter_mut().filter(|kind| kind.on) {
            if only.is_some_and(|only| only != kind.table) {
                continue;
            }
            if kind.free_count == 0 && kind.hold(1).is_err() {
                kind.starved = true;
                continue;
            }
            if let Some(table) = kind.pop_free() {
                // SAFETY: the megablock is taken and has a header, which only this thread uses.
                unsafe { (*megablock.as_ptr::<Header>()).side[kind.table as usize] = table.0 };
                if let Some(row) = row {
                    // SAFETY: rows are writable for each megablock of the range.
                    unsafe { (*row)[kind.table as usize] = table.0 };
                }
            }
        }
    }

    /// Takes the tables of a megablock that begins a group and goes.
    pub(super) fn detach(&mut self, megablock: Addr) {
        if let Some(row) = self.directory().row(megablock) {
            // SAFETY: rows are writable for each megablock of the range.
            unsafe { *row = [0; TABLE_KINDS] };
        }
        for kind in self.kinds.iter_mut().filter(|kind| kind.on) {
            // SAFETY: as for `attach`.
            let header = unsafe { &mut *megablock.as_ptr::<Header>() };
            let table = std::mem::take(&mut header.side[kind.table as usize]);
            if table != 0 {
                kind.push_free(Addr(table));
            }
        }
    }

    /// Gives the memory of free tables back, but for `keep` of each kind.
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
                        // SAFETY: nobody needs what a free table holds, except for its link, which is put back.
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
pub unsafe fn entry(table: Table, at: Addr) -> Option<Addr> {
    // SAFETY: the caller's promise.
    unsafe { Directory::NONE.entry(table, at) }
}

#[inline(always)]
fn in_table(base: usize, table: Table, at: Addr) -> Option<Addr> {
    let granule = (at.0 & (MEGABLOCK_BYTES - 1)) >> LOG_GRANULE_BYTES;
    (base != 0).then(|| Addr(base + (granule << table.log_entry_bytes())))
}
