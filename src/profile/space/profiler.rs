//! The space profiler of a heap: the running profiles, and the results of the last one.
//!
//! While a profile counts, `hp_lim` is zero, so that every allocation comes to the slow path with its return
//! address. Each new object gets its maker's number in the side table of producers, and the collector tells
//! what becomes of the object. When kinds are wanted, new objects are looked at before each collection, when
//! all of them are whole [profile.space.walk].

use crate::base::{Addr, Failure, Status};
use crate::gc::Plan;
use crate::heap::Mutator;
use crate::heap::space::side::{self, Table};
use crate::identity::maker::Makers;
use crate::os::clock;
use crate::profile::observer::Parts;
use crate::profile::profiler::{Collected, Profiler};
use crate::profile::space::kinds::ColumnOf;
use crate::profile::space::ledger::{Space, Wish};
use crate::profile::space::result::{NameOf, Results};
use crate::profile::space::time::Phase;
use crate::runtime::Runtime;

/// The client's choices when a profile begins.
#[derive(Clone, Copy)]
pub(crate) struct SpaceOptions {
    pub wish: Wish,
    pub column_of: Option<ColumnOf>,
    pub name_of: Option<NameOf>,
}

/// The profiler of a heap: its state while a profile runs, and the results of the last profile that
/// ended.
#[derive(Default)]
pub struct SpaceProfiler {
    /// The profiles that run, one inside the other.
    pub running: Option<Box<Space>>,
    pub makers: Makers,
    /// Number of profiles so far; their numbers are never used again.
    pub(crate) begun: u32,
    pub(crate) name_of: Option<NameOf>,
    pub results: Option<Box<Results>>,
}

pub(crate) fn no_profile() -> Failure {
    Failure::new(Status::State, format_args!("no space profile runs"))
}

#[inline]
pub(crate) fn count(
    space: &mut Space,
    makers: &mut Makers,
    m: &mut Mutator,
    at: Addr,
    words: usize,
    site: usize,
) -> u32 {
    let number = space.number(m, site, makers);
    space.allocated(number, words, 1);
    if number != 0 {
        // SAFETY: the words at `at` were just given to the client, in a block of the heap.
        unsafe { side::set_number(Table::Producer, at, number) };
    }
    number
}

impl Profiler for SpaceProfiler {
    fn before(&mut self, rt: &mut Runtime, m: &mut Mutator, _plan: &Plan) {
        self.take_in(rt, m);
    }

    fn part<'a>(&'a mut self, parts: &mut Parts<'a>, _major: bool) {
        // A profile that stamps nothing would take the numbers of another profile for its own.
        parts.space = self.running.as_deref_mut().filter(|space| space.stamps);
    }

    fn after(&mut self, rt: &mut Runtime, collected: &Collected) {
        let before = self.time_is(Phase::Profiler);
        let Some(space) = self.running.as_deref_mut() else { return };
        let begun = clock::cpu();
        // Objects of a megablock without a table have lost their numbers.
        space.lost_tables |= rt.store.blocks.megablocks.side.take_starved_of(Table::Producer);
        space.collected(collected.oldest, rt.stats.collections + 1);
        space.worked(begun);
        self.time_is(before);
    }

    /// The child of a fork drops everything: the counts are the parent's.
    fn child(&mut self, rt: &mut Runtime) {
        self.drop_all(rt);
        self.show(rt);
        self.results = None;
    }
}
