//! Keys of a terminal, from the bytes that it sends for them. Nothing is read but what is there, and a sequence whose rest does not
//! come is given up: neither half a sequence nor a terminal that goes keeps anybody.

use std::fs::File;
use std::io::{self, ErrorKind, IsTerminal, Read};
use std::os::fd::{AsFd, AsRawFd};
use std::time::{Duration, Instant};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    Letter(char),
    /// Ctrl-C.
    Interrupt,
    Enter,
    Escape,
    Backspace,
    Up,
    Down,
    PageUp,
    PageDown,
    Home,
    Other,
}

/// So long the rest of a sequence takes at most, also over a slow line.
const REST: Duration = Duration::from_millis(50);

pub struct Keys {
    terminal: File,
    /// Bytes of keys that were not given yet.
    bytes: Vec<u8>,
    /// When the last of them came.
    came: Instant,
}

impl Keys {
    pub fn open() -> io::Result<Keys> {
        let stdin = io::stdin();
        let terminal = if stdin.is_terminal() {
            // A handle of our own: the standard one keeps bytes back, of which `poll` does not know.
            stdin.as_fd().try_clone_to_owned()?.into()
        } else {
            File::open("/dev/tty")?
        };
        Ok(Keys { terminal, bytes: Vec::new(), came: Instant::now() })
    }

    /// The next key that is there.
    pub fn next(&mut self) -> Option<Key> {
        let (key, length) = match first(&self.bytes) {
            Some(whole) => whole,
            None if self.bytes.is_empty() || self.came.elapsed() < REST => return None,
            None if self.bytes == [ESCAPE] => (Key::Escape, 1),
            None => (Key::Other, self.bytes.len()),
        };
        self.bytes.drain(..length);
        Some(key)
    }

    /// Waits for more of them, for `time` at most; false if the terminal has gone.
    pub fn wait(&mut self, time: Duration) -> bool {
        let time = if self.bytes.is_empty() { time } else { time.min(REST) };
        let mut asked = libc::pollfd { fd: self.terminal.as_raw_fd(), events: libc::POLLIN, revents: 0 };
        // A part of a millisecond counts as one, so that the time goes by without haste.
        let time = time.as_nanos().div_ceil(1_000_000) as libc::c_int;
        // SAFETY: one descriptor, which is ours.
        if unsafe { libc::poll(&mut asked, 1, time) } <= 0 {
            // The time is over, or there was a signal.
            return true;
        }
        if asked.revents & (libc::POLLHUP | libc::POLLERR | libc::POLLNVAL) != 0 {
            return false;
        }
        let mut buffer = [0; 256];
        match self.terminal.read(&mut buffer) {
            Ok(0) => false,
            Ok(count) => {
                self.bytes.extend_from_slice(&buffer[..count]);
                self.came = Instant::now();
                true
            }
            Err(error) => matches!(error.kind(), ErrorKind::Interrupted | ErrorKind::WouldBlock),
        }
    }
}

const ESCAPE: u8 = 0x1b;

/// The first key and how many bytes it has; none while they are not all there.
fn first(bytes: &[u8]) -> Option<(Key, usize)> {
    let key = match *bytes.first()? {
        ESCAPE => return sequence(bytes),
        b'\r' | b'\n' => Key::Enter,
        0x03 => Key::Interrupt,
        0x08 | 0x7f => Key::Backspace,
        0..0x20 => Key::Other,
        _ => return letter(bytes),
    };
    Some((key, 1))
}

fn letter(bytes: &[u8]) -> Option<(Key, usize)> {
    let bytes = &bytes[..bytes.len().min(4)];
    let valid = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) if error.valid_up_to() == 0 => return Some((Key::Other, error.error_len()?)),
        Err(error) => std::str::from_utf8(&bytes[..error.valid_up_to()]).ok()?,
    };
    valid.chars().next().map(|letter| (Key::Letter(letter), letter.len_utf8()))
}

/// The key, and its bytes, of a sequence that begins with Escape. None: it is not whole.
fn sequence(bytes: &[u8]) -> Option<(Key, usize)> {
    match *bytes.get(1)? {
        ESCAPE => Some((Key::Escape, 1)),
        b'O' => Some((named(*bytes.get(2)?, b""), 3)),
        b'[' => {
            let end = 2 + bytes[2..].iter().position(|byte| !(0x20..0x40).contains(byte))?;
            match bytes[end] {
                // A key of the Linux console: one more letter.
                b'[' => bytes.get(end + 1).map(|_| (Key::Other, end + 2)),
                // No part of a sequence: it was broken off.
                0..0x20 => Some((Key::Other, end)),
                last => Some((named(last, &bytes[2..end]), end + 1)),
            }
        }
        // A letter with Alt counts as that letter.
        _ => first(&bytes[1..]).map(|(key, length)| (key, length + 1)),
    }
}

fn named(last: u8, numbers: &[u8]) -> Key {
    let number = numbers.split(|&byte| byte == b';').next();
    match (last, number) {
        (b'A', _) => Key::Up,
        (b'B', _) => Key::Down,
        (b'H', _) | (b'~', Some(b"1" | b"7")) => Key::Home,
        (b'~', Some(b"5")) => Key::PageUp,
        (b'~', Some(b"6")) => Key::PageDown,
        _ => Key::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::iter;

    fn keys(bytes: &[u8]) -> (Vec<Key>, usize) {
        let mut at = 0;
        let found = iter::from_fn(|| {
            let (key, length) = first(&bytes[at..])?;
            at += length;
            Some(key)
        });
        (found.collect(), bytes.len() - at)
    }

    #[test]
    fn keys_of_bytes() {
        use Key::*;
        let cases: [(&[u8], &[Key], usize); 15] = [
            (
                b"q\r\n\x03\x7f\x08\x01",
                &[Letter('q'), Enter, Enter, Interrupt, Backspace, Backspace, Other],
                0,
            ),
            ("sé/𝄞".as_bytes(), &[Letter('s'), Letter('é'), Letter('/'), Letter('𝄞')], 0),
            (b"a\xe2\x82", &[Letter('a')], 2),
            (b"\xff\xe2b", &[Other, Other, Letter('b')], 0),
            (b"\x1b[A\x1bOB\x1b[1;5A", &[Up, Down, Up], 0),
            (b"\x1b[H\x1bOH\x1b[1~\x1b[7~", &[Home; 4], 0),
            (b"\x1b[5~\x1b[6;2~\x1b[15~\x1b[C", &[PageUp, PageDown, Other, Other], 0),
            (b"\x1b[[Aq", &[Other, Letter('q')], 0),
            (b"\x1b", &[], 1),
            (b"\x1b[", &[], 2),
            (b"\x1b[1;", &[], 4),
            (b"\x1bO", &[], 2),
            (b"\x1b\x1b[A", &[Escape, Up], 0),
            (b"\x1b[1\x03", &[Other, Interrupt], 0),
            (b"\x1bs", &[Letter('s')], 0),
        ];
        for (bytes, wanted, left) in cases {
            assert_eq!(keys(bytes), (wanted.to_vec(), left), "{bytes:?}");
        }
    }
}
