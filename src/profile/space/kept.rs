//! What a collection has kept, of objects that are all alike: of one table and one maker, out of one generation and into
//! one. They are counted here, and added to the rows once, since most objects are like one that was kept lately [profile.space.kept].

use crate::heap::space::generation::Place;
use crate::profile::space::kinds::Sort;

/// Whose objects, out of which place, and into which: in one word, which is never 0.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct What(u64);

impl What {
    #[inline(always)]
    pub(crate) fn new(number: u32, was: Place, place: Place) -> What {
        What(number as u64 | (was.0 as u64) << 32 | (place.0 as u64) << 40)
    }

    pub(crate) fn number(self) -> u32 {
        self.0 as u32
    }

    pub(crate) fn from(self) -> usize {
        Place((self.0 >> 32) as u8).generation() as usize
    }

    pub(crate) fn to(self) -> usize {
        Place((self.0 >> 40) as u8).generation() as usize
    }
}

/// Objects that were kept and are not in the rows yet.
#[derive(Clone, Copy, Default)]
#[repr(align(64))]
pub(crate) struct Alike {
    pub header: usize,
    pub what: What,
    pub objects: u64,
    pub words: usize,
    /// Where kinds are wanted.
    pub sort: Option<Sort>,
}

/// Makers of few kinds that are met by turns should not push each other out.
pub(crate) const ALIKE: usize = 64;
const _: () = assert!(size_of::<Alike>() == 64);

pub(crate) struct Kept([Alike; ALIKE]);

impl Default for Kept {
    fn default() -> Kept {
        Kept([Alike::default(); ALIKE])
    }
}

/// The upper bits of a product depend on all that are below them in its factors; here the maker's number and the places
/// come in above those bits in which tables differ least.
#[inline(always)]
fn place_of(header: usize, what: What) -> usize {
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
    ((header as u64 ^ what.0.rotate_left(16)).wrapping_mul(ODD) >> (64 - ALIKE.ilog2())) as usize
}

impl Kept {
    /// Counts an object that is like one before. Those of one header here have one size.
    #[inline(always)]
    pub(crate) fn is_like_one(&mut self, header: usize, what: What) -> bool {
        let alike = &mut self.0[place_of(header, what)];
        let is_like = alike.header == header && alike.what == what;
        if is_like {
            planted!(133, (), alike.objects += 1);
        }
        is_like
    }

    /// The first of its like takes a place. Gives what had it.
    pub(crate) fn put(&mut self, one: Alike) -> Alike {
        std::mem::replace(&mut self.0[place_of(one.header, one.what)], one)
    }

    /// What is at a place, which is free afterwards.
    pub(crate) fn take(&mut self, place: usize) -> Alike {
        std::mem::take(&mut self.0[place])
    }
}
