//! What the profiles of the demo's run found, in a few lines: where its time went, who made what was alive when most was,
//! what it was, who held it, and what the memory was good for.

use super::files::{HOLDER, MAKER, TYPE, USE, heap};
use super::{Outcome, TOP, constant};
use crate::band_name::numbered;
use crate::model::HeapProfile;
use crate::read::any::Input;
use barrow::report::number::Commas;
use std::io::{self, Write};

pub fn tell(out: &mut dyn Write, outcome: &Outcome, found: &[Input]) -> io::Result<()> {
    tell_costs(out, outcome)?;
    if let Some(by_type) = heap(found, TYPE) {
        let heights = by_type.heights();
        // The first of the greatest.
        let peak = (0..heights.len()).max_by_key(|&sample| (heights[sample], std::cmp::Reverse(sample)));
        if let Some(peak) = peak {
            writeln!(
                out,
                "\nMost was alive {:.2} s into the run: {} bytes, in the greatest of {} samples. Of these:",
                by_type.times[peak],
                Commas(clamped(heights[peak])),
                heights.len()
            )?;
            for (letters, question) in
                [(TYPE, "what it was"), (MAKER, "who made it"), (HOLDER, "who held it")]
            {
                if let Some(profile) = heap(found, letters) {
                    tell_sample(out, question, profile, peak)?;
                }
            }
        }
    }
    heap(found, USE).map_or(Ok(()), |profile| tell_use(out, profile))
}

fn clamped(sum: u128) -> u64 {
    u64::try_from(sum).unwrap_or(u64::MAX)
}

fn percent(part: f64, all: f64) -> f64 {
    if all > 0.0 { part / all * 100.0 } else { 0.0 }
}

/// The most costly cost centres.
fn tell_costs(out: &mut dyn Write, outcome: &Outcome) -> io::Result<()> {
    if outcome.tops == 0 {
        return Ok(());
    }
    let share = |part: u64, all: u64| percent(part as f64, all as f64);
    writeln!(out, "\nWhere its time and its allocation went, by cost centre:\n")?;
    writeln!(out, "  {:<8} {:>8} {:>8} {:>14} {:>12}", "", "time", "alloc", "bytes", "entries")?;
    for centre in &outcome.top[..outcome.tops.min(TOP)] {
        writeln!(
            out,
            "  {:<8} {:>6.1} % {:>6.1} % {:>14} {:>12}",
            constant(centre.label),
            share(centre.ticks, outcome.ticks),
            share(centre.bytes, outcome.bytes),
            Commas(centre.bytes),
            Commas(centre.entries)
        )?;
    }
    Ok(())
}

/// Bands that hold less than this are not worth a line.
const LEAST_PERCENT: f64 = 0.5;
const MOST_BANDS: usize = 3;

fn tell_sample(out: &mut dyn Write, question: &str, profile: &HeapProfile, sample: usize) -> io::Result<()> {
    let mut bands: Vec<(u64, String)> = profile
        .bands
        .iter()
        .map(|band| {
            let bytes = band.series.iter().find(|&(at, _)| at == sample).map_or(0, |(_, bytes)| bytes);
            (bytes, band.name.to_string())
        })
        .collect();
    let all: u128 = bands.iter().map(|&(bytes, _)| u128::from(bytes)).sum();
    bands.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    writeln!(out, "\n  {question}:")?;
    for (bytes, name) in bands.iter().take(MOST_BANDS) {
        let share = percent(*bytes as f64, all as f64);
        if share >= LEAST_PERCENT {
            writeln!(out, "  {share:>6.1} % {:>12}  {}", Commas(*bytes), numbered(name).1)?;
        }
    }
    Ok(())
}

/// The phases of a life, in the order in which an object goes through them.
const PHASES: [(&str, &str); 5] = [
    ("LAG", "not used yet"),
    ("USE", "between its first use and its last"),
    ("DRAG", "held after its last use"),
    ("VOID", "never used at all"),
    ("INHERENT_USE", "bytes and arrays, whose uses nobody sees"),
];

/// Bytes times seconds, as the page adds them up: by trapezia.
fn tell_use(out: &mut dyn Write, profile: &HeapProfile) -> io::Result<()> {
    let times = &profile.times;
    let area = |name: &str| {
        let values = profile.bands.iter().find(|band| band.name.as_bytes() == name.as_bytes());
        let values = values.map(|band| band.series.dense(times.len())).unwrap_or_default();
        let pairs = times.windows(2).zip(values.windows(2));
        pairs.map(|(t, v)| (t[1] - t[0]) * (v[0] as f64 + v[1] as f64) / 2.0).sum::<f64>()
    };
    let areas = PHASES.map(|(name, _)| area(name));
    let all: f64 = areas.iter().sum();
    writeln!(out, "\nWhat the memory was good for, in bytes x seconds over the whole run:\n")?;
    for ((name, meaning), area) in PHASES.iter().zip(areas) {
        writeln!(out, "  {:>6.1} %  {name:<12}  {meaning}", percent(area, all))?;
    }
    Ok(())
}
