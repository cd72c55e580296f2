//! The flags as text for a person.

use super::table::TABLE;
use crate::base::{Failure, List, Outcome, Sentence};
use std::fmt::Write;
use std::io;

/// The column in which the meaning of a flag begins.
const COLUMN: usize = 23;

fn shape(row: &super::row::Row) -> Sentence {
    Sentence::new(format_args!("{row}"))
}

/// The text of all flags, one to a line, ending with NUL.
pub fn help() -> Outcome<List<u8>> {
    let mut text = List::new();
    for row in TABLE {
        let width = COLUMN - 3;
        let line = io::Write::write_fmt(
            &mut text,
            format_args!("  {:<width$} {} (default: {})\n", shape(row).as_str(), row.doc, row.default),
        );
        line.map_err(|_| Failure::no_memory(format_args!("no memory for the list of flags")))?;
    }
    text.push(0)?;
    Ok(text)
}

/// Writes all flags for a terminal: lines are broken before they are longer than `most`.
pub fn listed(out: &mut impl io::Write, most: usize) -> io::Result<()> {
    for row in TABLE {
        let mut line = Sentence::EMPTY;
        let width = COLUMN - 2;
        let _ = write!(line, "  {:<width$}", shape(row).as_str());
        let mut default = Sentence::new(format_args!("(default: {})", row.default));
        if row.default == "off" {
            default = Sentence::EMPTY;
        }
        for word in row.doc.split(' ').chain([default.as_str()]).filter(|word| !word.is_empty()) {
            let blank = if line.as_str().ends_with(' ') { "" } else { " " };
            if line.as_str().len() + blank.len() + word.len() > most {
                writeln!(out, "{}", line.as_str().trim_end())?;
                line = Sentence::new(format_args!("{:COLUMN$}{word}", ""));
            } else {
                let _ = write!(line, "{blank}{word}");
            }
        }
        writeln!(out, "{line}")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_fits_a_terminal_and_has_every_flag() {
        let mut text = Vec::new();
        listed(&mut text, 79).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert!(text.lines().all(|line| line.len() <= 79 && !line.ends_with(' ')), "{text}");
        let mut rest = text.as_str();
        for row in TABLE {
            let at = rest.find(&format!("  {row}")).unwrap_or_else(|| panic!("{row} in\n{rest}"));
            rest = &rest[at..];
        }
    }
}
