//! The whole stacks of a heap profile's bands. A runtime cuts the names of bands after some 25 bytes; the report of the same run
//! has all stacks, with the numbers that bands begin with.
//! Invariant: a stack is taken from a report only if all that the band's name tells agrees with it.

use crate::band_name::{CUT, frames, numbered};
use crate::model::HeapProfile;
use crate::prof::Report;
use crate::write::stacks::{Frame, Stack, spelled_paths, within};
use std::collections::HashMap;
use std::rc::Rc;

/// Frames of each band from the root to the leaf, and how many bands the report told of.
#[derive(Default)]
pub struct Joined {
    pub stacks: Vec<Stack>,
    pub known: usize,
}

/// Refuses a report whose stacks the bands repeat beyond what a machine has: a band's own name is short.
pub fn join(heap: &HeapProfile, report: Option<&Report>) -> Result<Joined, String> {
    let index = report.map(Index::new);
    let find = |name: &str| index.as_ref().and_then(|index| Some((index, index.find(name)?)));
    let bands: Vec<_> = (heap.bands.iter())
        .map(|band| {
            let name = band.name.to_string();
            (find(&name), name)
        })
        .collect();
    if let Some(report) = report {
        let paths = spelled_paths(report);
        let told = bands.iter().filter_map(|(found, _)| *found).map(|(_, at)| paths[at as usize]);
        within(told.fold(0, u64::saturating_add))?;
    }
    let known = bands.iter().filter(|(found, _)| found.is_some()).count();
    let stacks = (bands.into_iter())
        .map(|(found, name)| match found {
            Some((index, at)) => index.whole(at),
            None => {
                frames(&name).into_iter().rev().map(|name| Rc::new(Frame { name, place: None })).collect()
            }
        })
        .collect();
    Ok(Joined { stacks, known })
}

struct Index<'a> {
    report: &'a Report,
    /// Of each node.
    frames: Vec<Rc<Frame>>,
    by_number: HashMap<u64, u32>,
    /// Nodes by the name that a band would begin with.
    by_name: HashMap<String, Vec<u32>>,
}

