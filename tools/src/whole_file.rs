//! Writes a file so that its name never stands for half of it: under another name first, then renamed.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Makes `path` hold what `fill` writes. If anything fails, whatever was there before is still there.
pub fn write(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let partial = partial_name(path);
    let written = write_partial(&partial, fill).and_then(|()| fs::rename(&partial, path));
    if written.is_err() {
        // The first failure is the one to report.
        let _ = fs::remove_file(&partial);
    }
    written
}

fn write_partial(partial: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 16, File::create(partial)?);
    fill(&mut out)?;
    out.flush()
}

/// In the same folder, as renaming does not cross file systems, and of this process alone.
fn partial_name(path: &Path) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(format!(".{}.partial", std::process::id()));
    path.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_leaves_the_old_file_and_nothing_else() {
        let folder = std::env::temp_dir().join(format!("barrow-whole-file-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("page.ps");
        write(&path, |out| out.write_all(b"old")).unwrap();
        let failed = write(&path, |out| {
            out.write_all(&[b'x'; 100_000])?;
            Err(io::Error::other("no more"))
        });
        assert_eq!(failed.unwrap_err().to_string(), "no more");
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        fs::remove_dir_all(&folder).unwrap();
    }
}
