//! The course of space profiles: begun, suspended, resumed and ended round any part of a run, and fed
//! meanwhile.
//!
//! While a profile counts, `hp_lim` is zero, so that every allocation comes to the slow path with its return
//! address. Each new object gets its maker's number in the side table of producers, and the collector tells
//! what becomes of the object. When kinds are wanted, new objects are looked at before each collection, when
//! all of them are whole [profile.space.walk].

use crate::base::{Failure, Outcome, list::try_box};
use crate::heap::Mutator;
use crate::heap::space::side::Table;
use crate::identity::maker::Makers;
use crate::profile::profiler::Owed;
use crate::profile::space::calls::Counted;
use crate::profile::space::ledger::{Space, Wish, manner};
use crate::profile::space::profiler::{SpaceOptions, SpaceProfiler, no_profile};
use crate::profile::space::result::{Results, add};
use crate::profile::space::time::{Clock, Phase};
use crate::runtime::Runtime;
use crate::runtime::slow::each;

/// A clock that samples the time of each mutator.
fn watching_all(rt: &Runtime, wish: &Wish) -> Outcome<Clock> {
    let clock = Clock::start(wish.tick_ns, wish.walk.is_some())?;
    for mutator in rt.mutators.iter() {
        clock.watch(mutator.as_raw())?;
    }
    Ok(clock)
}

impl SpaceProfiler {
    /// The claim of a profile before it begins. Objects that compiled code has left in the nursery cannot be
    /// walked; after a collection of it, all objects can.
    pub fn owed_before(&self, wish: &Wish) -> Owed {
        let by_kind = wish.manner & manner::MANNER_KINDS != 0 || wish.manner_of.is_some();
        let walks = self.running.as_ref().is_some_and(|space| space.walks);
        if by_kind && !walks { Owed::NurseryCollection } else { Owed::Nothing }
    }

    /// Begins a profile, inside those that run, after its claim was met. Gives its number, by which it is
    /// ended.
    pub(crate) fn begin(
        &mut self,
        rt: &mut Runtime,
        entries: &Counted,
        mutator: *mut Mutator,
        options: SpaceOptions,
    ) -> Outcome<u32> {
        rt.refuse_while_busy()?;
        let wish = options.wish;
        // SAFETY: the mutator is live, and only its own thread calls this.
        self.close_region(rt, unsafe { &mut *mutator });
        let is_first = self.running.is_none();
        if is_first {
            let makers = Makers::new()?;
            let generations = rt.store.generation_count;
            let mut space = try_box(Space::new(generations, rt.busy.mark()))?;
            space.expect(rt.flags.mutators)?;
            for mutator in rt.mutators.iter() {
                space.part(mutator.as_raw())?;
            }
            space.columns.column_of = options.column_of;
            space.columns.client = Some(wish.client);
            let begun = self.begun;
            *self = SpaceProfiler { running: Some(space), makers, begun, ..SpaceProfiler::default() };
        }
        if let Err(failure) = self.stamp(rt, &wish) {
            if is_first {
                self.drop_all(rt);
            }
            return Err(failure);
        }
        self.settle_ticks();
        self.name_of = options.name_of.or(self.name_of);
        let collections = rt.stats.collections;
        let SpaceProfiler { running: space, makers, begun: number, .. } = self;
        *number += 1;
        let number = *number;
        let begun = match space {
            Some(space) => space.begin(number, wish, collections, makers),
            None => Err(no_profile()),
        };
        if begun.is_err() {
            if is_first {
                self.drop_all(rt);
            } else {
                self.unstamp(rt);
            }
        }
        self.show(rt);
        begun?;
        let counted = self.refuse_small_limit(wish.limit_bytes).and_then(|()| self.count_calls(entries));
        if let Err(failure) = counted {
            self.leave(rt, number);
            return Err(failure);
        }
        if wish.tick_ns != 0 && self.running.as_ref().is_some_and(|space| space.clock.is_none()) {
            match watching_all(rt, &wish) {
                Ok(clock) => {
                    if let Some(space) = &mut self.running {
                        (space.clock, space.clock_run) = (Some(clock), number);
                    }
                }
                Err(failure) => {
                    self.leave(rt, number);
                    return Err(failure);
                }
            }
        }
        Ok(number)
    }

