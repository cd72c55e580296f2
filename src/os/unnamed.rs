//! Files that have no name until they are whole: a program that is killed while it writes leaves no file.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

/// Makes a file without a name in a folder. On some file systems this fails, and the file must get a name
/// at once.
#[cfg(target_os = "linux")]
pub fn create(folder: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    OpenOptions::new().write(true).mode(0o666).custom_flags(libc::O_TMPFILE).open(folder)
}

/// Gives the file a name that no file has yet.
#[cfg(target_os = "linux")]
pub fn give_name(file: &File, path: &Path) -> io::Result<()> {
    use std::ffi::CString;
    use std::os::fd::AsRawFd;
    use std::os::unix::ffi::OsStrExt;
    let own = CString::new(format!("/proc/self/fd/{}", file.as_raw_fd()))?;
    let path = CString::new(path.as_os_str().as_bytes())?;
    let at = libc::AT_FDCWD;
    // SAFETY: both names end with NUL and live during the call.
    match unsafe { libc::linkat(at, own.as_ptr(), at, path.as_ptr(), libc::AT_SYMLINK_FOLLOW) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

#[cfg(not(target_os = "linux"))]
pub fn create(_folder: &Path) -> io::Result<File> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(not(target_os = "linux"))]
pub fn give_name(_file: &File, _path: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
