//! Immediate dominators: what an object would die with. Lengauer and Tarjan's way: semidominators over paths that are compressed, a
//! bucket for each semidominator, and a last pass over the order of the search. Nothing in it grows with the depth of the graph
//! but by a logarithm. All arrays but two are by the order of a depth-first search, in which neighbours lie close together.

use super::ahead::{AHEAD, fetch};
#[cfg(test)]
use super::targets;
use super::together::{everywhere, taken};
use std::ops::Range;
use std::sync::Mutex;

pub const NONE: u32 = u32::MAX;

/// Nodes and references together: more than these are not told apart from the marks.
pub const MOST: usize = MARK as usize - 1;

/// What can be reached from the root, in the order of a depth-first search from it.
pub struct Dominators {
    /// The node of each number.
    pub order: Vec<u32>,
    /// The number of each number's dominator, which is smaller; the root's own.
    pub above: Vec<u32>,
}

#[cfg(test)]
pub fn dominators(starts: &[u32], edges: &[u32], root: u32) -> Dominators {
    Records::new(starts, edges).dominators(starts[root as usize] + root)
}

fn dominators_of(mut records: Records, root: u32) -> Dominators {
    let Search { order, parent, places } = records.search(root);
    let (from_starts, from) = records.others(&places, &parent);
    drop((records, places));
    let count = order.len();
    // By number, one after the other: the parent in the search; the next one of the same bucket; the dominator, or a number whose
    // dominator is the same.
    let mut above = parent;
    // By number: the first one of the bucket, whose semidominator the number is; the number's own semidominator.
    let mut semi = vec![NONE; count];
    let mut ways: Vec<Up> =
        (0..count).map(|own| Up { above: above[own], least: NONE, at: own as u32 }).collect();
    let mut path = Vec::new();
    for own in (1..count).rev() {
        if let Some(later) = own.checked_sub(2 * AHEAD) {
            for &source in &from[from_starts[later] as usize..from_starts[later + 1] as usize] {
                fetch(&ways, source as usize);
            }
        }
        if let Some(later) = own.checked_sub(AHEAD) {
            for &source in &from[from_starts[later] as usize..from_starts[later + 1] as usize] {
                fetch(&ways, ways[source as usize].above as usize);
            }
            fetch(&ways, semi[later] as usize);
            fetch(&above, semi[later] as usize);
        }
        let here = own as u32;
        let mut next = semi[own];
        while next != NONE {
            fetch(&ways, above[next as usize] as usize);
            let Up { least, at, .. } = lowest(&mut ways, &mut path, next, here);
            let dominator = if least < here { at } else { here };
            next = std::mem::replace(&mut above[next as usize], dominator);
        }
        let mut least = above[own];
        for &source in &from[from_starts[own] as usize..from_starts[own + 1] as usize] {
            let told = if source > here { lowest(&mut ways, &mut path, source, here).least } else { source };
            least = least.min(told);
        }
        ways[own].least = least;
        semi[own] = least;
        if least == 0 {
            // Nothing lies between the root and what has it for its semidominator.
            above[own] = 0;
        } else {
            above[own] = std::mem::replace(&mut semi[least as usize], here);
        }
    }
    drop((ways, from_starts, from));
    for own in 1..count {
        if let Some(&later) = above.get(own + AHEAD) {
            fetch(&above, later as usize);
        }
        if above[own] != semi[own] {
            above[own] = above[above[own] as usize];
        }
    }
    Dominators { order, above }
}

/// On a reference: the last one of its node. On a node: it has none.
const MARK: u32 = 1 << 31;

/// The graph for a search that jumps about in it: each node's number and its references side by side, and references are the places
/// of such records, so that a visit touches one line of memory where two arrays would make it wait for three.
pub struct Records {
    words: Vec<u32>,
    nodes: usize,
}

/// Nodes whose records a thread writes at a time.
const PART: usize = 1 << 16;

struct Search {
    order: Vec<u32>,
    /// By number: the number of the parent in the search, and the place of the record.
    parent: Vec<u32>,
    places: Vec<u32>,
}

impl Records {
    pub fn new(starts: &[u32], edges: &[u32]) -> Records {
        let nodes = starts.len() - 1;
        let mut records = vec![0; nodes + edges.len()];
        let mut rest = records.as_mut_slice();
        let parts = (0..nodes).step_by(PART).map(|first| {
            let last = (first + PART).min(nodes);
            let length = (starts[last] - starts[first]) as usize + last - first;
            let (part, behind) = std::mem::take(&mut rest).split_at_mut(length);
            rest = behind;
            (first..last, part)
        });
        let parts = Mutex::new(parts.collect::<Vec<_>>());
        everywhere(nodes / PART, &|| {
            while let Some((part, records)) = taken(&parts) {
                write(starts, edges, part, records);
            }
        });
        drop(parts);
        Records { words: records, nodes }
    }

    /// `root` is the place of its record.
    pub fn dominators(self, root: u32) -> Dominators {
        dominators_of(self, root)
    }

