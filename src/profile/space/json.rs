//! All results of a space profile, as JSON. Sizes are bytes.

use crate::base::decimal::Short;
use crate::profile::heap::tally::Count;
use crate::profile::space::kinds::{COLUMN_NAMES, COLUMNS};
use crate::profile::space::result::{Point, Results};
use crate::report::cost_json::{name, string};
use std::io::{self, Write};

pub(crate) fn write(out: &mut dyn Write, program: &[u8], results: &Results) -> io::Result<()> {
    let mut out = out;
    write!(out, "{{\"format\":\"barrow-space\",\"version\":1,\"program\":")?;
    string(&mut out, program)?;
    write!(out, ",\"bytes_used\":{},\"side_table_bytes\":{}", results.used_bytes, results.side_bytes)?;
    write!(out, ",\"collections\":{},\"generations\":{}", results.collections, results.generations)?;
    write!(out, ",\"profiler_cpu_ns\":{}", results.own_ns)?;
    let complete = !results.short_of_memory && !results.lost_tables;
    write!(out, ",\"complete\":{complete},\"total\":")?;
    count(out, "allocated", results.total.allocated, "{")?;
    count(out, "copied", results.total.copied, ",")?;
    let total = &results.total;
    write!(out, ",\"calls\":{},\"top\":{},\"live\":{}}}", total.calls, total.top, total.living_bytes)?;
    let [collecting, profiling, lost] = results.ticks_apart;
    write!(out, ",\"tick_ns\":{},\"ticks_collecting\":{collecting}", results.tick_ns)?;
    write!(out, ",\"ticks_profiling\":{profiling},\"ticks_lost\":{lost}")?;
    count(out, "unprofiled", results.unprofiled, ",")?;
    write!(out, ",\"functions\":[")?;
    for index in 0..results.functions.len() {
        write!(out, "{}", if index > 0 { ",\n" } else { "\n" })?;
        function(out, results, index)?;
    }
    // The tree of callers, from functions found at the top: a node's parent is an index in this list plus
    // one, or 0.
    write!(out, "],\n\"callers\":[")?;
    for (i, node) in results.callers.nodes.iter().enumerate() {
        let comma = if i > 0 { "," } else { "" };
        write!(out, "{comma}[{},{},{}]", node.parent, node.who, node.ticks)?;
    }
    write!(out, "],\n\"greatest\":")?;
    point(out, &results.greatest)?;
    points(out, "maxima", &results.maxima)?;
    points(out, "points", &results.points)?;
    writeln!(out, "}}")
}

fn count(out: &mut dyn Write, name: &str, of: Count, before: &str) -> io::Result<()> {
    write!(out, "{before}\"{name}\":{{\"bytes\":{},\"objects\":{}}}", of.bytes(), of.objects)
}

fn function(out: &mut dyn Write, results: &Results, index: usize) -> io::Result<()> {
    let mut out = out;
    let function = &results.functions[index];
    write!(out, "{{\"name\":")?;
    name(&mut out, results.text(function.name))?;
    write!(out, ",\"module\":")?;
    name(&mut out, results.text(function.module))?;
    write!(out, ",\"offset\":{},\"word\":{},\"sites\":{}", function.offset, function.word, function.sites)?;
    count(out, "allocated", function.allocated, ",")?;
    count(out, "copied", function.copied, ",")?;
    write!(out, ",\"copied_from\":[")?;
    for (generation, &copied) in results.copied_of(index).iter().enumerate() {
        let comma = if generation > 0 { "," } else { "" };
        write!(out, "{comma}{{\"bytes\":{},\"objects\":{}}}", copied.bytes(), copied.objects)?;
    }
    write!(out, "],\"calls\":{},\"top\":{}", function.calls, function.top)?;
    write!(out, ",\"elsewhere\":{}", function.elsewhere)?;
    write!(out, ",\"live\":{}", function.living_bytes)?;
    if function.has_kinds {
        // The first line counts allocated objects, each other line objects copied out of one generation.
        write!(out, ",\"kinds\":[")?;
        for (line, cells) in results.cells_of(index).chunks_exact(COLUMNS).enumerate() {
            write!(out, "{}{{", if line > 0 { "," } else { "" })?;
            for (i, (name, cell)) in COLUMN_NAMES.iter().zip(cells).enumerate() {
                let comma = if i > 0 { "," } else { "" };
                write!(out, "{comma}\"{name}\":[{},{},{}]", cell.objects, cell.bytes, cell.overhead)?;
            }
            write!(out, "}}")?;
        }
        write!(out, "]")?;
    }
    write!(out, "}}")
}

fn points(out: &mut dyn Write, name: &str, points: &[Point]) -> io::Result<()> {
    write!(out, ",\n\"{name}\":[")?;
    for (i, one) in points.iter().enumerate() {
        write!(out, "{}", if i > 0 { ",\n" } else { "\n" })?;
        point(out, one)?;
    }
    write!(out, "]")
}

/// A point; its parts are pairs of a function's index and its bytes.
fn point(out: &mut dyn Write, of: &Point) -> io::Result<()> {
    write!(
        out,
        "{{\"seconds\":{},\"collection\":{},\"bytes\":{}",
        Short(of.seconds),
        of.collection,
        of.bytes
    )?;
    write!(out, ",\"asked\":{},\"parts\":[", of.asked)?;
    for (i, (index, bytes)) in of.parts.iter().enumerate() {
        write!(out, "{}[{index},{bytes}]", if i > 0 { "," } else { "" })?;
    }
    write!(out, "]}}")
}
