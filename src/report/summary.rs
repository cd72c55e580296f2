//! The exit statistics (`-s`).
//!
//! Up to "Productivity" this is the references' layout, to the byte (`tests/fixtures/rts/LeakNo-s.err`), with
//! one difference: their `%GC time` is always 0.0, ours is the real share. The pauses and the parts of memory
//! come after it.

use super::memory::Memory;
use super::number::{Commas, seconds, share};
use super::pauses::{Marked, Pauses, Stops};
use crate::base::decimal::Fixed;
use crate::base::size::MAX_GENERATIONS;
use std::io::{Result, Write};

/// CPU and wall time of one part of a run, in nanoseconds.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spell {
    pub cpu: u64,
    pub wall: u64,
}

impl Spell {
    pub fn plus(self, more: Spell) -> Spell {
        Spell { cpu: self.cpu + more.cpu, wall: self.wall + more.wall }
    }
}

/// Collections of which this was the oldest generation.
#[derive(Clone, Copy, Debug, Default)]
pub struct GenerationTimes {
    pub collections: u64,
    /// Collections in which workers took part.
    pub parallel: u64,
    pub time: Spell,
    pub longest_ns: u64,
}

impl GenerationTimes {
    pub fn average_seconds(&self) -> f64 {
        share(seconds(self.time.wall), self.collections as f64)
    }
}

/// A heap's life in figures.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    pub allocated_bytes: u64,
    pub copied_bytes: u64,
    pub max_live_bytes: u64,
    /// The sum of live bytes over major collections, each of which takes one sample.
    pub cumulative_live_bytes: u64,
    pub major_collections: u64,
    pub max_slop_bytes: u64,
    pub max_large_bytes: u64,
    /// Major collections that compacted in place.
    pub compactions: u64,
    /// The most bytes that were held at once.
    pub max_held_bytes: u64,
    /// Bytes of free blocks in megablocks that are in use.
    pub fragmentation_bytes: u64,
    pub generation_count: usize,
    pub generations: [GenerationTimes; MAX_GENERATIONS],
    pub init: Spell,
    pub mutator: Spell,
    pub gc: Spell,
    /// Time for finding retainers, and below for writing heap profiles; none where there were none.
    pub retainers: Option<Spell>,
    pub profile: Option<Spell>,
    pub exit: Spell,
    pub pauses: Pauses,
    pub stops: Stops,
    pub marked: Marked,
    pub memory: Memory,
}

impl Summary {
    fn profiles(&self) -> Spell {
        self.retainers.unwrap_or_default().plus(self.profile.unwrap_or_default())
    }

    pub fn total(&self) -> Spell {
        self.init.plus(self.mutator).plus(self.gc).plus(self.profiles()).plus(self.exit)
    }

    pub fn collections(&self) -> u64 {
        self.counted_generations().iter().map(|generation| generation.collections).sum()
    }

    pub fn counted_generations(&self) -> &[GenerationTimes] {
        &self.generations[..self.generation_count]
    }

    pub fn average_live_bytes(&self) -> u64 {
        self.cumulative_live_bytes.checked_div(self.major_collections).unwrap_or(0)
    }

    /// Bytes allocated per second of the program's own CPU time.
    pub fn allocation_rate(&self) -> u64 {
        share(self.allocated_bytes as f64, seconds(self.mutator.cpu)) as u64
    }

    /// The shares of CPU and of elapsed time that `part` has.
    pub fn shares(&self, part: Spell) -> (f64, f64) {
        let total = self.total();
        (share(part.cpu as f64, total.cpu as f64), share(part.wall as f64, total.wall as f64))
    }
}

const MIB: u64 = 1 << 20;

pub(crate) fn write(out: &mut impl Write, s: &Summary) -> Result<()> {
    write_amounts(out, s)?;
    write_generations(out, s)?;
    write_times(out, s)?;
    super::pauses::write(out, &s.pauses)?;
    super::pauses::write_stops(out, s.stops)?;
    super::pauses::write_marked(out, s.marked)?;
    super::memory::write(out, &s.memory)
}

fn write_amounts(out: &mut impl Write, s: &Summary) -> Result<()> {
    writeln!(out, "{:>16} bytes allocated in the heap", Commas(s.allocated_bytes))?;
    writeln!(out, "{:>16} bytes copied during GC", Commas(s.copied_bytes))?;
    if s.major_collections > 0 {
        let live = Commas(s.max_live_bytes);
        writeln!(out, "{live:>16} bytes maximum residency ({} sample(s))", s.major_collections)?;
    }
    writeln!(out, "{:>16} bytes maximum slop", Commas(s.max_slop_bytes))?;
    writeln!(
        out,
        "{:>16} MiB total memory in use ({} MB lost due to fragmentation)\n",
        s.max_held_bytes / MIB,
        s.fragmentation_bytes / MIB
    )
}

fn write_generations(out: &mut impl Write, s: &Summary) -> Result<()> {
    writeln!(out, "                                     Tot time (elapsed)  Avg pause  Max pause")?;
    for (number, generation) in s.counted_generations().iter().enumerate() {
        writeln!(
            out,
            "  Gen {number:>2}     {:>5} colls, {:>5} par {:>8}s  {:>6}s     {}s    {}s",
            generation.collections,
            generation.parallel,
            Fixed(seconds(generation.time.cpu), 3),
            Fixed(seconds(generation.time.wall), 3),
            Fixed(generation.average_seconds(), 4),
            Fixed(seconds(generation.longest_ns), 4)
        )?;
    }
    writeln!(out)
}

fn write_times(out: &mut impl Write, s: &Summary) -> Result<()> {
    let parts = [
        ("INIT ", Some(s.init)),
        ("MUT  ", Some(s.mutator)),
        ("GC   ", Some(s.gc)),
        ("RP   ", s.retainers),
        ("PROF ", s.profile),
        ("EXIT ", Some(s.exit)),
        ("Total", Some(s.total())),
    ];
    for (name, time) in parts.into_iter().filter_map(|(name, time)| time.map(|time| (name, time))) {
        let (cpu, wall) = (Fixed(seconds(time.cpu), 3), Fixed(seconds(time.wall), 3));
        writeln!(out, "  {name}   time  {cpu:>7}s  ({wall:>7}s elapsed)")?;
    }
    let (cpu, wall) = s.shares(s.gc);
    writeln!(
        out,
        "\n  %GC     time     {:>5}%  ({}% elapsed)\n",
        Fixed(cpu * 100.0, 1),
        Fixed(wall * 100.0, 1)
    )?;
    writeln!(out, "  Alloc rate    {} bytes per MUT second\n", Commas(s.allocation_rate()))?;
    let (cpu, wall) = s.shares(s.mutator);
    writeln!(
        out,
        "  Productivity {:>5}% of total user, {}% of total elapsed\n",
        Fixed(cpu * 100.0, 1),
        Fixed(wall * 100.0, 1)
    )
}
