//! A heap profile that runs: when samples are due, and the files that they go to.
//!
//! There is a file for each break-down, and a sample is one write to each. What goes wrong with a file ends the profile
//! with one message; the program goes on [runtime.profile-ends].

use super::biography::{Column, Running};
use super::heap::Runtime;
use super::lives::{self, Room, Wish, Writer};
use super::pace::Pace;
use super::retainer_profile::ByRetainer;
use crate::base::flags::Flags;
use crate::base::option::{self, Key};
use crate::base::profile_flags::{CHOSEN, ProfileFlags, Sampling};
use crate::base::{Failure, List, Outcome, Sentence};
use crate::census::bands::{BreakDown, Show};
use crate::census::restrict::Restrictions;
use crate::identity::names::names;
use crate::os::clock::{self, Nanos};
use crate::os::file::{self, Name};
use crate::os::growing::Growing;
use crate::os::{output, usage};
use crate::report::biography::{Journal, finish};
use crate::report::hp;

pub struct Output {
    /// What its name says.
    letter: char,
    /// Nothing for phases of biographies; of `-h` alone, what is decided at the first census.
    pub by: Option<BreakDown>,
    file: Growing,
    /// It is written at the end, from this column of the biography.
    column: Option<usize>,
}

impl Output {
    pub fn is_chosen(&self) -> bool {
        self.letter == CHOSEN
    }

    fn is_written_now(&self) -> bool {
        self.column.is_none()
    }
}

pub struct Profile {
    pub outputs: List<Output>,
    pub restrictions: Restrictions,
    pub sampling: Sampling,
    pub with_threads: bool,
    /// Producers are noted, and counted.
    pub producers: bool,
    /// They matter whether the program has cost centres or not.
    pub needs_producers: bool,
    /// Whether it has is seen at the first census: then modules are those of producers.
    pub is_open: bool,
    /// Restrictions look at more than info tables, so objects are counted by them.
    pub is_crossed: bool,
    /// `-hm` is by the producer's module.
    pub module_of_producer: bool,
    /// Bytes of the name of a cost-centre stack.
    name_length: usize,
    /// When the next sample is due: nanoseconds of mutator time, or bytes allocated.
    pub next: u64,
    pub pace: Pace,
    /// The longest time between samples that the files tell of.
    told_ns: u64,
    /// The flags in force, for the head of the files.
    line: Sentence,
    /// A piece of a file that is being put together.
    text: List<u8>,
    pub samples: u64,
    pub by_retainer: Option<ByRetainer>,
}

/// What the files say of a wider interval.
fn note(widened_ns: u64) -> Sentence {
    match widened_ns {
        0 => Sentence::EMPTY,
        ns => Sentence::new(format_args!(" (samples up to {:.3} s apart)", ns as f64 / 1e9)),
    }
}

impl Profile {
    fn write_job(&mut self) -> Outcome<()> {
        let mut arguments = [0u8; 4096];
        let length = usage::command_line(&mut arguments);
        self.text.clear();
        let note = note(self.told_ns);
        let written = hp::job(&mut self.text, &arguments[..length], self.line.as_str(), note.as_str());
        written.map_err(|_| no_text())
    }

    /// Appends what is in `text` to all files, whichever of them fail.
    fn append(&mut self) -> Outcome<()> {
        let text = &self.text;
        let mut told = Ok(());
        for output in self.outputs.iter_mut() {
            told = first_of(told, output.file.append(text));
        }
        told
    }

    /// Appends what is in `text` to the files that are written while the program runs.
    fn append_now(&mut self) -> Outcome<()> {
        let text = &self.text;
        let mut now = self.outputs.iter_mut().filter(|output| output.is_written_now());
        now.try_for_each(|output| output.file.append(text))
    }

