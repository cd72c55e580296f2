//! The profiler of heaps: the census, the profile that runs, and whether producers are noted for it.

use crate::profile::heap::census::Census;
use crate::profile::heap::profile::Profile;
use crate::profile::observer::Parts;
use crate::profile::profiler::{Collected, Owed, Profiler};
use crate::runtime::Runtime;

#[derive(Default)]
pub struct HeapProfiler {
    pub census: Census,
    /// The heap profile that runs.
    pub profile: Option<Profile>,
    /// Number of heap profiles so far.
    pub started: u64,
    /// Whether producers are noted, because a profile asks for them.
    pub notes_producers: bool,
    /// Whether producers are told apart by the place in the code that allocates, too.
    pub notes_sites: bool,
    /// Whether the collection that runs counts for a sample that would be due soon.
    pub joined: bool,
}

impl Profiler for HeapProfiler {
    fn due(&mut self, rt: &mut Runtime, words: usize) -> Owed {
        if self.profile.is_some() && self.sample_is_due(rt, words) { Owed::Census } else { Owed::Nothing }
    }

    fn part<'a>(&'a mut self, parts: &mut Parts<'a>, major: bool) {
        if major && self.counts() {
            parts.tally = self.census.counting();
        }
    }

    fn after(&mut self, rt: &mut Runtime, collected: &Collected) {
        if collected.counted {
            self.census.finish();
        } else {
            self.collected_without(rt);
        }
    }

    fn child(&mut self, rt: &mut Runtime) {
        if let Some(mut profile) = self.profile.take() {
            self.forget_producers(rt, &mut profile, None);
        }
    }
}
