//! Writes to pipes: without a reader, the write fails, and the program does not end.
//!
//! The system sends SIGPIPE to the thread that writes, which ends a program that has not chosen otherwise.
//! The signal is held back during the write, and taken away when the write has caused it; a SIGPIPE of the
//! program's own stays.

use std::io::{self, Write};

/// A writer whose writes no signal ends.
pub(crate) struct Unbroken<W: Write>(pub W);

impl<W: Write> Write for Unbroken<W> {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        let held = Held::begin();
        let written = self.0.write(text);
        held.end(matches!(&written, Err(error) if error.kind() == io::ErrorKind::BrokenPipe));
        written
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// A state in which SIGPIPE is held back from this thread.
struct Held {
    pipe: libc::sigset_t,
    mask_before: libc::sigset_t,
    waited_before: bool,
}

impl Held {
    fn begin() -> Held {
        // SAFETY: sets of signals are plain data, of which zero is a value, and each call is given a place for its answer.
        unsafe {
            let mut pipe: libc::sigset_t = std::mem::zeroed();
            let mut mask_before: libc::sigset_t = std::mem::zeroed();
            libc::sigemptyset(&mut pipe);
            libc::sigaddset(&mut pipe, libc::SIGPIPE);
            let waited_before = is_waiting();
            libc::pthread_sigmask(libc::SIG_BLOCK, &pipe, &mut mask_before);
            Held { pipe, mask_before, waited_before }
        }
    }

    /// Ends the state. `broken`: the write has found no reader, so a waiting signal may be that write's.
    fn end(self, broken: bool) {
        // SAFETY: as in `begin`. `sigwait` returns at once, since the signal waits and no other thread can take one that was
        // sent to this thread.
        unsafe {
            if broken && !self.waited_before && is_waiting() {
                let mut taken = 0;
                libc::sigwait(&self.pipe, &mut taken);
            }
            libc::pthread_sigmask(libc::SIG_SETMASK, &self.mask_before, std::ptr::null_mut());
        }
    }
}

/// Whether a SIGPIPE waits for this thread or for the process.
fn is_waiting() -> bool {
    // SAFETY: as in `begin`.
    unsafe {
        let mut waiting: libc::sigset_t = std::mem::zeroed();
        libc::sigpending(&mut waiting) == 0 && libc::sigismember(&waiting, libc::SIGPIPE) == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;
    use std::os::fd::FromRawFd;
    use std::sync::{Mutex, PoisonError};

    /// The action of the signal is the process's, and each test here sets it.
    static ACTION: Mutex<()> = Mutex::new(());

    /// A pipe without a reader.
    fn unread() -> File {
        let mut ends = [0; 2];
        // SAFETY: there is room for two descriptors, which are nobody else's.
        unsafe {
            assert_eq!(libc::pipe(ends.as_mut_ptr()), 0);
            libc::close(ends[0]);
            File::from_raw_fd(ends[1])
        }
    }

    #[test]
    fn a_reader_that_is_gone_is_an_error() {
        let _action = ACTION.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: the thread's own mask; Rust's tests ignore the signal, which a C program does not.
        unsafe {
            let before = libc::signal(libc::SIGPIPE, libc::SIG_DFL);
            let error = Unbroken(unread()).write(b"x").unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
            assert!(!is_waiting(), "the signal of the write was taken");
            libc::signal(libc::SIGPIPE, before);
        }
    }

    #[test]
    fn a_signal_of_the_program_stays() {
        let _action = ACTION.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: as above; a signal that was sent to this thread is taken by this thread.
        unsafe {
            let mut pipe: libc::sigset_t = std::mem::zeroed();
            libc::sigemptyset(&mut pipe);
            libc::sigaddset(&mut pipe, libc::SIGPIPE);
            libc::pthread_sigmask(libc::SIG_BLOCK, &pipe, std::ptr::null_mut());
            let before = libc::signal(libc::SIGPIPE, libc::SIG_DFL);
            libc::pthread_kill(libc::pthread_self(), libc::SIGPIPE);
            assert!(Unbroken(unread()).write(b"x").is_err());
            assert!(is_waiting(), "the program's own signal waits still");
            let mut taken = 0;
            libc::sigwait(&pipe, &mut taken);
            libc::signal(libc::SIGPIPE, before);
        }
    }
}
