//! The order of the header. cbindgen gives all constants, then all types, then all functions; `build/outline.txt` says which
//! sections there are and what stands in each. `build/words.txt` has the words for C where the declaration in Rust has none or
//! speaks to those who read the library.

#[path = "threads.rs"]
mod threads;

use std::collections::HashMap;
use std::fmt::Write;

const OUTLINE: &str = include_str!("outline.txt");
const WORDS: &str = include_str!("words.txt");
/// The line of the head in `cbindgen.toml` that the contents take the place of.
const CONTENTS: &str = " *   CONTENTS\n *\n";

/// The header that cbindgen has written, in the order of the outline.
pub fn arrange(text: &str) -> String {
    let (head, rest) = text.split_once("\n#define ").expect("the guard is the first definition");
    assert!(head.contains(CONTENTS), "cbindgen.toml: the head has no line for the contents");
    let (guard, rest) = rest.split_once("#include").expect("includes follow the guard");
    let includes = 1 + rest.lines().skip(1).take_while(|line| line.starts_with("#include")).count();
    let body: Vec<&str> = rest.lines().skip(includes).collect();
    let includes: Vec<&str> = rest.lines().take(includes).collect();
    let mut items = items(&body);
    shape(&mut items);
    mark_live(&mut items);
    describe(&mut items);
    spell_kinds(&mut items);
    threads::tell(&mut items, code);

    let mut out = String::new();
    let contents: String =
        headings().enumerate().map(|(i, name)| format!(" *   {:2}. {name}\n", i + 1)).collect();
    out.push_str(&head.replace(CONTENTS, &(contents + " *\n")));
    let _ = write!(out, "\n#define {guard}#include{}\n\n", includes.join("\n"));
    out.push_str(ATTRIBUTES);
    let mut structs: Vec<&str> = items.values().filter_map(|text| tag(text)).collect();
    structs.sort_unstable();
    out.push_str("\n/* Each is described in its section. */\n");
    for name in structs {
        let _ = writeln!(out, "struct {name};");
    }
    out.push_str("\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
    let mut number = 0;
    for line in OUTLINE.lines() {
        if let Some(name) = line.strip_prefix("== ") {
            number += 1;
            let dashes = "-".repeat(100usize.saturating_sub(name.len()));
            let _ = write!(out, "\n/* ---- {number}. {name} {dashes} */\n");
        } else if let Some(text) = line.strip_prefix("| ") {
            let first = !out.ends_with("*/\n") || out.trim_end().ends_with("-- */");
            if !first {
                out.truncate(out.len() - " */\n".len());
            }
            let _ = writeln!(out, "{} {text} */", if first { "\n/*" } else { "\n *" });
        } else if let Some((name, _)) = entry(line) {
            let item = items
                .remove(name)
                .unwrap_or_else(|| panic!("build/outline.txt: {name} is not in the header, or stands twice"));
            let _ = write!(out, "\n{item}\n");
        }
    }
    let left: Vec<_> = items.keys().collect();
    assert!(left.is_empty(), "build/outline.txt has no place for {left:?}");
    out.push_str("\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n");
    out
}

fn headings() -> impl Iterator<Item = &'static str> {
    OUTLINE.lines().filter_map(|line| line.strip_prefix("== "))
}

/// The name that a line of the outline places, and the words behind it.
fn entry(line: &str) -> Option<(&str, Vec<&str>)> {
    if line.is_empty() || line.starts_with(['#', '|', '=']) {
        return None;
    }
    let mut words = line.split(' ');
    Some((words.next()?, words.collect()))
}

/// Gives declarations the form that the words of the outline ask for.
fn shape(items: &mut HashMap<String, String>) {
    for (name, words) in OUTLINE.lines().filter_map(entry) {
        let Some(item) = items.get_mut(name) else { continue };
        *item = match words[..] {
            [] => continue,
            ["must_use"] => must_use(item),
            ["opaque"] => opaque(name, item),
            _ => with_enumerators(name, item, &words),
        };
    }
}

const ATTRIBUTES: &str = "\
/* Compilers that can warn when a result is dropped that has to be looked at. */
#if defined(__GNUC__) || defined(__clang__)
#define BARROW_MUST_USE_ __attribute__((warn_unused_result))
#else
#define BARROW_MUST_USE_
#endif

/* Compilers that can warn when a heap or mutator, the first argument, is NULL. The library refuses that with a sentence; a compiler
 * that optimises would take from these words that it cannot be, and leave out the caller's own tests: so without that alone. */
#if (defined(__GNUC__) || defined(__clang__)) && !defined(__OPTIMIZE__)
#define BARROW_NOT_NULL_ __attribute__((nonnull(1)))
#else
#define BARROW_NOT_NULL_
#endif
";

