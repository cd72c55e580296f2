//! Whether the thread of a mutator may touch objects now.
//!
//! The exchange of leaving and coming back takes no lock. Each side writes its own word, and then reads the other's, with
//! a fence in between: so of a thread that comes back and another that wants it to stand, one sees the other.

use super::sync::{AtomicU32, Ordering, fence};

/// The thread is in foreign code.
const AWAY: u32 = 1;
/// The thread waits in a call of the library, at a place where a collection may run.
const STANDS: u32 = 2;

pub(crate) struct Presence(AtomicU32);

impl Presence {
    pub(crate) fn new() -> Presence {
        Presence(AtomicU32::new(0))
    }

    /// The thread leaves for foreign code. Whether somebody waits for it, who has to be told then: `asked` is the word in
    /// which others ask, and `bit` stands there for wanting the thread to stand.
    pub(crate) fn leave(&self, asked: &AtomicU32, bit: u32) -> bool {
        self.0.store(AWAY, Ordering::Release);
        fence(Ordering::SeqCst);
        asked.load(Ordering::Relaxed) & bit != 0
    }

    /// The thread comes back. When this is true it may touch objects; else somebody wants it to stand, and it has to ask at
    /// the gate (`Gate::admit`).
    pub(crate) fn come_back(&self, asked: &AtomicU32, bit: u32) -> bool {
        self.0.store(0, Ordering::Relaxed);
        fence(Ordering::SeqCst);
        asked.load(Ordering::Acquire) & bit == 0
    }

    /// Says, with the gate's lock held, that the thread is away after all.
    pub(super) fn is_away_again(&self) {
        self.0.store(AWAY, Ordering::Release);
    }

    /// Says, with the gate's lock held, whether the thread stands.
    pub(super) fn stands(&self, yes: bool) {
        self.0.store(if yes { STANDS } else { 0 }, Ordering::Release);
    }

    /// Whether the thread touches no object before it has asked at the gate. The thread was asked before.
    pub(crate) fn is_still(&self) -> bool {
        self.0.load(Ordering::Acquire) != 0
    }

    /// Whether the thread is in foreign code. For that thread itself.
    pub(crate) fn is_away(&self) -> bool {
        self.0.load(Ordering::Relaxed) == AWAY
    }
}
