//! barrow.cdef: the header for readers of C that have no preprocessor, such as Python's cffi and LuaJIT's ffi. It has types,
//! prototypes and, as enumerators, the constants that fit an int; no comments and no directives.

use crate::function_table::without_comments;
use std::fmt::Write;

pub fn generate(header: &str) -> String {
    let code = without_comments(header)
        .replace("\\\n", " ")
        .replace("BARROW_MUST_USE_ ", "")
        .replace("BARROW_NOT_NULL_ ", "");
    let mut out = String::new();
    // How deep in conditionals, and from which depth on nothing is kept: C++ is for other readers.
    let (mut depth, mut left_out) = (0, None);
    let mut constants = String::new();
    for line in code.lines().map(str::trim_end) {
        let Some(directive) = line.trim_start().strip_prefix('#').map(str::trim_start) else {
            if left_out.is_none() && !line.is_empty() {
                out.push_str(line);
                out.push('\n');
            }
            continue;
        };
        if directive.starts_with("if") {
            depth += 1;
            if directive == "ifdef __cplusplus" && left_out.is_none() {
                left_out = Some(depth);
            }
        } else if directive.starts_with("endif") {
            if left_out == Some(depth) {
                left_out = None;
            }
            depth -= 1;
        } else if let (None, Some(rest)) = (left_out, directive.strip_prefix("define ")) {
            let mut words = rest.split_whitespace();
            if let (Some(name), Some(Ok(value))) = (words.next(), words.next().map(str::parse::<i32>)) {
                let _ = writeln!(constants, "enum {{ {name} = {value} }};");
            }
        }
    }
    constants + &out
}
