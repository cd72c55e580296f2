//! The C tests in their quick form: one compiler, both ways of linking, dlopen. `.ci/run` runs all of them. The script says
//! how long each part took.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The directory in which cargo has put this test, and beside it the libraries.
fn libraries() -> PathBuf {
    let here = std::env::current_exe().expect("a test has a path");
    here.parent().expect("a test lies in a directory").to_path_buf()
}

fn exists(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

#[test]
fn c_programs_compile_and_pass() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    if !(exists("gcc") && exists("g++")
        || exists("clang") && exists("clang++")
        || exists("cc") && exists("c++"))
    {
        eprintln!("skipped: no C and C++ compiler is installed");
        return;
    }
    let libraries = libraries();
    for file in ["libbarrow.so", "libbarrow.a"] {
        assert!(libraries.join(file).exists(), "{} is not there", libraries.join(file).display());
    }
    let build = libraries.join("c-tests");
    let status = Command::new("sh")
        .arg(root.join("c-tests/run.sh"))
        .arg("quick")
        .env("BARROW_LIB", &libraries)
        .env("BARROW_BUILD", &build)
        .env_remove("BARROW_TEST_FLAGS")
        .status()
        .expect("sh runs");
    assert!(status.success(), "c-tests/run.sh quick: {status}; its messages are above");
}
