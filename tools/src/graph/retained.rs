//! What each object keeps alive alone, and the same for all objects of a type together.

use super::Graph;
use super::ahead::{AHEAD, fetch};
use super::dominators::{Dominators, NONE, Records};
use crate::sort;

pub struct Retained {
    pub tree: Dominators,
    /// Words, by number of the search.
    pub words: Vec<u64>,
}

impl Retained {
    pub fn of(graph: &Graph, records: Records) -> Retained {
        let root = graph.root();
        let tree = records.dominators(graph.starts[root as usize] + root);
        let mut words: Vec<u64> = Vec::with_capacity(tree.order.len());
        for (own, &node) in tree.order.iter().enumerate() {
            if let Some(&later) = tree.order.get(own + AHEAD) {
                fetch(&graph.words, later as usize);
            }
            words.push(graph.words(node));
        }
        for own in (1..words.len()).rev() {
            if let Some(&later) = tree.above.get(own.wrapping_sub(AHEAD)) {
                fetch(&words, later as usize);
            }
            words[tree.above[own] as usize] += words[own];
        }
        Retained { tree, words }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeRow {
    /// Which info tables it stands for: all with one name.
    pub name: String,
    pub count: u64,
    pub words: u64,
    /// Words that its objects keep alive, each by itself, none counted twice; of the greatest types alone.
    pub retained: Option<u64>,
}

/// Types beyond this many are counted, and what they retain is not worked out.
const MOST_TYPES: usize = 256;

/// How an info table is called in tables: its type, and what it is besides.
pub fn name_of(info: &crate::read::snapshot::Info) -> String {
    match (info.type_name.as_str(), info.description.as_str()) {
        ("", "") => info.kind.clone(),
        ("", what) => what.to_owned(),
        (name, what) if what.is_empty() || what == name => name.to_owned(),
        (name, what) => format!("{name}: {what}"),
    }
}

/// Types by what their objects take.
pub struct Types {
    /// The greatest first.
    pub rows: Vec<TypeRow>,
    /// The row of each info table.
    pub of_info: Vec<u32>,
    /// The row of each number of the search, `NONE` where it is no object's.
    pub of: Vec<u32>,
}

pub fn types(graph: &Graph, retained: &Retained) -> Types {
    let mut places = std::collections::BTreeMap::new();
    let mut rows: Vec<TypeRow> = Vec::new();
    let mut row_of: Vec<u32> = Vec::new();
    for info in &graph.infos {
        let name = name_of(info);
        let next = rows.len() as u32;
        let place = *places.entry(name.clone()).or_insert(next);
        if place == next {
            rows.push(TypeRow { name, count: 0, words: 0, retained: None });
        }
        row_of.push(place);
    }
    for node in 0..graph.objects() as u32 {
        let row = &mut rows[row_of[graph.info[node as usize] as usize] as usize];
        row.count += 1;
        row.words += graph.words(node);
    }
    let mut order: Vec<u32> = (0..rows.len() as u32).collect();
    sort::by(&mut order, |&a, &b| {
        let key = |at: u32| (std::cmp::Reverse(rows[at as usize].words), &rows[at as usize].name);
        key(a).cmp(&key(b))
    });
    let mut rank = vec![0u32; rows.len()];
    for (at, &row) in order.iter().enumerate() {
        rank[row as usize] = at as u32;
    }
    let mut sorted: Vec<TypeRow> = order.iter().map(|&row| rows[row as usize].clone()).collect();
    row_of.iter_mut().for_each(|row| *row = rank[*row as usize]);
    let order = &retained.tree.order;
    let mut of = Vec::with_capacity(order.len());
    for (own, &node) in order.iter().enumerate() {
        if let Some(&later) = order.get(own + AHEAD) {
            fetch(&graph.info, later as usize);
        }
        of.push(graph.info.get(node as usize).map_or(NONE, |&info| row_of[info as usize]));
    }
    retain_types(retained, &of, &mut sorted);
    Types { rows: sorted, of_info: row_of, of }
}

/// An object counts for its type unless an object of that type is above it in the tree, which 64 types at a time are told of by bits.
fn retain_types(retained: &Retained, of: &[u32], rows: &mut [TypeRow]) {
    let count = retained.words.len();
    let mut above = vec![0u64; count];
    for first in (0..rows.len().min(MOST_TYPES)).step_by(64) {
        let last = (first + 64).min(rows.len());
        let mut sums = [0u64; 64];
        above[0] = 0;
        for own in 1..count {
            if let Some(&later) = retained.tree.above.get(own + AHEAD) {
                fetch(&above, later as usize);
            }
            let mut bits = above[retained.tree.above[own] as usize];
            let row = of[own] as usize;
            if (first..last).contains(&row) {
                if bits >> (row - first) & 1 == 0 {
                    sums[row - first] += retained.words[own];
                }
                bits |= 1 << (row - first);
            }
            above[own] = bits;
        }
        for (row, sum) in rows[first..last].iter_mut().zip(sums) {
            row.retained = Some(sum);
        }
    }
}
