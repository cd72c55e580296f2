//! A profile by retainers as it runs: its part of a heap profile's samples, and the `.prof` file beside it.

use super::collect::ExtraRoots;
use super::heap::Runtime;
use super::profile::Profile;
use super::retainers::{Filter, Retainers};
use crate::base::cost_flags::CostReport;
use crate::base::profile_flags::ProfileFlags;
use crate::base::{List, Outcome, Sentence};
use crate::census::restrict::Restrictions;
use crate::census::retainer::SetId;
use crate::census::retainer::walk::Pasts;
use crate::census::walk::each_object;
use crate::heap::Mutator;
use crate::heap::root::Visitor;
use crate::heap::side::{self, Table};
use crate::identity::names;
use crate::os::clock;
use crate::os::file::Name;
use crate::os::growing::Growing;

/// What retainers in a profile need besides.
pub struct ByRetainer {
    /// `PROGRAM.prof`: the censuses, and at the end the members of the sets.
    file: Growing,
    filter: Option<Filter>,
    chosen: Chosen,
}

impl ByRetainer {
    pub fn has_met(&self, letter: char, name: names::Name) -> bool {
        let met_by_sets =
            letter == 'r' && !self.chosen.restrictions.unmet().any(|unmet| unmet == (letter, name));
        met_by_sets
            || self.filter.as_ref().is_some_and(|filter| letter != 'r' && filter.has_met(letter, name))
    }

    /// Modules are those of producers, or of info tables. Before the first census.
    pub fn take_modules_of_producers(&mut self, by_producer: bool) {
        if let Some(filter) = &self.filter {
            filter.take_modules_of_producers(by_producer);
        }
    }

    /// Some objects are in no set's cost.
    pub fn is_restricted(&self) -> bool {
        self.filter.is_some()
    }

    pub fn chosen(&mut self) -> &mut Chosen {
        &mut self.chosen
    }
}

/// The sets that restrictions on names of retainers allow, each asked once: sets never change.
pub struct Chosen {
    restrictions: Restrictions,
    /// By number of the set.
    verdicts: List<Option<bool>>,
}

impl Chosen {
    pub fn allows(&mut self, set: SetId, retainers: &Retainers) -> Outcome<bool> {
        if !self.restrictions.ask_for_retainers() {
            return Ok(true);
        }
        if let Some(&Some(known)) = self.verdicts.get(set.0 as usize) {
            return Ok(known);
        }
        let allows = self.restrictions.allow_set(|wanted| retainers.has_member(set, wanted));
        self.verdicts.fill(set.0 as usize + 1, None)?;
        self.verdicts[set.0 as usize] = Some(allows);
        Ok(allows)
    }
}

impl Runtime {
    /// The sets of this profile begin with number 2, and its `.prof` file is there.
    pub fn start_retainers(&mut self, wish: &ProfileFlags, stem: &[u8]) -> Outcome<ByRetainer> {
        let Retainers { scheme, mark, .. } = self.retainers;
        self.retainers = Retainers { scheme, most: wish.most_retainers, ..Retainers::new(mark) };
        let restrictions = Restrictions::read(wish.restrictions.as_str(), false)?;
        let filter = if restrictions.is_empty() { None } else { Some(Filter::new(restrictions)?) };
        let chosen = Chosen {
            restrictions: Restrictions::read(wish.restrictions.as_str(), false)?,
            verdicts: List::new(),
        };
        let mut name = List::new();
        name.append(stem)?;
        if self.profiles_started > 1 {
            name.append(Sentence::new(format_args!(".{}", self.profiles_started)).as_str().as_bytes())?;
        }
        // A report of costs has PROGRAM.prof for itself.
        let is_taken = self.flags.cost.report != CostReport::Nothing;
        name.append(if is_taken { b".hr.prof" } else { b".prof" })?;
        Ok(ByRetainer { file: Growing::create(Name::new(&name)?)?, filter, chosen })
    }

    /// Finds the retainers for the sample that is about to be recorded. What goes wrong ends the profile.
    pub fn sample_retainers(&mut self, mutator: &mut Mutator, extra: &mut ExtraRoots<'_>) {
        let (wall, cpu) = (clock::wall(), clock::cpu());
        let hooks = self.hooks;
        let mut get_roots = |visitor: &mut Visitor| {
            if let Some(roots) = hooks.roots {
                // SAFETY: the client's callback takes its own pointer and a visitor, which lives during the call.
                unsafe { roots(hooks.client.0, &raw mut *visitor) };
            }
            if let Some(extra) = extra.as_mut() {
                extra(visitor);
            }
        };
        self.busy.set(true);
        let mut by = self.profile.as_mut().and_then(|profile| profile.by_retainer.take());
        let outcome = match &mut by {
            Some(by) => self.find_and_count(mutator, &mut get_roots, by),
            None => Ok(()),
        };
        self.busy.set(false);
        if let Some(profile) = &mut self.profile {
            profile.by_retainer = by;
        }
        if let Err(failure) = outcome {
            // [runtime.profile-ends]
            self.end_profile();
            self.abandon_with("the heap profile stops", &failure);
        }
        let (wall, cpu) = (clock::wall().since(wall), clock::cpu().since(cpu));
        self.stats.profile_wall += wall;
        self.stats.profile_cpu += cpu;
        self.stats.retainer_wall += wall;
        self.stats.retainer_cpu += cpu;
    }

    /// The walk, and what can only be counted when the sets are known.
    fn find_and_count(
        &mut self,
        mutator: &mut Mutator,
        get_roots: &mut dyn FnMut(&mut Visitor),
        by: &mut ByRetainer,
    ) -> Outcome<()> {
        let lives = self.biography.as_ref().is_some_and(|running| running.groups_by_set());
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
        let mut text = List::new();
        self.retainers.write_census(&mut text, self.census.began_ns as f64 / 1e9)?;
        by.file.append(&text)
    }

    /// Counts every object by its set, where a restriction or a biography wants that.
    fn count_late(
        &mut self,
        mutator: &mut Mutator,
        pasts: &Pasts,
        chosen: &mut Chosen,
        lives: bool,
    ) -> Outcome<()> {
        let Runtime { store, census, biography, retainers, .. } = self;
        let mut tally = census.tally().filter(|tally| tally.counts_late());
        let mut running = biography.as_deref_mut().filter(|_| lives);
        if tally.is_none() && running.is_none() {
            return Ok(());
        }
        each_object(store, mutator, &mut |_, object, words| {
            // SAFETY: a well-formed object of the heap, whose cells are on.
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
        self.show_era();
        Ok(())
    }

    /// Whether the profile that runs wants retainers at each census.
    pub fn wants_retainers(&self) -> bool {
        self.profile.as_ref().is_some_and(|profile| profile.by_retainer.is_some())
    }

    /// The profile ends: the members of all sets that were in a sample, and who held the retainers at the last.
    pub fn end_retainers(&mut self, profile: &mut Profile) -> Outcome<()> {
        let Some(by) = &mut profile.by_retainer else { return Ok(()) };
        let mut text = List::new();
        self.retainers.write_sets(&mut text, |piece| {
            by.file.append(piece)?;
            piece.clear();
            Ok(())
        })?;
        self.retainers.write_chains(&mut text)?;
        by.file.append(&text)
    }
}
