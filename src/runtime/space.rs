//! Per-function space: begun, suspended, resumed and ended round any part of a run, and fed meanwhile.
//!
//! While it counts, `hp_lim` is zero, so that every allocation comes to the slow path with its return address. Each new
//! object gets its number in the side table of producers, and the collector tells what becomes of it. When kinds are
//! wanted, new objects are looked at before each collection, when all of them are whole [prof.space.walk].

use super::collect::Reason;
use super::heap::Runtime;
use super::space_walk::{self, stamp_part};
use crate::base::size::LARGE_OBJECT_WORDS;
use crate::base::{Addr, Failure, Outcome, Status, list::try_box};
use crate::heap::Mutator;
use crate::heap::side::{self, Table};
use crate::identity::maker::Makers;
use crate::os::clock;
use crate::prof::space::kinds::ColumnOf;
use crate::prof::space::result::{NameOf, Results};
use crate::prof::space::time::{Clock, Phase};
use crate::prof::space::{Space, Wish, manner};
use std::sync::atomic::{AtomicU32, Ordering};

/// What the client asks for when a profile begins.
#[derive(Clone, Copy)]
pub struct SpaceOptions {
    pub wish: Wish,
    pub column_of: Option<ColumnOf>,
    pub name_of: Option<NameOf>,
}

/// The profiler of a heap, while a profile runs, and what the last one that ended has found.
#[derive(Default)]
pub struct SpaceProfiler {
    pub space: Option<Box<Space>>,
    pub makers: Makers,
    /// Profiles so far; their numbers are never used again.
    begun: u32,
    name_of: Option<NameOf>,
    pub results: Option<Box<Results>>,
}

impl Runtime {
    /// Begins a profile, inside those that run. Gives its number, by which it is ended.
    pub fn begin_space(&mut self, mutator: *mut Mutator, options: SpaceOptions) -> Outcome<u32> {
        self.refuse_while_busy()?;
        let wish = options.wish;
        let by_kind = wish.manner & manner::MANNER_KINDS != 0 || wish.manner_of.is_some();
        let walks = self.profiler.space.as_ref().is_some_and(|space| space.walks);
        if by_kind && !walks {
            // What compiled code has left in the nursery cannot be walked; afterwards everything can.
            self.collect_for(mutator, Reason::Minor)?;
        }
        // SAFETY: the mutator is live, and only its own thread calls this.
        self.close_space_region(unsafe { &mut *mutator });
        let is_first = self.profiler.space.is_none();
        if is_first {
            let makers = Makers::new()?;
            let generations = self.store.generation_count;
            let mut space = try_box(Space::new(generations, self.busy.mark())?)?;
            space.columns.column_of = options.column_of;
            space.columns.client = Some(wish.client);
            let begun = self.profiler.begun;
            self.profiler = SpaceProfiler { space: Some(space), makers, begun, ..SpaceProfiler::default() };
        }
        if let Err(failure) = self.stamp_for_space(&wish) {
            if is_first {
                self.drop_space();
            }
            return Err(failure);
        }
        self.profiler.name_of = options.name_of.or(self.profiler.name_of);
        let collections = self.stats.collections;
        let SpaceProfiler { space, makers, begun: number, .. } = &mut self.profiler;
        *number += 1;
        let number = *number;
        let begun = match space {
            Some(space) => space.begin(number, wish, collections, makers),
            None => Err(no_profile()),
        };
        if begun.is_err() && is_first {
            self.drop_space();
        }
        self.show_space();
        begun?;
        let counted = self.refuse_small_limit(wish.limit_bytes).and_then(|()| self.count_calls());
        if let Err(failure) = counted {
            self.leave_space(number);
            return Err(failure);
        }
        if wish.tick_ns != 0 && self.profiler.space.as_ref().is_some_and(|space| space.clock.is_none()) {
            let clock = Clock::start(wish.tick_ns, wish.walk.is_some(), mutator);
            match clock {
                Ok(clock) => {
                    if let Some(space) = &mut self.profiler.space {
                        (space.clock, space.clock_run) = (Some(clock), number);
                    }
                }
                Err(failure) => {
                    self.leave_space(number);
                    return Err(failure);
                }
            }
        }
        Ok(number)
    }

    /// What the profiler holds before it has met a function is the least that the limit may be.
    fn refuse_small_limit(&self, limit: usize) -> Outcome<()> {
        let held = self.profiler.space.as_ref().map_or(0, |space| space.held_bytes());
        if held <= limit {
            return Ok(());
        }
        Err(Failure::argument(format_args!(
            "limit_bytes is {limit}, and must be at least {held}: so much the space profiler holds before it has met \
             a function of this profile"
        )))
    }

