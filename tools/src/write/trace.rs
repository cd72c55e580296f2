//! Trace-event JSON, as Perfetto and chrome://tracing read it. A heap profile becomes a counter with a part for each of
//! its greatest bands; a report becomes nested slices, as long as each stack's weight; a time line a track for each thread, and
//! one for collections. Events are written as they are made: a tree of all of them would take many times the profile's memory.

use crate::draw::top::Top;
use crate::model::HeapProfile;
use crate::prof::{Measure, Report};
use crate::stops::Timeline;
use serde::Serialize;
use serde_json::ser::{CharEscape, CompactFormatter, Formatter};
use serde_json::{Map, Serializer, Value, json};
use std::io::{self, Write};

pub fn write_heap(heap: &HeapProfile, top: &Top, out: &mut dyn Write) -> io::Result<()> {
    let mut trace = Trace::begin(out)?;
    trace.event(named("process_name", &heap.header.job.to_string()))?;
    let scale = if heap.header.sample_unit.as_bytes() == b"seconds" { 1e6 } else { 1.0 };
    let bands: Vec<(String, Vec<f64>)> = top.layers(heap).into_iter().map(|l| (l.name, l.values)).collect();
    for (sample, &time) in heap.times.iter().enumerate() {
        let args: Map<String, Value> =
            bands.iter().map(|(name, values)| (name.clone(), json!(values[sample] as u64))).collect();
        let event =
            json!({ "name": "heap", "ph": "C", "ts": time * scale, "pid": 1, "tid": 1, "args": args });
        trace.event(event)?;
    }
    for &mark in &heap.marks {
        trace
            .event(json!({ "name": "mark", "ph": "i", "s": "g", "ts": mark * scale, "pid": 1, "tid": 1 }))?;
    }
    trace.end()
}

/// A slice for each stack: its children lie inside it, one after another, and what is left at the end is its own.
pub fn write_report(report: &Report, measure: Measure, out: &mut dyn Write) -> io::Result<()> {
    let mut trace = Trace::begin(out)?;
    trace.event(named("process_name", &report.job))?;
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
        trace.event(json!({
            "name": node.full_name(), "ph": "X", "ts": start, "dur": weight, "pid": 1, "tid": 1,
            // Arguments would show more, but speedscope makes them a part of the name.
            "cat": node.src,
        }))?;
        let mut at = start;
        for &child in &children[index as usize] {
            open.push((child, at));
            at += inherited[child as usize] * scale;
        }
    }
    trace.end()
}

/// A slice for as long as a thread had a mutator, in it what it waited for, and when it stood; collections are on a track of their
/// own as well, and the live bytes after each are a counter.
pub fn write_stops(timeline: &Timeline, out: &mut dyn Write) -> io::Result<()> {
    let us = |ns: u64| ns as f64 / 1e3;
    // Threads have the tracks of their numbers; 0 is the system's idle thread to Perfetto.
    let collections = timeline.threads.last().map_or(1, |thread| thread.number.saturating_add(1));
    let mut trace = Trace::begin(out)?;
    trace.event(named("process_name", &timeline.job))?;
    trace.event(named_track("thread_name", collections, "collections"))?;
    let slice = |name: &str, tid: u64, from: u64, to: u64, args: Value| {
        json!({
            "name": name, "ph": "X", "ts": us(from), "dur": us(to.saturating_sub(from)), "pid": 1, "tid": tid, "args": args,
        })
    };
    for thread in &timeline.threads {
        trace.event(named_track("thread_name", thread.number, &thread.shown()))?;
        for &(from, to) in &thread.attached {
            trace.event(slice("attached", thread.number, from, to, json!({})))?;
        }
    }
    let number = |thread: usize| timeline.threads[thread].number;
    for stop in &timeline.stops {
        let asker = number(stop.thread);
        let last = stop.others.iter().filter(|other| !other.away).max_by_key(|other| other.from);
        let args = json!({ "threads": stop.others.len(), "last": last.map(|other| number(other.thread)) });
        trace.event(slice("keeps others still", asker, stop.asked, stop.ended, args))?;
        trace.event(slice("waits for others", asker, stop.asked, stop.still, json!({})))?;
        for other in &stop.others {
            let name = if other.away { "in foreign code" } else { "stands" };
            trace.event(slice(
                name,
                number(other.thread),
                other.from,
                stop.ended,
                json!({ "for": asker }),
            ))?;
        }
    }
    for one in &timeline.collections {
        let name = if one.major { "major collection" } else { "minor collection" };
        let thread = number(one.thread);
        for tid in [collections, thread] {
            let args = json!({
                "number": one.number, "generation": one.generation, "thread": thread, "workers": one.workers,
                "copied": one.copied, "live": one.live,
            });
            trace.event(slice(name, tid, one.begun, one.ended, args))?;
        }
        trace.event(json!({
            "name": "live bytes", "ph": "C", "ts": us(one.ended), "pid": 1, "tid": collections, "args": { "live": one.live },
        }))?;
    }
    trace.end()
}

fn named(what: &str, name: &str) -> Value {
    named_track(what, 1, name)
}

fn named_track(what: &str, tid: u64, name: &str) -> Value {
    json!({ "name": what, "ph": "M", "ts": 0, "pid": 1, "tid": tid, "args": { "name": name } })
}

/// A trace that is being written.
struct Trace<'a> {
    out: &'a mut dyn Write,
    is_empty: bool,
}

impl Trace<'_> {
    fn begin(out: &mut dyn Write) -> io::Result<Trace<'_>> {
        out.write_all(b"{\"displayTimeUnit\":\"ms\",\"traceEvents\":[")?;
        Ok(Trace { out, is_empty: true })
    }

    fn event(&mut self, event: Value) -> io::Result<()> {
        if !std::mem::take(&mut self.is_empty) {
            self.out.write_all(b",")?;
        }
        event.serialize(&mut Serializer::with_formatter(&mut *self.out, BackslashByNumber))?;
        Ok(())
    }

    fn end(self) -> io::Result<()> {
        self.out.write_all(b"]}\n")
    }
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
