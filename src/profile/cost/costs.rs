//! The costs booked to each cost-centre stack in one heap: bytes allocated, entries, ticks.
//!
//! Compiled code adds to the rows through the window, so they never move: address space for a row of every
//! possible stack is mapped when the first stack is entered, and memory comes where it is touched. Before
//! that, one row counts everything. Where a heap takes several mutators, each has rows of its own.

use crate::base::list::try_box;
use crate::base::{Failure, Outcome};
use crate::heap::mutator::window::Cost;
use crate::identity::{ccs, stacks};
use crate::os::memory::Area;
use std::sync::atomic::{AtomicU64, Ordering};

/// Offset of the rows in their mapping, in bytes. Without it the words of a stack and of its row would differ
/// only above the low twelve bits of their addresses, and a processor that compares no more bits makes a load
/// of one wait for a store to the other: measured, changes of the stack cost twice as much.
const ROWS_FROM: usize = 2048;

pub struct Costs {
    /// The row that counts everything until there is an area.
    alone: *mut Cost,
    /// A row for each stack.
    area: Option<Area>,
    /// Number of pushes that failed for want of memory; their costs count as the caller's.
    pub lost: u64,
}

impl Costs {
    pub fn new() -> Outcome<Costs> {
        ccs::prepare()?;
        Ok(Costs { alone: Box::into_raw(try_box(Cost::default())?), area: None, lost: 0 })
    }

    /// The difference in bytes between a row's address and its stack's.
    pub fn distance(&self) -> usize {
        (self.rows() as usize).wrapping_sub(ccs::main().as_mut_ptr() as usize)
    }

    /// Address of the first row.
    pub fn rows(&self) -> *mut Cost {
        self.area.as_ref().map_or(self.alone, |area| area.start().plus_bytes(ROWS_FROM).as_ptr())
    }

    pub fn is_counting(&self) -> bool {
        self.area.is_some()
    }

    /// Gives each stack its row from now on. Costs booked so far stay MAIN's.
    pub fn count(&mut self) -> Outcome<()> {
        if self.area.is_some() {
            return Ok(());
        }
        let most = stacks::most();
        let Some(area) = Area::map(ROWS_FROM + most as usize * size_of::<Cost>()) else {
            return Err(Failure::no_memory(format_args!(
                "no address space for the costs of {most} cost-centre stacks, which each mutator needs"
            )));
        };
        self.area = Some(area);
        // SAFETY: the area is ours and begins with the row of MAIN; the row `alone` is readable until we are
        // dropped.
        unsafe { self.rows().write(*self.alone) };
        Ok(())
    }

    /// The row of a stack, as it is now.
    pub fn row(&self, number: u32) -> Cost {
        if self.area.is_none() && number > 0 || number >= ccs::count().max(1) {
            return Cost::default();
        }
        let ticks = self.ticks_of(number);
        // SAFETY: there is a row for each stack, or for 0 alone. Its words are written by the thread that is here, or by
        // one that is still, but for the ticks.
        unsafe {
            let row = self.rows().add(number as usize);
            Cost { bytes: (*row).bytes, entries: (*row).entries, ticks, ..Cost::default() }
        }
    }

    /// Adds the costs of a mutator that ends to these, which count stacks if that mutator's do.
    pub(crate) fn add(&mut self, ended: &Costs) {
        let stacks = if ended.is_counting() { ccs::count() } else { 1 };
        for number in 0..stacks {
            let Cost { bytes, entries, ticks, .. } = ended.row(number);
            self.tick(number, ticks);
            if bytes | entries != 0 {
                // SAFETY: there is a row for each stack, or for 0 alone; the thread that adds to them is here.
                let row = unsafe { &mut *self.rows().add(number as usize) };
                // Compiled code adds to entries without a bound, and they wrap there.
                row.bytes = row.bytes.wrapping_add(bytes);
                row.entries = planted!(648, row.entries + entries, row.entries.wrapping_add(entries));
            }
        }
    }

    /// The ticks of a stack; `None` while stacks are not counted.
    fn tick_of(&self, number: u32) -> Option<&AtomicU64> {
        if self.area.is_none() || number >= ccs::count() {
            return None;
        }
        // SAFETY: there is a row for each stack, as long as the area is there.
        unsafe { Some(AtomicU64::from_ptr(&raw mut (*self.rows().add(number as usize)).ticks)) }
    }

    pub fn tick(&self, number: u32, ticks: u64) {
        if let Some(counter) = self.tick_of(number) {
            let _ = counter.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |before| {
                Some(planted!(597, before.wrapping_add(ticks), before.saturating_add(ticks)))
            });
        }
    }

    /// Gives all ticks another length: they stand for as much time as before. Parts of ticks are carried from stack to stack, so the sum
    /// is right to a tick.
    pub(crate) fn rescale(&self, factor: f64) {
        let mut rest = 0.0;
        for counter in (0..ccs::count()).filter_map(|number| self.tick_of(number)) {
            let ticks = counter.load(Ordering::Relaxed) as f64 * factor + rest;
            let whole = ticks.round().max(0.0);
            rest = planted!(613, 0.0, ticks - whole);
            counter.store(whole as u64, Ordering::Relaxed);
        }
    }

    pub fn ticks_of(&self, number: u32) -> u64 {
        self.tick_of(number).map_or(0, |counter| counter.load(Ordering::Relaxed))
    }
}

impl Drop for Costs {
    fn drop(&mut self) {
        // SAFETY: it came from a box, and nobody uses a heap's rows when the heap goes.
        drop(unsafe { Box::from_raw(self.alone) });
    }
}