    /// Refuses a limit below the bytes that the profiler holds before it has met a function.
    fn refuse_small_limit(&self, limit: usize) -> Outcome<()> {
        let held = self.running.as_ref().map_or(0, |space| space.held_bytes());
        if held <= limit {
            return Ok(());
        }
        Err(Failure::argument(format_args!(
            "limit_bytes is {limit}, and must be at least {held}, which the space profiler holds before it has met \
             a function of this profile"
        )))
    }

    /// Begins to give objects their makers' numbers, if the profile wants them.
    fn stamp(&mut self, rt: &mut Runtime, wish: &Wish) -> Outcome<()> {
        let Some(space) = self.running.as_mut().filter(|space| !space.stamps && wish.stamps()) else {
            return Ok(());
        };
        if rt.store.side_table_is_on(Table::Producer) {
            return Err(Failure::state(format_args!(
                "a heap profile by maker (-h, -hc, -hm, -hr, -ha) uses the table in which a space profile (--space) has its numbers: leave one out, \
                 end the heap profile first (barrow_profile_stop), or begin this one for time and calls only"
            )));
        }
        rt.store.turn_side_table_on(Table::Producer)?;
        space.stamps = true;
        Ok(())
    }

    /// Ends that with the last profile that wants it; those around it are for time and calls.
    fn unstamp(&mut self, rt: &mut Runtime) {
        let Some(space) = self.running.as_mut().filter(|space| space.stamps) else { return };
        if !space.runs.iter().any(|run| run.wish.stamps()) {
            (space.stamps, space.walks) = (false, false);
            rt.store.turn_side_table_off(Table::Producer);
        }
    }

    /// Stops counting for all profiles, until the profiler is resumed as often as it was suspended.
    pub(crate) fn suspend(
        &mut self,
        rt: &mut Runtime,
        entries: &Counted,
        mutator: *mut Mutator,
    ) -> Outcome<()> {
        rt.refuse_while_busy()?;
        // SAFETY: the mutator is live, and only its own thread calls this.
        self.close_region(rt, unsafe { &mut *mutator });
        self.settle_ticks();
        self.running.as_mut().ok_or_else(no_profile)?.suspended += 1;
        self.stop_calls(entries)?;
        self.show(rt);
        Ok(())
    }

    pub(crate) fn resume(&mut self, rt: &mut Runtime, entries: &Counted) -> Outcome<()> {
        rt.refuse_while_busy()?;
        if self.running.as_ref().ok_or_else(no_profile)?.suspended == 0 {
            return Err(Failure::state(format_args!("the space profiler is not suspended")));
        }
        self.settle_ticks();
        self.running.as_mut().ok_or_else(no_profile)?.suspended -= 1;
        self.show(rt);
        self.go_on_with_calls(entries);
        Ok(())
    }

    /// Ends the innermost profile; its results are kept until another profile begins or ends.
    pub(crate) fn end_innermost(
        &mut self,
        rt: &mut Runtime,
        entries: &Counted,
        mutator: *mut Mutator,
        run: u32,
    ) -> Outcome<()> {
        rt.refuse_while_busy()?;
        let innermost = self.running.as_ref().and_then(|space| space.runs.last()).map(|run| run.id);
        let Some(innermost) = innermost else { return Err(no_profile()) };
        if run != innermost {
            return Err(Failure::state(format_args!(
                "profile {run} is not the innermost one, which is {innermost}: profiles inside it have to end first"
            )));
        }
        self.settle_ticks();
        // SAFETY: the mutator is live, and only its own thread calls this.
        self.take_in(rt, unsafe { &mut *mutator });
        let SpaceProfiler { running: space, makers, .. } = self;
        if let Some(space) = space {
            space.settle_lately();
            space.take_ticks(makers);
        }
        let gathered = self.stop_calls(entries).and_then(|()| self.gather(rt));
        self.leave(rt, run);
        self.go_on_with_calls(entries);
        self.results = Some(try_box(gathered?)?);
        Ok(())
    }

