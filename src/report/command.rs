//! The first line of a file of statistics: the program, its arguments, and the flags, each in quotes.

use crate::base::Shown;
use std::io::{Result, Write};

/// Writes the line. `arguments` are the program's, each ending with NUL; those between `+RTS` and `-RTS` are
/// left out, and the flags in force are written instead.
pub(crate) fn write(out: &mut impl Write, arguments: &[u8], flags: &str) -> Result<()> {
    let mut inside = false;
    for argument in arguments.split_inclusive(|&byte| byte == 0) {
        let argument = argument.strip_suffix(&[0]).unwrap_or(argument);
        match argument {
            b"+RTS" => inside = true,
            b"-RTS" if inside => inside = false,
            _ if !inside => quoted(out, argument)?,
            _ => {}
        }
    }
    out.write_all(b"+RTS ")?;
    for flag in flags.split_ascii_whitespace() {
        quoted(out, flag.as_bytes())?;
    }
    out.write_all(b"\n")
}

fn quoted(out: &mut impl Write, text: &[u8]) -> Result<()> {
    out.write_all(b"'")?;
    // Line breaks are escaped, since the line must stay one line.
    Shown::whole(text).write(out)?;
    out.write_all(b"' ")
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_line_is_the_references() {
        let mut line = Vec::new();
        super::write(&mut line, b"../build/Leak\0+RTS\0-sLeak.stat\0", "-sLeak.stat").unwrap();
        let recorded = include_bytes!("../../tests/fixtures/rts/Leak.stat");
        assert_eq!(line, recorded.split_inclusive(|&byte| byte == b'\n').next().unwrap());
    }
}
