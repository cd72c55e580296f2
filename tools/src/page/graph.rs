//! What the page is told of an object graph: rows of numbers, since a graph's page has many of them. Sizes are in bytes.
//! A row of `types` is meant by its number, a name of roots by a negative one (-2 is the first), everything by -1.

use super::describe::base;
use crate::graph::shown::{Shown, Way, What};
use crate::read::any::Input;
use serde_json::{Value, json};

pub fn file(input: &Input, shown: &Shown) -> Value {
    let types: Vec<Value> = (shown.types.iter())
        .map(|row| json!([row.name, row.count, bytes(row.words), row.retained.map(bytes)]))
        .collect();
    let nodes: Vec<Value> = (shown.nodes.iter())
        .map(|node| {
            let rest: Vec<Value> =
                node.rest.iter().map(|&(row, count, words)| json!([row, count, bytes(words)])).collect();
            let parent = node.parent.map_or(json!(-1), |parent| json!(parent));
            let (row, at) = told(node.what);
            json!([
                row,
                at,
                bytes(node.words),
                bytes(node.retained),
                parent,
                rest,
                [node.more.0, bytes(node.more.1)],
                node.way.as_ref().map(way)
            ])
        })
        .collect();
    let instances: Vec<Vec<Value>> = (shown.instances.iter())
        .map(|list| {
            let told = |one: &crate::graph::shown::Instance| {
                json!([told(one.what).1, bytes(one.words), bytes(one.retained), way(&one.way)])
            };
            list.iter().map(told).collect()
        })
        .collect();
    json!({
        "type": "snapshot", "path": base(&input.name), "objects": shown.objects, "bytes": bytes(shown.words),
        "references": shown.references, "weak": shown.weak, "unheld": [shown.unheld.0, bytes(shown.unheld.1)],
        "roots": shown.roots, "types": types, "nodes": nodes, "instances": instances,
    })
}

/// Damaged files tell of more words than there are bytes.
fn bytes(words: u64) -> u64 {
    words.saturating_mul(8)
}

fn told(what: What) -> (i64, u64) {
    match what {
        What::Everything => (-1, 0),
        What::Roots(name) => (-2 - i64::from(name), 0),
        What::Object(row, at) => (i64::from(row), at.wrapping_mul(8)),
    }
}

/// Pairs of row and address, then how many steps are left out and before which step.
fn way(way: &Way) -> Value {
    let steps: Vec<Value> = (way.steps.iter())
        .map(|&what| {
            let (row, at) = told(what);
            json!([row, at])
        })
        .collect();
    json!([steps, way.left_out, way.near])
}