    /// Nodes in the order of a depth-first search. Records have the numbers of the search from then on.
    fn search(&mut self, root: u32) -> Search {
        let mut seen = vec![0u64; self.words.len().div_ceil(64)];
        // At once: to grow takes fresh memory from the system, where that of earlier arrays is at hand.
        let list = || Vec::with_capacity(self.nodes);
        let mut found = Search { order: list(), parent: list(), places: list() };
        let mut open = vec![(root, 0u32)];
        while let Some((place, from)) = open.pop() {
            // On the way back, most of what is open was seen since.
            if let Some(at) = open.len().checked_sub(AHEAD) {
                fetch(&seen, open[at].0 as usize / 64);
            }
            let bit = 1u64 << (place % 64);
            if seen[place as usize / 64] & bit != 0 {
                continue;
            }
            if let Some(&(next, _)) = open.last() {
                fetch(&self.words, next as usize);
            }
            seen[place as usize / 64] |= bit;
            let own = found.order.len() as u32;
            let node = self.words[place as usize];
            self.words[place as usize] = own | node & MARK;
            found.order.push(node & !MARK);
            found.parent.push(from);
            found.places.push(place);
            // What is put there last is taken first, with the parent that put it: the search goes in depth.
            for target in self.of(place, node) {
                if seen[target as usize / 64] & 1 << (target % 64) == 0 {
                    open.push((target, own));
                }
            }
        }
        found
    }

    /// Where the references of a record lead; `head` is its first word.
    fn of(&self, place: u32, head: u32) -> impl Iterator<Item = u32> {
        let mut rest = if head & MARK == 0 { &self.words[place as usize + 1..] } else { &[] };
        std::iter::from_fn(move || {
            let (&target, after) = rest.split_first()?;
            rest = if target & MARK == 0 { after } else { &[] };
            Some(target & !MARK)
        })
    }

    /// By numbers: who refers to each besides its parent in the search.
    fn others(&self, places: &[u32], parent: &[u32]) -> (Vec<u32>, Vec<u32>) {
        let count = places.len();
        let mut from_starts = vec![0u32; count + 1];
        let mut to = Vec::new();
        let mut to_starts = vec![0u32; count + 1];
        for (own, &place) in places.iter().enumerate() {
            // A record leads to others, and their numbers to what is known of them: each is asked for when the one before is there.
            if let Some(&later) = places.get(own + 3 * AHEAD) {
                fetch(&self.words, later as usize);
            }
            if let Some(&later) = places.get(own + 2 * AHEAD) {
                self.of(later, self.words[later as usize])
                    .for_each(|target| fetch(&self.words, target as usize));
            }
            if let Some(&later) = places.get(own + AHEAD) {
                for target in self.of(later, self.words[later as usize]) {
                    let target = (self.words[target as usize] & !MARK) as usize;
                    fetch(parent, target);
                    fetch(&from_starts, target);
                }
            }
            for target in self.of(place, self.words[place as usize]) {
                let target = self.words[target as usize] & !MARK;
                if parent[target as usize] != own as u32 && target != own as u32 {
                    to.push(target);
                    from_starts[target as usize] += 1;
                }
            }
            to_starts[own + 1] = to.len() as u32;
        }
        let mut sum = 0;
        for start in &mut from_starts {
            sum += *start;
            *start = sum;
        }
        // Filled from the end of each part, so that its beginning is left.
        let mut from = vec![0u32; to.len()];
        for own in (0..count).rev() {
            let begin = to_starts[own] as usize;
            for at in begin..to_starts[own + 1] as usize {
                if let Some(&later) = to.get(at.wrapping_sub(4 * AHEAD)) {
                    fetch(&from_starts, later as usize);
                }
                if let Some(&later) = to.get(at.wrapping_sub(2 * AHEAD)) {
                    fetch(&from, from_starts[later as usize] as usize);
                }
                let target = to[at];
                let place = &mut from_starts[target as usize];
                *place -= 1;
                from[*place as usize] = own as u32;
            }
        }
        (from_starts, from)
    }
}

/// The records of some nodes, one after the other.
fn write(starts: &[u32], edges: &[u32], nodes: Range<usize>, records: &mut [u32]) {
    let mut next = 0;
    for node in nodes {
        records[next] = node as u32;
        for at in starts[node] as usize..starts[node + 1] as usize {
            if let Some(&later) = edges.get(at + 2 * AHEAD) {
                fetch(starts, later as usize);
            }
            next += 1;
            records[next] = starts[edges[at] as usize] + edges[at];
        }
        records[next] |= MARK;
        next += 1;
    }
}

/// A way up that was made short, the least semidominator on it, and the number that has it.
#[derive(Clone, Copy)]
struct Up {
    above: u32,
    least: u32,
    at: u32,
}

