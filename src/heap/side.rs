//! Entries of the side tables, by object: read, written, carried along, cleared where new objects come.
//!
//! Everything here may be asked while a table is off: it then reads as 0 and forgets what is written. Objects that the
//! collector copies get the entry of the old place, whatever it is; new ones begin with zero, since memory from which
//! mutators allocate is cleared in the tables when it is handed out [heap.side.clear].

use super::store::Store;
use crate::base::size::*;
use crate::base::{Addr, Outcome};
use crate::block::Block;
use crate::megablock::side::{LOG_GRANULE_BYTES, entry};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

pub use crate::megablock::side::{TABLES, Table};

/// Reads an entry of the biography.
///
/// # Safety
/// `object` is an object of a heap, or lay in one of its blocks until the collection that is running: so for every
/// function here.
#[inline(always)]
pub unsafe fn biography(object: Addr) -> u64 {
    // SAFETY: objects lie in megablocks with a header.
    match unsafe { entry(Table::Biography, object) } {
        // SAFETY: an entry of a mapped table; compiled code of other threads may stamp it meanwhile.
        Some(at) => unsafe { AtomicU64::from_ptr(at.as_ptr()) }.load(Ordering::Relaxed),
        None => 0,
    }
}

/// # Safety
/// As for `biography`.
#[inline(always)]
pub unsafe fn set_biography(object: Addr, word: u64) {
    // SAFETY: as for `biography`.
    unsafe {
        if let Some(at) = entry(Table::Biography, object) {
            AtomicU64::from_ptr(at.as_ptr()).store(word, Ordering::Relaxed);
        }
    }
}

/// Where the entry of the biography lies, if there is one.
///
/// # Safety
/// As for `biography`.
pub unsafe fn biography_entry(object: Addr) -> Option<Addr> {
    // SAFETY: as for `biography`.
    unsafe { entry(Table::Biography, object) }
}

/// Replaces `old` by `new`; false when something else was there, or no table.
///
/// # Safety
/// As for `biography`.
#[inline(always)]
pub unsafe fn exchange_biography(object: Addr, old: u64, new: u64) -> bool {
    // SAFETY: as for `biography`.
    match unsafe { entry(Table::Biography, object) } {
        Some(at) => {
            // SAFETY: as above.
            let word = unsafe { AtomicU64::from_ptr(at.as_ptr()) };
            word.compare_exchange(old, new, Ordering::AcqRel, Ordering::Relaxed).is_ok()
        }
        None => false,
    }
}

/// Reads an entry of one of the tables of numbers: producer or cell.
///
/// # Safety
/// As for `biography`.
#[inline(always)]
pub unsafe fn number(table: Table, object: Addr) -> u32 {
    debug_assert!(table != Table::Biography);
    // SAFETY: as for `biography`.
    match unsafe { entry(table, object) } {
        // SAFETY: as for `biography`.
        Some(at) => unsafe { AtomicU32::from_ptr(at.as_ptr()) }.load(Ordering::Relaxed),
        None => 0,
    }
}

/// # Safety
/// As for `biography`.
#[inline(always)]
pub unsafe fn set_number(table: Table, object: Addr, number: u32) {
    debug_assert!(table != Table::Biography);
    // SAFETY: as for `biography`.
    unsafe {
        if let Some(at) = entry(table, object) {
            AtomicU32::from_ptr(at.as_ptr()).store(number, Ordering::Relaxed);
        }
    }
}

/// Writes at an object's new place the number of its old one, and gives it: 0 where the new place has no entry.
///
/// # Safety
/// As for `biography`, for both places.
#[inline(always)]
pub unsafe fn carry_number(table: Table, from: Addr, to: Addr) -> u32 {
    // SAFETY: the caller's promise.
    unsafe {
        let number = number(table, from);
        match entry(table, to) {
            Some(at) => {
                AtomicU32::from_ptr(at.as_ptr()).store(number, Ordering::Relaxed);
                number
            }
            None => 0,
        }
    }
}

/// A table of numbers, for many objects of one megablock. The entry of an object at p is number p / 16 from `base` on,
/// wrapping.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Entries {
    base: usize,
}

impl Entries {
    pub const NONE: Entries = Entries { base: 0 };

    #[inline(always)]
    fn at(self, object: Addr) -> *mut u32 {
        Addr(self.base).as_ptr::<u32>().wrapping_add(object.0 >> LOG_GRANULE_BYTES)
    }

