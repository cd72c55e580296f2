//! Counters of one census: words and objects by number of their info table.
//!
//! An array of full range, indexed by number and never moved, so that counting an object is two loads and two
//! additions, without a hash, and a number that comes up in the middle of a census has its counter already.

use crate::base::size::WORD_BYTES;
use crate::base::{Addr, Failure, Outcome};
use crate::heap::model::info_of;
use crate::identity::info::{self, MOST_INFOS};
use crate::os::memory::Area;

#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    pub words: u64,
    pub objects: u64,
}

impl Count {
    pub fn bytes(&self) -> u64 {
        self.words * WORD_BYTES as u64
    }
}

/// An array of counters with room for every number there can be.
pub struct Counters {
    area: Area,
    length: usize,
}

impl Counters {
    pub fn new(length: usize) -> Outcome<Counters> {
        let area = Area::map(length * size_of::<Count>());
        let area = area.ok_or_else(|| {
            Failure::no_memory(format_args!("no address space for the {length} counters of a profile"))
        })?;
        Ok(Counters { area, length })
    }

    /// Adds to a counter. The number is less than the length.
    #[inline(always)]
    pub fn add(&mut self, number: usize, words: usize) {
        debug_assert!(number < self.length);
        let count = self.area.start().as_ptr::<Count>();
        // SAFETY: the area has a counter for every number below the length, and nobody else uses it.
        unsafe {
            (*count.add(number)).words += words as u64;
            (*count.add(number)).objects += 1;
        }
    }

    /// Takes back what was added to a counter.
    pub fn take_back(&mut self, number: usize, words: usize) {
        debug_assert!(number < self.length);
        let count = self.area.start().as_ptr::<Count>();
        // SAFETY: as for `add`.
        unsafe {
            (*count.add(number)).words -= words as u64;
            (*count.add(number)).objects -= 1;
        }
    }

    pub fn get(&self, number: usize) -> Count {
        if number >= self.length {
            return Count::default();
        }
        // SAFETY: as for `add`; an area reads as zero where nobody wrote.
        unsafe { *self.area.start().as_ptr::<Count>().add(number) }
    }

    /// Makes the counters below `used` zero.
    pub fn clear(&mut self, used: usize) {
        // SAFETY: as for `add`.
        unsafe { self.area.start().as_ptr::<Count>().write_bytes(0, used.min(self.length)) };
    }
}

/// What one census has counted so far.
pub struct Tally {
    by_info: Counters,
}

impl Tally {
    pub fn new() -> Outcome<Tally> {
        Ok(Tally { by_info: Counters::new(MOST_INFOS)? })
    }

    pub fn clear(&mut self) {
        self.by_info.clear(info::count());
    }

    /// Counts an object that lives. Number 0 stands for those that cannot be named.
    ///
    /// # Safety
    /// A well-formed object lies at `object`.
    #[inline(always)]
    pub unsafe fn count(&mut self, object: Addr, words: usize) {
        // SAFETY: the caller's promise.
        let number = unsafe { info_of(object.load()) }.number();
        self.by_info.add(number as usize, words);
    }

    /// An object that was counted with the table of the header `before` has another one now.
    ///
    /// # Safety
    /// As for `count`, and the header is one that the object had.
    pub unsafe fn recount(&mut self, object: Addr, words: usize, before: usize) {
        self.by_info.take_back(info_of(before).number() as usize, words);
        // SAFETY: the caller's promise.
        unsafe { self.count(object, words) };
    }

    /// What was counted for an info table.
    pub fn of_info(&self, number: u32) -> Count {
        self.by_info.get(number as usize)
    }

    /// Everything that was counted.
    pub fn total(&self) -> Count {
        let mut sum = Count::default();
        for number in 0..info::count() {
            let count = self.by_info.get(number);
            sum.words += count.words;
            sum.objects += count.objects;
        }
        sum
    }

    /// The first number for which another tally has counted something else.
    pub fn differs_from(&self, other: &Tally) -> Option<(u32, Count, Count)> {
        (0..info::count()).find_map(|number| {
            let (own, others) = (self.by_info.get(number), other.by_info.get(number));
            (own != others).then_some((number as u32, own, others))
        })
    }
}
