//! A count of changes that a thread which waits looks at for a while, with the lock given up, before it sleeps: what it waits for
//! often comes before it would be asleep and woken.
//!
//! The count is changed while the lock is held, and compared when the lock is held again, so no change is missed.

use super::sync::{AtomicU32, LOOKS, Ordering};

pub(super) struct Changes {
    /// Looks before a thread that waits goes to sleep.
    looks: AtomicU32,
    count: AtomicU32,
}

impl Changes {
    pub(super) fn new() -> Changes {
        Changes { looks: AtomicU32::new(0), count: AtomicU32::new(0) }
    }

    /// Says whether each thread has a processor to itself, so that one which waits may look. At first it may not.
    pub(super) fn let_look(&self, each_has_a_processor: bool) {
        self.looks.store(if each_has_a_processor { LOOKS } else { 0 }, Ordering::Relaxed);
    }

    /// Counts a change. The lock is held.
    pub(super) fn tell(&self) {
        self.count.store(self.now().wrapping_add(1), Ordering::Relaxed);
    }

    /// The count, when the thread may look. The lock is held.
    pub(super) fn before(&self) -> Option<u32> {
        (self.looks.load(Ordering::Relaxed) > 0).then(|| self.now())
    }

    /// Looks for a change since then, for a while, without the lock.
    pub(super) fn look(&self, before: u32) {
        for _ in 0..self.looks.load(Ordering::Relaxed) {
            if self.is_after(before) {
                break;
            }
            std::hint::spin_loop();
        }
    }

    pub(super) fn is_after(&self, before: u32) -> bool {
        self.now() != before
    }

    fn now(&self) -> u32 {
        self.count.load(Ordering::Relaxed)
    }
}
