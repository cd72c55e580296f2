//! Bytes to tokens: white space, words, strings and numbers of a heap profile, through one fixed buffer.
//! Knows what a token is, not what it means.

use super::fault::{Fault, HpError};
use std::io::{ErrorKind, Read};

/// Big enough that system calls do not show, small enough for the second-level cache.
const BUFFER: usize = 128 * 1024;
/// Labels are cut by the runtime's `-L` long before this; anything longer is not a name.
pub const MAX_NAME: usize = 64 * 1024;
/// A job line holds a command line, which systems limit to a few megabytes.
pub const MAX_STRING: usize = 4 * 1024 * 1024;
/// The longest number that readers of the format take whole.
const MAX_NUMBER: usize = 32;

pub fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// A line of the commonest shape, `name TAB integer`, recognised without going through tokens.
pub struct Plain {
    /// The name's place in the buffer; valid until the scanner moves on.
    name: (usize, usize),
    pub value: Option<u64>,
    /// Where the line ends: the byte after its line feed.
    end: usize,
    pub tab: bool,
}

pub struct Scan<R> {
    source: R,
    buffer: Box<[u8]>,
    start: usize,
    end: usize,
    at_end_of_file: bool,
    /// Of the next unread byte, from 1.
    pub line: u64,
    /// The next unread byte is the first of its line.
    pub line_start: bool,
    /// The last word or string read.
    pub text: Vec<u8>,
}

/// A number as written: with a dot a float, without one an integer.
pub enum Number {
    Float(f64),
    /// None when beyond 64 bits.
    Integer(Option<u64>),
}

impl<R: Read> Scan<R> {
    pub fn new(source: R) -> Scan<R> {
        Scan {
            source,
            buffer: vec![0; BUFFER].into(),
            start: 0,
            end: 0,
            at_end_of_file: false,
            line: 1,
            line_start: true,
            text: Vec::new(),
        }
    }

