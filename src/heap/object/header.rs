//! The first word of every object: the address of its info table, and three bits of the collector's.

use crate::heap::object::info::Info;

/// Bits 0 to 2 of a header word belong to the collector.
pub const HEADER_BITS: usize = 7;
/// The object has moved; the rest of the word is its new address.
pub const HEADER_FORWARDED: usize = 1;
/// `recordMutable` was called for the object: it is recorded again wherever it goes.
pub const HEADER_RECORDED: usize = 2;
/// Pointers to the object were replaced by another one: with `HEADER_FORWARDED`, and then word 1 is that pointer.
pub const HEADER_REPLACED: usize = 2;

/// The collector's weak phase waits for this object, which is no replaceable one. Only set during that phase.
pub const HEADER_AWAITED: usize = 4;

/// The info table of a header word that is not a forwarding address.
#[inline(always)]
pub(crate) fn info_of<'a>(header: usize) -> &'a Info {
    debug_assert!(header & HEADER_FORWARDED == 0 && header > HEADER_BITS);
    // SAFETY: the header of a well-formed object is the address of an info table, which lives for ever.
    unsafe { &*((header & !HEADER_BITS) as *const Info) }
}
