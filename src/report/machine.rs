//! The figures as a list of (name, value) pairs (`--machine-readable`): the references' names in their order,
//! then our own for pauses and memory. A value is always a string.

use super::memory::Held;
use super::number::seconds;
use super::summary::Summary;
use crate::base::decimal::Fixed;
use std::fmt::Display;
use std::io::{Result, Write};

struct Pairs<'a, W: Write> {
    out: &'a mut W,
    first: bool,
}

impl<W: Write> Pairs<'_, W> {
    fn pair(&mut self, name: impl Display, value: impl Display) -> Result<()> {
        let open = if self.first { '[' } else { ',' };
        self.first = false;
        writeln!(self.out, " {open}(\"{name}\", \"{value}\")")
    }

    fn seconds(&mut self, name: impl Display, nanos: u64) -> Result<()> {
        self.pair(name, Fixed(seconds(nanos), 6))
    }

    fn fraction(&mut self, name: impl Display, value: f64) -> Result<()> {
        self.pair(name, Fixed(value, 6))
    }
}

pub(crate) fn write(out: &mut impl Write, s: &Summary) -> Result<()> {
    let mut p = Pairs { out, first: true };
    p.pair("bytes allocated", s.allocated_bytes)?;
    p.pair("num_GCs", s.collections())?;
    p.pair("average_bytes_used", s.average_live_bytes())?;
    p.pair("max_bytes_used", s.max_live_bytes)?;
    p.pair("num_byte_usage_samples", s.major_collections)?;
    p.pair("peak_megabytes_allocated", s.max_held_bytes >> 20)?;
    let total = s.total();
    let parts = [
        ("init", Some(s.init)),
        ("mut", Some(s.mutator)),
        ("GC", Some(s.gc)),
        ("RP", s.retainers),
        ("PROF", s.profile),
        ("exit", Some(s.exit)),
        ("total", Some(total)),
    ];
    for (name, time) in parts.into_iter().filter_map(|(name, time)| time.map(|time| (name, time))) {
        p.seconds(format_args!("{name}_cpu_seconds"), time.cpu)?;
        p.seconds(format_args!("{name}_wall_seconds"), time.wall)?;
    }
    p.pair("major_gcs", s.major_collections)?;
    p.pair("allocated_bytes", s.allocated_bytes)?;
    p.pair("max_live_bytes", s.max_live_bytes)?;
    p.pair("max_large_objects_bytes", s.max_large_bytes)?;
    p.pair("max_compact_bytes", 0)?;
    p.pair("max_slop_bytes", s.max_slop_bytes)?;
    p.pair("max_mem_in_use_bytes", s.max_held_bytes)?;
    p.pair("cumulative_live_bytes", s.cumulative_live_bytes)?;
    p.pair("copied_bytes", s.copied_bytes)?;
    // Nobody counts which worker copies how much.
    p.pair("par_copied_bytes", 0)?;
    p.pair("cumulative_par_max_copied_bytes", 0)?;
    p.pair("cumulative_par_balanced_copied_bytes", 0)?;
    let (cpu, wall) = s.shares(s.gc);
    p.fraction("gc_cpu_percent", cpu)?;
    p.fraction("gc_wall_percent", wall)?;
    p.pair("fragmentation_bytes", s.fragmentation_bytes)?;
    p.pair("alloc_rate", s.allocation_rate())?;
    let (cpu, wall) = s.shares(s.mutator);
    p.fraction("productivity_cpu_percent", cpu)?;
    p.fraction("productivity_wall_percent", wall)?;
    for (number, generation) in s.counted_generations().iter().enumerate() {
        p.pair(format_args!("gen_{number}_collections"), generation.collections)?;
        p.pair(format_args!("gen_{number}_par_collections"), generation.parallel)?;
        p.seconds(format_args!("gen_{number}_cpu_seconds"), generation.time.cpu)?;
        p.seconds(format_args!("gen_{number}_wall_seconds"), generation.time.wall)?;
        p.seconds(format_args!("gen_{number}_max_pause_seconds"), generation.longest_ns)?;
        p.fraction(format_args!("gen_{number}_avg_pause_seconds"), generation.average_seconds())?;
    }
    write_ours(&mut p, s)?;
    p.out.write_all(b" ]\n")
}

fn write_ours<W: Write>(p: &mut Pairs<'_, W>, s: &Summary) -> Result<()> {
    p.pair("compactions", s.compactions)?;
    p.seconds("max_pause_seconds", s.pauses.longest_ns)?;
    for (below, count) in s.pauses.filled() {
        p.pair(format_args!("pauses_below_{below}_us"), count)?;
    }
    if s.stops.count > 0 {
        p.pair("stops", s.stops.count)?;
        p.seconds("stop_wall_seconds", s.stops.waited_ns)?;
        p.seconds("max_stop_seconds", s.stops.longest_ns)?;
    }
    if s.marked.collections > 0 {
        p.pair("parallel_collections", s.marked.collections)?;
        p.pair("most_workers", s.marked.threads)?;
    }
    for (name, _, bytes) in s.memory.parts() {
        p.pair(format_args!("memory_{name}_bytes"), bytes)?;
        for (name, _, bytes) in Held::parts_of(name) {
            p.pair(format_args!("memory_{name}_bytes"), bytes(&s.memory.held))?;
        }
    }
    p.pair("memory_held_bytes", s.memory.held())?;
    p.pair("memory_untouched_bytes", s.memory.untouched)?;
    p.pair("memory_resident_bytes", s.memory.resident())?;
    p.pair("memory_returned_bytes", s.memory.returned)?;
    p.pair("memory_external_bytes", s.memory.external)
}
