//! Biographical files of a heap profile: begun with the profile, filled when it ends.

use crate::base::flag::{CHOSEN, ProfileFlags};
use crate::base::{Failure, List, Outcome};
use crate::os::file::Name;
use crate::os::growing::Growing;
use crate::profile::biography::Column;
use crate::profile::biography::journal::{Samples, phases};
use crate::profile::heap::break_down::BreakDown;
use crate::report::hp;

/// The wishes of a profile for its biographical files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Wish {
    /// The phases that restrictions name, as a sum: an object is in one phase at a time, so several
    /// restrictions can only mean any of them. None without a restriction.
    restricted: Option<u8>,
}

impl Wish {
    pub(crate) fn of(flags: &ProfileFlags) -> Wish {
        let mut restricted = None;
        for part in flags.restrictions.as_str().split_ascii_whitespace() {
            if let Some(names) = part.strip_prefix('b') {
                let these = names.split(',').filter_map(phases::named).fold(0, |sum, phase| sum | phase);
                restricted = Some(restricted.unwrap_or(0) | these);
            }
        }
        Wish { restricted }
    }

    /// The phases that a file counts; none for a file that can be written while the program runs.
    pub(crate) fn phases(self, letter: char) -> Option<u8> {
        match (letter, self.restricted) {
            ('b', restricted) => Some(phases::EACH | restricted.unwrap_or(0)),
            (_, restricted) => restricted,
        }
    }
}

/// The text that a JOB line quotes.
pub(crate) fn unquoted(line: &[u8]) -> Outcome<List<u8>> {
    let mut text = List::new();
    let inside = line.strip_prefix(b"JOB \"").and_then(|line| line.strip_suffix(b"\"\n")).unwrap_or(line);
    let mut quote = false;
    for &byte in inside {
        quote = byte == b'"' && !quote;
        if !quote {
            text.push(byte)?;
        }
    }
    Ok(text)
}

/// Appends samples to a file, each with one write.
pub(crate) struct Writer<'f> {
    pub file: &'f mut Growing,
    pub text: &'f mut List<u8>,
    pub room: Room,
}

/// The room for a name: how many of its bytes are written.
#[derive(Clone, Copy)]
pub(crate) enum Room {
    Whole,
    OfStack(usize),
    OfSet(usize),
}

fn no_text(_: std::io::Error) -> Failure {
    Failure::no_memory(format_args!("no memory for a sample of the heap profile"))
}

impl Samples for Writer<'_> {
    fn begin(&mut self, seconds: f64) -> Outcome<()> {
        self.text.clear();
        hp::begin(self.text, seconds).map_err(no_text)
    }

    fn band(&mut self, name: &[u8], bytes: u64) -> Outcome<()> {
        let band = match self.room {
            Room::OfStack(room) => hp::Band::stack(name, bytes, room),
            Room::OfSet(room) => hp::Band::set(name, bytes, room),
            Room::Whole => hp::Band::plain(name, bytes),
        };
        hp::band(self.text, band).map_err(no_text)
    }

    fn end(&mut self, seconds: f64) -> Outcome<()> {
        hp::end(self.text, seconds).map_err(no_text)?;
        self.file.append(self.text)
    }

    /// Marks are written by the profile, for all of its files.
    fn mark(&mut self, _seconds: f64) -> Outcome<()> {
        Ok(())
    }
}

/// The column of a file.
pub(crate) fn column(file: &Name, job: &[u8], phases: u8, letter: char) -> Outcome<Column> {
    let path = file.as_c_str().to_bytes();
    let own = path.rsplit(|&byte| byte == b'/').next().unwrap_or(path);
    let mut column = Column::new(own, job, phases, BreakDown::from_letter(letter))?;
    column.is_open = letter == CHOSEN;
    Ok(column)
}
