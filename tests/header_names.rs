//! Headers take no name from whoever includes them: what they define begins with `barrow_` or `BARROW_`, so that a program
//! may have its own `Word`, `Name` or `USE`. barrow/stg.h is the exception, since the references' names are what it is for.

const HEADERS: [(&str, &str); 7] = [
    ("barrow.h", include_str!("../include/barrow.h")),
    ("barrow/inline.h", include_str!("../include/barrow/inline.h")),
    ("barrow/nanbox.h", include_str!("../include/barrow/nanbox.h")),
    ("barrow/portable.h", include_str!("../include/barrow/portable.h")),
    ("barrow/table.h", include_str!("../include/barrow/table.h")),
    ("barrow/ticky.h", include_str!("../include/barrow/ticky.h")),
    ("barrow/barrow.hpp", include_str!("../include/barrow/barrow.hpp")),
];

/// Blanks for comments and literals, so that what is left is code.
fn code_of(text: &str) -> String {
    let bytes = text.as_bytes();
    let ends = |from: usize, end: &str| text[from..].find(end).map_or(text.len(), |at| from + at + end.len());
    let (mut code, mut at) = (String::new(), 0);
    while at < bytes.len() {
        let until = match &bytes[at..bytes.len().min(at + 2)] {
            b"/*" => ends(at + 2, "*/"),
            b"//" => ends(at, "\n") - 1,
            [quote @ (b'"' | b'\''), ..] => {
                let mut end = at + 1;
                while bytes[end] != *quote {
                    end += if bytes[end] == b'\\' { 2 } else { 1 };
                }
                end + 1
            }
            _ => {
                code.push(bytes[at] as char);
                at += 1;
                continue;
            }
        };
        code.push(' ');
        at = until;
    }
    code.replace("\\\n", " ")
}

fn words(code: &str) -> Vec<&str> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut words = Vec::new();
    let mut rest = code.trim_start();
    while !rest.is_empty() {
        let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len()).max(1);
        words.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    words
}

fn is_tag(word: &str) -> bool {
    matches!(word, "struct" | "enum" | "union" | "class")
}

fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

/// The place behind the bracket that closes the one at `open`.
fn behind(words: &[&str], open: usize) -> usize {
    let mut depth = 0;
    for (at, word) in words.iter().enumerate().skip(open) {
        match *word {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => depth -= 1,
            _ => continue,
        }
        if depth == 0 {
            return at + 1;
        }
    }
    words.len()
}

/// Tags that are named in a body or a declaration, and the constants of the enumerations among them.
fn tags<'a>(words: &[&'a str], names: &mut Vec<&'a str>) {
    for (at, word) in words.iter().enumerate() {
        if !is_tag(word) {
            continue;
        }
        let mut body = at + 1;
        if words.get(body).is_some_and(|word| is_name(word)) {
            names.push(words[body]);
            body += 1;
        }
        if *word == "enum" && words.get(body) == Some(&"{") {
            let end = behind(words, body) - 1;
            let mut starts = true;
            for word in &words[body + 1..end] {
                if starts && is_name(word) {
                    names.push(word);
                }
                starts = *word == ",";
            }
        }
    }
}

/// The name that a declaration without its bodies makes: of a function, a type or a variable.
fn declared<'a>(words: &[&'a str]) -> Option<&'a str> {
    let mut plain = Vec::new();
    let mut at = 0;
    while at < words.len() {
        match words[at] {
            "__attribute__" | "[" => at = behind(words, at + (words[at] != "[") as usize),
            "_Static_assert" | "static_assert" => return None,
            "=" => break,
            word => {
                plain.push(word);
                at += 1;
            }
        }
    }
    let end = plain.iter().position(|word| *word == "(").unwrap_or(plain.len());
    // A pointer to a function: `(*name)`.
    if plain.get(end + 1) == Some(&"*") {
        return plain[end..].iter().find(|word| is_name(word)).copied();
    }
    let is_tag_alone = plain.len() <= 2 && plain.first().is_some_and(|word| is_tag(word));
    if is_tag_alone { None } else { plain[..end].iter().rev().find(|word| is_name(word)).copied() }
}

