//! The ticky counters of one heap, and its counts for each function.
//!
//! Compiled code adds to both through the window, so they never move. The counters are always there: an
//! increment needs no test. Rows of functions are mapped when the first function is counted, a row for each
//! possible one.

use crate::base::list::try_box;
use crate::base::{Failure, Outcome};
use crate::heap::mutator::ticky::{EntryCount, ROOM_WORDS, Ticky, WORDS};
use crate::identity::function::{self, MOST_FUNCTIONS};
use crate::os::memory::Area;

pub struct TickyCounters {
    words: *mut [u64; ROOM_WORDS],
    functions: Option<Area>,
    /// How many mutators have ended whose counts of functions found no room here.
    pub(crate) losses: u64,
}

impl TickyCounters {
    pub fn new() -> Outcome<TickyCounters> {
        let counters =
            TickyCounters { words: Box::into_raw(try_box([0u64; ROOM_WORDS])?), functions: None, losses: 0 };
        // SAFETY: the words are ours, and more than the struct has.
        unsafe { counters.at().write(Ticky::zero()) };
        Ok(counters)
    }

    /// Address of the counters. The library adds to its own through this; the client's code may be adding to
    /// others at the same time.
    pub fn at(&self) -> *mut Ticky {
        const { assert!(WORDS <= ROOM_WORDS && align_of::<Ticky>() == align_of::<u64>()) };
        self.words.cast()
    }

    pub fn read(&self) -> Ticky {
        // SAFETY: written by `new`; the thread that adds to them is here.
        unsafe { *self.at() }
    }

    /// Address of the first row of functions; null until a function is counted.
    pub fn functions(&self) -> *mut EntryCount {
        self.functions.as_ref().map_or(std::ptr::null_mut(), |area| area.start().as_ptr())
    }

    pub fn count_functions(&mut self) -> Outcome<()> {
        if self.functions.is_none() {
            let bytes = MOST_FUNCTIONS as usize * size_of::<EntryCount>();
            self.functions = Some(Area::map(bytes).ok_or_else(|| {
                Failure::no_memory(format_args!(
                    "no address space to count the entries of {MOST_FUNCTIONS} functions: they are not counted"
                ))
            })?);
        }
        Ok(())
    }

    /// The counts of a function.
    pub fn row(&self, number: u32) -> EntryCount {
        if self.functions.is_none() || number >= MOST_FUNCTIONS {
            return EntryCount::default();
        }
        // SAFETY: there is a row for each number below the most; the thread that adds to them is here.
        unsafe { *self.functions().add(number as usize) }
    }

    pub(crate) fn counts_functions(&self) -> bool {
        self.functions.is_some()
    }

    /// Adds the counts of a mutator that ends.
    pub(crate) fn add(&mut self, ended: &TickyCounters) {
        let mut sum = self.read();
        sum.add(&ended.read());
        // SAFETY: the words are ours; the thread that adds to them is here.
        unsafe { self.at().write(sum) };
        if !ended.counts_functions() {
            return;
        }
        if self.count_functions().is_err() {
            self.losses += planted!(528, 0, 1);
        } else {
            for number in 1..=function::count() {
                // SAFETY: there is a row for each number.
                let row = unsafe { &mut *self.functions().add(number as usize) };
                *row = row.plus(ended.row(number));
            }
        }
    }
}

impl Drop for TickyCounters {
    fn drop(&mut self) {
        // SAFETY: it came from a box, and nobody uses a heap's counters when the heap goes.
        drop(unsafe { Box::from_raw(self.words) });
    }
}
