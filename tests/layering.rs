//! Arrows between layers go down only: a file names its own layer and those below. Files that name each other in a circle are
//! three at most.

#[path = "support/circles.rs"]
mod circles;
#[path = "support/files.rs"]
mod files;
#[path = "support/layers.rs"]
mod layers;

use circles::{Sources, circles};
use files::files;
use layers::LAYERS;
use std::path::{Path, PathBuf};

/// The layers that a text names, in paths such as `crate::heap::Mutator` and groups such as `crate::{base, os}`.
fn named(text: &str) -> Vec<&str> {
    let mut names = Vec::new();
    for (at, _) in text.match_indices("crate::") {
        let rest = &text[at + "crate::".len()..];
        if let Some(group) = rest.strip_prefix('{') {
            let (mut depth, mut start) = (0, true);
            for (i, c) in group.char_indices() {
                match c {
                    '{' => depth += 1,
                    '}' if depth == 0 => break,
                    '}' => depth -= 1,
                    ',' if depth == 0 => start = true,
                    c if start && c.is_alphabetic() => {
                        names.push(first_word(&group[i..]));
                        start = false;
                    }
                    _ => {}
                }
            }
        } else {
            names.push(first_word(rest));
        }
    }
    names
}

fn first_word(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    &text[..end]
}

fn without_comments(text: &str) -> String {
    text.lines().map(|line| line.split("//").next().unwrap_or("")).collect::<Vec<_>>().join("\n")
}

#[test]
fn arrows_go_down() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut all = Vec::new();
    files(&source, &mut all);
    let mut wrong = Vec::new();
    for path in all {
        let within = path.strip_prefix(&source).expect("a file of src");
        let layer = within.iter().next().and_then(|part| part.to_str()).unwrap_or("").trim_end_matches(".rs");
        if layer == "lib" || layer == "testkit" {
            continue;
        }
        let Some(own) = LAYERS.iter().position(|known| *known == layer) else {
            panic!("src/{} is in no layer; tests/layering.rs lists them", within.display());
        };
        let text = std::fs::read_to_string(&path).expect("Rust is text");
        for name in named(&without_comments(&text)) {
            if name == "testkit"
                || LAYERS.iter().position(|known| *known == name).is_some_and(|other| other > own)
            {
                wrong.push(format!("src/{} ({layer}) names {name}", within.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "arrows that go up:\n{}", wrong.join("\n"));
}

#[test]
fn names_are_found() {
    let text = "use crate::{base::{Addr, List}, os, heap::gc};\nlet x = crate::runtime::heap();";
    assert_eq!(named(text), ["base", "os", "heap", "runtime"]);
}

/// Files that can only be read together.
const MOST_IN_A_CIRCLE: usize = 3;

#[test]
fn circles_of_files_are_small() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut all = Vec::new();
    files(&source, &mut all);
    let named = |path: &PathBuf| path.strip_prefix(&source).expect("a file of src").display().to_string();
    let sources: Sources =
        all.iter().map(|path| (named(path), std::fs::read_to_string(path).expect("Rust is text"))).collect();
    assert!(sources.len() > 300);
    let large: Vec<_> =
        circles(&sources).into_iter().filter(|circle| circle.len() > MOST_IN_A_CIRCLE).collect();
    assert!(large.is_empty(), "files that name each other in a circle: {large:#?}");
}

#[test]
fn circles_are_found() {
    let sources = |files: &[(&str, &str)]| -> Sources {
        files.iter().map(|(file, text)| (file.to_string(), text.to_string())).collect()
    };
    let found = sources(&[
        ("a/mod.rs", "mod one;"),
        ("a/one.rs", "use super::two::Two;\n#[cfg(test)]\nmod tests { use crate::b::Four; }"),
        ("a/two.rs", "use crate::{b::{self as c, Three}, x};\n// crate::alone"),
        ("alone.rs", "use crate::a::one;"),
        ("b.rs", "fn f(_: crate::a::one::One<crate::alone::Alone>) {}"),
    ]);
    assert_eq!(circles(&found), [vec!["a/one.rs", "a/two.rs", "alone.rs", "b.rs"]]);
    let none = sources(&[("a.rs", "use crate::b;"), ("b.rs", "use std::a; // crate::a")]);
    assert!(circles(&none).is_empty());
}
