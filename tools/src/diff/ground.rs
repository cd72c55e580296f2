//! Brings two profiles onto common ground before they are compared: ticks of one length, the same built-in centres on both
//! sides. Says what it had to do for that, and refuses what has no common ground: bytes beside closures, types beside modules.

use super::sort::Sorting;
use crate::model::HeapProfile;
use crate::prof::{Node, Report};
use crate::read::any::{Input, Profile};
use crate::read::kind::Kind;
use crate::sampled::Sampled;

/// How each of two files is called: by its name alone, since a page is sent to others, or with its folder's where they have
/// the same.
fn called(before: &str, after: &str) -> [String; 2] {
    let last = |path: &str, parts: usize| -> String {
        let all: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
        all[all.len().saturating_sub(parts)..].join("/")
    };
    let parts = if last(before, 1) == last(after, 1) { 2 } else { 1 };
    [last(before, parts), last(after, parts)]
}

/// Two inputs that are to be compared. The answer is what a reader of the difference has to know.
pub fn common(inputs: &mut [Input]) -> Result<Vec<String>, String> {
    let [before, after] = inputs else {
        return Err(format!("two files are compared, not {}", inputs.len()));
    };
    let [name, other_name] = &called(&before.name, &after.name);
    match (&mut before.profile, &mut after.profile) {
        (Profile::Heap(one), Profile::Heap(other)) => heaps((name, one), (other_name, other)),
        (Profile::Prof(one), Profile::Prof(other)) => match (&mut one.report, &mut other.report) {
            (Some(one), Some(other)) if one.is_ticky != other.is_ticky => {
                let (ticky, timed) = if one.is_ticky { (name, other_name) } else { (other_name, name) };
                Err(format!(
                    "{ticky} has ticky counters, {timed} has cost centres: they count different things"
                ))
            }
            (Some(one), Some(other)) => Ok(reports((name, one), (other_name, other))),
            (None, None) => Err("both files have retainer sets only; there is no report to compare".into()),
            (one, _) => {
                let name = if one.is_none() { name } else { other_name };
                Err(format!("{name} has retainer sets only; there is no report to compare"))
            }
        },
        (Profile::Snapshot(_), Profile::Snapshot(_)) => Ok(Vec::new()),
        (Profile::Samples(one), Profile::Samples(other)) => samples((name, one), (other_name, other)),
        (Profile::Stops(_), _) => Err(format!("{name}: {}", Kind::Stops.told())),
        (_, Profile::Stops(_)) => Err(format!("{other_name}: {}", Kind::Stops.told())),
        (Profile::Space(_), _) | (_, Profile::Space(_)) => {
            Err("space by function is not compared yet; `barrow view` without --diff shows both side by side"
                .into())
        }
        _ => Err(format!(
            "{} and {} are profiles of different kinds; a heap profile is compared with a heap profile",
            name, other_name
        )),
    }
}

fn samples(before: (&str, &Sampled), after: (&str, &Sampled)) -> Result<Vec<String>, String> {
    let values = |sampled: &Sampled| {
        let told = sampled.types.iter();
        let told = told.map(|one| format!("{} ({})", sampled.text(one.name), sampled.text(one.unit)));
        told.collect::<Vec<_>>().join(", ")
    };
    let [one, other] = [values(before.1), values(after.1)];
    if one != other {
        return Err(format!("{} counts {one}; {} counts {other}", before.0, after.0));
    }
    let every = |sampled: &Sampled| sampled.period().map(|(period, unit)| format!("{period} {unit}"));
    match (every(before.1), every(after.1)) {
        (Some(one), Some(other)) if one != other => Ok(vec![format!(
            "{} has a sample each {one}, {} each {other}: the one with fewer is the rougher estimate",
            before.0, after.0
        )]),
        _ => Ok(Vec::new()),
    }
}

