//! The time line that `--stops` asks for: collections, and when threads stood for them, in a file that grows.
//!
//! Lines are gathered and written in pieces of whole lines, so that a reader finds whole lines after a program was killed: all but
//! the last ones, which came within `LATE` of each other.
//! Without the flag every call here is one test. Only threads inside the heap come here, and the thread that waits for others
//! while nobody is inside.

use crate::base::flag::Flags;
use crate::base::{Failure, List, Outcome};
use crate::os::clock::{self, Nanos};
use crate::os::file::Name;
use crate::os::growing::Growing;
use crate::os::output;
use crate::os::thread::{current_thread, name_here};
use crate::os::usage;
use crate::report::command;
use crate::report::stops::{self, CollectionSpan, Stood, StopSpan};
use std::io::{self, Write};

/// Bytes of lines that are gathered before they are written.
const PIECE: usize = 16 << 10;

/// Nanoseconds after which gathered lines are written with the next one.
const LATE: u64 = 10_000_000;

#[derive(Default)]
pub(crate) struct Timeline {
    recorder: Option<Recorder>,
    failure: Option<Failure>,
}

struct Recorder {
    file: Growing,
    lines: List<u8>,
    /// When lines were written last, in nanoseconds since `born`.
    written: u64,
    /// The moment from which times count.
    born: Nanos,
    /// The moment at which the last stop was asked for.
    asked: Nanos,
    /// The moment from which all others are still, in a stop that lasts now.
    still: Option<Nanos>,
    /// The others in the order of the heap's list, and since when each is still in that stop; `at` is 0 until it is.
    others: List<Stood>,
}

impl Recorder {
    fn since_birth(&self, at: Nanos) -> u64 {
        at.since(self.born).0
    }

    /// Adds a line of the moment `at`, in nanoseconds since `born`.
    fn write(&mut self, at: u64, body: impl FnOnce(&mut List<u8>) -> io::Result<()>) -> Outcome<()> {
        let whole = self.lines.len();
        let is_whole = body(&mut self.lines).is_ok();
        self.end_line(at, whole, is_whole)
    }

    /// Takes back what there is of a line behind the `whole` bytes, or perhaps writes the piece that it ends.
    #[inline(never)]
    fn end_line(&mut self, at: u64, whole: usize, is_whole: bool) -> Outcome<()> {
        if !is_whole {
            self.lines.truncate(whole);
            return Err(Failure::no_memory(format_args!("no memory for the lines of --stops")));
        }
        let is_late = at.saturating_sub(self.written) >= planted!(706, u64::MAX, LATE);
        if is_late || self.lines.len() >= PIECE {
            self.written = at;
            self.flush()?;
        }
        Ok(())
    }

    fn flush(&mut self) -> Outcome<()> {
        let written = if self.lines.is_empty() { Ok(()) } else { self.file.append(&self.lines) };
        self.lines.clear();
        written
    }
}

impl Timeline {
    /// Begins the file. A name that cannot be written is refused here [report.early].
    pub(crate) fn begin(&mut self, flags: &Flags, name: &[u8], born: Nanos) -> Outcome<()> {
        let mut lines = List::new();
        let mut line = [0u8; 4096];
        let length = usage::command_line(&mut line);
        let head = lines.write_all(stops::HEAD);
        let head = head.and_then(|()| command::write(&mut lines, &line[..length], flags.line.as_str()));
        head.map_err(|_| Failure::no_memory(format_args!("no memory for the lines of --stops")))?;
        let mut recorder = Recorder {
            file: Growing::create(Name::new(name)?)?,
            lines,
            written: 0,
            born,
            asked: Nanos(0),
            still: None,
            others: List::new(),
        };
        recorder.flush()?;
        self.recorder = Some(recorder);
        Ok(())
    }

    pub(crate) fn take_name(&mut self) -> Outcome<()> {
        self.recorder.as_mut().map_or(Ok(()), |recorder| recorder.file.take_name())
    }

