//! Who may call each function of the header, and when: a sentence at the end of its comment, by `build/threads.txt`.

use std::collections::HashMap;

const CLASSES: &str = include_str!("threads.txt");

/// The class of a function by its first parameter.
fn usual(first: &str) -> &'static str {
    match first.rsplit("barrow_").next().map(|rest| rest.split(' ').next().unwrap_or("")) {
        Some("mutator") => "own",
        Some("heap") => "heap",
        Some("visitor" | "resolver") => "callback",
        _ => "any",
    }
}

/// Gives the comments of functions their last sentence. `code` is an item without its comment.
pub fn tell(items: &mut HashMap<String, String>, code: fn(&str) -> &str) {
    let lines = || CLASSES.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let sentences: HashMap<&str, &str> =
        lines().filter_map(|line| line.strip_prefix("= ")?.split_once("  ")).collect();
    let mut classes = HashMap::new();
    for line in lines().filter(|line| !line.starts_with('=')) {
        let (class, names) = line.split_once(' ').unwrap_or_else(|| panic!("build/threads.txt: {line}"));
        for name in names.split(' ') {
            assert!(items.contains_key(name), "build/threads.txt: there is no {name}");
            assert!(classes.insert(name, class).is_none(), "build/threads.txt: {name} stands twice");
        }
    }
    for (name, item) in items.iter_mut() {
        let text = code(item);
        if text.starts_with(['#', 't']) || !text.contains('(') {
            continue;
        }
        let first = text.split_once('(').and_then(|(_, rest)| rest.split([',', ')']).next()).unwrap_or("");
        let class = classes.get(name.as_str()).copied().unwrap_or_else(|| usual(first));
        let sentence = sentences.get(class).unwrap_or_else(|| panic!("build/threads.txt: no class {class}"));
        let words = &item[..item.len() - text.len()];
        let Some(words) = words.strip_suffix(" */\n") else { continue };
        *item = format!("{words} *\n * {sentence}\n */\n{text}");
    }
}
