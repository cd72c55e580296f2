//! Compiles the C of `barrow demo` against the library's headers.

use std::path::Path;

fn main() {
    println!("cargo:rerun-if-changed=demo");
    println!("cargo:rerun-if-env-changed=DEP_BARROW_INCLUDE");
    // The library's build script says where its headers are.
    let include =
        std::env::var("DEP_BARROW_INCLUDE").expect("barrow's build script gives its include folder");
    println!("cargo:rerun-if-changed={include}");
    let mut build = cc::Build::new();
    build.std("c11").include(&include).include("demo").opt_level(2).extra_warnings(true).warnings(true);
    for name in ["program", "words", "queens", "queue"] {
        build.file(Path::new("demo").join(name).with_extension("c"));
    }
    build.compile("barrow_demo");
}
