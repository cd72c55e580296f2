//! What the tests of `hpc` share: a folder of their own, a copy of the fixtures, running the command.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder that goes away with the value.
pub struct Scratch(PathBuf);

impl Scratch {
    pub fn new(name: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("barrow-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a scratch folder");
        Scratch(path)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    #[allow(dead_code)]
    pub fn file(&self, name: &str, text: &str) {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().expect("inside the folder")).expect("folders");
        fs::write(path, text).expect("a file");
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[allow(dead_code)]
pub fn copy_tree(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("fixtures") {
        let entry = entry.expect("fixtures");
        let target = to.join(entry.file_name());
        if entry.file_type().expect("fixtures").is_dir() {
            copy_tree(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).expect("a copy");
        }
    }
}

/// `barrow hpc ARGUMENTS` in `dir`.
#[allow(dead_code)]
pub fn hpc(dir: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_barrow"));
    command.arg("hpc").args(arguments).current_dir(dir).output().expect("barrow runs")
}

#[allow(dead_code)]
pub fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("output is UTF-8")
}
