//! The rule that tells pointers, for heaps whose values carry their type in the word.

use crate::base::size::ADDRESS_BITS;
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
        let tags = Tags { pointers, mask, offset };
        tags.refuse_impossible(alignment, ADDRESS_BITS)?;
        Ok(tags)
    }

    /// Refuses a rule by which no word could lead to an object, or by which words that are no references would.
    fn refuse_impossible(&self, alignment: usize, address_bits: usize) -> Outcome<()> {
        let Tags { pointers, mask, offset } = *self;
        if pointers == 0 {
            return Ok(());
        }
        // No tag can be in these: below are bits of alignment, above those that programs have none of.
        let kept = (1 << address_bits) - 16;
        if mask & kept != kept {
            return Err(Failure::argument(format_args!(
                "address_mask {mask:#x} drops bits of addresses, which have {address_bits}: compressed references are not offered, \
                 so keep whole words, and at least the bits {kept:#x} in the mask"
            )));
        }
        let low = alignment - 1;
        let leads_to_one =
            |tag: usize| pointers >> tag & 1 != 0 && (tag & mask).wrapping_add(offset) & low == 0;
        if !(0..16).any(leads_to_one) {
            return Err(Failure::argument(format_args!(
                "the tag table {pointers:#06x} with address_mask {mask:#x} and address_offset {offset:#x} gives no multiple of \
                 {alignment}, and no object lies elsewhere: clear the tag's bits in the mask, or subtract the tag by the offset"
            )));
        }
        if pointers == u16::MAX && mask >> 48 != 0xffff {
            return Err(Failure::argument(format_args!(
                "all words are pointers by the tag table, and address_mask {mask:#x} drops high bits: a double whose other bits \
                 look like an address would be rewritten; let low bits tell pointers, or keep the high bits in the mask and \
                 add 2^49 to doubles, as barrow/nanbox.h does"
            )));
        }
        Ok(())
    }

    /// The address that a word holds, or 0.
    #[inline(always)]
    pub fn address(&self, word: usize) -> usize {
        if self.pointers >> (word & 15) & 1 != 0 { (word & self.mask).wrapping_add(self.offset) } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_refused(mask: usize, address_bits: usize) -> bool {
        Tags { pointers: 0x0202, mask, offset: 0 }.refuse_impossible(8, address_bits).is_err()
    }

    /// Where addresses have 48 bits, the highest one is in those that the system gives first.
    #[test]
    fn a_mask_keeps_each_bit_of_addresses() {
        assert_eq!(ADDRESS_BITS, if cfg!(target_arch = "x86_64") { 47 } else { 48 });
        for bits in [47, 48] {
            assert!(!is_refused((1 << bits) - 8, bits));
            assert!((4..bits).all(|bit| is_refused(!7 & !(1 << bit), bits)), "{bits}");
        }
        assert!(Tags::checked(0x0202, !7 & !(1 << (ADDRESS_BITS - 1)), 0, 8).is_err());
    }
}