    /// The samples of the biographical files.
    fn write_biography(&mut self, running: &Running) -> Outcome<()> {
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

    fn write_empty_sample(&mut self, seconds: f64) -> Outcome<()> {
        self.text.clear();
        hp::sample(&mut self.text, seconds, std::iter::empty()).map_err(|_| no_text())?;
        self.append()
    }
}

fn no_text() -> Failure {
    Failure::no_memory(format_args!("no memory for a sample of the heap profile"))
}

/// Of two failures the first is the caller's to tell, and the other is told here.
fn first_of(first: Outcome<()>, next: Outcome<()>) -> Outcome<()> {
    if let (Err(_), Err(next)) = (&first, &next) {
        say(&next.sentence);
    }
    first.and(next)
}

pub fn say(sentence: &Sentence) {
    output::write_standard_error(&mut |out| writeln!(out, "barrow: {sentence}"));
}

fn say_unmet((letter, name): (char, crate::identity::names::Name)) {
    let names = names();
    let text = String::from_utf8_lossy(names.text(name));
    say(&Sentence::new(format_args!(
        "the heap profile is empty for -h{letter}{text}: nothing has that name"
    )));
}

/// `PROGRAM.hp`, or with several break-downs `PROGRAM.hy.hp` for each; in later profiles of the same heap the run's
/// number is in the name too, so that the files of the earlier ones stay.
fn name_of(stem: &[u8], run: u64, letter: char, alone: bool) -> Outcome<Name> {
    let letter = match letter {
        _ if alone => Sentence::EMPTY,
        CHOSEN => Sentence::new(format_args!(".h")),
        letter => Sentence::new(format_args!(".h{letter}")),
    };
    named(stem, run, letter, ".hp")
}

fn named(stem: &[u8], run: u64, middle: Sentence, end: &str) -> Outcome<Name> {
    let mut name = List::new();
    name.append(stem)?;
    let run = if run > 1 { Sentence::new(format_args!(".{run}")) } else { Sentence::EMPTY };
    for part in [run.as_str(), middle.as_str(), end] {
        name.append(part.as_bytes())?;
    }
    Name::new(&name)
}

impl Runtime {
    /// CPU time of the program itself: without collections and profiles, in nanoseconds.
    pub fn mutator_ns(&self, cpu: Nanos) -> u64 {
        let stats = &self.stats;
        cpu.since(stats.born_cpu).0.saturating_sub(stats.gc_cpu.0 + stats.profile_cpu.0)
    }

    /// The same in seconds, at this moment.
    pub fn mutator_seconds(&self) -> f64 {
        self.mutator_ns(self.cpu_clock()) as f64 / 1e9
    }

    /// What the names of profiles begin with: that of `-po`, or the program's name in the current directory.
    pub fn stem(&self) -> Outcome<List<u8>> {
        let given = self.flags.cost.stem.as_str();
        if !given.is_empty() {
            let mut stem = List::new();
            stem.append(given.as_bytes())?;
            return Ok(stem);
        }
        let stem = file::program()?;
        if stem.is_empty() {
            return Err(Failure::argument(format_args!("the system does not say this program's name")));
        }
        Ok(stem)
    }

    /// Starts the profile that a line of flags describes. One that runs is stopped first.
    pub fn start_profile_with(&mut self, line: &str) -> Outcome<()> {
        let mut flags = Flags { line: Sentence::new(format_args!("{line}")), ..self.flags.clone() };
        flags.profile = ProfileFlags::NONE;
        option::parse(line, |spec, value| match spec.key {
            Key::Profile(key) => flags.profile.set(key, value),
            _ => Err(Failure::argument(format_args!(
                "the flag {} is of the whole heap; a profile that is started takes -h, -i, -ib, -in, -ix, -xt, -L and -R",
                spec.flag
            ))),
        })?;
        if flags.profile.break_downs().next().is_none() {
            return Err(Failure::argument(format_args!(
                "the flags \"{line}\" have no break-down, such as -hT or -hy: a restriction alone shows nothing"
            )));
        }
        self.start_profile(&flags)
    }

