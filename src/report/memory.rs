//! The parts of a heap's memory.

use super::number::Commas;
use std::io::{Result, Write};

/// The parts of three of a heap's parts, in bytes: of fragmentation, overhead, and what is free.
#[derive(Clone, Copy, Debug, Default)]
pub struct Held {
    /// Gaps between objects of the oldest generation that promoted objects fill.
    pub gaps: u64,
    /// Other words between objects in old blocks: dead objects that were found dead, and gaps that are too small.
    pub waste: u64,
    /// Ends of old blocks behind their last objects.
    pub ends: u64,
    /// Ends of the groups of large objects, and the rest of the blocks of pinned ones.
    pub large_ends: u64,
    /// Blocks that are no generation's: the program's own, and those that `--faults` sets aside.
    pub aside: u64,
    pub descriptors: u64,
    pub remembered: u64,
    /// Codes of blocks, lines and other tables, at most.
    pub tables: u64,
    /// Free blocks of megablocks that have others in use.
    pub blocks: u64,
    /// Free megablocks, which wait for their use or to be returned.
    pub megablocks: u64,
}

/// A part of a part: its name for programs, its name for people, and its bytes.
type Part = (&'static str, &'static str, fn(&Held) -> u64);

impl Held {
    /// Each part of a part of `Memory`, with its name for programs and its name for people.
    pub fn parts_of(part: &str) -> &'static [Part] {
        match part {
            "fragmentation" => &[
                ("gaps", "gaps that objects will fill", |h| h.gaps),
                ("waste", "other words between objects", |h| h.waste),
                ("ends", "ends of blocks of small objects", |h| h.ends),
                ("large_ends", "ends of blocks of large and pinned objects", |h| h.large_ends),
                ("aside", "blocks of the program's own, or set aside", |h| h.aside),
            ],
            "overhead" => &[
                ("descriptors", "descriptors of blocks", |h| h.descriptors),
                ("remembered", "remembered fields", |h| h.remembered),
                ("tables", "tables", |h| h.tables),
            ],
            "free" => &[
                ("free_blocks", "free blocks beside others in use", |h| h.blocks),
                ("free_megablocks", "free megablocks, some of which a later collection returns", |h| {
                    h.megablocks
                }),
            ],
            _ => &[],
        }
    }
}

/// The parts of a heap's memory, in bytes. The sum of those in `parts` is what the heap holds; without the
/// untouched bytes, it is the heap's resident memory [report.inv.memory].
#[derive(Clone, Copy, Debug, Default)]
pub struct Memory {
    /// Small objects in generations: alive after a major collection, and with objects that have died
    /// since.
    pub live: u64,
    pub large: u64,
    /// Bytes allocated since the last collection, in nursery and pools.
    pub allocated: u64,
    /// The rest of the nursery and of the pools.
    pub nursery: u64,
    pub fragmentation: u64,
    pub overhead: u64,
    pub side_tables: u64,
    pub free: u64,
    pub held: Held,
    /// Bytes that are held and have no memory yet, since they were never written.
    pub untouched: u64,
    /// Bytes returned to the system since the heap was made.
    pub returned: u64,
    /// Bytes outside the heap, as the client reported them.
    pub external: u64,
    /// Whether memory is mapped in chunks; else it comes from `reserved` bytes of address space.
    pub in_chunks: bool,
    pub reserved: u64,
    /// Number of times that the reservation was refused, and halved.
    pub halved: u32,
}

impl Memory {
    /// Each part with its name for programs and its name for people.
    pub fn parts(&self) -> [(&'static str, &'static str, u64); 8] {
        [
            ("live", "live: small objects in generations", self.live),
            ("large", "large and pinned objects", self.large),
            ("allocated", "allocated since the last collection", self.allocated),
            ("nursery", "nursery, not allocated yet", self.nursery),
            ("fragmentation", "fragmentation: in blocks with objects, and no object", self.fragmentation),
            ("overhead", "overhead: descriptors, tables, remembered fields", self.overhead),
            ("side_tables", "side tables of profilers", self.side_tables),
            ("free", "free, kept for later", self.free),
        ]
    }

    pub fn held(&self) -> u64 {
        self.parts().iter().map(|(_, _, bytes)| bytes).sum()
    }

    pub fn resident(&self) -> u64 {
        self.held().saturating_sub(self.untouched)
    }
}

pub(crate) fn write(out: &mut impl Write, memory: &Memory) -> Result<()> {
    writeln!(
        out,
        "  Memory at the end, in bytes. The parts add up to what is held; less what was never touched,"
    )?;
    writeln!(out, "  that is the resident memory of this heap.")?;
    for (part, name, bytes) in memory.parts() {
        writeln!(out, "{:>16} {name}", Commas(bytes))?;
        for (_, name, bytes) in Held::parts_of(part) {
            writeln!(out, "{:>20} {name}", Commas(bytes(&memory.held)))?;
        }
    }
    writeln!(out, "{:>16} = held", Commas(memory.held()))?;
    writeln!(out, "{:>16} - never touched", Commas(memory.untouched))?;
    writeln!(out, "{:>16} = resident", Commas(memory.resident()))?;
    writeln!(out, "{:>16} returned to the system so far", Commas(memory.returned))?;
    if memory.external > 0 {
        writeln!(out, "{:>16} outside the heap, as reported by the program", Commas(memory.external))?;
    }
    if memory.in_chunks {
        write!(out, "  It lies in chunks wherever the system puts them")?;
    } else {
        write!(out, "  It lies in one reserved range of {} MiB", memory.reserved >> 20)?;
    }
    match memory.halved {
        0 => writeln!(out, ".\n"),
        n => writeln!(out, "; the system refused {n} larger reservation(s).\n"),
    }
}
