//! Drives the viewer's page in headless Chromium, where it, Node and the driver library are installed;
//! tests/page/run.sh installs the last and is what a build machine calls.

use std::path::{Path, PathBuf};
use std::process::Command;

#[test]
fn the_page_in_a_browser() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/page");
    // Beside the build: CARGO_TARGET_TMPDIR is a folder within the target's.
    let work = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("page-test");
    if !work.join("node_modules/playwright-core").is_dir() {
        return println!("skipped: no playwright-core in {}; tests/page/run.sh installs it", work.display());
    }
    let Some(chromium) = ["chromium", "chromium-browser", "google-chrome"].into_iter().find_map(in_path)
    else {
        return println!("skipped: no Chromium");
    };
    if in_path("node").is_none() {
        return println!("skipped: no Node to run the driver with");
    }
    let run = Command::new("node")
        .arg(here.join("drive.mjs"))
        // Times are measured on the release build by run.sh; an unoptimised one is only right or wrong.
        .args([
            "heap",
            "report",
            "look",
            "answer",
            "flame",
            "graph",
            "serve",
            "demo",
            "space",
            "every",
            "far",
            "speedscope",
            "perfetto",
            "pictures",
        ])
        .env("BARROW", env!("CARGO_BIN_EXE_barrow"))
        .env("CHROMIUM", chromium)
        .env("PAGE_TEST", &work)
        .output()
        .expect("node runs");
    let said = String::from_utf8_lossy(&run.stdout);
    println!("{said}");
    assert!(run.status.success(), "{said}\n{}", String::from_utf8_lossy(&run.stderr));
}

fn in_path(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.is_file())
}
