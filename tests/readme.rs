//! The README's program compiles and runs, and its link line is the one of `barrow.pc`.

use std::path::Path;
use std::process::Command;

const README: &str = include_str!("../README.md");
const PC: &str = include_str!("../packaging/barrow.pc.in");

fn system_libraries() -> &'static str {
    PC.lines().find_map(|line| line.strip_prefix("Libs.private: ")).unwrap()
}

/// `ci/install-check.sh` compares it with what the compiler says.
#[test]
fn the_link_line_is_the_one_of_pkg_config() {
    assert!(README.contains(system_libraries()), "README.md does not have: {}", system_libraries());
}

#[test]
fn the_program_compiles_and_runs() {
    let (_, after) = README.split_once("```c\n").unwrap();
    let (program, _) = after.split_once("```").unwrap();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (source, binary) = (folder.join("readme.c"), folder.join("readme"));
    std::fs::write(&source, program).unwrap();
    // Cargo puts the static library that belongs to this build beside the tests.
    let test = std::env::current_exe().unwrap();
    let library = test.parent().unwrap().join("libbarrow.a");
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".into());
    let compiled = Command::new(&compiler)
        .args(["-std=c99", "-O1", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-I"])
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("include"))
        .arg(&source)
        .arg(&library)
        .args(system_libraries().split(' '))
        .arg("-o")
        .arg(&binary)
        .output()
        .unwrap_or_else(|error| panic!("{compiler}: {error}"));
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let ran = Command::new(&binary).output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    assert_eq!(String::from_utf8_lossy(&ran.stdout), "the last list begins with 9999999\n");
}
