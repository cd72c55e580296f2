//! Objects that a census has seen, or that were used, and that the ledger has not been told of: counts of
//! objects that a biography does not tell apart.
//!
//! Most objects are like one of the last few, so that counting one is a comparison and two additions. A place
//! that is wanted for other objects gives up its count.

use crate::base::{List, Outcome};
use crate::profile::biography::Word;

/// Objects with the same header, word and producer: their number, and their words together.
#[derive(Clone, Copy, Default)]
#[repr(C, align(16))]
pub(crate) struct Alike {
    pub header: usize,
    pub word: Word,
    // The two counts are added to together, and the alignment keeps them in one line of the cache.
    pub objects: u64,
    pub words: u64,
    pub producer: u32,
}

const LOG_PLACES: u32 = 8;

pub(crate) struct Seen {
    /// As many as `PLACES`.
    places: List<Alike>,
}

impl Seen {
    pub(crate) const PLACES: usize = 1 << LOG_PLACES;

    pub(crate) fn new() -> Outcome<Seen> {
        let mut places = List::new();
        places.fill(Seen::PLACES, Alike::default())?;
        Ok(Seen { places })
    }

    /// Counts one object. Gives the objects whose place it has taken, which are not counted here any
    /// more.
    #[inline(always)]
    pub(crate) fn add(&mut self, header: usize, word: Word, producer: u32, words: usize) -> Option<Alike> {
        let mixed =
            (header as u64 ^ word.0.rotate_left(34) ^ producer as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let place = &mut self.places[(mixed >> (64 - LOG_PLACES)) as usize];
        if place.header == header && place.word == word && place.producer == producer {
            place.objects += 1;
            place.words += words as u64;
            return None;
        }
        let before =
            std::mem::replace(place, Alike { header, word, producer, objects: 1, words: words as u64 });
        (before.objects != 0).then_some(before)
    }

    /// Takes the counts of one place, if there are any; none are left there.
    pub(crate) fn take_at(&mut self, place: usize) -> Option<Alike> {
        let taken = std::mem::take(&mut self.places[place]);
        (taken.objects != 0).then_some(taken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_lost() {
        let mut seen = Seen::new().unwrap();
        let (mut objects, mut words) = (0, 0);
        let mut tell = |alike: Alike| {
            assert_eq!(alike.words, alike.objects * (2 + alike.header as u64 % 5));
            (objects, words) = (objects + alike.objects, words + alike.words);
        };
        let mut wanted = 0;
        for i in 0..100_000usize {
            let header = 8 + i * i % 97;
            wanted += 2 + header as u64 % 5;
            if let Some(others) =
                seen.add(header, Word::created(i as u32 / 1000), (i % 3) as u32, 2 + header % 5)
            {
                tell(others);
            }
        }
        (0..Seen::PLACES).filter_map(|place| seen.take_at(place)).for_each(&mut tell);
        assert!((0..Seen::PLACES).all(|place| seen.take_at(place).is_none()));
        assert_eq!((objects, words), (100_000, wanted));
    }
}
