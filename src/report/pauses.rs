//! The pauses of a program, as a histogram.

use super::number::{Micros, seconds, share};
use crate::base::decimal::Fixed;
use std::io::{Result, Write};

const BUCKETS: usize = 32;

/// Pauses by their length: bucket i counts pauses below 2^i microseconds and not below half of that; the last
/// bucket also counts all longer ones.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pauses {
    pub buckets: [u64; BUCKETS],
    pub longest_ns: u64,
}

impl Pauses {
    pub fn count(&self) -> u64 {
        self.buckets.iter().sum()
    }

    /// The buckets from the first that is not empty to the last: its limit in microseconds, and its
    /// count.
    pub fn filled(&self) -> impl Iterator<Item = (u64, u64)> {
        let first = self.buckets.iter().position(|&n| n > 0).unwrap_or(BUCKETS);
        let last = self.buckets.iter().rposition(|&n| n > 0).map_or(0, |last| last + 1);
        (first..last).map(|i| (1 << i, self.buckets[i]))
    }
}

/// Times that one thread has kept the others still: how often, how long it waited until they were, and the longest wait.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stops {
    pub count: u64,
    pub waited_ns: u64,
    pub longest_ns: u64,
}

const BAR: u64 = 40;

pub fn write(out: &mut impl Write, pauses: &Pauses) -> Result<()> {
    let count = pauses.count();
    if count == 0 {
        return writeln!(out, "  Pauses        none\n");
    }
    writeln!(out, "  Pauses        {count}, the longest {}s", Fixed(seconds(pauses.longest_ns), 4))?;
    let most = pauses.buckets.iter().copied().max().unwrap_or(1);
    for (below, number) in pauses.filled() {
        let percent = Fixed(share(number as f64, count as f64) * 100.0, 1);
        write!(out, "    below {}  {number:>8}  {percent:>5}%", Micros(below))?;
        let bar = (number * BAR).div_ceil(most);
        if bar > 0 {
            write!(out, "  ")?;
        }
        for _ in 0..bar {
            out.write_all(b"#")?;
        }
        writeln!(out)?;
    }
    writeln!(out)
}

/// Collections in which several threads took part, and the most of them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Marked {
    pub collections: u64,
    pub threads: u64,
}

/// Writes in how many collections workers took part; nothing where none did.
pub(crate) fn write_marked(out: &mut impl Write, marked: Marked) -> Result<()> {
    if marked.collections == 0 {
        return Ok(());
    }
    let Marked { collections, threads } = marked;
    writeln!(
        out,
        "  Workers       up to {threads} threads in {collections} collections, one thread in the others\n"
    )
}

/// Writes how long threads have waited for each other; nothing in a program whose heap has one mutator.
pub(crate) fn write_stops(out: &mut impl Write, stops: Stops) -> Result<()> {
    if stops.count == 0 {
        return Ok(());
    }
    let (waited, longest) = (
        Fixed(seconds(stops.waited_ns), 4),
        Fixed(seconds(planted!(674, stops.waited_ns, stops.longest_ns)), 4),
    );
    writeln!(out, "  Stops         {}, threads came in {waited}s, the slowest in {longest}s\n", stops.count)
}