    /// Starts what the flags ask for; nothing, when they ask for no break-down.
    pub fn start_profile(&mut self, flags: &Flags) -> Outcome<()> {
        let wish = &flags.profile;
        if wish.break_downs().next().is_none() {
            return Ok(());
        }
        self.census.prepare()?;
        let stopped = self.stop_profile();
        let mut profile = Profile {
            outputs: List::new(),
            restrictions: Restrictions::read(wish.restrictions.as_str(), false)?,
            sampling: wish.sampling,
            with_threads: wish.threads,
            producers: false,
            needs_producers: false,
            is_open: false,
            is_crossed: false,
            module_of_producer: false,
            name_length: wish.name_length,
            next: 0,
            pace: Pace::new(wish.share / 100.0),
            told_ns: 0,
            line: flags.line,
            text: List::new(),
            samples: 0,
            by_retainer: None,
        };
        let stem = self.stem()?;
        let alone = wish.break_downs().count() == 1;
        self.profiles_started += 1;
        profile.write_job()?;
        let job = lives::unquoted(&profile.text)?;
        let lived = Wish::of(wish);
        let mut columns: List<Column> = List::new();
        for letter in wish.break_downs() {
            profile.outputs.reserve(1)?;
            let file = Growing::create(name_of(&stem, self.profiles_started, letter, alone)?)?;
            let by = BreakDown::from_letter(letter);
            let mut output = Output { letter, by, file, column: None };
            if let Some(phases) = lived.phases(letter) {
                output.column = Some(columns.len());
                columns.push(lives::column(output.file.name(), &job, phases, letter)?)?;
            }
            let _ = profile.outputs.push_within(output);
        }
        let has = |wanted: char| wish.break_downs().any(|letter| letter == wanted);
        if has('r') || profile.restrictions.ask_for_retainers() {
            profile.by_retainer = Some(self.start_retainers(wish, &stem)?);
        }
        profile.write_job()?;
        hp::head(&mut profile.text, clock::date().as_str()).map_err(|_| no_text())?;
        profile.append()?;
        profile.next = match profile.sampling {
            Sampling::Seconds(seconds) => self.mutator_ns(clock::cpu()) + (seconds * 1e9) as u64,
            Sampling::Bytes(bytes) => {
                let allocated = self.allocated_bytes_now();
                (allocated / bytes + 1) * bytes
            }
            Sampling::Natural => 0,
        };
        profile.needs_producers = has('c') || has('a') || profile.restrictions.ask_for_producers();
        profile.is_open = has(CHOSEN) || has('m') || wish.restricts_by('m') || profile.by_retainer.is_some();
        self.note_producers(&mut profile, has('a'))?;
        if !columns.is_empty() {
            let name = named(&stem, self.profiles_started, Sentence::EMPTY, ".biography")?;
            if let Err(failure) = self.start_biography(name, columns, wish, profile.producers) {
                self.forget_producers(&mut profile);
                return Err(failure);
            }
        }
        self.profile = Some(profile);
        for index in 0..self.mutators.len() {
            let mutator = &raw mut *self.mutators[index];
            self.aim(mutator);
        }
        stopped
    }

    /// Fills the biographical files. The journal is removed when that has been done.
    fn finish_biography(&mut self, profile: &mut Profile, seconds: f64) {
        let Some(running) = self.end_biography(seconds) else { return };
        let written = profile.write_biography(&running);
        match written.and_then(|()| self.keep_shown_lives(profile, &running)) {
            Ok(()) => running.remove(),
            Err(failure) => say(&Sentence::new(format_args!(
                "the biographical profile is not complete: {}; `barrow convert {} --to hp` completes it",
                failure.sentence,
                running.journal_name()
            ))),
        }
    }

