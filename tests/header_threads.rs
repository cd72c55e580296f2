//! The threads that may call each function of barrow.h, and each form in line: a comment says it, the functions do what it says, and
//! a test calls each from several threads at once (c-tests/callers/programs.txt).

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

const HEADER: &str = include_str!("../include/barrow.h");
const CLASSES: &str = include_str!("../build/threads.txt");
const SIGN: &str = " * Threads: ";
/// The headers with forms in line. The last sentence of a form's comment says its threads, or the comment below the heading of its
/// part, or the first comment of the header.
const IN_LINE: [&str; 3] = [
    include_str!("../include/barrow/inline.h"),
    include_str!("../include/barrow/nanbox.h"),
    include_str!("../include/barrow/ticky.h"),
];

/// The functions of the header with the sentence that ends the comment of each.
fn told() -> BTreeMap<&'static str, Option<&'static str>> {
    let last = |comment: &'static str| comment.trim_end().lines().last().unwrap_or_default();
    functions().into_iter().map(|(name, comment)| (name, last(comment).strip_prefix(SIGN))).collect()
}

/// The functions of the header with their comments, each in one line.
fn comments() -> BTreeMap<&'static str, String> {
    let words =
        |comment: &str| comment.split_whitespace().filter(|word| *word != "*").collect::<Vec<_>>().join(" ");
    functions().into_iter().map(|(name, comment)| (name, words(comment))).collect()
}

fn functions() -> BTreeMap<&'static str, &'static str> {
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
            found.insert(name, comment);
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

/// A form in line: a function, or a macro of a mutator or of counters.
struct Form {
    name: &'static str,
    class: &'static str,
    /// What it takes, and what it does.
    code: &'static str,
}

/// The sentence on threads that ends a comment, in one line.
fn sentence_of(comment: &str) -> Option<String> {
    let comment = comment.split_once("*/").map_or(comment, |(comment, _)| comment);
    let (_, sentence) = comment.split_once("Threads: ")?;
    let sentence = sentence.split("\n *\n").next()?;
    let words = sentence.split_whitespace().filter(|word| *word != "*");
    Some(words.collect::<Vec<_>>().join(" "))
}

fn form_at(text: &'static str, at: usize) -> Option<Form> {
    let line = text[at..].lines().next()?;
    let (head, taken) = line.split_once('(')?;
    let name = head.rsplit([' ', '*']).next()?;
    let is_function = line.starts_with("static inline ");
    let is_macro = line.starts_with("#define ") && (taken.starts_with('m') || taken.starts_with("counters"));
    if name.ends_with('_') || !(is_function || is_macro) {
        return None;
    }
    let before = &text[..at];
    let own = before.strip_suffix("*/\n").and_then(|before| sentence_of(&before[before.rfind("/*")?..]));
    let part = || {
        let heading = before.rfind("/* ---- ");
        let below = heading.and_then(|heading| before[heading..].split_once('\n'));
        sentence_of(below.map_or(before, |(_, below)| below))
    };
    let class = own.or_else(part).and_then(|sentence| sentences().get(sentence.as_str()).copied());
    let code = if line.ends_with('}') { line } else { text[at..].split("\n}").next()? };
    Some(Form { name, class: class.unwrap_or("none"), code: if is_function { code } else { "" } })
}

fn forms() -> Vec<Form> {
    let starts = |text: &'static str| text.match_indices('\n').map(move |(at, _)| (text, at + 1));
    IN_LINE.into_iter().flat_map(starts).filter_map(|(text, at)| form_at(text, at)).collect()
}

#[test]
fn each_form_in_line_says_who_may_call_it() {
    let forms = forms();
    assert!(forms.len() > 90, "only {} forms are found", forms.len());
    for Form { name, class, code } in forms {
        let taken = code.split(')').next().unwrap_or_default();
        let of_mutator = name.starts_with("BARROW_") || taken.contains("(barrow_mutator *");
        let classes: &[&str] = match name {
            "BARROW_TICK" | "barrow_tick_decision" => &["single"],
            "BARROW_TICK_SHARED" | "barrow_tick_decision_shared" => &["any"],
            _ if of_mutator => &["own", "store", "change"],
            _ => &["look", "fresh", "any", "single"],
        };
        assert!(classes.contains(&class), "{name} says {class}, and is to say one of {classes:?}");
        let stores = ["BARROW_STORE_FIELD_(", "BARROW_STORE_RELEASE(", "__atomic_compare_exchange_n("];
        let seen = stores.iter().any(|store| code.contains(store));
        assert!(
            code.is_empty() || seen == (class == "store"),
            "{name} says {class}; others see its stores: {seen}"
        );
    }
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
    // These stop others below, where they collect.
    let mut alone = that_call(&["with_mutator_alone("]);
    alone.extend(
        ["barrow_census", "barrow_snapshot", "barrow_check", "barrow_retainer_set_of", "barrow_why"]
            .map(String::from),
    );
    assert_eq!(of_class("alone"), alone);
    assert_eq!(of_class("leave"), that_call(&["leave_in_one_step(", "come_back_in_one_step("]));
    for (name, class) in &classes {
        let heap = HEADER.contains(&format!("{name}(struct barrow_heap *"));
        assert!(!heap || ["heap", "first"].contains(class), "{name} takes a heap, and is in class {class}");
    }
}

/// The functions that let another thread collect, each with its comment in one line.
fn safepoints() -> BTreeMap<&'static str, String> {
    let mut found = that_call(&["with_mutator_alone(", "stand_unless_open(", "next_due(", "call_function("]);
    // These let others collect below.
    found.extend(
        ["barrow_detach", "barrow_safepoint", "barrow_wait_for", "barrow_space_point"].map(String::from),
    );
    found.extend(classes().iter().filter(|(_, class)| **class == "alone").map(|(name, _)| name.to_string()));
    let is_one = |name: &str, comment: &str| found.contains(name) || says_so(comment);
    comments().into_iter().filter(|(name, comment)| is_one(name, comment)).collect()
}

