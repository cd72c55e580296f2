//! The files of the library, for tests that read them.

use std::path::{Path, PathBuf};

/// Adds the files of Rust below a folder.
pub fn files(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(directory).expect("src can be read") {
        let path = entry.expect("src can be read").path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.push(path);
        }
    }
}
