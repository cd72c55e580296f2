//! Whether the thread of a mutator may touch objects now.
//!
//! The exchange of leaving and coming back takes no lock. All that either side says is in one word, and each says it in one
//! step that tells what was said before: so of a thread that comes back and another that wants it to stand, the later sees
//! the other.
//!
//! A thread that leaves says so without the gate's lock, so the release of `leave` and the acquire of `is_still` are all that lets the
//! other one see what it wrote. The lock gives what the other orders ask for: a thread that comes back with nothing to ask at
//! the gate has missed no collection, and every other change is made, or is looked at afterwards, with the lock held. These
//! orders stay, so that the word tells the truth to a reader without the lock as well.

use super::sync::{AtomicU32, Ordering};

/// The thread is in foreign code.
const AWAY: u32 = 1;
/// The thread waits in a call of the library, at a place where a collection may run.
const STANDS: u32 = 2;
/// Another thread wants it to stand, or keeps it still.
const ASKED: u32 = 4;

pub(crate) struct Presence(AtomicU32);

impl Presence {
    pub(crate) fn new() -> Presence {
        Presence(AtomicU32::new(0))
    }

    /// The thread, which is not away, leaves for foreign code. Whether somebody waits for it, who has to be told then.
    #[inline(always)]
    pub(crate) fn leave(&self) -> bool {
        self.0.fetch_add(AWAY, Ordering::Release) & ASKED != 0
    }

    /// The thread, which is away, comes back. When this is true it may touch objects; else somebody wants it to stand, and it
    /// has to ask at the gate (`Gate::admit`).
    #[inline(always)]
    pub(crate) fn come_back(&self) -> bool {
        self.0.fetch_sub(AWAY, Ordering::Acquire) & ASKED == 0
    }

    /// Asks the thread to stand.
    pub(crate) fn ask(&self) {
        self.0.fetch_or(ASKED, Ordering::Relaxed);
    }

    /// Whether the thread was asked and not let go. A thread that was away then comes by the gate, and is let go there.
    pub(crate) fn is_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed) & ASKED != 0
    }

    /// Lets the thread go on, which then sees all that was done meanwhile.
    pub(crate) fn let_go(&self) {
        self.0.fetch_and(!ASKED, Ordering::Release);
    }

    /// Says, with the gate's lock held, that the thread is away after all.
    pub(super) fn is_away_again(&self) {
        self.0.fetch_or(AWAY, Ordering::Release);
    }

    /// Says, with the gate's lock held, whether the thread stands. When it does not it is not away either.
    pub(super) fn stands(&self, yes: bool) {
        if yes {
            self.0.fetch_or(STANDS, Ordering::Release);
        } else {
            self.0.fetch_and(ASKED, Ordering::Acquire);
        }
    }

    /// Says, with the gate's lock held, that the thread is back, and goes on.
    pub(super) fn is_back(&self) {
        self.0.fetch_and(0, Ordering::Acquire);
    }

    /// Whether the thread touches no object before it has asked at the gate. The thread was asked before.
    pub(crate) fn is_still(&self) -> bool {
        self.0.load(Ordering::Acquire) & (AWAY | STANDS) != 0
    }

    /// Whether the thread stands now. For whoever counts its time.
    pub(crate) fn stands_now(&self) -> bool {
        self.0.load(Ordering::Relaxed) & STANDS != 0
    }

    /// Whether the thread is in foreign code. For that thread itself.
    pub(crate) fn is_away(&self) -> bool {
        self.0.load(Ordering::Relaxed) & AWAY != 0
    }
}
