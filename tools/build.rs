//! Compiles the C of `barrow demo` against the library's headers, and takes the comments out of the page's scripts.

use std::path::{Path, PathBuf};

/// Copies the scripts without their lines of comment: they would be a part of the command, and of each page that it writes.
fn strip_scripts() {
    println!("cargo:rerun-if-changed=assets/js");
    let to = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo gives a folder")).join("js");
    std::fs::create_dir_all(&to).expect("the folder can be made");
    for entry in std::fs::read_dir("assets/js").expect("the scripts are there") {
        let path = entry.expect("the folder can be read").path();
        let text = std::fs::read_to_string(&path).expect("a script can be read");
        let is_comment =
            |line: &str| line.starts_with("//") || line.starts_with("/**") && line.ends_with("*/");
        let code: String = text.split_inclusive('\n').filter(|line| !is_comment(line.trim())).collect();
        std::fs::write(to.join(path.file_name().expect("a file has a name")), code)
            .expect("a script can be written");
    }
}

fn main() {
    strip_scripts();
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
