//! Coverage by line, function and branch, as the services that know no boxes want it.
//!
//! A line counts if an expression or declaration begins on it, with the highest count among those: a line of which
//! a part was missed shows so by its branches. A decision is a branch point with two ways.

use super::mix::Label;
use super::module::Module;
use crate::sort;
use std::collections::{BTreeMap, HashMap};

#[derive(Debug, PartialEq, Eq)]
pub struct FileCoverage {
    pub module: String,
    /// As the `.mix` names it, or where it was found.
    pub source: String,
    pub lines: BTreeMap<u32, Line>,
    /// The top-level declarations, by position.
    pub functions: Vec<Function>,
}

#[derive(Default, Debug, PartialEq, Eq)]
pub struct Line {
    /// None if only branches are here.
    pub hits: Option<u64>,
    /// For each decision that begins here, how often it came out true and false.
    pub branches: Vec<[u64; 2]>,
}

#[derive(Debug, PartialEq, Eq)]
pub struct Function {
    /// Unique in the file: those of the same name have their place added.
    pub name: String,
    pub line: u32,
    pub hits: u64,
}

/// covered <= total
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct Share {
    pub covered: usize,
    pub total: usize,
}

impl Share {
    fn of<T>(items: impl Iterator<Item = T>, covered: impl Fn(&T) -> bool) -> Share {
        items.fold(Share::default(), |share, item| Share {
            covered: share.covered + usize::from(covered(&item)),
            total: share.total + 1,
        })
    }
}

impl std::ops::Add for Share {
    type Output = Share;
    fn add(self, other: Share) -> Share {
        Share { covered: self.covered + other.covered, total: self.total + other.total }
    }
}

impl FileCoverage {
    pub fn of(module: &Module, source: String) -> FileCoverage {
        let mut lines: BTreeMap<u32, Line> = BTreeMap::new();
        let mut functions = Vec::new();
        let mut known: HashMap<String, usize> = HashMap::new();
        for (mix_box, count) in module.boxes() {
            if let Label::Binary { .. } = mix_box.label {
                continue;
            }
            let start = mix_box.span.start;
            let line = lines.entry(start.line).or_default();
            line.hits = line.hits.max(Some(count.saturated()));
            if let Label::TopLevel(path) = &mix_box.label {
                let mut name = path.join(".");
                let copies = known.entry(name.clone()).or_default();
                *copies += 1;
                if *copies > 1 {
                    name = format!("{name}@{}:{}#{copies}", start.line, start.column);
                }
                functions.push(Function { name, line: start.line, hits: count.saturated() });
            }
        }
        for pair in module.decisions() {
            let line = lines.entry(pair.span.start.line).or_default();
            line.branches.push([pair.truths.saturated(), pair.falsehoods.saturated()]);
        }
        sort::by_key(&mut functions, |function| function.line);
        FileCoverage { module: module.name().to_string(), source, lines, functions }
    }

    pub fn line_share(&self) -> Share {
        Share::of(self.lines.values().filter_map(|line| line.hits), |&hits| hits > 0)
    }

    pub fn function_share(&self) -> Share {
        Share::of(self.functions.iter(), |function| function.hits > 0)
    }

    pub fn branch_share(&self) -> Share {
        self.lines.values().fold(Share::default(), |share, line| share + line.branch_share())
    }
}

impl Line {
    pub fn branch_share(&self) -> Share {
        Share::of(self.branches.iter().flatten(), |&&hits| hits > 0)
    }
}
