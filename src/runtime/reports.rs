//! The reports that a heap's flags ask for: a line for each collection, and the figures at the end.
//!
//! A file name that cannot be written is refused when the heap is made [report.early]. A later failure, such
//! as a full disk, ends its report with one message; the program goes on.

use crate::base::flag::{self, Destination, Flags};
use crate::base::size::*;
use crate::base::{Failure, List, Outcome};
use crate::gc::Cycle;
use crate::heap::Mutator;
use crate::os::apart::Holder;
use crate::os::file::{Name, Target};
use crate::os::growing::Growing;
use crate::os::{clock, output, usage};
use crate::report::{self, CollectionLine, Memory, Spell};
use crate::runtime::Runtime;
use std::io::{self, Write};

/// The output of `-S` while the program runs.
enum Stream {
    Off,
    StandardError,
    File(Growing),
}

/// The output of a report at the end.
pub(crate) enum End {
    Nowhere,
    StandardError,
    File(Target),
}

impl End {
    /// The output for a destination. A name that cannot be written is refused here.
    fn of(destination: &Destination, files: &Holder) -> Outcome<End> {
        match destination {
            Destination::Nowhere => Ok(End::Nowhere),
            Destination::StandardError => Ok(End::StandardError),
            Destination::File(name) => {
                let name = files.own_file(name.as_str().as_bytes())?;
                Ok(End::File(planted!(138, Target::new(&name), Target::tried(&name))?))
            }
        }
    }

    pub(crate) fn tell(&mut self, flags: &Flags, body: output::Body<'_>) -> Outcome<()> {
        match self {
            End::Nowhere => Ok(()),
            End::StandardError => {
                output::write_standard_error(body);
                Ok(())
            }
            End::File(target) => target.write(&mut |out| {
                write_command(out, flags)?;
                body(out)
            }),
        }
    }
}

pub struct Reports {
    stream: Stream,
    pub(crate) summary: End,
    pub(crate) one_line: End,
    pub(crate) began: Spell,
    /// Page faults when the last collection began; `faults_ended` are those when it had ended.
    faults_begun: u64,
    faults_ended: u64,
    /// Bytes allocated before the last collection.
    pub(crate) allocated_before: u64,
    pub(crate) max_slop_bytes: u64,
    pub(crate) max_large_bytes: u64,
    pub(crate) failure: Option<Failure>,
}

/// The times of both clocks, CPU and wall.
pub(crate) fn now(cpu: clock::Nanos) -> Spell {
    Spell { cpu: cpu.0, wall: clock::wall().0 }
}

pub(crate) fn since(later: Spell, earlier: Spell) -> Spell {
    Spell { cpu: later.cpu.saturating_sub(earlier.cpu), wall: later.wall.saturating_sub(earlier.wall) }
}

impl Reports {
    /// Shifts the times so far, since another thread's clock is read from now on.
    pub fn shift_clock(&mut self, shift: u64) {
        self.began.cpu = self.began.cpu.wrapping_add(shift);
    }

    /// Tries the names, and opens the file that grows while the program runs.
    pub fn open(flags: &Flags, files: &Holder, began: Spell) -> Outcome<Reports> {
        let summary = End::of(&flags.summary, files)?;
        let one_line = End::of(&flags.one_line, files)?;
        let mut stream = match &flags.each_collection {
            Destination::Nowhere => Stream::Off,
            Destination::StandardError => Stream::StandardError,
            Destination::File(name) => {
                let file = files.own_file(name.as_str().as_bytes())?;
                Stream::File(Growing::create(Name::new(&file)?)?)
            }
        };
        let to_file = matches!(stream, Stream::File(_));
        stream.write(&mut |mut out| {
            if to_file {
                write_command(out, flags)?;
            }
            report::collection::write_head(&mut out)
        })?;
        Ok(Reports {
            stream,
            summary,
            one_line,
            began,
            faults_begun: 0,
            faults_ended: 0,
            allocated_before: 0,
            max_slop_bytes: 0,
            max_large_bytes: 0,
            failure: None,
        })
    }

    /// Gives the file that grows its name.
    pub(crate) fn take_name(&mut self) -> Outcome<()> {
        if let Stream::File(file) = &mut self.stream { file.take_name() } else { Ok(()) }
    }

    /// Stops all reports in the child of a fork: the files are the parent's.
    pub fn end_quietly(&mut self) {
        self.stream = Stream::Off;
        self.summary = End::Nowhere;
        self.one_line = End::Nowhere;
    }

    /// Takes the page faults at the beginning of a collection.
    pub fn collection_begins(&mut self) {
        if self.stream.is_on() {
            self.faults_begun = usage::page_faults();
        }
    }

    /// Writes to the stream; the first failure ends it, with one message.
    pub(crate) fn stream(&mut self, body: output::Body<'_>) {
        if let Err(failure) = self.stream.write(body) {
            self.stream = Stream::Off;
            say(&failure);
            self.failure = Some(failure);
        }
    }
}

impl Stream {
    fn is_on(&self) -> bool {
        !matches!(self, Stream::Off)
    }

    fn write(&mut self, body: output::Body<'_>) -> Outcome<()> {
        match self {
            Stream::Off => Ok(()),
            Stream::StandardError => {
                output::write_standard_error(body);
                Ok(())
            }
            Stream::File(file) => {
                let mut text = List::new();
                let written = body(&mut text);
                written.map_err(|_| Failure::no_memory(format_args!("no memory for the lines of -S")))?;
                file.append(&text)
            }
        }
    }
}

