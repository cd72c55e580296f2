//! What a heap tells of itself when its flags ask for it: a line for each collection, and the figures at the end.
//!
//! A file name that cannot be written is refused when the heap is made [report.early]. What fails later, such as a full disk, ends
//! that report with one message; the program goes on.

use super::heap::Runtime;
use crate::base::flags::{Destination, Flags};
use crate::base::size::*;
use crate::base::{Failure, Outcome, Status};
use crate::gc::Cycle;
use crate::heap::Mutator;
use crate::os::output::{self, Buffered, Reason};
use crate::os::{clock, usage};
use crate::report::{self, CollectionLine, GenerationTimes, Memory, Pauses, Spell, Summary};
use std::fs::File;
use std::io::{self, Write};

/// Where `-S` goes while the program runs.
enum Stream {
    Off,
    StandardError,
    File(File),
}

pub struct Reports {
    stream: Stream,
    began: Spell,
    /// Page faults when the last collection began, and when it had ended.
    faults_begun: u64,
    faults_ended: u64,
    /// Bytes allocated before the last collection.
    allocated_before: u64,
    max_slop_bytes: u64,
    max_large_bytes: u64,
    failure: Option<Failure>,
}

fn now() -> Spell {
    Spell { cpu: clock::cpu().0, wall: clock::wall().0 }
}

fn since(later: Spell, earlier: Spell) -> Spell {
    Spell { cpu: later.cpu.saturating_sub(earlier.cpu), wall: later.wall.saturating_sub(earlier.wall) }
}

impl Reports {
    /// Another thread's clock is read from now on.
    pub fn shift_clock(&mut self, shift: u64) {
        self.began.cpu = self.began.cpu.wrapping_add(shift);
    }

    /// Looks at the names and opens the file that grows while the program runs.
    pub fn open(flags: &Flags) -> Outcome<Reports> {
        for destination in [&flags.summary, &flags.one_line] {
            if let Destination::File(name) = destination {
                output::check_name(name.as_str())?;
            }
        }
        let mut stream = match &flags.each_collection {
            Destination::Nowhere => Stream::Off,
            Destination::StandardError => Stream::StandardError,
            Destination::File(name) => Stream::File(output::open_stream(name.as_str())?),
        };
        let to_file = matches!(stream, Stream::File(_));
        let begun = stream.write(&mut |mut out| {
            if to_file {
                write_command(out, flags)?;
            }
            report::collection::write_head(&mut out)
        });
        begun.map_err(|error| stream_failure(&error))?;
        Ok(Reports {
            stream,
            began: now(),
            faults_begun: 0,
            faults_ended: 0,
            allocated_before: 0,
            max_slop_bytes: 0,
            max_large_bytes: 0,
            failure: None,
        })
    }

    /// The stream is another process's.
    pub fn end_quietly(&mut self) {
        self.stream = Stream::Off;
    }

    /// A collection begins.
    pub fn collection_begins(&mut self) {
        if self.stream.is_on() {
            self.faults_begun = usage::page_faults();
        }
    }

    /// Writes to the stream; the first failure ends it, with one message.
    fn stream(&mut self, body: output::Body<'_>) {
        if let Err(error) = self.stream.write(body) {
            self.stream = Stream::Off;
            let failure = stream_failure(&error);
            output::write_standard_error(&mut |out| writeln!(out, "barrow: {}", failure.sentence));
            self.failure = Some(failure);
        }
    }
}

impl Stream {
    fn is_on(&self) -> bool {
        !matches!(self, Stream::Off)
    }

    fn write(&mut self, body: output::Body<'_>) -> io::Result<()> {
        match self {
            Stream::Off => Ok(()),
            Stream::StandardError => {
                output::write_standard_error(body);
                Ok(())
            }
            Stream::File(file) => {
                let mut out = Buffered::new(file);
                body(&mut out)?;
                out.flush()
            }
        }
    }
}

fn stream_failure(error: &io::Error) -> Failure {
    Failure::new(Status::Io, format_args!("the lines for each collection (-S) end here: {}", Reason(error)))
}

fn write_command(mut out: &mut dyn Write, flags: &Flags) -> io::Result<()> {
    let mut line = [0u8; 4096];
    let length = usage::command_line(&mut line);
    report::command::write(&mut out, &line[..length], flags.line.as_str())
}

