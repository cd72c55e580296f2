//! Reads `.tix` files back, so that a program goes on counting where the last run ended.
//!
//! Every line break and blank between tokens is allowed, so that the files of the tools can be read as well
//! as our own. A fault is reported with its line; no input makes the reader recurse or take memory out of
//! proportion.

use crate::base::list::List;
use crate::base::{Failure, Outcome, Status};
use crate::profile::coverage::modules::{Counted, Tix};
use crate::report::haskell::escape;
use std::fmt;

/// Reads the whole of a file that is called `file` in messages.
pub fn read(bytes: &[u8], file: &dyn fmt::Display) -> Outcome<Tix> {
    let mut reader = Reader { bytes, at: 0, file };
    let mut modules = List::new();
    reader.word("Tix")?;
    let mut more = reader.opens()?;
    while more {
        let module = reader.module()?;
        modules.push(module)?;
        more = reader.goes_on()?;
    }
    reader.skip_blanks();
    if reader.at < bytes.len() {
        return Err(reader.expected("the end of the file"));
    }
    Tix::new(modules).map_err(|failure| match failure.status {
        Status::Io => Failure::new(Status::Io, format_args!("{file}: {}", failure.sentence)),
        _ => failure,
    })
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    file: &'a dyn fmt::Display,
}

