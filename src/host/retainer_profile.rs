//! A profile by retainers as it runs: its part of a heap profile's samples, and the `.prof` file beside it.

use crate::base::flag::ProfileFlags;
use crate::base::{List, Outcome};
use crate::heap::Mutator;
use crate::heap::root::frame::Visitor;
use crate::heap::space::side::{self, Table};
use crate::host::Host;
use crate::identity::names::{Name as NameNumber, names};
use crate::os::apart;
use crate::os::clock;
use crate::os::file::Name;
use crate::os::growing::Growing;
use crate::profile::biography::files::Wish;
use crate::profile::biography::profiler::Lives;
use crate::profile::biography::shown::{Sample, Shown};
use crate::profile::cost::profiler::Prof;
use crate::profile::heap::profile::Profile;
use crate::profile::heap::profiler::HeapProfiler;
use crate::profile::heap::restrict::Restrictions;
use crate::profile::heap::walk::each_object;
use crate::profile::profilers::Profilers;
use crate::profile::retainer::SetId;
use crate::profile::retainer::figures::RetainerSet;
use crate::profile::retainer::files::set_of_band;
use crate::profile::retainer::profile::{ByRetainer, Chosen};
use crate::profile::retainer::scheme::{Filter, Retainers};
use crate::profile::retainer::walk::Pasts;
use crate::runtime::collect::ExtraRoots;

/// Bytes of all sets together.
fn bytes_of(shown: &Shown, sample: &Sample) -> u64 {
    shown.bands_of(sample).iter().fold(0, |sum, &(_, bytes)| sum.saturating_add(bytes))
}

impl Host {
    /// Begins the retainers of a profile: its sets are numbered from 2 on, and its `.prof` file is
    /// created.
    pub fn start_retainers(&mut self, wish: &ProfileFlags, stem: &[u8], run: u64) -> Outcome<ByRetainer> {
        let Retainers { scheme, mark, .. } = self.profilers.retainers;
        self.profilers.retainers = Retainers {
            scheme,
            most: wish.most_retainers,
            with_threads: wish.threads,
            ..Retainers::new(mark)
        };
        let restrictions = Restrictions::read(wish.restrictions.as_str(), false)?;
        let filter = if restrictions.is_empty() { None } else { Some(Filter::new(restrictions)?) };
        let chosen = Chosen {
            restrictions: Restrictions::read(wish.restrictions.as_str(), false)?,
            verdicts: List::new(),
        };
        let mut name = List::new();
        name.append(stem)?;
        name.append(apart::middle(run).as_str().as_bytes())?;
        // A report of costs already uses PROGRAM.prof.
        let is_taken = self.profilers.costs.prof == Prof::Costs;
        name.append(if is_taken { b".hr.prof" } else { b".prof" })?;
        let is_own_prof = !is_taken && run == self.files.number(stem)?;
        let waits = wish.break_downs().any(|letter| letter == 'r') && Wish::of(wish).phases('r').is_some();
        let file = Growing::create(Name::new(&name)?)?;
        Ok(ByRetainer { file, is_own_prof, filter, chosen, waits, waiting: List::new() })
    }

    /// Finds the retainers for the sample that is about to be recorded. A failure ends the profile.
    pub fn sample_retainers(&mut self, mutator: &mut Mutator, extra: &mut ExtraRoots<'_>) {
        let (wall, cpu) = (clock::wall(), clock::cpu());
        planted!(524, mutator.beside = std::ptr::null_mut());
        let mut get_roots = self.hooks.roots_of_stop(mutator, extra);
        self.busy.set(true);
        let mut by = self.profilers.heap.profile.as_mut().and_then(|profile| profile.by_retainer.take());
        let outcome = match &mut by {
            Some(by) => self.find_and_count(mutator, &mut get_roots, by),
            None => Ok(()),
        };
        self.busy.set(false);
        if let Some(profile) = &mut self.profilers.heap.profile {
            profile.by_retainer = by;
        }
        if let Err(failure) = outcome {
            // [runtime.profile-ends]
            self.profilers.stop_profile_for(&mut self.runtime, &failure);
        }
        let (wall, cpu) = (clock::wall().since(wall), clock::cpu().since(cpu));
        self.stats.profile_wall += wall;
        self.stats.profile_cpu += cpu;
        self.stats.retainer_wall += wall;
        self.stats.retainer_cpu += cpu;
    }

