//! A row of the table of flags.

use super::flags::Flags;
use super::value::{Argument, Cut, Wrong};
use crate::base::{Failure, Outcome, Text};
use std::fmt;

/// One flag. A row without one of its parts does not compile:
///
/// ```compile_fail,E0063
/// // It has no `get`.
/// let row = barrow::base::flag::Row { name: "-q", argument: panic!(), default: "off", doc: "", of_profile: false };
/// ```
pub struct Row {
    /// The flag's name, spelled as in the references' runtime if it has the flag.
    pub name: &'static str,
    /// The argument behind the name: its form, its range, and the function that sets it.
    pub argument: Argument,
    /// The value that `get` gives when the flag was not set, as a person would write it.
    pub default: &'static str,
    pub doc: &'static str,
    /// Writes the value in force, spelled as it would be given.
    pub get: fn(&Flags, &mut Text) -> Outcome<()>,
    /// Whether the call that starts a profile takes the flag too.
    pub of_profile: bool,
}

impl Row {
    /// Reads the argument behind the name in `word`, and sets it.
    pub(super) fn read(&self, word: &str, flags: &mut Flags) -> Outcome<()> {
        let rest = word.strip_prefix(self.name).unwrap_or("");
        let rest = if self.is_long() { rest.strip_prefix('=').unwrap_or(rest) } else { rest };
        self.argument.read(rest, flags).map_err(|wrong| {
            let word = Cut(word);
            match wrong {
                Wrong::Form => Failure::argument(format_args!(
                    "the flag {word} is not understood: {self} takes {}",
                    self.argument
                )),
                Wrong::Range { least, most, or_zero } => Failure::argument(format_args!(
                    "the flag {word} is out of range: {self} takes {}{least} to {most}",
                    if or_zero { "0, or " } else { "" }
                )),
                Wrong::Own(failure) => failure,
            }
        })
    }

    fn is_long(&self) -> bool {
        self.name.starts_with("--")
    }
}

/// The name with a placeholder for its argument.
impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shape = self.argument.shape();
        let equals = if self.is_long() && !shape.is_empty() { "=" } else { "" };
        write!(f, "{}{equals}{shape}", self.name)
    }
}
