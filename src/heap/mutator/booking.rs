//! Books allocations to the current cost-centre stack: bumped words when the stack or the allocation area changes,
//! objects made by calls at once.

use crate::base::Addr;
use crate::heap::mutator::state::Mutator;
use crate::heap::mutator::window::{Cost, WATCHED, watch};
use crate::heap::space::side::{self, Table};
use crate::identity::{Ccs, producer};

/// Ticks of the time profile that fall due by bytes allocated, so that a run can be repeated.
#[derive(Debug)]
pub struct TicksByBytes {
    /// Bytes for each tick; 0 for no ticks.
    pub every: u64,
    /// Bytes until the next tick.
    pub left: u64,
    /// The stack to which bytes were booked last.
    pub last: *const Ccs,
}

impl TicksByBytes {
    pub const OFF: TicksByBytes = TicksByBytes::new(0);

    pub const fn new(every: u64) -> TicksByBytes {
        TicksByBytes { every, left: every, last: std::ptr::null() }
    }

    /// Number of ticks that fall into the next `bytes`.
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

/// The place in the code that allocates, while a profile notes places, and the numbers of those that came up lately.
pub struct Sites {
    current: usize,
    recent: [Recent; RECENT],
}

#[derive(Clone, Copy)]
struct Recent {
    stack: u32,
    /// Number of the producer; 0 in an empty entry.
    producer: u32,
    site: usize,
}

const RECENT: usize = 256;

impl Sites {
    pub const NONE: Sites = Sites { current: 0, recent: [Recent { stack: 0, producer: 0, site: 0 }; RECENT] };

    fn producer(&mut self, stack: u32) -> u32 {
        let site = self.current;
        let hash = (site ^ (stack as usize) << 20).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56;
        let recent = &mut self.recent[hash % RECENT];
        if recent.producer == 0 || recent.site != site || recent.stack != stack {
            *recent = Recent { stack, producer: producer::of_site(stack, site), site };
        }
        recent.producer
    }
}

impl Mutator {
    fn booked_to(&self) -> Addr {
        if self.window.watch == 0 { Addr(self.window.hp_at_ccs as usize) } else { self.booked_to }
    }

    pub fn set_booked_to(&mut self, hp: Addr) {
        self.booked_to = hp;
        self.window.hp_at_ccs = if self.window.watch == 0 { hp.as_ptr() } else { WATCHED };
    }

    /// Sends changes of the stack out of line for one more reason, or for one less [ccs.watch].
    pub fn watch(&mut self, reason: usize, on: bool) {
        self.book();
        let at = self.booked_to();
        if on {
            self.window.watch |= reason;
        } else {
            self.window.watch &= !reason;
        }
        self.set_booked_to(at);
    }

    /// Books the words taken from the allocation area since the stack became current. Code that sets `hp` or the stack
    /// calls this first [ccs.books].
    #[inline]
    pub fn book(&mut self) {
        let from = self.booked_to();
        let bytes = (self.window.hp as usize).wrapping_sub(from.0);
        if bytes == 0 {
            return;
        }
        if self.window.watch & watch::PRODUCERS != 0 {
            self.stamp_producer(from, bytes);
        }
        planted!(60, self.window.hp_at_ccs = self.window.hp, self.set_booked_to(self.hp()));
        self.book_bytes(bytes as u64);
    }

    /// The maker of objects now: the current stack, and while places in the code are noted, the last of these.
    fn producer(&mut self) -> u32 {
        // SAFETY: the window's stack is one of ours.
        let stack = unsafe { (*self.window.ccs).number };
        match &mut self.sites {
            None => producer::of_stack(stack),
            Some(sites) => sites.producer(stack),
        }
    }

    /// Notes the producer of the objects in a part of the allocation area [heap.producers].
    #[cold]
    fn stamp_producer(&mut self, from: Addr, bytes: usize) {
        let producer = self.producer();
        // SAFETY: `hp` has passed this part of one area.
        unsafe { side::fill(Table::Producer, from, bytes, producer) };
    }

