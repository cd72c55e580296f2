//! The gate of a heap with several mutators: one thread at a time is inside, and one at a time keeps the others still.
//!
//! A thread that wants the others still goes out while waiting for them, so that calls which cannot wait for a collection come
//! to their end; once all are still, nobody can come in. There is no other lock, and nobody who has this one waits for
//! another heap.

use super::changes::{Changes, Guesthouse};
use super::presence::Presence;
use super::sync::{AtomicU64, Condvar, Instant, Mutex, MutexGuard, Ordering, PoisonError};
use std::time::Duration;

struct State {
    /// The thread that is inside; 0 for none.
    inside: u64,
    /// The thread that wants the others still, or has them so; 0 for none.
    stopper: u64,
    /// Threads that wait for a change.
    waiting: usize,
}

pub(crate) struct Gate {
    state: Mutex<State>,
    changed: Condvar,
    /// The thread that is inside, and the one that keeps others still, for a thread that asks whether that is itself.
    inside: AtomicU64,
    stopper: AtomicU64,
    /// Changes that threads were told of.
    changes: Changes,
}

impl Gate {
    pub(crate) fn new() -> Gate {
        Gate {
            state: Mutex::new(State { inside: 0, stopper: 0, waiting: 0 }),
            changed: Condvar::new(),
            inside: AtomicU64::new(0),
            stopper: AtomicU64::new(0),
            changes: Changes::new(),
        }
    }

    /// Says whether each thread has a processor to itself, so that a thread which waits may look for a while before it sleeps. At
    /// first it may not.
    pub(crate) fn let_look(&self, each_has_a_processor: bool) {
        self.changes.let_look(each_has_a_processor);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&'a self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        self.wait_or_help(state, None, None)
    }

