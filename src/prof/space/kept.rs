//! What a collection has kept, of objects that are all alike: of one table and one maker, out of one generation and into
//! one. They are counted here, and added to the rows once, since most objects are like one that was kept lately.

use super::kinds::Sort;

/// Whose objects, out of which generation, and into which.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct What {
    pub number: u32,
    pub from: u8,
    pub to: u8,
}

/// Objects that were kept and are not in the rows yet.
#[derive(Clone, Copy, Default)]
pub struct Alike {
    pub header: usize,
    pub words: usize,
    pub what: What,
    pub objects: u64,
    /// Where kinds are wanted.
    pub sort: Option<Sort>,
}

/// Makers of few kinds that are met by turns should not push each other out.
pub const ALIKE: usize = 64;

pub struct Kept([Alike; ALIKE]);

impl Default for Kept {
    fn default() -> Kept {
        Kept([Alike::default(); ALIKE])
    }
}

fn place_of(header: usize, what: What) -> usize {
    (header >> 4 ^ header >> 10 ^ what.number as usize ^ (what.from as usize) << 5) % ALIKE
}

impl Kept {
    /// Counts an object that is like one before.
    #[inline(always)]
    pub fn is_like_one(&mut self, header: usize, words: usize, what: What) -> bool {
        let alike = &mut self.0[place_of(header, what)];
        let is_like = alike.header == header && alike.words == words && alike.what == what;
        alike.objects += is_like as u64;
        is_like
    }

    /// The first of its like takes a place. Gives what had it.
    pub fn put(&mut self, one: Alike) -> Alike {
        std::mem::replace(&mut self.0[place_of(one.header, one.what)], one)
    }

    /// What is at a place, which is free afterwards.
    pub fn take(&mut self, place: usize) -> Alike {
        std::mem::take(&mut self.0[place])
    }
}