    /// Notes the producer of an object that was made by a call.
    pub fn stamp_producer_of(&mut self, object: Addr) {
        if self.window.watch & watch::PRODUCERS != 0 {
            let producer = self.producer();
            // SAFETY: the caller has a new object.
            unsafe { side::set_number(Table::Producer, object, producer) };
        }
    }

    /// Forgets the numbers of places in code that goes.
    pub(crate) fn forget_sites(&mut self, goes: impl Fn(usize) -> bool) {
        if self.sites.as_ref().is_some_and(|sites| goes(sites.current)) {
            self.allocates_at(0);
        }
        if let Some(sites) = &mut self.sites {
            sites.recent.iter_mut().filter(|recent| goes(recent.site)).for_each(|recent| recent.producer = 0);
        }
    }

    /// Sets the place in the code at which objects are made from now on.
    #[inline]
    pub fn allocates_at(&mut self, site: usize) {
        if self.sites.as_ref().is_some_and(|sites| sites.current != site) {
            self.book();
            if let Some(sites) = &mut self.sites {
                sites.current = site;
            }
        }
    }

    #[inline]
    pub fn book_bytes(&mut self, bytes: u64) {
        // SAFETY: the window's stack is one of ours.
        if let Some(cost) = unsafe { self.cost_of(self.window.ccs) } {
            cost.bytes = cost.bytes.wrapping_add(bytes);
        }
        if self.window.watch & watch::TICKS != 0 {
            self.ticks.last = self.window.ccs;
            self.book_ticks(bytes);
        }
    }

    /// Books the ticks that fall into the next `bytes` to the stack that made bytes last.
    #[inline(never)]
    fn book_ticks(&mut self, bytes: u64) {
        let ticks = self.ticks.due(bytes);
        if ticks == 0 {
            return;
        }
        let stack = planted!(704, self.window.ccs, self.ticks.last);
        // SAFETY: a tick falls due only where bytes were booked, to one of our stacks.
        if let Some(cost) = unsafe { self.cost_of(stack) } {
            cost.ticks = cost.ticks.saturating_add(ticks);
        }
    }

    /// Hands the bytes that are no whole tick on to the next mutator that goes, when this one does, and books the tick that they make with
    /// those of mutators that have gone. All bytes are booked.
    pub(crate) fn pass_ticks_on(&mut self, gone: &mut u64) {
        if self.ticks.every == 0 {
            return;
        }
        self.book_ticks(*gone);
        *gone = planted!(505, 0, self.ticks.every - self.ticks.left);
    }

    /// The costs of a stack. As long as stacks are not counted, MAIN has them all.
    ///
    /// # Safety
    /// `ccs` is one of the library's stacks, which are never freed.
    #[inline]
    pub unsafe fn cost_of(&mut self, ccs: *const Ccs) -> Option<&mut Cost> {
        if self.rows.is_null() {
            return None;
        }
        let counted = self.window.watch & watch::UNCOUNTED == 0;
        // SAFETY: the caller's promise; while stacks are counted, there is a row for each there can be, and else that
        // of MAIN. Only the thread of the mutator writes rows, but for the ticks of the clock, which are not counted
        // by bytes too.
        unsafe { Some(&mut *self.rows.add(if counted { (*ccs).number as usize } else { 0 })) }
    }
}

#[cfg(test)]
mod tests {
    use super::TicksByBytes;

    #[test]
    fn ticks_fall_at_multiples() {
        for every in [1u64, 8, 24, 100] {
            let mut ticks = TicksByBytes::new(every);
            let (mut sum, mut due) = (0, 0);
            for bytes in [0, 8, 16, 0, 24, 800, 8, 99, 1, 100, 7] {
                sum += bytes;
                due += ticks.due(bytes);
                assert_eq!(due, sum / every, "every {every}, {sum} bytes");
            }
        }
    }
}
