//! Calls of functions while a profile ran, from the counters that compiled code adds to.
//!
//! These counters are the heap's, and never stop. So a profile's counts are the differences over the times
//! when it was not suspended [profile.space.calls].

use crate::base::{Failure, List, Outcome};
use crate::identity::function;
use crate::profile::apart::Apart;
use crate::profile::ticky::counters::TickyCounters;

/// The counters of a heap, and of each mutator where there may be several.
pub(crate) type Counted = Apart<TickyCounters>;

/// The entries of a function that all mutators have counted. Others are still.
fn entries(counters: &Counted, number: u32) -> u64 {
    counters.each().map(|one| one.row(number).entries).sum()
}

#[derive(Default)]
pub struct Calls {
    /// The counters when counting began last, by function number; numbers beyond the end were 0 then.
    from: List<u64>,
    /// The calls counted before that, by function number.
    sum: List<u64>,
    counting: bool,
    /// The losses of the counters when counting began last.
    losses: u64,
    /// Whether calls are missing, since the profiler might hold no more memory, or counts of a mutator were lost.
    pub is_short: bool,
}

impl Calls {
    /// Begins to count. Fails without memory, and when both tables would take more than `room` bytes more.
    pub(crate) fn go(&mut self, counters: &Counted, room: usize) -> Outcome<()> {
        let numbers = function::count() as usize + 1;
        self.from.clear();
        let more = self.from.growth_bytes(numbers) + self.sum_growth(numbers);
        if more > room {
            return Err(Failure::no_memory(format_args!(
                "calls of {numbers} functions take {more} bytes more, and the space profiler may hold {room}"
            )));
        }
        self.from.reserve(numbers)?;
        self.sum.fill(numbers, 0)?;
        for number in 0..numbers {
            let _ = self.from.push_within(entries(counters, number as u32));
        }
        self.losses = counters.whole.losses;
        self.counting = true;
        Ok(())
    }

    fn sum_growth(&self, numbers: usize) -> usize {
        self.sum.growth_bytes(numbers.saturating_sub(self.sum.len()))
    }

    /// Stops counting. Functions that are new since `go` are left out if they would take more than `room`
    /// bytes.
    pub(crate) fn stop(&mut self, counters: &Counted, room: usize) -> Outcome<()> {
        if self.counting {
            let mut numbers = function::count() as usize + 1;
            if self.sum_growth(numbers) > room {
                self.is_short = true;
                numbers = numbers.min(self.sum.len());
            }
            self.is_short |= self.losses != counters.whole.losses;
            self.sum.fill(numbers, 0)?;
            for number in 1..numbers {
                let from = self.from.get(number).copied().unwrap_or(0);
                // Counts that were lost may have been there when counting began.
                self.sum[number] += entries(counters, number as u32).saturating_sub(planted!(131, 0, from));
            }
            self.counting = false;
        }
        Ok(())
    }

    pub fn is_counting(&self) -> bool {
        self.counting
    }

    /// The calls of a function up to the last `stop`.
    pub fn of(&self, number: u32) -> u64 {
        self.sum.get(number as usize).copied().unwrap_or(0)
    }

    pub fn held_bytes(&self) -> usize {
        self.from.held_bytes() + self.sum.held_bytes()
    }
}