impl Runtime {
    /// A collection has ended, and the figures know it.
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
        let reports = &mut self.reports;
        let line = CollectionLine {
            allocated_bytes: allocated - reports.allocated_before,
            copied_bytes: cycle.copied_words * WORD_BYTES as u64,
            live_bytes: live as u64,
            gc,
            total: since(now(), reports.began),
            faults_in_gc: faults - reports.faults_begun,
            faults_before: reports.faults_begun - reports.faults_ended,
            generation: cycle.oldest,
        };
        reports.faults_ended = faults;
        reports.allocated_before = allocated;
        reports.stream(&mut |mut out| report::collection::write(&mut out, &line));
    }

    /// The nursery has been booked, and is empty.
    fn allocated_before_this_collection(&self) -> u64 {
        let words = self.stats.nursery_words + self.store.pool_words + self.store.large_words_allocated;
        words * WORD_BYTES as u64
    }

    /// Writes the reports that the flags ask for at the end of the heap.
    pub fn tell_the_end(&mut self) -> Outcome<()> {
        let profiled = self.stop_profile();
        self.tell_the_figures().and(profiled)
    }

    fn tell_the_figures(&mut self) -> Outcome<()> {
        let flags = self.flags.clone();
        let wanted = [&flags.summary, &flags.each_collection, &flags.one_line];
        if !wanted.iter().any(|destination| destination.is_wanted()) {
            return Ok(());
        }
        let summary = self.summary();
        let write_summary = |mut out: &mut dyn Write| {
            if flags.machine_readable {
                report::machine::write(&mut out, &summary)
            } else {
                report::summary::write(&mut out, &summary)
            }
        };
        let last = summary.allocated_bytes - self.reports.allocated_before;
        // Twice on the same screen would be once too often.
        let twice = [&flags.summary, &flags.each_collection]
            .iter()
            .all(|destination| matches!(destination, Destination::StandardError));
        self.reports.stream(&mut |mut out| {
            report::collection::write_tail(&mut out, last)?;
            if twice { Ok(()) } else { write_summary(out) }
        });
        let outcome = self.reports.failure.take().map_or(Ok(()), Err);
        let told = tell(&flags, &flags.summary, &mut |out| write_summary(out));
        let told_in_one_line = tell(&flags, &flags.one_line, &mut |mut out| {
            if flags.machine_readable {
                report::machine::write(&mut out, &summary)
            } else {
                report::one_line::write(&mut out, &summary)
            }
        });
        outcome.and(told).and(told_in_one_line)
    }

    fn summary(&mut self) -> Summary {
        let figures = self.figures();
        let ended = now();
        let (born, began) = (self.born(), self.reports.began);
        let gc = Spell { cpu: figures.gc_cpu_ns, wall: figures.gc_wall_ns };
        let profile = Spell { cpu: self.stats.profile_cpu.0, wall: self.stats.profile_wall.0 };
        let retainers = Spell { cpu: self.stats.retainer_cpu.0, wall: self.stats.retainer_wall.0 };
        let mut generations = [GenerationTimes::default(); MAX_GENERATIONS];
        for (to, from) in generations.iter_mut().zip(&self.stats.by_generation) {
            let time = Spell { cpu: from.cpu.0, wall: from.wall.0 };
            *to = GenerationTimes { collections: from.collections, time, longest_ns: from.longest.0 };
        }
        let memory = self.memory_parts();
        let blocks = &self.store.blocks;
        Summary {
            allocated_bytes: figures.allocated_bytes,
            copied_bytes: figures.copied_bytes,
            max_live_bytes: figures.max_live_bytes,
            cumulative_live_bytes: self.stats.sum_live_words_at_majors * WORD_BYTES as u64,
            major_collections: figures.major_collections,
            max_slop_bytes: self.reports.max_slop_bytes,
            max_large_bytes: self.reports.max_large_bytes,
            compactions: figures.compactions,
            max_held_bytes: figures.peak_resident_bytes,
            fragmentation_bytes: (blocks.free_blocks() * BLOCK_BYTES) as u64,
            generation_count: self.store.generation_count,
            generations,
            init: since(born, began),
            mutator: since(since(since(ended, born), gc), profile),
            gc,
            retainers: (self.profiles_started > 0).then_some(retainers),
            profile: (self.profiles_started > 0).then_some(since(profile, retainers)),
            exit: since(now(), ended),
            pauses: Pauses { buckets: self.stats.pauses, longest_ns: self.stats.longest_pause.0 },
            memory,
        }
    }

    fn born(&self) -> Spell {
        Spell { cpu: self.stats.born_cpu.0, wall: self.stats.born_wall.0 }
    }

    fn memory_parts(&mut self) -> Memory {
        let figures = self.figures();
        let bytes = |words: usize| (words * WORD_BYTES) as u64;
        let pool = |m: &Mutator| m.pool.blocks.iter().map(|block| block.words_free_to()).sum::<usize>();
        let allocated: u64 = self.mutators.iter().map(|m| bytes(m.nursery.allocated_words() + pool(m))).sum();
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
            untouched: held.saturating_sub(megablocks.touched_bytes()) as u64,
            returned: figures.returned_bytes,
            external: figures.external_bytes,
            in_chunks: notes.in_chunks,
            reserved: notes.reserved_bytes as u64,
            halved: notes.halved,
        }
    }
}

/// Writes one report where it is to go.
fn tell(flags: &Flags, destination: &Destination, body: output::Body<'_>) -> Outcome<()> {
    match destination {
        Destination::Nowhere => Ok(()),
        Destination::StandardError => {
            output::write_standard_error(body);
            Ok(())
        }
        Destination::File(name) => output::write_whole(name.as_str(), &mut |out| {
            write_command(out, flags)?;
            body(out)
        }),
    }
}
