//! The time profile that an eventlog has: a stack of cost centres for each tick, which become the tree of a report.

use super::eventlog::cut;
use crate::prof::{Node, Report};
use std::collections::HashMap;

/// Four bytes of a stack may become a node with all three texts.
const MOST_LABEL: usize = 100;
const MOST_REST: usize = 60;

struct Centre {
    label: String,
    module: String,
    src: String,
}

#[derive(Default)]
pub struct LoggedTime {
    /// Nanoseconds of a tick.
    pub tick_ns: u64,
    pub ticks: u64,
    centres: HashMap<u64, Centre>,
    nodes: Vec<Node>,
    /// The child of a node for a centre.
    children: HashMap<(u32, u64), u32>,
}

impl LoggedTime {
    pub fn centre(&mut self, number: u64, label: &str, module: &str, src: &str) {
        let centre = Centre {
            label: cut(label, MOST_LABEL),
            module: cut(module, MOST_REST),
            src: cut(src, MOST_REST),
        };
        self.centres.insert(number, centre);
    }

    /// A tick in a stack, the innermost centre first, four bytes each.
    pub fn sample(&mut self, stack: &[u8]) {
        if self.nodes.is_empty() {
            let main = || "MAIN".to_owned();
            self.nodes.push(Node {
                label: main(),
                module: main(),
                src: "<built-in>".into(),
                ..Node::default()
            });
        }
        let mut at = 0u32;
        for bytes in stack.chunks_exact(4).rev() {
            let number = bytes.iter().fold(0, |number, &byte| number << 8 | u64::from(byte));
            // The root of all has its node.
            if at == 0 && self.centres.get(&number).is_some_and(|centre| centre.module == "MAIN") {
                continue;
            }
            let LoggedTime { centres, nodes, children, .. } = self;
            at = *children.entry((at, number)).or_insert_with(|| {
                let mut node = Node { parent: Some(at), number, ..Node::default() };
                match centres.get(&number) {
                    Some(Centre { label, module, src }) => {
                        (node.label, node.module, node.src) = (label.clone(), module.clone(), src.clone());
                    }
                    None => node.label = format!("centre {number}"),
                }
                nodes.push(node);
                nodes.len() as u32 - 1
            });
        }
        self.nodes[at as usize].ticks += 1.0;
        self.ticks += 1;
    }

    /// None where no tick was logged.
    pub fn report(self, job: &str) -> Option<Report> {
        if self.ticks == 0 {
            return None;
        }
        Some(Report {
            job: job.to_owned(),
            seconds: self.ticks as f64 * self.tick_ns as f64 / 1e9,
            ticks: self.ticks,
            tick_us: self.tick_ns / 1000,
            processors: 1,
            nodes: self.nodes,
            exact: true,
            ..Report::default()
        })
    }
}