    /// Reads more behind what is unread. False at the end of the file, or when the buffer is full.
    fn fill(&mut self) -> Result<bool, HpError> {
        if self.at_end_of_file {
            return Ok(false);
        }
        if self.start > 0 {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
        }
        if self.end == self.buffer.len() {
            return Ok(false);
        }
        loop {
            match self.source.read(&mut self.buffer[self.end..]) {
                Ok(0) => {
                    self.at_end_of_file = true;
                    return Ok(false);
                }
                Ok(n) => {
                    self.end += n;
                    return Ok(true);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(HpError::Io(error)),
            }
        }
    }

    pub fn peek(&mut self) -> Result<Option<u8>, HpError> {
        if self.start == self.end && !self.fill()? {
            return Ok(None);
        }
        Ok(Some(self.buffer[self.start]))
    }

    fn step(&mut self, byte: u8) {
        self.start += 1;
        self.line_start = byte == b'\n';
        self.line += u64::from(self.line_start);
    }

    /// Skips white space. The answer is the next byte, or none at the end of the file.
    pub fn skip_space(&mut self) -> Result<Option<u8>, HpError> {
        loop {
            match self.peek()? {
                Some(byte) if is_space(byte) => self.step(byte),
                other => return Ok(other),
            }
        }
    }

    /// Reads to the next white space into `text`.
    pub fn word(&mut self) -> Result<(), HpError> {
        self.text.clear();
        while let Some(byte) = self.peek()?.filter(|&byte| !is_space(byte)) {
            if self.text.len() == MAX_NAME {
                return Err(HpError::bad(self.line, Fault::NameTooLong));
            }
            self.text.push(byte);
            self.step(byte);
        }
        Ok(())
    }

    /// Reads a string, whose opening quote is next, into `text`. A quote inside is written twice.
    pub fn string(&mut self) -> Result<(), HpError> {
        let begun = self.line;
        self.text.clear();
        self.step(b'"');
        loop {
            let Some(byte) = self.peek()? else {
                return Err(HpError::bad(begun, Fault::UnterminatedString));
            };
            self.step(byte);
            if byte == b'"' {
                if self.peek()? != Some(b'"') {
                    return Ok(());
                }
                self.step(b'"');
            }
            if self.text.len() == MAX_STRING {
                return Err(HpError::bad(begun, Fault::StringTooLong));
            }
            self.text.push(byte);
        }
    }

    /// Reads the longest run of digits and dots; the next byte is a digit.
    pub fn number(&mut self) -> Result<Number, HpError> {
        self.text.clear();
        let mut dots = 0;
        // The value ends before a second dot, as in C's atof.
        let mut meant = 0;
        while let Some(byte) = self.peek()?.filter(|byte| byte.is_ascii_digit() || *byte == b'.') {
            if self.text.len() == MAX_NUMBER {
                return Err(HpError::bad(self.line, Fault::NumberTooLong));
            }
            dots += usize::from(byte == b'.');
            self.text.push(byte);
            if dots < 2 {
                meant = self.text.len();
            }
            self.step(byte);
        }
        // Digits and at most one dot, starting with a digit: always a valid float.
        let digits = std::str::from_utf8(&self.text[..meant]).unwrap_or_default();
        Ok(match dots {
            0 => Number::Integer(digits.parse().ok()),
            _ => Number::Float(digits.parse().unwrap_or_default()),
        })
    }

    /// Whether this line is the last and has no line end: the mark of a file cut in mid-line. Skips the line.
    pub fn is_last_line_open(&mut self) -> Result<bool, HpError> {
        while let Some(byte) = self.peek()?.filter(|&byte| byte != b'\n') {
            self.step(byte);
        }
        Ok(self.peek()?.is_none())
    }

    /// The coming line, if it is one word, one tab or space, digits and a line end. Nothing is consumed.
    pub fn plain_line(&mut self) -> Result<Option<Plain>, HpError> {
        loop {
            match plain(&self.buffer[self.start..self.end]) {
                Look::Plain(plain) => return Ok(Some(plain)),
                Look::Other => return Ok(None),
                Look::More if self.fill()? => {}
                Look::More => return Ok(None),
            }
        }
    }

    /// As `plain_line`, for a name with spaces in it: everything before the line's only tab.
    pub fn spaced_line(&mut self) -> Result<Option<Plain>, HpError> {
        loop {
            let unread = &self.buffer[self.start..self.end];
            if let Some(length) = unread.iter().position(|&byte| byte == b'\n') {
                return Ok(spaced(&unread[..length]));
            }
            if !self.fill()? {
                return Ok(None);
            }
        }
    }

    pub fn plain_name(&self, plain: &Plain) -> &[u8] {
        &self.buffer[self.start..][plain.name.0..plain.name.1]
    }

    pub fn skip_plain(&mut self, plain: &Plain) {
        self.start += plain.end;
        self.line += 1;
        self.line_start = true;
    }
}

enum Look {
    Plain(Plain),
    Other,
    /// Undecided: the line goes on beyond the buffer.
    More,
}

fn plain(bytes: &[u8]) -> Look {
    let Some(length) = bytes.iter().position(|&byte| is_space(byte)) else { return Look::More };
    if length == 0 || length > MAX_NAME || bytes[0] == b'"' || !matches!(bytes[length], b'\t' | b' ') {
        return Look::Other;
    }
    let from = length + 1;
    let mut at = from;
    // Nineteen digits always fit 64 bits; the twentieth needs the check.
    let mut value = Some(0u64);
    while at < bytes.len() && bytes[at].is_ascii_digit() {
        let digit = u64::from(bytes[at] - b'0');
        value = if at - from < 19 {
            value.map(|value| value * 10 + digit)
        } else {
            value.and_then(|value| value.checked_mul(10)?.checked_add(digit))
        };
        at += 1;
    }
    if at - from > MAX_NUMBER {
        return Look::Other;
    }
    let rest = &bytes[at..];
    let end = match rest {
        [b'\n', ..] => at + 1,
        [b'\r', b'\n', ..] => at + 2,
        [] | [b'\r'] => return Look::More,
        _ => return Look::Other,
    };
    if at == from {
        return Look::Other;
    }
    Look::Plain(Plain { name: (0, length), value, end, tab: bytes[length] == b'\t' })
}

/// `line` is without its line feed.
fn spaced(line: &[u8]) -> Option<Plain> {
    let text = line.strip_suffix(b"\r").unwrap_or(line);
    let tab = text.iter().position(|&byte| byte == b'\t')?;
    let (name, number) = (&text[..tab], &text[tab + 1..]);
    let inner_space = name.contains(&b' ');
    let other_space = name.iter().any(|&byte| is_space(byte) && byte != b' ');
    if !inner_space || other_space || name.len() > MAX_NAME || number.is_empty() || number.len() > MAX_NUMBER
    {
        return None;
    }
    if !number.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let value = std::str::from_utf8(number).ok()?.parse().ok();
    Some(Plain { name: (0, tab), value, end: line.len() + 1, tab: true })
}
