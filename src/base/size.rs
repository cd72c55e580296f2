//! Every size on which the layers agree, in one place, each with the reason for its value. Sizes that
//! compiled code relies on are repeated in `include/barrow/inline.h` and compared by `c-tests/layout.c`.

/// Objects, fields and sizes are counted in words.
pub const WORD_BYTES: usize = 8;

pub const LOG_BLOCK_BYTES: usize = 12;
/// The unit of the block allocator. 4 KiB is a page on the machines we run on, and small enough that a step
/// with one object in it costs little; groups of blocks are taken where more is wanted, so it need not be larger.
pub const BLOCK_BYTES: usize = 1 << LOG_BLOCK_BYTES;
pub const BLOCK_WORDS: usize = BLOCK_BYTES / WORD_BYTES;

pub const LOG_MEGABLOCK_BYTES: usize = 20;
/// The unit of the megablock layer: half a huge page, so that a small heap costs one or two of them.
pub const MEGABLOCK_BYTES: usize = 1 << LOG_MEGABLOCK_BYTES;

/// The unit of a compaction's table: as many words as a machine word has bits.
pub const LOG_LINE_BYTES: usize = 9;
pub const LINE_BYTES: usize = 1 << LOG_LINE_BYTES;
pub const LINE_WORDS: usize = LINE_BYTES / WORD_BYTES;

/// Blocks by address in a megablock, those of the descriptors included.
pub const BLOCKS_PER_MEGABLOCK: usize = MEGABLOCK_BYTES / BLOCK_BYTES;

/// One cache line, so that two descriptors never share one.
pub const LOG_DESCRIPTOR_BYTES: usize = 6;
pub const DESCRIPTOR_BYTES: usize = 1 << LOG_DESCRIPTOR_BYTES;

/// The descriptors fill the first blocks of a megablock. The slots that would describe those very blocks are
/// free for the megablock's header (`megablock::Header`).
pub const FIRST_BLOCK: usize = BLOCKS_PER_MEGABLOCK * DESCRIPTOR_BYTES / BLOCK_BYTES;
pub const MEGABLOCK_HEADER_BYTES: usize = FIRST_BLOCK * DESCRIPTOR_BYTES;

/// Blocks of a megablock that can be handed out.
pub const USABLE_BLOCKS: usize = BLOCKS_PER_MEGABLOCK - FIRST_BLOCK;

/// Objects above this size have a block group of their own and are never copied. 8/10 of a block, as in the
/// reference: it bounds what a copy can waste at the end of a block to a fifth.
pub const LARGE_OBJECT_WORDS: usize = BLOCK_WORDS * 8 / 10;

/// Any size up to this may be taken inline from the nursery. Part of the ABI.
pub const MAX_INLINE_WORDS: usize = 256;

/// The most that `barrow_reserve` takes at once. Part of the ABI: the smallest nursery holds it in one chunk.
pub const MAX_RESERVE_WORDS: usize = 4096;

/// No object is smaller: a forwarding address and a link must fit, and side tables have one entry per 16 bytes.
pub const MIN_OBJECT_WORDS: usize = 2;

/// Elements of a pointer array that share one card: 1 KiB, the references' value.
pub const LOG_CARD_ELEMENTS: usize = 7;
pub const CARD_ELEMENTS: usize = 1 << LOG_CARD_ELEMENTS;

/// Generation numbers fit three bits and steps as well (see `heap::space`).
pub const MAX_GENERATIONS: usize = 8;
pub const MAX_STEPS: usize = 7;

/// Bits of a program's addresses, unless it asks the system for more.
pub const ADDRESS_BITS: usize = if cfg!(target_arch = "x86_64") { 47 } else { 48 };

/// The oldest generation that an address may have and the largest object: sizes stay below 2^48 bytes.
pub const MAX_OBJECT_WORDS: usize = 1 << 40;

const _: () = assert!(FIRST_BLOCK * BLOCK_BYTES == BLOCKS_PER_MEGABLOCK * DESCRIPTOR_BYTES);
const _: () = assert!(MAX_INLINE_WORDS <= LARGE_OBJECT_WORDS);
const _: () = assert!(MAX_RESERVE_WORDS * WORD_BYTES <= USABLE_BLOCKS * BLOCK_BYTES);

pub const fn blocks_for_bytes(bytes: usize) -> usize {
    bytes.div_ceil(BLOCK_BYTES)
}
