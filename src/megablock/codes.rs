//! Codes: one byte for every block of the address space, to which the layers above give a meaning; zero for
//! memory that is not ours.
//!
//! Collections ask for the code of almost every pointer they see, so the table is dense and lies outside the
//! megablocks: tables at the same offset of every aligned megablock would fall into the same few sets of
//! every cache. Beside it, one word per megablock names the megablock in which its group begins.

use crate::base::Addr;
use crate::base::size::{LOG_BLOCK_BYTES, LOG_LINE_BYTES, LOG_MEGABLOCK_BYTES, MEGABLOCK_BYTES};

/// Read access for the inner loops; each kind of source has its own instance of them.
pub(crate) trait Codes: Copy {
    /// The code of the block at an address, which may be any word.
    fn at(self, address: usize) -> u8;

    /// Whether a word could be an address of ours: a quick answer, which may wrongly be yes.
    fn might_be_ours(self, word: usize) -> bool;

    /// The line of an address in a megablock of ours. The lines of one megablock are adjacent.
    fn line(self, address: usize) -> *mut Line;

    /// Prefetches the line of any word that could be an address of ours.
    fn prefetch_line(self, word: usize);
}

/// Two words for each line of 512 bytes, for marking in place. They hold no memory before the first major collection, and
/// none after a compaction, but the system has agreed to them when the line's megablock was made, so that memory cannot run out.
#[repr(C)]
pub struct Line {
    /// A bit for each word that is part of a live object.
    pub live: u64,
    /// At first, the number of words in this line that belong to an object which begins before it. Later, the
    /// new address of the first object that begins here, less those words.
    pub to: usize,
}

/// Bytes of heap for each byte of lines.
pub(crate) const HEAP_BYTES_PER_LINE_BYTE: usize = (1 << LOG_LINE_BYTES) / size_of::<Line>();

/// The table over one reserved range.
#[derive(Clone, Copy)]
pub struct RangeCodes {
    pub base: usize,
    pub bytes: usize,
    pub table: *mut u8,
    pub spans: *mut Addr,
    pub lines: *mut Line,
}

impl Codes for RangeCodes {
    #[inline(always)]
    fn at(self, address: usize) -> u8 {
        let offset = address.wrapping_sub(self.base);
        if offset < self.bytes {
            // SAFETY: the table has a byte for every block of the range.
            unsafe { *self.table.add(offset >> LOG_BLOCK_BYTES) }
        } else {
            0
        }
    }

    #[inline(always)]
    fn might_be_ours(self, word: usize) -> bool {
        word.wrapping_sub(self.base) < self.bytes
    }

    #[inline(always)]
    fn line(self, address: usize) -> *mut Line {
        // SAFETY: the table has a line for every 512 bytes of the range.
        unsafe { self.lines.add((address - self.base) >> LOG_LINE_BYTES) }
    }

    #[inline(always)]
    fn prefetch_line(self, word: usize) {
        if self.might_be_ours(word) {
            Addr(self.line(word) as usize).prefetch();
        }
    }
}

pub(crate) const LOG_LEAF_SPAN: usize = 32;
pub(crate) const LEAF_CODES: usize = 1 << (LOG_LEAF_SPAN - LOG_BLOCK_BYTES);
pub(crate) const LEAF_SPANS: usize = 1 << (LOG_LEAF_SPAN - LOG_MEGABLOCK_BYTES);
pub(crate) const LEAF_BYTES: usize = LEAF_CODES + LEAF_SPANS * (size_of::<Addr>() + size_of::<*mut Line>());
pub(crate) const DIRECTORY_ENTRIES: usize = 1 << (48 - LOG_LEAF_SPAN);

/// A directory over 48 bits of address, with a leaf for each 4 GiB that holds a chunk of ours.
#[derive(Clone, Copy)]
pub struct ChunkCodes {
    pub directory: *mut *mut u8,
}

impl ChunkCodes {
    /// All that the directory knows, but for the lowest addresses, which no system gives: where workers copy, an address outside the
    /// bounds is no object of ours.
    const BOUNDS: Bounds =
        Bounds { base: MEGABLOCK_BYTES, bytes: (DIRECTORY_ENTRIES << LOG_LEAF_SPAN) - MEGABLOCK_BYTES };

