//! The function table: its order, its struct for C, and the same addresses for Rust, all from the prototypes of the
//! generated header.

use std::fmt::Write;
use std::path::Path;

/// Names in the table's order. New functions come after the others, so that an older client finds its own.
pub const ORDER: &str = "abi/table.txt";
/// The one function that is looked up by name, and so is in no table.
const GETTER: &str = "barrow_function_table";

struct Prototype {
    name: String,
    result: String,
    parameters: String,
}

/// Writes `table.h`, `table.rs` and `table.txt` beside the header.
pub fn generate(root: &Path, header: &str, header_path: &Path) {
    let order = std::fs::read_to_string(root.join(ORDER)).unwrap_or_default();
    let mut prototypes = prototypes(header);
    prototypes.retain(|one| one.name != GETTER);
    let place = |one: &Prototype| order.lines().position(|name| name == one.name).unwrap_or(usize::MAX);
    prototypes.sort_by_key(place);
    let write = |extension: &str, text: String| {
        let path = header_path.with_file_name("table").with_extension(extension);
        if let Err(error) = std::fs::write(&path, text) {
            panic!("{}: {error}", path.display());
        }
    };
    write("txt", prototypes.iter().map(|one| one.name.clone() + "\n").collect());
    write("rs", for_rust(&prototypes));
    write("h", for_c(&prototypes));
}

/// The functions that a header declares.
fn prototypes(header: &str) -> Vec<Prototype> {
    let mut found = Vec::new();
    for statement in without_comments(header).split(';') {
        // What follows the last line of a block or of the preprocessor.
        let text = statement.rsplit(['}', '{']).next().unwrap_or("");
        let lines = text.lines().map(str::trim).filter(|line| !line.starts_with('#')).collect::<Vec<_>>();
        let text = lines.join(" ").split_whitespace().collect::<Vec<_>>().join(" ");
        if text.starts_with("typedef") || !text.ends_with(')') {
            continue;
        }
        let Some((before, parameters)) = text.split_once('(') else { continue };
        let start = before.rfind(|c: char| !c.is_alphanumeric() && c != '_').map_or(0, |at| at + 1);
        if before[start..].starts_with("barrow_") && start > 0 {
            found.push(Prototype {
                name: before[start..].to_string(),
                result: before[..start].trim().trim_start_matches("extern ").to_string(),
                parameters: parameters[..parameters.len() - 1].to_string(),
            });
        }
    }
    found
}

fn without_comments(text: &str) -> String {
    let mut rest = text;
    let mut out = String::new();
    while let Some((code, comment)) = rest.split_once("/*") {
        out.push_str(code);
        rest = comment.split_once("*/").map_or("", |(_, after)| after);
    }
    out + rest
}

fn for_rust(prototypes: &[Prototype]) -> String {
    let mut out = String::from("unsafe extern \"C\" {\n");
    for one in prototypes {
        let _ = writeln!(out, "    fn {}();", one.name);
    }
    let _ = writeln!(out, "}}\n\nconst COUNT: usize = {};\n", prototypes.len());
    out.push_str("const FUNCTIONS: [unsafe extern \"C\" fn(); COUNT] = [\n");
    for one in prototypes {
        let _ = writeln!(out, "    {},", one.name);
    }
    out + "];\n"
}

fn for_c(prototypes: &[Prototype]) -> String {
    let mut out = String::from(HEAD);
    let short = |one: &Prototype| one.name.trim_start_matches("barrow_").to_string();
    for one in prototypes {
        let blank = if one.result.ends_with('*') { "" } else { " " };
        let _ = writeln!(out, "  {}{blank}(*{})({});", one.result, short(one), one.parameters);
    }
    out.push_str(MIDDLE);
    for one in prototypes {
        let _ = writeln!(out, "#define {} (barrow_loaded->{})", one.name, short(one));
    }
    out + TAIL
}

const HEAD: &str = "\
/* barrow/table.h: every function of the library as a member of one struct, for programs that load it with dlopen.
 *
 *   void *library = dlopen(\"libbarrow.so.0.1\", RTLD_NOW | RTLD_LOCAL);
 *   barrow_function_table_fn get = (barrow_function_table_fn)dlsym(library, \"barrow_function_table\");
 *   const barrow_functions *b = get(BARROW_ABI_MAJOR, sizeof(barrow_functions));    NULL: b is for another version
 *   b->heap_new(&config, &heap, &mutator);
 *
 * The getter takes what the caller was compiled for: it refuses another major version, and a library that has fewer
 * functions than the caller knows. New functions are only ever added at the end.
 *
 * With BARROW_THROUGH_TABLE defined before this file, all names of barrow.h and the inline forms of barrow/inline.h go
 * through `barrow_loaded`, which the program defines and sets, so that nothing is left for the linker.
 *
 * Load the library once and keep it: it marks itself as not to be unloaded.
 *
 * Generated from the library's own declarations; do not edit.
 * SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef BARROW_TABLE_H
#define BARROW_TABLE_H

#include \"../barrow.h\"

#ifdef __cplusplus
extern \"C\" {
#endif

/* What the name barrow_function_table stands for. */
typedef const barrow_functions *(*barrow_function_table_fn)(uint32_t abi_major, uint32_t size);

struct barrow_functions {
  /* Of this struct, as the library has it. */
  uint32_t size;
  uint32_t abi_major, abi_minor;
  uint32_t count;
";

const MIDDLE: &str = "\
};

#ifdef BARROW_THROUGH_TABLE
extern const barrow_functions *barrow_loaded;
";

const TAIL: &str = "\
#endif

#ifdef __cplusplus
}
#endif

#endif
";
