//! Weighed stacks: what collapsed, pprof, speedscope, massif and trace files have in common.

use crate::model::HeapProfile;
use crate::prof::{Measure, Node, Report};
use std::rc::Rc;

#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Frame {
    pub name: String,
    /// File and line, where the profile knows them.
    pub place: Option<(String, u64)>,
}

impl Frame {
    pub fn of(node: &Node) -> Frame {
        Frame { name: node.full_name(), place: node.place().map(|(file, line)| (file.to_owned(), line)) }
    }
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

/// Frames from the root to the leaf; stacks share those that they have in common.
pub type Stack = Vec<Rc<Frame>>;

pub struct Stacks {
    pub title: String,
    pub weights: Vec<Weight>,
    /// Each with one number for each of `weights`.
    pub stacks: Vec<(Stack, Vec<u64>)>,
}

/// Names that stacks repeat are spelled out again and again in what has no table of them.
const MOST_SPELLED: u64 = 1 << 30;

/// Whether stacks whose names have so many bytes, one after another, stay within what a machine has.
pub fn within(bytes: u64) -> Result<(), String> {
    if bytes <= MOST_SPELLED {
        return Ok(());
    }
    Err(format!("the names of its stacks, one after another, have {bytes} bytes; {MOST_SPELLED} is the most"))
}

/// How many bytes the stack of each node of a report takes, with its names.
pub fn spelled_paths(report: &Report) -> Vec<u64> {
    let mut paths: Vec<u64> = Vec::with_capacity(report.nodes.len());
    for node in &report.nodes {
        let above = node.parent.map_or(0, |parent| paths[parent as usize]);
        let own = size_of::<Rc<Frame>>() + node.module.len() + node.label.len();
        paths.push(above.saturating_add(own as u64));
    }
    paths
}

/// Whether the stacks of a report that are told stay within it.
pub fn spelled(report: &Report, is_told: impl Fn(&Node) -> bool) -> Result<(), String> {
    let paths = spelled_paths(report).into_iter().zip(&report.nodes);
    within(paths.filter(|(_, node)| is_told(node)).fold(0, |all: u64, (path, _)| all.saturating_add(path)))
}

impl Stacks {
    /// Stacks alive in one sample: `values` has the size of each band then, and `stacks` its frames.
    pub fn of_sample(
        heap: &HeapProfile,
        stacks: &[Stack],
        sample: usize,
        values: Vec<(usize, u64)>,
    ) -> Stacks {
        let unit = if heap.header.value_unit.as_bytes() == b"bytes" { Unit::Bytes } else { Unit::Count };
        let stacks = values.into_iter().map(|(band, value)| (stacks[band].clone(), vec![value])).collect();
        let title = format!("{} at {} {}", heap.header.job, heap.times[sample], heap.header.sample_unit);
        Stacks { title, weights: vec![Weight { name: "inuse_space".into(), unit }], stacks }
    }

    /// The stacks of a report by the given measures; stacks that weigh nothing are left out.
    pub fn of_report(report: &Report, measures: &[Measure]) -> Result<Stacks, String> {
        let weight = |&measure: &Measure| match measure {
            Measure::Time if report.tick_us > 0 => Weight { name: "time".into(), unit: Unit::Nanoseconds },
            Measure::Time => Weight { name: "ticks".into(), unit: Unit::Count },
            Measure::Alloc => Weight { name: "alloc_space".into(), unit: Unit::Bytes },
            Measure::Entries => Weight { name: "entries".into(), unit: Unit::Count },
        };
        let value = |node: &Node, measure: Measure| scaled(report, measure, measure.of(node));
        let is_told = |node: &Node| measures.iter().any(|&measure| value(node, measure) > 0);
        spelled(report, is_told)?;
        let frames: Vec<Rc<Frame>> = report.nodes.iter().map(|node| Rc::new(Frame::of(node))).collect();
        let stacks = (report.nodes.iter().enumerate())
            .filter(|(_, node)| is_told(node))
            .map(|(index, node)| {
                let mut stack: Stack = report.upwards(index).map(|at| frames[at].clone()).collect();
                stack.reverse();
                (stack, measures.iter().map(|&measure| value(node, measure)).collect())
            })
            .collect();
        Ok(Stacks { title: report.job.clone(), weights: measures.iter().map(weight).collect(), stacks })
    }
}

/// Ticks as nanoseconds, where the length of a tick is known.
pub fn scaled(report: &Report, measure: Measure, value: f64) -> u64 {
    let scale =
        if measure == Measure::Time && report.tick_us > 0 { report.tick_us as f64 * 1000.0 } else { 1.0 };
    (value * scale).round() as u64
}

#[cfg(test)]
impl Stacks {
    /// Two values of one stack whose sum is beyond the greatest number, for tests of all writers.
    pub(crate) fn beyond_the_greatest() -> Stacks {
        let frame = |name: &str| Rc::new(Frame { name: name.into(), place: None });
        let stack = |value| (vec![frame("main"), frame("grow")], vec![value]);
        let weights = vec![Weight { name: "inuse_space".into(), unit: Unit::Bytes }];
        Stacks { title: "a".into(), weights, stacks: vec![stack(u64::MAX), stack(8)] }
    }
}
