//! A thread that calls a function at intervals. No signal is used, and none is delivered to the thread.

use super::thread;
use crate::base::Outcome;
use crate::base::list::try_box;
use std::ffi::c_void;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A function that the ticker's thread calls, with the pointer given to `start`.
pub(crate) type Beat = unsafe fn(*mut c_void);

/// The lock held during a beat, so that a fork can wait for its end.
static BEATS: Mutex<()> = Mutex::new(());

pub(crate) struct HeldBeats(#[allow(dead_code)] MutexGuard<'static, ()>);

/// Takes the lock on beats: no beat of any ticker runs while it is held.
pub(crate) fn hold() -> HeldBeats {
    HeldBeats(BEATS.lock().unwrap_or_else(PoisonError::into_inner))
}

struct Shared {
    period: Duration,
    beat: Beat,
    context: *mut c_void,
    stop: Mutex<bool>,
    wake: Condvar,
}

/// A running ticker. Dropping it stops the thread, and waits for it.
pub(crate) struct Ticker {
    shared: *mut Shared,
    thread: libc::pthread_t,
    /// The process of the thread, which a child of this process does not have.
    process: libc::pid_t,
}

const STACK_BYTES: usize = 128 << 10;

extern "C" fn run(shared: *mut c_void) -> *mut c_void {
    // SAFETY: `start` hands the state over, and it is freed only after this thread has ended.
    let shared = unsafe { &*shared.cast::<Shared>() };
    let mut stop = shared.stop.lock().unwrap_or_else(PoisonError::into_inner);
    while !*stop {
        let waited = shared.wake.wait_timeout(stop, shared.period).unwrap_or_else(PoisonError::into_inner);
        stop = waited.0;
        if !*stop {
            let _beat = hold();
            // SAFETY: the owner of the ticker keeps the context until the ticker has stopped.
            unsafe { (shared.beat)(shared.context) };
        }
    }
    std::ptr::null_mut()
}

impl Ticker {
    /// Begins to call `beat` with `context` every `period`, or as soon after that as the machine allows.
    ///
    /// # Safety
    /// `beat` may be called with `context` from another thread until the ticker is dropped.
    pub(crate) unsafe fn start(period: Duration, beat: Beat, context: *mut c_void) -> Outcome<Ticker> {
        let shared = Shared { period, beat, context, stop: Mutex::new(false), wake: Condvar::new() };
        let shared = Box::into_raw(try_box(shared)?);
        // SAFETY: `run` takes the state, which outlives the thread.
        match unsafe { thread::start(STACK_BYTES, run, shared.cast()) } {
            Ok(thread) => Ok(Ticker { shared, thread, process: thread::process() }),
            Err(failure) => {
                // SAFETY: it came from a box, and no thread has it.
                drop(unsafe { Box::from_raw(shared) });
                Err(failure)
            }
        }
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        if thread::process() != self.process {
            // After a fork there is no thread to end. Its lock may be held for ever, so it is not taken.
            // SAFETY: it came from a box, and the thread that shared it is not in this process.
            drop(unsafe { Box::from_raw(self.shared) });
            return;
        }
        // SAFETY: the thread has not been joined yet, so the shared state is still there.
        unsafe {
            *(*self.shared).stop.lock().unwrap_or_else(PoisonError::into_inner) = true;
            (*self.shared).wake.notify_one();
            libc::pthread_join(self.thread, std::ptr::null_mut());
            drop(Box::from_raw(self.shared));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::fault;
    use std::sync::atomic::{AtomicU32, Ordering};

    unsafe fn count(context: *mut c_void) {
        // SAFETY: the tests hand in a counter that outlives the ticker.
        unsafe { &*context.cast::<AtomicU32>() }.fetch_add(1, Ordering::Relaxed);
    }

    #[test]
    fn it_beats_until_it_is_dropped() {
        let beats = AtomicU32::new(0);
        let context = (&raw const beats).cast_mut().cast();
        // SAFETY: `beats` outlives the ticker.
        let ticker = unsafe { Ticker::start(Duration::from_millis(1), count, context) }.unwrap();
        while beats.load(Ordering::Relaxed) < 5 {
            std::thread::yield_now();
        }
        drop(ticker);
        let after = beats.load(Ordering::Relaxed);
        std::thread::sleep(Duration::from_millis(20));
        assert_eq!(beats.load(Ordering::Relaxed), after);
        // A long period must not delay the end.
        // SAFETY: as above.
        drop(unsafe { Ticker::start(Duration::from_secs(3600), count, context) }.unwrap());
        fault::fail_after(1);
        // SAFETY: as above.
        let refused = unsafe { Ticker::start(Duration::from_secs(1), count, context) };
        fault::stop();
        assert!(refused.is_err());
    }
}
