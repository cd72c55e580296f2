//! Work that threads share in packets, and how all of them learn that none is left.
//!
//! A thread that finds no packet looks for a while whether there is one, where it has a processor to itself, and then sleeps. When all would there is no packet, and nobody who could make one: that is the
//! end. Any of them can interrupt the others before: then all come out, and put back what they have not done. The lock hands on what is
//! in a packet.

use super::changes::Changes;
use super::sync::{AtomicU32, Condvar, Mutex, MutexGuard, Ordering, PoisonError};

/// The answer to a thread that works and looks up for a moment.
pub(crate) enum Look {
    GoOn,
    /// Another thread has found no packet.
    Share,
    /// Somebody has interrupted, perhaps the thread itself.
    ComeOut,
}

/// Packets that wait, in any order. `put` needs no memory.
pub(crate) trait Shelf {
    type Packet;
    fn put(&mut self, packet: Self::Packet);
    fn get(&mut self) -> Option<Self::Packet>;
}

struct State<S> {
    full: S,
    empty: S,
    /// Threads that have found no packet.
    idle: u32,
    /// Threads among them that sleep.
    asleep: u32,
    is_over: bool,
}

pub(crate) struct Work<S: Shelf> {
    state: Mutex<State<S>>,
    changed: Condvar,
    /// Changes of which threads without a packet want to know.
    changes: Changes,
    threads: u32,
    /// Threads at work beyond which no more are wanted.
    enough: AtomicU32,
    /// Threads that have found no packet, if they are wanted, and whether somebody has interrupted: for a look without the lock.
    wanted: AtomicU32,
    interrupted: AtomicU32,
}

impl<S: Shelf> Work<S> {
    /// Work for so many threads, with all packets.
    pub(crate) fn new(threads: u32, full: S, empty: S) -> Work<S> {
        Work {
            state: Mutex::new(State { full, empty, idle: 0, asleep: 0, is_over: false }),
            changed: Condvar::new(),
            changes: Changes::new(),
            threads,
            enough: AtomicU32::new(u32::MAX),
            wanted: AtomicU32::new(0),
            interrupted: AtomicU32::new(0),
        }
    }

    /// Says how many threads can run at a time. As long as so many are at work, packets wait for them, and nobody gives anything away:
    /// more threads would take turns. A thread without a packet looks for a while where fewer are. When all are `eager` to work, as many
    /// are wanted as there are, and they look where each has a processor.
    pub(crate) fn fit(&self, processors: usize, eager: bool) {
        self.changes.let_look(!eager || self.threads as usize <= processors);
        if !eager {
            self.enough.store(processors as u32, Ordering::Relaxed);
        }
    }

    fn are_enough(&self, idle: u32) -> bool {
        self.threads - idle >= self.enough.load(Ordering::Relaxed)
    }

    /// Shows whether threads without a packet are wanted.
    fn show(&self, idle: u32) {
        self.wanted.store(if self.are_enough(idle) { 0 } else { idle }, Ordering::Relaxed);
    }

    fn lock(&self) -> MutexGuard<'_, State<S>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether some thread has found no packet. An old answer does no harm.
    #[inline(always)]
    pub(crate) fn is_wanted(&self) -> bool {
        self.wanted.load(Ordering::Relaxed) != 0
    }

    /// Whether somebody has interrupted. A thread that misses it hears of it with the next packet at the latest.
    #[inline(always)]
    pub(crate) fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed) != 0
    }

    /// Hands a packet on.
    pub(crate) fn give(&self, packet: S::Packet) {
        let mut state = self.lock();
        state.full.put(packet);
        self.changes.tell();
        if state.asleep > 0 && !self.are_enough(state.idle) {
            self.changed.notify_one();
        }
    }

    /// Lets all come out, or find none.
    fn end(&self, state: &mut State<S>) {
        state.is_over = true;
        self.changes.tell();
        self.changed.notify_all();
    }

    /// A packet that nobody uses, if there is one.
    pub(crate) fn spare(&self) -> Option<S::Packet> {
        self.lock().empty.get()
    }

    /// Gives back a packet with nothing in it.
    pub(crate) fn give_back(&self, packet: S::Packet) {
        self.lock().empty.put(packet);
    }

    /// A packet with work in it, if one is there now.
    pub(crate) fn take_one(&self) -> Option<S::Packet> {
        self.lock().full.get()
    }

    /// The next packet; waits for one while another thread may make it. `None` when no work is left, or somebody has
    /// interrupted.
    pub(crate) fn take(&self) -> Option<S::Packet> {
        let mut state = self.lock();
        loop {
            if state.is_over {
                return None;
            }
            if let Some(packet) = state.full.get() {
                return Some(packet);
            }
            state.idle += 1;
            if planted!(400, state.idle + 1 >= self.threads, state.idle == self.threads) {
                self.end(&mut state);
                return None;
            }
            self.show(state.idle);
            state = self.wait(state);
            state.idle -= 1;
            self.show(state.idle);
        }
    }

    /// Waits for a change.
    fn wait<'a>(&'a self, state: MutexGuard<'a, State<S>>) -> MutexGuard<'a, State<S>> {
        let (mut state, changed) = if self.are_enough(state.idle) {
            (state, false)
        } else {
            self.changes.look(&self.state, state, None)
        };
        if changed {
            return state;
        }
        state.asleep += 1;
        let mut state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        state.asleep -= 1;
        state
    }

    /// Looks at what others want. A thread that has to come out interrupts the others.
    pub(crate) fn look(&self, has_to_come_out: bool) -> Look {
        if has_to_come_out {
            self.interrupt();
        }
        if self.is_interrupted() {
            Look::ComeOut
        } else if self.is_wanted() {
            Look::Share
        } else {
            Look::GoOn
        }
    }

    /// Lets all threads come out. Packets that are left stay.
    pub(crate) fn interrupt(&self) {
        let mut state = self.lock();
        self.interrupted.store(1, Ordering::Relaxed);
        self.end(&mut state);
    }

    /// Makes it as it was before anybody took a packet, but for the packets: nobody is in it. The next packet with work, if
    /// there is one, tells whether there is anything to do.
    pub(crate) fn begin_again(&self) -> Option<S::Packet> {
        let mut state = self.lock();
        (state.idle, state.is_over) = (0, false);
        self.wanted.store(0, Ordering::Relaxed);
        self.interrupted.store(0, Ordering::Relaxed);
        state.full.get()
    }
}
