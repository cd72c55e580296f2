//! The common parts of output: a buffer, a body that writes, the system's words for an error, the standard
//! error stream.
//!
//! Messages go to the system without Rust's lock on the stream: a thread holds that while nobody reads from a full pipe, and a child
//! of a fork would wait for it for ever [runtime.fork]. The buffer keeps lines whole.

use super::pipe::Unbroken;
use crate::base::Sentence;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A writer with a buffer of its own, so that a report takes few writes and no allocation.
pub(crate) struct Buffered<W: Write> {
    to: W,
    used: usize,
    bytes: [u8; 4096],
}

impl<W: Write> Buffered<W> {
    pub(crate) fn new(to: W) -> Buffered<W> {
        Buffered { to, used: 0, bytes: [0; 4096] }
    }
}

impl<W: Write> Write for Buffered<W> {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        if self.used == self.bytes.len() {
            self.flush()?;
        }
        if self.used == 0 && text.len() >= self.bytes.len() {
            // Text as long as the buffer is written without it.
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

/// A function that writes a report.
pub(crate) type Body<'a> = &'a mut dyn FnMut(&mut dyn Write) -> io::Result<()>;

/// Time for which a full standard error stream that does not wait is waited for.
const PATIENCE: Duration = Duration::from_secs(5);
/// Milliseconds between two looks at the clock meanwhile.
const LOOK: libc::c_int = 100;

/// Whether the reader did not come in that time, and nothing has been written since: then nobody waits again.
static GAVE_UP: AtomicBool = AtomicBool::new(false);

/// Writes some bytes to the standard error stream. It may be called by a handler of signals. Others may have made the stream one
/// that does not wait for its reader, such as a terminal: then this waits.
pub(super) fn write_some(text: &[u8]) -> io::Result<usize> {
    let mut began = None;
    loop {
        // SAFETY: the bytes are readable.
        let written = unsafe { libc::write(libc::STDERR_FILENO, text.as_ptr().cast(), text.len()) };
        if let Ok(written) = usize::try_from(written) {
            GAVE_UP.store(false, Ordering::Relaxed);
            return Ok(written);
        }
        let error = io::Error::last_os_error();
        match error.kind() {
            io::ErrorKind::Interrupted if planted!(653, false, true) => {}
            io::ErrorKind::WouldBlock if planted!(654, false, !GAVE_UP.load(Ordering::Relaxed)) => {
                if began.get_or_insert_with(Instant::now).elapsed() >= PATIENCE {
                    GAVE_UP.store(true, Ordering::Relaxed);
                }
                let mut stream = libc::pollfd { fd: libc::STDERR_FILENO, events: libc::POLLOUT, revents: 0 };
                // SAFETY: the call looks at one descriptor.
                unsafe { libc::poll(&mut stream, 1, LOOK) };
            }
            _ => return Err(error),
        }
    }
}

struct StandardError;

impl Write for StandardError {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        planted!(501, return io::stderr().write(text));
        write_some(text)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes a report to the standard error stream. If that is closed, there is no one to tell.
pub(crate) fn write_standard_error(body: Body<'_>) {
    let mut out = Buffered::new(Unbroken(StandardError));
    let _ = body(&mut out).and_then(|()| out.flush());
}

/// Writes a sentence as a line of its own to the standard error stream.
#[cold]
#[inline(never)]
pub(crate) fn say(sentence: &Sentence) {
    write_standard_error(&mut |out| writeln!(out, "barrow: {sentence}"));
}

/// The system's words for an error. `io::Error` has them too, by way of an allocation.
pub(crate) struct Reason<'a>(pub &'a io::Error);

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