/// Whether a declaration is meant for C. cbindgen finds constants and types of inner layers as well, since the library's tools use
/// them; the names of those have no prefix, or are those of a type's own constant.
fn is_public(name: &str, defines: bool) -> bool {
    name.starts_with("BARROW_") || name.starts_with("barrow_") && !defines
}

/// A line of a comment as C programmers read it: "# Safety" is Rust's heading, and to them every function is like that.
fn for_c(line: &str) -> String {
    let line = line.trim_end();
    if line.trim() == "* # Safety" {
        line.replace("# Safety", "The caller guarantees:")
    } else {
        line.to_string()
    }
}

/// Declarations by their names, each with the comment before it.
fn items(body: &[&str]) -> HashMap<String, String> {
    let mut items = HashMap::new();
    let (mut item, mut depth, mut in_comment) = (String::new(), 0i32, false);
    for line in body {
        if depth == 0 && !in_comment && item.is_empty() && is_frame(line) {
            continue;
        }
        item.push_str(&for_c(line));
        item.push('\n');
        if in_comment || line.trim_start().starts_with("/*") {
            in_comment = !line.trim_end().ends_with("*/");
            continue;
        }
        let defines = line.starts_with("#define");
        assert!(!(defines && line.ends_with('\\')), "barrow.h: {line} goes on in the next line");
        depth += line.matches('{').count() as i32 - line.matches('}').count() as i32;
        if depth == 0 && (line.ends_with(';') || defines) {
            let text = std::mem::take(&mut item).trim().to_string();
            let name = name(&text).unwrap_or_else(|| panic!("barrow.h: no name in {text}"));
            if !is_public(&name, defines) {
                continue;
            }
            let before = items.insert(name.clone(), shorter(&text));
            assert!(before.is_none(), "barrow.h: {name} stands twice");
        }
    }
    items
}

/// Lines that hold the header together, which are written anew.
fn is_frame(line: &str) -> bool {
    line.is_empty() || ["#if", "#endif", "extern \"C\"", "}"].iter().any(|word| line.starts_with(word))
}

/// A declaration without the comment before it.
fn code(item: &str) -> &str {
    if item.starts_with("/*") { item.split_once("*/\n").map_or("", |(_, code)| code) } else { item }
}

fn name(item: &str) -> Option<String> {
    let code = code(item);
    let words = |text: &str| {
        text.split(|c: char| !c.is_alphanumeric() && c != '_').rfind(|w| !w.is_empty()).map(str::to_string)
    };
    if let Some(rest) = code.strip_prefix("#define ") {
        return rest.split_whitespace().next().map(str::to_string);
    }
    if code.starts_with("typedef") { words(code) } else { words(code.split_once('(')?.0) }
}

/// The tag of a struct with fields.
fn tag(item: &str) -> Option<&str> {
    code(item).strip_prefix("typedef struct ")?.split_once(" {").map(|(name, _)| name)
}

/// Comments of fields in one line where they fit.
fn shorter(item: &str) -> String {
    let lines: Vec<&str> = item.lines().collect();
    let mut out = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let indent = &lines[at][..lines[at].len() - lines[at].trim_start().len()];
        if !indent.is_empty()
            && lines[at].trim() == "/**"
            && lines.get(at + 2).is_some_and(|line| line.trim() == "*/")
        {
            out.push(format!("{indent}/** {} */", lines[at + 1].trim().trim_start_matches("* ")));
            at += 3;
        } else {
            out.push(lines[at].to_string());
            at += 1;
        }
    }
    out.join("\n")
}

fn must_use(item: &str) -> String {
    let code = code(item);
    format!("{}BARROW_MUST_USE_ {code}", &item[..item.len() - code.len()])
}

/// Marks the functions whose words say that the heap or the mutator, their first parameter, is live.
fn mark_live(items: &mut HashMap<String, String>) {
    for item in items.values_mut() {
        let code = code(item);
        let words = &item[..item.len() - code.len()];
        let Some((_, parameters)) = code.split_once('(') else { continue };
        let first = parameters.split([',', ')']).next().unwrap_or("");
        let is_live = ["heap", "mutator"]
            .iter()
            .any(|name| first.ends_with(&format!("*{name}")) && words.contains(&format!("`{name}` is live")));
        if is_live {
            let marked = match code.strip_prefix("BARROW_MUST_USE_ ") {
                Some(rest) => format!("BARROW_MUST_USE_ BARROW_NOT_NULL_ {rest}"),
                None => format!("BARROW_NOT_NULL_ {code}"),
            };
            *item = format!("{words}{marked}");
        }
    }
}