impl<'a> Index<'a> {
    fn new(report: &'a Report) -> Index<'a> {
        let frames = report.nodes.iter().map(|node| Rc::new(Frame::of(node))).collect();
        let mut index = Index { report, frames, by_number: HashMap::new(), by_name: HashMap::new() };
        for (at, _) in report.nodes.iter().enumerate() {
            let at = at as u32;
            index.by_number.insert(report.nodes[at as usize].number, at);
            index.by_name.entry(index.spelt(at)).or_default().push(at);
        }
        index
    }

    /// As band names spell a centre: without its module, except where every module has one of that name; blanks as `_`.
    fn spelt(&self, at: u32) -> String {
        let node = &self.report.nodes[at as usize];
        let name =
            if node.label == "CAF" { format!("{}.{}", node.module, node.label) } else { node.label.clone() };
        name.replace(char::is_whitespace, "_")
    }

    /// The node of a band.
    fn find(&self, band: &str) -> Option<u32> {
        let (number, text) = numbered(band);
        let number = number?;
        let told = text.strip_suffix(CUT).unwrap_or(text).trim_end_matches('\u{fffd}');
        let is_cut = text.ends_with(CUT);
        let agreed = |&at: &u32| self.agrees(at, told, is_cut);
        let by_number = self.by_number.get(&number).copied().filter(agreed);
        by_number.or_else(|| {
            // Reports as JSON have other numbers: a stack that alone fits will do.
            let nodes = self.by_name.get(told.split('/').next()?)?;
            let mut fitting = nodes.iter().copied().filter(agreed);
            fitting.next().filter(|_| fitting.next().is_none())
        })
    }

    fn whole(&self, at: u32) -> Stack {
        // The root is in every stack and in no band's name but its own.
        let is_told = |&above: &usize| above == at as usize || self.report.nodes[above].parent.is_some();
        let told = self.report.upwards(at as usize).filter(is_told);
        let mut stack: Stack = told.map(|at| self.frames[at].clone()).collect();
        stack.reverse();
        stack
    }

    /// Whether a stack is told so: its centres from the innermost on, up to the root, or to where the name was cut.
    fn agrees(&self, at: u32, told: &str, is_cut: bool) -> bool {
        let mut rest = told;
        let mut next = Some(at);
        while let Some(at) = next {
            let node = &self.report.nodes[at as usize];
            let is_root = node.parent.is_none();
            if is_root && rest.len() < told.len() {
                break;
            }
            let name = self.spelt(at);
            if is_cut && name.len() > rest.len() {
                return name.starts_with(rest);
            }
            let Some(after) = rest.strip_prefix(name.as_str()) else { return false };
            if after.is_empty() {
                let ends = node.parent.is_none_or(|up| self.report.nodes[up as usize].parent.is_none());
                return is_cut || ends;
            }
            let Some(after) = after.strip_prefix('/') else { return false };
            if after.is_empty() && is_cut {
                return !is_root;
            }
            rest = after;
            next = node.parent;
        }
        false
    }
}

/// What the files of one run have in common: `demo` of `demo.hc.hp`, `demo.prof` and `demo.hr.prof.gz`.
pub fn run_of(name: &str) -> &str {
    let name = name.strip_suffix(".gz").unwrap_or(name);
    let name = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    match name.rsplit_once('.') {
        Some((stem, letters)) if letters.len() == 2 && letters.starts_with('h') => stem,
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prof::Node;

    fn report() -> Report {
        let node = |parent, label: &str, module: &str, number| Node {
            parent,
            label: label.into(),
            module: module.into(),
            number,
            src: "A.hs:3:1-9".into(),
            ..Node::default()
        };
        let nodes = vec![
            node(None, "MAIN", "MAIN", 1),
            node(Some(0), "CAF", "Main", 2),
            node(Some(1), "main", "Main", 3),
            node(Some(2), "build up", "Main", 4),
            node(Some(3), "insert", "Main", 5),
            node(Some(2), "insert", "Main", 6),
        ];
        Report { nodes, ..Report::default() }
    }

    fn told(band: &str) -> Option<String> {
        let report = report();
        let index = Index::new(&report);
        let stack = index.whole(index.find(band)?);
        Some(stack.iter().map(|frame| frame.name.as_str()).collect::<Vec<_>>().join(";"))
    }

    #[test]
    fn stacks_are_joined_by_number_where_names_agree() {
        let whole = Some("Main.CAF;Main.main;Main.build up;Main.insert".to_owned());
        assert_eq!(told("(5)insert/build_up/main/Main.CAF"), whole);
        for cut in
            ["(5)insert/build_up/ma...", "(5)insert/build_up/...", "(5)insert/build_up...", "(5)ins..."]
        {
            assert_eq!(told(cut), whole, "{cut}");
        }
        assert_eq!(told("(1)MAIN").as_deref(), Some("MAIN"));
        assert_eq!(told("(2)Main.CAF").as_deref(), Some("Main.CAF"));
        // The number is of another stack, but only one fits.
        assert_eq!(told("(9)insert/build_up/ma..."), whole);
        assert_eq!(told("(5)insert/main/Main.CAF").as_deref(), Some("Main.CAF;Main.main;Main.insert"));
        // Two fit, and none.
        for other in [
            "(9)ins...",
            "(9)insert...",
            "(5)insert/build_up",
            "(5)delete/build_up...",
            "insert",
            "(3)insert,main",
        ] {
            assert_eq!(told(other), None, "{other}");
        }
    }

    #[test]
    fn files_of_one_run() {
        for name in ["a.hp", "a.hc.hp", "a.prof", "a.hr.prof.gz", "a.hy.hp.gz"] {
            assert_eq!(run_of(name), "a", "{name}");
        }
        assert_eq!(run_of("a.b.prof"), "a.b");
    }
}
