//! Names and texts of others as files and messages show them, by one rule.
//!
//! A character that a terminal, an editor or a browser would obey instead of showing it is written as an
//! escape: control characters with C1, and those that change the direction or the line (`\u{202e}`). A byte
//! that is not UTF-8 becomes `\x9b`. A name that is too long is cut between characters and ends with `...`,
//! so no name makes a line of a report, or the padding of a column, longer than a reader can bear.

use std::fmt;
use std::io;

/// Bytes of a name as it is shown, at most, with the mark.
pub(crate) const LONGEST: usize = 1000;
/// Bytes of a name that is put together of many (a stack, a set of retainers, a band), at most. Readers of
/// `.hp` take words of 4999 bytes.
pub(crate) const LONGEST_JOINED: usize = 4900;
/// Bytes of a name in a message, at most, which needs room for advice.
const LONGEST_TOLD: usize = 100;

pub(crate) const MARK: &str = "...";

/// Whether a character is obeyed instead of being shown.
pub(crate) fn is_obeyed(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{206f}')
        || matches!(c, '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// A unit of a name: a character, or a byte that belongs to none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Unit {
    Char(char),
    Byte(u8),
}

/// The units of a name.
pub(crate) fn units(text: &[u8]) -> impl Iterator<Item = Unit> + Clone {
    text.utf8_chunks().flat_map(|chunk| {
        let invalid = chunk.invalid().iter().map(|&byte| Unit::Byte(byte));
        chunk.valid().chars().map(Unit::Char).chain(invalid)
    })
}

/// The text that is written for one unit.
#[derive(Clone, Copy)]
pub(crate) struct Seen {
    bytes: [u8; 12],
    length: u8,
}

impl Seen {
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes[..self.length as usize]
    }

    pub(crate) fn byte(byte: u8) -> Seen {
        let mut bytes = [0; 12];
        bytes[0] = byte;
        Seen { bytes, length: 1 }
    }

    fn of(text: fmt::Arguments<'_>) -> Seen {
        let mut seen = Seen { bytes: [0; 12], length: 0 };
        // The longest text is `\u{10ffff}`.
        let _ = fmt::Write::write_fmt(&mut seen, text);
        seen
    }
}

impl fmt::Write for Seen {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let start = self.length as usize;
        let room = self.bytes.get_mut(start..start + text.len()).ok_or(fmt::Error)?;
        room.copy_from_slice(text.as_bytes());
        self.length += text.len() as u8;
        Ok(())
    }
}

impl Unit {
    /// The unit's own bytes.
    pub(crate) fn own(self) -> Seen {
        match self {
            Unit::Char(c) => {
                let mut bytes = [0; 12];
                let length = c.encode_utf8(&mut bytes).len() as u8;
                Seen { bytes, length }
            }
            Unit::Byte(byte) => Seen::byte(byte),
        }
    }

    pub(crate) fn seen(self) -> Seen {
        match self {
            Unit::Char(c) if planted!(201, c < ' ', is_obeyed(c)) => {
                Seen::of(format_args!("\\u{{{:x}}}", c as u32))
            }
            Unit::Char(_) => self.own(),
            Unit::Byte(byte) => Seen::of(format_args!("\\x{byte:02x}")),
        }
    }
}

/// The pieces that fit into `room` bytes; if some do not, the mark follows the pieces that leave room for it.
pub(crate) fn fitting(
    pieces: impl Iterator<Item = Seen> + Clone,
    room: usize,
    out: &mut dyn FnMut(&[u8]) -> io::Result<()>,
) -> io::Result<()> {
    let (mut whole, mut kept) = (0, 0);
    let mut cut = false;
    for (number, piece) in pieces.clone().enumerate() {
        whole += piece.bytes().len();
        if whole + MARK.len() <= room {
            kept = number + 1;
        }
        if whole > room {
            cut = planted!(202, false, true);
            break;
        }
    }
    for piece in pieces.take(if cut { kept } else { usize::MAX }) {
        out(piece.bytes())?;
    }
    if cut { out(MARK.as_bytes()) } else { Ok(()) }
}

