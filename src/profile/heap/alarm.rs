//! The alarm of a heap profile by wall time: a thread of the library asks all mutators for attention when a sample is due, and the
//! first that comes takes it. A program that mostly waits comes to no slow path by itself before its chunk of the nursery is full.

use crate::base::list::try_box;
use crate::base::{List, Outcome};
use crate::heap::Mutator;
use crate::heap::mutator::state::attention;
use crate::os::clock::{self, Nanos};
use crate::os::ticker::Ticker;
use std::ffi::c_void;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Looks at the clock in each interval.
const LOOKS: u64 = 16;
/// Bounds of the time between two looks, in nanoseconds.
const SHORTEST: u64 = 200_000;
const LONGEST: u64 = 50_000_000;

/// The state that the alarm's thread and those of mutators share.
struct Shared {
    /// The time at which the next sample is due, by the clock of wall time.
    next: AtomicU64,
    /// The mutators to ask.
    mutators: Mutex<List<*mut Mutator>>,
}

/// A running alarm; its thread ends when it is dropped.
pub(crate) struct Alarm {
    ticker: Option<Ticker>,
    shared: *mut Shared,
    /// The wall time from which a sample's time counts.
    born: Nanos,
}

impl Shared {
    fn beat(&self) {
        if clock::wall().0 < self.next.load(Ordering::Relaxed) {
            return;
        }
        for &mutator in self.mutators().iter() {
            // SAFETY: the mutator is watched, so that it is attached: it is taken away under this lock before it goes.
            unsafe { Mutator::ask(mutator, attention::SAMPLE) };
        }
    }

    fn mutators(&self) -> MutexGuard<'_, List<*mut Mutator>> {
        self.mutators.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// # Safety
/// `context` is the state of an alarm.
unsafe fn beat(context: *mut c_void) {
    // SAFETY: the caller's promise; the alarm frees it after the ticker has ended.
    unsafe { (*context.cast::<Shared>()).beat() }
}

impl Alarm {
    /// Starts the alarm of samples `interval` nanoseconds apart, whose times count from `born`.
    pub(crate) fn start(interval: u64, born: Nanos) -> Outcome<Alarm> {
        let shared = Shared { next: AtomicU64::new(u64::MAX), mutators: Mutex::default() };
        let mut alarm = Alarm { ticker: None, shared: Box::into_raw(try_box(shared)?), born };
        let period = Duration::from_nanos((interval / LOOKS).clamp(SHORTEST, LONGEST));
        // SAFETY: the state is freed after the ticker, by `drop`.
        alarm.ticker = Some(unsafe { Ticker::start(period, beat, alarm.shared.cast())? });
        Ok(alarm)
    }

    fn shared(&self) -> &Shared {
        // SAFETY: the state lives as long as the alarm.
        unsafe { &*self.shared }
    }

    /// Sets the time at which the next sample is due.
    pub(crate) fn set(&self, next: u64) {
        self.shared().next.store(self.born.0.saturating_add(next), Ordering::Relaxed);
    }

    /// Asks this mutator too from now on, which is attached.
    pub(crate) fn watch(&self, mutator: *mut Mutator) -> Outcome<()> {
        let mut asked = self.shared().mutators();
        planted!(523, asked.clear());
        asked.push(mutator)
    }

    /// Asks this mutator no more, which goes.
    pub(crate) fn unwatch(&self, mutator: *const Mutator) {
        self.shared().mutators().retain_mut(|asked| !std::ptr::eq(*asked, mutator));
    }
}

impl Drop for Alarm {
    fn drop(&mut self) {
        self.ticker = None;
        // SAFETY: it came from a box, and the ticker, which used it, has ended.
        drop(unsafe { Box::from_raw(self.shared) });
    }
}
