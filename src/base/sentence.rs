//! A message of bounded length that needs no allocation, so that running out of memory can be told too.

use std::fmt;

const CAPACITY: usize = 400;

/// One sentence for a person. What does not fit is cut at a character boundary and ends with "...".
#[derive(Clone, Copy)]
pub struct Sentence {
    length: u16,
    cut: bool,
    bytes: [u8; CAPACITY],
}

impl Sentence {
    /// Bytes that fit into a sentence, whatever comes after them.
    pub const ROOM: usize = CAPACITY - 8;
    pub const EMPTY: Sentence = Sentence { length: 0, cut: false, bytes: [0; CAPACITY] };

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
        if self.cut {
            return Ok(());
        }
        let start = self.length as usize;
        // Room for the dots, and for the NUL that C wants behind it.
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
        Ok(())
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
}
