//! Producers: who made each live object, noted while a profile asks for it.
//!
//! What compiled code bumps is noted whenever it is booked: when the stack changes, when the allocation area does, and
//! before a collection. So nothing is done per object, and changes of the stack go out of line (`watch::PRODUCERS`).

use super::heap::Runtime;
use super::profile::Profile;
use crate::base::list::try_box;
use crate::base::size::LARGE_OBJECT_WORDS;
use crate::base::{Addr, Failure, Outcome, Sentence};
use crate::census::bands::BreakDown;
use crate::heap::Mutator;
use crate::heap::booking::Sites;
use crate::heap::counted_entry;
use crate::heap::side::Table;
use crate::heap::window::watch;
use crate::identity::cost_centre::{self, SPECIAL_CENTRES};
use std::sync::atomic::{AtomicU32, Ordering};

impl Runtime {
    /// From now on producers are noted, as far as the profile needs them or may turn out to. What is there already has
    /// none: "(before profiling)".
    pub fn note_producers(&mut self, profile: &mut Profile, by_site: bool) -> Outcome<()> {
        let has_centres = cost_centre::count() > SPECIAL_CENTRES;
        let taken = self.profiler.space.as_ref().is_some_and(|space| space.stamps);
        if taken && (profile.needs_producers || (profile.is_open && has_centres)) {
            return Err(Failure::state(format_args!(
                "a space profile has its numbers where a heap profile notes who made what: end the space profile first \
                 (barrow_space_end), or take one by kind (-hT, -hd, -hy, -hi)"
            )));
        }
        if !taken && (profile.needs_producers || profile.is_open) {
            self.store.turn_side_table_on(Table::Producer)?;
            profile.producers = true;
            self.producers_are_noted = true;
            for index in 0..self.mutators.len() {
                let mutator = &raw mut *self.mutators[index];
                self.note_producers_of(mutator);
            }
            let prepared = self.census.tally().map_or(Ok(()), |tally| tally.count_producers());
            if let Err(failure) = prepared.and_then(|()| if by_site { self.note_sites() } else { Ok(()) }) {
                self.forget_producers(profile);
                return Err(failure);
            }
        }
        if let Err(failure) = self.cross_restrictions(profile) {
            self.forget_producers(profile);
            return Err(failure);
        }
        Ok(())
    }

    /// Restrictions that look at more than info tables, or may, have to be asked for each object.
    fn cross_restrictions(&mut self, profile: &mut Profile) -> Outcome<()> {
        if profile.restrictions.is_empty() || !(profile.producers || profile.restrictions.ask_for_retainers())
        {
            return Ok(());
        }
        let restrictions = std::mem::take(&mut profile.restrictions);
        if let Some(tally) = self.census.tally() {
            tally.cross(restrictions, profile.with_threads)?;
            profile.is_crossed = true;
        }
        Ok(())
    }

    /// Before the first census of a profile: now it can be seen whether the program has cost centres. When it has, modules
    /// are those of producers, and `-h` alone is by producer; else modules are those of info tables, and `-h` is by kind.
    pub fn settle_profile(&mut self) {
        let Some(mut profile) = self.profile.take() else { return };
        if std::mem::take(&mut profile.is_open) {
            let has_centres = profile.producers && cost_centre::count() > SPECIAL_CENTRES;
            let chosen = if has_centres { BreakDown::Producer } else { BreakDown::Kind };
            for output in profile.outputs.iter_mut().filter(|output| output.is_chosen()) {
                output.by = Some(chosen);
            }
            profile.module_of_producer = has_centres;
            self.census.modules_of_producers = has_centres;
            profile.restrictions.take_modules_of_producers(has_centres);
            if let Some(tally) = self.census.tally() {
                tally.take_modules_of_producers(has_centres);
            }
            if let Some(by) = &mut profile.by_retainer {
                by.take_modules_of_producers(has_centres);
            }
            if !has_centres && !profile.needs_producers {
                self.stop_noting(&mut profile);
            }
            if let Some(running) = &mut self.biography {
                running.group_by_producers(profile.producers, has_centres, chosen);
            }
        }
        self.profile = Some(profile);
    }

