//! The directory of side tables: the addresses of entries, for code that asks often.
//!
//! Headers are a megablock apart, so they all want the same few lines of the caches. In a heap with a range,
//! the tables of a kind are one piece, with an entry for each 16 bytes of the range, and no header has to be
//! read. Marks are one piece in every heap that has any.

use super::Header;
use super::side::{LOG_GRANULE_BYTES, TABLE_KINDS, Table};
use crate::base::Addr;
use crate::base::size::MEGABLOCK_BYTES;
use std::ptr::NonNull;

/// The tables that are one piece, and the marks, which are a byte for each 16 bytes of all addresses.
#[derive(Clone, Copy)]
pub struct Directory {
    base: usize,
    bytes: usize,
    /// Address of the entry of the range's first byte; null for a table that is off, or in parts.
    pieces: [Addr; TABLE_KINDS],
    marks: *mut u8,
}

impl Directory {
    /// The directory without a range: entries are found by headers.
    pub const NONE: Directory =
        Directory { base: 0, bytes: 0, pieces: [Addr::NULL; TABLE_KINDS], marks: std::ptr::null_mut() };

    pub(super) fn new(
        (base, bytes): (Addr, usize),
        pieces: [Option<Addr>; TABLE_KINDS],
        marks: Option<Addr>,
    ) -> Directory {
        let marks: *mut u8 = marks.map_or(std::ptr::null_mut(), Addr::as_ptr);
        Directory { base: base.0, bytes, pieces: pieces.map(|piece| piece.unwrap_or(Addr::NULL)), marks }
    }

    /// The entry of any word, in a table of one piece: `None` for other tables, and outside the range.
    #[inline(always)]
    pub fn entry_in_range(self, table: Table, at: Addr) -> Option<Addr> {
        let (offset, piece) = (at.0.wrapping_sub(self.base), self.pieces[table as usize]);
        let entry = Addr(piece.0.wrapping_add(offset >> LOG_GRANULE_BYTES << table.log_entry_bytes()));
        (offset < self.bytes && !piece.is_null()).then_some(entry)
    }

    /// The address of a table's entry for an address, or `None` where the megablock has no such table.
    ///
    /// # Safety
    /// As for `side::entry`; the tables have not been dropped since the directory was made.
    #[inline(always)]
    pub unsafe fn entry(self, table: Table, at: Addr) -> Option<Addr> {
        if let Some(entry) = self.entry_in_range(table, at) {
            return Some(entry);
        }
        // SAFETY: the caller's promise: the megablock has a header.
        unsafe { entry_by_header(table, at) }
    }

    /// The addresses that the biography entry and the mark of address 0 would have, if the range has both in
    /// one piece.
    pub fn lives(self) -> Option<(usize, usize)> {
        let words = self.pieces[Table::Biography as usize];
        (self.has_marks() && !words.is_null()).then(|| {
            let before = self.base >> LOG_GRANULE_BYTES << Table::Biography.log_entry_bytes();
            (words.0.wrapping_sub(before), self.marks as usize)
        })
    }

    pub fn has_marks(self) -> bool {
        !self.marks.is_null()
    }

    /// The address of the mark for an address, if there are marks.
    #[inline(always)]
    pub fn mark(self, at: Addr) -> Option<NonNull<u8>> {
        if self.has_marks() { NonNull::new(self.marks.wrapping_add(at.0 >> LOG_GRANULE_BYTES)) } else { None }
    }

    /// The marks of objects that lie in a part of the heap, one for each 16 bytes. Where the part ends amidst 16 bytes, their mark is
    /// that of the object behind it, since no object is smaller.
    #[inline(always)]
    pub fn marks(self, from: Addr, bytes: usize) -> Option<NonNull<[u8]>> {
        let first = self.mark(from)?;
        let granule = |at: usize| at >> LOG_GRANULE_BYTES;
        let count =
            planted!(543, bytes.div_ceil(1 << LOG_GRANULE_BYTES), granule(from.0 + bytes) - granule(from.0));
        Some(NonNull::slice_from_raw_parts(first, count))
    }
}

#[cold]
#[inline(never)]
unsafe fn entry_by_header(table: Table, at: Addr) -> Option<Addr> {
    let megablock = at.align_down(MEGABLOCK_BYTES);
    // SAFETY: the caller's promise.
    let base = unsafe { (*megablock.as_ptr::<Header>()).side[table as usize] };
    let granule = at.bytes_since(megablock) >> LOG_GRANULE_BYTES;
    (base != 0).then(|| Addr(base + (granule << table.log_entry_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::size::{MIN_OBJECT_WORDS, WORD_BYTES};

    /// Objects may begin and end at any word.
    #[test]
    fn marks_of_a_part_are_those_of_its_objects() {
        let directory = Directory::new((Addr::NULL, 0), [None; TABLE_KINDS], Some(Addr(1 << 40)));
        for (first, words) in (0..4).flat_map(|first| (MIN_OBJECT_WORDS..12).map(move |words| (first, words)))
        {
            let from = Addr(1 << 20).plus_words(first);
            let marks = directory.marks(from, words * WORD_BYTES).unwrap();
            let start = marks.cast::<u8>().as_ptr() as usize;
            let is_in = |at: Addr| {
                let mark = directory.mark(at).unwrap().as_ptr() as usize;
                (start..start + marks.len()).contains(&mark)
            };
            assert!(
                (0..=words - MIN_OBJECT_WORDS).all(|word| is_in(from.plus_words(word))),
                "{first} {words}"
            );
            assert!(!is_in(from.plus_words(words)), "behind {first} {words}");
            assert!(!is_in(Addr(from.0 - MIN_OBJECT_WORDS * WORD_BYTES)), "before {first} {words}");
        }
    }
}
