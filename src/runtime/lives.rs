//! Biographical files of a heap profile: begun with the profile, filled when it ends.

use super::biography::{Column, Heading, Running};
use super::heap::Runtime;
use crate::base::profile_flags::{CHOSEN, ProfileFlags};
use crate::base::{Failure, List, Outcome};
use crate::census::bands::BreakDown;
use crate::census::restrict::Restrictions;
use crate::os::clock;
use crate::os::file::Name;
use crate::os::growing::Growing;
use crate::report::biography::{Samples, phases};
use crate::report::hp;

/// What the files of a profile show of biographies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wish {
    /// The phases that all restrictions allow; nothing without a restriction.
    restricted: Option<u8>,
}

impl Wish {
    pub fn of(flags: &ProfileFlags) -> Wish {
        let mut restricted = None;
        for part in flags.restrictions.as_str().split_ascii_whitespace() {
            if let Some(names) = part.strip_prefix('b') {
                let these = names.split(',').filter_map(phases::named).fold(0, |sum, phase| sum | phase);
                restricted = Some(restricted.unwrap_or(u8::MAX) & these);
            }
        }
        Wish { restricted }
    }

    /// The phases that a file counts; nothing when it can be written while the program runs.
    pub fn phases(self, letter: char) -> Option<u8> {
        match (letter, self.restricted) {
            ('b', restricted) => Some(phases::EACH | restricted.unwrap_or(0)),
            (_, restricted) => restricted,
        }
    }
}

/// A JOB line as the text that it quotes.
pub fn unquoted(line: &[u8]) -> Outcome<List<u8>> {
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
pub struct Writer<'f> {
    pub file: &'f mut Growing,
    pub text: &'f mut List<u8>,
    pub room: Room,
}

/// How many bytes of a name are written.
#[derive(Clone, Copy)]
pub enum Room {
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
            Room::OfSet(room) => hp::Band::plain(hp::cut(name, room), bytes),
            Room::Whole => hp::Band::plain(name, bytes),
        };
        hp::band(self.text, band).map_err(no_text)
    }

    fn end(&mut self, seconds: f64) -> Outcome<()> {
        hp::end(self.text, seconds).map_err(no_text)?;
        self.file.append(self.text)
    }

    fn mark(&mut self, seconds: f64) -> Outcome<()> {
        self.text.clear();
        hp::mark(self.text, seconds).map_err(no_text)?;
        self.file.append(self.text)
    }
}

/// A column for a file.
pub fn column(file: &Name, job: &[u8], phases: u8, letter: char) -> Outcome<Column> {
    let path = file.as_c_str().to_bytes();
    let own = path.rsplit(|&byte| byte == b'/').next().unwrap_or(path);
    let mut column = Column::new(own, job, phases, BreakDown::from_letter(letter))?;
    column.is_open = letter == CHOSEN;
    Ok(column)
}

impl Runtime {
    /// Begins the biography that some files of a profile need. `producers`: they are noted.
    pub fn start_biography(
        &mut self,
        name: Name,
        columns: List<Column>,
        flags: &ProfileFlags,
        producers: bool,
    ) -> Outcome<()> {
        let date = clock::date();
        let heading =
            Heading { date: date.as_str().as_bytes(), sample_unit: b"seconds", value_unit: b"bytes" };
        let restrictions = Restrictions::read(flags.restrictions.as_str(), false)?;
        let mut running = Running::open(name, &heading, columns, restrictions, flags.threads)?;
        running.group_by_producers(producers, false, BreakDown::Kind);
        let mutator = self.first_mutator().unwrap_or(std::ptr::null_mut());
        self.begin_biography(mutator, running)
    }
}