    /// Objects get their numbers from now on, when a profile wants that.
    fn stamp_for_space(&mut self, wish: &Wish) -> Outcome<()> {
        let Some(space) = self.profiler.space.as_mut().filter(|space| !space.stamps && wish.stamps()) else {
            return Ok(());
        };
        if self.store.side_table_is_on(Table::Producer) {
            return Err(Failure::state(format_args!(
                "a heap profile of who made what notes that where a space profile has its numbers: end the heap profile first \
                 (barrow_profile_stop), or begin this one for time and calls only"
            )));
        }
        self.store.turn_side_table_on(Table::Producer)?;
        space.stamps = true;
        Ok(())
    }

    /// Stops counting for all profiles, until it is resumed as often.
    pub fn suspend_space(&mut self, mutator: *mut Mutator) -> Outcome<()> {
        self.refuse_while_busy()?;
        // SAFETY: the mutator is live, and only its own thread calls this.
        self.close_space_region(unsafe { &mut *mutator });
        self.profiler.space.as_mut().ok_or_else(no_profile)?.suspended += 1;
        self.stop_calls()?;
        self.show_space();
        Ok(())
    }

    pub fn resume_space(&mut self) -> Outcome<()> {
        self.refuse_while_busy()?;
        let space = self.profiler.space.as_mut().ok_or_else(no_profile)?;
        let Some(suspended) = space.suspended.checked_sub(1) else {
            return Err(Failure::state(format_args!("the space profiler is not suspended")));
        };
        space.suspended = suspended;
        self.show_space();
        self.go_on_with_calls();
        Ok(())
    }

    /// Ends the innermost profile; its results are kept until another one begins or ends.
    pub fn end_space(&mut self, mutator: *mut Mutator, run: u32) -> Outcome<()> {
        self.refuse_while_busy()?;
        let innermost = self.profiler.space.as_ref().and_then(|space| space.runs.last()).map(|run| run.id);
        let Some(innermost) = innermost else { return Err(no_profile()) };
        if run != innermost {
            return Err(Failure::state(format_args!(
                "profile {run} is not the innermost one, which is {innermost}: what began inside has to end first"
            )));
        }
        // SAFETY: the mutator is live, and only its own thread calls this.
        self.before_collection_for_space(unsafe { &mut *mutator });
        let SpaceProfiler { space, makers, .. } = &mut self.profiler;
        if let Some(space) = space {
            space.settle_lately();
            space.take_ticks(makers);
        }
        let gathered = self.stop_calls().and_then(|()| self.gather_space(run));
        self.leave_space(run);
        self.go_on_with_calls();
        self.profiler.results = Some(try_box(gathered?)?);
        Ok(())
    }

    /// Calls are counted again after an interruption. Where there is no room for that, what ended or was resumed has done so all
    /// the same: calls are left out from now on, and results are not complete.
    fn go_on_with_calls(&mut self) {
        let went_on = self.count_calls();
        if let Some(space) = &mut self.profiler.space {
            space.short_of_memory |= went_on.is_err();
        }
    }

    /// Calls are counted from now on, unless the profiler is suspended.
    fn count_calls(&mut self) -> Outcome<()> {
        let Some(space) = self.profiler.space.as_deref_mut().filter(|space| space.suspended == 0) else {
            return Ok(());
        };
        for index in 0..space.runs.len() {
            let room = space.room();
            if space.runs[index].wish.counts_calls() && !space.calls[index].is_counting() {
                space.calls[index].go(&self.ticky, room)?;
            }
        }
        space.has_grown();
        Ok(())
    }

    fn stop_calls(&mut self) -> Outcome<()> {
        let Some(space) = self.profiler.space.as_deref_mut() else { return Ok(()) };
        for index in 0..space.calls.len() {
            let room = space.room();
            let calls = &mut space.calls[index];
            calls.stop(&self.ticky, room)?;
            space.short_of_memory |= calls.is_short;
        }
        space.has_grown();
        Ok(())
    }

    /// The innermost profile is over.
    fn leave_space(&mut self, run: u32) {
        let mut is_last = true;
        if let Some(space) = &mut self.profiler.space {
            space.runs.pop();
            space.calls.pop();
            space.forget_seen();
            if space.clock_run == run {
                space.clock = None;
            }
            is_last = space.runs.is_empty();
        }
        if is_last {
            self.drop_space();
        }
        self.show_space();
    }

    /// The clock has ticked: the client says what is on its stack.
    pub fn walk_for_space(&mut self, mutator: *mut Mutator) {
        let before = self.time_for_space(Phase::Profiler);
        let SpaceProfiler { space, makers, .. } = &mut self.profiler;
        if let Some(space) = space {
            // SAFETY: the mutator is live, and only its own thread calls this. Callbacks must not allocate.
            unsafe { (*mutator).counting.stop() };
            space.walk(mutator, makers);
        }
        self.time_for_space(before);
    }

