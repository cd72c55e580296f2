//! What the tests of `hpc` share: a copy of the fixtures, running the command, and what XML and HTML have to be.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

pub fn copy_tree(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("fixtures") {
        let entry = entry.expect("fixtures");
        let target = to.join(entry.file_name());
        if entry.file_type().expect("fixtures").is_dir() {
            copy_tree(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).expect("a copy");
        }
    }
}

/// `barrow hpc ARGUMENTS` in `dir`.
pub fn hpc(dir: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_barrow"));
    command.arg("hpc").args(arguments).current_dir(dir).output().expect("barrow runs")
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("output is UTF-8")
}

/// Every tag of an XML or HTML text is closed in order, and every `<` and `&` begins what it should.
pub fn well_formed(text: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['<', '&']) {
        let here = &rest[at..];
        let shown: String = here.chars().take(60).collect();
        if here.starts_with('&') {
            let end = here.find(';').expect(&shown);
            let name = &here[1..end];
            assert!(
                name.len() < 10 && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '#'),
                "{shown}"
            );
            rest = &here[end..];
            continue;
        }
        let end = here.find('>').expect(&shown);
        let tag = &here[1..end];
        assert!(!tag.contains('<') && tag.matches('"').count().is_multiple_of(2), "{shown}");
        rest = &here[end + 1..];
        let name = tag.split_whitespace().next().expect(&shown).trim_end_matches('/');
        if let Some(name) = name.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "{shown}");
        } else if tag.ends_with('/') || name.starts_with(['!', '?']) || name == "meta" {
            // Closed in itself, or never.
        } else if matches!(name, "script" | "style") {
            let closing = format!("</{name}>");
            let after = rest.find(&closing).expect(&shown) + closing.len();
            rest = &rest[after..];
        } else {
            assert!(name.chars().all(|c| c.is_ascii_alphanumeric()), "{shown}");
            open.push(name);
        }
    }
    assert!(open.is_empty(), "never closed: {open:?}");
}
