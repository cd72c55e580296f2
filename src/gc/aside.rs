//! The list of a marking worker, for the thread that collects: everything that needs more than mark bits. That thread does it
//! when no worker runs [gc.together].

use super::rings::HELD;
use super::slices::SLICE;
use super::told::Untold;
use crate::base::{Addr, List, Outcome};

/// In the low bits of an entry: what is to be done, and at the address above them.
const KIND: usize = 7;

/// An entry's address, and what is to be done there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Left {
    /// A slot, a plain or a tagged one, that leads to something that is not marked in place.
    Pointer(Addr),
    Tagged(Addr),
    /// A marked object whose fields are not looked at.
    Fields(Addr),
    /// An object that is not marked.
    Whole(Addr),
    /// A marked object with a bit in its header that says who else is to be told.
    Special(Addr),
    /// A marked object whose group is to be looked through, since nothing says that its fields wait.
    Unseen(Addr),
}

impl Left {
    fn word(self) -> usize {
        let (at, kind) = match self {
            Left::Pointer(at) => (at, 0),
            Left::Tagged(at) => (at, 1),
            Left::Fields(at) => (at, 2),
            Left::Whole(at) => (at, 3),
            Left::Special(at) => (at, 4),
            Left::Unseen(at) => (at, 5),
        };
        at.0 | kind
    }

    fn of(word: usize) -> Left {
        let at = Addr(word & !KIND);
        match word & KIND {
            0 => Left::Pointer(at),
            1 => Left::Tagged(at),
            2 => Left::Fields(at),
            3 => Left::Whole(at),
            4 => Left::Special(at),
            _ => Left::Unseen(at),
        }
    }
}

/// Entries; those of one object may be more than a worker was to leave, and then it stops.
pub(super) struct Aside {
    entries: List<usize>,
    /// Marked objects of which an observer is to be told, where there is one.
    pub untold: Untold,
}

/// Entries after which a worker stops, and those that there is room for.
const ENOUGH: usize = 2048;
const MOST: usize = 4096;
/// Of these, room for entries of a worker that stops: what it holds, and the object that it was looking at.
const AT_LAST: usize = HELD + 16;
// A worker that begins a slice of an array has less than enough.
const _: () = assert!(ENOUGH + SLICE + AT_LAST < MOST - AT_LAST);

impl Aside {
    pub(super) fn new(is_told: bool) -> Outcome<Aside> {
        let mut entries = List::new();
        entries.reserve(MOST)?;
        Ok(Aside { entries, untold: Untold::new(is_told)? })
    }

    /// Whether a worker is to stop, so that these are done.
    #[inline(always)]
    pub(super) fn is_enough(&self) -> bool {
        self.entries.len() >= ENOUGH
    }

    /// Whether there is room for a few entries besides those that come at last.
    pub(super) fn has_room(&self) -> bool {
        self.entries.len() + AT_LAST < MOST - AT_LAST
    }

    /// Leaves something to be done; false when there is no room, but for what comes at last.
    pub(super) fn push(&mut self, left: Left) -> bool {
        self.entries.len() < MOST - AT_LAST && self.entries.push_within(left.word()).is_ok()
    }

    /// As `push`, for a worker that stops.
    pub(super) fn push_at_last(&mut self, left: Left) {
        let pushed = self.entries.push_within(left.word());
        assert!(pushed.is_ok(), "a worker holds no more than there is room for");
    }

    pub(super) fn pop(&mut self) -> Option<Left> {
        self.entries.pop().map(Left::of)
    }
}
