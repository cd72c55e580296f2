//! Space by function, where it needs collections, and where the client calls it.

use crate::base::Outcome;
use crate::heap::Mutator;
use crate::host::Host;
use crate::profile::profiler::Owed;
use crate::profile::space::asked::SpaceAsked;
use crate::profile::space::profiler::SpaceOptions;
use crate::profile::space::time::Phase;
use crate::runtime::collect::Reason;

impl Host {
    /// Begins a profile, inside those that run. Gives its number, by which it is ended.
    pub(crate) fn begin_space(&mut self, mutator: *mut Mutator, options: SpaceOptions) -> Outcome<u32> {
        self.refuse_to_count(mutator)?;
        if self.profilers.space.owed_before(&options.wish) != Owed::Nothing {
            self.collect_for(mutator, Reason::Minor)?;
        }
        let entries = &self.profilers.ticky.counters;
        self.profilers.space.begin(&mut self.runtime, entries, mutator, options)
    }

    /// Refuses to begin to count in an area that the client fills by itself: thunks there may have changed in line before, and would be
    /// walked over as they are.
    fn refuse_to_count(&self, mutator: *mut Mutator) -> Outcome<()> {
        self.refuse_while_busy()?;
        // SAFETY: the mutator is live, and only its own thread calls this.
        planted!(662, Ok(()), unsafe { (*mutator).refuse_while_open() })
    }

    /// Begins the profile that the flag --space asks for, with the first mutator.
    pub(super) fn begin_asked_space(&mut self, mutator: *mut Mutator) -> Outcome<()> {
        if self.profilers.space_asked.waits() {
            self.profilers.space_asked.profile = self.begin_space(mutator, SpaceAsked::wish()?)?;
        }
        Ok(())
    }

    /// Ends the profile that the flag asked for, with the client's own inside it, and writes its report. Called with the last
    /// mutator, before that goes.
    pub(super) fn finish_asked_space(&mut self, mutator: *mut Mutator) -> Outcome<()> {
        let profile = self.profilers.space_asked.profile;
        let running = |host: &Host| {
            let runs = host.profilers.space.running.as_ref().map(|space| &space.runs);
            runs.filter(|runs| runs.iter().any(|run| run.id == profile))
                .and_then(|runs| runs.last())
                .map(|run| run.id)
        };
        // A child of a fork has dropped it: the report is the parent's. An attach that fails may come before it.
        planted!(526, drop(self.profilers.space_asked.target.take()));
        let Some(mut innermost) = running(self) else { return Ok(()) };
        let Some(mut target) = self.profilers.space_asked.target.take() else { return Ok(()) };
        loop {
            self.end_space(mutator, innermost)?;
            match running(self) {
                Some(next) => innermost = next,
                None => break,
            }
        }
        let format = if self.profilers.space_asked.json { 'j' } else { 'f' };
        self.write_space_report_to(&mut target, format)
    }

    /// Stops counting for all profiles, until the profiler is resumed as often as it was suspended.
    pub(crate) fn suspend_space(&mut self, mutator: *mut Mutator) -> Outcome<()> {
        self.refuse_while_busy()?;
        self.profilers.space.suspend(&mut self.runtime, &self.profilers.ticky.counters, mutator)
    }

    pub(crate) fn resume_space(&mut self, mutator: *mut Mutator) -> Outcome<()> {
        self.refuse_to_count(mutator)?;
        self.profilers.space.resume(&mut self.runtime, &self.profilers.ticky.counters)
    }

    /// Ends the innermost profile; its results are kept until another profile begins or ends.
    pub(crate) fn end_space(&mut self, mutator: *mut Mutator, run: u32) -> Outcome<()> {
        self.refuse_while_busy()?;
        self.profilers.space.end_innermost(&mut self.runtime, &self.profilers.ticky.counters, mutator, run)
    }

    /// Keeps the live words of each function as a point of the profiles that run.
    pub(crate) fn take_space_point(&mut self, mutator: *mut Mutator) -> Outcome<()> {
        self.refuse_while_busy()?;
        self.profilers.space.unsuspended()?;
        self.collect_for(mutator, Reason::Whole)?;
        self.profilers.space.keep_point(&self.runtime)
    }

    /// Gives the time to a phase from now on, while the space profiler samples it. Returns the phase
    /// before.
    pub(super) fn time_is(&mut self, phase: Phase) -> Phase {
        self.profilers.space.time_is(phase)
    }
}
