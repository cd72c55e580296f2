//! One object's entries in the side tables: where they are, by headers or by the directory, and what is in them.
//!
//! They are atomic, since compiled code of other threads may mark uses meanwhile.

use crate::base::Addr;
use crate::megablock::side::{Directory, Table};
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering};

/// Whether an object was used in this era, as far as that is known without its biography.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(transparent)]
pub struct Mark(u8);

impl Mark {
    /// No collection has met it and nobody has used it; or there is no table of marks.
    pub const NONE: Mark = Mark(0);
    /// Used in this era. Its biography need not say so yet.
    pub const USED: Mark = Mark(1);
    /// A collection has met it, and nobody has used it in this era: the first use has to be booked.
    pub const MET: Mark = Mark(2);
}

/// A way to the entries of objects: by the headers of megablocks, or, for whoever asks often, by their directory.
#[derive(Clone, Copy)]
pub struct Sides(Directory);

impl Sides {
    pub const BY_HEADERS: Sides = Sides(Directory::NONE);

    pub const fn by(directory: Directory) -> Sides {
        Sides(directory)
    }

    /// Reads an entry of the biography.
    ///
    /// # Safety
    /// `object` is an object of a heap, or lay in one of its blocks until the collection that is running: so for every
    /// function here. A directory is the heap's, and no table was dropped since it was asked for.
    #[inline(always)]
    pub unsafe fn biography(self, object: Addr) -> u64 {
        // SAFETY: objects lie in megablocks with a header.
        match unsafe { self.0.entry(Table::Biography, object) } {
            // SAFETY: an entry of a mapped table; compiled code of other threads may stamp it meanwhile.
            Some(at) => unsafe { AtomicU64::from_ptr(at.as_ptr()) }.load(Ordering::Relaxed),
            None => 0,
        }
    }

    /// # Safety
    /// As for `biography`.
    #[inline(always)]
    pub unsafe fn set_biography(self, object: Addr, word: u64) {
        // SAFETY: as for `biography`.
        unsafe {
            if let Some(at) = self.0.entry(Table::Biography, object) {
                AtomicU64::from_ptr(at.as_ptr()).store(word, Ordering::Relaxed);
            }
        }
    }

    /// # Safety
    /// As for `biography`.
    #[inline(always)]
    pub unsafe fn mark(self, object: Addr) -> Mark {
        // SAFETY: as for `biography`.
        match unsafe { self.0.entry(Table::Mark, object) } {
            // SAFETY: as for `biography`.
            Some(at) => Mark(unsafe { AtomicU8::from_ptr(at.as_ptr()) }.load(Ordering::Relaxed)),
            None => Mark::NONE,
        }
    }

    /// # Safety
    /// As for `biography`.
    #[inline(always)]
    pub unsafe fn set_mark(self, object: Addr, mark: Mark) {
        // SAFETY: as for `biography`.
        unsafe {
            if let Some(at) = self.0.entry(Table::Mark, object) {
                AtomicU8::from_ptr(at.as_ptr()).store(mark.0, Ordering::Relaxed);
            }
        }
    }

    /// Reads an entry of one of the tables of numbers: producer or cell.
    ///
    /// # Safety
    /// As for `biography`.
    #[inline(always)]
    pub unsafe fn number(self, table: Table, object: Addr) -> u32 {
        debug_assert!(table.has_numbers());
        // SAFETY: as for `biography`.
        match unsafe { self.0.entry(table, object) } {
            // SAFETY: as for `biography`.
            Some(at) => unsafe { AtomicU32::from_ptr(at.as_ptr()) }.load(Ordering::Relaxed),
            None => 0,
        }
    }

    /// # Safety
    /// As for `biography`.
    #[inline(always)]
    pub unsafe fn set_number(self, table: Table, object: Addr, number: u32) {
        debug_assert!(table.has_numbers());
        // SAFETY: as for `biography`.
        unsafe {
            if let Some(at) = self.0.entry(table, object) {
                AtomicU32::from_ptr(at.as_ptr()).store(number, Ordering::Relaxed);
            }
        }
    }

    /// Writes at an object's new place the number of its old one, and gives it: 0 where the new place has no entry.
    ///
    /// # Safety
    /// As for `biography`, for both places.
    #[inline(always)]
    pub unsafe fn carry_number(self, table: Table, from: Addr, to: Addr) -> u32 {
        // SAFETY: the caller's promise.
        unsafe {
            let number = self.number(table, from);
            match self.0.entry(table, to) {
                Some(at) => {
                    AtomicU32::from_ptr(at.as_ptr()).store(number, Ordering::Relaxed);
                    number
                }
                None => 0,
            }
        }
    }

    /// Fetches what `biography` and `mark` read into the cache, if an object of the range lies there.
    #[inline(always)]
    pub fn prefetch_life(self, at: Addr) {
        if let Some((word, mark)) = self.0.lives(at) {
            word.prefetch();
            mark.prefetch();
        }
    }

    /// What `biography` and `mark` give for one place becomes what `next` makes of it at another, in one step. Gives the word.
    ///
    /// # Safety
    /// As for `biography`, for both places.
    #[inline(always)]
    pub unsafe fn carry_life(self, from: Addr, to: Addr, next: impl Fn(u64, Mark) -> (u64, Mark)) -> u64 {
        // SAFETY: the caller's promise.
        unsafe {
            if let (Some((word, mark)), Some((new_word, new_mark))) = (self.0.lives(from), self.0.lives(to)) {
                let word = AtomicU64::from_ptr(word.as_ptr()).load(Ordering::Relaxed);
                let mark = AtomicU8::from_ptr(mark.as_ptr()).load(Ordering::Relaxed);
                let (word, mark) = next(word, Mark(mark));
                AtomicU64::from_ptr(new_word.as_ptr()).store(word, Ordering::Relaxed);
                AtomicU8::from_ptr(new_mark.as_ptr()).store(mark.0, Ordering::Relaxed);
                return word;
            }
            let (word, mark) = next(self.biography(from), self.mark(from));
            self.set_mark(to, mark);
            self.set_biography(to, word);
            word
        }
    }
}
