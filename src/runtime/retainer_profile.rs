//! A profile by retainers as it runs: its part of a heap profile's samples, and the `.prof` file beside it.

use super::collect::ExtraRoots;
use super::heap::Runtime;
use super::profile::{Profile, say};
use super::retainers::{Filter, Retainers};
use crate::base::cost_flags::CostReport;
use crate::base::profile_flags::ProfileFlags;
use crate::base::{List, Outcome, Sentence};
use crate::census::restrict::Restrictions;
use crate::heap::Mutator;
use crate::heap::root::Visitor;
use crate::identity::names;
use crate::os::clock;
use crate::os::file::Name;
use crate::os::growing::Growing;

/// What a break-down by retainers needs besides.
pub struct ByRetainer {
    /// `PROGRAM.prof`: the censuses, and at the end the members of the sets.
    file: Growing,
    filter: Option<Filter>,
}

impl ByRetainer {
    pub fn has_met(&self, letter: char, name: names::Name) -> bool {
        self.filter.as_ref().is_some_and(|filter| filter.has_met(letter, name))
    }
}

impl Runtime {
    /// The sets of this profile begin with number 2, and its `.prof` file is there.
    pub fn start_retainers(
        &mut self,
        wish: &ProfileFlags,
        stem: &[u8],
        by_producer: bool,
    ) -> Outcome<ByRetainer> {
        let scheme = self.retainers.scheme;
        self.retainers = Retainers { scheme, most: wish.most_retainers, ..Retainers::default() };
        let restrictions = Restrictions::read(wish.restrictions.as_str(), by_producer)?;
        let filter = if restrictions.is_empty() { None } else { Some(Filter::new(restrictions)?) };
        let mut name = List::new();
        name.append(stem)?;
        if self.profiles_started > 1 {
            name.append(Sentence::new(format_args!(".{}", self.profiles_started)).as_str().as_bytes())?;
        }
        // A report of costs has PROGRAM.prof for itself.
        let is_taken = self.flags.cost.report != CostReport::Nothing;
        name.append(if is_taken { b".hr.prof" } else { b".prof" })?;
        Ok(ByRetainer { file: Growing::create(Name::new(&name)?)?, filter })
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
        self.busy = true;
        let mut by = self.profile.as_mut().and_then(|profile| profile.by_retainer.take());
        let outcome = match &mut by {
            Some(by) => self.find_retainers(mutator, &mut get_roots, by.filter.as_ref()).and_then(|_| {
                let mut text = List::new();
                self.retainers.write_census(&mut text, self.census.began_ns as f64 / 1e9)?;
                by.file.append(&text)
            }),
            None => Ok(()),
        };
        self.busy = false;
        if let Some(profile) = &mut self.profile {
            profile.by_retainer = by;
        }
        if let Err(failure) = outcome {
            // [runtime.profile-ends]
            self.end_profile();
            say(&Sentence::new(format_args!("the heap profile stops: {}", failure.sentence)));
        }
        self.stats.profile_wall += clock::wall().since(wall);
        self.stats.profile_cpu += clock::cpu().since(cpu);
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
