//! Our own JSON: everything a profile holds, plainly named, with all values at full precision.

use crate::model::HeapProfile;
use crate::prof::{ProfFile, Report};
use crate::sampled::{Place, Sampled};
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::io::{self, Write};

/// Written piece by piece: a tree of all values would take many times the profile's memory.
pub fn write_heap(heap: &HeapProfile, out: &mut dyn Write) -> io::Result<()> {
    let header = &heap.header;
    let text = |text: &crate::model::Text| json!(text.to_string());
    write!(
        out,
        "{{\"format\":\"barrow-heap-1\",\"job\":{},\"date\":{},",
        text(&header.job),
        text(&header.date)
    )?;
    write!(
        out,
        "\"sample_unit\":{},\"value_unit\":{},",
        text(&header.sample_unit),
        text(&header.value_unit)
    )?;
    let cut = heap.cut.map(|cut| cut.line);
    write!(
        out,
        "\"times\":{},\"marks\":{},\"cut_at_line\":{},",
        json!(heap.times),
        json!(heap.marks),
        json!(cut)
    )?;
    write!(out, "\"bands\":[")?;
    for (index, band) in heap.bands.iter().enumerate() {
        let comma = if index > 0 { "," } else { "" };
        write!(out, "{comma}\n{{\"name\":{},\"values\":", text(&band.name))?;
        serde_json::to_writer(&mut *out, &band.series.dense(heap.times.len()))?;
        write!(out, "}}")?;
    }
    writeln!(out, "\n]}}")
}

/// Stacks are rows of places in `functions`, the innermost call first.
pub fn write_samples(sampled: &Sampled, out: &mut dyn Write) -> io::Result<()> {
    let mut numbers: HashMap<Place, usize> = HashMap::new();
    let mut places: Vec<Place> = Vec::new();
    let mut number = |place: Place| {
        *numbers.entry(place).or_insert_with(|| {
            places.push(place);
            places.len() - 1
        })
    };
    let types: Vec<Value> = (sampled.types.iter())
        .map(|one| json!({ "name": sampled.text(one.name), "unit": sampled.text(one.unit) }))
        .collect();
    let period = sampled.period().map(|(period, unit)| json!({ "every": period, "unit": unit }));
    write!(
        out,
        "{{\"format\":\"barrow-samples-1\",\"program\":{},\"time_ns\":{},\"period\":{},\"values\":{},\"samples\":[",
        json!(sampled.program()),
        sampled.time,
        json!(period),
        json!(types)
    )?;
    for (index, sample) in sampled.samples.iter().enumerate() {
        let comma = if index > 0 { "," } else { "" };
        let stack: Vec<usize> = sampled.places(sample).map(&mut number).collect();
        let mut labels = Map::new();
        for label in &sample.labels {
            let told = json!(sampled.label_text(label));
            match labels.get_mut(sampled.text(label.key)) {
                Some(Value::Array(all)) => all.push(told),
                Some(one) => *one = json!([one.take(), told]),
                None => drop(labels.insert(sampled.text(label.key).to_owned(), told)),
            }
        }
        let row = json!({ "stack": stack, "values": &sample.values[..], "labels": labels });
        write!(out, "{comma}\n{row}")?;
    }
    write!(out, "\n],\"functions\":[")?;
    for (index, &place) in places.iter().enumerate() {
        let comma = if index > 0 { "," } else { "" };
        let source = sampled.source(place);
        let row = json!({
            "name": sampled.name(place), "file": source.map(|(file, _)| file),
            "line": source.map(|(_, line)| line).filter(|&line| line > 0),
        });
        write!(out, "{comma}\n{row}")?;
    }
    writeln!(out, "\n]}}")
}

pub fn write_prof(prof: &ProfFile, out: &mut dyn Write) -> io::Result<()> {
    let sets: Vec<Value> = (prof.retainers.sets.iter())
        .map(|set| json!({ "number": set.number, "members": set.members }))
        .collect();
    let censuses: Vec<Value> = (prof.retainers.censuses.iter())
        .map(|census| {
            json!({
                "number": census.number, "seconds": census.seconds,
                "max_auxiliary_stack": census.max_stack, "visits_per_object": census.visits,
                "costs": census.cost, "sets": census.sets,
            })
        })
        .collect();
    let holders: Vec<Value> = (prof.retainers.holders.iter())
        .map(|holder| json!({ "depth": holder.depth, "retainer": holder.name, "bytes": holder.bytes }))
        .collect();
    let counters: Vec<Value> =
        prof.counters.iter().map(|one| json!({ "name": one.name, "value": one.value })).collect();
    let file = json!({
        "format": "barrow-prof-1", "report": prof.report.as_ref().map(report),
        "retainer_censuses": censuses, "retainer_sets": sets,
        "holders": holders, "counters": counters,
    });
    serde_json::to_writer(&mut *out, &file)?;
    out.write_all(b"\n")
}

fn report(report: &Report) -> Value {
    let stacks: Vec<Value> = (report.nodes.iter())
        .map(|node| {
            json!({
                "parent": node.parent, "label": node.label, "module": node.module, "source": node.src,
                "number": node.number, "entries": node.entries, "ticks": node.ticks, "bytes": node.bytes,
            })
        })
        .collect();
    let centres: Vec<Value> = (report.centres.iter())
        .map(|centre| {
            json!({
                "label": centre.label, "module": centre.module, "source": centre.src,
                "time_percent": centre.time_percent, "alloc_percent": centre.alloc_percent,
            })
        })
        .collect();
    json!({
        "job": report.job, "date": report.date, "seconds": report.seconds, "ticks": report.ticks,
        "tick_microseconds": report.tick_us, "processors": report.processors, "bytes_allocated": report.alloc,
        "weights_are_exact": report.exact, "is_ticky": report.is_ticky, "centres": centres, "stacks": stacks,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prof::Counter;
    use crate::sampled::{Label, Sample, ValueType};

    #[test]
    fn counters_are_told() {
        let counters = vec![Counter { name: "ENT_VIA_NODE_ctr".into(), value: u64::MAX }];
        let report = Some(Report { is_ticky: true, ..Report::default() });
        let mut out = Vec::new();
        write_prof(&ProfFile { report, counters, ..ProfFile::default() }, &mut out).unwrap();
        let told: Value = serde_json::from_slice(&out).unwrap();
        assert_eq!(told["counters"], json!([{ "name": "ENT_VIA_NODE_ctr", "value": u64::MAX }]));
        assert_eq!(told["report"]["is_ticky"], json!(true));
    }

    #[test]
    fn labels_of_one_key_are_all_told() {
        let label = |text| Label { key: 1, text, number: 0, unit: 0 };
        let sampled = Sampled {
            texts: ["", "type", "Pair", "List"].map(str::to_owned).into(),
            types: vec![ValueType::default()],
            samples: vec![
                Sample { stack: [].into(), values: [1].into(), labels: [label(2)].into() },
                Sample {
                    stack: [].into(),
                    values: [1].into(),
                    labels: [label(2), label(3), label(2)].into(),
                },
            ],
            ..Sampled::default()
        };
        let mut out = Vec::new();
        write_samples(&sampled, &mut out).unwrap();
        let told: Value = serde_json::from_slice(&out).unwrap();
        assert_eq!(told["samples"][0]["labels"], json!({ "type": "Pair" }));
        assert_eq!(told["samples"][1]["labels"], json!({ "type": ["Pair", "List", "Pair"] }));
    }
}
