//! Generations and steps, and the byte by which an address tells where it is.

use crate::base::size::{MAX_GENERATIONS, MAX_STEPS};
use crate::block::{Block, Chain, DoubleChain};
use crate::heap::space::remember::EntryList;

/// A generation and a step in six bits; younger is smaller.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(transparent)]
pub struct Place(pub u8);

pub const PLACES: usize = 64;
const _: () = assert!(MAX_GENERATIONS * 8 == PLACES && MAX_STEPS < 8);

impl Place {
    pub const NURSERY: Place = Place::new(0, 0);

    pub const fn new(generation: usize, step: usize) -> Place {
        Place((generation << 3 | step) as u8)
    }

    #[inline(always)]
    pub const fn generation(self) -> u8 {
        self.0 >> 3
    }

    #[inline(always)]
    pub const fn step(self) -> u8 {
        self.0 & 7
    }

    /// The mask changes nothing, and spares a check of bounds wherever a pointer is followed.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize & (PLACES - 1)
    }
}

/// The code of a block (`megablock::codes`): 0 for nothing of ours, else 1 + place, plus 64 where objects do not move
/// (large and pinned), plus 128 where a running collection puts saved objects.
///
/// So one subtraction and one comparison find the small objects that a collection may move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(transparent)]
pub struct Code(pub u8);

impl Code {
    pub const NONE: Code = Code(0);

    pub const fn moving(place: Place) -> Code {
        Code(1 + place.0)
    }

    pub const fn fixed(place: Place) -> Code {
        Code(65 + place.0)
    }

    pub const fn saved(self) -> Code {
        Code(self.0 + 128)
    }

    #[inline(always)]
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }

    #[inline(always)]
    pub const fn is_saved(self) -> bool {
        self.0 > 128
    }

    #[inline(always)]
    pub const fn is_fixed(self) -> bool {
        self.0 != 0 && (self.0 - 1) & 64 != 0
    }

    #[inline(always)]
    pub const fn place(self) -> Place {
        Place(self.0.wrapping_sub(1) & 63)
    }

    #[inline(always)]
    pub const fn generation(self) -> u8 {
        self.place().generation()
    }

    /// True for small objects in generations up to the one whose highest place is `last`.
    #[inline(always)]
    pub const fn moves_up_to(self, last: Place) -> bool {
        self.0.wrapping_sub(1) <= last.0
    }
}

/// One step of a generation: objects that have survived the same number of collections.
#[derive(Debug)]
pub struct Step {
    /// Groups that hold small objects. Their descriptors say how far each is filled.
    pub blocks: Chain,
    /// The groups for the next objects that come here: for those that are scanned, and for those that are not, since
    /// they have no pointers. Never the same group; null for none.
    pub open: Block,
    pub open_leaves: Block,
    /// Blocks of groups that were opened for objects without pointers.
    pub leaf_blocks: usize,
    /// Groups of one large object each, and blocks of pinned ones.
    pub large: DoubleChain,
    /// Words of live objects copied here and not yet collected again.
    pub live_words: usize,
    /// Words in the objects of `large`: those that have groups of their own, and those in pinned blocks.
    pub large_words: usize,
    pub pinned_words: usize,
}

impl Step {
    pub const EMPTY: Step = Step {
        blocks: Chain::EMPTY,
        open: Block::NULL,
        open_leaves: Block::NULL,
        leaf_blocks: 0,
        large: DoubleChain::EMPTY,
        live_words: 0,
        large_words: 0,
        pinned_words: 0,
    };

    /// Words of objects that lived when they were last looked at.
    pub fn words(&self) -> usize {
        self.live_words + self.large_words + self.pinned_words
    }

    pub fn all_blocks(&self) -> usize {
        self.blocks.blocks + self.large.blocks
    }

    pub fn take_blocks(&mut self) -> Chain {
        (self.open, self.open_leaves, self.leaf_blocks) = (Block::NULL, Block::NULL, 0);
        self.blocks.take()
    }
}

/// Objects of an age range, collected together.
#[derive(Debug)]
pub struct Generation {
    pub steps: [Step; MAX_STEPS],
    pub step_count: usize,
    /// Blocks of step 0 beyond which the next collection takes this generation.
    pub max_blocks: usize,
    /// Entries of what may point from here into younger generations.
    pub remembered: EntryList,
    /// Whether something could not be remembered: this generation has to be collected before or with any younger one.
    pub forgot: bool,
    pub collections: u64,
    /// Entries that this collection has put into `remembered` without knowing that they differ.
    pub unproven: usize,
    /// Entries that differed when last counted; less with each collection since.
    pub distinct: usize,
}

impl Generation {
    pub const EMPTY: Generation = Generation {
        steps: [Step::EMPTY; MAX_STEPS],
        step_count: 1,
        max_blocks: 0,
        remembered: EntryList::EMPTY,
        forgot: false,
        collections: 0,
        unproven: 0,
        distinct: 0,
    };

    pub fn live_steps(&self) -> &[Step] {
        &self.steps[..self.step_count]
    }

    pub fn all_blocks(&self) -> usize {
        self.live_steps().iter().map(Step::all_blocks).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_say_what_they_were_made_of() {
        for generation in 0..MAX_GENERATIONS {
            for step in 0..MAX_STEPS {
                let place = Place::new(generation, step);
                for code in [Code::moving(place), Code::fixed(place)] {
                    assert_eq!((code.place(), code.saved().place()), (place, place));
                    assert!(!code.is_none() && !code.is_saved() && code.saved().is_saved());
                    assert!(!code.saved().moves_up_to(Place(63)));
                }
                assert!(Code::moving(place).moves_up_to(place) && !Code::fixed(place).moves_up_to(Place(63)));
                assert!(Code::fixed(place).is_fixed() && !Code::moving(place).is_fixed());
                assert!(Code::fixed(place).saved().is_fixed() && !Code::moving(place).saved().is_fixed());
            }
        }
        assert!(!Code::NONE.moves_up_to(Place(63)));
    }
}
