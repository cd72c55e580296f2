//! The rule that tells pointers, for heaps whose values carry their type in the word.

use crate::base::{Failure, Outcome};

/// The tag rule of one heap. A word is a pointer when its low four bits are in the table; its address is then
/// `(word & mask) + offset`.
#[derive(Clone, Copy, Debug)]
pub struct Tags {
    /// Bit t: words with low bits t are pointers.
    pub pointers: u16,
    pub mask: usize,
    pub offset: usize,
}

impl Tags {
    /// Every word is a pointer whose low three bits are a tag: the rule of pointer fields.
    pub const POINTER_FIELDS: Tags = Tags { pointers: 0xffff, mask: !7, offset: 0 };

    pub fn checked(pointers: u16, mask: usize, offset: usize, alignment: usize) -> Outcome<Tags> {
        if alignment == 8 && pointers & 0xff != pointers >> 8 {
            return Err(Failure::argument(format_args!(
                "the tag table {pointers:#06x} tells words apart by bit 3, which is address when objects are aligned to 8; \
                 make entries t and t+8 agree, or set object_alignment to 16"
            )));
        }
        if pointers != 0 && mask == 0 {
            return Err(Failure::argument(format_args!(
                "tagged_pointers is set and address_mask is 0: no word could be a pointer"
            )));
        }
        Ok(Tags { pointers, mask, offset })
    }

    /// The address that a word holds, or 0.
    #[inline(always)]
    pub fn address(&self, word: usize) -> usize {
        if self.pointers >> (word & 15) & 1 != 0 { (word & self.mask).wrapping_add(self.offset) } else { 0 }
    }
}