    /// As `wait`, but not for longer than this, and helps meanwhile.
    fn wait_or_help<'a>(
        &'a self,
        state: MutexGuard<'a, State>,
        house: Option<&dyn Guesthouse>,
        most: Option<Duration>,
    ) -> MutexGuard<'a, State> {
        let (mut state, changed) = self.changes.look(&self.state, state, house);
        if changed {
            return state;
        }
        state.waiting += 1;
        let mut state = match most {
            None => self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
            Some(most) => self.changed.wait_timeout(state, most).unwrap_or_else(PoisonError::into_inner).0,
        };
        state.waiting -= 1;
        state
    }

    fn tell(&self, state: &State) {
        self.changes.tell();
        if state.waiting > 0 {
            self.changed.notify_all();
        }
    }

    fn set_inside(&self, state: &mut State, thread: u64) {
        state.inside = thread;
        self.inside.store(thread, Ordering::Relaxed);
    }

    fn set_stopper(&self, state: &mut State, thread: u64) {
        state.stopper = thread;
        self.stopper.store(thread, Ordering::Relaxed);
    }

    /// Whether the calling thread is inside.
    pub(crate) fn has(&self, here: u64) -> bool {
        self.inside.load(Ordering::Relaxed) == here
    }

    /// Whether anybody is inside.
    pub(crate) fn is_empty(&self) -> bool {
        self.inside.load(Ordering::Relaxed) == 0
    }

    /// Goes in, after waiting until nobody else is. The caller is not inside.
    pub(crate) fn enter(&self, here: u64) {
        let mut state = self.lock();
        while state.inside != 0 {
            state = self.wait(state);
            planted!(465, break);
        }
        self.set_inside(&mut state, here);
    }

    /// Goes in when nobody is inside, and waits for nobody: a handler of signals may try this.
    pub(crate) fn try_enter(&self, here: u64) -> bool {
        let Ok(mut state) = self.state.try_lock() else { return false };
        let is_free = state.inside == 0;
        if is_free {
            self.set_inside(&mut state, here);
        }
        is_free
    }

    /// Goes out. Threads that were kept still may go on.
    pub(crate) fn leave(&self, here: u64) {
        let mut state = self.lock();
        self.set_inside(&mut state, 0);
        if state.stopper == here {
            self.set_stopper(&mut state, 0);
        }
        self.tell(&state);
    }

    /// Whether the calling thread keeps the others still.
    pub(crate) fn keeps_still(&self, here: u64) -> bool {
        self.stopper.load(Ordering::Relaxed) == here
    }

    /// Lets another thread have what it waits for, if any waits for the others to be still: the caller, who is inside,
    /// goes out, stands, and comes in afterwards. False when there is nobody. A caller without a mutator has no presence. The others may
    /// have help meanwhile.
    pub(crate) fn stand_aside(
        &self,
        here: u64,
        presence: Option<&Presence>,
        house: Option<&dyn Guesthouse>,
    ) -> bool {
        let mut state = self.lock();
        if state.stopper == 0 || state.stopper == here {
            return false;
        }
        self.set_inside(&mut state, 0);
        if let Some(presence) = presence {
            presence.stands(true);
        }
        self.tell(&state);
        while state.stopper != 0 || state.inside != 0 {
            state = self.wait_or_help(state, house, None);
        }
        if let Some(presence) = presence {
            presence.stands(false);
        }
        self.set_inside(&mut state, here);
        true
    }

    /// Goes out to wait for something else, at a place where collections may run: the thread stands until it comes in again.
    pub(crate) fn rest(&self, presence: &Presence) {
        let mut state = self.lock();
        self.set_inside(&mut state, 0);
        presence.stands(true);
        self.tell(&state);
    }

    /// Comes in after a rest, when nobody else is inside or keeps the others still.
    pub(crate) fn wake(&self, here: u64, presence: &Presence) {
        let mut state = self.lock();
        while state.stopper != 0 || state.inside != 0 {
            state = self.wait(state);
        }
        presence.stands(false);
        self.set_inside(&mut state, here);
    }

    /// Waits until the others are still; the caller, who is inside and need not wait for anybody else's stop, is outside
    /// meanwhile. The others were asked. `slow` is called once when it takes longer than `patience`, while nobody is inside; what it gives
    /// may take as long as it likes, and keeps nobody waiting for the gate.
    pub(crate) fn stop<T: FnOnce()>(
        &self,
        here: u64,
        ask: impl FnOnce(),
        mut are_still: impl FnMut() -> bool,
        patience: Option<Duration>,
        mut slow: impl FnMut() -> T,
    ) {
        let mut state = self.lock();
        self.set_stopper(&mut state, here);
        ask();
        if !are_still() {
            self.set_inside(&mut state, 0);
            self.tell(&state);
            // Changes come as often as others make calls, and do not lengthen the time.
            let end = || patience.and_then(|most| Instant::now().checked_add(most));
            let mut late_from = end();
            while state.inside != 0 || !are_still() {
                let left = late_from.map(|end| end.saturating_duration_since(Instant::now()));
                state = match left {
                    Some(Duration::ZERO) if planted!(508, true, state.inside == 0) => {
                        let tell = slow();
                        planted!(569, {
                            tell();
                            late_from = None;
                            continue;
                        });
                        drop(state);
                        tell();
                        late_from = None;
                        self.lock()
                    }
                    // A thread that is inside tells when it goes out.
                    None | Some(Duration::ZERO) => self.wait(state),
                    Some(left) => self.wait_or_help(state, None, Some(left)),
                };
                planted!(504, late_from = late_from.and_then(|_| end()));
            }
            self.set_inside(&mut state, here);
        }
    }

    /// Tells a thread that waits that another has left for foreign code.
    pub(crate) fn nudge(&self) {
        let state = self.lock();
        self.tell(&state);
    }

    /// Lets a thread that comes back from foreign code go on when nobody keeps it still. `arrives` is called then, before anybody can
    /// ask it again.
    pub(crate) fn admit(&self, here: u64, presence: &Presence, arrives: impl FnOnce()) {
        let mut state = self.lock();
        let mut has_told = false;
        while state.stopper != 0 && state.stopper != here {
            presence.is_away_again();
            // Nothing changes at later turns: threads that told then would wake one another as long as the stop lasts.
            if planted!(669, true, !has_told) {
                self.tell(&state);
                has_told = true;
            }
            state = self.wait(state);
        }
        arrives();
        presence.is_back();
    }
}