    /// # Safety
    /// The object lies in the megablock that was asked for, whose table is still on.
    #[inline(always)]
    pub unsafe fn number(self, object: Addr) -> u32 {
        // SAFETY: the caller's promise.
        unsafe { AtomicU32::from_ptr(self.at(object)) }.load(Ordering::Relaxed)
    }

    /// # Safety
    /// As for `number`.
    #[inline(always)]
    pub unsafe fn set(self, object: Addr, number: u32) {
        // SAFETY: the caller's promise.
        unsafe { AtomicU32::from_ptr(self.at(object)) }.store(number, Ordering::Relaxed);
    }
}

/// The table of the megablock that an address is in, if it has one.
///
/// # Safety
/// As for `biography`.
pub unsafe fn entries_of(table: Table, within: Addr) -> Option<Entries> {
    debug_assert!(table != Table::Biography);
    let megablock = Addr(within.0 & !(MEGABLOCK_BYTES - 1));
    // SAFETY: the caller's promise: the megablock has a header, and its first entry is that of its first byte.
    let first = unsafe { entry(table, megablock) }?;
    Some(Entries { base: first.0.wrapping_sub((megablock.0 >> LOG_GRANULE_BYTES) * size_of::<u32>()) })
}

/// Which tables are on, looked up once for a collection.
#[derive(Clone, Copy, Default)]
pub struct Carried {
    biography: bool,
    numbers: [bool; 2],
}

const NUMBERS: [Table; 2] = [Table::Producer, Table::Cell];

impl Carried {
    pub fn any(self) -> bool {
        self.biography || self.numbers[0] || self.numbers[1]
    }

    /// Whether this table is on, which has numbers, and no other.
    pub fn is_only(self, table: Table) -> bool {
        !self.biography && NUMBERS.into_iter().zip(self.numbers).all(|(other, on)| on == (other == table))
    }

    pub fn but_biography(self) -> Carried {
        Carried { biography: false, ..self }
    }

    /// Writes at an object's new place what the tables have at its old one.
    ///
    /// # Safety
    /// As for `biography`, for both places.
    #[inline(always)]
    pub unsafe fn carry(self, from: Addr, to: Addr) {
        // SAFETY: the caller's promise.
        unsafe {
            if self.biography
                && let Some(at) = entry(Table::Biography, to)
            {
                AtomicU64::from_ptr(at.as_ptr()).store(biography(from), Ordering::Relaxed);
            }
            for (table, on) in NUMBERS.into_iter().zip(self.numbers) {
                if on && let Some(at) = entry(table, to) {
                    AtomicU32::from_ptr(at.as_ptr()).store(number(table, from), Ordering::Relaxed);
                }
            }
        }
    }
}

/// Writes the same number for every place in a part of a megablock at which an object may begin.
///
/// # Safety
/// As for `biography`; the part lies in one megablock.
pub unsafe fn fill(table: Table, from: Addr, bytes: usize, number: u32) {
    debug_assert!(table != Table::Biography);
    // SAFETY: the caller's promise. Entries of one megablock lie side by side.
    unsafe {
        if let Some(first) = entry(table, from) {
            // The part may begin in the middle of 16 bytes; the object at its beginning has their entry.
            let last = (from.0 + bytes - 1) >> LOG_GRANULE_BYTES;
            let granules = last - (from.0 >> LOG_GRANULE_BYTES) + 1;
            std::slice::from_raw_parts_mut(first.as_ptr::<u32>(), granules).fill(number);
        }
    }
}

/// Makes the entries of a part of a megablock 0.
///
/// # Safety
/// As for `biography`; the part lies in one megablock, or in the block at the beginning of a spanning group.
unsafe fn clear_part(from: Addr, bytes: usize) {
    if bytes == 0 {
        return;
    }
    for table in TABLES {
        // SAFETY: the caller's promise. Entries of one megablock lie side by side.
        unsafe {
            if let Some(first) = entry(table, from) {
                let granules = bytes.div_ceil(1 << LOG_GRANULE_BYTES);
                first.as_ptr::<u8>().write_bytes(0, granules << table.log_entry_bytes());
            }
        }
    }
}

impl Store {
    /// Gives every object an entry of 0 in a table. Nothing changes when it fails.
    pub fn turn_side_table_on(&mut self, table: Table) -> Outcome<()> {
        self.blocks.megablocks.turn_side_table_on(table)
    }

    pub fn turn_side_table_off(&mut self, table: Table) {
        self.blocks.megablocks.turn_side_table_off(table);
    }

