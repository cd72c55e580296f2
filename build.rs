//! Tells the linker about the shared library's name, those who depend on the crate where the headers are, and the crate
//! itself in which order the function table has its functions. With the feature `generate` the C headers are made in
//! `OUT_DIR`, where `tests/header.rs` and `ci/header.sh` find them. Nothing is written into the source tree.

#[cfg(feature = "generate")]
#[path = "build/cdef.rs"]
mod cdef;
#[cfg(feature = "generate")]
#[path = "build/function_table.rs"]
mod function_table;
#[cfg(feature = "generate")]
#[path = "build/header.rs"]
mod header;

use std::fmt::Write;
use std::path::Path;

/// Names of functions in the function table's order.
const ORDER: &str = "abi/table.txt";

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=build");
    println!("cargo:rerun-if-changed={ORDER}");
    let root = std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR");
    let out = std::env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    println!("cargo:include={root}/include");
    println!("cargo:rustc-env=BARROW_GENERATED={out}");
    // While the version is 0.x, each minor version may change the ABI.
    let version = std::env::var("CARGO_PKG_VERSION").expect("cargo sets CARGO_PKG_VERSION");
    let (major, rest) = version.split_once('.').unwrap_or((&version, "0"));
    let abi = match (major, rest.split('.').next()) {
        ("0", Some(minor)) => format!("0.{minor}"),
        _ => major.to_string(),
    };
    if std::env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libbarrow.so.{abi}");
        // Unloading a library with thread-local state is not safe, so it is not possible.
        println!("cargo:rustc-cdylib-link-arg=-Wl,-z,nodelete");
        // By this, debuggers find the debugging information of a library that was stripped.
        println!("cargo:rustc-cdylib-link-arg=-Wl,--build-id=sha1");
    }
    let (root, out) = (Path::new(&root), Path::new(&out));
    let order = std::fs::read_to_string(root.join(ORDER)).unwrap_or_default();
    let names = generated(root, out, &order).unwrap_or(order);
    let path = out.join("table.rs");
    if let Err(error) = std::fs::write(&path, table(&names)) {
        panic!("{}: {error}", path.display());
    }
}

/// Makes the headers; the names of the function table, which the declarations may have more of than its committed list.
#[cfg(feature = "generate")]
fn generated(root: &Path, out: &Path, order: &str) -> Option<String> {
    println!("cargo:rerun-if-changed=src");
    println!("cargo:rerun-if-changed=cbindgen.toml");
    let text = header::generate(root)?;
    let (names, table) = function_table::generate(&text, order);
    for (name, text) in [
        ("barrow.h", &text),
        ("table.h", &table),
        ("table.txt", &names),
        ("barrow.cdef", &cdef::generate(&text)),
    ] {
        let path = out.join(name);
        if let Err(error) = std::fs::write(&path, text) {
            panic!("{}: {error}", path.display());
        }
    }
    Some(names)
}

#[cfg(not(feature = "generate"))]
fn generated(_root: &Path, _out: &Path, _order: &str) -> Option<String> {
    None
}

/// The addresses of the table's functions, for Rust.
fn table(names: &str) -> String {
    let mut out = String::from("unsafe extern \"C\" {\n");
    for name in names.lines() {
        let _ = writeln!(out, "    fn {name}();");
    }
    let _ = writeln!(out, "}}\n\nconst COUNT: usize = {};\n", names.lines().count());
    out.push_str("const FUNCTIONS: [unsafe extern \"C\" fn(); COUNT] = [\n");
    for name in names.lines() {
        let _ = writeln!(out, "    {name},");
    }
    out + "];\n"
}
