//! The two rings that an object passes on its way from the stack to its mark. In the first its line of marks comes into the
//! cache, and a marked object ends there, as most references in a graph do; in the second the object comes.

use super::marks::FIELDS_ONLY;
use crate::base::Addr;

/// Lines, and then objects, that are on their way into the cache.
const RING: usize = 8;

/// Entries of the mark stack that wait for memory, null for none.
pub(super) struct Rings {
    lines: [Addr; RING],
    objects: [Addr; RING],
    /// Entries in both rings, and the position whose turn it is.
    held: usize,
    turn: usize,
}

impl Rings {
    pub(super) const EMPTY: Rings =
        Rings { lines: [Addr::NULL; RING], objects: [Addr::NULL; RING], held: 0, turn: 0 };

    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.held == 0
    }

    /// Takes an entry whose `line` of marks may not be in the cache.
    #[inline(always)]
    pub(super) fn hold(&mut self, line: Addr) {
        line.prefetch();
        self.held += 1;
    }

    /// Moves on by one position: `fresh`, which is held, or null, comes in; the entry that comes out is to be marked, and is null when
    /// none does.
    #[inline(always)]
    pub(super) fn pass(&mut self, fresh: Addr, is_marked: impl FnOnce(Addr) -> bool) -> Addr {
        let mut object = std::mem::replace(&mut self.lines[self.turn], fresh);
        if !object.is_null() && object.0 & FIELDS_ONLY == 0 && is_marked(object) {
            object = Addr::NULL;
            self.held -= 1;
        }
        object.prefetch();
        let object = std::mem::replace(&mut self.objects[self.turn], object);
        self.turn = (self.turn + 1) % RING;
        if !object.is_null() {
            self.held -= 1;
        }
        object
    }

    /// The entries that are held.
    pub(super) fn entries(self) -> impl Iterator<Item = Addr> {
        self.lines.into_iter().chain(self.objects).filter(|entry| !entry.is_null())
    }
}
