//! The table of all cost-centre stacks of the process: one mapping, in which entries never move.
//!
//! Each heap has a table of costs whose rows are as long as stacks, so that a row is as far from its stack as
//! the tables are from each other, and compiled code finds it without a multiplication or a load [ccs.rows].

use super::stack::{Ccs, MOST_STACKS, SPECIAL_STACKS};
use crate::base::once::Once;
use crate::base::{Failure, Outcome, Status};
use crate::os::limits;
use crate::os::memory::Area;
use std::sync::atomic::{AtomicU32, Ordering};

/// Logarithm of the bytes of a stack, and of a row of costs.
pub(crate) const LOG_STACK_BYTES: u32 = 6;
const _: () = assert!(size_of::<Ccs>() == 1 << LOG_STACK_BYTES);

/// Stacks of the smallest table that is of use.
const LEAST_STACKS: u32 = 1 << 10;

/// The share of scarce address space (one part in so many) that the tables of costs of all mutators of a heap have, if it was the first,
/// each as large as this table; heaps need the rest.
const SHARE_OF_ADDRESS_SPACE: usize = 64;

struct Table {
    area: Area,
    /// Stacks for which the table has room.
    most: u32,
}

static TABLE: Once<Table> = Once::new();
static COUNT: AtomicU32 = AtomicU32::new(0);

/// MAIN, as long as no heap has been made.
static EARLY: Ccs = Ccs::bottom();

impl Table {
    fn map(mutators: usize) -> Outcome<Table> {
        let share = SHARE_OF_ADDRESS_SPACE * planted!(535, 1, mutators.max(1));
        let affordable = limits::address_space().map_or(usize::MAX, |bytes| bytes / share);
        let mut most = MOST_STACKS.min(u32::try_from(affordable >> LOG_STACK_BYTES).unwrap_or(u32::MAX));
        most = most.max(LEAST_STACKS);
        loop {
            if let Some(area) = Area::map((most as usize) << LOG_STACK_BYTES) {
                return Ok(Table { area, most });
            }
            most /= 2;
            if most < LEAST_STACKS {
                return Err(Failure::no_memory(format_args!("no address space for cost-centre stacks")));
            }
        }
    }

    fn at(&self, number: u32) -> *mut Ccs {
        self.area.start().plus_bytes((number as usize) << LOG_STACK_BYTES).as_ptr()
    }

    /// Makes the library's own stacks.
    fn begin(&self) {
        // SAFETY: the table is fresh and has room for them; MAIN is written before the others refer to it.
        unsafe {
            self.at(0).write(Ccs::bottom());
            for number in 1..SPECIAL_STACKS {
                self.at(number).write(Ccs::on(&*self.at(0), number, number + 1));
            }
        }
    }
}

/// Makes the table. Before this there is only MAIN.
pub fn prepare() -> Outcome<()> {
    prepare_for(1)
}

/// As `prepare`, for a heap that may have so many mutators, each with a table of costs. The first call of the process decides, by a
/// heap or by code that asks for a stack before there is one.
pub(crate) fn prepare_for(mutators: usize) -> Outcome<()> {
    TABLE.get_or_make(|| {
        let table = Table::map(mutators)?;
        table.begin();
        Ok(table)
    })?;
    // The thread that has made the table may not have come so far.
    let _ = COUNT.compare_exchange(0, SPECIAL_STACKS, Ordering::AcqRel, Ordering::Acquire);
    Ok(())
}

/// Number of stacks. They are numbered from 0.
pub fn count() -> u32 {
    COUNT.load(Ordering::Acquire)
}

/// Stacks that there can be.
pub(crate) fn most() -> u32 {
    TABLE.get().map_or(0, |table| table.most)
}

/// The stack that every mutator starts with.
pub fn main() -> &'static Ccs {
    stack(0).unwrap_or(&EARLY)
}

/// The stack of a number; `None` for a number that was not given yet.
pub fn stack(number: u32) -> Option<&'static Ccs> {
    if number >= count() {
        return None;
    }
    // SAFETY: entries below the count are written, and never change but for their atomics.
    TABLE.get().and_then(|table| unsafe { table.at(number).as_ref() })
}

/// The stack at an address, if one is there.
pub(crate) fn find(at: *const Ccs) -> Option<&'static Ccs> {
    let offset = (at as usize).wrapping_sub(TABLE.get()?.area.start().0);
    let number = u32::try_from(offset >> LOG_STACK_BYTES).ok()?;
    stack(number).filter(|stack| std::ptr::eq(*stack, at))
}

/// Makes a stack. Callers hold the lock.
pub(crate) fn add(parent: &'static Ccs, centre: u32) -> Outcome<&'static Ccs> {
    prepare()?;
    let (number, most) = (count(), most());
    let table = TABLE.get().filter(|_| number < most).ok_or_else(|| {
        Failure::new(
            Status::Limit,
            format_args!("there are {most} cost-centre stacks already; new ones count as their callers"),
        )
    })?;
    let place = table.at(number);
    // SAFETY: the table has room here, and nobody reads it before the count says so.
    unsafe { place.write(Ccs::on(parent, number, centre)) };
    COUNT.store(number + 1, Ordering::Release);
    // SAFETY: written just now, and never freed.
    Ok(unsafe { &*place })
}
