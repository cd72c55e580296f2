//! The state of marking in a collection that leaves or slides objects: the stack of objects whose fields wait, and the bits of live words.

use super::team::Together;
use crate::base::size::*;
use crate::base::{Addr, fault};
use crate::block::Block;
use crate::heap::space::gaps::LEAST_WORDS;
use crate::heap::space::generation::Code;
use crate::megablock::{Codes, Line};
use crate::os::memory::Area;

/// Bytes of heap for each byte of mark stack that is mapped if it can be had.
const HEAP_BYTES_PER_STACK_BYTE: usize = 16;
/// The part of the stack that is used until it is full. The rest is not touched before, and costs no memory.
const FIRST_PART: usize = 8;

/// The state of marking; `on` is false in a copying collection.
pub(super) struct Marks {
    pub on: bool,
    /// Whether objects stay where they are afterwards: then no reference is rewritten, so indirections live as well.
    pub leaves: bool,
    /// Bits that are 0 in the address of every object.
    pub(super) between: usize,
    /// The code of the blocks that are compacted.
    pub code: Code,
    pub(super) next: Addr,
    pub(super) start: Addr,
    /// The end of what is used now, and of what may be used without packets.
    pub(super) limit: Addr,
    most: Addr,
    /// End of the memory of the stack, of which tests use less.
    end: Addr,
    /// Memory of the stack when the room that the heap holds is too small. Unmapped with this.
    _larger: Option<Area>,
    /// Groups with objects whose fields wait though the stack has no room for them, linked through `back`.
    pub(super) unseen: Block,
    /// The workers that mark, when several do.
    pub(super) together: Option<Together>,
}

impl Marks {
    pub(super) const OFF: Marks = Marks {
        on: false,
        leaves: false,
        between: 0,
        code: Code::NONE,
        next: Addr::NULL,
        start: Addr::NULL,
        limit: Addr::NULL,
        most: Addr::NULL,
        end: Addr::NULL,
        _larger: None,
        unseen: Block::NULL,
        together: None,
    };

    /// Begins with the room that every heap holds, or with more for a large heap; a small heap uses less of it.
    pub(super) fn begin(room: &Area, heap_bytes: usize, code: Code, round: usize) -> Marks {
        let wanted = (heap_bytes / HEAP_BYTES_PER_STACK_BYTE).next_multiple_of(BLOCK_BYTES).max(BLOCK_BYTES);
        let larger = if wanted > room.bytes() { Area::map(wanted) } else { None };
        let area = larger.as_ref().unwrap_or(room);
        let (start, bytes) = (area.start(), area.bytes().min(wanted));
        let most = (bytes / WORD_BYTES).min(fault::most_marks());
        let first = most.min((bytes / WORD_BYTES / FIRST_PART).max(BLOCK_WORDS));
        Marks {
            on: true,
            between: round * WORD_BYTES,
            code,
            next: start,
            start,
            limit: start.plus_words(first),
            most: start.plus_words(most),
            end: start.plus_bytes(bytes),
            _larger: larger,
            ..Marks::OFF
        }
    }

    /// Bytes of the stack that may have been filled.
    pub(super) fn stack_bytes(&self) -> usize {
        self.limit.0 - self.start.0
    }

    /// Uses twice as much of the stack from now on, or all of it. False when all is used, or packets are.
    #[cold]
    pub(super) fn grow(&mut self) -> bool {
        if self.limit >= self.most {
            return false;
        }
        let words = self.limit.words_since(self.start);
        self.limit = self.limit.plus_words(words).min(self.most);
        true
    }

    /// Words of the stack that may be used.
    pub(super) fn most_words(&self) -> usize {
        self.most.words_since(self.start)
    }

    /// Says that packets are made of the stack, all of which is used from now on. Gives its start.
    pub(super) fn use_in_packets(&mut self) -> Addr {
        self.most = Addr::NULL;
        self.start
    }

    /// The memory of entries, and its words.
    pub(super) fn bounds(&self) -> (Addr, usize) {
        (self.start, self.limit.words_since(self.start))
    }

