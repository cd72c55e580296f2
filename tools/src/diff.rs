//! What changed between two profiles of a kind: rows of a name, before and after.

pub mod ground;
mod sort;

use crate::band_name::numbered;
use crate::graph::shown::Shown;
use crate::model::HeapProfile;
use crate::moment::{Moment, filled, values_at};
use crate::prof::{Counter, Measure, Report};
use crate::sampled::{Sampled, Text};
use std::collections::BTreeMap;

pub struct Row {
    pub name: String,
    pub before: f64,
    pub after: f64,
    /// How far the change may be from the truth, as the figures were rounded.
    pub blur: f64,
}

impl Row {
    pub fn change(&self) -> f64 {
        self.after - self.before
    }

    /// Whether the change may be none at all.
    pub fn is_rounding(&self) -> bool {
        self.blur > 0.0 && self.change().abs() <= self.blur * 1.000_001
    }
}

/// Which figure of a band is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Basis {
    /// The mean over all samples from the first that counted anything to the last
    Mean,
    /// The sample in which the whole heap was greatest
    Peak,
    /// The last sample that counted anything
    End,
}

/// Numbers of stacks differ between runs, so bands meet by their text; bands of one text are added up.
pub fn heaps(before: &HeapProfile, after: &HeapProfile, basis: Basis) -> Vec<Row> {
    let exact = |figures: BTreeMap<String, f64>| {
        figures.into_iter().map(|(name, value)| (name, (value, 0.0))).collect::<Figures>()
    };
    rows(exact(heap_figures(before, basis)), exact(heap_figures(after, basis)))
}

/// A figure and its blur, by name.
type Figures = BTreeMap<String, (f64, f64)>;

/// Centres by name, with what is their own in all stacks together.
pub fn reports(before: &Report, after: &Report, measure: Measure) -> Vec<Row> {
    let figures = |report: &Report| {
        let blur = report.blur(measure);
        let mut sums = Figures::new();
        for node in &report.nodes {
            let sum = sums.entry(node.full_name()).or_default();
            sum.0 += measure.of(node);
            sum.1 += blur;
        }
        sums
    };
    rows(figures(before), figures(after))
}

/// Types by name, with the bytes of their objects.
pub fn snapshots(before: &Shown, after: &Shown) -> Vec<Row> {
    let figures = |shown: &Shown| -> Figures {
        shown.types.iter().map(|row| (row.name.clone(), (row.words as f64 * 8.0, 0.0))).collect()
    };
    rows(figures(before), figures(after))
}

/// Producers, or labels of a key, by name, with one value; in the two files it has its own number.
pub fn samples(sides: [(&Sampled, usize, Option<Text>); 2]) -> Vec<Row> {
    let [before, after] = sides.map(|(sampled, value, key)| -> Figures {
        let groups = sampled.groups(key).into_iter();
        groups.map(|(name, values)| (name, (values[value] as f64, 0.0))).collect()
    });
    rows(before, after)
}

pub fn counters(before: &[Counter], after: &[Counter]) -> Vec<Row> {
    let figures = |counters: &[Counter]| -> Figures {
        counters.iter().map(|counter| (counter.name.clone(), (counter.value as f64, 0.0))).collect()
    };
    rows(figures(before), figures(after))
}

fn heap_figures(heap: &HeapProfile, basis: Basis) -> BTreeMap<String, f64> {
    let mut sums: BTreeMap<String, f64> = BTreeMap::new();
    let mut add = |band: usize, value: f64| {
        let name = heap.bands[band].name.to_string();
        *sums.entry(numbered(&name).1.to_owned()).or_default() += value;
    };
    match basis {
        Basis::Mean => {
            let samples = filled(heap).map_or(1, |(first, end)| end + 1 - first) as f64;
            for (band, each) in heap.bands.iter().enumerate() {
                add(band, each.series.total() as f64 / samples);
            }
        }
        Basis::Peak | Basis::End => {
            let moment = if basis == Basis::Peak { Moment::Peak } else { Moment::End };
            let values = moment.sample(heap).map(|sample| values_at(heap, sample)).unwrap_or_default();
            values.into_iter().for_each(|(band, value)| add(band, value as f64));
        }
    }
    sums
}

/// The greatest change first, and last what may be rounding.
fn rows(before: Figures, mut after: Figures) -> Vec<Row> {
    let mut rows: Vec<Row> = (before.into_iter())
        .map(|(name, (before, blur))| {
            let (after, more) = after.remove(&name).unwrap_or_default();
            Row { name, before, after, blur: blur + more }
        })
        .collect();
    rows.extend(after.into_iter().map(|(name, (after, blur))| Row { name, before: 0.0, after, blur }));
    crate::sort::by(&mut rows, |a, b| {
        (a.is_rounding().cmp(&b.is_rounding()))
            .then_with(|| b.change().abs().total_cmp(&a.change().abs()))
            .then_with(|| b.after.total_cmp(&a.after))
            .then_with(|| a.name.cmp(&b.name))
    });
    rows
}
