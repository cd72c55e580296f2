//! The parts of a heap's memory.

use super::number::Commas;
use std::io::{Result, Write};

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
    for (_, name, bytes) in memory.parts() {
        writeln!(out, "{:>16} {name}", Commas(bytes))?;
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