    /// Ends the profile that runs: the last, empty sample, and a word on names that nothing had.
    pub fn stop_profile(&mut self) -> Outcome<()> {
        let Some(mut profile) = self.profile.take() else { return Ok(()) };
        for index in 0..self.mutators.len() {
            self.mutators[index].stop_after(usize::MAX);
        }
        self.forget_producers(&mut profile);
        let only_biographical = !profile.outputs.iter().any(Output::is_written_now);
        let by_retainer = profile.by_retainer.as_ref();
        let met = |letter, name| by_retainer.is_some_and(|by| by.has_met(letter, name));
        match &self.biography {
            Some(running) if only_biographical => {
                let unmet = running.unmet();
                unmet.filter(|&(letter, name)| letter != 'r' || !met(letter, name)).for_each(say_unmet);
            }
            _ => {
                let unmet = profile.restrictions.unmet();
                unmet.filter(|&(letter, name)| !met(letter, name)).for_each(say_unmet);
            }
        }
        let seconds = self.mutator_ns(clock::cpu()) as f64 / 1e9;
        self.finish_biography(&mut profile, seconds);
        let mut ended = Ok(());
        if profile.pace.widened_ns > profile.told_ns {
            profile.told_ns = profile.pace.widened_ns;
            ended = profile.write_job().and_then(|()| profile.append());
        }
        ended = first_of(ended, profile.write_empty_sample(seconds));
        first_of(ended, self.end_retainers(&mut profile))
    }

    /// A mark of the client's, at this moment.
    pub fn mark_profile(&mut self) -> Outcome<()> {
        let seconds = self.mutator_ns(clock::cpu()) as f64 / 1e9;
        let Some(profile) = &mut self.profile else {
            return Err(Failure::state(format_args!("no heap profile runs that could be marked")));
        };
        profile.text.clear();
        hp::mark(&mut profile.text, seconds).map_err(|_| no_text())?;
        let mut marked = profile.append_now();
        if let Some(running) = &mut self.biography {
            marked = marked.and_then(|()| running.mark(seconds));
        }
        if let Err(failure) = &marked {
            self.end_profile();
            self.abandon_biography(failure);
        }
        marked
    }

    /// A census was taken: it is a sample of the profile that runs.
    pub fn record_sample(&mut self) {
        if self.profile.is_none() {
            return;
        }
        let (wall, cpu) = (clock::wall(), clock::cpu());
        if let Err(failure) = self.write_sample() {
            // [runtime.profile-ends]
            self.end_profile();
            self.abandon_with("the heap profile stops", &failure);
        }
        self.stats.profile_wall += clock::wall().since(wall);
        self.stats.profile_cpu += clock::cpu().since(cpu);
    }

    /// Ends the profile without another word in its files.
    pub fn end_profile(&mut self) {
        if let Some(mut profile) = self.profile.take() {
            self.forget_producers(&mut profile);
        }
    }

    fn write_sample(&mut self) -> Outcome<()> {
        let seconds = self.census.began_ns as f64 / 1e9;
        let Some(profile) = &mut self.profile else { return Ok(()) };
        if profile.pace.widened_ns > 2 * profile.told_ns {
            profile.told_ns = profile.pace.widened_ns;
            profile.write_job()?;
            profile.append()?;
        }
        for output in profile.outputs.iter_mut().filter(|output| output.is_written_now()) {
            let Some(by) = output.by else { continue };
            if by == BreakDown::Retainer {
                let live = self.census.total.bytes();
                let Some(by) = &mut profile.by_retainer else { continue };
                let (restricted, chosen, retainers) = (by.is_restricted(), by.chosen(), &self.retainers);
                let wanted = |set| chosen.allows(set, retainers);
                let bands = retainers.bands(live, restricted, profile.name_length, wanted)?;
                profile.text.clear();
                hp::sample(&mut profile.text, seconds, bands.each()).map_err(|_| no_text())?;
                output.file.append(&profile.text)?;
                continue;
            }
            let bands = self.census.shown(Show {
                by,
                module_of_producer: profile.module_of_producer,
                restrictions: Some(&mut profile.restrictions),
                crossed: profile.is_crossed,
                with_threads: profile.with_threads,
            })?;
            let names = names();
            let room = (by == BreakDown::Producer).then_some(profile.name_length);
            let list = bands.list().iter().map(|band| match room {
                Some(room) => hp::Band::stack(names.text(band.name), band.count.bytes(), room),
                None => hp::Band::plain(names.text(band.name), band.count.bytes()),
            });
            profile.text.clear();
            hp::sample(&mut profile.text, seconds, list).map_err(|_| no_text())?;
            drop(names);
            output.file.append(&profile.text)?;
        }
        profile.samples += 1;
        Ok(())
    }
}
