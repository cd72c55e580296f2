//! A heap profile: its files, its restrictions and its pace.
//!
//! There is a file for each break-down, and a sample is one write to each. A file that fails ends the profile
//! with one message; the program goes on [runtime.profile-ends].

use crate::base::decimal::Fixed;
use crate::base::flag::{CHOSEN, Sampling};
use crate::base::{Failure, List, Outcome, Sentence, Shown, Text};
use crate::identity::names::names;
use crate::os::apart;
use crate::os::clock;
use crate::os::file::Name;
use crate::os::growing::Growing;
use crate::os::output::say;
use crate::os::usage;
use crate::profile::biography::Running;
use crate::profile::biography::files::{Room, Writer};
use crate::profile::biography::journal::{Journal, finish};
use crate::profile::heap::alarm::Alarm;
use crate::profile::heap::break_down::BreakDown;
use crate::profile::heap::missed::Missed;
use crate::profile::heap::pace::Pace;
use crate::profile::heap::restrict::Restrictions;
use crate::profile::heap::sampling::ns;
use crate::profile::heap::unsampled::Progress;
use crate::profile::retainer::profile::ByRetainer;
use crate::report::hp;
use crate::runtime::Runtime;
use crate::runtime::collect::Clocks;

pub struct Output {
    /// Letter of the break-down, as in `-h`.
    pub(crate) letter: char,
    /// The break-down of the bands; none for phases of biographies, and for `-h` alone until the first
    /// census decides.
    pub by: Option<BreakDown>,
    pub(crate) file: Growing,
    /// The column of the biography from which the file is written at the end.
    pub(crate) column: Option<usize>,
}

impl Output {
    pub fn is_chosen(&self) -> bool {
        self.letter == CHOSEN
    }

    pub(crate) fn is_written_now(&self) -> bool {
        self.column.is_none()
    }
}

pub struct Profile {
    pub outputs: List<Output>,
    pub restrictions: Restrictions,
    pub sampling: Sampling,
    pub with_threads: bool,
    /// Whether producers are noted, and counted.
    pub producers: bool,
    /// Whether the profile needs producers even if the program turns out to have no cost centres.
    pub needs_producers: bool,
    /// Whether the first census is still to see if the program has cost centres: if so, modules are those of
    /// producers, and `-h` alone is by producer.
    pub is_open: bool,
    /// Whether restrictions look at more than info tables, so that each object is asked for.
    pub is_crossed: bool,
    /// Whether `-hm` is by the producer's module.
    pub module_of_producer: bool,
    /// Bytes to which the name of a cost-centre stack is cut.
    pub(crate) name_length: usize,
    /// The next sample's time: nanoseconds of mutator time, or bytes allocated.
    pub next: u64,
    pub pace: Pace,
    /// The flags in force, for the head of the files.
    pub(crate) line: Text,
    /// A piece of a file that is being put together.
    pub(crate) text: List<u8>,
    pub samples: u64,
    /// Times of marks, in seconds. They are written behind all samples: some readers end a file at a line
    /// between two samples that begins none.
    pub(crate) marks: List<f64>,
    /// The samples by wall time that did not come, by their reasons.
    pub missed: Missed,
    /// The alarm of samples by wall time.
    pub(crate) alarm: Option<Alarm>,
    /// The time of samples when the profile began, in nanoseconds.
    pub(crate) began_ns: u64,
    pub(crate) began: Progress,
    pub by_retainer: Option<ByRetainer>,
}

impl Profile {
    /// The time of samples at a moment, in nanoseconds: the program's own CPU time, or the time since the heap was made.
    pub(crate) fn sample_ns(&self, rt: &Runtime, clocks: Clocks) -> u64 {
        if self.sampling.is_by_wall() {
            clocks.wall.since(rt.stats.born_wall).0
        } else {
            rt.mutator_ns(clocks.cpu)
        }
    }

    /// The time of a sample at this moment, in seconds.
    pub(crate) fn sample_seconds(&self, rt: &Runtime) -> f64 {
        self.sample_ns(rt, Clocks { wall: clock::wall(), cpu: rt.cpu_clock() }) as f64 / 1e9
    }

    pub(crate) fn write_job(&mut self) -> Outcome<()> {
        self.text.clear();
        self.add_job("")
    }

    fn add_job(&mut self, word: &str) -> Outcome<()> {
        let mut arguments = [0u8; 4096];
        let length = usage::command_line(&mut arguments);
        let written = hp::job(&mut self.text, &arguments[..length], self.line.as_str(), word);
        written.map_err(|_| no_text())
    }

    /// Appends the text to all files, even when one of them fails.
    pub(crate) fn append(&mut self) -> Outcome<()> {
        let text = &self.text;
        let mut told = Ok(());
        for output in self.outputs.iter_mut() {
            told = first_of(told, output.file.append(text));
        }
        told
    }

