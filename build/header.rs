//! The C header, by cbindgen from the library's declarations, with the names that are meant for C.

#[path = "outline.rs"]
mod outline;

use std::path::Path;

/// The text of barrow.h; nothing where cbindgen cannot read the sources, which the compiler says better, and says next.
pub fn generate(root: &Path) -> Option<String> {
    let config = match cbindgen::Config::from_file(root.join("cbindgen.toml")) {
        Ok(config) => config,
        Err(error) => panic!("cbindgen.toml: {error}"),
    };
    match cbindgen::Builder::new().with_crate(root).with_config(config).generate() {
        Ok(bindings) => {
            let mut text = Vec::new();
            bindings.write(&mut text);
            Some(outline::arrange(&public_names(String::from_utf8_lossy(&text).into_owned())))
        }
        Err(error) => {
            println!("cargo:warning=the C header was not generated: {error}");
            None
        }
    }
}

/// cbindgen names enumerators after their type; the public names are shorter.
fn public_names(mut text: String) -> String {
    const SHORTER: &[(&str, &str)] = &[
        ("BARROW_STATUS_OK", "BARROW_OK"),
        ("BARROW_STATUS_NO_MEMORY", "BARROW_E_NOMEM"),
        ("BARROW_STATUS_LIMIT", "BARROW_E_LIMIT"),
        ("BARROW_STATUS_ARGUMENT", "BARROW_E_ARG"),
        ("BARROW_STATUS_STATE", "BARROW_E_STATE"),
        ("BARROW_STATUS_ABI", "BARROW_E_ABI"),
        ("BARROW_STATUS_IO", "BARROW_E_IO"),
        ("BARROW_STATUS_DAMAGED", "BARROW_E_DAMAGED"),
        ("BARROW_EVENT_KIND_", "BARROW_EVENT_"),
        ("BARROW_BOX_KIND_", "BARROW_BOX_"),
        ("BARROW_CCS_WHICH_", "BARROW_CCS_"),
        ("BARROW_COST_DETAIL_", "BARROW_COST_"),
        ("BARROW_KIND_", "BARROW_"),
    ];
    for (long, short) in SHORTER {
        text = text.replace(long, short);
    }
    text = text.replace("#define barrow_address_NULL 0\n", "");
    without_safety_sections(&without_foreign_macros(&text))
}

/// Constants of inner layers come out as macros without our prefix, which would break whoever has such a name. What the
/// header means to offer begins with BARROW_.
fn without_foreign_macros(text: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    for line in text.lines() {
        let name = line.strip_prefix("#define ").and_then(|rest| rest.split([' ', '(']).next());
        if name.is_none_or(|name| name.starts_with("BARROW_")) {
            kept.push(line);
            continue;
        }
        // Its comment and the blank line before that go with it.
        if kept.last().is_some_and(|last| last.trim() == "*/") {
            while let Some(last) = kept.pop() {
                if last.starts_with("/**") {
                    break;
                }
            }
        }
        if kept.last().is_some_and(|last| last.is_empty()) {
            kept.pop();
        }
    }
    kept.join("\n") + "\n"
}

/// "# Safety" is Rust's heading; to a C programmer every function is like that, so only its text stays.
fn without_safety_sections(text: &str) -> String {
    let mut lines = Vec::new();
    for line in text.lines() {
        if line.trim() == "* # Safety" {
            lines.push(line.replace("# Safety", "The caller guarantees:"));
        } else {
            lines.push(line.trim_end().to_string());
        }
    }
    lines.join("\n") + "\n"
}