    /// Counts calls again after an interruption. Where there is no room for that, the profile has ended or
    /// resumed all the same: calls are left out from now on, and results are incomplete.
    fn go_on_with_calls(&mut self, entries: &Counted) {
        let went_on = self.count_calls(entries);
        if let Some(space) = &mut self.running {
            space.short_of_memory |= went_on.is_err();
        }
    }

    /// Begins to count calls, unless the profiler is suspended.
    fn count_calls(&mut self, entries: &Counted) -> Outcome<()> {
        let Some(space) = self.running.as_deref_mut().filter(|space| space.suspended == 0) else {
            return Ok(());
        };
        for index in 0..space.runs.len() {
            let room = space.room();
            if space.runs[index].wish.counts_calls() && !space.calls[index].is_counting() {
                space.calls[index].go(entries, room)?;
            }
        }
        space.has_grown();
        Ok(())
    }

    fn stop_calls(&mut self, entries: &Counted) -> Outcome<()> {
        let Some(space) = self.running.as_deref_mut() else { return Ok(()) };
        for index in 0..space.calls.len() {
            let room = space.room();
            let calls = &mut space.calls[index];
            calls.stop(entries, room)?;
            space.short_of_memory |= calls.is_short;
        }
        space.has_grown();
        Ok(())
    }

    /// Removes the innermost profile.
    fn leave(&mut self, rt: &mut Runtime, run: u32) {
        let mut is_last = true;
        if let Some(space) = &mut self.running {
            space.runs.pop();
            space.calls.pop();
            space.forget_seen();
            space.live.on = planted!(643, space.live.on, space.runs.iter().any(|run| run.wish.live));
            if space.clock_run == run {
                space.clock = None;
            }
            is_last = space.runs.is_empty();
        }
        if is_last {
            self.drop_all(rt);
        } else {
            planted!(639, (), self.unstamp(rt));
        }
        self.show(rt);
    }

    /// Walks the client's stack, since the clock has ticked.
    pub(crate) fn walk(&mut self, mutator: *mut Mutator) {
        let before = self.time_is(Phase::Profiler);
        let SpaceProfiler { running: space, makers, .. } = self;
        if let Some(space) = space {
            // SAFETY: the mutator is live, and only its own thread calls this. Callbacks must not allocate.
            unsafe { (*mutator).counting.stop() };
            space.walk(mutator, makers);
        }
        self.time_is(before);
    }

    fn settle_ticks(&mut self) {
        let SpaceProfiler { running: space, makers, .. } = self;
        if let Some(space) = space {
            planted!(527, (), space.settle_ticks(makers));
        }
    }

    /// Gives the time to a phase from now on, while time is sampled. Returns the phase before.
    pub fn time_is(&mut self, phase: Phase) -> Phase {
        match self.running.as_ref().and_then(|space| space.clock.as_ref()) {
            Some(clock) => clock.enter(phase),
            None => Phase::Program,
        }
    }

    /// Counts what a new mutator does.
    pub(crate) fn comes(&mut self, mutator: *mut Mutator) -> Outcome<()> {
        let Some(space) = self.running.as_deref_mut() else { return Ok(()) };
        space.part(mutator)?;
        space.clock.as_ref().map_or(Ok(()), |clock| clock.watch(mutator))
    }

    /// Takes what a mutator that ends has counted. It is the calling thread's, and its nursery is whole.
    pub(crate) fn goes(&mut self, rt: &mut Runtime, mutator: &mut Mutator) {
        self.close_region(rt, mutator);
        let Some(space) = self.running.as_deref_mut() else { return };
        if let Some(clock) = &space.clock {
            clock.unwatch(mutator);
        }
        space.join(mutator);
    }

