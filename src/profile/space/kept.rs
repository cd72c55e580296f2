//! Kept objects that are alike: of one table and one maker, copied out of one generation into one. They are
//! counted here, and added to the rows together, since most objects are like one that was kept lately
//! [profile.space.kept].

use crate::heap::space::generation::Place;
use crate::profile::space::kinds::Sort;

/// The maker, the place that objects come from, and the place that they go to: one word, which is never
/// 0.
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
    /// The column and sizes in the table of kinds, where kinds are wanted.
    pub sort: Option<Sort>,
}

/// Places of the table: enough that makers of few kinds which are met by turns do not push each other
/// out.
pub(crate) const ALIKE: usize = 64;
const _: () = assert!(size_of::<Alike>() == 64);

pub(crate) struct Kept([Alike; ALIKE]);

impl Default for Kept {
    fn default() -> Kept {
        Kept([Alike::default(); ALIKE])
    }
}

/// The index of a place. The upper bits of a product depend on all bits below them in its factors, so the
/// maker's number and the places are put above the bits in which tables differ least.
#[inline(always)]
fn place_of(header: usize, what: What) -> usize {
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
    ((header as u64 ^ what.0.rotate_left(16)).wrapping_mul(ODD) >> (64 - ALIKE.ilog2())) as usize
}

impl Kept {
    /// Counts an object if its like has a place. Objects of one header here have one size.
    #[inline(always)]
    pub(crate) fn is_like_one(&mut self, header: usize, what: What) -> bool {
        let alike = &mut self.0[place_of(header, what)];
        let is_like = alike.header == header && alike.what == what;
        if is_like {
            planted!(133, (), alike.objects += 1);
        }
        is_like
    }

    /// Gives the first object of its like a place. Returns the counts that the place had.
    pub(crate) fn put(&mut self, one: Alike) -> Alike {
        std::mem::replace(&mut self.0[place_of(one.header, one.what)], one)
    }

    /// Takes the counts of a place, which is free afterwards.
    pub(crate) fn take(&mut self, place: usize) -> Alike {
        std::mem::take(&mut self.0[place])
    }
}