/// Number of bytes to keep of a text so that it fits into `room` bytes with the mark; the text itself, not as
/// it is shown.
pub(crate) fn cut(text: &[u8], room: usize) -> usize {
    if text.len() <= room {
        return text.len();
    }
    let mut end = room - MARK.len();
    while end > 0 && text[end] & 0xc0 == 0x80 {
        end -= 1;
    }
    end
}

/// A name, shown in one line whatever it holds.
#[derive(Clone, Copy)]
pub struct Shown<'a> {
    text: &'a [u8],
    room: usize,
}

impl<'a> Shown<'a> {
    pub fn name(text: &'a [u8]) -> Shown<'a> {
        Shown { text, room: LONGEST }
    }

    /// A name that is put together of many.
    pub fn joined(text: &'a [u8]) -> Shown<'a> {
        Shown { text, room: LONGEST_JOINED }
    }

    /// A name in a message.
    pub fn told(text: &'a [u8]) -> Shown<'a> {
        Shown { text, room: LONGEST_TOLD }
    }

    /// A text of any length that is not a name.
    pub fn whole(text: &'a [u8]) -> Shown<'a> {
        Shown { text, room: usize::MAX }
    }

    /// Gives the pieces of the shown text.
    pub fn each(&self, out: &mut dyn FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
        // Most names are plain ASCII, and profiles write many.
        if self.text.len() <= self.room && self.text.iter().all(|byte| (b' '..=b'~').contains(byte)) {
            return out(self.text);
        }
        fitting(units(self.text).map(Unit::seen), self.room, out)
    }

    pub fn write(&self, out: &mut (impl io::Write + ?Sized)) -> io::Result<()> {
        self.each(&mut |piece| out.write_all(piece))
    }

    /// Number of bytes that are written.
    pub fn length(&self) -> usize {
        let mut length = 0;
        // Counting does not fail.
        let _ = self.each(&mut |piece| {
            length += piece.len();
            Ok(())
        });
        length
    }

    /// Number of columns of an aligned text: the characters that are written.
    pub fn width(&self) -> usize {
        let mut width = 0;
        let _ = self.each(&mut |piece| {
            width += piece.iter().filter(|&&byte| byte & 0xc0 != 0x80).count();
            Ok(())
        });
        width
    }
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let told = self.each(&mut |piece| {
            let text = std::str::from_utf8(piece).unwrap_or("");
            f.write_str(text).map_err(|_| io::ErrorKind::Other.into())
        });
        told.map_err(|_| fmt::Error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_be_obeyed_is_shown() {
        let shown = |text: &[u8]| Shown::name(text).to_string();
        for (name, wanted) in [
            ("plain \\x größer λ→", "plain \\x größer λ→"),
            ("a\nb\tc\x1b[31m\x7f", "a\\u{a}b\\u{9}c\\u{1b}[31m\\u{7f}"),
            ("\u{9b}31m\u{85}", "\\u{9b}31m\\u{85}"),
            ("\u{202e}evil\u{2066}\u{200f}\u{61c}", "\\u{202e}evil\\u{2066}\\u{200f}\\u{61c}"),
            ("\u{2028}\u{feff}\u{e0041}", "\\u{2028}\\u{feff}\\u{e0041}"),
        ] {
            assert_eq!(shown(name.as_bytes()), wanted);
        }
        assert_eq!(shown(b"a\x9bb\xc3"), "a\\x9bb\\xc3");
    }

    #[test]
    fn long_names_are_cut_between_characters_with_a_mark() {
        for unit in ["a", "é", "漢", "\u{1f600}", "\x01", "\u{202e}"] {
            for more in 0..8 {
                let text = format!("{}{}", "x".repeat(more), unit.repeat(70_000));
                let shown = Shown::name(text.as_bytes());
                let seen = shown.to_string();
                assert!(
                    seen.ends_with("...") && seen.len() <= LONGEST && seen.len() > LONGEST - 14,
                    "{unit:?}"
                );
                assert_eq!((seen.len(), seen.chars().count()), (shown.length(), shown.width()));
            }
        }
        let just = "é".repeat(LONGEST / 2);
        assert_eq!(Shown::name(just.as_bytes()).to_string(), just);
        assert_eq!(Shown::whole(&[b'a'; 70_000]).length(), 70_000);
    }
}
