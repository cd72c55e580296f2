//! The time and allocation profile of a heap: when its time is counted, and its figures as a file.

use crate::base::decimal::{Fixed, Short};
use crate::base::flag::{CostFlags, CostReport, LONGEST_TICK_SECONDS, SHORTEST_TICK_SECONDS};
use crate::base::list::List;
use crate::base::{Failure, Outcome, Sentence, Shown};
use crate::heap::Mutator;
use crate::heap::mutator::booking::TicksByBytes;
use crate::heap::mutator::window::watch;
use crate::host::Host;
use crate::identity::ccs;
use crate::os::clock;
use crate::os::file::Target;
use crate::os::output::say;
use crate::profile::cost::files::{by_position, centre_rows, command_line, file_of_program};
use crate::profile::cost::profiler::Prof;
use crate::profile::cost::time::TimeProfile;
use crate::profile::heap::unsampled::{hundredth, tenth};
use crate::report::cost::{CostProfile, StackRow};
use crate::report::{cost_json, cost_text};
use std::io;

impl Host {
    /// Begins to count the time of a new mutator, with `-p` and its like.
    pub(crate) fn count_time_of(&mut self, mutator: *mut Mutator) -> Outcome<()> {
        let CostFlags { report, tick_bytes, tick_seconds, .. } = self.flags.cost;
        if report != CostReport::Nothing {
            self.count_costs(Some(mutator))?;
            if tick_bytes == 0 && self.profilers.costs.time.is_none() {
                self.start_ticks(tick_seconds)?;
            }
        }
        if tick_bytes != 0 {
            self.count_costs(Some(mutator))?;
            // SAFETY: the mutator is live, and only its own thread calls this.
            let m = unsafe { &mut *mutator };
            m.ticks = TicksByBytes::new(tick_bytes);
            m.watch(watch::TICKS, true);
        }
        if let Some(time) = &self.profilers.costs.time {
            time.watch(mutator)?;
        }
        Ok(())
    }

    /// Counts ticks of this length, in seconds, from now on; 0 ends it. Earlier counts stay, as so many ticks of this length as are
    /// the same time: a report has one length.
    pub fn start_ticks(&mut self, seconds: f64) -> Outcome<()> {
        if self.flags.cost.tick_bytes != 0 {
            return Err(Failure::state(format_args!(
                "the ticks of this heap fall due by bytes (--tick-bytes)"
            )));
        }
        if seconds != 0.0 && !(SHORTEST_TICK_SECONDS..=LONGEST_TICK_SECONDS).contains(&seconds) {
            return Err(Failure::argument(format_args!(
                "a tick of {} seconds is neither 0 nor between {} and {}",
                Short(seconds),
                Short(SHORTEST_TICK_SECONDS),
                Short(LONGEST_TICK_SECONDS)
            )));
        }
        self.profilers.costs.settle();
        self.profilers.costs.time = None;
        self.flags.cost.tick_seconds = seconds;
        if seconds == 0.0 {
            return Ok(());
        }
        let interval = (seconds * 1e9) as u64;
        // Reports multiply by the rounded interval, not by the one that was wished for.
        let seconds = interval as f64 / 1e9;
        self.flags.cost.tick_seconds = seconds;
        let before = std::mem::replace(&mut self.profilers.costs.tick_seconds, seconds);
        // Ticks of the client's own clock, before there are others, are of any length.
        if before != seconds && planted!(636, true, before != 0.0) {
            planted!(607, (), self.profilers.costs.rows.whole.rescale(before / seconds));
        }
        let only = if self.is_shared() { None } else { self.first_mutator() };
        self.count_costs(only)?;
        // SAFETY: the rows are dropped with the runtime, after the profile.
        let time = unsafe { TimeProfile::start(self.profilers.costs.rows.whole.rows(), interval)? };
        for mutator in self.mutators.iter() {
            time.watch(mutator.as_raw())?;
        }
        self.profilers.costs.time = Some(time);
        Ok(())
    }

    /// Books ticks of the client's own clock to the current stack.
    pub(crate) fn tick(&mut self, mutator: *mut Mutator, ticks: u64) -> Outcome<()> {
        self.count_costs(Some(mutator))?;
        // SAFETY: the mutator is live, and only its own thread calls this.
        self.profilers
            .costs
            .rows
            .whole
            .tick(crate::heap::mutator::current::stack_of(unsafe { &*mutator }).number, ticks);
        Ok(())
    }

