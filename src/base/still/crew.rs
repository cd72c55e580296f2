//! Threads that wait to be called, do something together with the one that calls, and wait again.
//!
//! The lock orders both: they see all that the caller has written before the call, and it sees afterwards what they have
//! written.

use super::sync::{Condvar, Mutex, MutexGuard, PoisonError};

struct State {
    /// Number of the last call, and how many threads it wants.
    call: u64,
    wanted: usize,
    /// Threads of this call that have not done it.
    left: usize,
    /// Whether the threads are to end.
    ends: bool,
}

pub(crate) struct Crew {
    state: Mutex<State>,
    called: Condvar,
    done: Condvar,
}

impl Crew {
    pub(crate) fn new() -> Crew {
        Crew {
            state: Mutex::new(State { call: 0, wanted: 0, left: 0, ends: false }),
            called: Condvar::new(),
            done: Condvar::new(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls the threads numbered from 0 to `wanted - 1`, all of which are there or will be.
    pub(crate) fn call(&self, wanted: usize) {
        let mut state = self.lock();
        state.call += 1;
        (state.wanted, state.left) = (wanted, wanted);
        self.called.notify_all();
    }

    /// Waits until all that were called are done.
    pub(crate) fn wait(&self) {
        let mut state = self.lock();
        while state.left > 0 {
            state = self.done.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Waits for a call to the thread of this number, behind the last one that it has heard of. The number of the call; `None`
    /// when the thread is to end.
    pub(crate) fn next(&self, number: usize, last: u64) -> Option<u64> {
        let mut state = self.lock();
        loop {
            if state.ends {
                return None;
            }
            if state.call > last && number < state.wanted {
                return Some(state.call);
            }
            state = self.called.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Says that a thread has done its part.
    pub(crate) fn is_done(&self) {
        let mut state = self.lock();
        state.left -= 1;
        if state.left == 0 {
            self.done.notify_one();
        }
    }

    /// Lets all threads end.
    pub(crate) fn end(&self) {
        self.lock().ends = true;
        self.called.notify_all();
    }
}
