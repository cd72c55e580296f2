//! Comma-separated values for spreadsheets and data frames. Heap profiles in long form, a row for each value: bands
//! come and go, and two thousand columns open nowhere.

use crate::model::HeapProfile;
use crate::prof::{Measure, Report};
use crate::sampled::Sampled;
use std::io::{self, Write};

pub fn write_heap(heap: &HeapProfile, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "time,band,value")?;
    for band in &heap.bands {
        let name = quoted(&band.name.to_string());
        for (sample, value) in band.series.iter() {
            writeln!(out, "{},{name},{value}", heap.times[sample])?;
        }
    }
    Ok(())
}

pub fn write_report(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "stack,centre,module,source,number,entries,ticks,bytes,ticks_inherited,bytes_inherited")?;
    let (ticks, bytes) = (report.inherited(Measure::Time), report.inherited(Measure::Alloc));
    for (index, node) in report.nodes.iter().enumerate() {
        let texts =
            [&report.path(index).join(";"), &node.label, &node.module, &node.src].map(|text| quoted(text));
        let numbers = [node.ticks, node.bytes, ticks[index], bytes[index]].map(|number| number.to_string());
        writeln!(out, "{},{},{},{}", texts.join(","), node.number, node.entries, numbers.join(","))?;
    }
    Ok(())
}

/// Calls from the root to the innermost one, the function that allocated with its place, labels, values.
pub fn write_samples(sampled: &Sampled, out: &mut dyn Write) -> io::Result<()> {
    let keys = sampled.keys();
    let texts = keys.iter().copied().chain(sampled.types.iter().map(|one| one.name));
    let heads: String = texts.map(|text| format!(",{}", quoted(sampled.text(text)))).collect();
    writeln!(out, "stack,function,file,line{heads}")?;
    for sample in &sampled.samples {
        let mut stack: Vec<String> = sampled.places(sample).map(|place| sampled.name(place)).collect();
        stack.reverse();
        let producer = sampled.producer(sample);
        let name = producer.map_or(String::new(), |place| sampled.name(place));
        let (file, line) = producer.and_then(|place| sampled.source(place)).unwrap_or_default();
        write!(out, "{},{},{},{line}", quoted(&stack.join(";")), quoted(&name), quoted(file))?;
        for key in &keys {
            let label = sample.labels.iter().find(|label| label.key == *key);
            write!(out, ",{}", label.map_or(String::new(), |label| quoted(&sampled.label_text(label))))?;
        }
        for value in &sample.values {
            write!(out, ",{value}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
