//! One object's entries in the side tables: their places, by headers or by the directory, and their contents.
//!
//! Entries are atomic, since compiled code of other threads may mark uses meanwhile. A mark says that the object that
//! begins in these 16 bytes was used, not where it begins there [heap.side.mark].

use crate::base::Addr;
use crate::megablock::side::{Directory, LOG_GRANULE_BYTES, Table};
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering};

const UNUSED: u8 = 0;

/// # Safety
/// A byte of the marks. Compiled code of other threads may write it meanwhile.
#[inline(always)]
unsafe fn take_mark(mark: *mut u8) -> bool {
    // SAFETY: the caller's promise.
    let mark = unsafe { AtomicU8::from_ptr(mark) };
    let is_used = mark.load(Ordering::Relaxed) != UNUSED;
    if planted!(74, false, is_used) {
        mark.store(UNUSED, Ordering::Relaxed);
    }
    is_used
}

/// A way to the entries of objects: by the headers of megablocks, or, for many questions, by their directory.
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

    /// Prefetches the entry for `biography`, where it is found without a look at any header.
    #[inline(always)]
    pub fn prefetch_biography(self, object: Addr) {
        if let Some(entry) = self.0.entry_in_range(Table::Biography, object) {
            entry.prefetch();
        }
    }

    pub fn has_marks(self) -> bool {
        self.0.has_marks()
    }

    /// Whether compiled code has marked a use of an object; then it is not marked any more.
    ///
    /// # Safety
    /// As for `biography`.
    #[inline(always)]
    pub unsafe fn take_use(self, object: Addr) -> bool {
        // SAFETY: a byte of the marks.
        self.0.mark(object).is_some_and(|mark| unsafe { take_mark(mark.as_ptr()) })
    }

    /// As `take_use`, and the mark stays.
    ///
    /// # Safety
    /// As for `biography`.
    pub unsafe fn is_used(self, object: Addr) -> bool {
        // SAFETY: a byte of the marks.
        self.0.mark(object).is_some_and(|mark| unsafe { mark.read() } != UNUSED)
    }

    /// Makes the marks of a part of the heap say that nothing there was used.
    ///
    /// # Safety
    /// No compiled code is running that uses objects there.
    pub unsafe fn clear_marks(self, from: Addr, bytes: usize) {
        if let Some(mut marks) = self.0.marks(from, bytes) {
            // SAFETY: the marks are mapped, and the caller says that nobody else has them.
            unsafe { marks.as_mut() }.fill(UNUSED);
        }
    }

    /// Hands out the marked places of a part of the heap: the 16 bytes in which a used object begins.
    ///
    /// # Safety
    /// As for `clear_marks`; the part begins at a multiple of 128 bytes and is a multiple of 128 bytes long.
    #[inline(always)]
    pub unsafe fn each_use(self, from: Addr, bytes: usize, visit: impl FnMut(Addr)) {
        // SAFETY: the caller's promise.
        unsafe { self.uses(from, bytes, |eight| *eight, visit) };
    }

    /// As `each_use`, and takes the marks.
    ///
    /// # Safety
    /// As for `each_use`.
    #[inline]
    pub unsafe fn take_uses(self, from: Addr, bytes: usize, visit: impl FnMut(Addr)) {
        // SAFETY: the caller's promise.
        unsafe { self.uses(from, bytes, std::mem::take, visit) };
    }

    /// # Safety
    /// As for `each_use`.
    #[inline(always)]
    unsafe fn uses(
        self,
        from: Addr,
        bytes: usize,
        get: impl Fn(&mut u64) -> u64,
        mut visit: impl FnMut(Addr),
    ) {
        let Some(mut marks) = self.0.marks(from, bytes) else { return };
        // SAFETY: as for `clear_marks`. Eight marks are those of 128 bytes, so they begin at a multiple of eight.
        let (before, eights, behind) = unsafe { marks.as_mut().align_to_mut::<u64>() };
        debug_assert!(before.is_empty() && behind.is_empty());
        for (i, eight) in eights.iter_mut().enumerate().filter(|(_, eight)| **eight != 0) {
            let mut left = get(eight);
            while left != 0 {
                let shift = left.trailing_zeros() & !7;
                visit(from.plus_bytes((8 * i + shift as usize / 8) << LOG_GRANULE_BYTES));
                left &= !(0xff << shift);
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

    /// Biographies and marks by address alone, where both lie in one piece: in a heap with a range, unless address space was
    /// refused.
    pub fn lives(self) -> Option<Lives> {
        let (words, marks) = self.0.lives()?;
        Some(Lives { words, marks })
    }
}

/// The known life of each object, for code that asks of many.
pub(crate) trait Lifetimes: Copy {
    /// The biography of an object, 0 without `has_life`, and whether a use of it is marked, which then is not any more.
    ///
    /// # Safety
    /// As for `Sides::biography`.
    unsafe fn take(self, object: Addr, has_life: bool) -> (u64, bool);

    /// # Safety
    /// As for `Sides::biography`.
    unsafe fn set(self, object: Addr, word: u64);

    fn prefetch(self, object: Addr, has_life: bool);
}

impl Lifetimes for Sides {
    #[inline(always)]
    unsafe fn take(self, object: Addr, has_life: bool) -> (u64, bool) {
        // SAFETY: the caller's promise.
        unsafe { (if has_life { self.biography(object) } else { 0 }, self.take_use(object)) }
    }

    #[inline(always)]
    unsafe fn set(self, object: Addr, word: u64) {
        // SAFETY: the caller's promise.
        unsafe { self.set_biography(object, word) }
    }

    fn prefetch(self, _object: Addr, _has_life: bool) {}
}

/// Two tables with an entry for each 16 bytes of a range: where the entries of address 0 would be.
#[derive(Clone, Copy)]
pub struct Lives {
    words: usize,
    marks: usize,
}

impl Lives {
    #[inline(always)]
    fn word(self, object: Addr) -> Addr {
        let number = object.0 >> LOG_GRANULE_BYTES;
        Addr(self.words.wrapping_add(number << Table::Biography.log_entry_bytes()))
    }

    /// The address of the word, or of a 0 that is in the cache when nobody wants the word.
    #[inline(always)]
    fn word_if(self, object: Addr, has_life: bool) -> Addr {
        static NO_LIFE: u64 = 0;
        std::hint::select_unpredictable(has_life, self.word(object), Addr((&raw const NO_LIFE) as usize))
    }

    #[inline(always)]
    fn mark(self, object: Addr) -> Addr {
        Addr(self.marks.wrapping_add(object.0 >> LOG_GRANULE_BYTES))
    }
}

/// Without a branch: nobody can guess which objects were used.
impl Lifetimes for Lives {
    #[inline(always)]
    unsafe fn take(self, object: Addr, has_life: bool) -> (u64, bool) {
        // SAFETY: every object of a heap with a range lies in it; entries and marks are as for `biography` and `take_use`.
        unsafe {
            let mark = AtomicU8::from_ptr(self.mark(object).as_ptr());
            let word = AtomicU64::from_ptr(self.word_if(object, has_life).as_ptr());
            let is_used = mark.load(Ordering::Relaxed) != UNUSED;
            planted!(79, (), mark.store(UNUSED, Ordering::Relaxed));
            (word.load(Ordering::Relaxed), is_used)
        }
    }

    #[inline(always)]
    unsafe fn set(self, object: Addr, word: u64) {
        // SAFETY: as above.
        unsafe { AtomicU64::from_ptr(self.word(object).as_ptr()) }.store(word, Ordering::Relaxed);
    }

    #[inline(always)]
    fn prefetch(self, object: Addr, has_life: bool) {
        self.word_if(object, has_life).prefetch();
        self.mark(object).prefetch();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::flag::Flags;
    use crate::megablock::Megablocks;
    use crate::os::limits::limits;

    /// A mark is any byte but 0.
    #[test]
    fn every_mark_is_handed_out() {
        let mut megablocks = Megablocks::new(&Flags::parse("").unwrap(), &limits()).unwrap();
        assert!(megablocks.turn_marks_on());
        let from = megablocks.take(1).unwrap();
        let sides = Sides::by(megablocks.side.directory());
        let marked = [(1, 0x80u8), (2, 1), (3, 1), (7, 0xff), (8, 0x10), (9, 0x55)];
        for (granule, mark) in marked {
            let at = sides.0.mark(from.plus_bytes(granule << LOG_GRANULE_BYTES)).unwrap();
            // SAFETY: a byte of the marks.
            unsafe { at.write(mark) };
        }
        let granule = |at: Addr| at.bytes_since(from) >> LOG_GRANULE_BYTES;
        for times in [1, 0] {
            let mut seen = Vec::new();
            // SAFETY: nobody else uses the megablock.
            unsafe {
                sides.each_use(from, 256, |at| seen.push(granule(at)));
                sides.take_uses(from, 256, |at| seen.push(granule(at)));
            }
            assert_eq!(seen, marked.map(|(granule, _)| granule).repeat(2 * times));
        }
    }
}
