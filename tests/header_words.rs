//! The words of the headers: everything is described, each name that a comment mentions exists, each `sizeof` names a type, no
//! comment sends its reader to another one, and the program with which barrow.h opens compiles and runs.

use std::collections::HashSet;
use std::path::Path;
use std::process::Command;

const HEADER: &str = include_str!("../include/barrow.h");
const OTHERS: [(&str, &str); 6] = [
    ("barrow/inline.h", include_str!("../include/barrow/inline.h")),
    ("barrow/nanbox.h", include_str!("../include/barrow/nanbox.h")),
    ("barrow/portable.h", include_str!("../include/barrow/portable.h")),
    ("barrow/table.h", include_str!("../include/barrow/table.h")),
    ("barrow/ticky.h", include_str!("../include/barrow/ticky.h")),
    ("barrow/barrow.hpp", include_str!("../include/barrow/barrow.hpp")),
];

fn all() -> impl Iterator<Item = (&'static str, &'static str)> {
    [("barrow.h", HEADER)].into_iter().chain(OTHERS)
}

/// Comments, and the code between them.
fn apart(text: &str) -> (Vec<&str>, String) {
    let (mut comments, mut code, mut rest) = (Vec::new(), String::new(), text);
    while let Some((before, after)) = rest.split_once("/*") {
        let (comment, after) = after.split_once("*/").expect("a comment ends");
        code.push_str(before);
        comments.push(comment);
        rest = after;
    }
    code.push_str(rest);
    (comments, code)
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

fn is_ours(word: &str) -> bool {
    word.starts_with("barrow_") || word.starts_with("BARROW_")
}

/// Fields, enumerators, types, constants and functions of a header without a comment before them.
fn undescribed(header: &str) -> Vec<&str> {
    let (mut found, mut described, mut in_comment, mut depth, mut whole) =
        (Vec::new(), false, false, 0i32, true);
    for line in header.lines().skip_while(|line| !line.starts_with("extern \"C\"")).skip(2) {
        let text = line.trim();
        if in_comment || text.starts_with("/*") {
            // A heading describes nothing.
            described = text.starts_with("/**") || in_comment && described;
            in_comment = !text.ends_with("*/");
            continue;
        }
        let is_frame = text.is_empty() || text.starts_with(['}', '#']) && !text.starts_with("#define");
        let begins = whole && !is_frame;
        if begins && !described {
            found.push(line);
        }
        if !is_frame {
            whole = text.ends_with([';', ',', '{']) && (depth > 0 || !text.ends_with(','))
                || text.starts_with("#define");
            if text.starts_with("#define") {
                whole = !text.ends_with('\\');
            }
            // Parameters on lines of their own.
            if depth == 0 && text.ends_with(',') {
                whole = false;
            }
        }
        depth += text.matches('{').count() as i32 - text.matches('}').count() as i32;
        if begins {
            described = false;
        }
    }
    found
}

#[test]
fn everything_is_described() {
    let found = undescribed(HEADER);
    assert!(found.is_empty(), "without a word: {found:#?}");
    // The test finds an enumerator, a field, a constant and a function without their words.
    for line in
        ["  BARROW_OK = ", "  uint64_t max_live_bytes;", "#define BARROW_INFO_VERSION ", "barrow_heap_free("]
    {
        let bare = without_words_before(line);
        let found = undescribed(&bare);
        let what = line.trim().trim_end_matches([';', '(', ' ', '=']).rsplit(' ').next().expect("a word");
        assert!(found.len() == 1 && found[0].contains(what), "{what} without a comment: {found:?}");
    }
}

/// The header without the comment that stands before this line.
fn without_words_before(line: &str) -> String {
    let at = HEADER
        .match_indices('\n')
        .map(|(at, _)| at + 1)
        .find(|&at| {
            let own = HEADER[at..].lines().next().unwrap_or_default();
            own.contains(line) && HEADER[..at].ends_with("*/\n")
        })
        .unwrap_or_else(|| panic!("{line} stands behind no comment"));
    let from = HEADER[..at].rfind("/**").expect("a comment begins");
    format!("{}{}", &HEADER[..from], &HEADER[at..])
}

/// A variable of the environment, which no code of the header names.
const VARIABLE: &str = "BARROW_FLAGS";

/// A star or a trailing underscore stands for any end: `BARROW_FLAG_*`, `barrow_late_`.
#[test]
fn each_name_in_a_comment_exists() {
    let known: HashSet<&str> = all().flat_map(|(_, text)| code_words(text)).collect();
    for (file, text) in all() {
        for comment in apart(text).0 {
            for word in words(comment).filter(|word| is_ours(word)) {
                let exists = known.contains(word)
                    || word == VARIABLE
                    || word.ends_with('_') && known.iter().any(|name| name.starts_with(word));
                assert!(exists, "{file} mentions {word}, which does not exist:{comment}");
            }
        }
    }
}

fn code_words(text: &'static str) -> Vec<&'static str> {
    let mut rest = text;
    let mut found = Vec::new();
    while let Some((before, after)) = rest.split_once("/*") {
        found.extend(words(before));
        rest = after.split_once("*/").map_or("", |(_, after)| after);
    }
    found.extend(words(rest));
    found
}

/// `sizeof` of a function compiles, and is 1.
#[test]
fn each_sizeof_names_a_type() {
    let (_, code) = apart(HEADER);
    let types: HashSet<String> = code
        .split(';')
        .filter(|text| text.contains("typedef"))
        .chain(code.split("typedef struct ").skip(1))
        .filter_map(|text| words(text).find(|word| is_ours(word)).map(str::to_string))
        .collect();
    assert!(types.len() > 40 && !types.contains("barrow_heap_state"), "{types:?}");
    let mut sources = vec![("include/barrow.h".to_string(), HEADER.to_string())];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/ffi");
    for entry in std::fs::read_dir(folder).expect("src/ffi is there") {
        let path = entry.expect("a file").path();
        sources.push((path.display().to_string(), std::fs::read_to_string(path).expect("a text")));
    }
    let mut count = 0;
    for (file, text) in &sources {
        for part in text.split("sizeof(").skip(1) {
            let name = part.split(')').next().unwrap_or("");
            if is_ours(name) {
                count += 1;
                assert!(types.contains(name), "{file}: sizeof({name}) names no type");
            }
        }
    }
    assert!(count > 30, "{count}");
}

/// C has one name for a type and a function: a struct ends with `_t` when a function has its name, and only then.
#[test]
fn structs_are_named_by_one_rule() {
    let (_, code) = apart(HEADER);
    let functions: HashSet<&str> = include_str!("../abi/symbols.txt").lines().collect();
    let mut ends = 0;
    for part in code.split("typedef struct ").skip(1) {
        let name = words(part).next().expect("a tag");
        if let Some(function) = name.strip_suffix("_t") {
            ends += 1;
            assert!(functions.contains(function), "{name} ends with _t, and there is no function {function}");
        } else {
            assert!(!functions.contains(name), "{name} is a struct and a function");
        }
    }
    assert!(ends > 8, "{ends}");
}

/// The name that a line at the left edge of a header declares: a macro, a function in line, or a type that fits into the line.
fn declared_in(line: &str) -> Option<&str> {
    if let Some(code) = line.strip_prefix("#define ") {
        words(code).next()
    } else if let Some(code) = line.strip_prefix("static inline ") {
        words(code.split('(').next()?).last()
    } else {
        words(line.strip_prefix("typedef ")?.split(';').next()?).find(|word| is_ours(word))
    }
}

/// Functions, types and constants of a header that is written by hand, without a comment before them. A comment is that of all
/// lines of one group; a name with an underscore at its end is the headers' own, and one of `#else` was described before it.
fn undescribed_by_hand(header: &str) -> Vec<&str> {
    let lines: Vec<&str> = header.lines().collect();
    let (mut found, mut seen) = (Vec::new(), HashSet::new());
    for (at, name) in lines.iter().enumerate().filter_map(|(at, line)| Some((at, declared_in(line)?))) {
        if name.ends_with('_') || name.ends_with("_H") || !seen.insert(name) {
            continue;
        }
        let before = lines[..at].iter().rev().find(|line| !line.starts_with('#') && !line.starts_with("  "));
        if !before.is_some_and(|line| line.ends_with("*/") && !line.contains("----")) {
            found.push(name);
        }
    }
    found
}

#[test]
fn the_headers_by_hand_are_described() {
    let by_hand = ["barrow/inline.h", "barrow/nanbox.h", "barrow/portable.h", "barrow/ticky.h"];
    for (file, text) in OTHERS.into_iter().filter(|(file, _)| by_hand.contains(file)) {
        let found = undescribed_by_hand(text);
        assert!(found.is_empty(), "{file}, without a word: {found:?}");
    }
    // The test finds a function, a macro, a constant and a type without their words.
    for (name, line) in [
        ("barrow_frames_save", "static inline barrow_frame *barrow_frames_save("),
        ("BARROW_LEAVE", "#define BARROW_LEAVE(m, roots) "),
        ("BARROW_MARK_USED", "#define BARROW_MARK_USED "),
        ("barrow_word", "typedef size_t barrow_word;"),
    ] {
        let (before, after) = OTHERS.iter().find_map(|(_, text)| text.split_once(line)).expect("its line");
        let (before, _) = before.rsplit_once("/*").expect("its comment");
        assert_eq!(undescribed_by_hand(&format!("{before}{line}{after}")), [name]);
    }
}

/// The words that say whose a struct is.
const OWNERS: [&str; 8] = [
    "client's",
    "The client owns",
    "The client frees",
    "library's",
    "The library owns",
    "The library makes and owns",
    "The heap owns",
    "the heap, which owns",
];

/// The structs of the header whose words do not say whose they are.
fn of_nobody(header: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for (at, begins) in header.match_indices("*/\ntypedef struct ") {
        let name = words(&header[at + begins.len()..]).next().expect("a tag");
        let comment = &header[header[..at].rfind("/**").expect("a comment")..at];
        let comment =
            comment.lines().map(|line| line.trim_start_matches([' ', '*'])).collect::<Vec<_>>().join(" ");
        if !OWNERS.iter().any(|owner| comment.contains(owner)) {
            found.push(name);
        }
    }
    found
}

#[test]
fn each_struct_says_whose_it_is() {
    // `barrow_block` is an address of a descriptor, whose own comment says it.
    let named = HEADER.replace("typedef struct barrow_bdescr *barrow_block", "");
    assert_eq!(of_nobody(&named), [""; 0]);
    assert!(named.matches("*/\ntypedef struct ").count() > 40);
    assert_eq!(of_nobody(&named.replace("The heap owns it, from", "From")), ["barrow_handle"]);
}

#[test]
fn no_comment_sends_its_reader_elsewhere() {
    for comment in apart(HEADER).0 {
        assert!(!comment.contains("As for `"), "{comment}");
    }
}

/// The program at the top, in C and in C++.
#[test]
fn the_first_program_runs() {
    let top = HEADER.split_once("*/").expect("a comment at the top").0;
    let from = top.find(" *   #include").expect("the program");
    let lines = top[from..].lines().take_while(|line| line.starts_with(" *   "));
    let program: String = lines.map(|line| line[5..].to_string() + "\n").collect();
    let counted = program.lines().filter(|line| line.trim().len() > 1).count();
    assert!((15..=17).contains(&counted), "{counted} lines:\n{program}");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let library = std::env::current_exe().expect("a test").with_file_name("libbarrow.a");
    for (compiler, ending, standard) in [("cc", "c", "-std=c99"), ("c++", "cc", "-std=c++17")] {
        let source = folder.join(format!("first.{ending}"));
        let binary = folder.join(format!("first-{ending}"));
        std::fs::write(&source, &program).expect("the program is written");
        let compiled = Command::new(compiler)
            .args([standard, "-O1", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-I"])
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("include"))
            .arg(&source)
            .arg(&library)
            .args(["-lpthread", "-ldl", "-lm", "-o"])
            .arg(&binary)
            .output()
            .expect("a compiler");
        assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
        let ran = Command::new(&binary).output().expect("it runs");
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    }
}

/// A compiler that does not optimise warns of a heap or a mutator that is NULL; one that does leaves the caller's own tests in.
#[test]
fn a_null_that_is_refused_is_warned_of() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let compile = |name: &str, program: &str, arguments: &[&str]| {
        let source = folder.join(name);
        std::fs::write(&source, format!("#include <barrow.h>\n{program}\n")).expect("the program is written");
        Command::new("cc")
            .args(["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-I"])
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("include"))
            .arg(&source)
            .args(arguments)
            .output()
            .expect("a compiler")
    };
    let null = "int main(void) { return (int)barrow_collect(0, true); }";
    let refused = compile("null.c", null, &["-O0", "-fsyntax-only"]);
    assert!(
        !refused.status.success() && String::from_utf8_lossy(&refused.stderr).contains("-Werror=nonnull")
    );
    assert!(compile("null.c", null, &["-O2", "-fsyntax-only"]).status.success());
    let own = "int own(barrow_mutator *m); int own(barrow_mutator *m) { int s = (int)barrow_collect(m, true); return m ? s : 7654321; }";
    let kept = compile("own.c", own, &["-O2", "-S", "-o", "-"]);
    assert!(
        String::from_utf8_lossy(&kept.stdout).contains("7654321"),
        "{}",
        String::from_utf8_lossy(&kept.stderr)
    );
    // The words say it of as many functions as are marked.
    let marked = HEADER.matches("\nBARROW_NOT_NULL_ ").count()
        + HEADER.matches("BARROW_MUST_USE_ BARROW_NOT_NULL_ ").count();
    assert!(marked > 140, "{marked}");
}
