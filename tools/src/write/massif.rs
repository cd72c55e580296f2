//! Valgrind's massif format: a snapshot for each sample, with a tree of who holds the memory in the peak and in some
//! others. Trees grow from the innermost centre towards its callers, as massif's do.

use super::stacks::{Stack, Stacks};
use crate::model::HeapProfile;
use crate::moment::{Moment, Values};
use crate::sort;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// Every so many snapshots have a tree, as massif itself does it.
const DETAILED: usize = 10;
/// Callers of an allocation in a tree: as many as massif itself has at most. Each line is set in by its level, and readers
/// go down by recursion.
const MOST_CALLERS: usize = 200;

pub fn write_heap(heap: &HeapProfile, stacks: &[Stack], out: &mut dyn Write) -> io::Result<()> {
    let seconds = heap.header.sample_unit.as_bytes() == b"seconds";
    head(&heap.header.job.to_string(), if seconds { "ms" } else { "i" }, out)?;
    let peak = Moment::Peak.sample(heap);
    let heights = heap.heights();
    let mut values = Values::of(heap);
    for (sample, &time) in heap.times.iter().enumerate() {
        let time = if seconds { time * 1000.0 } else { time };
        let tree = (Some(sample) == peak || sample % DETAILED == DETAILED - 1) && heights[sample] > 0;
        let tree = tree.then(|| Tree::of(&Stacks::of_sample(heap, stacks, sample, values.at(sample))));
        snapshot(sample, time.round() as u64, heights[sample], tree, Some(sample) == peak, out)?;
    }
    Ok(())
}

/// A report is one moment: all that was ever allocated, at its end.
pub fn write_stacks(stacks: &Stacks, milliseconds: u64, out: &mut dyn Write) -> io::Result<()> {
    head(&stacks.title, "ms", out)?;
    let tree = Tree::of(stacks);
    snapshot(0, 0, 0, None, false, out)?;
    snapshot(1, milliseconds.max(1), u128::from(tree.bytes), Some(tree), true, out)
}

fn head(command: &str, unit: &str, out: &mut dyn Write) -> io::Result<()> {
    let command = one_line(command);
    writeln!(out, "desc: written by barrow from a heap profile\ncmd: {command}\ntime_unit: {unit}")
}

fn snapshot(
    number: usize,
    time: u64,
    bytes: u128,
    tree: Option<Tree>,
    peak: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(out, "#-----------\nsnapshot={number}\n#-----------\ntime={time}\nmem_heap_B={bytes}")?;
    writeln!(out, "mem_heap_extra_B=0\nmem_stacks_B=0")?;
    match tree {
        None => writeln!(out, "heap_tree=empty"),
        Some(tree) => {
            writeln!(out, "heap_tree={}", if peak { "peak" } else { "detailed" })?;
            tree.write(out)
        }
    }
}

/// A moment's bytes by who asked for them, then by their callers.
#[derive(Default)]
struct Tree {
    bytes: u64,
    callers: BTreeMap<String, Tree>,
}

impl Tree {
    fn of(stacks: &Stacks) -> Tree {
        let mut root = Tree::default();
        for (frames, values) in &stacks.stacks {
            let value = values.first().copied().unwrap_or(0);
            root.bytes = root.bytes.saturating_add(value);
            let mut at = &mut root;
            for frame in frames.iter().rev().take(MOST_CALLERS) {
                let place = frame
                    .place
                    .as_ref()
                    .map_or("no source".to_owned(), |(file, line)| format!("{file}:{line}"));
                at = at.callers.entry(format!("{} ({place})", one_line(&frame.name))).or_default();
                at.bytes = at.bytes.saturating_add(value);
            }
        }
        root
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut open = vec![(0usize, "(live heap) bytes by cost centre", self)];
        let mut address = 0x1000u64;
        while let Some((depth, name, tree)) = open.pop() {
            let callers = tree.callers.len();
            if depth == 0 {
                writeln!(out, "n{callers}: {} {name}", tree.bytes)?;
            } else {
                // Centres have no address; readers only want one that is there.
                address += 16;
                writeln!(out, "{:depth$}n{callers}: {} 0x{address:X}: {name}", "", tree.bytes)?;
            }
            let mut sorted: Vec<_> = tree.callers.iter().collect();
            sort::by(&mut sorted, |a, b| a.1.bytes.cmp(&b.1.bytes).then(b.0.cmp(a.0)));
            open.extend(sorted.into_iter().map(|(name, tree)| (depth + 1, name.as_str(), tree)));
        }
        Ok(())
    }
}

fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_end_at_the_greatest_number() {
        let stacks = Stacks::beyond_the_greatest();
        let tree = Tree::of(&stacks);
        let mut trees = vec![&tree];
        while let Some(tree) = trees.pop() {
            assert_eq!(tree.bytes, u64::MAX);
            trees.extend(tree.callers.values());
        }
    }
}
