//! Places that reports go to: files, and the standard error stream.
//!
//! A file is written under a temporary name and renamed, so that whoever looks finds the old one or the whole new
//! one. Files are readable by their owner, and links are not followed: report names can be guessed, and directories
//! such as /tmp are shared. Devices and pipes are written to as they are.

use crate::base::{Failure, Outcome, Sentence, Status, fault};
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};

/// A writer with a buffer of its own, so that a report takes few writes and no allocation.
pub struct Buffered<W: Write> {
    to: W,
    used: usize,
    bytes: [u8; 4096],
}

impl<W: Write> Buffered<W> {
    pub fn new(to: W) -> Buffered<W> {
        Buffered { to, used: 0, bytes: [0; 4096] }
    }
}

impl<W: Write> Write for Buffered<W> {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        if self.used == self.bytes.len() {
            self.flush()?;
        }
        if self.used == 0 && text.len() >= self.bytes.len() {
            // What has a buffer of its own needs no other one.
            return self.to.write(text);
        }
        let part = text.len().min(self.bytes.len() - self.used);
        self.bytes[self.used..self.used + part].copy_from_slice(&text[..part]);
        self.used += part;
        Ok(part)
    }

    fn flush(&mut self) -> io::Result<()> {
        let used = std::mem::take(&mut self.used);
        self.to.write_all(&self.bytes[..used])
    }
}

/// What writes a report.
pub type Body<'a> = &'a mut dyn FnMut(&mut dyn Write) -> io::Result<()>;

/// Writes a whole file, or leaves the old one.
pub fn write_whole(name: &str, body: Body<'_>) -> Outcome<()> {
    if is_device(name)? {
        let file = open_device(name).map_err(|error| cannot(name, &error))?;
        return fill(file, body).map_err(|error| cannot(name, &error));
    }
    let (file, temporary) = temporary_beside(name)?;
    let written = fill(file, body).and_then(|()| std::fs::rename(temporary.as_str(), name));
    written.map_err(|error| {
        let _ = std::fs::remove_file(temporary.as_str());
        cannot(name, &error)
    })
}

fn fill(file: impl Write, body: Body<'_>) -> io::Result<()> {
    let mut out = Buffered::new(file);
    body(&mut out)?;
    out.flush()
}

/// Writes a report to the standard error stream. Nobody is left to be told when that is closed.
pub fn write_standard_error(body: Body<'_>) {
    let _ = fill(io::stderr(), body);
}

/// Says now whether `write_whole` would be able to make this file later.
pub fn check_name(name: &str) -> Outcome<()> {
    if is_device(name)? {
        return open_device(name).map(drop).map_err(|error| cannot(name, &error));
    }
    let (_, temporary) = temporary_beside(name)?;
    let _ = std::fs::remove_file(temporary.as_str());
    Ok(())
}

/// A file that grows while it can be read.
pub fn open_stream(name: &str) -> Outcome<File> {
    let opened = if is_device(name)? {
        open_device(name)
    } else if fault::allow() {
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(true).mode(0o600).custom_flags(libc::O_NOFOLLOW);
        options.open(name)
    } else {
        Err(io::ErrorKind::OutOfMemory.into())
    };
    opened.map_err(|error| cannot(name, &error))
}

fn temporary_beside(name: &str) -> Outcome<(File, Sentence)> {
    for attempt in 0..100 {
        let temporary = Sentence::new(format_args!("{name}.{}-{attempt}.tmp", std::process::id()));
        if !fault::allow() {
            return Err(cannot(name, &io::ErrorKind::OutOfMemory.into()));
        }
        let mut options = OpenOptions::new();
        options.write(true).create_new(true).mode(0o600).custom_flags(libc::O_NOFOLLOW);
        match options.open(temporary.as_str()) {
            Ok(file) => return Ok((file, temporary)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(cannot(name, &error)),
        }
    }
    Err(cannot(name, &io::ErrorKind::AlreadyExists.into()))
}

/// Whether the name is that of something that cannot be replaced by a new file. Directories and links elsewhere than
/// in /dev are refused.
fn is_device(name: &str) -> Outcome<bool> {
    let Ok(own) = std::fs::symlink_metadata(name) else { return Ok(false) };
    let kind = own.file_type();
    if kind.is_file() {
        return Ok(false);
    }
    if kind.is_char_device() || kind.is_fifo() || (kind.is_symlink() && name.starts_with("/dev/")) {
        return Ok(true);
    }
    let what = if kind.is_symlink() { "is a link, and links are not followed" } else { "is no file" };
    Err(Failure::new(Status::Io, format_args!("the report {name} cannot be written: it {what}")))
}

fn open_device(name: &str) -> io::Result<File> {
    OpenOptions::new().append(true).open(name)
}

fn cannot(name: &str, error: &io::Error) -> Failure {
    Failure::new(Status::Io, format_args!("the report {name} cannot be written: {}", Reason(error)))
}

/// The system's words for an error. `io::Error` has them too, by way of an allocation.
pub struct Reason<'a>(pub &'a io::Error);

impl std::fmt::Display for Reason<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Some(number) = self.0.raw_os_error() else { return write!(f, "{}", self.0.kind()) };
        let mut text = [0u8; 128];
        // SAFETY: `text` is writable and as long as it is said to be; the answer ends with NUL.
        let found = unsafe { libc::strerror_r(number, text.as_mut_ptr().cast(), text.len()) } == 0;
        let length = text.iter().position(|&byte| byte == 0).unwrap_or(0);
        match std::str::from_utf8(&text[..length]) {
            Ok(words) if found && length > 0 => f.write_str(words),
            _ => write!(f, "error {number}"),
        }
    }
}
