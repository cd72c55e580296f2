//! Text of any length, whose growth can be refused.

use super::{List, Outcome};
use std::fmt;

/// A text of whole characters, since they come from `str`.
#[derive(Debug, Default)]
pub struct Text(List<u8>);

impl Text {
    pub const fn new() -> Text {
        Text(List::new())
    }

    pub fn of(text: &str) -> Outcome<Text> {
        let mut own = Text::new();
        own.add(text)?;
        Ok(own)
    }

    /// Appends all of `text`, or nothing.
    pub fn add(&mut self, text: &str) -> Outcome<()> {
        self.0.append(text.as_bytes())
    }

    /// Appends all of the parts, one behind the other, or nothing.
    pub fn add_all(&mut self, parts: &[&str]) -> Outcome<()> {
        self.0.reserve(parts.iter().map(|part| part.len()).sum())?;
        parts.iter().try_for_each(|part| self.add(part))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or("")
    }

    pub fn try_clone(&self) -> Outcome<Text> {
        Text::of(self.as_str())
    }
}

/// The error means that memory was refused.
impl fmt::Write for Text {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.add(text).map_err(|_| fmt::Error)
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