fn heaps(before: (&str, &HeapProfile), after: (&str, &HeapProfile)) -> Result<Vec<String>, String> {
    let of = |(name, heap): (&str, &HeapProfile)| Sorting::of(name, heap);
    let (one, other) = (of(before), of(after));
    if let (Some(one), Some(other)) = (&one.by, &other.by)
        && one != other
    {
        return Err(format!(
            "{} is {one}, {} {other}: their bands are not the same things. Take both with the same -h flag",
            before.0, after.0
        ));
    }
    let units =
        |heap: &HeapProfile| [&heap.header.value_unit, &heap.header.sample_unit].map(|unit| unit.to_string());
    let [[values, times], [other_values, other_times]] = [units(before.1), units(after.1)];
    if values != other_values {
        return Err(format!("{} counts {values}, {} counts {other_values}", before.0, after.0));
    }
    let mut notes = Vec::new();
    if times != other_times {
        notes.push(format!(
            "{} has samples by {times}, {} by {other_times}: means are over different stretches",
            before.0, after.0
        ));
    }
    if one.only != other.only {
        let told = |only: &[String]| if only.is_empty() { "everything".to_owned() } else { only.join(" ") };
        notes.push(format!(
            "{} has {}, {} has {}: what only one of them counts shows as a change",
            before.0,
            told(&one.only),
            after.0,
            told(&other.only)
        ));
    }
    Ok(notes)
}

/// What the runtime's own centres are called: reports without `-Pa` neither list nor count them.
const OWN: [&str; 5] = ["OVERHEAD_of", "DONT_CARE", "GC", "SYSTEM", "IDLE"];

fn reports(before: (&str, &mut Report), after: (&str, &mut Report)) -> Vec<String> {
    let mut notes = Vec::new();
    let (one, other) = (before.1, after.1);
    let lists = |report: &Report| report.nodes.iter().any(is_own);
    if lists(one) != lists(other) {
        let (name, full) = if lists(one) { (before.0, &mut *one) } else { (after.0, &mut *other) };
        without_own(full);
        notes.push(format!("{name} alone has {} (-Pa): left out", OWN.join(", ")));
    }
    if one.tick_us != other.tick_us && one.tick_us > 0 && other.tick_us > 0 {
        let us = one.tick_us.min(other.tick_us);
        notes.push(format!(
            "ticks are {} µs long in {} and {} µs in {}: compared as ticks of {us} µs",
            one.tick_us, before.0, other.tick_us, after.0
        ));
        in_ticks_of(one, us);
        in_ticks_of(other, us);
    } else if !one.is_ticky && (one.tick_us == 0) != (other.tick_us == 0) {
        let name = if one.tick_us == 0 { before.0 } else { after.0 };
        notes.push(format!("{name} has no ticks (-V0): times cannot be compared"));
        [&mut *one, &mut *other].into_iter().for_each(without_ticks);
    }
    for (name, report) in [(before.0, &*one), (after.0, &*other)] {
        if let Some(rounded) = report.rounded() {
            notes.push(format!("{name} {rounded}: what changed less than they tell counts as rounding"));
        }
    }
    notes
}

fn is_own(node: &Node) -> bool {
    node.src == "<built-in>" && OWN.contains(&node.label.as_str())
}

/// Own centres stand below the root and have nothing below them, in every report that a runtime writes; what a file of
/// another shape has there stays with the root.
fn without_own(report: &mut Report) {
    let mut kept: Vec<Node> = Vec::with_capacity(report.nodes.len());
    let mut places: Vec<Option<u32>> = Vec::with_capacity(report.nodes.len());
    let (mut ticks, mut bytes) = (0.0, 0.0);
    for mut node in std::mem::take(&mut report.nodes) {
        let parent = node.parent;
        node.parent = parent.and_then(|parent| places[parent as usize]);
        if is_own(&node) && parent.is_some() {
            ticks += node.ticks;
            bytes += node.bytes;
            places.push(node.parent);
        } else {
            places.push(Some(kept.len() as u32));
            kept.push(node);
        }
    }
    report.nodes = kept;
    report.ticks = report.ticks.saturating_sub(ticks as u64);
    report.alloc = report.alloc.saturating_sub(bytes as u64);
}

fn in_ticks_of(report: &mut Report, us: u64) {
    let factor = report.tick_us as f64 / us as f64;
    report.nodes.iter_mut().for_each(|node| node.ticks *= factor);
    report.ticks = (report.ticks as f64 * factor).round() as u64;
    report.tick_us = us;
}

fn without_ticks(report: &mut Report) {
    report.nodes.iter_mut().for_each(|node| node.ticks = 0.0);
    (report.ticks, report.tick_us) = (0, 0);
}
