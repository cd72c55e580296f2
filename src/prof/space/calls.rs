//! How often functions were called while a profile ran, from the counters that compiled code adds to.
//!
//! Those counters are the heap's, and never stop. So what a profile counts is what they have moved by while it was not
//! suspended [prof.space.calls].

use crate::base::{List, Outcome};
use crate::identity::function;
use crate::prof::ticky::TickyCounters;

#[derive(Default)]
pub struct Calls {
    /// What the counters were when counting began last, by number; more than there are entries for were 0.
    from: List<u64>,
    /// What was counted before that.
    sum: List<u64>,
    counting: bool,
}

impl Calls {
    /// Counts from now on. Without memory it does not.
    pub fn go(&mut self, counters: &TickyCounters) -> Outcome<()> {
        let numbers = function::count() as usize + 1;
        self.from = List::new();
        self.from.reserve(numbers)?;
        for number in 0..numbers {
            let _ = self.from.push_within(counters.row(number as u32).entries);
        }
        self.counting = true;
        Ok(())
    }

    /// Counts no longer.
    pub fn stop(&mut self, counters: &TickyCounters) -> Outcome<()> {
        if self.counting {
            let numbers = function::count() as usize + 1;
            self.sum.fill(numbers, 0)?;
            for number in 1..numbers {
                let from = self.from.get(number).copied().unwrap_or(0);
                self.sum[number] += counters.row(number as u32).entries - from;
            }
            self.counting = false;
        }
        Ok(())
    }

    pub fn is_counting(&self) -> bool {
        self.counting
    }

    /// Functions by number, with their calls up to when it was stopped.
    pub fn counted(&self) -> impl Iterator<Item = (u32, u64)> {
        (0..).zip(self.sum.iter().copied()).filter(|&(_, calls)| calls != 0)
    }

    pub fn held_bytes(&self) -> usize {
        self.from.held_bytes() + self.sum.held_bytes()
    }
}
