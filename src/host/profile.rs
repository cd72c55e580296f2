//! The course of a heap profile: it is started, marked, sampled and stopped.
//!
//! There is a file for each break-down, and a sample is one write to each. A file that fails ends the profile
//! with one message; the program goes on [runtime.profile-ends].

use crate::base::flag::{CHOSEN, ProfileFlags, Sampling};
use crate::base::{Failure, List, Outcome, Sentence, Text};
use crate::heap::space::side::Table;
use crate::host::Host;
use crate::identity::names::names;
use crate::os::clock::{self};
use crate::os::file::{self};
use crate::os::growing::Growing;
use crate::os::output::say;
use crate::profile::biography::Column;
use crate::profile::biography::files;
use crate::profile::biography::files::Wish;
use crate::profile::cost::profiler::Prof;
use crate::profile::heap::bands::Show;
use crate::profile::heap::break_down::BreakDown;
use crate::profile::heap::missed::Missed;
use crate::profile::heap::pace::Pace;
use crate::profile::heap::profile::{Output, Profile, first_of, name_of, named, no_text, say_unmet};
use crate::profile::heap::restrict::Restrictions;
use crate::profile::heap::unsampled::why_no_sample;
use crate::report::hp;
use crate::runtime::collect::Clocks;

impl Host {
    /// The stem of the names of profiles: that of `-po`, or the program's name in the current directory.
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

    /// Starts the profile that a line of flags describes, after stopping a running one.
    pub fn start_profile_with(&mut self, line: &str) -> Outcome<()> {
        self.start_profile(&ProfileFlags::parse(line)?, Text::of(line)?)
    }

    /// Starts the profile that the flags ask for; none when they have no break-down. `line` is the text of
    /// the flags.
    fn start_profile(&mut self, wish: &ProfileFlags, line: Text) -> Outcome<()> {
        let stopped = self.begin_profile(wish, line)?;
        if let Err(failure) = self.name_profile() {
            self.profilers.stop_profile_for(&mut self.runtime, &failure);
            return Err(failure);
        }
        stopped
    }

    /// Gives the files of the running profile their names, in the place of old ones, when all else is there.
    pub(super) fn name_profile(&mut self) -> Outcome<()> {
        let Some(profile) = &mut self.profilers.heap.profile else { return Ok(()) };
        if let Some(running) = &mut self.profilers.lives.running {
            running.take_name()?;
        }
        profile.outputs.iter_mut().try_for_each(|output| output.file.take_name())?;
        if let Some(by) = &mut profile.by_retainer {
            by.file.take_name()?;
            if by.is_own_prof {
                self.profilers.costs.prof = Prof::Retainers;
            }
        }
        Ok(())
    }