    /// The memory of the stack and its words, once the stack is empty: their contents mean nothing.
    pub(super) fn room(&self) -> (Addr, usize) {
        debug_assert!(self.next == self.start);
        (self.start, self.end.words_since(self.start))
    }
}

#[inline(always)]
pub(super) fn bit(at: Addr) -> usize {
    at.0 / WORD_BYTES % LINE_WORDS
}

/// Marks the words of an object.
///
/// # Safety
/// The object lies in a block that is compacted.
#[inline(always)]
pub(super) unsafe fn set_live(mut line: *mut Line, object: Addr, words: usize) {
    let here = words.min(LINE_WORDS - bit(object));
    let mut left = words - here;
    // SAFETY: the lines of a megablock are adjacent, and an object in a compacted block does not leave it.
    unsafe {
        (*line).live |= (!0 >> (LINE_WORDS - here)) << bit(object);
        while left > 0 {
            line = line.add(1);
            let here = left.min(LINE_WORDS);
            (*line).live |= !0 >> (LINE_WORDS - here);
            planted!(47, (), (*line).to = here);
            left -= here;
        }
    }
}

/// Makes the lines of a group as they were before it was marked, which costs less than to have new ones of the system in
/// the next major collection.
///
/// # Safety
/// The words from `start`, which begins a line, to `end` belong to one group that was marked.
pub(super) unsafe fn clear_live<C: Codes>(codes: C, start: Addr, end: Addr) {
    let lines = end.words_since(start).div_ceil(LINE_WORDS);
    // SAFETY: the caller's promise; the lines of a group are adjacent, and all-zero is how they begin.
    unsafe { codes.line(start.0).write_bytes(0, lines) };
}

/// Words of a marked group: those that live, and those between them.
#[derive(Clone, Copy, Default)]
pub(super) struct Found {
    pub live: usize,
    /// Words of short runs between live ones. A run that goes on in another line counts where half of it is short.
    pub waste: usize,
    /// Words up to the last line in which something lives.
    pub reach: usize,
}

impl Found {
    pub(super) fn add(&mut self, other: Found) {
        self.live += other.live;
        self.waste += other.waste;
        self.reach += other.reach;
    }
}

/// Measures a group without looking at an object.
///
/// # Safety
/// The words from `start`, which begins a line, to `end` belong to one group that was marked.
pub(super) unsafe fn measure<C: Codes>(codes: C, start: Addr, end: Addr) -> Found {
    let mut found = Found::default();
    for index in 0..end.words_since(start).div_ceil(LINE_WORDS) {
        // SAFETY: the caller's promise; the lines of a group are adjacent.
        let live = unsafe { (*codes.line(start.0).add(index)).live };
        if live == 0 {
            continue;
        }
        found.reach = (index + 1) * LINE_WORDS;
        // Most lines of a heap that is full of what lives. Counting bits takes a dozen steps where no instruction is sure to do it.
        if live == !0 {
            found.live += LINE_WORDS;
            continue;
        }
        found.live += live.count_ones() as usize;
        found.waste += short_runs(live);
    }
    found
}

/// Words of a line that are not marked, in runs that are too short to be filled.
fn short_runs(live: u64) -> usize {
    const _: () = assert!(LEAST_WORDS == 16 && LINE_WORDS == 64);
    let (first, last) = (live.trailing_zeros(), live.leading_zeros());
    let at_ends = [first, last].into_iter().filter(|&run| (run as usize) < LEAST_WORDS / 2).sum::<u32>();
    // Between the first and the last live word: all dead ones, but those of long runs.
    let dead = !live & (!0 << first) & (!0 >> last);
    let mut long = dead;
    for by in [1, 2, 4, 8] {
        long &= long >> by;
    }
    for by in [1, 2, 4, 8] {
        long |= long << by;
    }
    (at_ends + dead.count_ones() - long.count_ones()) as usize
}

