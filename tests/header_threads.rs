//! The threads that may call each function of barrow.h: each comment says it, the functions do what it says, and a test calls
//! each from several threads at once (c-tests/callers/programs.txt).

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

const HEADER: &str = include_str!("../include/barrow.h");
const CLASSES: &str = include_str!("../build/threads.txt");
const SIGN: &str = " * Threads: ";

/// The functions of the header with the sentence that ends the comment of each.
fn told() -> BTreeMap<&'static str, Option<&'static str>> {
    let mut found = BTreeMap::new();
    for (at, _) in HEADER.match_indices("*/\n") {
        let comment = HEADER[..at].rfind("/**").map_or("", |from| &HEADER[from..at]);
        let code = HEADER[at + 3..].split(';').next().unwrap_or_default();
        if code.contains('{') || code.contains("typedef") || code.trim_start().starts_with('#') {
            continue;
        }
        let Some(name) = code.split('(').next().and_then(|before| before.rsplit([' ', '*']).next()) else {
            continue;
        };
        if code.contains('(') && name.starts_with("barrow_") {
            let last = comment.trim_end().lines().last().unwrap_or_default();
            found.insert(name, last.strip_prefix(SIGN));
        }
    }
    found
}

fn sentences() -> BTreeMap<&'static str, &'static str> {
    let lines = CLASSES.lines().filter_map(|line| line.strip_prefix("= ")?.split_once("  Threads: "));
    lines.map(|(class, sentence)| (sentence, class)).collect()
}

/// Each function with its class.
fn classes() -> BTreeMap<&'static str, &'static str> {
    let sentences = sentences();
    let class =
        |sentence: Option<&'static str>| sentence.and_then(|sentence| sentences.get(sentence).copied());
    told().into_iter().map(|(name, sentence)| (name, class(sentence).unwrap_or("none"))).collect()
}

#[test]
fn each_function_says_who_may_call_it() {
    let classes = classes();
    assert_eq!(classes.len(), include_str!("../abi/symbols.txt").lines().count());
    let silent: Vec<_> = classes.iter().filter(|(_, class)| **class == "none").collect();
    assert!(silent.is_empty(), "comments without a sentence on threads: {silent:?}");
}

fn sources(folder: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let files = std::fs::read_dir(folder).expect("the folder is there");
    let mut paths: Vec<_> = files.map(|file| file.expect("a file").path()).collect();
    paths.sort();
    paths.iter().map(|path| std::fs::read_to_string(path).expect("a text")).collect()
}

/// The exported functions whose bodies name one of these.
fn that_call(names: &[&str]) -> BTreeSet<String> {
    let text = sources("src/ffi");
    let exported = text.split("#[unsafe(no_mangle)]").skip(1);
    let bodies = exported.filter_map(|item| item.split("\n}\n").next()?.split("extern \"C\" fn ").nth(1));
    let calls = |body: &&str| names.iter().any(|name| body.contains(name));
    bodies.filter(calls).filter_map(|body| body.split('(').next()).map(str::to_string).collect()
}

#[test]
fn functions_do_as_they_say() {
    let classes = classes();
    let of_class = |class: &str| -> BTreeSet<String> {
        let named = classes.iter().filter(|(_, own)| **own == class);
        named.map(|(name, _)| name.to_string()).collect()
    };
    // These two stop others below, where they collect.
    let mut alone = that_call(&["with_mutator_alone("]);
    alone.extend(["barrow_census".to_string(), "barrow_snapshot".to_string()]);
    assert_eq!(of_class("alone"), alone);
    assert_eq!(of_class("leave"), that_call(&["leave_in_one_step(", "come_back_in_one_step("]));
    for (name, class) in &classes {
        let heap = HEADER.contains(&format!("{name}(struct barrow_heap *"));
        assert!(!heap || ["heap", "first"].contains(class), "{name} takes a heap, and is in class {class}");
    }
}

/// The page on threads names the changes that a program orders itself.
#[test]
fn the_page_names_changes_of_objects() {
    let page = include_str!("../docs/threads.md");
    let (_, rest) = page.split_once("that the program orders itself").expect("the page names them");
    let names = rest.split("\n\n").next().unwrap_or_default().split('`').skip(1).step_by(2);
    let told: BTreeSet<&str> = names.collect();
    let classes = classes();
    let changes: BTreeSet<&str> =
        classes.iter().filter(|(_, class)| **class == "change").map(|(name, _)| *name).collect();
    assert_eq!(told, changes);
}

/// C code without its comments.
fn without_comments(text: &str) -> String {
    let mut parts = text.split("/*");
    let first = parts.next().unwrap_or_default();
    let rest = parts.map(|part| part.split_once("*/").map_or("", |(_, code)| code));
    std::iter::once(first).chain(rest).collect()
}

#[test]
fn a_test_calls_each_from_several_threads() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("c-tests");
    let read = |file: &str| std::fs::read_to_string(folder.join(file)).expect("a file of the C tests");
    let programs = read("callers/programs.txt");
    let others = ["threads_still.c", "fork.c", "frames.h", "tasks.h"].map(str::to_owned);
    let tests: String =
        programs.lines().map(|name| format!("{name}.c")).chain(others).map(|file| read(&file)).collect();
    let code = without_comments(&tests);
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut calls: BTreeSet<&str> =
        code.split('(').filter_map(|before| before.rsplit(|c| !is_of_name(c)).next()).collect();
    // Code in assembler is handed the addresses of what it calls.
    let handed = code.split("(void *)(size_t)").skip(1);
    calls.extend(handed.filter_map(|rest| rest.split(|c| !is_of_name(c)).next()));
    // A callback's calls belong to the one thread that runs it.
    let classes = classes();
    let missing: Vec<&str> = classes
        .iter()
        .filter(|(name, class)| **class != "callback" && !calls.contains(*name))
        .map(|(name, _)| *name)
        .collect();
    assert!(missing.is_empty(), "no test calls these from several threads: {}", missing.join(" "));
}
