//! Trace-event JSON, as Perfetto and chrome://tracing read it. A heap profile becomes a counter with a part for each of
//! its greatest bands; a report becomes nested slices, as long as each stack's weight.

use crate::draw::top::Top;
use crate::model::HeapProfile;
use crate::prof::{Measure, Report};
use serde::Serialize;
use serde_json::ser::{CharEscape, CompactFormatter, Formatter};
use serde_json::{Map, Serializer, Value, json};
use std::io::{self, Write};

pub fn write_heap(heap: &HeapProfile, top: &Top, out: &mut dyn Write) -> io::Result<()> {
    let mut events = vec![named("process_name", &heap.header.job.to_string())];
    let scale = if heap.header.sample_unit.as_bytes() == b"seconds" { 1e6 } else { 1.0 };
    let bands: Vec<(String, Vec<f64>)> = top.layers(heap).into_iter().map(|l| (l.name, l.values)).collect();
    for (sample, &time) in heap.times.iter().enumerate() {
        let args: Map<String, Value> =
            bands.iter().map(|(name, values)| (name.clone(), json!(values[sample] as u64))).collect();
        events
            .push(json!({ "name": "heap", "ph": "C", "ts": time * scale, "pid": 1, "tid": 1, "args": args }));
    }
    for &mark in &heap.marks {
        events.push(json!({ "name": "mark", "ph": "i", "s": "g", "ts": mark * scale, "pid": 1, "tid": 1 }));
    }
    finish(events, out)
}

/// A slice for each stack: its children lie inside it, one after another, and what is left at the end is its own.
pub fn write_report(report: &Report, measure: Measure, out: &mut dyn Write) -> io::Result<()> {
    let mut events = vec![named("process_name", &report.job)];
    let inherited = report.inherited(measure);
    // One microsecond of the picture is one of time, one byte or one entry.
    let scale = if measure == Measure::Time && report.tick_us > 0 { report.tick_us as f64 } else { 1.0 };
    let children = report.children();
    let mut open = vec![(0u32, 0.0f64)];
    while let Some((index, start)) = open.pop() {
        let Some(node) = report.nodes.get(index as usize) else { break };
        let weight = inherited[index as usize] * scale;
        if weight <= 0.0 {
            continue;
        }
        events.push(json!({
            "name": node.full_name(), "ph": "X", "ts": start, "dur": weight, "pid": 1, "tid": 1,
            // Arguments would show more, but speedscope makes them a part of the name.
            "cat": node.src,
        }));
        let mut at = start;
        for &child in &children[index as usize] {
            open.push((child, at));
            at += inherited[child as usize] * scale;
        }
    }
    finish(events, out)
}

fn named(what: &str, name: &str) -> Value {
    json!({ "name": what, "ph": "M", "ts": 0, "pid": 1, "tid": 1, "args": { "name": name } })
}

fn finish(events: Vec<Value>, out: &mut dyn Write) -> io::Result<()> {
    let trace = json!({ "displayTimeUnit": "ms", "traceEvents": events });
    trace.serialize(&mut Serializer::with_formatter(&mut *out, BackslashByNumber))?;
    out.write_all(b"\n")
}

/// Perfetto takes the quote behind an escaped backslash for an escaped quote, and refuses the file: a name may end with
/// a backslash, as lambdas of Haskell do. JSON has another way to write one, which Perfetto shows as it stands: `\u005c`.
struct BackslashByNumber;

impl Formatter for BackslashByNumber {
    fn write_char_escape<W: ?Sized + Write>(&mut self, out: &mut W, escape: CharEscape) -> io::Result<()> {
        match escape {
            CharEscape::ReverseSolidus => out.write_all(b"\\u005c"),
            other => CompactFormatter.write_char_escape(out, other),
        }
    }
}
