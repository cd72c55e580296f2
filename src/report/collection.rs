//! The line for each collection (`-S`), in the references' columns.

use super::number::seconds;
use super::summary::Spell;
use crate::base::decimal::Fixed;
use std::io::{Result, Write};

/// The figures of one collection.
#[derive(Clone, Copy, Debug, Default)]
pub struct CollectionLine {
    /// Bytes allocated since the collection before.
    pub allocated_bytes: u64,
    pub copied_bytes: u64,
    /// Bytes in all generations afterwards, including objects of older ones that have died unnoticed.
    pub live_bytes: u64,
    pub gc: Spell,
    /// Time from the beginning of the heap to the end of this collection.
    pub total: Spell,
    /// Page faults that needed a disk, in the collection; `faults_before` are those in the program before
    /// it.
    pub faults_in_gc: u64,
    pub faults_before: u64,
    pub generation: usize,
}

pub(crate) fn write_head(out: &mut impl Write) -> Result<()> {
    out.write_all(
        b"    Alloc    Copied     Live     GC     GC      TOT      TOT  Page Flts\n    \
          bytes     bytes     bytes   user   elap     user     elap\n",
    )
}

pub(crate) fn write(out: &mut impl Write, line: &CollectionLine) -> Result<()> {
    writeln!(
        out,
        "{:>9} {:>9} {:>9} {:>6} {:>6} {:>8} {:>8} {:>4} {:>4}  (Gen: {:>2})",
        line.allocated_bytes,
        line.copied_bytes,
        line.live_bytes,
        Fixed(seconds(line.gc.cpu), 3),
        Fixed(seconds(line.gc.wall), 3),
        Fixed(seconds(line.total.cpu), 3),
        Fixed(seconds(line.total.wall), 3),
        line.faults_in_gc,
        line.faults_before,
        line.generation
    )
}

/// Writes the last line: the bytes allocated after the last collection.
pub(crate) fn write_tail(out: &mut impl Write, allocated_bytes: u64) -> Result<()> {
    writeln!(out, "{allocated_bytes:>9} {:>9} {:>9} {:>6} {:>6}\n", "", "", "0.000", "0.000")
}
