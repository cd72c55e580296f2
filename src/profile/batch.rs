//! Objects that the collector has kept and profiles have not been told of yet: told of one by one, each would wait for its own
//! lines of the side tables; together they wait at once.

use crate::base::Addr;
use crate::heap::space::generation::Place;

/// An object that was kept.
#[derive(Clone, Copy)]
pub struct Kept {
    pub from: Addr,
    pub to: Addr,
    /// Where it was and where it is in the lowest bytes, its words, and `MET`: the collector's loop has few registers for this.
    rest: usize,
}

const PLACE_BITS: u32 = u8::BITS;
/// An earlier collection may have met the object: it is no copy of what was in the nursery.
const MET: usize = 1 << (usize::BITS - 1);

impl Kept {
    const NOTHING: Kept = Kept { from: Addr::NULL, to: Addr::NULL, rest: 0 };

    #[inline(always)]
    pub fn new(from: Addr, to: Addr, words: usize, was: Place, place: Place) -> Kept {
        // What has not moved may have been met, whatever the place is.
        let met = if from == to || was != Place::NURSERY { MET } else { 0 };
        Kept {
            from,
            to,
            rest: met | words << (2 * PLACE_BITS) | (was.0 as usize) << PLACE_BITS | place.0 as usize,
        }
    }

    #[inline(always)]
    pub fn words(&self) -> usize {
        (self.rest & !MET) >> (2 * PLACE_BITS)
    }

    #[inline(always)]
    pub fn was(&self) -> Place {
        Place((self.rest >> PLACE_BITS) as u8)
    }

    #[inline(always)]
    pub fn place(&self) -> Place {
        Place(self.rest as u8)
    }

    /// Whether an earlier collection may have met the object.
    #[inline(always)]
    pub fn is_met(&self) -> bool {
        self.rest & MET != 0
    }
}

/// So many that their lines stay in the cache until they are looked at.
const MOST: usize = 128;

/// So many objects ahead, what is known of one is asked for: they come in any order.
const AHEAD: usize = 16;

pub(crate) struct Batch {
    length: usize,
    /// Behind the last are others, which were kept before, or nothing.
    kept: [Kept; MOST + AHEAD],
}

impl Batch {
    pub(crate) const fn new() -> Batch {
        Batch { length: 0, kept: [Kept::NOTHING; MOST + AHEAD] }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Adds one. True when there is no room for another.
    #[inline(always)]
    pub(crate) fn add(&mut self, kept: Kept) -> bool {
        // A full batch is taken at once.
        let at = self.length & (MOST - 1);
        self.kept[at] = kept;
        self.length = at + 1;
        self.length == MOST
    }

    /// All of them, in the order in which they were kept.
    pub(crate) fn all(&self) -> &[Kept] {
        &self.kept[..self.length]
    }

    /// The same, and none are left.
    pub(crate) fn take(&mut self) -> Taken<'_> {
        let length = std::mem::take(&mut self.length);
        Taken {
            first: &self.kept[..AHEAD.min(length)],
            kept: &self.kept[..length],
            later: &self.kept[AHEAD..][..length],
        }
    }
}

/// What was in a batch.
#[derive(Clone, Copy)]
pub struct Taken<'a> {
    first: &'a [Kept],
    kept: &'a [Kept],
    later: &'a [Kept],
}

impl<'a> Taken<'a> {
    /// Each object; `ask` is called for it some objects before.
    #[inline(always)]
    pub fn asking(self, ask: impl Fn(&Kept)) -> impl Iterator<Item = &'a Kept> {
        self.first.iter().for_each(&ask);
        self.kept.iter().zip(self.later).map(move |(kept, later)| {
            ask(later);
            kept
        })
    }

    pub fn iter(self) -> std::slice::Iter<'a, Kept> {
        self.kept.iter()
    }
}
