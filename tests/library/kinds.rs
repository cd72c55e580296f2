//! Kinds of objects (`src/heap/object/kind.rs`): a new one does not compile before everybody who distinguishes kinds has
//! named it, and nobody compares the bytes of kinds.

use std::path::{Path, PathBuf};
use std::process::Command;

const KINDS: &str = "src/heap/object/kind.rs";

/// Who has to say something of a new kind before it compiles.
const ASKED: &[(&str, &str)] = &[
    (KINDS, "ALL"),
    (KINDS, "groups"),
    ("src/heap/object/lazy.rs", "problem"),
    ("src/heap/object/lazy.rs", "place"),
    ("src/heap/object/model.rs", "variable_size"),
    ("src/heap/object/model.rs", "each_slot_of_rare"),
    ("src/heap/object/naming.rs", "layout"),
    ("src/profile/snapshot/file.rs", "sort_of"),
    ("src/profile/space/kinds.rs", "usual"),
    ("src/profile/space/kinds.rs", "payload_bytes"),
];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn files(folder: &Path, into: &mut Vec<PathBuf>) {
    for path in std::fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            files(&path, into);
        } else if path.extension().is_some_and(|end| end == "rs") {
            into.push(path);
        }
    }
}

/// The sources of the library by their paths within it.
fn sources() -> Vec<(String, String)> {
    let mut paths = Vec::new();
    files(&root().join("src"), &mut paths);
    let within = |path: &PathBuf| path.strip_prefix(root()).expect("a file of ours").display().to_string();
    paths.iter().map(|path| (within(path), std::fs::read_to_string(path).expect("Rust is text"))).collect()
}

/// The function or constant that a line belongs to.
fn owner(text: &str, line: usize) -> &str {
    let before: Vec<&str> = text.lines().take(line).collect();
    let named = |line: &&str| {
        let after = line.split("fn ").nth(1).or_else(|| line.split("const ").nth(1)).unwrap_or("");
        let end = after.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(after.len());
        !after[..end].is_empty() && line.trim_end().ends_with(['{', '('])
    };
    let line = before.iter().rev().find(|line| named(line)).expect("an item");
    let after = line.split("fn ").nth(1).or_else(|| line.split("const ").nth(1)).expect("it was found");
    &after[..after.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(after.len())]
}

/// Puts a copy of the library that has one kind more into `folder`, and says where the compiler refuses it.
fn refused(folder: &Path, kinds: &str) -> Vec<(String, String)> {
    let sources = sources();
    for (path, text) in &sources {
        let to = folder.join(path);
        std::fs::create_dir_all(to.parent().expect("a folder")).expect("a folder for the copy");
        std::fs::write(&to, if path == KINDS { kinds } else { text }).expect("the copy is written");
    }
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).expect("Cargo.toml");
    let part = |name: &str| {
        let after = manifest.split(&format!("\n[{name}]\n")).nth(1).expect("a section");
        format!("[{name}]\n{}\n", after.split("\n[").next().expect("a section"))
    };
    let package = "[workspace]\n[package]\nname = \"barrow\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
    // Its build script stays behind, and with it the crates for that.
    let features = part("features").replace("[\"dep:cbindgen\"]", "[]");
    let manifest = format!("{package}{}{features}{}", part("dependencies"), part("lints.rust"));
    std::fs::write(folder.join("Cargo.toml"), manifest).expect("the copy is written");
    std::fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock")).expect("the copy is written");
    let checked = Command::new(env!("CARGO"))
        .args(["check", "--lib", "--offline", "--color", "never", "--target-dir"])
        .arg(folder.join("target"))
        .current_dir(folder)
        .env("BARROW_GENERATED", env!("BARROW_GENERATED"))
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .output()
        .expect("cargo runs");
    let said = String::from_utf8_lossy(&checked.stderr);
    let mut places = Vec::new();
    for error in said.split("\nerror[E0004]").skip(1) {
        let at =
            error.lines().find_map(|line| line.trim().strip_prefix("--> ")).expect("an error has a place");
        let mut parts = at.split(':');
        let (path, line) = (parts.next().expect("a path"), parts.next().expect("a line"));
        let text = if path == KINDS { kinds } else { &sources.iter().find(|s| s.0 == path).expect("ours").1 };
        places.push((path.to_string(), owner(text, line.parse().expect("a number")).to_string()));
    }
    assert!(checked.status.success() || !places.is_empty(), "refused for another reason:\n{said}");
    places
}

