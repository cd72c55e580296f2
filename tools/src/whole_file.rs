//! Writes a file so that its name never stands for half of it: without a name, or where the file system cannot do that,
//! under another one; then it is renamed. Whoever is killed meanwhile leaves nothing.

use barrow::os::unnamed;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::os::fd::AsRawFd;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// Makes `path` hold what `fill` writes. If anything fails, whatever was there before is still there. A link is
/// followed, and what is no regular file (a pipe, a terminal) is written in place: a rename would put a file where the
/// device was. A pipe that nobody reads is refused, as opening it would wait for ever.
pub fn write(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(found) if found.is_file() => put(&fs::canonicalize(path)?, fill),
        Ok(found) if found.is_dir() => Err(ErrorKind::IsADirectory.into()),
        Ok(_) => filled(device(path)?, fill),
        Err(_) => put(path, fill),
    }
}

/// A shell's `>(command)` is a pipe whose reader is there.
fn device(path: &Path) -> io::Result<File> {
    let file =
        OpenOptions::new().write(true).custom_flags(libc::O_NONBLOCK).open(path).map_err(
            |error| match error.raw_os_error() {
                Some(libc::ENXIO) => io::Error::other("is a pipe that nobody reads, and no file"),
                _ => error,
            },
        )?;
    // SAFETY: a descriptor that is ours, and numbers; opened without waiting, it is written with waiting.
    let set = unsafe {
        let flags = libc::fcntl(file.as_raw_fd(), libc::F_GETFL);
        libc::fcntl(file.as_raw_fd(), libc::F_SETFL, flags & !libc::O_NONBLOCK)
    };
    if set < 0 { Err(io::Error::last_os_error()) } else { Ok(file) }
}

/// A file of our own making, with the folders above it. A symbolic link there is replaced, not followed: nobody can make
/// us write elsewhere.
pub fn replace(path: &Path, contents: &[u8]) -> io::Result<()> {
    fs::create_dir_all(folder_of(path))?;
    put(path, |out| out.write_all(contents))
}

fn put(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let partial = match unnamed::create(folder_of(path)) {
        Ok(file) => {
            filled(&file, fill)?;
            name_beside(path, |partial| unnamed::give_name(&file, partial))?.1
        }
        Err(_) => {
            let (file, partial) =
                name_beside(path, |partial| OpenOptions::new().write(true).create_new(true).open(partial))?;
            if let Err(error) = filled(&file, fill) {
                // The first failure is the one to report.
                let _ = fs::remove_file(&partial);
                return Err(error);
            }
            partial
        }
    };
    let renamed = fs::rename(&partial, path);
    if renamed.is_err() {
        let _ = fs::remove_file(&partial);
    }
    renamed
}

fn filled(file: impl Write, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 16, file);
    fill(&mut out)?;
    out.flush()
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// In the same folder, as renaming does not cross file systems. Names left over by a killed run are passed over.
fn name_beside<T>(path: &Path, take: impl Fn(&Path) -> io::Result<T>) -> io::Result<(T, PathBuf)> {
    for attempt in 0..1000 {
        let partial = folder_of(path).join(format!(".barrow-{}-{attempt}.partial", std::process::id()));
        match take(&partial) {
            Ok(taken) => return Ok((taken, partial)),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other("no temporary name is free"))
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
        // A link that the user named is followed, one where we put files of our own is not.
        let link = folder.join("link.ps");
        std::os::unix::fs::symlink(&path, &link).unwrap();
        write(&link, |out| out.write_all(b"through")).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"through");
        replace(&link, b"instead").unwrap();
        assert!(fs::read(&path).unwrap() == b"through" && !fs::symlink_metadata(&link).unwrap().is_symlink());
        replace(&folder.join("new/below/x"), b"made").unwrap();
        assert_eq!(fs::read(folder.join("new/below/x")).unwrap(), b"made");
        assert_eq!(write(&folder, |_| Ok(())).unwrap_err().kind(), ErrorKind::IsADirectory);
        write(Path::new("/dev/null"), |out| out.write_all(b"away")).unwrap();
        fs::remove_dir_all(&folder).unwrap();
    }
}
