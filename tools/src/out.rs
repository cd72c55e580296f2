//! Writing files whole or not at all: to a temporary name beside the target, then renamed, so that a failure leaves
//! neither half a file nor a damaged old one.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Runs `write` on a new file and gives it the name `path` once all of it is on its way to the disk.
pub fn write_file(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), String> {
    let failed = |error: io::Error| format!("{}: {error}", path.display());
    let (temporary, file) = beside(path).map_err(failed)?;
    let result = (|| {
        let mut out = BufWriter::new(file);
        write(&mut out)?;
        out.into_inner().map_err(|error| error.into_error())?;
        fs::rename(&temporary, path)
    })();
    result.map_err(|error| {
        // The first failure is what counts; that the remains can't be removed would only hide it.
        let _ = fs::remove_file(&temporary);
        failed(error)
    })
}

/// Writes to `path`, or to standard output for `-`.
pub fn write_to(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), String> {
    if path.as_os_str() != "-" {
        return write_file(path, write);
    }
    let mut out = BufWriter::new(io::stdout().lock());
    match write(&mut out).and_then(|()| out.flush()) {
        // Whoever reads our output may stop reading: `barrow convert … | head`.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(format!("standard output: {error}")),
        _ => Ok(()),
    }
}

/// A new file in the same folder, since only there a rename is one step.
fn beside(path: &Path) -> io::Result<(PathBuf, File)> {
    let name = path.file_name().ok_or_else(|| io::Error::other("not a name of a file"))?;
    for attempt in 0..100 {
        let mut hidden = std::ffi::OsString::from(".");
        hidden.push(name);
        hidden.push(format!(".{}.{attempt}", std::process::id()));
        let temporary = path.with_file_name(hidden);
        match File::options().write(true).create_new(true).open(&temporary) {
            Ok(file) => return Ok((temporary, file)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other("no free temporary name beside it"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_write_leaves_nothing_and_keeps_the_old_file() {
        let folder = std::env::temp_dir().join(format!("barrow-out-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder for the test");
        let path = folder.join("page.html");
        write_file(&path, |out| out.write_all(b"old")).expect("the first writing");
        let failed = write_file(&path, |out| {
            out.write_all(b"new and half")?;
            Err(io::Error::other("the disk is full"))
        });
        assert!(failed.expect_err("must fail").ends_with("the disk is full"));
        assert_eq!(fs::read(&path).expect("still there"), b"old");
        assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 1);
        fs::remove_dir_all(&folder).expect("cleaning up");
    }
}
