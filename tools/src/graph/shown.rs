//! What of a graph is shown: all types, the objects that keep most alive with what they keep, and ways from the roots to them. It is
//! small however large the graph was, so that a page can hold it and draw what is opened.

use super::ahead::{AHEAD, fetch};
use super::dominators::{NONE, Records};
use super::places::Plain;
use super::retained::{Retained, TypeRow, Types, types};
use super::{Graph, load};
use crate::read::ReadError;
use crate::sort;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::io::Read;

/// Objects of the tree, those that retain most.
const MOST_NODES: usize = 20_000;
/// Of so many types, and of each so many objects, are shown with ways to them.
const MOST_TYPES: usize = 256;
const MOST_INSTANCES: usize = 10;
/// Objects of the tree that a way is shown to.
const MOST_WAYS: usize = 1000;
/// Of a long way, so many steps at both its ends.
const WAY_END: usize = 16;
/// What an object keeps besides the objects shown is told by type, for so many types.
const MOST_REST: usize = 12;

/// A node of the tree: an object of a type, a name of roots, or everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    Everything,
    Roots(u32),
    /// Its row of the types, and its address in words.
    Object(u32, u64),
}

#[derive(Debug)]
pub struct Node {
    pub what: What,
    pub words: u64,
    pub retained: u64,
    /// What keeps it alive alone: an earlier node. None above everything.
    pub parent: Option<u32>,
    /// What it keeps directly besides the nodes shown: row of a type, objects, retained words. The greatest first.
    pub rest: Vec<(u32, u64, u64)>,
    /// What is left of the rest: objects, words.
    pub more: (u64, u64),
    pub way: Option<Way>,
}

/// From a name of roots to an object. `left_out` steps are missing before step `near`.
#[derive(Debug, Default)]
pub struct Way {
    pub steps: Vec<What>,
    pub left_out: u64,
    pub near: u32,
}

#[derive(Debug)]
pub struct Instance {
    pub what: What,
    pub words: u64,
    pub retained: u64,
    pub way: Way,
}

#[derive(Debug, Default)]
pub struct Shown {
    pub objects: u64,
    pub words: u64,
    pub references: u64,
    pub weak: u64,
    /// Objects and words that no root holds, but weakly.
    pub unheld: (u64, u64),
    pub roots: Vec<String>,
    pub types: Vec<TypeRow>,
    /// Everything first, and each parent before what it keeps.
    pub nodes: Vec<Node>,
    /// By row of the types.
    pub instances: Vec<Vec<Instance>>,
}

pub fn read<R: Read>(name: &str, source: R) -> Result<Shown, ReadError> {
    Ok(shown(&load::load(name, source)?))
}

pub fn shown(graph: &Graph) -> Shown {
    let records = Records::new(&graph.starts, &graph.targets);
    // Both wait for memory most of the time, so two threads take half of it.
    let (retained, ways) = std::thread::scope(|scope| {
        let ways = std::thread::Builder::new().spawn_scoped(scope, || Ways::new(graph)).ok();
        let retained = Retained::of(graph, records);
        (retained, ways.and_then(|ways| ways.join().ok()))
    });
    let ways = ways.unwrap_or_else(|| Ways::new(graph));
    let Types { rows: types, of_info: row_of, of } = types(graph, &retained);
    let what = |node: u32| match graph.addresses.get(node as usize) {
        Some(&at) => What::Object(row_of[graph.info[node as usize] as usize], at),
        None if node == graph.root() => What::Everything,
        None => What::Roots(node - graph.objects() as u32),
    };
    let order = &retained.tree.order;
    let kept = greatest(&retained.words);
    let mut nodes: Vec<Node> = (kept.iter())
        .map(|&own| Node {
            what: what(order[own as usize]),
            words: graph.words(order[own as usize]),
            retained: retained.words[own as usize],
            parent: (own > 0).then(|| slot(&kept, retained.tree.above[own as usize])).flatten(),
            rest: Vec::new(),
            more: (0, 0),
            way: None,
        })
        .collect();
    rests(&retained, &of, &kept, &mut nodes);
    let mut by_size: Vec<usize> = (1..nodes.len()).collect();
    sort::by_key(&mut by_size, |&slot| Reverse(nodes[slot].retained));
    for slot in by_size.into_iter().take(MOST_WAYS) {
        nodes[slot].way = Some(ways.to(order[kept[slot] as usize], &what));
    }
    let instances = instances(&retained, &of, types.len())
        .into_iter()
        .map(|list| {
            let shown = |own: u32| {
                let node = order[own as usize];
                let way = ways.to(node, &what);
                Instance {
                    what: what(node),
                    words: graph.words(node),
                    retained: retained.words[own as usize],
                    way,
                }
            };
            list.into_iter().map(shown).collect()
        })
        .collect();
    let words = types.iter().map(|row| row.words).sum();
    let objects = graph.objects() as u64;
    let held = (order.len()
        - 1
        - order.iter().filter(|&&node| node as usize >= graph.objects() && node != graph.root()).count())
        as u64;
    Shown {
        objects,
        words,
        references: u64::from(graph.starts[graph.objects()]),
        weak: graph.weak,
        unheld: (objects - held, words - retained.words[0]),
        roots: graph.roots.clone(),
        types,
        nodes,
        instances,
    }
}

