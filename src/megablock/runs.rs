//! Runs of adjacent free megablocks, sorted by address and merged with their neighbours.
//!
//! There are few of them: block groups are served from within megablocks, so only large objects and whole
//! generations come and go here.

use crate::base::size::MEGABLOCK_BYTES;
use crate::base::{Addr, List, Outcome};

#[derive(Clone, Copy, Debug)]
struct Run {
    start: Addr,
    count: usize,
}

impl Run {
    fn end(&self) -> Addr {
        self.start.plus_bytes(self.count * MEGABLOCK_BYTES)
    }
}

pub(super) struct Runs {
    runs: List<Run>,
    megablocks: usize,
}

impl Runs {
    pub(super) fn new() -> Runs {
        Runs { runs: List::new(), megablocks: 0 }
    }

    /// Makes room for `runs` runs, so that `add` cannot fail.
    pub(super) fn hold(&mut self, runs: usize) -> Outcome<()> {
        self.runs.reserve(runs.saturating_sub(self.runs.len()))
    }

    pub(super) fn megablocks(&self) -> usize {
        self.megablocks
    }

    pub(super) fn held_bytes(&self) -> usize {
        self.runs.held_bytes()
    }

    /// Visits each run: its address, and its length.
    pub(super) fn for_each(&self, visit: &mut impl FnMut(Addr, usize)) {
        for run in self.runs.iter() {
            visit(run.start, run.count);
        }
    }

    /// Takes `count` megablocks from the lowest run that is long enough.
    pub(super) fn take(&mut self, count: usize) -> Option<Addr> {
        let index = self.runs.iter().position(|run| run.count >= count)?;
        let at = self.runs[index].start;
        self.cut_front(index, count);
        Some(at)
    }

    fn cut_front(&mut self, index: usize, count: usize) {
        let run = &mut self.runs[index];
        run.start = run.start.plus_bytes(count * MEGABLOCK_BYTES);
        run.count -= count;
        if run.count == 0 {
            self.runs.remove(index);
        }
        self.megablocks -= count;
    }

    /// Takes up to `most` megablocks from the end of the highest run.
    pub(super) fn take_last(&mut self, most: usize) -> Option<(Addr, usize)> {
        let last = self.runs.len().checked_sub(1)?;
        let run = &mut self.runs[last];
        let count = run.count.min(most);
        run.count -= count;
        let at = run.end();
        if run.count == 0 {
            self.runs.pop();
        }
        self.megablocks -= count;
        Some((at, count))
    }

    /// Takes exactly these megablocks out, if all of them are here.
    pub(super) fn take_exactly(&mut self, start: Addr, count: usize) -> bool {
        let end = start.plus_bytes(count * MEGABLOCK_BYTES);
        let index = self.runs.partition_point(|run| run.start <= start);
        let Some(index) = index.checked_sub(1) else { return false };
        let run = self.runs[index];
        if run.end() < end {
            return false;
        }
        let before = start.bytes_since(run.start) / MEGABLOCK_BYTES;
        let after = run.end().bytes_since(end) / MEGABLOCK_BYTES;
        match (before, after) {
            (0, _) => self.cut_front(index, count),
            (_, 0) => {
                self.runs[index].count = before;
                self.megablocks -= count;
            }
            _ => {
                // One run becomes two; `hold` has made room for both.
                if self.runs.reserve(1).is_err() {
                    return false;
                }
                self.runs[index].count = before;
                let rest = Run { start: end, count: after };
                if self.runs.insert(index + 1, rest).is_err() {
                    self.runs[index].count = run.count;
                    return false;
                }
                self.megablocks -= count;
            }
        }
        true
    }

    pub(super) fn add(&mut self, start: Addr, count: usize) {
        let index = self.runs.partition_point(|run| run.start < start);
        self.megablocks += count;
        let end = start.plus_bytes(count * MEGABLOCK_BYTES);
        let joins_next = index < self.runs.len() && self.runs[index].start == end;
        let joins_last = index > 0 && self.runs[index - 1].end() == start;
        match (joins_last, joins_next) {
            (true, true) => {
                self.runs[index - 1].count += count + self.runs[index].count;
                self.runs.remove(index);
            }
            (true, false) => self.runs[index - 1].count += count,
            (false, true) => {
                self.runs[index].start = start;
                self.runs[index].count += count;
            }
            (false, false) => {
                // `hold` has made room for every run that can arise; a failure here would lose
                // megablocks.
                let added = self.runs.insert(index, Run { start, count });
                debug_assert!(added.is_ok());
            }
        }
    }
}