impl Reader<'_> {
    fn fault(&self, what: fmt::Arguments<'_>) -> Failure {
        let line = 1 + self.bytes[..self.at].iter().filter(|&&byte| byte == b'\n').count();
        Failure::new(Status::Io, format_args!("{}:{line}: {what}", self.file))
    }

    fn expected(&self, what: &str) -> Failure {
        match self.bytes.get(self.at) {
            None => self.fault(format_args!("expected {what}, found the end of the file")),
            Some(&byte @ b' '..=b'~') => {
                self.fault(format_args!("expected {what}, found `{}`", char::from(byte)))
            }
            Some(byte) => self.fault(format_args!("expected {what}, found byte {byte:#04x}")),
        }
    }

    fn skip_blanks(&mut self) {
        while self.bytes.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
    }

    fn word(&mut self, word: &str) -> Outcome<()> {
        self.skip_blanks();
        if !self.bytes[self.at..].starts_with(word.as_bytes()) {
            return Err(self.expected(word));
        }
        self.at += word.len();
        Ok(())
    }

    fn takes(&mut self, byte: u8) -> bool {
        self.skip_blanks();
        let found = self.bytes.get(self.at) == Some(&byte);
        self.at += usize::from(found);
        found
    }

    /// Reads the start of a list; true if it has an element.
    fn opens(&mut self) -> Outcome<bool> {
        if !self.takes(b'[') {
            return Err(self.expected("`[`"));
        }
        Ok(!self.takes(b']'))
    }

    /// Reads the separator behind an element; true if another element follows.
    fn goes_on(&mut self) -> Outcome<bool> {
        if self.takes(b',') {
            return Ok(true);
        }
        if self.takes(b']') { Ok(false) } else { Err(self.expected("`,` or `]`")) }
    }

    fn module(&mut self) -> Outcome<Counted> {
        self.word("TixModule")?;
        let name = self.string()?;
        let hash = self.number()? as u32;
        let claimed = self.number()?;
        let mut counts = List::new();
        let mut more = self.opens()?;
        while more {
            counts.push(self.number()?)?;
            more = self.goes_on()?;
        }
        if counts.len() as u64 != claimed {
            return Err(self.fault(format_args!("{claimed} counts are announced, {} are here", counts.len())));
        }
        Ok(Counted { name, hash, counts })
    }

    fn number(&mut self) -> Outcome<u64> {
        self.skip_blanks();
        let digits = self.bytes[self.at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        if digits == 0 {
            return Err(self.expected("a number"));
        }
        let text = std::str::from_utf8(&self.bytes[self.at..self.at + digits]).unwrap_or("");
        let Ok(number) = text.parse() else {
            return Err(self.fault(format_args!("a number of {digits} digits, more than 64 bits hold")));
        };
        self.at += digits;
        Ok(number)
    }

    fn string(&mut self) -> Outcome<List<u8>> {
        if !self.takes(b'"') {
            return Err(self.expected("`\"`"));
        }
        let mut name = List::new();
        loop {
            let rest = &self.bytes[self.at..];
            match rest.first() {
                None | Some(b'\n') => return Err(self.expected("`\"`")),
                Some(b'"') => {
                    self.at += 1;
                    break;
                }
                Some(b'\\') => {
                    let Some((meant, length)) = escape(&rest[1..]) else {
                        return Err(self.fault(format_args!("a backslash that means nothing in a name")));
                    };
                    if let Some(c) = meant {
                        name.append(c.encode_utf8(&mut [0; 4]).as_bytes())?;
                    }
                    self.at += 1 + length;
                }
                Some(&byte) => {
                    name.push(byte)?;
                    self.at += 1;
                }
            }
        }
        if std::str::from_utf8(&name).is_err() {
            return Err(self.fault(format_args!("a name that is not valid UTF-8")));
        }
        Ok(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::coverage::tix;

    fn again(text: &str) -> String {
        let read = read(text.as_bytes(), &"t").unwrap();
        let mut written = Vec::new();
        tix::write(read.modules.iter(), &mut written).unwrap();
        String::from_utf8(written).unwrap()
    }

    #[test]
    fn what_is_written_reads_back() {
        for text in [
            "Tix []\n",
            "Tix [ TixModule \"Main\" 2064107850 3 [6,0,18446744073709551615], TixModule \"p/A.B\" 0 0 []]\n",
            "Tix [ TixModule \"\\233\\&1\\\"\\\\<b>\\n\\DEL\" 4294967295 1 [1]]\n",
        ] {
            assert_eq!(again(text), text);
        }
        // The spacing of `hpc sum`.
        let tight = "Tix [TixModule \"a\\SO\\&H\\SOH\\DEL\\n\" 1 1 [2],TixModule \"b\"\r\n1 0 [ ] ]";
        let known = "Tix [ TixModule \"a\\SO\\&H\\SOH\\DEL\\n\" 1 1 [2], TixModule \"b\" 1 0 []]\n";
        assert_eq!(again(tight), known);
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        for (text, wrong) in [
            ("", "t:1: expected Tix, found the end of the file"),
            ("\n\njunk", "t:3: expected Tix, found `j`"),
            ("Tix [\n TixModule \"A\" 1 2 [1,", "t:2: expected a number, found the end of the file"),
            ("Tix [ TixModule \"A\" 1 2 [1]]", "t:1: 2 counts are announced, 1 are here"),
            ("Tix [ TixModule \"A\" 1 1 [-1]]", "t:1: expected a number, found `-`"),
            (
                "Tix [ TixModule \"A\" 1 1 [18446744073709551616]]",
                "t:1: a number of 20 digits, more than 64 bits hold",
            ),
            ("Tix []\nTix []", "t:2: expected the end of the file, found `T`"),
            ("Tix [ TixModule \"\\q\" 1 0 []]", "t:1: a backslash that means nothing in a name"),
            ("Tix [TixModule \"A\" 1 0 [],TixModule \"A\" 1 0 []]", "t: two modules are called A"),
        ] {
            assert_eq!(read(text.as_bytes(), &"t").err().unwrap().sentence.as_str(), wrong);
        }
    }

    #[test]
    fn every_part_of_a_file_is_told_apart_from_the_whole() {
        let whole = b"Tix [ TixModule \"a\\233\\&1\" 7 3 [1,22,333], TixModule \"b\" 8 1 [4]]\n";
        for length in 0..whole.len() - 1 {
            assert_eq!(read(&whole[..length], &"t").err().unwrap().status, Status::Io, "{length}");
        }
        // The file with one byte changed at a time gives an answer or a fault, never a panic.
        for at in 0..whole.len() {
            for byte in 0..=255 {
                let mut changed = *whole;
                changed[at] = byte;
                let _ = read(&changed, &"t");
            }
        }
    }

    #[test]
    fn random_texts_are_answered() {
        let parts: [&[u8]; 16] = [
            b"Tix",
            b"TixModule",
            b"[",
            b"]",
            b",",
            b"\"",
            b"\\",
            b"\\SO",
            b"\\&",
            b"a",
            b"7",
            b"18446744073709551616",
            b" ",
            b"\n",
            b"\xff",
            b"\"m\" 1 1 [1]",
        ];
        let mut state = 1u64;
        let mut next = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        };
        let mut read_well = 0;
        for round in 0..20_000 {
            let mut text =
                if round % 2 == 0 { b"Tix [ TixModule \"m\" 1 2 [1,2]]".to_vec() } else { Vec::new() };
            for _ in 0..next(6) {
                let at = next(text.len() + 1);
                let end = at + next(text.len() + 1 - at).min(6);
                text.splice(at..end, parts[next(parts.len())].iter().copied());
            }
            let Ok(tix) = read(&text, &"t") else { continue };
            read_well += 1;
            let mut written = Vec::new();
            tix::write(tix.modules.iter(), &mut written).unwrap();
            let again = read(&written, &"t").unwrap();
            let same = tix.modules.iter().zip(again.modules.iter());
            assert!(
                same.into_iter()
                    .all(|(a, b)| *a.name == *b.name && a.hash == b.hash && *a.counts == *b.counts)
            );
        }
        assert!(read_well > 1000);
    }
}
