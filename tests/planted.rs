//! Planted bugs (`src/base/planted.rs`): the table and the places agree, each invariant has a bug, a release has none.

#[path = "support/invariants.rs"]
mod invariants;
#[path = "support/layers.rs"]
mod layers;

use invariants::stated_in;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

const TABLE: &str = include_str!("planted/table");

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

struct Bug {
    name: &'static str,
    invariant: &'static str,
    found_by: &'static str,
    what: &'static str,
}

fn lines() -> impl Iterator<Item = Vec<&'static str>> {
    TABLE
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .map(|line| line.splitn(5, " | ").collect())
}

fn bugs() -> BTreeMap<u32, Bug> {
    let mut bugs = BTreeMap::new();
    for line in lines().filter(|line| line[0] != "none") {
        let [number, name, invariant, found_by, what] = line[..] else {
            panic!("not five columns: {line:?}")
        };
        let number = number.parse().unwrap_or_else(|_| panic!("{number} is no number"));
        let before = bugs.insert(number, Bug { name, invariant, found_by, what });
        assert!(before.is_none(), "two bugs have the number {number}");
    }
    bugs
}

/// Invariants that have no bug, and why.
fn unplanted() -> BTreeMap<&'static str, &'static str> {
    let rows = lines().filter(|line| line[0] == "none");
    rows.map(|line| match line[..] {
        ["none", tag, reason] => (tag, reason),
        _ => panic!("not three columns: {line:?}"),
    })
    .collect()
}

fn files(folder: &Path, into: &mut Vec<PathBuf>) {
    for path in std::fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            files(&path, into);
        } else {
            into.push(path);
        }
    }
}

/// Where each number stands in the source.
fn places() -> BTreeMap<u32, Vec<String>> {
    let mut sources = Vec::new();
    files(&root().join("src"), &mut sources);
    let mut places: BTreeMap<u32, Vec<String>> = BTreeMap::new();
    for path in sources.into_iter().filter(|path| !path.ends_with("base/planted.rs")) {
        let text = std::fs::read_to_string(&path).expect("Rust is text");
        for after in text.split("planted!(").skip(1) {
            let number = after.trim_start().split(|c: char| !c.is_ascii_digit()).next().unwrap();
            let number = number.parse().unwrap_or_else(|_| panic!("no number in {}", path.display()));
            places.entry(number).or_default().push(path.display().to_string());
        }
    }
    places
}

#[test]
fn each_bug_is_at_one_place() {
    let (bugs, places) = (bugs(), places());
    for (number, bug) in &bugs {
        let at = places.get(number).map_or(0, Vec::len);
        assert_eq!(at, 1, "planted bug {number} ({}) is at {at} places", bug.name);
    }
    for (number, at) in &places {
        assert!(bugs.contains_key(number), "tests/planted/table does not have {number}, in {}", at[0]);
    }
    assert!(bugs.len() > 80);
}

#[test]
fn rows_are_whole() {
    let mut names = BTreeSet::new();
    for (number, bug) in bugs() {
        let plain = bug.name.bytes().all(|b| b.is_ascii_lowercase() || b == b'-' || b.is_ascii_digit());
        assert!(plain && names.insert(bug.name), "the name of {number}: {}", bug.name);
        assert!(bug.what.ends_with('.') && bug.what.len() > 20, "{number} does not say what is broken");
        let words: Vec<_> = bug.found_by.split(' ').collect();
        let exists = match words[..] {
            ["model"] | ["open"] | ["lib", _] => true,
            ["test", file] => root().join(format!("tests/{file}.rs")).exists(),
            ["test", folder, filter] => filter
                .strip_suffix("::")
                .is_some_and(|file| root().join(format!("tests/{folder}/{file}.rs")).exists()),
            ["c" | "full", ..] => {
                words[1..].iter().all(|name| root().join(format!("c-tests/{name}.c")).exists())
            }
            _ => false,
        };
        assert!(exists, "{number}: nothing is called {}", bug.found_by);
    }
}

#[test]
fn each_invariant_has_a_bug() {
    let mut pages = Vec::new();
    files(&root().join("docs/design"), &mut pages);
    let texts: Vec<_> = pages.iter().map(|page| std::fs::read_to_string(page).expect("text")).collect();
    let stated: BTreeSet<&str> = texts.iter().flat_map(|text| stated_in(text)).collect();
    let (bugs, unplanted) = (bugs(), unplanted());
    let planted: BTreeSet<&str> = bugs.values().map(|bug| bug.invariant).filter(|tag| *tag != "-").collect();
    let unknown: Vec<_> =
        planted.iter().chain(unplanted.keys()).filter(|tag| !stated.contains(**tag)).collect();
    assert!(unknown.is_empty(), "no page states {unknown:?}");
    let both: Vec<_> = unplanted.keys().filter(|tag| planted.contains(**tag)).collect();
    assert!(both.is_empty(), "{both:?} have a bug and a reason why none can be planted");
    for (tag, reason) in &unplanted {
        assert!(reason.ends_with('.') && reason.len() > 20, "{tag}: no reason");
    }
    let missing: Vec<_> =
        stated.iter().filter(|tag| !planted.contains(**tag) && !unplanted.contains_key(**tag)).collect();
    assert!(missing.is_empty(), "plant a bug for each of these, or say why there can be none: {missing:#?}");
}

/// Neither the variable's name nor a function of the module is in the library that is built without the feature.
#[test]
#[cfg(not(feature = "planted"))]
fn a_library_without_the_feature_has_none() {
    let here = std::env::current_exe().expect("a test has a path");
    let beside = here.parent().expect("a test lies in a directory");
    let mut looked_at = 0;
    for name in ["libbarrow.so", "libbarrow.a"] {
        let Ok(library) = std::fs::read(beside.join(name)) else { continue };
        looked_at += 1;
        // A word of the library without debugging information, which shows that words are found.
        assert!(library.windows(12).any(|bytes| bytes == b"BARROW_FLAGS"), "{name} has no words");
        for word in ["BARROW_PLANTED", "4base7planted", "base::planted"] {
            let found = library.windows(word.len()).any(|bytes| bytes == word.as_bytes());
            assert!(!found, "{name} has {word} in it");
        }
    }
    assert_eq!(looked_at, 2, "libraries beside {}", here.display());
}