/// The numbers that retain most, in order; whatever keeps one of them is among them.
fn greatest(words: &[u64]) -> Vec<u32> {
    let mut heap: BinaryHeap<Reverse<u64>> = BinaryHeap::new();
    for &each in words {
        if heap.len() < MOST_NODES {
            heap.push(Reverse(each));
        } else if heap.peek().is_some_and(|least| each > least.0) {
            heap.pop();
            heap.push(Reverse(each));
        }
    }
    let least = heap.peek().map_or(0, |least| least.0);
    let mut even = heap.iter().filter(|each| each.0 == least).count();
    (0..words.len() as u32)
        .filter(|&own| {
            let each = words[own as usize];
            // Of equal ones the first: what keeps another has the smaller number.
            if each == least && even > 0 {
                even -= 1;
                return true;
            }
            each > least
        })
        .collect()
}

fn slot(kept: &[u32], own: u32) -> Option<u32> {
    kept.binary_search(&own).ok().map(|slot| slot as u32)
}

/// Tells of each node what it keeps besides the nodes shown.
fn rests(retained: &Retained, of: &[u32], kept: &[u32], nodes: &mut [Node]) {
    let mut sums: HashMap<(u32, u32), (u64, u64), Plain> = HashMap::default();
    let mut shown = kept.iter().copied().peekable();
    let (mut last, mut last_slot) = (NONE, None);
    for own in 0..retained.words.len() as u32 {
        if shown.next_if_eq(&own).is_some() {
            continue;
        }
        let above = retained.tree.above[own as usize];
        if above != last {
            (last, last_slot) = (above, slot(kept, above));
        }
        let Some(slot) = last_slot else { continue };
        let sum = sums.entry((slot, of[own as usize])).or_default();
        sum.0 += 1;
        sum.1 += retained.words[own as usize];
    }
    for ((slot, row), (count, words)) in sums {
        if row == NONE {
            continue;
        }
        nodes[slot as usize].rest.push((row, count, words));
    }
    for node in nodes {
        sort::by_key(&mut node.rest, |&(row, _, words)| (Reverse(words), row));
        let more = node.rest.split_off(node.rest.len().min(MOST_REST));
        node.more = more.iter().fold((0, 0), |(count, words), one| (count + one.1, words + one.2));
    }
}

/// The objects of each type that retain most, by number.
fn instances(retained: &Retained, of: &[u32], rows: usize) -> Vec<Vec<u32>> {
    let mut heaps: Vec<BinaryHeap<(Reverse<u64>, u32)>> = Vec::new();
    heaps.resize_with(rows.min(MOST_TYPES), BinaryHeap::new);
    for (own, &words) in retained.words.iter().enumerate() {
        let Some(heap) = heaps.get_mut(of[own] as usize) else { continue };
        if heap.len() == MOST_INSTANCES {
            if heap.peek().is_some_and(|least| words <= least.0.0) {
                continue;
            }
            heap.pop();
        }
        heap.push((Reverse(words), own as u32));
    }
    heaps.into_iter().map(|heap| heap.into_sorted_vec().into_iter().map(|(_, own)| own).collect()).collect()
}

/// The shortest ways from the root, by node. Both ends of a way are found without a walk over its middle.
struct Ways(Vec<Step>);

#[derive(Clone, Copy)]
struct Step {
    /// The node before it on a shortest way.
    before: u32,
    /// The node of that way which is `WAY_END` steps from the root; nearer nodes have themselves.
    gate: u32,
    /// Steps from the root.
    depth: u32,
}

impl Ways {
    fn new(graph: &Graph) -> Ways {
        let root = graph.root();
        let mut steps = vec![Step { before: NONE, gate: NONE, depth: 0 }; root as usize + 1];
        let mut seen = vec![0u64; steps.len().div_ceil(64)];
        let mut line = vec![(root, root)];
        let (mut next, mut depth) = (0, 0);
        while next < line.len() {
            depth += 1;
            // The nodes of one depth stand together.
            let deeper = line.len();
            while next < deeper {
                let (node, gate) = line[next];
                // A node leads to its references, and those to whether they were seen.
                if let Some(&(later, _)) = line.get(next + 3 * AHEAD) {
                    fetch(&graph.starts, later as usize);
                }
                if let Some(&(later, _)) = line.get(next + 2 * AHEAD) {
                    fetch(&graph.targets, graph.starts[later as usize] as usize);
                }
                if let Some(&(later, _)) = line.get(next + AHEAD) {
                    for &target in graph.targets(later) {
                        fetch(&seen, target as usize / 64);
                        fetch(&steps, target as usize);
                    }
                }
                next += 1;
                for &target in graph.targets(node) {
                    let bit = 1u64 << (target % 64);
                    let word = &mut seen[target as usize / 64];
                    if target != root && *word & bit == 0 {
                        *word |= bit;
                        let gate = if depth as usize <= WAY_END { target } else { gate };
                        steps[target as usize] = Step { before: node, gate, depth };
                        line.push((target, gate));
                    }
                }
            }
        }
        Ways(steps)
    }

    fn to(&self, node: u32, what: &impl Fn(u32) -> What) -> Way {
        let depth = self.0[node as usize].depth as usize;
        let left_out = depth.saturating_sub(2 * WAY_END);
        let (mut steps, mut near, mut at) = (Vec::with_capacity(depth.min(2 * WAY_END)), 0, node);
        while at != NONE && what(at) != What::Everything {
            if steps.len() == WAY_END {
                near = depth.min(2 * WAY_END) - WAY_END;
                if left_out > 0 {
                    at = self.0[at as usize].gate;
                }
            }
            steps.push(what(at));
            at = self.0[at as usize].before;
        }
        steps.reverse();
        Way { near: near as u32, steps, left_out: left_out as u64 }
    }
}

#[cfg(test)]
#[path = "shown_tests.rs"]
mod tests;
