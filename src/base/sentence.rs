//! A message of bounded length that needs no allocation, so that it can tell even that memory has run
//! out.

use super::shown::{Unit, is_obeyed};
use std::fmt;

const CAPACITY: usize = 400;

/// One sentence for a person. A sentence that is too long is cut at a character boundary and ends with
/// "...".
#[derive(Clone, Copy)]
pub struct Sentence {
    length: u16,
    cut: bool,
    bytes: [u8; CAPACITY],
}

impl Sentence {
    /// Bytes that fit into a sentence, whether it is cut or not.
    pub const ROOM: usize = CAPACITY - 8;
    pub const EMPTY: Sentence = Sentence { length: 0, cut: false, bytes: [0; CAPACITY] };

    /// The sentence of a short text known at compile time.
    pub const fn of(text: &str) -> Sentence {
        let mut sentence = Sentence::EMPTY;
        let mut at = 0;
        while at < text.len() && at < Sentence::ROOM {
            sentence.bytes[at] = text.as_bytes()[at];
            at += 1;
        }
        sentence.length = at as u16;
        sentence
    }

    pub fn new(arguments: fmt::Arguments<'_>) -> Sentence {
        let mut sentence = Sentence::EMPTY;
        let _ = fmt::Write::write_fmt(&mut sentence, arguments);
        sentence
    }

    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.bytes[..self.length as usize]).unwrap_or("")
    }
}

impl fmt::Write for Sentence {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        // The text has names of the client's, and its bytes may go to a terminal.
        let mut rest = text;
        while let Some((at, c)) = rest.char_indices().find(|&(_, c)| is_obeyed(c)) {
            self.put(&rest[..at]);
            self.put(std::str::from_utf8(Unit::Char(c).seen().bytes()).unwrap_or(""));
            rest = &rest[at + c.len_utf8()..];
        }
        self.put(rest);
        Ok(())
    }
}

impl Sentence {
    fn put(&mut self, text: &str) {
        if self.cut {
            return;
        }
        let start = self.length as usize;
        // The room left by the dots, and by the NUL that C wants behind them.
        let room = CAPACITY - 4 - start;
        let mut take = text.len().min(room);
        while !text.is_char_boundary(take) {
            take -= 1;
        }
        self.bytes[start..start + take].copy_from_slice(&text.as_bytes()[..take]);
        self.length += take as u16;
        if take < text.len() {
            let end = self.length as usize;
            self.bytes[end..end + 3].copy_from_slice(b"...");
            self.length += 3;
            self.cut = true;
        }
    }
}

impl fmt::Display for Sentence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Sentence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_text_is_cut_at_a_character() {
        let sentence = Sentence::new(format_args!("{}", "é".repeat(500)));
        assert!(sentence.as_str().ends_with("é..."));
        assert!(sentence.as_str().len() < CAPACITY);
    }

    #[test]
    fn what_a_terminal_would_obey_is_shown() {
        let sentence = Sentence::new(format_args!("no {} here", "\x1b[2J\u{202e}\n"));
        assert_eq!(sentence.as_str(), "no \\u{1b}[2J\\u{202e}\\u{a} here");
    }
}
