//! A profile of space by function in memory, as the library's JSON has it (docs/function-space.md). What a version of the
//! library does not tell is absent or zero.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct Space {
    pub format: String,
    pub version: u64,
    pub program: String,
    pub bytes_used: u64,
    pub side_table_bytes: u64,
    pub collections: u64,
    pub generations: u64,
    pub profiler_cpu_ns: u64,
    /// False when memory was short: some functions count together, or some copies were not counted.
    pub complete: bool,
    pub total: Total,
    pub tick_ns: u64,
    pub ticks_collecting: u64,
    pub ticks_profiling: u64,
    pub ticks_lost: u64,
    pub unprofiled: Count,
    pub functions: Vec<Function>,
    /// Parent (a place in this list and one more; 0 for none), function, ticks.
    pub callers: Vec<[u64; 3]>,
    pub greatest: Option<Point>,
    pub maxima: Vec<Point>,
    pub points: Vec<Point>,
}

#[derive(Debug, Default, Deserialize, Serialize, Clone, Copy, PartialEq, Eq)]
#[serde(default)]
pub struct Count {
    pub bytes: u64,
    pub objects: u64,
}

#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct Total {
    pub allocated: Count,
    pub copied: Count,
    pub calls: u64,
    pub top: u64,
    pub live: u64,
}

#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct Function {
    pub name: String,
    pub module: String,
    pub offset: u64,
    /// The client's own, or 0.
    pub word: u64,
    pub sites: u64,
    pub allocated: Count,
    pub copied: Count,
    pub copied_from: Vec<Count>,
    pub top: u64,
    pub elsewhere: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calls: Option<u64>,
    pub live: u64,
    /// The place in the source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// Number, size and overhead by kind: first of what was allocated, then of what was copied out of each generation.
    pub kinds: Vec<BTreeMap<String, [u64; 3]>>,
}

/// What lived at one moment.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct Point {
    pub seconds: f64,
    pub collection: u64,
    pub bytes: u64,
    pub asked: bool,
    /// Function and bytes.
    pub parts: Vec<[u64; 2]>,
}