/// A struct whose fields are none of C's business.
fn opaque(name: &str, item: &str) -> String {
    let code = code(item);
    assert!(code.starts_with("typedef struct "), "build/outline.txt: {name} is no struct");
    format!("{}typedef struct {name} {name};", &item[..item.len() - code.len()])
}

/// Names the enumerators, which cbindgen calls after their type: each by a word, or all by a prefix.
fn with_enumerators(name: &str, item: &str, words: &[&str]) -> String {
    let long = format!("{}_", name.to_uppercase());
    let (mut lines, mut count) = (Vec::new(), 0);
    for line in item.lines() {
        let Some(rest) = line.trim_start().strip_prefix(&long) else {
            lines.push(line.to_string());
            continue;
        };
        lines.push(match words {
            [all] if all.ends_with('*') => format!("  {}{rest}", all.trim_end_matches('*')),
            _ => {
                let value = rest.find([' ', ',']).unwrap_or(rest.len());
                let own = words.get(count).unwrap_or_else(|| {
                    panic!("build/outline.txt: {name} has more enumerators than names here")
                });
                format!("  {own}{}", &rest[value..])
            }
        });
        count += 1;
    }
    let expected = if words[0].ends_with('*') { count } else { words.len() };
    assert!(count == expected && count > 0, "build/outline.txt: {name} has {count} enumerators");
    lines.join("\n")
}

/// Gives types and fields the words of `build/words.txt`.
fn describe(items: &mut HashMap<String, String>) {
    for line in WORDS.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (place, text) = line.split_once("  ").unwrap_or_else(|| panic!("build/words.txt: {line}"));
        let (of, field) = place.split_once('.').map_or((place, None), |(of, field)| (of, Some(field)));
        let item = items.get_mut(of).unwrap_or_else(|| panic!("build/words.txt: there is no {of}"));
        let Some(field) = field else {
            *item = format!("{}\n{}", comment("", text), code(item));
            continue;
        };
        let mut lines: Vec<String> = item.lines().map(str::to_string).collect();
        let head = lines.len() - code(item).lines().count();
        let at = (head..lines.len()).find(|&at| declares(&lines[at], field));
        let mut at = at.unwrap_or_else(|| panic!("build/words.txt: {of} has no {field}"));
        while lines[at - 1].trim_start().starts_with(['*', '/']) {
            at -= 1;
            lines.remove(at);
        }
        lines.insert(at, comment("  ", text));
        *item = lines.join("\n");
    }
}

/// Writes the sets of kinds as what they are made of.
fn spell_kinds(items: &mut HashMap<String, String>) {
    let kinds: Vec<(String, u32)> = items["barrow_kind"]
        .lines()
        .filter_map(|line| line.trim().trim_end_matches(',').split_once(" = "))
        .filter_map(|(name, number)| Some((name.to_string(), number.parse().ok()?)))
        .collect();
    for (name, item) in items.iter_mut().filter(|(name, _)| name.starts_with("BARROW_RETAINERS_")) {
        let value = code(item).rsplit(' ').next().and_then(|word| word.parse::<u64>().ok());
        let mut left = value.unwrap_or_else(|| panic!("{name} has no number"));
        let mut text = format!("{}#define {name} (", &item[..item.len() - code(item).len()]);
        for (kind, number) in &kinds {
            if left >> number & 1 != 0 {
                left &= !(1 << number);
                let _ = write!(text, "\\\n  (uint64_t)1 << {kind}{}", if left == 0 { ")" } else { " | " });
            }
        }
        assert_eq!(left, 0, "{name} has bits that are no kind's");
        *item = text;
    }
}

/// Whether a line of a body is a field or an enumerator of this name.
fn declares(line: &str, name: &str) -> bool {
    let line = line.trim();
    let before = line.split([';', '[', '=']).next().unwrap_or("");
    // A pointer to a function has its name in brackets.
    let before = before.split_once("(*").map_or(before, |(_, rest)| rest.split(')').next().unwrap_or(""));
    !line.starts_with(['*', '/']) && before.split([' ', '*', ',']).rfind(|w| !w.is_empty()) == Some(name)
}

/// A comment of as many lines as the text needs.
fn comment(indent: &str, text: &str) -> String {
    if !indent.is_empty() && text.len() < 100 {
        return format!("{indent}/** {text} */");
    }
    let mut out = format!("{indent}/**\n{indent} *");
    let mut length = 0;
    for word in text.split(' ') {
        if length + word.len() > 110 {
            let _ = write!(out, "\n{indent} *");
            length = 0;
        }
        let _ = write!(out, " {word}");
        length += word.len() + 1;
    }
    out + "\n" + indent + " */"
}
