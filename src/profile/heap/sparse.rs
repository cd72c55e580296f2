//! Counts by number where few numbers have any: threads and stacks by their producers.
//!
//! A table of full range would take as much address space again as the counters of all objects. Here a number
//! is looked up by its hash; when half of the places are taken, new numbers go to counters of full range
//! after all.

use super::tally::{Count, Counters};
use crate::base::Outcome;
use crate::os::memory::Area;
use std::ops::Range;

const LOG_PLACES: u32 = 12;
const PLACES: usize = 1 << LOG_PLACES;

/// A place of the table. An area reads as zero until it is written, so a place holds the number plus one.
#[derive(Clone, Copy, Default)]
#[repr(C)]
struct Place {
    number_and_one: u64,
    count: Count,
}

pub(crate) struct Sparse {
    places: Area,
    taken: usize,
    /// The counters of full range, mapped when the table is half full.
    rest: Option<Counters>,
    /// Number of possible numbers.
    length: usize,
}

impl Sparse {
    pub(crate) fn new(length: usize) -> Outcome<Sparse> {
        let places = super::tally::map(PLACES * size_of::<Place>())?;
        Ok(Sparse { places, taken: 0, rest: None, length })
    }

    fn all(&self) -> &[Place] {
        // SAFETY: the area has so many places, and any bytes are a valid place; it is changed through `&mut
        // self` alone.
        unsafe { std::slice::from_raw_parts(self.places.start().as_ptr::<Place>(), PLACES) }
    }

    fn all_mut(&mut self) -> &mut [Place] {
        // SAFETY: as above.
        unsafe { std::slice::from_raw_parts_mut(self.places.start().as_ptr::<Place>(), PLACES) }
    }

    /// Index of a number, or of the empty place for it. At most half of the places are taken, so the search
    /// ends.
    fn find(&self, number: usize) -> usize {
        let mut at = ((number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - LOG_PLACES)) as usize;
        let places = self.all();
        while places[at].number_and_one != 0 && places[at].number_and_one != number as u64 + 1 {
            at = (at + 1) % PLACES;
        }
        at
    }

    pub(crate) fn add(&mut self, number: usize, words: usize) {
        let at = self.find(number);
        if self.all()[at].number_and_one == 0 {
            if self.taken == PLACES / 2 {
                // Without address space for the counters, these objects are counted as any other object.
                if self.rest.is_none() {
                    self.rest = Counters::new(self.length).ok();
                }
                if let Some(rest) = &mut self.rest {
                    rest.add(number, words);
                }
                return;
            }
            self.taken += 1;
            self.all_mut()[at].number_and_one = number as u64 + 1;
        }
        let count = &mut self.all_mut()[at].count;
        count.words += words as u64;
        count.objects += 1;
    }

    pub(crate) fn get(&self, number: usize) -> Count {
        let place = self.all()[self.find(number)];
        if place.number_and_one != 0 {
            return place.count;
        }
        self.rest.as_ref().map_or(Count::default(), |rest| rest.get(number))
    }

    /// Makes all counts of the table zero, and those of full range in `used`.
    pub(crate) fn clear(&mut self, used: Range<usize>) {
        if std::mem::take(&mut self.taken) != 0 {
            self.all_mut().fill(Place::default());
        }
        if let Some(rest) = &mut self.rest {
            rest.clear(used);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_numbers_are_counted_as_well_as_few() {
        for many in [3, PLACES / 2, PLACES * 3] {
            let mut sparse = Sparse::new(1 << 20).unwrap();
            for round in 1..=2u64 {
                for number in 0..many {
                    sparse.add(number * 7, number);
                    sparse.add(number * 7, 1);
                }
                for number in 0..many {
                    let words = number as u64 + 1;
                    assert_eq!(sparse.get(number * 7), Count { words, objects: 2 }, "round {round}");
                }
                assert_eq!(sparse.get(1), Count::default());
                sparse.clear(0..1 << 20);
                assert_eq!(sparse.get(0), Count::default());
            }
        }
    }
}
