//! The documents are true where that can be checked: flags, files, invariants.

#[path = "support/invariants.rs"]
mod invariants;
#[path = "support/layers.rs"]
mod layers;
#[path = "support/openings.rs"]
mod openings;

use invariants::{in_brackets, stated_in};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn files(folder: &Path, ending: &str, into: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            files(&path, ending, into);
        } else if path.extension().is_some_and(|extension| extension == ending) {
            into.push(path);
        }
    }
}

fn pages() -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for folder in ["docs/design", "docs/decisions"] {
        files(&root().join(folder), "md", &mut found);
    }
    for name in [
        "README.md",
        "CONTRIBUTING.md",
        "docs/embedding.md",
        "docs/llvm.md",
        "docs/flags.md",
        "docs/glossary.md",
    ] {
        found.push(root().join(name));
    }
    found.into_iter().map(|path| (path.clone(), std::fs::read_to_string(path).unwrap())).collect()
}

#[test]
fn the_page_of_flags_is_the_option_table() {
    let help = barrow::base::flag::help().unwrap();
    let help = std::str::from_utf8(&help[..help.len() - 1]).unwrap();
    let page = std::fs::read_to_string(root().join("docs/flags.md")).unwrap();
    assert!(page.contains(&format!("```text\n{help}```\n")), "docs/flags.md should have this block:\n{help}");
}

/// Names in backquotes that begin with one of our folders, and targets of links.
#[test]
fn files_that_pages_name_exist() {
    let folders = ["src/", "tests/", "tools/", "include/", "docs/", "ci/", "packaging/", "benches/"];
    for (path, text) in pages() {
        for name in text.split('`').skip(1).step_by(2) {
            let ours = folders.iter().any(|folder| name.starts_with(folder));
            if ours && !name.contains([' ', '*']) {
                assert!(root().join(name).exists(), "{} names {name}", path.display());
            }
        }
        for after in text.split("](").skip(1) {
            let target = after.split([')', '#']).next().unwrap();
            let there = target.contains("://") || path.parent().unwrap().join(target).exists();
            assert!(there, "{} links to {target}", path.display());
        }
    }
}

#[test]
fn cited_invariants_are_stated_once() {
    let mut stated = BTreeSet::new();
    for (path, text) in pages() {
        for tag in stated_in(&text) {
            assert!(stated.insert(tag.to_string()), "{tag} is stated twice, by {} too", path.display());
        }
    }
    assert!(stated.len() > 30);
    let mut sources = Vec::new();
    files(&root().join("src"), "rs", &mut sources);
    let mut cited = 0;
    for path in sources {
        let text = std::fs::read_to_string(&path).unwrap();
        for line in text.lines().filter(|line| line.trim_start().starts_with("//")) {
            for tag in in_brackets(line) {
                assert!(stated.contains(tag), "{} cites {tag}, which no page states", path.display());
                cited += 1;
            }
        }
    }
    assert!(cited > 0, "no code cites an invariant");
    for (path, text) in pages() {
        for tag in in_brackets(&text) {
            assert!(stated.contains(tag), "{} cites {tag}, which no page states", path.display());
        }
    }
}

/// Lines of the one function that is a collection, and of the two that are a sample, each to be read aloud.
#[test]
fn a_collection_and_a_sample_are_one_page() {
    let named = [
        ("host/collect.rs", "collect_now"),
        ("host/census.rs", "sample_if_due"),
        ("host/census.rs", "take_census"),
    ];
    for (file, function) in named {
        let text = std::fs::read_to_string(root().join("src").join(file)).unwrap();
        let from = text.find(&format!(" fn {function}(")).unwrap();
        let lines = text[from..].split("\n    }\n").next().unwrap().lines().count() + 1;
        assert!((5..60).contains(&lines), "{file}: {function} has {lines} lines");
    }
}

/// A step of a walk: `3. `file` `function`: text`.
fn step_of(line: &str) -> Option<(&str, &str)> {
    let (number, rest) = line.split_once(". `")?;
    number.parse::<usize>().ok()?;
    let mut parts = rest.split('`');
    let (file, function) = (parts.next()?, parts.nth(1)?);
    Some((file, function))
}

