//! What heap profiles of a run found, in a few lines: what was alive when most was, and what the memory was good for.

use crate::band_name::numbered;
use crate::model::HeapProfile;
use crate::moment::Moment;
use crate::out::counted;
use crate::sort;
use barrow::report::number::Commas;
use std::fmt::{self, Write};

/// The greatest sample of the first profile, and what each of them says of it, under its question. All have the same samples.
pub fn peak(questions: &[(&str, &HeapProfile)]) -> String {
    let mut out = String::new();
    // A text takes whatever is written.
    let _ = write_peak(&mut out, questions);
    out
}

fn write_peak(out: &mut String, questions: &[(&str, &HeapProfile)]) -> fmt::Result {
    let Some((_, first)) = questions.first() else { return Ok(()) };
    let heights = first.heights();
    let Some(peak) = Moment::Peak.sample(first).filter(|&peak| heights[peak] > 0) else { return Ok(()) };
    writeln!(
        out,
        "\nMost was alive {:.2} s into the run: {} bytes, in the greatest of {}. Of these:",
        first.times[peak],
        Commas(clamped(heights[peak])),
        counted(heights.len(), "sample")
    )?;
    questions.iter().try_for_each(|(question, profile)| sample_of(out, question, profile, peak))
}

/// What the memory was good for, of a profile by biography.
pub fn uses(profile: &HeapProfile) -> String {
    let mut out = String::new();
    // A text takes whatever is written.
    let _ = write_uses(&mut out, profile);
    out
}

fn clamped(sum: u128) -> u64 {
    u64::try_from(sum).unwrap_or(u64::MAX)
}

pub fn percent(part: f64, all: f64) -> f64 {
    if all > 0.0 { part / all * 100.0 } else { 0.0 }
}

/// Bands that hold less than this are not worth a line.
const LEAST_PERCENT: f64 = 0.5;
const MOST_BANDS: usize = 3;

fn sample_of(out: &mut String, question: &str, profile: &HeapProfile, sample: usize) -> fmt::Result {
    let mut bands: Vec<(u64, String)> = profile
        .bands
        .iter()
        .map(|band| {
            let bytes = band.series.iter().find(|&(at, _)| at == sample).map_or(0, |(_, bytes)| bytes);
            (bytes, band.name.to_string())
        })
        .collect();
    let all: u128 = bands.iter().map(|&(bytes, _)| u128::from(bytes)).sum();
    sort::by(&mut bands, |a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
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
fn write_uses(out: &mut String, profile: &HeapProfile) -> fmt::Result {
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
