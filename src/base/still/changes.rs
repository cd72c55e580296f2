//! A count of changes that a thread which waits looks at for a while, with the lock given up, before it sleeps: what it waits for
//! often comes before it would be asleep and woken.
//!
//! The count is changed while the lock is held, and compared when the lock is held again, so no change is missed.

use super::sync::{AtomicU32, GUEST_LOOKED_FOR, LOOKED_FOR, Mutex, MutexGuard, Ordering, PoisonError, Spell};

/// Work in which a thread may take part while it looks for a change of something else. The thread that has the work counts on a guest
/// from when it comes until it goes.
pub(crate) trait Guesthouse {
    fn comes(&self);
    /// Whether there may be a part to do. An old answer does no harm.
    fn is_open(&self) -> bool;
    /// Does a part, if there is one.
    fn help(&self);
    /// Does parts until there is none, and goes.
    fn goes(&self);
}

pub(super) struct Changes {
    /// Whether a thread that waits looks before it goes to sleep: 1, or 0.
    looks: AtomicU32,
    count: AtomicU32,
}

impl Changes {
    pub(super) fn new() -> Changes {
        Changes { looks: AtomicU32::new(0), count: AtomicU32::new(0) }
    }

    /// Says whether each thread has a processor to itself, so that one which waits may look. At first it may not.
    pub(super) fn let_look(&self, each_has_a_processor: bool) {
        self.looks.store(each_has_a_processor as u32, Ordering::Relaxed);
    }

    /// Counts a change. The lock is held.
    pub(super) fn tell(&self) {
        self.count.store(self.now().wrapping_add(1), Ordering::Relaxed);
    }

    /// Looks for a change for a while, with the lock given up meanwhile, and helps where help is wanted. Whether there was one.
    pub(super) fn look<'a, T>(
        &self,
        lock: &'a Mutex<T>,
        held: MutexGuard<'a, T>,
        house: Option<&dyn Guesthouse>,
    ) -> (MutexGuard<'a, T>, bool) {
        if self.looks.load(Ordering::Relaxed) == 0 {
            return (held, false);
        }
        let before = self.now();
        drop(held);
        if let Some(house) = house {
            house.comes();
        }
        let most = if house.is_some() { GUEST_LOOKED_FOR } else { LOOKED_FOR };
        let mut spell = Spell::new();
        while self.now() == before {
            if let Some(house) = house.filter(|house| house.is_open()) {
                house.help();
                spell = Spell::new();
            }
            if !spell.goes_on(most) {
                break;
            }
        }
        if let Some(house) = house {
            house.goes();
        }
        (lock.lock().unwrap_or_else(PoisonError::into_inner), self.now() != before)
    }

    fn now(&self) -> u32 {
        self.count.load(Ordering::Relaxed)
    }
}