    /// Writes the samples of the biographical files.
    pub(crate) fn write_biography(&mut self, running: &Running) -> Outcome<()> {
        let journal = running.read()?;
        let journal = Journal::open(&journal)?;
        for output in self.outputs.iter_mut() {
            if let Some(column) = output.column {
                let room = match output.by {
                    Some(BreakDown::Producer) => Room::OfStack(self.name_length),
                    Some(BreakDown::Retainer) => Room::OfSet(self.name_length),
                    _ => Room::Whole,
                };
                finish(&journal, column, &mut Writer { file: &mut output.file, text: &mut self.text, room })?;
            }
        }
        Ok(())
    }

    /// The letters of biographical files, each with its column.
    pub fn biographical(&self) -> impl Iterator<Item = (char, usize)> {
        self.outputs.iter().filter_map(|output| Some((output.letter, output.column?)))
    }

    /// Writes the last sample, which is empty, and the lines behind it: marks, and another JOB where samples
    /// were further apart than was asked for. Readers of the files know headers at the beginning only, or
    /// take the last one.
    pub(crate) fn write_end(&mut self, seconds: f64) -> Outcome<()> {
        self.text.clear();
        hp::sample(&mut self.text, seconds, std::iter::empty()).map_err(|_| no_text())?;
        for &mark in self.marks.iter() {
            hp::mark(&mut self.text, mark).map_err(|_| no_text())?;
        }
        let few = match self.sampling {
            Sampling::Wall(interval) => self.fewer_samples(interval, seconds),
            _ => None,
        };
        if let Some(few) = few {
            self.add_job(Sentence::new(format_args!(" ({few})")).as_str())?;
            // Why there is none at all was told already.
            if self.samples > 0 {
                say(&Sentence::new(format_args!("the heap profile has {few}")));
            }
        } else if self.pace.widened_ns > 0 && !self.sampling.is_by_wall() {
            let apart = Fixed(self.pace.widened_ns as f64 / 1e9, 3);
            self.add_job(Sentence::new(format_args!(" (samples up to {apart} s apart)")).as_str())?;
            say(&Sentence::new(format_args!(
                "samples of the heap profile were up to {apart} s apart, so that they take no more than their share of the time; \
                 -ix sets that share"
            )));
        }
        self.append()
    }
}

impl Profile {
    /// Starts the alarm that a profile by wall time needs: a program that waits does not look at clocks.
    pub(crate) fn set_alarm(&mut self, rt: &Runtime) -> Outcome<()> {
        if self.sampling.is_by_wall()
            && let Some(interval) = self.sampling.interval()
        {
            let alarm = Alarm::start(ns(interval), rt.stats.born_wall)?;
            for mutator in rt.mutators.iter() {
                alarm.watch(mutator.as_raw())?;
            }
            self.alarm = Some(alarm);
            self.show_next();
        }
        Ok(())
    }

    /// Tells the alarm when the next sample is due.
    pub(crate) fn show_next(&self) {
        if let Some(alarm) = &self.alarm {
            alarm.set(self.next);
        }
    }

    /// A sentence on the samples that did not come until `seconds`; none when all did.
    fn fewer_samples(&mut self, interval: f64, seconds: f64) -> Option<Sentence> {
        let end = ns(seconds);
        let asked = end.saturating_sub(self.began_ns) / ns(interval).max(1);
        // The sample that falls due as the program ends is not missed.
        let at_the_end = self.samples + 1 == asked && end < self.next + ns(interval);
        if self.samples >= asked || interval <= 0.0 || at_the_end {
            return None;
        }
        self.missed.note(self.pace.wanted(ns(interval)), self.next, end);
        Some(self.missed.told(self.samples, asked))
    }
}

pub(crate) fn no_text() -> Failure {
    Failure::no_memory(format_args!("no memory for a sample of the heap profile"))
}

/// Joins two outcomes: the first failure is returned, and a second one is reported here.
pub(crate) fn first_of(first: Outcome<()>, next: Outcome<()>) -> Outcome<()> {
    if let (Err(_), Err(next)) = (&first, &next) {
        say(&next.sentence);
    }
    first.and(next)
}

pub(crate) fn say_unmet((letter, name): (char, crate::identity::names::Name)) {
    let sentence = {
        let names = names();
        let text = Shown::told(names.text(name));
        Sentence::new(format_args!("the heap profile is empty for -h{letter}{text}: nothing has that name"))
    };
    say(&sentence);
}

/// `PROGRAM.hp`, or with several break-downs `PROGRAM.hy.hp` for each; in later profiles of the same heap the run's
/// number is in the name too, so that the files of the earlier ones stay.
pub(crate) fn name_of(stem: &[u8], run: u64, letter: char, alone: bool) -> Outcome<Name> {
    let letter = match letter {
        _ if alone => Sentence::EMPTY,
        CHOSEN => Sentence::new(format_args!(".h")),
        letter => Sentence::new(format_args!(".h{letter}")),
    };
    named(stem, run, letter, ".hp")
}

pub(crate) fn named(stem: &[u8], run: u64, middle: Sentence, end: &str) -> Outcome<Name> {
    let mut name = List::new();
    name.append(stem)?;
    for part in [apart::middle(run).as_str(), middle.as_str(), end] {
        name.append(part.as_bytes())?;
    }
    Name::new(&name)
}
