//! Puts a finished file in place: written under a temporary name beside it and renamed, so that no reader ever sees
//! half of it and a failure leaves the old one.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes `path` as a file of its own, making its folders. A symbolic link there is replaced, not followed.
pub fn replace(path: &Path, contents: &[u8]) -> io::Result<()> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(parent)?;
    let (mut file, temporary) = create_beside(parent)?;
    let done = file.write_all(contents).and_then(|()| {
        drop(file);
        fs::rename(&temporary, path)
    });
    if done.is_err() {
        // The first error is the one to report.
        let _ = fs::remove_file(&temporary);
    }
    done
}

/// Writes the file that the user named: a link is followed, and what is no regular file (a pipe, a terminal) is
/// written in place, since a rename would put a file where the device was.
pub fn write_named(path: &Path, contents: &[u8]) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(found) if found.is_file() => replace(&fs::canonicalize(path)?, contents),
        Ok(_) => fs::OpenOptions::new().write(true).open(path)?.write_all(contents),
        Err(_) => replace(path, contents),
    }
}

fn create_beside(parent: &Path) -> io::Result<(fs::File, PathBuf)> {
    // Names left over by a killed run with the same number are passed over.
    for attempt in 0..1000 {
        let temporary = parent.join(format!(".barrow-{}-{attempt}.tmp", std::process::id()));
        match fs::OpenOptions::new().write(true).create_new(true).open(&temporary) {
            Ok(file) => return Ok((file, temporary)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other("no temporary name is free"))
}