    #[inline(always)]
    fn leaf(self, address: usize) -> *mut u8 {
        if address >> 48 != 0 {
            return std::ptr::null_mut();
        }
        // SAFETY: the directory has an entry for every 48-bit address.
        unsafe { *self.directory.add(address >> LOG_LEAF_SPAN) }
    }
}

impl Codes for ChunkCodes {
    #[inline(always)]
    fn at(self, address: usize) -> u8 {
        let leaf = self.leaf(address);
        if leaf.is_null() {
            return 0;
        }
        // SAFETY: a leaf has a byte for every block of its 4 GiB.
        unsafe { *leaf.add((address >> LOG_BLOCK_BYTES) & (LEAF_CODES - 1)) }
    }

    #[inline(always)]
    fn might_be_ours(self, word: usize) -> bool {
        ChunkCodes::BOUNDS.contain(word)
    }

    #[inline(always)]
    fn line(self, address: usize) -> *mut Line {
        let lines = self.lines_entry(address);
        // SAFETY: a megablock of ours has its leaf, and its lines in it.
        unsafe { (*lines).add((address & (MEGABLOCK_BYTES - 1)) >> LOG_LINE_BYTES) }
    }

    #[inline(always)]
    fn prefetch_line(self, word: usize) {
        if self.might_be_ours(word) && self.at(word) != 0 {
            Addr(self.line(word) as usize).prefetch();
        }
    }
}

impl ChunkCodes {
    /// The entry for the lines of an address's megablock. The address lies in a leaf that exists.
    #[inline(always)]
    fn lines_entry(self, address: usize) -> *mut *mut Line {
        let leaf = self.leaf(address);
        debug_assert!(!leaf.is_null());
        // SAFETY: the words lie behind the codes and the spans of the leaf.
        unsafe {
            leaf.add(LEAF_CODES + LEAF_SPANS * size_of::<Addr>())
                .cast::<*mut Line>()
                .add((address >> LOG_MEGABLOCK_BYTES) & (LEAF_SPANS - 1))
        }
    }

    pub(super) fn set_lines(self, megablock: Addr, lines: *mut Line) {
        // SAFETY: the source has made the leaf before.
        unsafe { *self.lines_entry(megablock.0) = lines }
    }
}

/// Addresses that might be ours.
#[derive(Clone, Copy)]
struct Bounds {
    base: usize,
    bytes: usize,
}

impl Bounds {
    #[inline(always)]
    fn contain(self, word: usize) -> bool {
        word.wrapping_sub(self.base) < self.bytes
    }
}

/// The tables of either source, for loops of which there is one instance: the bounds are asked before the source is.
#[derive(Clone, Copy)]
pub(crate) struct BoundedCodes {
    bounds: Bounds,
    codes: AnyCodes,
}

impl BoundedCodes {
    #[inline(always)]
    pub(crate) fn at(&self, address: usize) -> u8 {
        if !self.might_be_ours(address) {
            return 0;
        }
        match &self.codes {
            // SAFETY: the bounds are the range's own, and its table has a byte for every block of it.
            AnyCodes::Range(codes) => unsafe {
                *codes.table.add(address.wrapping_sub(self.bounds.base) >> LOG_BLOCK_BYTES)
            },
            AnyCodes::Chunks(codes) => codes.at(address),
        }
    }

    #[inline(always)]
    pub(crate) fn might_be_ours(&self, word: usize) -> bool {
        self.bounds.contain(word)
    }
}

/// The tables of either source, for code that is not in an inner loop.
#[derive(Clone, Copy)]
pub enum AnyCodes {
    Range(RangeCodes),
    Chunks(ChunkCodes),
}

impl AnyCodes {
    pub fn at(self, address: usize) -> u8 {
        match self {
            AnyCodes::Range(codes) => codes.at(address),
            AnyCodes::Chunks(codes) => codes.at(address),
        }
    }

