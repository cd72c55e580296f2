//! The little that all loops over copies share: words of objects are copied, and fields are looked ahead to.

use crate::base::Addr;
use crate::base::size::*;
use crate::heap::object::info::{FLAG_MUTABLE, Info, Kind};

/// Distance ahead of the scan at which pointers are prefetched: some five objects of a few words.
pub(super) const LOOK_AHEAD_BYTES: usize = 192;

/// Whether such objects are pointers and then words that do not change, as most are.
#[inline(always)]
pub(super) fn is_constant(info: &Info) -> bool {
    info.is(Kind::Constr) && info.flags & FLAG_MUTABLE == 0
}

/// # Safety
/// `words` words lie at `from`, at least two, and as many can be written at `to`, which does not overlap.
#[inline(always)]
pub(super) unsafe fn copy_words(from: Addr, to: Addr, words: usize) {
    let end = words * WORD_BYTES;
    // SAFETY: the caller's promise. The common sizes take two or four copies of two words, which may overlap.
    unsafe {
        if words <= 4 {
            copy_pair(from, to, 0);
            copy_pair(from, to, end - 16);
        } else if words <= 8 {
            copy_pair(from, to, 0);
            copy_pair(from, to, 16);
            copy_pair(from, to, end - 32);
            copy_pair(from, to, end - 16);
        } else {
            to.as_ptr::<usize>().copy_from_nonoverlapping(from.as_ptr(), words);
        }
    }
}

/// # Safety
/// Two words lie `offset` bytes from both addresses; those at `to` can be written.
#[inline(always)]
unsafe fn copy_pair(from: Addr, to: Addr, offset: usize) {
    // SAFETY: the caller's promise.
    unsafe {
        to.plus_bytes(offset)
            .as_ptr::<[usize; 2]>()
            .write_unaligned(from.plus_bytes(offset).as_ptr::<[usize; 2]>().read_unaligned())
    }
}
