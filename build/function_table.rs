//! The function table: its order and its struct for C, from the prototypes of the generated header. New functions come after
//! the others, so that an older client finds its own.

use std::fmt::Write;

/// The one function that is looked up by name, and so is in no table.
const GETTER: &str = "barrow_function_table";

struct Prototype {
    name: String,
    result: String,
    parameters: String,
}

/// The names in the table's order, one to a line, and barrow/table.h.
pub fn generate(header: &str, order: &str) -> (String, String) {
    let mut prototypes = prototypes(header);
    prototypes.retain(|one| one.name != GETTER);
    prototypes.sort_by_key(|one| order.lines().position(|name| name == one.name).unwrap_or(usize::MAX));
    (prototypes.iter().map(|one| one.name.clone() + "\n").collect(), for_c(&prototypes))
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
        let marks = ["BARROW_MUST_USE_ ", "BARROW_NOT_NULL_ "];
        let result = marks.iter().fold(before[..start].trim(), |rest, mark| rest.trim_start_matches(mark));
        if before[start..].starts_with("barrow_") && start > 0 {
            found.push(Prototype {
                name: before[start..].to_string(),
                result: result.to_string(),
                parameters: parameters[..parameters.len() - 1].to_string(),
            });
        }
    }
    found
}

pub fn without_comments(text: &str) -> String {
    let mut rest = text;
    let mut out = String::new();
    while let Some((code, comment)) = rest.split_once("/*") {
        out.push_str(code);
        rest = comment.split_once("*/").map_or("", |(_, after)| after);
    }
    out + rest
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