    pub(crate) fn bounded(self) -> BoundedCodes {
        let bounds = match self {
            AnyCodes::Range(codes) => Bounds { base: codes.base, bytes: codes.bytes },
            AnyCodes::Chunks(_) => {
                planted!(541, Bounds { base: MEGABLOCK_BYTES, bytes: 1 << 47 }, ChunkCodes::BOUNDS)
            }
        };
        BoundedCodes { bounds, codes: self }
    }

    /// Sets the code of `blocks` blocks from `at`, all in taken megablocks.
    pub fn set(self, at: Addr, blocks: usize, code: u8) {
        match self {
            AnyCodes::Range(codes) => {
                debug_assert!(at.0 - codes.base < codes.bytes);
                let first = (at.0 - codes.base) >> LOG_BLOCK_BYTES;
                // SAFETY: the blocks lie in the range, so the table has their bytes.
                unsafe { codes.table.add(first).write_bytes(code, blocks) };
            }
            AnyCodes::Chunks(codes) => {
                // A group may cross from one leaf into the next.
                let mut block = at.0 >> LOG_BLOCK_BYTES;
                let mut left = blocks;
                while left > 0 {
                    let index = block & (LEAF_CODES - 1);
                    let part = left.min(LEAF_CODES - index);
                    let leaf = codes.leaf(block << LOG_BLOCK_BYTES);
                    debug_assert!(!leaf.is_null());
                    // SAFETY: chunks have their leaves made before they are handed out.
                    unsafe { leaf.add(index).write_bytes(code, part) };
                    block += part;
                    left -= part;
                }
            }
        }
    }

    fn span_entry(self, address: usize) -> *mut Addr {
        match self {
            AnyCodes::Range(codes) => {
                let offset = address.wrapping_sub(codes.base);
                if offset >= codes.bytes {
                    return std::ptr::null_mut();
                }
                // SAFETY: the table has a word for every megablock of the range.
                unsafe { codes.spans.add(offset >> LOG_MEGABLOCK_BYTES) }
            }
            AnyCodes::Chunks(codes) => {
                let leaf = codes.leaf(address);
                if leaf.is_null() {
                    return std::ptr::null_mut();
                }
                // SAFETY: the words lie behind the bytes of the leaf.
                unsafe {
                    leaf.add(LEAF_CODES)
                        .cast::<Addr>()
                        .add((address >> LOG_MEGABLOCK_BYTES) & (LEAF_SPANS - 1))
                }
            }
        }
    }

    /// Whether the megablock at an address was mapped for this heap, now or once.
    pub fn was_ours(self, at: Addr) -> bool {
        match self {
            AnyCodes::Range(codes) => codes.might_be_ours(at.0),
            // SAFETY: the leaf exists, and so does its entry for the address.
            AnyCodes::Chunks(codes) => unsafe {
                !codes.leaf(at.0).is_null() && !(*codes.lines_entry(at.0)).is_null()
            },
        }
    }

    /// The megablock in which the group at an address begins: for most, its own; null for memory that is not
    /// ours.
    pub fn span(self, at: Addr) -> Addr {
        let entry = self.span_entry(at.0);
        // SAFETY: a non-null entry is a word of a table.
        if entry.is_null() { Addr::NULL } else { unsafe { *entry } }
    }

    pub(super) fn set_span(self, megablock: Addr, head: Addr) {
        debug_assert!(megablock.is_aligned(MEGABLOCK_BYTES));
        let entry = self.span_entry(megablock.0);
        debug_assert!(!entry.is_null());
        // SAFETY: tables exist for every megablock that the source has handed out.
        unsafe { *entry = head }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A worker takes no for an answer. On x86-64 the system gives no memory above 2^47; elsewhere it gives that first.
    #[test]
    fn chunks_lie_anywhere_below_2_to_the_48() {
        let codes = ChunkCodes { directory: std::ptr::null_mut() };
        for at in
            [MEGABLOCK_BYTES, 1 << 32, (1 << 47) + (2 << 20), (1 << 48) - MEGABLOCK_BYTES, (1 << 48) - 8]
        {
            assert!(
                codes.might_be_ours(at) && AnyCodes::Chunks(codes).bounded().might_be_ours(at),
                "{at:#x}"
            );
        }
        assert!([0, 8, 1 << 48, usize::MAX].iter().all(|&word| !codes.might_be_ours(word)));
    }
}
