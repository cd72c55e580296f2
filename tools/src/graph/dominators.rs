//! Immediate dominators: what an object would die with. Lengauer and Tarjan's semidominators over paths that are compressed, then
//! nearest common ancestors in the tree made so far (Georgiadis's form). All arrays but two are by the order of a depth-first
//! search, in which neighbours of the graph lie close together.

use super::targets;

pub const NONE: u32 = u32::MAX;

/// What can be reached from the root, in the order of a depth-first search from it.
pub struct Dominators {
    /// The node of each number.
    pub order: Vec<u32>,
    /// The number of each number's dominator, which is smaller; the root's own.
    pub above: Vec<u32>,
}

pub fn dominators(starts: &[u32], edges: &[u32], root: u32) -> Dominators {
    let (order, parent, number) = search(starts, edges, root);
    let (from_starts, from) = others(starts, edges, &order, &parent, number);
    let count = order.len();
    let mut semi = parent.clone();
    let mut up = parent.clone();
    let mut best: Vec<u32> = (0..count as u32).collect();
    let mut path = Vec::new();
    for own in (1..count).rev() {
        let mut least = parent[own];
        for &source in &from[from_starts[own] as usize..from_starts[own + 1] as usize] {
            let told = if source as usize > own {
                lowest(&mut up, &mut best, &mut path, source, own as u32)
            } else {
                source
            };
            least = least.min(told);
        }
        semi[own] = least;
        best[own] = least;
    }
    drop((up, best, from_starts, from));
    let mut above = parent;
    for own in 1..count {
        let mut at = above[own];
        while at > semi[own] {
            at = above[at as usize];
        }
        above[own] = at;
    }
    Dominators { order, above }
}

/// The order of a depth-first search, the number of each number's parent, and the number of each node.
fn search(starts: &[u32], edges: &[u32], root: u32) -> (Vec<u32>, Vec<u32>, Vec<u32>) {
    let nodes = starts.len() - 1;
    let mut number = vec![NONE; nodes];
    // Small enough to stay in the cache: most looks at a node are to see that it was there.
    let mut seen = vec![0u64; nodes.div_ceil(64)];
    let (mut order, mut parent) = (Vec::new(), Vec::new());
    let mut open = vec![(root, 0u32)];
    while let Some((node, from)) = open.pop() {
        let bit = 1u64 << (node % 64);
        if seen[node as usize / 64] & bit != 0 {
            continue;
        }
        seen[node as usize / 64] |= bit;
        let own = order.len() as u32;
        number[node as usize] = own;
        order.push(node);
        parent.push(from);
        // What was put here last is taken first, with the parent that put it: the search goes in depth.
        for &target in targets(starts, edges, node) {
            if seen[target as usize / 64] & 1 << (target % 64) == 0 {
                open.push((target, own));
            }
        }
    }
    (order, parent, number)
}

/// By numbers: who refers to each besides its parent in the search.
fn others(
    starts: &[u32],
    edges: &[u32],
    order: &[u32],
    parent: &[u32],
    number: Vec<u32>,
) -> (Vec<u32>, Vec<u32>) {
    let count = order.len();
    let mut from_starts = vec![0u32; count + 1];
    let mut to = Vec::new();
    let mut to_starts = vec![0u32; count + 1];
    for own in 0..count {
        for &target in targets(starts, edges, order[own]) {
            let target = number[target as usize];
            if parent[target as usize] != own as u32 && target != own as u32 {
                to.push(target);
                from_starts[target as usize] += 1;
            }
        }
        to_starts[own + 1] = to.len() as u32;
    }
    drop(number);
    let mut sum = 0;
    for start in &mut from_starts {
        sum += *start;
        *start = sum;
    }
    // Filled from the end of each part, so that its beginning is left.
    let mut from = vec![0u32; to.len()];
    for own in (0..count).rev() {
        for &target in &to[to_starts[own] as usize..to_starts[own + 1] as usize] {
            let place = &mut from_starts[target as usize];
            *place -= 1;
            from[*place as usize] = own as u32;
        }
    }
    (from_starts, from)
}

/// The least semidominator on the way up from `source`, as far as the ways above `own` are done; the way is made short.
fn lowest(up: &mut [u32], best: &mut [u32], path: &mut Vec<u32>, source: u32, own: u32) -> u32 {
    let mut at = source;
    while up[at as usize] > own {
        path.push(at);
        at = up[at as usize];
    }
    let (top, mut least) = (up[at as usize], best[at as usize]);
    while let Some(below) = path.pop() {
        least = least.min(best[below as usize]);
        best[below as usize] = least;
        up[below as usize] = top;
    }
    least
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
}
