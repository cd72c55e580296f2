//! A batch: objects that the collector has kept and that profiles have not been told of yet. An object told
//! of by itself would wait for its own lines of the side tables; those of a batch are fetched together.

use crate::base::Addr;
use crate::heap::space::generation::Place;

/// An object that was kept.
#[derive(Clone, Copy)]
pub struct Kept {
    pub from: Addr,
    pub to: Addr,
    /// The places of the object before and now in the lowest bytes, its words above them, and the bit `MET`:
    /// one word, because the collector's loop has few registers for this.
    rest: usize,
}

const PLACE_BITS: u32 = u8::BITS;
/// Bit of `Kept::rest`: an earlier collection may have met the object, since it is no copy from the
/// nursery.
const MET: usize = 1 << (usize::BITS - 1);

impl Kept {
    const NOTHING: Kept = Kept { from: Addr::NULL, to: Addr::NULL, rest: 0 };

    #[inline(always)]
    pub fn new(from: Addr, to: Addr, words: usize, was: Place, place: Place) -> Kept {
        // An object that stays where it is may have been met, whatever its place is.
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

/// Objects in a batch: few enough that their cache lines stay in the cache until the profiles look at
/// them.
const MOST: usize = 128;

/// Distance, in objects, at which a batch prefetches what profiles know of an object: addresses come in
/// any order.
const AHEAD: usize = 16;

pub(crate) struct Batch {
    length: usize,
    /// The objects of the batch; behind them lie `AHEAD` older ones or `Kept::NOTHING`, whose prefetch
    /// does no harm.
    kept: [Kept; MOST + AHEAD],
}

impl Batch {
    pub(crate) const fn new() -> Batch {
        Batch { length: 0, kept: [Kept::NOTHING; MOST + AHEAD] }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Adds an object. True when there is no room for another.
    #[inline(always)]
    pub(crate) fn add(&mut self, kept: Kept) -> bool {
        // The caller takes a full batch at once, so that `at` is never beyond the end.
        let at = self.length & (MOST - 1);
        self.kept[at] = kept;
        self.length = at + 1;
        self.length == MOST
    }

    /// The objects, in the order in which they were kept.
    pub(crate) fn all(&self) -> &[Kept] {
        &self.kept[..self.length]
    }

    /// The objects, in the order in which they were kept; the batch is empty afterwards.
    pub(crate) fn take(&mut self) -> Taken<'_> {
        let length = std::mem::take(&mut self.length);
        Taken {
            first: &self.kept[..AHEAD.min(length)],
            kept: &self.kept[..length],
            later: &self.kept[AHEAD..][..length],
        }
    }
}

/// The objects of a batch that was emptied.
#[derive(Clone, Copy)]
pub struct Taken<'a> {
    first: &'a [Kept],
    kept: &'a [Kept],
    later: &'a [Kept],
}

impl<'a> Taken<'a> {
    /// The objects in order; `ask` is called for each object `AHEAD` objects before it comes.
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
