//! Samples in the formats that have a place for them.

use super::{Convert, Format, Writing};
use crate::draw::flame;
use crate::sampled::Sampled;
use crate::write::{collapsed, csv, json, massif, png, pprof, speedscope, svg, trace};

/// The value that a format with one weight gets.
fn value(command: &Convert, name: &str, sampled: &Sampled) -> Result<usize, String> {
    let value = match command.value.as_deref() {
        Some(wanted) => sampled.value(wanted).map_err(|error| format!("{name} {error}"))?,
        None => sampled.main(),
    };
    if sampled.samples.iter().all(|sample| sample.values[value] <= 0) {
        let word = sampled.text(sampled.types[value].name);
        return Err(format!("{name}: nothing has any {word}; try another --value"));
    }
    Ok(value)
}

pub fn writer<'a>(command: &Convert, name: &'a str, sampled: &'a Sampled) -> Result<Writing<'a>, String> {
    if command.value.is_some()
        && matches!(command.to, Format::Pprof | Format::Speedscope | Format::Csv | Format::Json)
    {
        return Err("this format has all values of samples: --value has no meaning for it".into());
    }
    let one = || value(command, name, sampled);
    if !matches!(command.to, Format::Pprof | Format::Json) {
        sampled.spelled().map_err(|error| format!("{name}: {error}"))?;
    }
    Ok(match command.to {
        Format::Collapsed => {
            let stacks = sampled.stacks(&[one()?]);
            Box::new(move |out| collapsed::write(&stacks, out))
        }
        Format::Pprof => Box::new(|out| pprof::write_samples(sampled, out)),
        Format::Speedscope => {
            let all: Vec<usize> = (0..sampled.types.len()).collect();
            let stacks = sampled.stacks(&all);
            Box::new(move |out| speedscope::write(name, &[stacks], sampled.main(), out))
        }
        Format::Massif => {
            let stacks = sampled.stacks(&[one()?]);
            Box::new(move |out| massif::write_stacks(&stacks, 1, out))
        }
        Format::Trace => {
            let (report, measure) = sampled.report(one()?);
            Box::new(move |out| trace::write_report(&report, measure, out))
        }
        Format::Svg | Format::Png => {
            let (report, measure) = sampled.report(one()?);
            let scene = flame::draw(&report, measure);
            match command.to {
                Format::Svg => Box::new(move |out| svg::write(&scene, out)),
                _ => Box::new(move |out| png::write(&scene, out)),
            }
        }
        Format::Csv => Box::new(|out| csv::write_samples(sampled, out)),
        Format::Json => Box::new(|out| json::write_samples(sampled, out)),
        Format::Hp => return Err(format!("{name}: samples tell of one moment, and .hp of many")),
        Format::Lcov | Format::Cobertura => return Err(format!("{name}: samples have no coverage")),
        Format::Heapsnapshot => return Err(format!("{name}: samples have no object graph")),
    })
}
