//! What the heap did for the demo's program, as the library's own statistics have it.

use super::{Outcome, done, name, text};
use barrow::report::number::Commas;
use barrow::report::{Memory, Pauses};
use barrow::runtime::figures::HeapStats;
use std::io::{self, Write};

pub fn tell(out: &mut dyn Write, outcome: &Outcome) -> io::Result<()> {
    let parts = done(outcome);
    let Some(last) = parts.last() else { return Ok(()) };
    writeln!(out, "A small program, as a compiler would emit it, on the Barrow heap:\n")?;
    for part in parts {
        let wrong = if part.right { "" } else { "   WRONG" };
        writeln!(out, "  {:<8} {}{wrong}", name(part), text(&part.result))?;
    }
    writeln!(out, "\nWhat the heap did for it:\n")?;
    writeln!(
        out,
        "  {:<8} {:>8} {:>12} {:>7} {:>7} {:>11} {:>13}",
        "", "", "allocated", "minor", "major", "copied", "time spent"
    )?;
    writeln!(
        out,
        "  {:<8} {:>8} {:>12} {:>7} {:>7} {:>11} {:>13}",
        "", "seconds", "MB", "GCs", "GCs", "MB", "collecting"
    )?;
    for part in parts {
        row(out, &name(part), part.seconds, &part.before, &part.after)?;
    }
    if parts.len() > 1 {
        row(out, "all", parts.iter().map(|part| part.seconds).sum(), &parts[0].before, &last.after)?;
    }
    tell_end(out, &last.after)
}

fn row(
    out: &mut dyn Write,
    name: &str,
    seconds: f64,
    before: &HeapStats,
    after: &HeapStats,
) -> io::Result<()> {
    let major = after.major_collections - before.major_collections;
    let collecting = (after.gc_wall_ns - before.gc_wall_ns) as f64 / 1e9;
    writeln!(
        out,
        "  {name:<8} {seconds:>8.2} {:>12} {:>7} {:>7} {:>11} {:>11.1} %",
        Commas((after.allocated_bytes - before.allocated_bytes) / 1_000_000),
        after.collections - before.collections - major,
        major,
        Commas((after.copied_bytes - before.copied_bytes) / 1_000_000),
        if seconds > 0.0 { collecting / seconds * 100.0 } else { 0.0 },
    )
}

fn tell_end(out: &mut dyn Write, s: &HeapStats) -> io::Result<()> {
    writeln!(out, "\nHow long the program stood still for it:\n")?;
    barrow::report::pauses::write(&mut &mut *out, &Pauses { buckets: s.pauses, longest_ns: s.max_pause_ns })?;
    writeln!(out, "Most alive after a major collection: {} bytes.", Commas(s.max_live_bytes))?;
    writeln!(
        out,
        "Most memory held at once: {} bytes. At the end it was made of:\n",
        Commas(s.peak_resident_bytes)
    )?;
    let memory = Memory {
        live: s.live_bytes - s.large_bytes,
        large: s.large_bytes,
        nursery: s.nursery_bytes,
        fragmentation: s.fragmentation_bytes,
        overhead: s.overhead_bytes,
        side_tables: s.side_table_bytes,
        free: s.free_bytes,
        ..Memory::default()
    };
    for (_, name, bytes) in memory.parts() {
        if bytes > 0 {
            writeln!(out, "{:>16} {name}", Commas(bytes))?;
        }
    }
    writeln!(
        out,
        "{:>16} = held; {} returned to the system before",
        Commas(memory.held()),
        Commas(s.returned_bytes)
    )
}