/// The first word from `at` on that is not marked, or `end`.
#[inline(always)]
pub(super) fn next_dead<C: Codes>(codes: C, at: Addr, end: Addr) -> Addr {
    let mut line = codes.line(at.0);
    let mut start = at.align_down(LINE_BYTES);
    // SAFETY: lines up to `end` belong to one group, so they are adjacent.
    unsafe {
        let mut dead = !(*line).live & (!0 << bit(at));
        while dead == 0 {
            start = start.plus_bytes(LINE_BYTES);
            if start >= end {
                return end;
            }
            line = line.add(1);
            dead = !(*line).live;
        }
        start.plus_words(dead.trailing_zeros() as usize).min(end)
    }
}

/// The first marked word from `at` on, which is the start of an object unless `at` is inside one; or `end`.
#[inline(always)]
pub(super) fn next_live<C: Codes>(codes: C, at: Addr, end: Addr) -> Addr {
    if at >= end {
        return end;
    }
    let mut line = codes.line(at.0);
    let mut start = at.align_down(LINE_BYTES);
    // SAFETY: lines up to `end` belong to one group, so they are adjacent.
    unsafe {
        let mut live = (*line).live & (!0 << bit(at));
        while live == 0 {
            start = start.plus_bytes(LINE_BYTES);
            if start >= end {
                return end;
            }
            line = line.add(1);
            live = (*line).live;
        }
        start.plus_words(live.trailing_zeros() as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::{next_live, short_runs};
    use crate::base::Addr;
    use crate::base::flag::Flags;
    use crate::base::size::*;
    use crate::megablock::{AnyCodes, Codes, Megablocks};
    use crate::os::limits::limits;

    /// Lines from `start` on, of which those from `end` on are another group's, which has marks of its own.
    fn look_at<C: Codes>(codes: C, start: Addr) {
        let end = start.plus_bytes(4 * LINE_BYTES);
        // SAFETY: the lines are those of a megablock that was taken.
        unsafe { (*codes.line(end.0)).live = 1 << 3 };
        for at in [start, start.plus_words(5), end] {
            assert_eq!(next_live(codes, at, end), end);
        }
        // SAFETY: as above.
        unsafe { (*codes.line(start.0)).live = 1 << 9 };
        let found = [9, 10].map(|word| next_live(codes, start.plus_words(word), end));
        assert_eq!(found, [start.plus_words(9), end]);
    }

    #[test]
    fn marks_behind_the_end_are_not_found() {
        for line in ["--source=range -xr1g", "--source=chunks"] {
            let mut megablocks = Megablocks::new(&Flags::parse(line).unwrap(), &limits()).unwrap();
            let start = megablocks.take(1).unwrap().plus_bytes(MEGABLOCK_BYTES / 2);
            match megablocks.codes() {
                AnyCodes::Range(codes) => look_at(codes, start),
                AnyCodes::Chunks(codes) => look_at(codes, start),
            }
        }
    }

    /// As `short_runs`, one word after the other.
    fn counted(live: u64) -> usize {
        let bits: Vec<bool> = (0..64).map(|i| live >> i & 1 != 0).collect();
        let runs = bits.chunk_by(|a, b| a == b).filter(|run| !run[0]).map(<[bool]>::len);
        let ends = [live.trailing_zeros(), live.leading_zeros()].map(|run| run as usize);
        let short_ends = ends.into_iter().filter(|&run| run > 0 && run < 8).sum::<usize>();
        let inner_short = runs.filter(|&run| run < 16).sum::<usize>();
        inner_short - ends.into_iter().filter(|&run| run < 16).sum::<usize>() + short_ends
    }

    #[test]
    fn short_runs_are_waste() {
        assert_eq!(short_runs(!0), 0);
        assert_eq!(short_runs(1), 0);
        assert_eq!(short_runs(1 | 1 << 16 | 1 << 63), 15);
        assert_eq!(short_runs(1 | 1 << 17 | 1 << 63), 0);
        let mut state = 1u64;
        for _ in 0..10_000 {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let (a, b) = (state >> (state & 31), state.rotate_left(23) << (state >> 59));
            for live in [a | b, a & b, a & b & state.rotate_left(7) & state.rotate_left(41)] {
                if live != 0 {
                    assert_eq!(short_runs(live), counted(live), "{live:#x}");
                }
            }
        }
    }
}
