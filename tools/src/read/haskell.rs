//! A scanner for the notation in which Haskell programs print data: `.tix` and `.mix` files are such text.
//! It knows the lexical rules (white space, numbers, strings, brackets around any value); what the values mean is
//! for the readers of the formats.

use super::fault::{Fault, utf8};
use crate::coverage::count::Count;
use barrow::report::haskell::CONTROL;

pub struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

/// How many brackets were opened before a value, to be closed after it.
#[must_use]
pub struct Opened(usize);

impl<'a> Scanner<'a> {
    pub fn new(bytes: &'a [u8]) -> Result<Scanner<'a>, Fault> {
        Ok(Scanner { text: utf8(bytes)?, at: 0 })
    }

    pub fn error<T>(&self, what: impl Into<String>) -> Result<T, Fault> {
        Err(Fault::at(self.text.as_bytes(), self.at, what))
    }

    /// "expected X, found Y", with the first few characters of what is there.
    pub fn expected<T>(&self, wanted: &str) -> Result<T, Fault> {
        let rest = &self.text[self.at..];
        let found: String = rest.chars().take_while(|c| !c.is_control()).take(20).collect();
        if rest.is_empty() {
            self.error(format!("expected {wanted}, found the end of the file"))
        } else {
            self.error(format!("expected {wanted}, found `{found}`"))
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    pub fn skip_space(&mut self) {
        while let Some(byte) = self.peek() {
            match byte {
                b' ' | b'\t'..=b'\r' => self.at += 1,
                0x80.. => match self.text[self.at..].chars().next() {
                    Some(c) if c.is_whitespace() => self.at += c.len_utf8(),
                    _ => return,
                },
                _ => return,
            }
        }
    }

    /// Takes `byte` if it is the next token.
    pub fn take(&mut self, byte: u8) -> bool {
        self.skip_space();
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    pub fn symbol(&mut self, byte: u8) -> Result<(), Fault> {
        if self.take(byte) { Ok(()) } else { self.expected(&format!("`{}`", char::from(byte))) }
    }

    /// An identifier; the empty string if there is none.
    pub fn word(&mut self) -> &'a str {
        self.skip_space();
        let rest = &self.text[self.at..];
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '\'')).unwrap_or(rest.len());
        let word = if rest.starts_with(|c: char| c.is_ascii_digit()) { "" } else { &rest[..end] };
        self.at += word.len();
        word
    }

    pub fn keyword(&mut self, keyword: &str) -> Result<(), Fault> {
        let start = self.at;
        if self.word() == keyword {
            return Ok(());
        }
        self.at = start;
        self.skip_space();
        self.expected(&format!("`{keyword}`"))
    }

    /// Everything up to the next white space; the empty string at the end of the file.
    pub fn solid(&mut self) -> &'a str {
        self.skip_space();
        let rest = &self.text[self.at..];
        let solid = &rest[..rest.find(char::is_whitespace).unwrap_or(rest.len())];
        self.at += solid.len();
        solid
    }

    /// Counted, not nested: a file of a million brackets costs no stack.
    pub fn open(&mut self) -> Opened {
        let mut opened = Opened(0);
        while self.take(b'(') {
            opened.0 += 1;
        }
        opened
    }

    pub fn close(&mut self, opened: Opened) -> Result<(), Fault> {
        for _ in 0..opened.0 {
            self.symbol(b')')?;
        }
        Ok(())
    }