/// Every name that a header defines for the whole program.
fn defined(header: &str) -> Vec<String> {
    let code = code_of(header);
    let (directives, code): (Vec<&str>, Vec<&str>) =
        code.lines().partition(|line| line.trim_start().starts_with('#'));
    let code = code.join("\n");
    let mut names: Vec<&str> = directives
        .iter()
        .filter_map(|line| line.trim_start()[1..].trim_start().strip_prefix("define "))
        .filter_map(|rest| rest.trim_start().split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next())
        .collect();
    let words = words(&code);
    let (mut statement, mut at) = (Vec::new(), 0);
    while at < words.len() {
        match words[at] {
            // Of `extern "C" {`, where a literal is a blank.
            "{" if statement == ["extern"] => statement.clear(),
            "}" => statement.clear(),
            "{" => {
                let end = behind(&words, at);
                if statement.first() == Some(&"namespace") {
                    names.push(statement.get(1).copied().unwrap_or("a namespace without a name"));
                    statement.clear();
                } else {
                    let tag = statement.iter().rposition(|word| is_tag(word));
                    if let Some(tag) = tag.filter(|_| !statement.contains(&"(")) {
                        let mut whole = statement[tag..].to_vec();
                        whole.extend(&words[at..end]);
                        tags(&whole, &mut names);
                    } else {
                        names.extend(declared(&statement));
                        statement.clear();
                    }
                }
                at = end;
                continue;
            }
            ";" => {
                tags(&statement, &mut names);
                names.extend(declared(&statement));
                statement.clear();
            }
            word => statement.push(word),
        }
        at += 1;
    }
    names.iter().map(|name| name.to_string()).collect()
}

fn is_ours(name: &str) -> bool {
    name.starts_with("barrow_") || name.starts_with("BARROW_")
}

#[test]
fn every_name_has_our_prefix() {
    for (file, text) in HEADERS {
        let names = defined(text);
        assert!(names.len() > 10 || file == "barrow/barrow.hpp", "{file}: {names:?}");
        let foreign: Vec<_> = names
            .iter()
            // C++ has everything in this namespace.
            .filter(|name| !(is_ours(name) || file.ends_with(".hpp") && *name == "barrow"))
            .collect();
        assert!(
            foreign.is_empty(),
            "{file} defines {foreign:?}: cbindgen.toml renames what is generated, and build/outline.rs keeps what has our prefix"
        );
    }
}

/// The scanner finds every kind of name, and no name that belongs to something of ours.
#[test]
fn names_of_every_kind_are_found() {
    for (text, name) in [
        ("typedef struct Word Word;", "Word"),
        ("typedef uint8_t Code;", "Code"),
        ("typedef void (*Hook)(int);", "Hook"),
        ("#define USE 1\n", "USE"),
        ("#  define MARK(x) \\\n  x\n", "MARK"),
        ("struct Name;", "Name"),
        ("typedef struct Tag { int x; } barrow_tag;", "Tag"),
        ("typedef struct { int x; } Alias;", "Alias"),
        ("typedef enum barrow_e { BARROW_A = 1, VOID, } barrow_e;", "VOID"),
        ("enum { LOOSE = 3 };", "LOOSE"),
        ("struct barrow_s { enum inner { BARROW_B } x; };", "inner"),
        ("extern \"C\" {\nint helper(int x);\n}", "helper"),
        ("static inline __attribute__((cold)) int helper(void) { return 1; }", "helper"),
        ("extern int counter;", "counter"),
        ("static const int table[3] = {1, 2, 3};", "table"),
    ] {
        let foreign: Vec<_> = defined(text).into_iter().filter(|name| !is_ours(name)).collect();
        assert!(foreign.iter().all(|found| found == name) && !foreign.is_empty(), "{text}: {foreign:?}");
    }
    for text in [
        "/* typedef int Word; */ // struct Name;\ntypedef struct barrow_s { int Word; char c; } barrow_s;",
        "static inline int barrow_f(int x) { int Word = '{'; return x + Word; }",
        "typedef bool (*barrow_fn)(void *client, size_t bytes);",
        "int barrow_g(struct barrow_s *s,\n void (*hook)(void *));",
        "struct barrow_t { void *(*member)(int Word); };",
        "const char *barrow_h(void);",
    ] {
        let foreign: Vec<_> = defined(text).into_iter().filter(|name| !is_ours(name)).collect();
        assert!(foreign.is_empty(), "{text}: {foreign:?}");
    }
}
