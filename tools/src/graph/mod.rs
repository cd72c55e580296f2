//! An object graph in memory, and why its objects are alive: dominators, retained sizes, paths to a root.
//! Everything that is kept for each object or reference is an array of 32-bit numbers (addresses and retained sizes have 64),
//! and nothing is allocated for an object by itself: 30 million objects with 60 million references take some 2 GB.
//!
//! Objects are numbered by their addresses. After them come the names of roots, and last the root of everything.

mod ahead;
pub mod dominators;
pub mod load;
pub mod places;
pub mod retained;
pub mod shown;
mod together;

use crate::read::snapshot::Info;
use std::collections::HashMap;

pub struct Graph {
    /// In words, rising.
    pub addresses: Vec<u64>,
    /// Which of `infos` an object is of.
    pub info: Vec<u32>,
    pub infos: Vec<Info>,
    /// Where the references of each node begin in `targets`; one more than there are nodes.
    pub starts: Vec<u32>,
    /// Strong references only: what is held weakly is not held.
    pub targets: Vec<u32>,
    /// Names of roots, which are nodes behind the objects.
    pub roots: Vec<String>,
    words: Vec<u32>,
    /// Of objects of 32 GiB and more.
    large: HashMap<u32, u64>,
    /// References that hold nothing.
    pub weak: u64,
}

impl Graph {
    pub fn objects(&self) -> usize {
        self.addresses.len()
    }

    /// The root of everything.
    pub fn root(&self) -> u32 {
        (self.objects() + self.roots.len()) as u32
    }

    pub fn words(&self, node: u32) -> u64 {
        match self.words.get(node as usize) {
            Some(&u32::MAX) => self.large.get(&node).copied().unwrap_or(u64::from(u32::MAX)),
            Some(&words) => u64::from(words),
            None => 0,
        }
    }

    pub fn targets(&self, node: u32) -> &[u32] {
        targets(&self.starts, &self.targets, node)
    }
}

pub fn targets<'a>(starts: &[u32], targets: &'a [u32], node: u32) -> &'a [u32] {
    &targets[starts[node as usize] as usize..starts[node as usize + 1] as usize]
}
