//! The C surface is thin: a body has ten lines of code at most, no method of a runtime or a host is written there, and a
//! reader finds files and functions in the order of the header.

use std::path::{Path, PathBuf};

const MOST_LINES: usize = 10;

fn files() -> Vec<(String, String)> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/ffi");
    let entries = std::fs::read_dir(directory).expect("src/ffi can be read");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    let read = |path: PathBuf| {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        (name, std::fs::read_to_string(path).expect("a source can be read"))
    };
    paths.into_iter().map(read).collect()
}

/// The name of a function whose signature begins on this line.
fn function_of(line: &str) -> Option<&str> {
    let (before, after) = line.trim_start().split_once("fn ")?;
    let is_word = |word: &str| {
        matches!(word, "pub" | "pub(super)" | "pub(crate)" | "const" | "unsafe" | "extern")
            || word.starts_with('"')
    };
    let is_one = before.split_whitespace().all(is_word);
    let end = after.find(|c: char| !c.is_alphanumeric() && c != '_')?;
    (is_one && end > 0).then(|| &after[..end])
}

/// The functions of a text with the number of lines in their bodies: blank lines and comments do not count.
fn bodies(text: &str) -> Vec<(&str, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some(name) = function_of(line) else { continue };
        let begin = (at..lines.len())
            .find(|&at| lines[at].ends_with(['{', ';', '}']))
            .expect("a function has an end");
        if !lines[begin].ends_with('{') {
            continue;
        }
        let indent = &line[..line.len() - line.trim_start().len()];
        let closes = |at: &usize| lines[*at].strip_prefix(indent).is_some_and(|rest| rest.starts_with('}'));
        let end = (begin + 1..lines.len()).find(closes).expect("a body ends where its function is indented");
        let is_code = |line: &&&str| !line.trim().is_empty() && !line.trim_start().starts_with("//");
        found.push((name, lines[begin + 1..end].iter().filter(is_code).count()));
    }
    found
}

#[test]
fn lines_are_counted() {
    let text = "/// Says fn.\npub unsafe extern \"C\" fn long(\n    a: u8,\n) -> u8 {\n    // a comment\n    one();\n\n    if two {\n        \
                three()\n    }\n}\n\nimpl X {\n    fn short() {}\n    fn one() {\n        1\n    }\n}\n";
    assert_eq!(bodies(text), [("long", 4), ("one", 1)]);
}

#[test]
fn bodies_are_short() {
    let (mut long, mut count) = (Vec::new(), 0);
    for (file, text) in files() {
        for (name, lines) in bodies(&text) {
            count += 1;
            if lines > MOST_LINES {
                long.push(format!("src/ffi/{file}.rs: {name} has {lines} lines"));
            }
        }
    }
    assert!(count > 250, "{count} functions");
    assert!(
        long.is_empty(),
        "more than {MOST_LINES} lines: move the work to a layer below\n{}",
        long.join("\n")
    );
}

#[test]
fn methods_are_written_below() {
    for (file, text) in files() {
        for of in ["Runtime", "Host", "Store", "Profilers", "Mutator"] {
            let is_impl = |line: &str| line.starts_with("impl") && line.contains(&format!(" {of} {{"));
            assert!(!text.lines().any(is_impl), "src/ffi/{file}.rs has methods of {of}");
        }
    }
}

/// The names of the header's outline, with the number of their section.
fn outline() -> Vec<(usize, &'static str)> {
    let (mut section, mut names) = (0, Vec::new());
    for line in include_str!("../build/outline.txt").lines() {
        if line.starts_with("== ") {
            section += 1;
        } else if let Some(name) = line.split_whitespace().next().filter(|name| !name.starts_with(['#', '|']))
        {
            names.push((section, name));
        }
    }
    names
}

#[test]
fn functions_stand_in_the_order_of_the_header() {
    let outline = outline();
    let mut sections = Vec::new();
    for (file, text) in files() {
        let exported: Vec<&str> = bodies(&text)
            .into_iter()
            .map(|(name, _)| name)
            .filter(|name| name.starts_with("barrow_"))
            .collect();
        let place = |name: &&str| {
            outline
                .iter()
                .position(|(_, known)| known == name)
                .unwrap_or_else(|| panic!("{name} is not in build/outline.txt"))
        };
        let places: Vec<usize> = exported.iter().map(place).collect();
        assert!(places.is_sorted(), "src/ffi/{file}.rs is not in the order of the header: {exported:?}");
        let Some(&first) = places.first() else { continue };
        let section = outline[first].0;
        let strange = places.iter().find(|&&place| outline[place].0 != section);
        assert_eq!(strange.map(|&place| outline[place].1), None, "src/ffi/{file}.rs: another section's");
        sections.push((file, section));
    }
    let modules = include_str!("../src/ffi/mod.rs").lines();
    let listed = modules.filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'));
    let section_of =
        |module: &str| sections.iter().find(|(file, _)| file == module).map(|&(_, section)| section);
    let order: Vec<Option<usize>> = listed.map(section_of).collect();
    assert_eq!(order.len(), sections.len(), "src/ffi/mod.rs lists each file that exports something");
    assert!(order.is_sorted(), "src/ffi/mod.rs lists files in the order of the header's sections: {order:?}");
}
