//! Comma-separated values for spreadsheets and data frames. Heap profiles in long form, a row for each value: bands
//! come and go, and two thousand columns open nowhere.

use crate::model::HeapProfile;
use crate::prof::{Measure, Report};
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

fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