    /// A mutator notes producers, when they are noted at all.
    pub fn note_producers_of(&mut self, mutator: *mut Mutator) {
        if self.producers_are_noted {
            // SAFETY: the mutator is live, and only its own thread calls this.
            let mutator = unsafe { &mut *mutator };
            mutator.book();
            mutator.watch(watch::PRODUCERS, true);
            mutator.window.side[Table::Producer as usize] = Table::Producer.header_offset();
        }
        if self.sites_are_noted {
            // A mutator that comes without memory for places notes stacks alone.
            // SAFETY: as above.
            unsafe { (*mutator).sites = try_box(Sites::NONE).ok() };
        }
    }

    /// The profile ends. It has its restrictions back, with what they have met.
    pub fn forget_producers(&mut self, profile: &mut Profile) {
        self.stop_noting(profile);
        self.census.modules_of_producers = false;
        if let Some(restrictions) = self.census.tally().and_then(|tally| tally.stop_crossing()) {
            profile.restrictions = restrictions;
            profile.is_crossed = false;
        }
    }

    fn stop_noting(&mut self, profile: &mut Profile) {
        profile.producers = false;
        if !std::mem::take(&mut self.producers_are_noted) {
            return;
        }
        for mutator in self.mutators.iter_mut() {
            mutator.book();
            mutator.watch(watch::PRODUCERS, false);
            mutator.window.side[Table::Producer as usize] = 0;
            mutator.sites = None;
        }
        self.sites_are_noted = false;
        self.show_slowness();
        if let Some(tally) = self.census.tally() {
            tally.stop_producers();
        }
        self.store.turn_side_table_off(Table::Producer);
    }

    /// When there was no memory for the table of some megablock, what it had is lost: the profile ends.
    pub fn end_profile_without_tables(&mut self) {
        if self.producers_are_noted && self.store.blocks.megablocks.side.take_starved_of(Table::Producer) {
            self.end_profile();
            super::profile::say(&Sentence::new(format_args!(
                "the heap profile stops: no memory for the table of producers"
            )));
        }
    }

    /// Notes the producer of what a call has made.
    pub fn stamp_made(&self, mutator: *mut Mutator, made: &Outcome<Addr>, site: usize) {
        if let Ok(object) = made {
            // SAFETY: the mutator is live, and only its own thread calls this.
            let mutator = unsafe { &mut *mutator };
            mutator.allocates_at(site);
            mutator.stamp_producer_of(*object);
        }
    }

    /// From now on producers are told apart by the place in the code that allocates: every allocation comes to the
    /// slow path, which knows where it returns to.
    pub fn note_sites(&mut self) -> Outcome<()> {
        for index in 0..self.mutators.len() {
            self.mutators[index].book();
            self.mutators[index].sites = Some(try_box(Sites::NONE)?);
        }
        self.sites_are_noted = true;
        if let Some(tally) = self.census.tally() {
            tally.counts_sites = true;
        }
        self.show_slowness();
        Ok(())
    }

    /// Whether every allocation has to come to the slow path.
    pub fn always_slow(&self) -> bool {
        self.flags.stress_every != 0 || self.counts_space() || self.sites_are_noted
    }

    /// Where `barrow_try_alloc` goes then, if it has somewhere to go.
    pub fn counted_entry(&self) -> *const std::ffi::c_void {
        if self.counts_space() { counted_entry::address() } else { std::ptr::null() }
    }

    /// Sends the mutators' allocations to the slow path, or no more.
    pub fn show_slowness(&mut self) {
        let always_slow = self.always_slow();
        let counted = self.counted_entry();
        for mutator in self.mutators.iter_mut() {
            mutator.always_slow = always_slow;
            mutator.window.counted = counted;
            mutator.show_limit();
        }
    }

    /// Takes words from the allocation area while places are noted, when there is room and nothing else to do.
    #[inline]
    pub fn sited(&mut self, mutator: *mut Mutator, words: usize, site: usize) -> Option<Addr> {
        if !self.sites_are_noted || words == 0 || words > LARGE_OBJECT_WORDS {
            return None;
        }
        let words = self.store.rounded(words);
        // SAFETY: the mutator is live, and only its own thread calls this.
        let m = unsafe { &mut *mutator };
        let (at, end) = (m.hp(), m.hp().plus_words(words));
        // SAFETY: other threads access the field atomically.
        let poll = unsafe { AtomicU32::from_ptr(&raw mut m.window.poll) }.load(Ordering::Relaxed);
        if poll != 0 || words > LARGE_OBJECT_WORDS || end > m.edge() || self.flags.stress_every != 0 {
            return None;
        }
        m.allocates_at(site);
        m.window.hp = end.as_ptr();
        Some(at)
    }
}
