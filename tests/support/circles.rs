//! Which files of the library name each other, by `crate::` and `super::` paths in `use` lines and in code, and the circles
//! that this makes. What files of tests, and tests inside a file, name does not count, nor do folders (`mod.rs`).

use std::collections::BTreeMap;

/// Files, by their paths in `src`, and what is in them.
pub type Sources = BTreeMap<String, String>;

/// Circles of files, the largest first.
pub fn circles(sources: &Sources) -> Vec<Vec<&str>> {
    let mut walk = Walk { arrows: arrows(sources), ..Walk::default() };
    for file in sources.keys() {
        if !walk.order.contains_key(file.as_str()) {
            walk.enter(file);
        }
    }
    walk.found.retain(|circle| circle.len() > 1);
    walk.found.sort_by_key(|circle| std::cmp::Reverse(circle.len()));
    walk.found
}

/// Files that can reach each other, found in one walk (Tarjan).
#[derive(Default)]
struct Walk<'a> {
    arrows: BTreeMap<&'a str, Vec<&'a str>>,
    order: BTreeMap<&'a str, usize>,
    low: BTreeMap<&'a str, usize>,
    open: Vec<&'a str>,
    found: Vec<Vec<&'a str>>,
}

impl<'a> Walk<'a> {
    fn enter(&mut self, file: &'a str) {
        let number = self.order.len();
        self.order.insert(file, number);
        self.low.insert(file, number);
        self.open.push(file);
        for to in self.arrows[file].clone() {
            if !self.order.contains_key(to) {
                self.enter(to);
                self.low.insert(file, self.low[file].min(self.low[to]));
            } else if self.open.contains(&to) {
                self.low.insert(file, self.low[file].min(self.order[to]));
            }
        }
        if self.low[file] == number {
            let first = self.open.iter().position(|&open| open == file).expect("it is open");
            let mut circle = self.open.split_off(first);
            circle.sort();
            self.found.push(circle);
        }
    }
}

fn module_of(file: &str) -> Vec<&str> {
    let mut parts: Vec<&str> = file.trim_end_matches(".rs").split('/').collect();
    if matches!(parts.last(), Some(&("mod" | "lib"))) {
        parts.pop();
    }
    parts
}

fn arrows(sources: &Sources) -> BTreeMap<&str, Vec<&str>> {
    let homes: BTreeMap<Vec<&str>, &str> =
        sources.keys().map(|file| (module_of(file), file.as_str())).collect();
    let arrows_of = |file: &str, text: &str| {
        let mut named: Vec<&str> = Vec::new();
        let text = code_of(text);
        for route in routes(&text) {
            let mut at = match route[0].as_str() {
                "crate" => Vec::new(),
                _ => module_of(file),
            };
            for word in &route {
                match word.as_str() {
                    "crate" => {}
                    "super" => drop(at.pop()),
                    word => at.push(word),
                }
            }
            while !at.is_empty() && !homes.contains_key(&at) {
                at.pop();
            }
            named.extend(homes.get(&at).filter(|home| **home != file && !home.ends_with("mod.rs")));
        }
        named.sort();
        named.dedup();
        named
    };
    sources.iter().map(|(file, text)| (file.as_str(), arrows_of(file, text))).collect()
}

/// Without comments, and without the tests at its end.
fn code_of(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod ").next().unwrap_or("");
    text.lines().map(|line| line.split("//").next().unwrap_or("")).collect::<Vec<_>>().join("\n")
}

/// Every path that begins with `crate` or `super`; groups in braces are as many paths.
fn routes(text: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for start in ["crate::", "super::"] {
        for (at, _) in text.match_indices(start) {
            let before = text[..at].chars().next_back();
            if !before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':') {
                path(&text[at..], Vec::new(), &mut found);
            }
        }
    }
    found
}

/// Reads one path, and gives what follows it.
fn path<'a>(text: &'a str, mut words: Vec<String>, found: &mut Vec<Vec<String>>) -> &'a str {
    let mut rest = text.trim_start();
    if let Some(group) = rest.strip_prefix('{') {
        rest = group;
        loop {
            rest = path(rest, words.clone(), found).trim_start();
            match rest.strip_prefix(',') {
                Some(next) => rest = next,
                None => return rest.strip_prefix('}').unwrap_or(rest),
            }
        }
    }
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    if end > 0 {
        words.push(rest[..end].to_string());
    }
    rest = &rest[end..];
    match rest.strip_prefix("::") {
        Some(next) if end > 0 && next.starts_with(|c: char| c.is_alphabetic() || c == '{' || c == '_') => {
            path(next, words, found)
        }
        _ => {
            if !words.is_empty() {
                found.push(words);
            }
            // A name after `as` leads nowhere.
            let other = rest.find([',', '}', ';']).unwrap_or(rest.len());
            if rest.starts_with(" as ") { &rest[other..] } else { rest }
        }
    }
}
