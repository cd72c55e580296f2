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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::fault;
    use std::collections::BTreeSet;

    const MEGABLOCKS: usize = 40;

    fn at(number: usize) -> Addr {
        Addr((1000 + number) * MEGABLOCK_BYTES)
    }

    /// The runs of a set of megablocks, and each one's length.
    fn of(free: &BTreeSet<usize>) -> Vec<(usize, usize)> {
        let mut runs: Vec<(usize, usize)> = Vec::new();
        for &number in free {
            match runs.last_mut() {
                Some((start, count)) if *start + *count == number => *count += 1,
                _ => runs.push((number, 1)),
            }
        }
        runs
    }

    fn found(runs: &Runs) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        runs.for_each(&mut |start, count| found.push((start.0 / MEGABLOCK_BYTES - 1000, count)));
        found
    }

    #[test]
    fn runs_are_those_of_a_plain_set() {
        let (mut runs, mut free) = (Runs::new(), BTreeSet::new());
        runs.hold(MEGABLOCKS).unwrap();
        let mut state = 7_usize;
        let mut below = |n: usize| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) % n
        };
        for _ in 0..20_000 {
            let count = 1 + below(5);
            let first = below(MEGABLOCKS - count);
            let wanted = first..first + count;
            match below(4) {
                0 | 1 if wanted.clone().all(|n| !free.contains(&n)) => {
                    runs.add(at(first), count);
                    free.extend(wanted);
                }
                2 => {
                    let there = wanted.clone().all(|n| free.contains(&n));
                    assert_eq!(runs.take_exactly(at(first), count), there);
                    wanted.filter(|_| there).for_each(|n| _ = free.remove(&n));
                }
                3 if below(3) == 0 => {
                    let expected = of(&free)
                        .last()
                        .map(|&(start, length)| (start + length - length.min(count), length.min(count)));
                    let taken = runs.take_last(count).map(|(at, n)| (at.0 / MEGABLOCK_BYTES - 1000, n));
                    assert_eq!(taken, expected);
                    expected
                        .into_iter()
                        .flat_map(|(start, n)| start..start + n)
                        .for_each(|n| _ = free.remove(&n));
                }
                3 => {
                    let expected =
                        of(&free).into_iter().find(|&(_, length)| length >= count).map(|(start, _)| start);
                    assert_eq!(runs.take(count).map(|at| at.0 / MEGABLOCK_BYTES - 1000), expected);
                    expected
                        .into_iter()
                        .flat_map(|start| start..start + count)
                        .for_each(|n| _ = free.remove(&n));
                }
                _ => {}
            }
            assert_eq!((found(&runs), runs.megablocks()), (of(&free), free.len()));
        }
    }

    #[test]
    fn a_run_is_not_parted_without_memory() {
        let mut refused = 0;
        // Tables have room for some runs more, or for none.
        for others in 0..9 {
            let mut runs = Runs::new();
            runs.add(at(0), 9);
            (0..others).for_each(|n| runs.add(at(10 + 2 * n), 1));
            let before = (found(&runs), runs.megablocks());
            fault::fail_after(0);
            let taken = runs.take_exactly(at(3), 2);
            fault::stop();
            if !taken {
                refused += 1;
                assert_eq!((found(&runs), runs.megablocks()), before);
                assert!(runs.take_exactly(at(3), 2));
            }
            assert_eq!((&found(&runs)[..2], runs.megablocks()), (&[(0, 3), (5, 4)][..], 7 + others));
        }
        assert!(refused > 0);
    }
}