    /// An integer of any size, perhaps negative, in decimal, `0x` or `0o` notation.
    pub fn integer(&mut self) -> Result<Count, Fault> {
        let opened = self.open();
        let negative = self.take(b'-');
        self.skip_space();
        let bytes = &self.text.as_bytes()[self.at..];
        let radix = match bytes {
            [b'0', b'x' | b'X', digit, ..] if digit.is_ascii_hexdigit() => 16,
            [b'0', b'o' | b'O', b'0'..=b'7', ..] => 8,
            _ => 10,
        };
        let value = if radix == 10 {
            let length = bytes.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(bytes.len());
            if length == 0 {
                return self.expected("a number");
            }
            self.at += length;
            Count::from_digits(negative, &bytes[..length])
        } else {
            let digits = bytes[2..].iter().take_while(|&&byte| char::from(byte).is_digit(radix)).count();
            let text = &self.text[self.at + 2..self.at + 2 + digits];
            let Ok(magnitude) = u128::from_str_radix(text, radix) else {
                return self.error("a number of more than 128 bits that is not decimal");
            };
            self.at += 2 + digits;
            Count::from_digits(negative, magnitude.to_string().as_bytes())
        };
        self.close(opened)?;
        Ok(value)
    }

    pub fn machine_word(&mut self, what: &str) -> Result<i64, Fault> {
        let start = self.at;
        match self.integer()? {
            Count::Word(value) => Ok(value),
            Count::Long(_) => {
                self.at = start;
                self.error(format!("{what} does not fit 64 bits"))
            }
        }
    }

    pub fn unsigned(&mut self, what: &str) -> Result<u32, Fault> {
        let start = self.at;
        let value = self.machine_word(what)?;
        u32::try_from(value).or_else(|_| {
            self.at = start;
            self.error(format!("{what} is {value}, outside 0 to {}", u32::MAX))
        })
    }

    /// A hash: any integer, of which the low 32 bits count.
    pub fn hash(&mut self) -> Result<u32, Fault> {
        // The truncation is the format's own rule.
        Ok(self.machine_word("the hash")? as u32)
    }

    pub fn string(&mut self) -> Result<String, Fault> {
        let opened = self.open();
        self.symbol(b'"')?;
        let (string, length) = string_tail(&self.text[self.at..]).or_else(|(offset, what)| {
            self.at += offset;
            self.error(what)
        })?;
        self.at += length;
        self.close(opened)?;
        Ok(string)
    }

