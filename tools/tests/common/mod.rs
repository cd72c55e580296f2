//! What the integration tests share: fixtures, and scratch folders that clean up after themselves.
#![allow(dead_code, reason = "each test binary uses a part")]

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

pub fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
}

pub struct Scratch(PathBuf);

impl Scratch {
    /// Two tests of one program may choose the same name.
    pub fn new(name: &str) -> Scratch {
        static MADE: AtomicUsize = AtomicUsize::new(0);
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("barrow-{name}-{}-{number}", std::process::id()));
        // An earlier program with this number may have been killed.
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Scratch(path)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    pub fn file(&self, name: &str, text: &str) {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().expect("inside the folder")).expect("folders");
        std::fs::write(path, text).expect("a file");
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What a failed test left is of no use to the next run.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
