//! The two sources of megablocks: one reserved range, or chunks wherever the system puts them.

use super::codes::{
    ChunkCodes, DIRECTORY_ENTRIES, HEAP_BYTES_PER_LINE_BYTE, LEAF_BYTES, LOG_LEAF_SPAN, Line, RangeCodes,
};
use super::owners::{Claim, next_heap};
use super::runs::Runs;
use crate::base::size::{BLOCK_BYTES, MEGABLOCK_BYTES};
use crate::base::{Addr, Failure, List, Outcome};
use crate::os::memory::{Area, Chunk, Reservation};

// Bytes of a huge page. Ranges and chunks begin at a multiple of it, so that every huge page lies wholly in
// the heap.
const HUGE_PAGE_BYTES: usize = 2 << 20;

pub(super) struct RangeSource {
    heap: u64,
    /// The claim on the range's addresses. It is dropped before the range, so that addresses of another
    /// owner are never claimed.
    _claim: Claim,
    range: Reservation,
    used: usize,
    /// Whether the range was full when it was to grow last.
    used_up: bool,
    table: Area,
    spans: Area,
    /// The lines of the range, committed as far as the range is.
    lines: Reservation,
}

impl RangeSource {
    pub(super) fn new(bytes: usize, huge_pages: bool) -> Option<RangeSource> {
        let range = Reservation::reserve(bytes, HUGE_PAGE_BYTES)?;
        let table = Area::map(bytes / BLOCK_BYTES)?;
        let spans = Area::map(bytes / MEGABLOCK_BYTES * size_of::<Addr>())?;
        let lines = Reservation::reserve(bytes / HEAP_BYTES_PER_LINE_BYTE, BLOCK_BYTES)?;
        if huge_pages {
            range.advise_huge_pages();
        }
        let heap = next_heap();
        let claim = Claim::new(heap, range.start(), bytes);
        Some(RangeSource { heap, _claim: claim, range, used: 0, used_up: false, table, spans, lines })
    }

    /// The number of the heap as an owner of addresses.
    pub(super) fn heap(&self) -> u64 {
        self.heap
    }

    pub(super) fn codes(&self) -> RangeCodes {
        RangeCodes {
            base: self.range.start().0,
            bytes: self.range.bytes(),
            table: self.table.start().as_ptr(),
            spans: self.spans.start().as_ptr(),
            lines: self.lines.start().as_ptr(),
        }
    }

    pub(super) fn grow(&mut self, count: usize) -> Outcome<Addr> {
        let bytes = count * MEGABLOCK_BYTES;
        self.used_up = self.range.bytes() - self.used < bytes;
        if self.used_up {
            return Err(Failure::no_memory(format_args!(
                "the reserved range of {} MiB of addresses has no room for {count} MiB more",
                self.range.bytes() >> 20
            )));
        }
        let lines = (self.used + bytes) / HEAP_BYTES_PER_LINE_BYTE;
        if !self.lines.commit(lines) || !self.range.commit(self.used + bytes) {
            return Err(Failure::no_memory(format_args!("the system refuses {bytes} bytes of memory")));
        }
        let at = self.range.start().plus_bytes(self.used);
        self.used += bytes;
        Ok(at)
    }

    /// # Safety
    /// As for `Reservation::discard`.
    pub(super) unsafe fn discard(&mut self, at: Addr, bytes: usize) {
        // SAFETY: the caller's promise.
        unsafe { self.range.discard(at, bytes) }
    }

    /// Returns the memory of the lines that a compaction wrote to the system.
    pub(super) fn discard_lines(&mut self) {
        // SAFETY: only a running compaction refers to lines, and the part is committed.
        unsafe { self.lines.discard(self.lines.start(), self.used / HEAP_BYTES_PER_LINE_BYTE) }
    }

    /// Bytes of the range, if it did not grow because it is full.
    pub(super) fn used_up(&self) -> Option<usize> {
        self.used_up.then(|| self.range.bytes())
    }

    pub(super) fn start(&self) -> Addr {
        self.range.start()
    }

    pub(super) fn used_bytes(&self) -> usize {
        self.used
    }

    pub(super) fn table_bytes(&self) -> usize {
        // Only the pages that describe used memory are ever touched.
        self.used / BLOCK_BYTES + self.used / MEGABLOCK_BYTES * size_of::<Addr>()
    }
}

/// A chunk and the lines of its megablocks.
struct Mapped {
    /// The claim on the chunk's addresses. It is dropped before the chunk, so that addresses of another
    /// owner are never claimed.
    _claim: Claim,
    chunk: Chunk,
    lines: Area,
}

pub(super) struct ChunkSource {
    heap: u64,
    chunks: List<Mapped>,
    directory: Area,
    leaves: List<Area>,
    huge_pages: bool,
}

// Megablocks of a chunk, at least, and beyond those asked for, at most: chunks grow with the heap, so that a
// large heap has few mappings and a small one wastes little.
const LEAST_CHUNK: usize = 4;
const MOST_CHUNK: usize = 64;