    pub fn side_table_is_on(&self, table: Table) -> bool {
        self.blocks.megablocks.side.is_on(table)
    }

    /// What has to be carried along with objects now.
    pub fn carried(&self) -> Carried {
        let on = |table| self.side_table_is_on(table);
        Carried { biography: on(Table::Biography), numbers: NUMBERS.map(on) }
    }

    pub fn side_table_bytes(&self) -> usize {
        self.blocks.megablocks.side.bytes()
    }

    /// New objects will be made in a part of a group of blocks.
    #[inline]
    pub fn clear_sides(&self, from: Addr, to: Addr) {
        if self.blocks.megablocks.side.any_on() {
            // SAFETY: the callers hand in a part of a group inside one megablock.
            unsafe { clear_part(from, to.bytes_since(from)) };
        }
    }

    /// One new object will be made here; the rest of its group is no object's beginning.
    #[inline]
    pub fn clear_side(&self, object: Addr) {
        if self.blocks.megablocks.side.any_on() {
            debug_assert!(!Block::of(object).is_null());
            // SAFETY: objects begin in megablocks with a header.
            unsafe { clear_part(object, 2 * WORD_BYTES) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::flags::Flags;
    use crate::heap::Tags;
    use crate::os::limits::limits;

    fn store(line: &str) -> Store {
        let flags = Flags::parse(line).unwrap();
        Store::new(&flags, &limits(), Tags::checked(0, 0, 0, 8).unwrap(), 8).unwrap()
    }

    #[test]
    fn entries_are_as_many_as_objects() {
        for source in ["--source=range -xr1g", "--source=chunks"] {
            let mut store = store(source);
            let group = store.blocks.alloc_group(16).unwrap();
            let at = |i: usize| group.start().plus_words(2 * i);
            // SAFETY: the addresses lie in a group of ours.
            unsafe {
                set_biography(at(1), 7);
                assert_eq!(biography(at(1)), 0);
                for table in TABLES {
                    store.turn_side_table_on(table).unwrap();
                }
                for i in 0..200 {
                    set_biography(at(i), 1000 + i as u64);
                    set_number(Table::Producer, at(i), 2000 + i as u32);
                    set_number(Table::Cell, at(i), 3000 + i as u32);
                }
                store.carried().carry(at(3), at(300));
                assert!(exchange_biography(at(3), 1003, 5) && !exchange_biography(at(3), 1003, 6));
                store.clear_sides(at(10), at(20));
                assert_eq!((biography(at(300)), number(Table::Cell, at(300))), (1003, 3003));
                assert_eq!((biography(at(9)), biography(at(10)), biography(at(19))), (1009, 0, 0));
                assert_eq!((number(Table::Producer, at(19)), number(Table::Producer, at(20))), (0, 2020));
            }
            // A spanning group's object has an entry, and groups made later have theirs.
            let spanning = store.blocks.alloc_group(600).unwrap();
            // SAFETY: as above.
            unsafe {
                set_number(Table::Producer, spanning.start(), 9);
                assert_eq!(number(Table::Producer, spanning.start()), 9);
            }
            store.blocks.free_group(spanning);
            assert!(!store.blocks.megablocks.side.take_starved());
            store.turn_side_table_off(Table::Producer);
            // SAFETY: as above.
            unsafe {
                assert_eq!((number(Table::Producer, at(1)), number(Table::Cell, at(1))), (0, 3001));
            }
            store.turn_side_table_off(Table::Biography);
            store.turn_side_table_off(Table::Cell);
            assert_eq!(store.side_table_bytes(), 0);
        }
    }

    #[test]
    fn many_megablocks_come_and_go() {
        let mut store = store("--source=range -xr1g");
        store.turn_side_table_on(Table::Biography).unwrap();
        let mut groups = Vec::new();
        for round in 0..5u64 {
            for i in 0..60 {
                let group = store.blocks.alloc_group(1 + (i * 37 + round as usize) % 700).unwrap();
                // SAFETY: the group is ours.
                unsafe { set_biography(group.start(), round * 100 + i as u64) };
                groups.push((group, round * 100 + i as u64));
            }
            for (group, word) in &groups {
                // SAFETY: as above.
                assert_eq!(unsafe { biography(group.start()) }, *word);
            }
            groups.retain(|(group, word)| {
                let stays = word % 3 == 0;
                if !stays {
                    store.blocks.free_group(*group);
                }
                stays
            });
            store.blocks.megablocks.release_above(3);
        }
        assert!(!store.blocks.megablocks.side.take_starved());
    }
}
