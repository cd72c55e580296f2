//! Aligned megablocks: taking them from the system, and finding what lies at an address.
//!
//! Owns: every heap address belongs to exactly one taken megablock [megablock.inv.one-owner], and `codes` has
//! the code of every block of the address space. Knows neither blocks' contents nor collections: a code is a
//! number to it, zero for memory that is not ours.

pub(crate) mod codes;
mod directory;
pub(crate) mod owners;
mod runs;
pub(crate) mod side;
mod source;

pub(crate) use codes::{AnyCodes, BoundedCodes, Codes, HEAP_BYTES_PER_LINE_BYTE, Line};

use crate::base::flag::{Flags, Source as Wish};
use crate::base::size::{MEGABLOCK_BYTES, MEGABLOCK_HEADER_BYTES};
use crate::base::{Addr, Failure, Outcome};
use crate::os::limits::Limits;
use crate::os::memory::{page_bytes, populate};
use crate::os::shadow;
use crate::os::usage;
use owners::{Owned, Owner};
use runs::Runs;
use side::{SideTables, TABLE_KINDS, Table};
use source::{ChunkSource, RangeSource};

/// Lines that are kept from one major collection to the next: those of a heap of 64 MB.
const FEW_LINES_BYTES: usize = 2 << 20;

/// The header of a megablock, in the descriptor slots that describe no block: the same for every
/// megablock.
#[repr(C)]
pub(crate) struct Header {
    /// Address of this megablock, for a debugger that looks at raw memory.
    pub own_address: usize,
    /// Side tables of the profilers; zero while off (`side::Table`).
    pub side: [usize; TABLE_KINDS],
    /// Address from which on the memory has not been touched since the system gave it, as far as is
    /// known.
    fresh_from: Addr,
}

const _: () = assert!(size_of::<Header>() <= MEGABLOCK_HEADER_BYTES);

enum Source {
    Range(RangeSource),
    Chunks(ChunkSource),
}

/// The megablocks of one heap.
pub struct Megablocks {
    source: Source,
    /// Free megablocks that still hold memory, so that using them again costs nothing.
    warm: Runs,
    /// Free megablocks whose memory was returned to the system.
    cold: Runs,
    /// Number of warm megablocks that are left to the next major collection, while there are cold ones to
    /// take.
    spared: usize,
    populates: bool,
    taken: usize,
    most_taken: usize,
    /// Most megablocks in use at once since `watch_most` was called.
    most_watched: usize,
    returned_bytes: u64,
    notes: Notes,
    pub side: SideTables,
}

/// The choices made at the beginning, for the statistics.
#[derive(Clone, Copy, Debug, Default)]
pub struct Notes {
    pub reserved_bytes: usize,
    /// Number of times that the reservation was refused, and halved.
    pub halved: u32,
    pub in_chunks: bool,
}

/// Memory of a taken megablock, or of lines, that will be written. Lines are mapped as long as their megablocks are.
#[must_use]
pub(crate) struct Fresh {
    from: Addr,
    to: Addr,
}

impl Fresh {
    pub(crate) const NONE: Fresh = Fresh { from: Addr::NULL, to: Addr::NULL };

    /// Touches it. False when this system has no call for that.
    pub(crate) fn touch(self) -> bool {
        // SAFETY: a megablock that is taken is ours and writable; mappings begin at pages.
        self.from == self.to || unsafe { populate(self.from, self.to.bytes_since(self.from)) }
    }
}

impl Megablocks {
    pub fn new(flags: &Flags, limits: &Limits) -> Outcome<Megablocks> {
        let mut notes = Notes::default();
        let source = choose(flags, limits, &mut notes)?;
        Ok(Megablocks {
            source,
            warm: Runs::new(),
            cold: Runs::new(),
            spared: 0,
            populates: true,
            taken: 0,
            most_taken: 0,
            most_watched: 0,
            returned_bytes: 0,
            notes,
            side: SideTables::new(has_huge_pages(flags, limits)),
        })
    }

    pub fn codes(&self) -> AnyCodes {
        match &self.source {
            Source::Range(range) => AnyCodes::Range(range.codes()),
            Source::Chunks(chunks) => AnyCodes::Chunks(chunks.codes()),
        }
    }

    /// The owners of all addresses, as they are now.
    pub fn owned(&self) -> Outcome<Owned> {
        Owned::by(self.heap())
    }

    /// The owner of one address. It takes a lock.
    pub fn owner(&self, at: Addr) -> Owner {
        owners::owner(self.heap(), at)
    }

    fn heap(&self) -> u64 {
        match &self.source {
            Source::Range(range) => range.heap(),
            Source::Chunks(chunks) => chunks.heap(),
        }
    }

