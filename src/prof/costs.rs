//! What is booked to each cost-centre stack in one heap: bytes allocated, entries, ticks.
//!
//! Compiled code adds to the rows through the window, so they never move: address space for a row of every stack there
//! can be is mapped when the first stack is entered, and memory comes where it is touched. Before that there is one
//! row, for everything.

use crate::base::list::try_box;
use crate::base::{Addr, Failure, Outcome};
use crate::heap::window::Cost;
use crate::identity::ccs::{self, MOST_STACKS};
use crate::os::memory::Area;
use std::sync::atomic::{AtomicU64, Ordering};

const ROWS_BYTES: usize = MOST_STACKS as usize * size_of::<Cost>();
const TICKS_BYTES: usize = MOST_STACKS as usize * size_of::<u64>();

pub struct Costs {
    /// The row for everything, as long as there is no area.
    alone: *mut Cost,
    /// A row for each stack, then ticks for each stack.
    area: Option<Area>,
    /// Pushes that led nowhere for want of memory; their costs count as the caller's.
    pub lost: u64,
}

impl Costs {
    pub fn new() -> Outcome<Costs> {
        Ok(Costs { alone: Box::into_raw(try_box(Cost::default())?), area: None, lost: 0 })
    }

    /// Where the rows begin.
    pub fn rows(&self) -> *mut Cost {
        self.area.as_ref().map_or(self.alone, |area| area.start().as_ptr())
    }

    pub fn is_counting(&self) -> bool {
        self.area.is_some()
    }

    /// From now on each stack has its row. What was booked until now stays MAIN's.
    pub fn count(&mut self) -> Outcome<()> {
        if self.area.is_some() {
            return Ok(());
        }
        let Some(area) = Area::map(ROWS_BYTES + TICKS_BYTES) else {
            return Err(Failure::no_memory(format_args!(
                "no address space for the costs of {MOST_STACKS} cost-centre stacks: all costs count as MAIN's"
            )));
        };
        // SAFETY: the area is ours and begins with the row of MAIN; the row alone is readable until we are dropped.
        unsafe { area.start().as_ptr::<Cost>().write(*self.alone) };
        self.area = Some(area);
        Ok(())
    }

    /// The row of a stack, as it is now.
    pub fn row(&self, number: u32) -> Cost {
        if self.area.is_none() && number > 0 || number >= MOST_STACKS {
            return Cost::default();
        }
        // SAFETY: there is a row for each number below the most, or for 0 alone; nobody else writes them now, since
        // the thread that does is here.
        unsafe { *self.rows().add(number as usize) }
    }

    /// Where the ticks begin; null while stacks are not counted.
    pub fn ticks(&self) -> *mut u64 {
        self.area.as_ref().map_or(std::ptr::null_mut(), |area| area.start().plus_bytes(ROWS_BYTES).as_ptr())
    }

    fn tick_of(&self, number: u32) -> Option<&AtomicU64> {
        let ticks = Addr(self.ticks() as usize);
        if ticks.is_null() || number >= MOST_STACKS {
            return None;
        }
        // SAFETY: there is a counter for each number below the most, as long as the area is there.
        unsafe { Some(AtomicU64::from_ptr(ticks.plus_words(number as usize).as_ptr())) }
    }

    pub fn tick(&self, number: u32, ticks: u64) {
        if let Some(counter) = self.tick_of(number) {
            counter.fetch_add(ticks, Ordering::Relaxed);
        }
    }

    pub fn ticks_of(&self, number: u32) -> u64 {
        self.tick_of(number).map_or(0, |counter| counter.load(Ordering::Relaxed))
    }

    /// Bytes booked to all stacks together.
    pub fn all_bytes(&self) -> u64 {
        let stacks = if self.is_counting() { ccs::count() } else { 1 };
        (0..stacks).fold(0, |sum, number| sum.wrapping_add(self.row(number).bytes))
    }
}

impl Drop for Costs {
    fn drop(&mut self) {
        // SAFETY: it came from a box, and nobody uses a heap's rows when the heap goes.
        drop(unsafe { Box::from_raw(self.alone) });
    }
}
