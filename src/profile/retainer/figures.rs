//! The sets of retainers of the last census, as the client asks for them by number.

use crate::base::{Failure, Outcome};
use crate::profile::profilers::Profilers;
use crate::profile::retainer::scheme::{RetainerScheme, Retainers};
use crate::profile::retainer::{Retainer, SetId, Sets};

/// One set of retainers.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct RetainerSet {
    /// In: `sizeof(barrow_retainer_set_t)`.
    pub size: u32,
    /// Retainers in the set; 0 for MANY, whose number is 1.
    pub members: u32,
    /// The cost of its objects at the last census. Where phases restrict the profile (`-hr -hbdrag`), the cost that
    /// its file shows: until the profile ends, as if everything died now.
    pub cost: u64,
    /// Objects of the set at that census, in whatever phase.
    pub objects: u64,
    /// 1 when something was ever charged to the set: such sets are listed in the `.prof` file.
    pub charged: u32,
    /// The sum of the members' hashes.
    pub hash: u32,
}

impl RetainerSet {
    pub(crate) fn of(sets: &Sets, set: SetId, cost: u64) -> RetainerSet {
        RetainerSet {
            size: size_of::<RetainerSet>() as u32,
            members: sets.members(set).len() as u32,
            cost,
            objects: sets.objects(set),
            charged: sets.was_charged(set) as u32,
            hash: sets.hash(set),
        }
    }
}

impl Retainers {
    pub(crate) fn sets(&self) -> Outcome<&Sets> {
        self.sets.as_ref().ok_or_else(|| {
            Failure::state(format_args!("there are no retainer sets: no census was taken with -hr in force"))
        })
    }

    /// The sets, among which there is one of this number.
    pub(crate) fn known_sets(&self, number: u32) -> Outcome<&Sets> {
        let sets = self.sets()?;
        if number == 0 || number as usize >= sets.count() {
            return Err(no_set(number, sets));
        }
        Ok(sets)
    }

    /// Member number `index` of a set.
    pub(crate) fn member(&self, set: u32, index: u32) -> Outcome<Retainer> {
        let members = self.known_sets(set)?.members(SetId(set));
        members.get(index as usize).copied().ok_or_else(|| {
            Failure::argument(format_args!(
                "retainer set {set} has {} members, and no number {index}",
                members.len()
            ))
        })
    }

    /// The set with one member more than the set of this number; 0 is the set without members.
    pub(crate) fn set_with(&mut self, number: u32, retainer: Retainer) -> Outcome<SetId> {
        let sets = self.make_sets()?;
        if number as usize >= sets.count() {
            return Err(no_set(number, sets));
        }
        let set = SetId(number);
        if set != SetId::NONE && sets.is_member(retainer, set) { Ok(set) } else { sets.add(retainer, set) }
    }
}

fn no_set(number: u32, sets: &Sets) -> Failure {
    Failure::argument(format_args!(
        "there is no retainer set {number}; numbers are 1 to {}",
        sets.count() - 1
    ))
}

impl Profilers {
    /// Refuses a scheme of so many bytes that cannot come into force now.
    pub(crate) fn refuse_scheme(&self, bytes: usize) -> Outcome<()> {
        let known = size_of::<RetainerScheme>();
        if bytes < known {
            return Err(Failure::argument(format_args!(
                "the scheme's size is {bytes}, and not sizeof(barrow_retainer_scheme), {known}"
            )));
        }
        if self.heap.wants_retainers() {
            return Err(Failure::state(format_args!(
                "a profile by retainers runs: its sets would mix two schemes; stop it first"
            )));
        }
        Ok(())
    }

    pub(crate) fn free_retainer_sets(&mut self) -> Outcome<()> {
        if self.heap.wants_retainers() {
            return Err(Failure::state(format_args!(
                "a profile by retainers runs, whose sets they are; stop it first"
            )));
        }
        self.retainers.sets = None;
        Ok(())
    }
}
