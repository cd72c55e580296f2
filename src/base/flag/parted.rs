//! The arguments of a command line, parted into the library's flags and the program's own.

use crate::base::{Failure, List, Outcome};

#[derive(Default)]
pub(crate) struct Parted {
    /// The flags between `+RTS` and `-RTS`, as one line.
    pub(crate) line: List<u8>,
    /// The indexes of the other arguments.
    pub(crate) kept: List<usize>,
}

impl Parted {
    /// Parts arguments, of which the first is the program's name. The line and a NUL fit in `room` bytes.
    pub(crate) fn of<'a>(arguments: impl Iterator<Item = &'a [u8]>, room: usize) -> Outcome<Parted> {
        let mut parted = Parted::default();
        let (mut inside, mut searching) = (false, true);
        for (index, text) in arguments.enumerate() {
            match text {
                b"--RTS" if searching && index > 0 => searching = false,
                b"+RTS" if searching && index > 0 && !inside => inside = true,
                b"-RTS" if searching && inside => inside = false,
                flag if searching && inside => parted.add(flag)?,
                _ => parted.kept.push(index)?,
            }
        }
        if parted.line.len() >= room {
            return Err(Failure::argument(format_args!("the flags after +RTS need more than {room} bytes")));
        }
        Ok(parted)
    }

    fn add(&mut self, flag: &[u8]) -> Outcome<()> {
        if !self.line.is_empty() {
            self.line.push(b' ')?;
        }
        self.line.append(flag)
    }
}
