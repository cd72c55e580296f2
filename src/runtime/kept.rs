//! Objects that the collector has kept and profiles have not been told of yet: told of one by one, each would wait for its own
//! lines of the side tables; together they wait at once.

use crate::base::Addr;
use crate::heap::space::Place;

/// An object that was kept.
#[derive(Clone, Copy)]
pub struct Kept {
    pub from: Addr,
    pub to: Addr,
    pub words: usize,
    pub was: Place,
    pub place: Place,
}

impl Kept {
    const NOTHING: Kept =
        Kept { from: Addr::NULL, to: Addr::NULL, words: 0, was: Place::NURSERY, place: Place::NURSERY };
}

/// So many that their lines stay in the cache until they are looked at.
const MOST: usize = 128;

pub struct Batch {
    length: usize,
    kept: [Kept; MOST],
}

impl Batch {
    pub const fn new() -> Batch {
        Batch { length: 0, kept: [Kept::NOTHING; MOST] }
    }

    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Adds one. True when there is no room for another.
    #[inline(always)]
    pub fn add(&mut self, kept: Kept) -> bool {
        // A full batch is taken at once.
        let at = self.length & (MOST - 1);
        self.kept[at] = kept;
        self.length = at + 1;
        self.length == MOST
    }

    /// All of them, in the order in which they were kept.
    pub fn all(&self) -> &[Kept] {
        &self.kept[..self.length]
    }

    /// The same, and none are left.
    pub fn take(&mut self) -> &[Kept] {
        &self.kept[..std::mem::take(&mut self.length)]
    }
}
