//! Threads that wait to be called, do something together with the one that calls, and wait again. Guests may take part: threads that
//! look for something else, and are awake.
//!
//! The lock orders both: they see all that the caller has written before the call, and it sees afterwards what they have
//! written.

use super::sync::{AtomicU32, Condvar, LOOKED_FOR, Mutex, MutexGuard, Ordering, PoisonError, Spell};

struct State<J> {
    /// The last job.
    job: Option<J>,
    /// Parts of it that no thread has taken, and that are not done.
    untaken: usize,
    left: usize,
    /// Guests, each of which will look once more whether there is a part to take [base.still.guests].
    guests: usize,
    /// Whether the threads are to end.
    ends: bool,
}

pub(crate) struct Crew<J> {
    state: Mutex<State<J>>,
    called: Condvar,
    done: Condvar,
    /// The numbers of the same names, for looks without the lock.
    untaken: AtomicU32,
    left: AtomicU32,
    guests: AtomicU32,
}

impl<J: Copy> Crew<J> {
    pub(crate) fn new() -> Crew<J> {
        Crew {
            state: Mutex::new(State { job: None, untaken: 0, left: 0, guests: 0, ends: false }),
            called: Condvar::new(),
            done: Condvar::new(),
            untaken: AtomicU32::new(0),
            left: AtomicU32::new(0),
            guests: AtomicU32::new(0),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State<J>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls for `wanted` threads, each of which gets a part with a number of its own from 0 on.
    pub(crate) fn call(&self, wanted: usize, job: J) {
        let mut state = self.lock();
        (state.job, state.untaken, state.left) = (Some(job), wanted, wanted);
        self.untaken.store(wanted as u32, Ordering::Relaxed);
        self.left.store(wanted as u32, Ordering::Relaxed);
        if state.guests < wanted {
            self.called.notify_all();
        }
    }

    /// Waits until all parts are done, and forgets the job. The caller may look for a while before it sleeps, where each thread has a
    /// processor to itself.
    pub(crate) fn wait(&self, may_look: bool) {
        let mut spell = Spell::new();
        while may_look && self.left.load(Ordering::Relaxed) > 0 && spell.goes_on(LOOKED_FOR) {}
        let mut state = self.lock();
        while state.left > 0 {
            state = self.done.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.job = None;
    }

    fn take(&self, state: &mut State<J>) -> Option<(J, usize)> {
        let number = state.untaken.checked_sub(1)?;
        state.untaken = number;
        self.untaken.store(number as u32, Ordering::Relaxed);
        state.job.map(|job| (job, number))
    }

    /// Waits for a part to do, with its number; `None` when the thread is to end.
    pub(crate) fn next(&self) -> Option<(J, usize)> {
        let mut state = self.lock();
        loop {
            if state.ends {
                return None;
            }
            if let Some(part) = self.take(&mut state) {
                return Some(part);
            }
            state = self.called.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Says that a thread has done its part.
    pub(crate) fn is_done(&self) {
        let mut state = self.lock();
        state.left -= 1;
        self.left.store(state.left as u32, Ordering::Relaxed);
        if state.left == 0 {
            self.done.notify_one();
        }
    }

    /// A thread that is awake looks for parts from now on, until `goes`.
    pub(crate) fn comes(&self) {
        self.add_guests(&mut self.lock(), 1);
    }

    /// Whether there may be a part to take. An old answer does no harm.
    #[inline(always)]
    pub(crate) fn is_open(&self) -> bool {
        self.untaken.load(Ordering::Relaxed) != 0
    }

    /// A part for a guest.
    pub(crate) fn take_one(&self) -> Option<(J, usize)> {
        self.take(&mut self.lock())
    }

    /// A guest goes, unless it was counted on: then there is a part for it, and it is still a guest.
    pub(crate) fn goes(&self) -> Option<(J, usize)> {
        let mut state = self.lock();
        let part = planted!(455, None, self.take(&mut state));
        if part.is_none() {
            self.add_guests(&mut state, -1);
        }
        part
    }

    fn add_guests(&self, state: &mut State<J>, more: isize) {
        state.guests = state.guests.wrapping_add_signed(more);
        self.guests.store(state.guests as u32, Ordering::Relaxed);
    }

    /// Guests that look. An old answer does no harm.
    pub(crate) fn guests(&self) -> usize {
        self.guests.load(Ordering::Relaxed) as usize
    }

    /// Lets all threads end.
    pub(crate) fn end(&self) {
        self.lock().ends = true;
        self.called.notify_all();
    }
}
