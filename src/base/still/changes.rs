//! A count of changes that a thread which waits looks at for a while, with the lock given up, before it sleeps: what it waits for
//! often comes before it would be asleep and woken.
//!
//! The count is changed while the lock is held, and compared when the lock is held again, so no change is missed.

use super::sync::{AtomicU32, LOOKS, Mutex, MutexGuard, Ordering, PoisonError};

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

    /// Looks for a change for a while, with the lock given up meanwhile. Whether there was one.
    pub(super) fn look<'a, T>(
        &self,
        lock: &'a Mutex<T>,
        held: MutexGuard<'a, T>,
    ) -> (MutexGuard<'a, T>, bool) {
        let looks = self.looks.load(Ordering::Relaxed);
        if looks == 0 {
            return (held, false);
        }
        let before = self.now();
        drop(held);
        for _ in 0..looks {
            if self.now() != before {
                break;
            }
            std::hint::spin_loop();
        }
        (lock.lock().unwrap_or_else(PoisonError::into_inner), self.now() != before)
    }

    fn now(&self) -> u32 {
        self.count.load(Ordering::Relaxed)
    }
}