fn say(failure: &Failure) {
    output::say(&failure.sentence);
}

/// The files of a heap's end that could not be written. Each is reported once, on the standard error stream;
/// the call's sentence has the first and the number of the others.
#[derive(Default)]
pub(crate) struct Failures {
    first: Option<Failure>,
    more: usize,
}

impl Failures {
    pub(crate) fn tell(&mut self, outcome: Outcome<()>) {
        if let Err(failure) = outcome {
            say(&failure);
            self.count(failure);
        }
    }

    /// Counts a failure that was reported when it happened.
    pub(crate) fn count(&mut self, failure: Failure) {
        match self.first {
            None => self.first = Some(failure),
            Some(_) => self.more += 1,
        }
    }

    pub(crate) fn outcome(self) -> Outcome<()> {
        let Some(first) = self.first else { return Ok(()) };
        if self.more == 0 {
            return Err(first);
        }
        Err(Failure::new(
            first.status,
            format_args!(
                "{} (the standard error stream tells of {} more that could not be written)",
                first.sentence, self.more
            ),
        ))
    }
}

/// Lists the flags on the standard error stream (`-?`). The failure is returned in place of a heap.
pub(crate) fn list_flags() -> Failure {
    output::write_standard_error(&mut |mut out| {
        writeln!(out, "Flags, between +RTS and -RTS:")?;
        flag::listed(&mut out, 79)
    });
    Failure::argument(format_args!("the flags were listed, as -? asks; there is no heap"))
}

fn write_command(mut out: &mut dyn Write, flags: &Flags) -> io::Result<()> {
    let mut line = [0u8; 4096];
    let length = usage::command_line(&mut line);
    report::command::write(&mut out, &line[..length], flags.line.as_str())
}

impl Runtime {
    /// Writes the line of a collection that has ended and is in the figures.
    pub fn tell_collection(&mut self, cycle: &Cycle, gc: Spell) {
        let live: usize = self.live_words() * WORD_BYTES;
        if cycle.major {
            let steps = || self.store.all_generations().iter().flat_map(|g| g.live_steps());
            let blocks: usize = steps().map(|step| step.all_blocks()).sum();
            let large = steps().map(|step| step.large_words).sum::<usize>() * WORD_BYTES;
            let slop = (blocks * BLOCK_BYTES).saturating_sub(live);
            self.reports.max_slop_bytes = self.reports.max_slop_bytes.max(slop as u64);
            self.reports.max_large_bytes = self.reports.max_large_bytes.max(large as u64);
        }
        if !self.reports.stream.is_on() {
            return;
        }
        let allocated = self.allocated_before_this_collection();
        let faults = usage::page_faults();
        let now = now(self.clock_here());
        let reports = &mut self.reports;
        let line = CollectionLine {
            allocated_bytes: allocated - reports.allocated_before,
            copied_bytes: cycle.copied_words * WORD_BYTES as u64,
            live_bytes: live as u64,
            gc,
            total: since(now, reports.began),
            faults_in_gc: faults - reports.faults_begun,
            faults_before: reports.faults_begun - reports.faults_ended,
            generation: cycle.oldest,
        };
        reports.faults_ended = faults;
        reports.allocated_before = allocated;
        reports.stream(&mut |mut out| report::collection::write(&mut out, &line));
    }

    /// Bytes allocated before this collection, whose nursery has been booked and is empty.
    fn allocated_before_this_collection(&self) -> u64 {
        let words = self.stats.nursery_words + self.store.pool_words + self.store.large_words_allocated;
        words * WORD_BYTES as u64
    }

    pub(crate) fn born(&self) -> Spell {
        Spell { cpu: self.stats.born_cpu.0, wall: self.stats.born_wall.0 }
    }

    pub(crate) fn memory_parts(&mut self) -> Memory {
        let figures = self.figures();
        let bytes = |words: usize| (words * WORD_BYTES) as u64;
        let pool = |m: &Mutator| m.pool.blocks.iter().map(|block| block.words_free_to()).sum::<usize>();
        let pools: usize =
            self.mutators.iter().map(|m| pool(m)).sum::<usize>() + self.store.depot.pool_words();
        let allocated = self.nursery_words_now() * WORD_BYTES as u64 + bytes(pools);
        let megablocks = &self.store.blocks.megablocks;
        let notes = megablocks.notes();
        let held = (megablocks.taken() + megablocks.held_free()) * MEGABLOCK_BYTES + megablocks.side.bytes();
        Memory {
            live: figures.live_bytes - figures.large_bytes,
            large: figures.large_bytes,
            allocated,
            nursery: figures.nursery_bytes - allocated,
            fragmentation: figures.fragmentation_bytes,
            overhead: figures.overhead_bytes,
            side_tables: figures.side_table_bytes,
            free: figures.free_bytes,
            held: self.held(figures.overhead_bytes),
            untouched: held.saturating_sub(megablocks.touched_bytes()) as u64,
            returned: figures.returned_bytes,
            external: figures.external_bytes,
            in_chunks: notes.in_chunks,
            reserved: notes.reserved_bytes as u64,
            halved: notes.halved,
        }
    }
}