    /// Says whose time it is now, while time is sampled. Gives what it was.
    pub fn time_for_space(&mut self, phase: Phase) -> Phase {
        match self.profiler.space.as_ref().and_then(|space| space.clock.as_ref()) {
            Some(clock) => clock.enter(phase),
            None => Phase::Program,
        }
    }

    /// Time is that of this mutator from now on; nobody's when it is null.
    pub fn watch_for_space(&mut self, mutator: *mut Mutator) {
        if let Some(clock) = self.profiler.space.as_ref().and_then(|space| space.clock.as_ref()) {
            clock.watch(mutator);
        }
    }

    fn gather_space(&self, run: u32) -> Outcome<Results> {
        let SpaceProfiler { space, makers, name_of, .. } = &self.profiler;
        let space = space.as_ref().ok_or_else(no_profile)?;
        let begun = space.runs.last().ok_or_else(no_profile)?;
        let mut results = Results::gather(space, makers, run, *name_of, begun.wish.client)?;
        results.collections = self.stats.collections - begun.collections_before;
        results.side_bytes = self.store.side_table_bytes() as u64;
        Ok(results)
    }

    /// Everything that the profiler holds goes at once.
    fn drop_space(&mut self) {
        let stamps = self.profiler.space.as_ref().is_some_and(|space| space.stamps);
        self.profiler = SpaceProfiler { begun: self.profiler.begun, ..SpaceProfiler::default() };
        if stamps {
            self.store.turn_side_table_off(Table::Producer);
        }
    }

    /// The counts so far are another process's.
    pub fn end_space_quietly(&mut self) {
        if self.profiler.space.is_some() {
            self.drop_space();
            self.show_space();
        }
    }

    /// What lives now, by function, becomes a point of the profiles that run.
    pub fn take_space_point(&mut self, mutator: *mut Mutator) -> Outcome<()> {
        self.refuse_while_busy()?;
        if self.profiler.space.is_none() {
            return Err(no_profile());
        }
        self.collect_for(mutator, Reason::Major)?;
        let (seconds, collection) = (self.mutator_seconds(), self.stats.collections);
        let space = self.profiler.space.as_mut().ok_or_else(no_profile)?;
        space.keep_point(seconds, collection)
    }

    /// The results of the profile that ended last.
    pub fn space_results(&self) -> Outcome<&Results> {
        self.profiler.results.as_deref().ok_or_else(|| {
            Failure::state(format_args!("no space profile has ended whose results are still there"))
        })
    }

    pub fn forget_space_results(&mut self) {
        self.profiler.results = None;
    }

    pub fn counts_space(&self) -> bool {
        self.profiler.space.as_ref().is_some_and(|space| space.counts())
    }

    /// Sends every mutator's allocations to the slow path while they count, and keeps memory such that it can be
    /// walked while kinds do.
    fn show_space(&mut self) {
        let walks = self.profiler.space.as_ref().is_some_and(|space| space.walks);
        self.store.clears_slop = self.store.poisons || walks;
        self.show_slowness();
        for index in 0..self.mutators.len() {
            let mutator = &raw mut *self.mutators[index];
            // SAFETY: mutators live as long as they are listed, and this is the only user.
            self.show_tables(unsafe { &mut *mutator });
        }
    }

    /// Takes words from the allocation area and counts them, when there is room and nothing else to do.
    #[inline]
    pub fn counted(&mut self, mutator: *mut Mutator, words: usize, site: usize) -> Option<Addr> {
        if words == 0 || words > LARGE_OBJECT_WORDS {
            return None;
        }
        let words = self.store.rounded(words);
        let SpaceProfiler { space, makers, .. } = &mut self.profiler;
        let space = space.as_deref_mut()?;
        // SAFETY: the mutator is live, and only its own thread calls this.
        let m = unsafe { &mut *mutator };
        let at = m.hp();
        let end = at.plus_words(words);
        // SAFETY: other threads access the field atomically.
        let poll = unsafe { AtomicU32::from_ptr(&raw mut m.window.poll) }.load(Ordering::Relaxed);
        if !space.counts()
            || poll != 0
            || words > LARGE_OBJECT_WORDS
            || end > m.edge()
            || self.flags.stress_every != 0
            || space.has_region()
        {
            return None;
        }
        m.window.hp = end.as_ptr();
        count(space, makers, m, at, words, site);
        m.count_shortly();
        // SAFETY: the area lies in one megablock. The profiler keeps the table until it ends, which shows limits anew, and
        // looks at it only after it has stopped the short way.
        unsafe { m.counting.go(at, m.edge(), &space.lately, self.store.model.round) };
        Some(at)
    }

    /// An object was taken from the allocation area by the long way.
    pub fn count_taken(&mut self, m: &mut Mutator, at: Addr, words: usize, site: usize) {
        let SpaceProfiler { space, makers, .. } = &mut self.profiler;
        if let Some(space) = space.as_deref_mut().filter(|space| space.counts()) {
            count(space, makers, m, at, words, site);
        }
    }

