//! The committed header is the one that the library's declarations give, and an outline that would tear it apart is refused.

#[path = "../build/outline.rs"]
mod outline;

use std::path::{Path, PathBuf};

const COMMITTED: &str = include_str!("../include/barrow.h");

/// What build.rs has made, with the feature `generate`, which tests turn on.
fn generated(name: &str) -> PathBuf {
    Path::new(env!("BARROW_GENERATED")).join(name)
}

/// Holds a committed file against the one that build.rs has made.
fn compare(name: &str, committed: &str, generated: &Path) {
    let generated = std::fs::read_to_string(generated).expect("build.rs has made it");
    let differing = committed.lines().zip(generated.lines()).enumerate().find(|(_, (old, new))| old != new);
    if let Some((line, (old, new))) = differing {
        panic!(
            "{name}, line {}, says\n  {old}\nand the declarations say\n  {new}\nci/header.sh refreshes it",
            line + 1
        );
    }
    assert!(
        committed == generated,
        "{name} is shorter or longer than it should be; ci/header.sh refreshes it"
    );
}

/// Without the line that the contents take the place of, the header would have none.
#[test]
#[should_panic(expected = "no line for the contents")]
fn a_head_without_contents_is_refused() {
    outline::arrange("/* barrow.h\n *\n *   Contents\n *\n */\n#define GUARD\n\n#include <stddef.h>\n");
}

/// A declaration ends with the line of its `#define`, so further lines would become part of the next one.
#[test]
#[should_panic(expected = "BARROW_TWO_LINES \\ goes on in the next line")]
fn a_macro_of_several_lines_is_refused() {
    outline::arrange(
        "/* barrow.h\n *\n *   CONTENTS\n *\n */\n#define GUARD\n\n#include <stddef.h>\n\n#define BARROW_TWO_LINES \\\n  2\n",
    );
}

/// A status more would otherwise take the name that cbindgen gives it.
#[test]
#[should_panic(expected = "barrow_status has more enumerators than names here")]
fn an_enumerator_without_a_name_is_refused() {
    let status: String = (0..99).map(|i| format!("  BARROW_STATUS_S{i} = {i},\n")).collect();
    outline::arrange(&format!(
        "/* barrow.h\n *\n *   CONTENTS\n *\n */\n#define GUARD\n\n#include <stddef.h>\n\n\
         typedef enum barrow_status {{\n{status}}} barrow_status;\n"
    ));
}

/// A header that defines USE, VOID or MARK breaks programs that have such names.
#[test]
fn macros_have_our_prefix() {
    let foreign =
        |line: &&str| line.strip_prefix("#define ").is_some_and(|name| !name.starts_with("BARROW_"));
    let found: Vec<_> = COMMITTED.lines().filter(foreign).collect();
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn the_header_is_fresh() {
    compare("include/barrow.h", COMMITTED, &generated("barrow.h"));
}

/// For readers of C that have no preprocessor.
#[test]
fn the_declarations_without_a_preprocessor_are_fresh() {
    let text = include_str!("../include/barrow/barrow.cdef");
    compare("include/barrow/barrow.cdef", text, &generated("barrow.cdef"));
    assert!(!text.contains("/*") && !text.contains('#'), "comments or directives");
}

#[test]
fn the_function_table_is_fresh() {
    compare("include/barrow/table.h", include_str!("../include/barrow/table.h"), &generated("table.h"));
    compare("abi/table.txt", include_str!("../abi/table.txt"), &generated("table.txt"));
}

/// Every function of the library is in the table, except the one that gives it.
#[test]
fn the_function_table_is_whole() {
    let symbols = include_str!("../abi/symbols.txt").lines().filter(|name| *name != "barrow_function_table");
    let mut table: Vec<_> = include_str!("../abi/table.txt").lines().collect();
    table.sort_unstable();
    assert!(symbols.eq(table), "abi/table.txt and abi/symbols.txt do not have the same functions");
}

/// Constants that are written by hand in barrow/portable.h are those of the library.
#[test]
fn constants_written_twice_are_equal() {
    use barrow::base::size::*;
    let inline = include_str!("../include/barrow/portable.h");
    let value = |text: &str, name: &str| -> usize {
        let line = text.lines().find(|line| line.starts_with(&format!("#define {name} ")));
        let word = line.unwrap_or_else(|| panic!("{name} is not defined")).split_whitespace().nth(2);
        word.unwrap_or("").trim_end_matches('u').parse().unwrap_or_else(|_| panic!("{name} is no number"))
    };
    for (name, ours) in [
        ("BARROW_BLOCK_BYTES", BLOCK_BYTES),
        ("BARROW_LOG_BLOCK_BYTES", LOG_BLOCK_BYTES),
        ("BARROW_MEGABLOCK_BYTES", MEGABLOCK_BYTES),
        ("BARROW_DESCRIPTOR_BYTES", DESCRIPTOR_BYTES),
        ("BARROW_LOG_DESCRIPTOR_BYTES", LOG_DESCRIPTOR_BYTES),
        ("BARROW_MAX_INLINE_WORDS", MAX_INLINE_WORDS),
        ("BARROW_MAX_RESERVE_WORDS", MAX_RESERVE_WORDS),
        ("BARROW_MIN_OBJECT_WORDS", MIN_OBJECT_WORDS),
        ("BARROW_CARD_ELEMENTS", CARD_ELEMENTS),
    ] {
        assert_eq!(value(inline, name), ours, "{name}");
    }
}