    /// Runs `body`, and books its time to a special stack.
    pub fn booking_time_to<T>(&mut self, special: ccs::Special, body: impl FnOnce(&mut Host) -> T) -> T {
        let enter =
            |runtime: &Host, phase| runtime.profilers.costs.time.as_ref().map_or(0, |time| time.enter(phase));
        let before = enter(self, special as u32);
        let value = body(self);
        enter(self, before);
        value
    }

    /// Writes the profile as it is now, to the given file or to that of the flags.
    pub fn write_cost_report(&mut self, to: Option<&[u8]>, detail: CostReport) -> Outcome<()> {
        let mut target = match to {
            Some(name) => Target::new(name)?,
            None => self.own_prof()?,
        };
        self.profilers.costs.settle();
        self.booking_time_to(ccs::Special::Overhead, |runtime| runtime.write_costs(&mut target, detail))
    }

    /// The file of the flags, which may be that of a profile by retainers.
    fn own_prof(&mut self) -> Outcome<Target> {
        let name = file_of_program(&self.flags.cost, &self.files, ".prof")?;
        if planted!(534, false, self.profilers.costs.prof == Prof::Retainers) {
            return Err(Failure::state(format_args!(
                "{} is the file of this heap's profile by retainers; a report of costs needs a name",
                Shown::told(&name)
            )));
        }
        self.profilers.costs.prof = Prof::Costs;
        Target::new(&name)
    }

    /// Writes the reports of the flags at the end of the heap.
    pub fn finish_costs(&mut self) -> Outcome<()> {
        self.profilers.costs.settle();
        self.profilers.costs.time = None;
        match self.profilers.costs.target.take() {
            None => Ok(()),
            Some(mut target) => {
                let written = self.write_costs(&mut target, self.flags.cost.report);
                self.say_when_nothing_ticked();
                written
            }
        }
    }

    /// Explains a time profile whose times are all 0, since its run was shorter than a tick.
    fn say_when_nothing_ticked(&mut self) {
        if (0..ccs::count()).any(|number| self.profilers.costs.row(number).ticks > 0) {
            return;
        }
        let CostFlags { tick_bytes, tick_seconds, .. } = self.flags.cost;
        if tick_bytes != 0 {
            let bytes = self.allocated_bytes_now();
            say(&Sentence::new(format_args!(
                "the time profile has no tick: the program allocated {bytes} bytes, and a tick falls due after {tick_bytes}; \
                 try --tick-bytes={}",
                tenth(bytes)
            )));
        } else if tick_seconds != 0.0 {
            let ran = self.mutator_seconds();
            let shorter = hundredth(ran).max(SHORTEST_TICK_SECONDS);
            let flag = if shorter < tick_seconds {
                Sentence::new(format_args!("-V{}, or ", Short(shorter)))
            } else {
                Sentence::EMPTY
            };
            say(&Sentence::new(format_args!(
                "the time profile has no tick: the program ran for {} s of CPU time, and a tick is {} s; \
                 try {flag}a longer run",
                Fixed(ran, 6),
                Short(tick_seconds)
            )));
        }
    }

    fn write_costs(&mut self, target: &mut Target, detail: CostReport) -> Outcome<()> {
        self.book_everything();
        let stacks = self.stack_rows()?;
        let centres = centre_rows(&stacks)?;
        let stacks = by_position(&stacks, centres.len())?;
        let (program, arguments) = command_line()?;
        let date = clock::date();
        // Ticks that fall due by bytes are not time.
        let by_bytes = self.flags.cost.tick_bytes != 0;
        let ticks_us = if by_bytes { 0 } else { (self.profilers.costs.tick_seconds * 1e6) as u64 };
        let profile = CostProfile {
            program: &program,
            arguments: &arguments,
            flags: self.flags.line.as_str(),
            date: date.as_str(),
            tick_us: ticks_us,
            detail,
            centres: &centres,
            stacks: &stacks,
        };
        let arranged = profile.arrange()?;
        target.write(&mut |mut out: &mut dyn io::Write| match detail {
            CostReport::Json => cost_json::write(&mut out, &profile, &arranged),
            _ => cost_text::write(&mut out, &profile, &arranged),
        })
    }

    /// All stacks with their costs; `centre` is the centre's number.
    pub fn stack_rows(&self) -> Outcome<List<StackRow>> {
        let mut rows = List::new();
        let count = ccs::count();
        rows.reserve(count as usize)?;
        for number in 0..count {
            let Some(stack) = ccs::stack(number) else { break };
            let cost = self.profilers.costs.row(number);
            rows.push(StackRow {
                number,
                centre: stack.centre,
                parent: stack.parent().map_or(0, |parent| parent.number),
                entries: cost.entries,
                ticks: cost.ticks,
                bytes: cost.bytes,
            })?;
        }
        Ok(rows)
    }
}