    /// Walks the heap, and takes the counts that need the sets.
    fn find_and_count(
        &mut self,
        mutator: &mut Mutator,
        get_roots: &mut dyn FnMut(&mut Visitor),
        by: &mut ByRetainer,
    ) -> Outcome<()> {
        let lives = self.profilers.lives.running.as_ref().is_some_and(|running| running.groups_by_set());
        // A biography that groups by set has its cells on all the time.
        let had_cells = self.store.side_table_is_on(Table::Cell);
        if !had_cells {
            self.store.turn_side_table_on(Table::Cell)?;
            self.store.populate_side_table(Table::Cell);
        }
        let outcome = self
            .find_retainers(mutator, get_roots, by.filter.as_ref(), lives)
            .and_then(|pasts| self.count_late(mutator, &pasts, &mut by.chosen, lives));
        if !had_cells {
            self.store.turn_side_table_off(Table::Cell);
        }
        outcome?;
        let census = self.profilers.retainers.census(self.profilers.heap.census.began_ns as f64 / 1e9);
        if by.waits {
            return by.waiting.push(census);
        }
        let mut text = List::new();
        self.profilers.retainers.write_census(&mut text, &census)?;
        by.file.append(&text)
    }

    /// Counts every object by its set, where a restriction or a biography wants it.
    fn count_late(
        &mut self,
        mutator: &mut Mutator,
        pasts: &Pasts,
        chosen: &mut Chosen,
        lives: bool,
    ) -> Outcome<()> {
        let Host { runtime, profilers, .. } = self;
        let Profilers {
            heap: HeapProfiler { census, .. },
            lives: Lives { running: biography, .. },
            retainers,
            ..
        } = profilers;
        let store = &mut runtime.store;
        let mut tally = census.tally().filter(|tally| tally.counts_late());
        let mut running = biography.as_deref_mut().filter(|_| lives);
        if tally.is_none() && running.is_none() {
            return Ok(());
        }
        each_object(store, mutator, &mut |_, object, words| {
            // SAFETY: a well-formed object of the heap lies there, and cells are on.
            unsafe {
                let (past, set) = pasts.of_cell(side::number(Table::Cell, object));
                if let Some(tally) = &mut tally
                    && chosen.allows(set, retainers)?
                {
                    tally.count_late(object, words);
                }
                if let Some(running) = &mut running {
                    side::set_number(Table::Cell, object, running.count_in_set(object, words, past, set));
                }
            }
            Ok(())
        })?;
        let seconds = census.began_ns as f64 / 1e9;
        let Some(running) = running else { return Ok(()) };
        running.end_census(seconds, &mut |set| {
            let set = SetId(set);
            Ok((chosen.allows(set, retainers)?, retainers.band_name(set)?))
        })?;
        self.profilers.lives.show_era(&mut self.runtime);
        Ok(())
    }

    /// The cost of a set at the last census, as the file of the profile shows it. With restrictions to
    /// phases, it is the one that would be known if everything died now.
    pub fn cost_of_set(&mut self, set: SetId) -> Outcome<u64> {
        let by_retainer =
            self.profilers.heap.profile.as_ref().and_then(|profile| profile.by_retainer.as_ref());
        if !by_retainer.is_some_and(|by| by.waits) {
            return Ok(self.profilers.retainers.sets.as_ref().map_or(0, |sets| sets.cost(set)));
        }
        let shown = self.profilers.shown_lives(&mut self.runtime, 'r', false)?;
        let Some(last) = shown.samples.last() else { return Ok(0) };
        let names = names();
        let own = |&&(name, _): &&(NameNumber, u64)| set_of_band(names.text(name)) == Some(set);
        Ok(shown.bands_of(last).iter().find(own).map_or(0, |&(_, bytes)| bytes))
    }

    /// The figures of a set of the last census.
    pub(crate) fn retainer_set(&mut self, number: u32) -> Outcome<RetainerSet> {
        self.profilers.retainers.known_sets(number)?;
        let set = SetId(number);
        let cost = self.cost_of_set(set)?;
        Ok(RetainerSet::of(self.profilers.retainers.sets()?, set, cost))
    }

    /// Ends the file of retainers: it gets the members of all sets that were in a sample, and the chains
    /// above the last retainers.
    pub fn end_retainers(&mut self, profile: &mut Profile) -> Outcome<()> {
        let Some(by) = &mut profile.by_retainer else { return Ok(()) };
        let mut text = List::new();
        if by.waits {
            let shown = self.profilers.lives.shown.files.iter().find(|shown| shown.letter == 'r');
            // Without these samples the profile is incomplete, which was reported.
            let Some(shown) = shown else { return Ok(()) };
            self.profilers.retainers.cost_as_shown(shown);
            for (census, sample) in by.waiting.iter_mut().zip(shown.samples.iter()) {
                census.cost = planted!(203, census.cost, bytes_of(shown, sample));
                self.profilers.retainers.write_census(&mut text, census)?;
            }
        }
        self.profilers.retainers.write_sets(&mut text, |piece| {
            by.file.append(piece)?;
            piece.clear();
            Ok(())
        })?;
        self.profilers.retainers.write_chains(&mut text)?;
        by.file.append(&text)
    }
}