    pub fn notes(&self) -> Notes {
        self.notes
    }

    /// Bytes of the reserved range, if the last growth failed because the range is full.
    pub fn range_used_up(&self) -> Option<usize> {
        match &self.source {
            Source::Range(range) => range.used_up(),
            Source::Chunks(_) => None,
        }
    }

    /// Takes `count` adjacent megablocks. Their contents are undefined. Fails when the system refuses.
    pub fn take(&mut self, count: usize) -> Outcome<Addr> {
        self.hold_runs(0)?;
        let mut is_fresh = self.warm.megablocks() < self.spared + count;
        let mut found = if is_fresh { self.cold.take(count) } else { None };
        if found.is_none() {
            found = self.warm.take(count);
            is_fresh = found.is_none();
        }
        let at = match found.or_else(|| self.cold.take(count)) {
            Some(at) => at,
            None => match self.grow(count) {
                Ok(at) => at,
                Err(failure) => {
                    // A run that is partly warm and partly cold may be long enough once all of it is
                    // cold.
                    self.cool_above(0);
                    self.cold.take(count).ok_or(failure)?
                }
            },
        };
        self.taken += count;
        self.most_taken = self.most_taken.max(self.taken);
        self.most_watched = self.most_watched.max(self.taken);
        shadow::hand_out(at, at.plus_bytes(count * MEGABLOCK_BYTES));
        let codes = self.codes();
        for i in 0..count {
            let own = at.plus_bytes(i * MEGABLOCK_BYTES);
            codes.set_span(own, planted!(100, own, at));
        }
        let fresh_from = if is_fresh { at } else { at.plus_bytes(MEGABLOCK_BYTES) };
        // SAFETY: the megablock is ours, writable and has no contents yet.
        unsafe {
            at.as_ptr::<Header>().write(Header { own_address: at.0, side: [0; TABLE_KINDS], fresh_from })
        };
        self.side.attach(at, None);
        Ok(at)
    }

    /// Spares this many warm megablocks, until the caller sets this to zero and takes them.
    pub fn spare(&mut self, warm: usize) {
        self.spared = warm;
    }

    /// Touches the fresh rest of a part of a taken megablock, which begins at a page and will be filled
    /// entirely; also the entries of these side tables for it, where they are on.
    pub fn populate(&mut self, from: Addr, to: Addr, tables: &[Table]) {
        let fresh = self.fresh_part(from, to, tables);
        self.touch(fresh);
    }

    pub(crate) fn touch(&mut self, fresh: Fresh) {
        self.populates &= fresh.touch();
    }

    /// As `populate`, but the part itself is left to the caller to touch.
    pub(crate) fn fresh_part(&mut self, from: Addr, to: Addr, tables: &[Table]) -> Fresh {
        // SAFETY: a taken megablock has a header, which one thread at a time uses.
        let fresh_from = unsafe { &mut (*from.align_down(MEGABLOCK_BYTES).as_ptr::<Header>()).fresh_from };
        let from = from.max(*fresh_from);
        if from >= to || !self.populates {
            return Fresh::NONE;
        }
        *fresh_from = to;
        for &table in tables {
            self.side.populate(table, from.0..to.0);
        }
        Fresh { from, to }
    }

    /// Makes sure that `count` single megablocks can be taken without a call to the system. Their memory is
    /// not touched.
    pub fn promise(&mut self, count: usize) -> Outcome<()> {
        let free = self.warm.megablocks() + self.cold.megablocks();
        if count > planted!(99, free + 1, free) {
            let at = self.grow(count - free)?;
            self.cold.add(at, count - free);
        }
        self.side.hold(count);
        self.hold_runs(0)
    }

    /// Makes room in the lists for every run that can arise of all megablocks and so many more, since giving back must never need
    /// memory.
    fn hold_runs(&mut self, more: usize) -> Outcome<()> {
        planted!(98, return Ok(()));
        let runs = self.taken + self.free() + more;
        self.warm.hold(runs)?;
        self.cold.hold(runs)
    }

    /// Gets `count` megablocks from the system, which are in no list. Only when they are there, there is room for all runs of them:
    /// lists never shrink, and a size that is refused would leave them as long as that.
    fn grow(&mut self, count: usize) -> Outcome<Addr> {
        // Two runs: these megablocks, if that room is refused, and what a chunk has beyond them.
        self.hold_runs(planted!(556, count, 2))?;
        let (at, got) = match &mut self.source {
            Source::Range(range) => (range.grow(count)?, count),
            Source::Chunks(chunks) => chunks.grow(count, self.taken)?,
        };
        if got > count {
            self.cold.add(at.plus_bytes(count * MEGABLOCK_BYTES), got - count);
        }
        if let Err(failure) = self.hold_runs(count) {
            self.cold.add(at, count);
            return Err(failure);
        }
        Ok(at)
    }

