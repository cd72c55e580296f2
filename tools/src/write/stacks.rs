//! Weighed stacks: what collapsed, pprof, speedscope, massif and trace files have in common.

use crate::model::HeapProfile;
use crate::moment::values_at;
use crate::prof::{Measure, Report};

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Frame {
    pub name: String,
    /// File and line, where the profile knows them.
    pub place: Option<(String, u64)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    Bytes,
    Nanoseconds,
    Count,
}

impl Unit {
    /// The word that both pprof and speedscope understand.
    pub fn word(self) -> &'static str {
        match self {
            Unit::Bytes => "bytes",
            Unit::Nanoseconds => "nanoseconds",
            Unit::Count => "count",
        }
    }
}

/// One way of weighing.
#[derive(Debug, Clone)]
pub struct Weight {
    pub name: String,
    pub unit: Unit,
}

pub struct Stacks {
    pub title: String,
    pub weights: Vec<Weight>,
    /// Frames from the root to the leaf, and one number for each of `weights`.
    pub stacks: Vec<(Vec<Frame>, Vec<u64>)>,
}

impl Stacks {
    /// What was alive in one sample; `stacks` has each band's frames.
    pub fn of_sample(heap: &HeapProfile, stacks: &[Vec<Frame>], sample: usize) -> Stacks {
        let unit = if heap.header.value_unit.as_bytes() == b"bytes" { Unit::Bytes } else { Unit::Count };
        let stacks = (values_at(heap, sample).into_iter())
            .map(|(band, value)| (stacks[band].clone(), vec![value]))
            .collect();
        let title = format!("{} at {} {}", heap.header.job, heap.times[sample], heap.header.sample_unit);
        Stacks { title, weights: vec![Weight { name: "inuse_space".into(), unit }], stacks }
    }

    /// The stacks of a report by the given measures; stacks that weigh nothing are left out.
    pub fn of_report(report: &Report, measures: &[Measure]) -> Stacks {
        let weight = |&measure: &Measure| match measure {
            Measure::Time if report.tick_us > 0 => Weight { name: "time".into(), unit: Unit::Nanoseconds },
            Measure::Time => Weight { name: "ticks".into(), unit: Unit::Count },
            Measure::Alloc => Weight { name: "alloc_space".into(), unit: Unit::Bytes },
            Measure::Entries => Weight { name: "entries".into(), unit: Unit::Count },
        };
        let mut paths: Vec<Vec<Frame>> = Vec::with_capacity(report.nodes.len());
        let mut stacks = Vec::new();
        for node in &report.nodes {
            let mut path = node.parent.map_or_else(Vec::new, |parent| paths[parent as usize].clone());
            path.push(Frame {
                name: node.full_name(),
                place: node.place().map(|(file, line)| (file.to_owned(), line)),
            });
            let values: Vec<u64> =
                measures.iter().map(|&measure| scaled(report, measure, measure.of(node))).collect();
            if values.iter().any(|&value| value > 0) {
                stacks.push((path.clone(), values));
            }
            paths.push(path);
        }
        Stacks { title: report.job.clone(), weights: measures.iter().map(weight).collect(), stacks }
    }
}

/// Ticks as nanoseconds, where the length of a tick is known.
pub fn scaled(report: &Report, measure: Measure, value: f64) -> u64 {
    let scale =
        if measure == Measure::Time && report.tick_us > 0 { report.tick_us as f64 * 1000.0 } else { 1.0 };
    (value * scale).round() as u64
}