    /// `[item, item, ...]`
    pub fn list(&mut self, mut item: impl FnMut(&mut Scanner<'a>) -> Result<(), Fault>) -> Result<(), Fault> {
        let opened = self.open();
        self.symbol(b'[')?;
        if !self.take(b']') {
            item(self)?;
            while !self.take(b']') {
                if !self.take(b',') {
                    return self.expected("`,` or `]`");
                }
                item(self)?;
            }
        }
        self.close(opened)
    }

    pub fn end(&mut self) -> Result<(), Fault> {
        self.skip_space();
        if self.at == self.text.len() { Ok(()) } else { self.expected("the end of the file") }
    }
}

/// Two names besides those of the control characters.
const MORE_NAMES: [(&str, char); 2] = [("SP", ' '), ("DEL", '\x7f')];

/// The rest of a string literal after its opening quote: its value and its length with the closing quote,
/// or the offset of what is wrong.
pub fn string_tail(text: &str) -> Result<(String, usize), (usize, String)> {
    let mut value = String::new();
    let mut at = 0;
    loop {
        let Some(c) = text[at..].chars().next() else {
            return Err((at, "a string without its closing quote".into()));
        };
        match c {
            '"' => return Ok((value, at + 1)),
            '\\' => {
                let (meant, length) = escape(&text[at + 1..]).map_err(|what| (at, what))?;
                value.extend(meant);
                at += 1 + length;
            }
            _ => {
                value.push(c);
                at += c.len_utf8();
            }
        }
    }
}

/// What follows a backslash: the character meant (none for an empty escape or a gap) and the length.
fn escape(text: &str) -> Result<(Option<char>, usize), String> {
    let bytes = text.as_bytes();
    let simple = |c: char| Ok((Some(c), 1));
    match bytes.first() {
        Some(b'a') => simple('\x07'),
        Some(b'b') => simple('\x08'),
        Some(b'f') => simple('\x0c'),
        Some(b'n') => simple('\n'),
        Some(b'r') => simple('\r'),
        Some(b't') => simple('\t'),
        Some(b'v') => simple('\x0b'),
        Some(&c @ (b'"' | b'\\' | b'\'')) => simple(char::from(c)),
        Some(b'&') => Ok((None, 1)),
        Some(b'^') => match bytes.get(1) {
            Some(&c @ b'@'..=b'_') => Ok((Some(char::from(c - b'@')), 2)),
            _ => Err("an escape `\\^` without its letter".into()),
        },
        Some(b'0'..=b'9') => numeric(text, 0, 10),
        Some(b'o') => numeric(text, 1, 8),
        Some(b'x') => numeric(text, 1, 16),
        Some(_) if text.starts_with(char::is_whitespace) => {
            let gap = text.len() - text.trim_start().len();
            if bytes.get(gap) == Some(&b'\\') {
                Ok((None, gap + 1))
            } else {
                Err("a gap in a string that does not end in a backslash".into())
            }
        }
        _ => {
            // SOH before SO: the longest name counts.
            let named = CONTROL.iter().enumerate().map(|(code, name)| (*name, char::from(code as u8)));
            named
                .chain(MORE_NAMES)
                .filter(|(name, _)| name.len() > 1 && text.starts_with(name))
                .max_by_key(|(name, _)| name.len())
                .map(|(name, c)| (Some(c), name.len()))
                .ok_or_else(|| "an escape that means nothing".to_string())
        }
    }
}

fn numeric(text: &str, prefix: usize, radix: u32) -> Result<(Option<char>, usize), String> {
    let digits = text[prefix..].bytes().take_while(|&b| char::from(b).is_digit(radix)).count();
    let end = prefix + digits;
    let code = text[prefix..end].trim_start_matches('0');
    let code = if code.is_empty() && digits > 0 { "0" } else { code };
    match u32::from_str_radix(code, radix).ok().and_then(char::from_u32) {
        Some(c) => Ok((Some(c), end)),
        None => Err("an escape that names no character".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn string(text: &str) -> Result<String, Fault> {
        Scanner::new(text.as_bytes())?.string()
    }

    #[test]
    fn strings_follow_the_escapes_of_haskell() {
        let read = string(r#""A\n\x41\65\SOH\SO\&H\&\   \é\^A\\\"q\1234\&5\DEL\o101\a""#);
        assert_eq!(read.as_deref(), Ok("A\nAA\x01\x0eHé\x01\\\"q\u{4d2}5\x7fA\x07"));
        assert_eq!(string("( (\"a\")\t)").as_deref(), Ok("a"));
        for bad in
            [r#"""#, r#""\q""#, r#""\x""#, r#""\1114112""#, r#""\55296""#, r#""\  a""#, r#""\^a""#, r#"("a""#]
        {
            assert!(string(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn numbers_may_be_signed_bracketed_long_and_in_other_bases() {
        let number =
            |text: &str| Scanner::new(text.as_bytes()).and_then(|mut s| s.integer()).map(|n| n.to_string());
        for (text, value) in [
            ("(1)", "1"),
            ("(-1)", "-1"),
            ("- 1", "-1"),
            ("0x1F", "31"),
            ("0o17", "15"),
            ("-0x1f", "-31"),
            ("007", "7"),
        ] {
            assert_eq!(number(text).as_deref(), Ok(value), "{text}");
        }
        let long = "9".repeat(100_000);
        assert_eq!(number(&long), Ok(long.clone()));
        for bad in ["", "-", "x", "(1", "--1"] {
            assert!(number(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn an_error_names_its_line() {
        let error = Scanner::new(b"a\nb\xff").err();
        assert_eq!(error.map(|e| e.in_file("f")).as_deref(), Some("f:2: byte 0xff is not valid UTF-8"));
    }
}