    /// Gives back a group that `take` gave, or whole megablocks from its end.
    pub fn give_back(&mut self, at: Addr, count: usize) {
        let codes = self.codes();
        if codes.span(at) == at {
            self.side.detach(at);
        }
        for i in 0..count {
            codes.set_span(at.plus_bytes(i * MEGABLOCK_BYTES), Addr::NULL);
        }
        self.taken -= count;
        self.warm.add(at, count);
    }

    /// Returns the memory of free megablocks to the system, except for `keep` of them. Returns their number.
    /// Chunks that are free as a whole are unmapped, as long as `promised` megablocks stay that can be taken
    /// without the system.
    pub fn release_above(&mut self, keep: usize, promised: usize) -> usize {
        let released = self.cool_above(keep);
        if released > 0
            && let Source::Chunks(chunks) = &mut self.source
        {
            let spare = (self.warm.megablocks() + self.cold.megablocks()).saturating_sub(promised);
            chunks.unmap_unused(&mut self.cold, planted!(239, usize::MAX, spare));
        }
        released
    }

    /// Returns the memory of free megablocks, except for `keep` of them, and leaves them mapped.
    fn cool_above(&mut self, keep: usize) -> usize {
        let mut released = 0;
        while self.warm.megablocks() > keep {
            let excess = self.warm.megablocks() - keep;
            // The highest addresses go first, so that the heap stays together.
            let Some((at, count)) = self.warm.take_last(excess) else { break };
            let bytes = count * MEGABLOCK_BYTES;
            match &mut self.source {
                // SAFETY: free megablocks have no contents that anybody needs.
                Source::Range(range) => unsafe { range.discard(at, bytes) },
                // SAFETY: as above.
                Source::Chunks(chunks) => unsafe { chunks.discard(at, bytes) },
            }
            self.side.discard(at, bytes);
            planted!(96, (), self.cold.add(at, count));
            self.returned_bytes += bytes as u64;
            released += count;
        }
        if released > 0 && self.side.any_on() {
            self.side.release_above(self.warm.megablocks());
        }
        released
    }

    /// Gives every megablock a table of this kind, with entries of zero. A failure changes nothing.
    pub fn turn_side_table_on(&mut self, table: Table) -> Outcome<()> {
        if self.side.is_on(table) {
            return Ok(());
        }
        self.side.turn_on(table, self.taken, self.range())?;
        let mut side = std::mem::replace(&mut self.side, SideTables::new(false));
        self.for_each_taken(|at| side.attach(at, Some(table)));
        self.side = side;
        Ok(())
    }

    /// Gives every 16 bytes a mark of zero. False, without marks, where there is no address space for them.
    pub fn turn_marks_on(&mut self) -> bool {
        let mut count = 0;
        self.for_each_taken(|_| count += 1);
        self.side.turn_marks_on(count, self.range())
    }

    pub fn turn_marks_off(&mut self) {
        self.side.turn_marks_off();
    }

    fn range(&self) -> Option<(Addr, usize)> {
        match &self.source {
            Source::Range(range) => Some((range.start(), range.codes().bytes)),
            Source::Chunks(_) => None,
        }
    }

    /// Drops the tables of a kind.
    pub fn turn_side_table_off(&mut self, table: Table) {
        if !self.side.is_on(table) {
            return;
        }
        // SAFETY: a megablock that begins a group has a header, which only this thread uses.
        self.for_each_taken(|at| unsafe { (*at.as_ptr::<Header>()).side[table as usize] = 0 });
        self.side.turn_off(table);
    }

    /// Megablocks in use.
    pub fn taken(&self) -> usize {
        self.taken
    }

    pub fn most_taken(&self) -> usize {
        self.most_taken
    }

    /// Begins to count the most megablocks in use at once.
    pub fn watch_most(&mut self) {
        self.most_watched = self.taken;
    }

    pub fn most_watched(&self) -> usize {
        self.most_watched
    }

    /// Asks for the memory of lines that will be written.
    pub(crate) fn touch_lines(&mut self, lines: std::ops::Range<usize>) {
        if self.populates && !lines.is_empty() {
            self.touch(Fresh { from: Addr(lines.start).align_down(page_bytes()), to: Addr(lines.end) });
        }
    }

    /// Returns the memory of lines, which are zero, to the system, unless it is little: to get it back costs more than it is worth.
    pub fn discard_lines(&mut self) {
        if self.taken * MEGABLOCK_BYTES / HEAP_BYTES_PER_LINE_BYTE <= FEW_LINES_BYTES {
            return;
        }
        match &mut self.source {
            Source::Range(range) => range.discard_lines(),
            Source::Chunks(chunks) => chunks.discard_lines(),
        }
    }