/// Each step's function is in its file, an earlier file names it, and no walk is longer than it says.
#[test]
fn walks_lead_where_they_say() {
    let page = std::fs::read_to_string(root().join("docs/design/75-walks.md")).unwrap();
    let walks: Vec<&str> = page.split("\n## ").skip(1).collect();
    assert_eq!(walks.len(), 3);
    for walk in walks {
        let title = walk.lines().next().unwrap();
        let most = walk.split("At most ").nth(1).and_then(|rest| rest.split(' ').next()).unwrap();
        let steps: Vec<(&str, &str)> = walk.lines().filter_map(step_of).collect();
        assert!((4..=most.parse().unwrap()).contains(&steps.len()), "{title}: {} steps", steps.len());
        let mut read = String::new();
        for (file, function) in steps {
            let text = std::fs::read_to_string(root().join(file)).unwrap();
            assert!(
                read.is_empty() || read.contains(function),
                "{title}: nobody before {file} names {function}"
            );
            let definitions = [
                format!("fn {function}"),
                format!("struct {function}"),
                format!("{function}(barrow_mutator"),
                format!("const {function}"),
            ];
            assert!(definitions.iter().any(|d| text.contains(d)), "{title}: {file} has no {function}");
            read.push_str(&text);
        }
    }
}

/// Rows of the tables on a page, by what stands in their first cell.
fn rows(page: &str) -> Vec<String> {
    let text = std::fs::read_to_string(root().join(page)).unwrap();
    text.lines()
        .filter(|line| line.starts_with("| ") && !line.starts_with("| |"))
        .map(|line| line.split(" | ").next().unwrap().to_string())
        .collect()
}

/// Who contributes finds each script that the continuous checks run, and how long it takes.
#[test]
fn contributing_has_every_check() {
    let table = rows("CONTRIBUTING.md").join("\n");
    for entry in std::fs::read_dir(root().join("ci")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        // A number for other scripts.
        if name.ends_with(".sh") && name != "share.sh" {
            assert!(table.contains(&format!("`ci/{name}")), "CONTRIBUTING.md has no row for ci/{name}");
        }
    }
    let run = std::fs::read_to_string(root().join(".ci/run")).unwrap();
    for word in run.split_whitespace().filter(|word| word.ends_with(".sh") && word.contains('/')) {
        assert!(
            word.starts_with('#') || word.contains("share.sh") || table.contains(word),
            "CONTRIBUTING.md has no row for {word}"
        );
    }
}

#[test]
fn no_table_has_a_row_twice() {
    for page in ["README.md", "CONTRIBUTING.md", "docs/glossary.md"] {
        let mut seen = std::collections::HashSet::new();
        for row in rows(page) {
            assert!(row == "| word" || seen.insert(row.clone()), "{page} has a second row {row}");
        }
    }
}

/// Each noun has the file that owns it; that the file is there is another test's.
#[test]
fn nouns_have_their_files() {
    let page = std::fs::read_to_string(root().join("docs/glossary.md")).unwrap();
    let nouns = page.lines().filter(|line| line.starts_with("| ") && !line.ends_with("| its file |"));
    let without: Vec<&str> =
        nouns.filter(|row| !(row.ends_with(".rs` |") && row.contains("| `src/"))).collect();
    assert!(without.is_empty(), "docs/glossary.md has nouns without a file: {without:#?}");
}

/// The folder of a file: `src/gc`, or the first one for files that lie in it.
fn folder_of(path: &Path) -> String {
    let path = path.strip_prefix(root()).unwrap();
    let parts: Vec<&str> = path.parent().unwrap().iter().map(|part| part.to_str().unwrap()).collect();
    parts[..parts.len().min(2)].join("/")
}

#[test]
fn sentences_begin_with_their_nouns() {
    let mut wrong: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (folder, ending) in [("src", "rs"), ("docs", "md")] {
        let mut found = Vec::new();
        files(&root().join(folder), ending, &mut found);
        for path in found {
            let text = std::fs::read_to_string(&path).unwrap();
            let openings =
                if ending == "rs" { openings::in_comments(&text) } else { openings::in_page(&text) };
            let told =
                openings.iter().map(|(line, sentence)| format!("{}:{line}: {sentence}", path.display()));
            wrong.entry(folder_of(&path)).or_default().extend(told);
        }
    }
    for (folder, told) in wrong {
        assert!(told.is_empty(), "{folder} has {}:\n{}", told.len(), told.join("\n"));
    }
}

#[test]
fn wrong_openings_are_found() {
    let bad = "/// What lies there. It is seen. Those of the heap go.\n///\n/// # Safety\n/// As for `load`.\nfn f();\n// It is so.\n";
    assert_eq!(openings::in_comments(bad).len(), 3, "{:?}", openings::in_comments(bad));
    let bad = "# What it is\n\nA heap. So many are there.\n\n- They move.\n\n```c\nWhat is code\n```\n\n| One that is | it |\n";
    assert_eq!(openings::in_page(bad).len(), 3, "{:?}", openings::in_page(bad));
}