    fn gather(&self, rt: &Runtime) -> Outcome<Results> {
        let SpaceProfiler { running: space, makers, name_of, .. } = self;
        let space = space.as_ref().ok_or_else(no_profile)?;
        let begun = space.runs.last().ok_or_else(no_profile)?;
        let mut results = Results::gather(space, makers, begun, *name_of)?;
        let ticks_apart;
        (results.own_ns, ticks_apart) = space.apart_of(begun);
        if results.tick_ns != 0 {
            results.ticks_apart = ticks_apart;
        }
        results.collections = space.collections_of(begun, rt.stats.collections);
        add(&mut results.unprofiled, space.unprofiled_of(begun));
        results.side_bytes = rt.store.side_table_bytes() as u64;
        Ok(results)
    }

    /// Drops everything that the profiler holds.
    pub(super) fn drop_all(&mut self, rt: &mut Runtime) {
        let stamps = self.running.as_ref().is_some_and(|space| space.stamps);
        *self = SpaceProfiler { begun: self.begun, ..SpaceProfiler::default() };
        if stamps {
            rt.store.turn_side_table_off(Table::Producer);
        }
    }

    /// The profiles that run, to take a point of time: live data are not recorded while they are suspended.
    pub fn unsuspended(&mut self) -> Outcome<&mut Space> {
        let space = self.running.as_deref_mut().ok_or_else(no_profile)?;
        if planted!(642, false, space.suspended > 0) {
            return Err(Failure::state(format_args!(
                "the space profiler is suspended, and takes no point until barrow_space_resume"
            )));
        }
        Ok(space)
    }

    /// Keeps the live words of each function as a point of the profiles that run.
    pub fn keep_point(&mut self, rt: &Runtime) -> Outcome<()> {
        let (seconds, collection) = (rt.mutator_seconds(), rt.stats.collections);
        self.unsuspended()?.keep_point(seconds, collection)
    }

    /// The results of the profile that ended last.
    pub fn last_results(&self) -> Outcome<&Results> {
        self.results.as_deref().ok_or_else(|| {
            Failure::state(format_args!("no space profile has ended whose results are still there"))
        })
    }

    pub fn forget_results(&mut self) {
        self.results = None;
    }

    pub fn counts(&self) -> bool {
        self.running.as_ref().is_some_and(|space| space.counts())
    }

    /// Sends every mutator's allocations to the slow path while profiles count, and keeps memory such that it can be walked:
    /// all while kinds are wanted, and words that were reserved while profiles count.
    pub(super) fn show(&mut self, rt: &mut Runtime) {
        let walks = self.running.as_ref().is_some_and(|space| space.walks);
        rt.store.clears_slop = rt.store.poisons || walks || planted!(566, false, self.counts());
        rt.watch_each_allocation(each::SPACE, self.counts());
        for index in 0..rt.mutators.len() {
            let mutator = &raw mut *rt.mutators[index];
            // SAFETY: mutators live as long as they are listed, and this is the only user.
            rt.show_tables(unsafe { &mut *mutator });
        }
    }

    /// Refuses to let code go while a profile runs: its functions are called, and names are looked up when the profile ends.
    pub fn refuse_profiled_code(&self, base: usize, bytes: usize) -> Outcome<()> {
        let Some(space) = &self.running else { return Ok(()) };
        let makers = &self.makers;
        let inside = |address: usize| address.wrapping_sub(base) < bytes;
        let of_runs = space
            .runs
            .iter()
            .flat_map(|run| [run.wish.manner_of.map(|f| f as usize), run.wish.walk.map(|f| f as usize)]);
        let of_all = [space.columns.column_of.map(|f| f as usize), self.name_of.map(|f| f as usize)];
        if of_runs.chain(of_all).flatten().any(inside) {
            return Err(Failure::state(format_args!(
                "a function of a space profile that runs lies in the module"
            )));
        }
        match (1..makers.count() as u32).map(|n| makers.get(n)).find(|m| inside(m.site) || inside(m.function))
        {
            None => Ok(()),
            Some(_) => Err(Failure::state(format_args!(
                "a space profile that runs has met functions of the module, and needs their names when it ends"
            ))),
        }
    }
}