    /// Free megablocks whose memory is held.
    pub fn held_free(&self) -> usize {
        self.warm.megablocks()
    }

    /// Bytes returned to the system so far.
    pub fn returned_bytes(&self) -> u64 {
        self.returned_bytes
    }

    /// Free megablocks, with memory or without.
    pub fn free(&self) -> usize {
        self.warm.megablocks() + self.cold.megablocks()
    }

    /// Visits every run of free megablocks: its address, and its length.
    pub fn for_each_free(&self, mut visit: impl FnMut(Addr, usize)) {
        self.warm.for_each(&mut visit);
        self.cold.for_each(&mut visit);
    }

    /// Visits every taken megablock that begins a group, in any order. Slow, for audits: it looks at all
    /// of them.
    pub fn for_each_taken(&self, mut visit: impl FnMut(Addr)) {
        let codes = self.codes();
        let mut look = |start: Addr, bytes: usize| {
            let mut at = start;
            while at < start.plus_bytes(bytes) {
                if codes.span(at) == at {
                    visit(at);
                }
                at = at.plus_bytes(MEGABLOCK_BYTES);
            }
        };
        match &self.source {
            Source::Range(range) => look(range.start(), range.used_bytes()),
            Source::Chunks(chunks) => chunks.for_each(&mut look),
        }
    }

    /// Bytes of megablocks and side tables that have memory behind them. Slow: it asks the system about every
    /// page.
    pub fn touched_bytes(&self) -> usize {
        let (mut touched, mut used) = (0, 0);
        let mut look = |start: Addr, bytes: usize| {
            touched += usage::touched_bytes(start, bytes) + self.side.touched_marks(start, bytes);
        };
        match &self.source {
            Source::Range(range) => {
                used = range.used_bytes();
                look(range.start(), used);
            }
            Source::Chunks(chunks) => chunks.for_each(&mut look),
        }
        touched + self.side.touched_bytes(used)
    }

    /// Bytes of memory that the tables of this layer hold, at most.
    pub fn table_bytes(&self) -> usize {
        let tables = match &self.source {
            Source::Range(range) => range.table_bytes(),
            Source::Chunks(chunks) => chunks.table_bytes(),
        };
        tables + self.warm.held_bytes() + self.cold.held_bytes()
    }
}

// Bytes of the smallest range: one below this would only get in the way of a growing heap.
const LEAST_RANGE: usize = 256 << 20;
const MOST_RANGE: usize = 1 << 40;

/// Whether huge pages are advised: a virtual machine whose host hands out memory lazily takes long for
/// each.
fn has_huge_pages(flags: &Flags, limits: &Limits) -> bool {
    flags.huge_pages.unwrap_or(!limits.virtual_machine)
}

fn choose(flags: &Flags, limits: &Limits, notes: &mut Notes) -> Outcome<Source> {
    let huge_pages = has_huge_pages(flags, limits);
    let chunks = |notes: &mut Notes| -> Outcome<Source> {
        notes.in_chunks = true;
        Ok(Source::Chunks(ChunkSource::new(huge_pages)?))
    };
    // With limited address space, a reservation would take space that the client needs itself.
    if flags.source == Wish::Chunks || (flags.source == Wish::Auto && limits.address_space.is_some()) {
        return chunks(notes);
    }
    let wanted = match (flags.reserve_bytes, flags.heap_limit_bytes) {
        (0, None) => limits.physical.saturating_mul(4),
        (0, Some(limit)) => limit.saturating_mul(4),
        (reserve, _) => reserve,
    };
    let mut bytes = wanted.clamp(LEAST_RANGE, MOST_RANGE).next_power_of_two();
    if flags.reserve_bytes != 0 {
        bytes = flags.reserve_bytes.next_multiple_of(MEGABLOCK_BYTES);
    }
    let least = bytes.min(LEAST_RANGE);
    while bytes >= least {
        if let Some(range) = RangeSource::new(bytes, huge_pages) {
            notes.reserved_bytes = bytes;
            return Ok(Source::Range(range));
        }
        notes.halved += 1;
        bytes = (bytes / 2) & planted!(655, !0, !(MEGABLOCK_BYTES - 1));
    }
    if flags.source == Wish::Range {
        return Err(Failure::no_memory(format_args!(
            "no address range of {least} bytes can be reserved; leave --source=range out, or raise ulimit -v"
        )));
    }
    chunks(notes)
}

#[cfg(test)]
mod tests;
