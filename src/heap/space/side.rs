//! Entries of the side tables, by object: read, written, carried along, cleared where new objects come.
//!
//! Everything here may be asked while a table is off: entries then read as 0, and writes are lost. Objects that the
//! collector copies get the entry of the old place, whatever it is; new ones begin with zero, since memory from which
//! mutators allocate is cleared in the tables when it is handed out [heap.side.clear].

use crate::base::Addr;
use crate::base::size::*;
use crate::megablock::side::{LOG_GRANULE_BYTES, entry};
use std::sync::atomic::{AtomicU32, Ordering};

pub(crate) use crate::heap::space::sides::{Lifetimes, Sides};
pub(crate) use crate::megablock::side::{TABLES, Table};

/// `Sides::biography`, by the header.
///
/// # Safety
/// As for `Sides::biography`, here and in the functions below.
pub(crate) unsafe fn biography(object: Addr) -> u64 {
    // SAFETY: the caller's promise.
    unsafe { Sides::BY_HEADERS.biography(object) }
}

/// # Safety
/// As for `biography`.
pub(crate) unsafe fn set_biography(object: Addr, word: u64) {
    // SAFETY: the caller's promise.
    unsafe { Sides::BY_HEADERS.set_biography(object, word) }
}

/// The address of the entry of the biography, if there is one.
///
/// # Safety
/// As for `biography`.
pub(crate) unsafe fn biography_entry(object: Addr) -> Option<Addr> {
    // SAFETY: as for `biography`.
    unsafe { entry(Table::Biography, object) }
}

/// # Safety
/// As for `biography`.
#[inline(always)]
pub(crate) unsafe fn number(table: Table, object: Addr) -> u32 {
    // SAFETY: the caller's promise.
    unsafe { Sides::BY_HEADERS.number(table, object) }
}

/// # Safety
/// As for `biography`.
#[inline(always)]
pub(crate) unsafe fn set_number(table: Table, object: Addr, number: u32) {
    // SAFETY: the caller's promise.
    unsafe { Sides::BY_HEADERS.set_number(table, object, number) }
}

/// A table of numbers, for many objects of one megablock. The entry of an object at p is number p / 16 from `base` on,
/// wrapping.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct Entries {
    base: usize,
}

impl Entries {
    pub(crate) const NONE: Entries = Entries { base: 0 };

    #[inline(always)]
    fn at(self, object: Addr) -> *mut u32 {
        Addr(self.base).as_ptr::<u32>().wrapping_add(object.0 >> LOG_GRANULE_BYTES)
    }

    /// # Safety
    /// The object lies in the megablock that was asked for, whose table is still on.
    #[inline(always)]
    pub(crate) unsafe fn number(self, object: Addr) -> u32 {
        // SAFETY: the caller's promise.
        unsafe { AtomicU32::from_ptr(self.at(object)) }.load(Ordering::Relaxed)
    }

    /// # Safety
    /// As for `number`.
    #[inline(always)]
    pub(crate) unsafe fn set(self, object: Addr, number: u32) {
        // SAFETY: the caller's promise.
        unsafe { AtomicU32::from_ptr(self.at(object)) }.store(number, Ordering::Relaxed);
    }
}

/// The table of the megablock that an address is in, if it has one.
///
/// # Safety
/// As for `biography`.
pub(crate) unsafe fn entries_of(table: Table, within: Addr) -> Option<Entries> {
    debug_assert!(table.has_numbers());
    let megablock = Addr(within.0 & !(MEGABLOCK_BYTES - 1));
    // SAFETY: the caller's promise: the megablock has a header, and its first entry is that of its first byte.
    let first = unsafe { entry(table, megablock) }?;
    Some(Entries { base: first.0.wrapping_sub((megablock.0 >> LOG_GRANULE_BYTES) * size_of::<u32>()) })
}

/// The tables that are on, looked up once for a collection.
#[derive(Clone, Copy)]
pub struct Carried {
    pub sides: Sides,
    pub(super) biography: bool,
    pub(super) numbers: [bool; 2],
}

pub(super) const NUMBERS: [Table; 2] = [Table::Producer, Table::Cell];

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

    /// Writes at an object's new place its entries at the old one; gives its producer, 0 where there is none.
    ///
    /// # Safety
    /// As for `biography`, for both places.
    #[inline(always)]
    pub unsafe fn carry(self, from: Addr, to: Addr) -> u32 {
        let sides = self.sides;
        // SAFETY: the caller's promise.
        unsafe {
            if from == to {
                // Nothing is written: pages that nobody wrote yet cost nothing.
                return if self.numbers[0] { sides.number(NUMBERS[0], to) } else { 0 };
            }
            if self.biography {
                sides.set_biography(to, sides.biography(from));
            }
            let [made_by, _] = std::array::from_fn(|i| {
                if planted!(37, self.numbers[i] && i > 0, self.numbers[i]) {
                    sides.carry_number(NUMBERS[i], from, to)
                } else {
                    0
                }
            });
            made_by
        }
    }
}

/// Writes the same number for every place in a part of a megablock at which an object may begin.
///
/// # Safety
/// As for `biography`; the part lies in one megablock.
pub(crate) unsafe fn fill(table: Table, from: Addr, bytes: usize, number: u32) {
    debug_assert!(table.has_numbers());
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
pub(super) unsafe fn clear_part(from: Addr, bytes: usize, tables: &[Table]) {
    if bytes == 0 {
        return;
    }
    for &table in tables {
        // SAFETY: the caller's promise. Entries of one megablock lie side by side.
        unsafe {
            if let Some(first) = entry(table, from) {
                let granules = bytes.div_ceil(1 << LOG_GRANULE_BYTES);
                first.as_ptr::<u8>().write_bytes(0, granules << table.log_entry_bytes());
            }
        }
    }
}
