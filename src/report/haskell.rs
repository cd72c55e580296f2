//! Strings in the notation of Haskell, which `.tix` and `.mix` files use.

use crate::base::shown::{LONGEST, MARK, cut};
use std::fmt::{self, Write};

/// A string literal as Haskell's `show` writes it: ASCII only, so that no reader depends on an encoding.
pub struct Literal<'a>(pub &'a str);

impl fmt::Display for Literal<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_literal(f, self.0, |_| false)
    }
}

/// A name in a string literal, cut with a mark when it is too long.
pub struct Name<'a>(pub &'a str);

impl fmt::Display for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kept = cut(self.0.as_bytes(), LONGEST);
        let mark = if kept < self.0.len() { MARK } else { "" };
        write_characters(f, self.0[..kept].chars().chain(mark.chars()), |_| false)
    }
}

/// Writes a literal as `Literal` does, except that characters beyond ASCII for which `plain` is true are
/// written as they are.
pub fn write_literal(out: &mut impl Write, text: &str, plain: fn(char) -> bool) -> fmt::Result {
    write_characters(out, text.chars(), plain)
}

fn write_characters(
    out: &mut impl Write,
    text: impl Iterator<Item = char>,
    plain: fn(char) -> bool,
) -> fmt::Result {
    out.write_char('"')?;
    let mut rest = text.peekable();
    while let Some(c) = rest.next() {
        // An escape must not swallow the next character: a digit after a number, H after SO.
        let mut swallows: fn(&char) -> bool = |_| false;
        match c {
            '"' | '\\' => write!(out, "\\{c}")?,
            '\x7f' => out.write_str("\\DEL")?,
            ' '..='~' => out.write_char(c)?,
            '\0'..='\x1f' => {
                write!(out, "\\{}", SHOWN_CONTROL[c as usize])?;
                if c == '\x0e' {
                    swallows = |&c| c == 'H';
                }
            }
            _ if plain(c) => out.write_char(c)?,
            _ => {
                write!(out, "\\{}", c as u32)?;
                swallows = char::is_ascii_digit;
            }
        }
        if rest.peek().is_some_and(swallows) {
            out.write_str("\\&")?;
        }
    }
    out.write_char('"')
}

/// The names of the characters below the blank.
pub const CONTROL: [&str; 32] = [
    "NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "BEL", "BS", "HT", "LF", "VT", "FF", "CR", "SO", "SI",
    "DLE", "DC1", "DC2", "DC3", "DC4", "NAK", "SYN", "ETB", "CAN", "EM", "SUB", "ESC", "FS", "GS", "RS",
    "US",
];

/// The control characters in the notation of `show`: seven have a letter, as in C.
const SHOWN_CONTROL: [&str; 32] = {
    let mut names = CONTROL;
    let letters = ["a", "b", "t", "n", "v", "f", "r"];
    let mut at = 0;
    while at < letters.len() {
        names[7 + at] = letters[at];
        at += 1;
    }
    names
};

/// The meaning of the text after a backslash, in the notation of the tools: the character, unless the escape
/// is empty, and the length of the text.
pub fn escape(text: &[u8]) -> Option<(Option<char>, usize)> {
    let simple = |c: char| Some((Some(c), 1));
    match *text.first()? {
        b'"' => simple('"'),
        b'\\' => simple('\\'),
        b'\'' => simple('\''),
        b'&' => Some((None, 1)),
        b'a' => simple('\x07'),
        b'b' => simple('\x08'),
        b't' => simple('\t'),
        b'n' => simple('\n'),
        b'v' => simple('\x0b'),
        b'f' => simple('\x0c'),
        b'r' => simple('\r'),
        b'0'..=b'9' => {
            let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
            let number = std::str::from_utf8(&text[..digits]).ok()?.parse().ok()?;
            Some((Some(char::from_u32(number)?), digits))
        }
        _ if text.starts_with(b"DEL") => Some((Some('\x7f'), 3)),
        _ => {
            // The longest name that fits counts: SOH before SO.
            let named = CONTROL.iter().enumerate().filter(|(_, name)| text.starts_with(name.as_bytes()));
            let (code, name) = named.max_by_key(|(_, name)| name.len())?;
            Some((Some(char::from(code as u8)), name.len()))
        }
    }
}