/// A comment says that references are in roots: where the call begins, or where it ends.
fn says_so(comment: &str) -> bool {
    let said =
        ["very live reference is in a root", "is needed when it stays is in a root", "function may collect"];
    said.iter().any(|words| comment.contains(words))
}

#[test]
fn calls_in_which_others_collect_say_so() {
    let silent = safepoints().into_iter().filter(|(_, comment)| !says_so(comment));
    let silent: Vec<_> = silent.map(|(name, _)| name).collect();
    assert!(silent.is_empty(), "these do not say that every live reference is in a root: {silent:?}");
}

/// The page on threads has all safepoints in its two lists.
#[test]
fn the_page_names_safepoints() {
    let page = include_str!("../docs/threads.md");
    let list = |from: &str, to: &str| {
        let (_, rest) = page.split_once(from).unwrap_or_else(|| panic!("the page has a list: {from}"));
        rest.split(to).next().unwrap_or_default().split('`').skip(1).step_by(2)
    };
    let named: BTreeSet<&str> = list("Safepoints are the calls", "A loop that allocates nothing")
        .chain(list("Calls that look at all mutators", "Every live reference"))
        .collect();
    // Of the forms in line the page has the names that programs use.
    let like =
        |name: &str| ["barrow_alloc_slow", "barrow_reserve_slow"].iter().any(|of| name.starts_with(of));
    let missing: Vec<_> =
        safepoints().into_keys().filter(|name| !named.contains(name) && !like(name)).collect();
    assert!(missing.is_empty(), "docs/threads.md has these in no list of safepoints: {missing:?}");
}

/// The page on threads names the changes that a program orders itself.
#[test]
fn the_page_names_changes_of_objects() {
    let page = include_str!("../docs/threads.md");
    let (_, rest) =
        page.split_once("The program itself orders changes of an object").expect("the page names them");
    let names = rest.split("\n\n").next().unwrap_or_default().split('`').skip(1).step_by(2);
    let told: BTreeSet<&str> = names.collect();
    let classes = classes();
    let is_change = |class: &str| ["change", "handle"].contains(&class);
    let changes: BTreeSet<&str> =
        classes.iter().filter(|(_, class)| is_change(class)).map(|(name, _)| *name).collect();
    assert_eq!(told, changes);
}

/// C code without its comments.
fn without_comments(text: &str) -> String {
    let mut parts = text.split("/*");
    let first = parts.next().unwrap_or_default();
    let rest = parts.map(|part| part.split_once("*/").map_or("", |(_, code)| code));
    std::iter::once(first).chain(rest).collect()
}

/// Calls with a heap alone may come from threads that have no mutator of it; these two are refused beside mutators of others.
#[test]
fn a_test_calls_those_with_a_heap_from_outside() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("c-tests/threads_outside.c");
    let text = std::fs::read_to_string(file).expect("a file of the C tests");
    let code = without_comments(&text);
    let refused = ["barrow_heap_free", "barrow_use_table"];
    let classes = classes().into_iter().filter(|(name, class)| *class == "heap" && !refused.contains(name));
    let missing: Vec<&str> =
        classes.map(|(name, _)| name).filter(|name| !code.contains(&format!("{name}("))).collect();
    assert!(missing.is_empty(), "no test calls these from threads without a mutator: {missing:?}");
}

#[test]
fn a_test_calls_each_from_several_threads() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("c-tests");
    let read = |file: &str| std::fs::read_to_string(folder.join(file)).expect("a file of the C tests");
    let programs = read("callers/programs.txt");
    let others = ["threads_still.c", "frames.h", "tasks.h"].map(str::to_owned);
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
    let classes = classes().into_iter().filter(|(_, class)| *class != "callback");
    let names = classes.map(|(name, _)| name).chain(forms().into_iter().map(|form| form.name));
    let missing: BTreeSet<&str> = names.filter(|name| !calls.contains(name)).collect();
    assert!(missing.is_empty(), "no test calls these from several threads: {missing:?}");
}
