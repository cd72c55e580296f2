//! A profile by retainers as it runs: its part of a heap profile's samples, and the `.prof` file beside it.

use crate::base::{List, Outcome};
use crate::identity::names;
use crate::os::growing::Growing;
use crate::profile::heap::restrict::Restrictions;
use crate::profile::retainer::SetId;
use crate::profile::retainer::scheme::{Filter, Retainers};
use crate::report::retainers::Census;

/// The part of a heap profile that only retainers need.
pub struct ByRetainer {
    /// `PROGRAM.prof`: the censuses, and at the end the members of the sets.
    pub(crate) file: Growing,
    /// Whether a report of costs without a name of its own would have this file.
    pub(crate) is_own_prof: bool,
    pub(crate) filter: Option<Filter>,
    pub(crate) chosen: Chosen,
    /// Whether the file waits for the end: when the heap profile's file shows phases of biographies, so does
    /// this one, and costs of sets are known only then.
    pub(crate) waits: bool,
    /// The figures of each census, kept until the end while `waits` is true.
    pub(crate) waiting: List<Census>,
}

impl ByRetainer {
    pub fn has_met(&self, letter: char, name: names::Name) -> bool {
        let met_by_sets =
            letter == 'r' && !self.chosen.restrictions.unmet().any(|unmet| unmet == (letter, name));
        met_by_sets
            || self.filter.as_ref().is_some_and(|filter| letter != 'r' && filter.has_met(letter, name))
    }

    /// Takes modules from producers, or from info tables. Called before the first census.
    pub fn take_modules_of_producers(&mut self, by_producer: bool) {
        if let Some(filter) = &self.filter {
            filter.take_modules_of_producers(by_producer);
        }
    }

    /// Whether some objects are in no set's cost.
    pub fn is_restricted(&self) -> bool {
        self.filter.is_some()
    }

    pub fn chosen(&mut self) -> &mut Chosen {
        &mut self.chosen
    }
}

/// The sets that restrictions on names of retainers allow. Each is asked for once, since sets never
/// change.
pub struct Chosen {
    pub(crate) restrictions: Restrictions,
    /// The verdicts, by number of the set; none before it is asked for.
    pub(crate) verdicts: List<Option<bool>>,
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
