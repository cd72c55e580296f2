//! What the page is told of each file, values of heap profiles aside. Trees go as columns over a table of names: they
//! repeat the same few names thousands of times.

use super::{graph, pack, samples, stops};
use crate::joined;
use crate::model::HeapProfile;
use crate::prof::{Node, ProfFile, Report, Retainers};
use crate::read::any::{Input, Profile};
use serde_json::{Value, json};
use std::collections::HashMap;

pub fn file(input: &Input, all: &[Input], blobs: &mut Vec<String>) -> Value {
    match &input.profile {
        Profile::Heap(heap) => {
            // Writing to memory does not fail; an empty blob would show as an unreadable profile, not as a wrong one.
            blobs.push(pack::pack(heap).unwrap_or_default());
            let (stacks, warning) = stacks(input, heap, all);
            heap_file(input, heap, stacks, warning, blobs.len() - 1)
        }
        Profile::Prof(prof) => prof_file(input, prof),
        Profile::Samples(sampled) => samples::file(input, sampled),
        Profile::Snapshot(shown) => graph::file(input, shown),
        Profile::Stops(timeline) => stops::file(input, timeline),
        Profile::Space(space) => json!({ "type": "space", "path": base(&input.name), "space": space }),
    }
}

fn heap_file(
    input: &Input,
    heap: &HeapProfile,
    stacks: Value,
    warning: Option<String>,
    blob: usize,
) -> Value {
    let mut warnings = input.notes.clone();
    warnings.extend(warning);
    if let Some(cut) = heap.cut {
        warnings
            .push(format!("The file ends within the sample of line {}; that sample is left out.", cut.line));
    }
    if heap.marks.len() > 1000 {
        warnings.push(format!(
            "{} marks: where they are closer than a pixel only one is drawn.",
            heap.marks.len()
        ));
    }
    let header = &heap.header;
    json!({
        "type": "heap", "path": base(&input.name), "job": header.job.to_string(), "date": header.date.to_string(),
        "sampleUnit": header.sample_unit.to_string(), "valueUnit": header.value_unit.to_string(),
        "marks": heap.marks, "samples": heap.times.len(), "blob": blob, "warnings": warnings, "stacks": stacks,
        "bands": heap.bands.iter().map(|band| band.name.to_string()).collect::<Vec<_>>(),
    })
}

/// Frames of each band from the root on, as numbers of names, with the report that told of them; null where no band is a stack. A
/// warning says why a report tells of none.
fn stacks(input: &Input, heap: &HeapProfile, all: &[Input]) -> (Value, Option<String>) {
    let reports = || {
        all.iter().filter_map(|one| match &one.profile {
            Profile::Prof(prof) => {
                prof.report.as_ref().filter(|report| !report.is_ticky).map(|report| (one, report))
            }
            _ => None,
        })
    };
    let run = joined::run_of(base(&input.name));
    let same = reports().find(|(one, _)| joined::run_of(base(&one.name)) == run);
    let report = same.or_else(|| reports().next().filter(|_| reports().count() == 1));
    let (joined, warning) = match joined::join(heap, report.map(|(_, report)| report)) {
        Ok(joined) => (joined, None),
        Err(told) => (
            joined::join(heap, None).unwrap_or_default(),
            Some(format!("Stacks are as the bands have them: {told}.")),
        ),
    };
    if !joined.stacks.iter().any(|stack| stack.len() > 1) {
        return (Value::Null, warning);
    }
    let mut names = Names::default();
    let of: Vec<Vec<usize>> =
        joined.stacks.iter().map(|stack| stack.iter().map(|frame| names.of(&frame.name)).collect()).collect();
    let from = report.filter(|_| joined.known > 0).map(|(one, _)| base(&one.name));
    (json!({ "names": names.list, "of": of, "from": from }), warning)
}

fn prof_file(input: &Input, prof: &ProfFile) -> Value {
    // Warnings begin with the file's name, as readers tell them.
    let short = |text: &String| match text.strip_prefix(&input.name) {
        Some(rest) => format!("{}{rest}", base(&input.name)),
        None => text.clone(),
    };
    let warnings: Vec<String> = prof.warnings.iter().chain(&input.notes).map(short).collect();
    json!({
        "type": "prof", "path": base(&input.name), "warnings": warnings,
        "counters": prof.counters.iter().map(|one| json!([one.name, one.value])).collect::<Vec<_>>(),
        "report": prof.report.as_ref().map(report), "retainers": retainers(&prof.retainers),
    })
}

fn report(report: &Report) -> Value {
    let mut names = Names::default();
    // A program that had no tick and allocated nothing has no row; the page draws trees from a root on.
    let root = [Node {
        parent: None,
        label: "MAIN".to_owned(),
        module: "MAIN".to_owned(),
        src: String::new(),
        number: 1,
        entries: 0,
        ticks: 0.0,
        bytes: 0.0,
    }];
    let nodes = if report.nodes.is_empty() { &root[..] } else { &report.nodes };
    let column = |value: &dyn Fn(&Node) -> Value| nodes.iter().map(value).collect::<Vec<_>>();
    let number = |value: f64| if value.fract() == 0.0 { json!(value as i64) } else { json!(value) };
    let parent = column(&|node| node.parent.map_or(json!(-1), |parent| json!(parent)));
    let entries = column(&|node| json!(node.entries));
    let ticks = column(&|node| number(node.ticks));
    let bytes = column(&|node| number(node.bytes));
    let label: Vec<usize> = nodes.iter().map(|node| names.of(&node.label)).collect();
    let module: Vec<usize> = nodes.iter().map(|node| names.of(&node.module)).collect();
    let src: Vec<usize> = nodes.iter().map(|node| names.of(&node.src)).collect();
    json!({
        "job": report.job, "date": report.date, "seconds": report.seconds, "ticks": report.ticks, "tickUs": report.tick_us,
        "processors": report.processors, "alloc": report.alloc, "exact": report.exact, "ticky": report.is_ticky, "names": names.list,
        "nodes": {
            "parent": parent, "label": label, "module": module, "src": src,
            "entries": entries, "ticks": ticks, "bytes": bytes,
        },
    })
}

fn retainers(retainers: &Retainers) -> Value {
    let censuses: Vec<Value> = (retainers.censuses.iter())
        .map(|census| {
            json!({ "number": census.number, "seconds": census.seconds, "stack": census.max_stack, "visits": census.visits, "cost": census.cost, "sets": census.sets })
        })
        .collect();
    let sets: Vec<Value> =
        retainers.sets.iter().map(|set| json!({ "number": set.number, "members": set.members })).collect();
    let holders: Vec<Value> =
        retainers.holders.iter().map(|holder| json!([holder.depth, holder.name, holder.bytes])).collect();
    json!({ "censuses": censuses, "sets": sets, "holders": holders })
}

#[derive(Default)]
struct Names {
    list: Vec<String>,
    index: HashMap<String, usize>,
}

impl Names {
    fn of(&mut self, name: &str) -> usize {
        if let Some(&index) = self.index.get(name) {
            return index;
        }
        self.list.push(name.to_owned());
        self.index.insert(name.to_owned(), self.list.len() - 1);
        self.list.len() - 1
    }
}

/// The folder of a profile is of no interest to whom the page is sent.
pub fn base(name: &str) -> &str {
    name.rsplit(['/', '\\']).next().unwrap_or(name)
}