    /// Stops the time line in the child of a fork: the file is the parent's.
    pub(crate) fn end_quietly(&mut self) {
        self.recorder = None;
    }

    /// Ends the time line when a line could not be written, with one message; the program goes on.
    fn with(&mut self, body: impl FnOnce(&mut Recorder) -> Outcome<()>) {
        if let Some(recorder) = &mut self.recorder
            && let Err(failure) = body(recorder)
        {
            self.recorder = None;
            output::say(&failure.sentence);
            self.failure = Some(failure);
        }
    }

    #[inline]
    pub(crate) fn is_on(&self) -> bool {
        self.recorder.is_some()
    }

    /// The calling thread has a mutator from now on.
    pub(crate) fn attached(&mut self) {
        self.with(|to| {
            let at = to.since_birth(clock::wall());
            let (name, length) = name_here();
            to.write(at, |lines| stops::write_attach(lines, at, current_thread(), &name[..length]))
        });
    }

    /// The thread's mutator is gone.
    pub(crate) fn detached(&mut self, thread: u64) {
        self.with(|to| {
            let at = to.since_birth(clock::wall());
            to.write(at, |lines| stops::write_detach(lines, at, thread))
        });
    }

    /// Looks at the other mutators while a thread waits for them: thread, whether it is still, and whether it is away in
    /// foreign code. The first time that one is still counts.
    pub(crate) fn look(&mut self, asked: Nanos, others: impl Iterator<Item = (u64, bool, bool)>) {
        self.with(|to| {
            if to.asked != asked {
                to.asked = asked;
                to.others.clear();
            }
            let now = to.since_birth(clock::wall());
            for (index, (thread, is_still, away)) in others.enumerate() {
                let fresh = Stood { thread, at: 0, away: false };
                match to.others.get_mut(index) {
                    Some(known) if known.thread == thread => {}
                    // A mutator has gone meanwhile, and another one has its place.
                    Some(known) => *known = fresh,
                    None => to.others.push(fresh)?,
                }
                let known = &mut to.others[index];
                if is_still && known.at == 0 {
                    *known = Stood { thread, at: now.max(1), away };
                }
            }
            Ok(())
        });
    }

    /// All others are still, of whom there is one at least.
    pub(crate) fn stopped(&mut self, still: Nanos) {
        if let Some(to) = &mut self.recorder {
            to.still = Some(still);
        }
    }

    /// The calling thread lets the others go on.
    pub(crate) fn goes_on(&mut self) {
        if self.recorder.as_ref().is_none_or(|to| to.still.is_none()) {
            return;
        }
        self.with(|to| {
            let ended = clock::wall();
            let Some(still) = to.still.take() else { return Ok(()) };
            let stop = StopSpan {
                asked: to.since_birth(to.asked),
                still: to.since_birth(still),
                ended: to.since_birth(ended),
                thread: current_thread(),
            };
            let mut others = std::mem::take(&mut to.others);
            others.retain_mut(|one| one.at > 0);
            let written = to.write(stop.ended, |lines| stops::write_stop(lines, &stop, &others));
            to.others = others;
            written
        });
    }

    /// A collection of the calling thread has ended; `span` has all of it but its thread and its times.
    pub(crate) fn collected(&mut self, begun: Nanos, ended: Nanos, span: CollectionSpan) {
        self.with(|to| {
            let (begun, ended) = (to.since_birth(begun), to.since_birth(ended));
            let one = CollectionSpan { begun, ended, thread: current_thread(), ..span };
            to.write(ended, |lines| stops::write_collection(lines, &one))
        });
    }

    /// Writes what is left, and the end. Gives the failure that has ended the time line, which was told.
    pub(crate) fn finish(&mut self) -> Option<Failure> {
        self.with(|to| {
            let at = to.since_birth(clock::wall());
            to.write(at, |lines| stops::write_end(lines, at))?;
            to.flush()
        });
        self.recorder = None;
        self.failure.take()
    }
}