impl ChunkSource {
    pub(super) fn new(huge_pages: bool) -> Outcome<ChunkSource> {
        let directory = Area::map(DIRECTORY_ENTRIES * size_of::<*mut u8>())
            .ok_or_else(|| Failure::no_memory(format_args!("no memory for the map of chunks")))?;
        Ok(ChunkSource { heap: next_heap(), chunks: List::new(), directory, leaves: List::new(), huge_pages })
    }

    /// The number of the heap as an owner of addresses.
    pub(super) fn heap(&self) -> u64 {
        self.heap
    }

    pub(super) fn codes(&self) -> ChunkCodes {
        ChunkCodes { directory: self.directory.start().as_ptr() }
    }

    /// Maps a chunk of at least `count` megablocks; gives its address and its length.
    pub(super) fn grow(&mut self, count: usize, taken: usize) -> Outcome<(Addr, usize)> {
        self.chunks.reserve(1)?;
        let mut megablocks = count.max((taken / 8).clamp(LEAST_CHUNK, MOST_CHUNK));
        loop {
            let bytes = megablocks * MEGABLOCK_BYTES;
            if let Some(chunk) = Chunk::map(bytes, HUGE_PAGE_BYTES)
                && let Some(lines) = Area::map(bytes / HEAP_BYTES_PER_LINE_BYTE)
            {
                self.make_leaves(&chunk)?;
                self.tell_lines(&chunk, &lines);
                if self.huge_pages {
                    chunk.advise_huge_pages();
                }
                let start = chunk.start();
                let claim = Claim::new(self.heap, start, bytes);
                let _ = self.chunks.push_within(Mapped { _claim: claim, chunk, lines });
                return Ok((start, megablocks));
            }
            if megablocks == count {
                return Err(Failure::no_memory(format_args!(
                    "the system refuses {} bytes of memory",
                    count * MEGABLOCK_BYTES
                )));
            }
            megablocks = count.max(megablocks / 2);
        }
    }

    fn make_leaves(&mut self, chunk: &Chunk) -> Outcome<()> {
        let first = chunk.start().0 >> LOG_LEAF_SPAN;
        let last = (chunk.start().0 + chunk.bytes() - 1) >> LOG_LEAF_SPAN;
        if last >= DIRECTORY_ENTRIES {
            return Err(Failure::no_memory(format_args!("the system gave memory above 48 bits of address")));
        }
        for index in first..=last {
            // SAFETY: the directory has an entry for every index below `DIRECTORY_ENTRIES`.
            let entry = unsafe { &mut *self.codes().directory.add(index) };
            if entry.is_null() {
                self.leaves.reserve(1)?;
                let leaf = Area::map(LEAF_BYTES)
                    .ok_or_else(|| Failure::no_memory(format_args!("no memory for the map of chunks")))?;
                *entry = leaf.start().as_ptr();
                let _ = self.leaves.push_within(leaf);
            }
        }
        Ok(())
    }

    fn tell_lines(&self, chunk: &Chunk, lines: &Area) {
        for i in 0..chunk.bytes() / MEGABLOCK_BYTES {
            let first = lines.start().plus_bytes(i * MEGABLOCK_BYTES / HEAP_BYTES_PER_LINE_BYTE);
            self.codes().set_lines(chunk.start().plus_bytes(i * MEGABLOCK_BYTES), first.as_ptr::<Line>());
        }
    }

    /// Returns the memory of the lines that a compaction wrote to the system.
    pub(super) fn discard_lines(&mut self) {
        for mapped in self.chunks.iter() {
            // SAFETY: only a running compaction refers to lines.
            unsafe { mapped.lines.discard(0, mapped.lines.bytes()) }
        }
    }

    /// # Safety
    /// As for `Chunk::discard`. The part may cover several chunks that happen to be neighbours.
    pub(super) unsafe fn discard(&mut self, at: Addr, bytes: usize) {
        let end = at.plus_bytes(bytes);
        for Mapped { chunk, .. } in self.chunks.iter() {
            let from = chunk.start().max(at);
            let to = chunk.start().plus_bytes(chunk.bytes()).min(end);
            if from < to {
                // SAFETY: the caller's promise, for this chunk's share.
                unsafe { chunk.discard(from, to.bytes_since(from)) };
            }
        }
    }

    /// Unmaps chunks that are free as a whole, `most` megablocks at most.
    pub(super) fn unmap_unused(&mut self, cold: &mut Runs, mut most: usize) {
        self.chunks.retain_mut(|Mapped { chunk, .. }| {
            let megablocks = chunk.bytes() / MEGABLOCK_BYTES;
            let goes = megablocks <= most && cold.take_exactly(chunk.start(), planted!(97, 1, megablocks));
            most -= if goes { megablocks } else { 0 };
            !goes
        });
    }

    pub(super) fn for_each(&self, visit: &mut impl FnMut(Addr, usize)) {
        for Mapped { chunk, .. } in self.chunks.iter() {
            visit(chunk.start(), chunk.bytes());
        }
    }

    pub(super) fn table_bytes(&self) -> usize {
        let mapped: usize = self.chunks.iter().map(|mapped| mapped.chunk.bytes()).sum();
        self.leaves.len() * (LEAF_BYTES - super::codes::LEAF_CODES) + mapped / BLOCK_BYTES
    }
}