    /// As `start_profile`, but files have temporary names. Gives how the profile before has ended.
    pub(super) fn begin_profile(&mut self, wish: &ProfileFlags, line: Text) -> Outcome<Outcome<()>> {
        if wish.break_downs().next().is_none() {
            return Ok(Ok(()));
        }
        self.profilers.heap.census.prepare()?;
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
            line,
            text: List::new(),
            samples: 0,
            marks: List::new(),
            missed: Missed::default(),
            alarm: None,
            began_ns: 0,
            began: self.progress(),
            by_retainer: None,
        };
        let stem = self.stem()?;
        let alone = wish.break_downs().count() == 1;
        // The heap's other files have its first number too.
        let run = if self.profilers.heap.started == 0 {
            self.files.number(&stem)?
        } else {
            self.files.next_number(&stem)?
        };
        self.profilers.heap.started += 1;
        profile.write_job()?;
        let job = files::unquoted(&profile.text)?;
        let lived = Wish::of(wish);
        let mut columns: List<Column> = List::new();
        for letter in wish.break_downs() {
            profile.outputs.reserve(1)?;
            let file = Growing::create(name_of(&stem, run, letter, alone)?)?;
            let by = BreakDown::from_letter(letter);
            let mut output = Output { letter, by, file, column: None };
            if let Some(phases) = lived.phases(letter) {
                output.column = Some(columns.len());
                columns.push(files::column(output.file.name(), &job, phases, letter)?)?;
            }
            let _ = profile.outputs.push_within(output);
        }
        let has = |wanted: char| wish.break_downs().any(|letter| letter == wanted);
        if has('r') || profile.restrictions.ask_for_retainers() {
            profile.by_retainer = Some(self.start_retainers(wish, &stem, run)?);
        }
        profile.write_job()?;
        hp::head(&mut profile.text, clock::date().as_str()).map_err(|_| no_text())?;
        profile.append()?;
        profile.began_ns = profile.sample_ns(&self.runtime, Clocks::now(&self.runtime));
        profile.pace.begins(profile.began_ns);
        profile.next = match profile.sampling {
            Sampling::Seconds(seconds) | Sampling::Wall(seconds) => profile.began_ns + (seconds * 1e9) as u64,
            Sampling::Bytes(bytes) => {
                let allocated = self.allocated_bytes_now();
                (allocated / bytes + 1) * bytes
            }
            Sampling::Natural => 0,
        };
        profile.needs_producers = has('c') || has('a') || profile.restrictions.ask_for_producers();
        profile.is_open = has(CHOSEN) || has('m') || wish.restricts_by('m') || profile.by_retainer.is_some();
        let name = named(&stem, run, Sentence::EMPTY, ".biography")?;
        // Nothing that can fail comes after what it would leave running.
        planted!(525, self.profilers.note_producers(&mut self.runtime, &mut profile, has('a'))?);
        profile.set_alarm(&self.runtime)?;
        self.profilers.note_producers(&mut self.runtime, &mut profile, has('a'))?;
        if !columns.is_empty()
            && let Err(failure) = self.start_biography(name, columns, wish, profile.producers)
        {
            self.profilers.forget_producers(&mut self.runtime, &mut profile);
            return Err(failure);
        }
        self.profilers.heap.profile = Some(profile);
        for index in 0..self.mutators.len() {
            let mutator = &raw mut *self.mutators[index];
            self.aim(mutator);
        }
        Ok(stopped)
    }

    /// Fills the biographical files, and then removes the journal.
    fn finish_biography(&mut self, profile: &mut Profile, seconds: f64) {
        let Some(running) = self.profilers.lives.finish(&mut self.runtime, seconds) else { return };
        let written = profile.write_biography(&running);
        match written.and_then(|()| self.profilers.lives.keep_shown_lives(profile, &running)) {
            Ok(()) => running.remove(),
            Err(failure) => say(&Sentence::new(format_args!(
                "the biographical profile is not complete: {}; `barrow convert {} --to hp` completes it",
                failure.sentence,
                running.journal_name()
            ))),
        }
    }

    /// Ends the running profile with a last, empty sample, and names in restrictions that no object had
    /// are reported.
    pub fn stop_profile(&mut self) -> Outcome<()> {
        let Some(mut profile) = self.profilers.heap.profile.take() else { return Ok(()) };
        for index in 0..self.mutators.len() {
            self.mutators[index].stop_after(usize::MAX);
            let mutator = &raw mut *self.mutators[index];
            self.aim(mutator);
        }
        let progress = self.progress().since(profile.began);
        self.profilers.forget_producers(&mut self.runtime, &mut profile);
        let only_biographical = !profile.outputs.iter().any(Output::is_written_now);
        let by_retainer = profile.by_retainer.as_ref();
        let met = |letter, name| by_retainer.is_some_and(|by| by.has_met(letter, name));
        match &self.profilers.lives.running {
            // Without a sample, no name can have been met.
            _ if profile.samples == 0 => say(&why_no_sample(profile.sampling, progress)),
            Some(running) if only_biographical => {
                let unmet = running.unmet();
                unmet.filter(|&(letter, name)| letter != 'r' || !met(letter, name)).for_each(say_unmet);
            }
            _ => {
                let unmet = profile.restrictions.unmet();
                unmet.filter(|&(letter, name)| !met(letter, name)).for_each(say_unmet);
            }
        }
        let seconds = profile.sample_seconds(&self.runtime);
        self.finish_biography(&mut profile, seconds);
        let ended = profile.write_end(seconds);
        first_of(ended, self.end_retainers(&mut profile))
    }

    /// Adds a mark of the client's at the present time.
    pub fn mark_profile(&mut self) -> Outcome<()> {
        let Some(profile) = &mut self.profilers.heap.profile else {
            return Err(Failure::state(format_args!("no heap profile runs that could be marked")));
        };
        let seconds = profile.sample_seconds(&self.runtime);
        let mut marked = profile.marks.push(seconds);
        if let Some(running) = &mut self.profilers.lives.running {
            marked = marked.and_then(|()| running.mark(seconds));
        }
        if let Err(failure) = &marked {
            self.profilers.end_profile(&mut self.runtime);
            self.profilers.lives.abandon(&mut self.runtime, failure);
        }
        marked
    }

    /// Records the census that was taken as a sample of the running profile.
    pub fn record_sample(&mut self) {
        if self.profilers.heap.profile.is_none() {
            return;
        }
        let (wall, cpu) = (clock::wall(), clock::cpu());
        if let Err(failure) = self.write_sample() {
            // [runtime.profile-ends]
            self.profilers.stop_profile_for(&mut self.runtime, &failure);
        }
        self.stats.profile_wall += clock::wall().since(wall);
        self.stats.profile_cpu += clock::cpu().since(cpu);
    }

    /// Ends the profile if there was no memory for the table of some megablock, since the producers of
    /// its objects are lost.
    pub fn end_profile_without_tables(&mut self) {
        let Host { runtime, profilers, .. } = self;
        let side = &mut runtime.store.blocks.megablocks.side;
        if profilers.heap.notes_producers && side.take_starved_of(Table::Producer) {
            let failure = Failure::no_memory(format_args!("no memory for the table of producers"));
            profilers.stop_profile_for(runtime, &failure);
        }
    }

    fn write_sample(&mut self) -> Outcome<()> {
        let seconds = self.profilers.heap.census.began_ns as f64 / 1e9;
        let Some(profile) = &mut self.profilers.heap.profile else { return Ok(()) };
        for output in profile.outputs.iter_mut().filter(|output| output.is_written_now()) {
            let Some(by) = output.by else { continue };
            if by == BreakDown::Retainer {
                let live = self.profilers.heap.census.live_bytes(profile.with_threads);
                let Some(by) = &mut profile.by_retainer else { continue };
                let (restricted, chosen, retainers) =
                    (by.is_restricted(), by.chosen(), &self.profilers.retainers);
                let wanted = |set| chosen.allows(set, retainers);
                let bands = retainers.bands(live, restricted, profile.name_length, wanted)?;
                profile.text.clear();
                hp::sample(&mut profile.text, seconds, bands.each()).map_err(|_| no_text())?;
                output.file.append(&profile.text)?;
                continue;
            }
            let bands = self.profilers.heap.census.shown(Show {
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
