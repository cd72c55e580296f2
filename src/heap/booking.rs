//! What is allocated is booked to the current cost-centre stack: what is bumped, when the stack or the allocation area
//! changes; what is made by calls, at once.

use super::mutator::Mutator;
use super::side::{self, Table};
use super::window::{Cost, watch};
use crate::base::Addr;
use crate::identity::{Ccs, producer};

/// Ticks of the time profile that fall due by bytes allocated, so that a run can be repeated.
#[derive(Debug)]
pub struct TicksByBytes {
    /// A tick for each so many bytes.
    pub every: u64,
    /// Bytes until the next.
    pub left: u64,
    /// One counter for each stack.
    pub ticks: *mut u64,
}

impl TicksByBytes {
    pub const OFF: TicksByBytes = TicksByBytes { every: 0, left: 0, ticks: std::ptr::null_mut() };

    /// How many ticks fall into the next `bytes`.
    fn due(&mut self, bytes: u64) -> u64 {
        if self.every == 0 || bytes < self.left {
            self.left = self.left.wrapping_sub(bytes);
            return 0;
        }
        let past = bytes - self.left;
        self.left = self.every - past % self.every;
        1 + past / self.every
    }
}

impl Mutator {
    /// Books what was taken from the allocation area since the stack became current. Whoever is about to set `hp` or
    /// the stack does it first [ccs.books].
    #[inline]
    pub fn book(&mut self) {
        let bytes = (self.window.hp as usize).wrapping_sub(self.window.hp_at_ccs as usize);
        if bytes != 0 && self.window.watch & watch::PRODUCERS != 0 {
            self.stamp_producer(Addr(self.window.hp_at_ccs as usize), bytes);
        }
        self.window.hp_at_ccs = self.window.hp;
        if bytes != 0 {
            self.book_bytes(bytes as u64);
        }
    }

    /// Notes the current stack as the producer of what was made in a part of the allocation area [heap.producers].
    #[cold]
    fn stamp_producer(&self, from: Addr, bytes: usize) {
        // SAFETY: the window's stack is one of ours; the part is what `hp` has passed in one area.
        unsafe { side::fill(Table::Producer, from, bytes, producer::of_stack((*self.window.ccs).number)) };
    }

    /// Notes it for an object that was made by a call.
    pub fn stamp_producer_of(&self, object: Addr) {
        if self.window.watch & watch::PRODUCERS != 0 {
            // SAFETY: as above; the caller has a new object.
            unsafe {
                side::set_number(Table::Producer, object, producer::of_stack((*self.window.ccs).number))
            };
        }
    }

    /// Books bytes to the current stack.
    pub fn book_bytes(&mut self, bytes: u64) {
        let current = self.window.ccs;
        if let Some(cost) = self.cost_of(current) {
            cost.bytes = cost.bytes.wrapping_add(bytes);
        }
        if self.window.watch & watch::TICKS != 0 {
            let due = self.ticks.due(bytes);
            // SAFETY: the window's stack is one of ours, and there is a counter for each stack there can be.
            unsafe { *self.ticks.ticks.add((*current).number as usize) += due };
        }
    }

    /// What is booked to a stack. As long as stacks are not counted, MAIN has it all.
    pub fn cost_of(&mut self, ccs: *const Ccs) -> Option<&mut Cost> {
        if self.window.costs.is_null() {
            return None;
        }
        let counted = self.window.watch & watch::UNCOUNTED == 0;
        // SAFETY: stacks are never freed; while they are counted, `costs` has a row for each there can be, and else
        // that of MAIN. Rows are written through the window only.
        unsafe { Some(&mut *self.window.costs.add(if counted { (*ccs).number as usize } else { 0 })) }
    }
}

#[cfg(test)]
mod tests {
    use super::TicksByBytes;

    #[test]
    fn ticks_fall_at_multiples() {
        for every in [1u64, 8, 24, 100] {
            let mut ticks = TicksByBytes { every, left: every, ticks: std::ptr::null_mut() };
            let (mut sum, mut due) = (0, 0);
            for bytes in [0, 8, 16, 0, 24, 800, 8, 99, 1, 100, 7] {
                sum += bytes;
                due += ticks.due(bytes);
                assert_eq!(due, sum / every, "every {every}, {sum} bytes");
            }
        }
    }
}