    /// An object was made by a call, which took so many words.
    pub fn count_called(&mut self, mutator: *mut Mutator, made: &Outcome<Addr>, words: u64, site: usize) {
        let SpaceProfiler { space, makers, .. } = &mut self.profiler;
        let (Some(space), Ok(at)) = (space.as_deref_mut().filter(|space| space.counts()), made) else {
            return;
        };
        // SAFETY: the mutator is live, and only its own thread calls this.
        let number = count(space, makers, unsafe { &mut *mutator }, *at, words as usize, site);
        if space.wants_kinds(number) {
            space.made_by_call(*at, number);
        }
    }

    /// Words from `hp` on were reserved. What is made of them is counted when the next call comes.
    pub fn open_space_region(&mut self, m: &mut Mutator, site: usize) {
        m.counting.stop();
        let SpaceProfiler { space, makers, .. } = &mut self.profiler;
        if let Some(space) = space.as_deref_mut().filter(|space| space.counts()) {
            let number = space.number(m.window.function as usize, site, makers, &mut m.counting);
            space.open_region(m.hp(), number);
        }
    }

    /// Counts what was made of reserved words; the next allocation goes the long way. Everything below `hp` is whole now.
    pub fn close_space_region(&mut self, m: &mut Mutator) {
        m.counting.stop();
        let Some(space) = self.profiler.space.as_deref_mut() else { return };
        if let Some((from, number)) = space.close_region() {
            // Sizes of a client's own kinds are asked for.
            self.busy.mark().during(|| stamp_part(&self.store, space, from, m.hp(), number));
        }
    }

    /// The client has filled words of the allocation area by itself, up to `hp`.
    pub fn stamp_filled(&mut self, m: &mut Mutator, from: Addr) {
        let SpaceProfiler { space, makers, .. } = &mut self.profiler;
        if let Some(space) = space.as_deref_mut().filter(|space| space.counts()) {
            let number = space.number(m.window.function as usize, 0, makers, &mut m.counting);
            self.busy.mark().during(|| stamp_part(&self.store, space, from, m.hp(), number));
        }
    }

    /// What was made since the last collection is whole, and still there.
    pub fn before_collection_for_space(&mut self, m: &mut Mutator) {
        if self.profiler.space.is_none() {
            return;
        }
        let begun = clock::cpu();
        let before = self.time_for_space(Phase::Profiler);
        self.close_space_region(m);
        self.store.close_nursery(m);
        let Some(space) = self.profiler.space.as_deref_mut() else { return };
        if space.walks {
            // Sizes of a client's own kinds, and columns, are asked for.
            self.busy.mark().during(|| space_walk::look_at_new(&self.store, space, m));
            space.has_grown();
        }
        space.own_ns += clock::cpu().since(begun).0;
        space.take_ticks(&mut self.profiler.makers);
        self.time_for_space(before);
    }

    pub fn after_collection_for_space(&mut self, oldest: usize, seconds: f64) {
        let before = self.time_for_space(Phase::Profiler);
        let Some(space) = self.profiler.space.as_deref_mut() else { return };
        let begun = clock::cpu();
        // Objects of a megablock without a table have lost their numbers.
        space.lost_tables |= self.store.blocks.megablocks.side.take_starved_of(Table::Producer);
        space.collected(oldest, seconds, self.stats.collections + 1);
        space.own_ns += clock::cpu().since(begun).0;
        self.time_for_space(before);
    }

    /// Names are asked for when a profile ends, so code that it has met must stay until then.
    pub fn refuse_profiled_code(&self, base: usize, bytes: usize) -> Outcome<()> {
        if self.profiler.space.is_none() {
            return Ok(());
        }
        let makers = &self.profiler.makers;
        let inside = |address: usize| address.wrapping_sub(base) < bytes;
        match (1..makers.count() as u32).map(|n| makers.get(n)).find(|m| inside(m.site) || inside(m.function))
        {
            None => Ok(()),
            Some(_) => Err(Failure::state(format_args!(
                "a space profile that runs has met functions of the module, and needs their names when it ends"
            ))),
        }
    }
}

fn no_profile() -> Failure {
    Failure::new(Status::State, format_args!("no space profile runs"))
}

#[inline]
fn count(
    space: &mut Space,
    makers: &mut Makers,
    m: &mut Mutator,
    at: Addr,
    words: usize,
    site: usize,
) -> u32 {
    let number = space.number(m.window.function as usize, site, makers, &mut m.counting);
    space.allocated(number, words, 1);
    if number != 0 {
        // SAFETY: the words at `at` were just given to the client, in a block of the heap.
        unsafe { side::set_number(Table::Producer, at, number) };
    }
    number
}
