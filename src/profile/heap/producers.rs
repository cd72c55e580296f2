//! Producers: the makers of live objects, noted while a profile asks for them.
//!
//! Objects that compiled code bumps are noted when their area is booked: when the stack changes, when the
//! allocation area does, and before a collection. So there is no work per object, and changes of the stack go
//! out of line (`watch::PRODUCERS`).

use crate::base::list::try_box;
use crate::base::size::LARGE_OBJECT_WORDS;
use crate::base::{Addr, Failure, Outcome};
use crate::heap::Mutator;
use crate::heap::mutator::booking::Sites;
use crate::heap::mutator::window::watch;
use crate::heap::space::side::Table;
use crate::identity::cost_centre::{self, SPECIAL_CENTRES};
use crate::profile::biography::profiler::Lives;
use crate::profile::heap::break_down::BreakDown;
use crate::profile::heap::profile::Profile;
use crate::profile::heap::profiler::HeapProfiler;
use crate::runtime::Runtime;
use crate::runtime::slow::each;
use std::sync::atomic::{AtomicU32, Ordering};

impl HeapProfiler {
    /// Begins to note producers, as far as the profile needs them or may turn out to. Objects that live
    /// already have none: "(before profiling)". `taken`: a space profile has its own numbers in the table of
    /// producers, or is to begin with the first mutator.
    pub fn note_producers(
        &mut self,
        rt: &mut Runtime,
        profile: &mut Profile,
        by_site: bool,
        taken: bool,
    ) -> Outcome<()> {
        let has_centres = cost_centre::count() > SPECIAL_CENTRES;
        if taken && (profile.needs_producers || (profile.is_open && has_centres)) {
            return Err(Failure::state(format_args!(
                "a space profile (--space) has its numbers in the table that this heap profile by maker (-h, -hc, -hm, -hr, -ha) needs: \
                 leave one out, end the space profile first (barrow_space_end), or take one by kind (-hT, -hd, -hy, -hi)"
            )));
        }
        if !taken && (profile.needs_producers || profile.is_open) {
            rt.store.turn_side_table_on(Table::Producer)?;
            profile.producers = true;
            self.notes_producers = true;
            for index in 0..rt.mutators.len() {
                let mutator = &raw mut *rt.mutators[index];
                self.note_producers_of(mutator);
            }
            let prepared = self.census.tally().map_or(Ok(()), |tally| tally.count_producers());
            if let Err(failure) = prepared.and_then(|()| if by_site { self.note_sites(rt) } else { Ok(()) }) {
                self.forget_producers(rt, profile, None);
                return Err(failure);
            }
        }
        if let Err(failure) = self.cross_restrictions(profile) {
            self.forget_producers(rt, profile, None);
            return Err(failure);
        }
        Ok(())
    }

    /// Gives the tally the restrictions that look at more than info tables, or may: they are asked for
    /// each object.
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

    /// Settles, before the first census of a profile, whether the program has cost centres. If it has,
    /// modules are those of producers, and `-h` alone is by producer; else modules are those of info tables,
    /// and `-h` is by kind.
    pub fn settle(&mut self, rt: &mut Runtime, lives: &mut Lives) {
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
            if planted!(181, true, !has_centres) && !profile.needs_producers {
                self.stop_noting(rt, &mut profile, Some(&mut *lives));
            }
            if let Some(running) = &mut lives.running {
                running.group_by_producers(profile.producers, has_centres, chosen);
            }
        }
        self.profile = Some(profile);
    }

    /// Lets a mutator note producers, if any are noted.
    pub(crate) fn note_producers_of(&self, mutator: *mut Mutator) {
        if self.notes_producers {
            // SAFETY: the mutator is live, and only its own thread calls this.
            let mutator = unsafe { &mut *mutator };
            mutator.book();
            mutator.watch(watch::PRODUCERS, true);
            mutator.window.side[Table::Producer as usize] = Table::Producer.header_offset();
        }
        if self.notes_sites {
            // A mutator for which there is no memory for places notes stacks alone.
            // SAFETY: as above.
            unsafe { (*mutator).sites = try_box(Sites::NONE).ok() };
        }
    }

    /// Stops noting producers for a profile that ends, and gives its restrictions back to it, with the
    /// names that they have met.
    pub fn forget_producers(&mut self, rt: &mut Runtime, profile: &mut Profile, lives: Option<&mut Lives>) {
        self.stop_noting(rt, profile, lives);
        self.census.modules_of_producers = false;
        if let Some(restrictions) = self.census.tally().and_then(|tally| tally.stop_crossing()) {
            profile.restrictions = restrictions;
            profile.is_crossed = false;
        }
    }

    fn stop_noting(&mut self, rt: &mut Runtime, profile: &mut Profile, lives: Option<&mut Lives>) {
        profile.producers = false;
        if !self.notes_producers {
            return;
        }
        // The biography finds the cell of a used object by its producer.
        if let Some(lives) = lives {
            lives.book_all_uses(rt);
        }
        self.notes_producers = false;
        for mutator in rt.mutators.iter_mut() {
            mutator.book();
            mutator.watch(watch::PRODUCERS, false);
            mutator.window.side[Table::Producer as usize] = 0;
            mutator.sites = None;
        }
        self.notes_sites = false;
        rt.watch_each_allocation(each::SITES, false);
        if let Some(tally) = self.census.tally() {
            tally.stop_producers();
        }
        rt.store.turn_side_table_off(Table::Producer);
    }

    /// Notes the producer of an object that a call has made.
    pub(crate) fn stamp_made(&self, mutator: *mut Mutator, made: &Outcome<Addr>, site: usize) {
        if let Ok(object) = made {
            // SAFETY: the mutator is live, and only its own thread calls this.
            let mutator = unsafe { &mut *mutator };
            mutator.allocates_at(site);
            mutator.stamp_producer_of(*object);
        }
    }

    /// Tells producers apart by the place in the code that allocates: every allocation comes to the slow
    /// path, which knows its return address.
    fn note_sites(&mut self, rt: &mut Runtime) -> Outcome<()> {
        for index in 0..rt.mutators.len() {
            rt.mutators[index].book();
            rt.mutators[index].sites = Some(try_box(Sites::NONE)?);
        }
        self.notes_sites = true;
        if let Some(tally) = self.census.tally() {
            tally.counts_sites = true;
        }
        rt.watch_each_allocation(each::SITES, true);
        Ok(())
    }

    /// Takes words from the allocation area while places are noted, when there is room and nothing else to
    /// do.
    #[inline]
    pub(crate) fn sited(
        &self,
        rt: &Runtime,
        mutator: *mut Mutator,
        words: usize,
        site: usize,
    ) -> Option<Addr> {
        if !self.notes_sites || words == 0 || words > LARGE_OBJECT_WORDS {
            return None;
        }
        let words = rt.store.rounded(words);
        // SAFETY: the mutator is live, and only its own thread calls this.
        let m = unsafe { &mut *mutator };
        let (at, end) = (m.hp(), m.hp().plus_words(words));
        // SAFETY: other threads access the field atomically.
        let poll = unsafe { AtomicU32::from_ptr(&raw mut m.window.poll) }.load(Ordering::Relaxed);
        if poll != 0 || words > LARGE_OBJECT_WORDS || end > m.edge() || rt.flags.stress_every != 0 {
            return None;
        }
        m.allocates_at(site);
        m.take_to(end);
        Some(at)
    }
}