#[test]
fn a_new_kind_compiles_nowhere() {
    let kinds = std::fs::read_to_string(root().join(KINDS)).expect("Rust is text");
    let planted = kinds.replacen("    WeakArray = 14,\n", "    WeakArray = 14,\n    Planted = 15,\n", 1);
    assert_ne!(kinds, planted, "the enumeration has changed");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("planted-kind");
    let mut places = refused(&folder, &planted);
    places.sort();
    places.dedup();
    let mut asked: Vec<_> = ASKED.iter().map(|&(path, name)| (path.to_string(), name.to_string())).collect();
    asked.sort();
    assert_eq!(places, asked, "these distinguish kinds");
}

/// The arms of the `match` around `at`, each from its beginning, without what stands deeper.
fn arms_around(text: &str, at: usize) -> Vec<&str> {
    let (mut depth, mut start) = (0, 0);
    for (i, c) in text[..at].char_indices().rev() {
        match c {
            '}' | ')' | ']' => depth += 1,
            '(' | '[' => depth -= 1,
            '{' if depth <= 0 => {
                start = i + 1;
                break;
            }
            '{' => depth -= 1,
            _ => {}
        }
    }
    let (mut arms, mut depth, mut begin) = (Vec::new(), 0, start);
    for (i, c) in text[start..].char_indices() {
        match c {
            '{' | '(' | '[' => depth += 1,
            '}' | ')' | ']' if depth == 0 => break,
            '}' | ')' | ']' => depth -= 1,
            ',' | '\n' if depth == 0 => {
                arms.push(text[begin..start + i].trim());
                begin = start + i + 1;
            }
            _ => {}
        }
    }
    arms
}

fn without_comments(text: &str) -> String {
    text.lines().map(|line| line.split("//").next().unwrap_or("")).collect::<Vec<_>>().join("\n")
}

/// The names of all kinds.
fn names() -> Vec<&'static str> {
    let text = include_str!("../../src/heap/object/kind.rs");
    let list = text.split("\nall_kinds! {").nth(1).and_then(|rest| rest.split('}').next()).expect("the list");
    list.split_whitespace().collect()
}

/// Places where kinds are told apart and another one would slip through.
fn leaks(text: &str) -> Vec<String> {
    let text = without_comments(text);
    let mut found = Vec::new();
    for name in names() {
        let kind = format!("Kind::{name}");
        for (at, _) in text.match_indices(&kind) {
            let (before, after) = (&text[..at], &text[at + kind.len()..]);
            if after.starts_with(|c: char| c.is_alphanumeric())
                || before.ends_with(|c: char| c.is_alphanumeric())
            {
                continue;
            }
            let line = before.rsplit('\n').next().unwrap_or("").trim_start();
            if after.starts_with(" as u8") && !line.contains("kind: ") {
                found.push(format!("{line}{kind} as u8"));
            }
            if before[before.len().saturating_sub(80)..]
                .rsplit(';')
                .next()
                .is_some_and(|s| s.contains("matches!("))
            {
                found.push(format!("{line}{kind} in matches!"));
            }
            let is_arm = line.chars().all(|c| c.is_alphanumeric() || " |:@(".contains(c))
                && after.find("=>").is_some_and(|arrow| !after[..arrow].contains([';', '{', '=']));
            if is_arm
                && arms_around(&text, at).iter().any(|arm| arm.starts_with("_ =>") || arm.starts_with("_ if"))
            {
                found.push(format!("{line}{kind} beside _ =>"));
            }
        }
    }
    found
}

/// The random programs tell layouts in their own way; of what they make they pick kinds as they like.
#[test]
fn kinds_are_told_apart_by_name() {
    for (path, text) in
        sources().iter().filter(|(path, _)| !path.starts_with("src/testkit/") && path != KINDS)
    {
        assert_eq!(leaks(text), Vec::<String>::new(), "in {path}");
    }
}

#[test]
fn leaks_are_found() {
    assert_eq!(names().len(), 36);
    assert_eq!(leaks("if info.kind == Kind::Bytes as u8 {}").len(), 1);
    assert_eq!(leaks("matches!(kind, Kind::Bytes)").len(), 1);
    assert_eq!(leaks("match kind {\n    Some(Kind::Bytes) => { f(_x) }\n    _ => {}\n}").len(), 1);
    assert_eq!(
        leaks("match kind {\n    Kind::Bytes => match y { _ => 1 },\n    Kind::Fun => 2,\n}").len(),
        0
    );
    assert_eq!(leaks("Info { kind: Kind::Bytes as u8 }").len(), 0);
}
