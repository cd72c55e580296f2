//! A reader's complaint: always one line, `file:line: what is wrong`, ready to print.

use std::fmt;

#[derive(Debug)]
pub struct ReadError(String);

impl ReadError {
    pub fn at(file: &str, line: usize, what: &str) -> ReadError {
        ReadError(format!("{file}:{line}: {what}"))
    }

    /// For what concerns the file and no line of it.
    pub fn file(file: &str, what: impl fmt::Display) -> ReadError {
        ReadError(format!("{file}: {what}"))
    }

    /// A message that names its file already.
    pub fn whole(message: String) -> ReadError {
        ReadError(message)
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ReadError {}