/// The way up from `source`, as far as the ways above `own` are done; it is made short.
fn lowest(ways: &mut [Up], path: &mut Vec<u32>, source: u32, own: u32) -> Up {
    let mut at = source;
    while ways[at as usize].above > own {
        path.push(at);
        at = ways[at as usize].above;
    }
    let mut whole = ways[at as usize];
    while let Some(below) = path.pop() {
        let way = &mut ways[below as usize];
        way.above = whole.above;
        if whole.least < way.least {
            *way = whole;
        }
        whole = *way;
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(edges: &[(u32, u32)], nodes: u32) -> (Vec<u32>, Vec<u32>) {
        let mut sorted = edges.to_vec();
        sorted.sort_unstable();
        let starts = (0..=nodes).map(|node| sorted.partition_point(|edge| edge.0 < node) as u32).collect();
        (starts, sorted.iter().map(|edge| edge.1).collect())
    }

    /// What the root reaches when one node is taken out.
    fn reached(starts: &[u32], edges: &[u32], root: u32, without: u32) -> Vec<bool> {
        let mut seen = vec![false; starts.len() - 1];
        let mut open = if root == without { vec![] } else { vec![root] };
        while let Some(node) = open.pop() {
            if !std::mem::replace(&mut seen[node as usize], true) {
                open.extend(targets(starts, edges, node).iter().filter(|&&target| target != without));
            }
        }
        seen
    }

    /// The slow way: a node dominates what is not reached without it, and the immediate one is dominated by all the others.
    fn oracle(starts: &[u32], edges: &[u32], root: u32) -> Vec<u32> {
        let nodes = starts.len() - 1;
        let all = reached(starts, edges, root, NONE);
        let without: Vec<Vec<bool>> =
            (0..nodes as u32).map(|node| reached(starts, edges, root, node)).collect();
        let above = |own: usize| -> Vec<u32> {
            (0..nodes as u32)
                .filter(|&node| node as usize != own && all[node as usize] && !without[node as usize][own])
                .collect()
        };
        let depth: Vec<usize> = (0..nodes).map(|own| if all[own] { above(own).len() } else { 0 }).collect();
        (0..nodes)
            .map(|own| match all[own] {
                true => above(own).into_iter().max_by_key(|&node| depth[node as usize]).unwrap_or(root),
                false => NONE,
            })
            .collect()
    }

    #[test]
    fn dominators_are_those_of_the_slow_way_on_random_graphs() {
        let mut state = 7u64;
        let mut next = |below: u32| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            ((state >> 33) % u64::from(below)) as u32
        };
        for round in 0..3000 {
            let nodes = 1 + next(40);
            let count = next(nodes * 3);
            let near = 1 + next(nodes);
            // Some are mostly chains, some are scattered, with rings, double references and what nobody refers to.
            let edges: Vec<(u32, u32)> = (0..count)
                .map(|_| {
                    let from = next(nodes);
                    (from, if round % 2 == 0 { next(nodes) } else { (from + next(near)) % nodes })
                })
                .collect();
            let (starts, edges) = graph(&edges, nodes);
            let root = next(nodes);
            let found = dominators(&starts, &edges, root);
            let mut told = vec![NONE; nodes as usize];
            for (own, &node) in found.order.iter().enumerate() {
                assert!(own == 0 || (found.above[own] as usize) < own);
                told[node as usize] = found.order[found.above[own] as usize];
            }
            assert_eq!(
                told,
                oracle(&starts, &edges, root),
                "round {round}: {starts:?} {edges:?} from {root}"
            );
        }
    }

    #[test]
    fn a_long_list_takes_no_stack() {
        let count = 1_000_000;
        let edges: Vec<(u32, u32)> = (0..count - 1).flat_map(|at| [(at, at + 1), (at + 1, at)]).collect();
        let (starts, edges) = graph(&edges, count);
        let found = dominators(&starts, &edges, 0);
        assert!((1..count).all(|own| found.above[own as usize] == own - 1));
    }

    /// A chain whose end refers to as many objects as it is long, which another root refers to as well.
    #[test]
    fn a_long_list_whose_end_holds_what_others_hold_too_takes_no_time() {
        let count = 300_000u32;
        let (chain, other) = (0, 2 * count);
        let root = other + 1;
        let mut edges: Vec<(u32, u32)> = (1..count).map(|at| (at - 1, at)).collect();
        edges.extend((count..2 * count).flat_map(|leaf| [(count - 1, leaf), (other, leaf)]));
        // The search goes into what comes last, so that it meets the leaves in either way first.
        for first in [[other, chain], [chain, other]] {
            let all: Vec<_> = edges.iter().copied().chain(first.map(|target| (root, target))).collect();
            let (starts, mut targets) = graph(&all, root + 1);
            let begin = starts[root as usize] as usize;
            targets[begin..].copy_from_slice(&first);
            let begun = std::time::Instant::now();
            let found = dominators(&starts, &targets, root);
            let above = |own: usize| found.order[found.above[own] as usize];
            for (own, &node) in found.order.iter().enumerate().skip(1) {
                let right = if (1..count).contains(&node) { node - 1 } else { root };
                assert_eq!(above(own), right, "of {node}");
            }
            assert_eq!(found.order.len(), starts.len() - 1);
            assert!(begun.elapsed().as_secs() < 10, "it took {:?}", begun.elapsed());
        }
    }
}
