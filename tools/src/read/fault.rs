//! What a reader says of a file that it can not read.

use std::fmt;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// From 1.
    pub line: usize,
    pub what: String,
}

impl Fault {
    /// At byte `at` of `text`.
    pub fn at(text: &[u8], at: usize, what: impl Into<String>) -> Fault {
        let before = &text[..at.min(text.len())];
        Fault { line: 1 + before.iter().filter(|&&byte| byte == b'\n').count(), what: what.into() }
    }

    /// The form all tools print: `file:line: what is wrong`.
    pub fn in_file(&self, file: &str) -> String {
        format!("{file}:{}: {}", self.line, self.what)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.what)
    }
}

/// All our text formats are UTF-8; says where a file is not.
pub fn utf8(bytes: &[u8]) -> Result<&str, Fault> {
    std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        Fault::at(bytes, at, format!("byte {:#04x} is not valid UTF-8", bytes[at]))
    })
}
