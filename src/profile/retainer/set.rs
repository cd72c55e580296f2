//! Sets of retainers, each kept once: equal sets have equal numbers.
//!
//! Numbers stay the same for the run; only costs begin anew at each census. A set is made by adding one
//! member to another set, and the step is remembered, so that the walk over the heap compares no members.

use crate::base::{List, Outcome};
use crate::heap::mutator::busy::Mark;
use crate::profile::retainer::edges::Pairs;
use std::ffi::c_void;

/// A retainer's identity: a kind of name, and a number of that kind.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Retainer(pub u32);

/// The kind of a retainer's name, with its number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Named {
    /// An info table's number: `identity::info`.
    Info(u32),
    /// A cost-centre stack's number.
    Stack(u32),
    /// A name's number: roots, as the client calls them.
    Root(u32),
    /// The client's own number.
    Client(u32),
}

const NUMBER_BITS: u32 = 30;

impl Retainer {
    pub const fn new(named: Named) -> Retainer {
        let (kind, number) = match named {
            Named::Info(number) => (0, number),
            Named::Stack(number) => (1, number),
            Named::Root(number) => (2, number),
            Named::Client(number) => (3, number),
        };
        Retainer(kind << NUMBER_BITS | (number & ((1 << NUMBER_BITS) - 1)))
    }

    pub const fn named(self) -> Named {
        let number = self.0 & ((1 << NUMBER_BITS) - 1);
        match self.0 >> NUMBER_BITS {
            0 => Named::Info(number),
            1 => Named::Stack(number),
            2 => Named::Root(number),
            _ => Named::Client(number),
        }
    }
}

/// The number of a set.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct SetId(pub u32);

impl SetId {
    /// No set: the object was not visited yet.
    pub const NONE: SetId = SetId(0);
    /// The set of more members than the limit.
    pub const MANY: SetId = SetId(1);
}

#[derive(Clone, Copy)]
pub(crate) struct Set {
    first: u32,
    length: u32,
    /// The sum of the members' hashes, the same for every order of them.
    hash: u32,
    /// The sum of costs in 128 bits, which cannot overflow: there are fewer than 2^64 objects.
    cost: u128,
    objects: u64,
    was_charged: bool,
}

const EMPTY: Set = Set { first: 0, length: 0, hash: 0, cost: 0, objects: 0, was_charged: false };

/// The client's hash for retainers of its own. Sets with the same sum of hashes are told apart by their
/// members.
#[derive(Clone, Copy)]
pub struct ClientHash {
    pub of: unsafe extern "C" fn(client: *mut c_void, number: u32) -> u32,
    pub client: *mut c_void,
    /// The mark of the heap, set while the client is asked.
    pub mark: Mark,
}

pub struct Sets {
    /// The sets, by number; the first two stand for none and MANY.
    sets: List<Set>,
    /// The members of all sets, ascending within each set.
    members: List<Retainer>,
    /// Numbers of sets: an open hash table.
    index: List<u32>,
    /// For a set and a retainer, the set with this one more member.
    larger: Pairs,
    /// Members of a set, at most; larger sets are MANY.
    most: usize,
    hash: Option<ClientHash>,
}

impl Sets {
    /// Makes a store of sets with at most `most` members; 0 for no limit.
    pub fn new(most: usize, hash: Option<ClientHash>) -> Outcome<Sets> {
        let mut sets = Sets {
            sets: List::new(),
            members: List::new(),
            index: List::new(),
            larger: Pairs::new(),
            most: if most == 0 { usize::MAX } else { most },
            hash,
        };
        sets.sets.append(&[EMPTY, EMPTY])?;
        Ok(sets)
    }

    /// Takes another hash of the client's, or the library's again, for the sets that are there too: the old one is not called any more.
    pub fn hash_by(&mut self, hash: Option<ClientHash>) {
        self.hash = hash;
        for number in 2..self.sets.len() {
            let members = self.members(SetId(number as u32)).iter();
            self.sets[number].hash = members.fold(0, |sum, &member| sum.wrapping_add(self.hash_of(member)));
        }
        self.fill_index();
    }

    /// The number above all sets.
    pub fn count(&self) -> usize {
        self.sets.len()
    }

    /// Number of sets made since the beginning; MANY counts when it was charged.
    pub fn made(&self) -> usize {
        self.sets.len() - 2 + self.was_charged(SetId::MANY) as usize
    }

    pub fn members(&self, set: SetId) -> &[Retainer] {
        match self.sets.get(set.0 as usize) {
            Some(set) => &self.members[set.first as usize..(set.first + set.length) as usize],
            None => &[],
        }
    }

    pub fn cost(&self, set: SetId) -> u64 {
        self.sets.get(set.0 as usize).map_or(0, |set| shown(set.cost))
    }

    pub fn objects(&self, set: SetId) -> u64 {
        self.sets.get(set.0 as usize).map_or(0, |set| set.objects)
    }

    /// Whether objects were charged to the set at the end of some census.
    pub fn was_charged(&self, set: SetId) -> bool {
        self.sets.get(set.0 as usize).is_some_and(|set| set.was_charged)
    }

    /// All sets, MANY included.
    pub fn each(&self) -> impl Iterator<Item = SetId> {
        (1..self.sets.len() as u32).map(SetId)
    }

    /// All sets with their figures.
    pub(crate) fn copied(&self) -> Outcome<List<Set>> {
        let mut copied = List::new();
        copied.append(&self.sets)?;
        Ok(copied)
    }

    /// Gives sets the figures that they had when they were copied; later ones were in no census.
    pub(crate) fn restore(&mut self, copied: &[Set]) {
        self.show_nothing();
        self.refresh();
        for (set, &before) in self.sets.iter_mut().zip(copied) {
            *set = before;
        }
    }

    /// Sets all costs to zero, before a census.
    pub fn refresh(&mut self) {
        for set in self.sets.iter_mut() {
            (set.cost, set.objects) = (0, 0);
        }
    }

    /// Ends a census: sets with objects will be listed. Returns the sum of costs.
    pub fn settle(&mut self) -> u64 {
        let costs = self.sets.iter_mut().map(|set| {
            set.was_charged |= set.objects > 0;
            set.cost
        });
        shown(costs.sum())
    }

    /// Whether a retainer is in a set; every retainer is in MANY.
    #[inline]
    pub fn is_member(&self, retainer: Retainer, set: SetId) -> bool {
        set == SetId::MANY || self.members(set).binary_search(&retainer).is_ok()
    }

    /// Begins to replace the costs by those that a file shows: zero so far.
    pub fn show_nothing(&mut self) {
        for set in self.sets.iter_mut() {
            (set.cost, set.was_charged) = (0, false);
        }
    }

    /// Adds the bytes that the file shows of a set, in its last sample or in an earlier one.
    pub fn show(&mut self, set: SetId, bytes: u64, in_last: bool) {
        let Some(set) = self.sets.get_mut(set.0 as usize) else { return };
        set.was_charged |= bytes > 0;
        if in_last {
            set.cost = bytes as u128;
        }
    }

    /// Puts an object's cost into a set, and takes it out of the set that the object was in before.
    #[inline(always)]
    pub fn charge(&mut self, from: SetId, to: SetId, cost: u64, counts: bool) {
        if !counts {
            return;
        }
        if from != SetId::NONE {
            let set = &mut self.sets[from.0 as usize];
            (set.cost, set.objects) = (set.cost - cost as u128, set.objects - 1);
        }
        let set = &mut self.sets[to.0 as usize];
        (set.cost, set.objects) = (set.cost + cost as u128, set.objects + 1);
    }

    pub fn singleton(&mut self, retainer: Retainer) -> Outcome<SetId> {
        self.add(retainer, SetId::NONE)
    }

    /// The set with one more member, which must not be in it.
    #[inline]
    pub fn add(&mut self, retainer: Retainer, set: SetId) -> Outcome<SetId> {
        match self.larger.get(set.0, retainer.0) {
            0 => self.make(retainer, set),
            known => Ok(SetId(known)),
        }
    }

    #[cold]
    fn make(&mut self, retainer: Retainer, set: SetId) -> Outcome<SetId> {
        let old = self.sets[set.0 as usize];
        let larger = if set == SetId::MANY || old.length as usize >= self.most {
            SetId::MANY
        } else {
            self.find_or_make(retainer, old)?
        };
        self.larger.put(set.0, retainer.0, larger.0)?;
        Ok(larger)
    }

    fn find_or_make(&mut self, retainer: Retainer, old: Set) -> Outcome<SetId> {
        if self.index.len() < 2 * (self.sets.len() + 1) {
            self.grow_index()?;
        }
        // The new members are put at the end of the list: there they stay if the set is new.
        let first = self.members.len();
        self.members.reserve(old.length as usize + 1)?;
        let mut rest = Some(retainer);
        for i in old.first as usize..(old.first + old.length) as usize {
            let next = self.members[i];
            if let Some(new) = rest.take_if(|new| *new < next) {
                self.members.push(new)?;
            }
            self.members.push(next)?;
        }
        if let Some(new) = rest {
            self.members.push(new)?;
        }
        let hash = old.hash.wrapping_add(self.hash_of(retainer));
        let (place, found) = self.look_up(hash, first);
        if let Some(found) = found {
            self.members.truncate(first);
            return Ok(found);
        }
        let number = self.sets.len() as u32;
        let length = old.length + 1;
        if let Err(failure) = self.sets.push(Set { first: first as u32, length, hash, ..EMPTY }) {
            self.members.truncate(first);
            return Err(failure);
        }
        self.index[place] = number;
        Ok(SetId(number))
    }

    fn hash_of(&self, retainer: Retainer) -> u32 {
        match (retainer.named(), self.hash) {
            (Named::Client(number), Some(hash)) => {
                // SAFETY: the client's function takes its own pointer and a number of its own.
                hash.mark.during(|| unsafe { (hash.of)(hash.client, number) })
            }
            _ => mixed(retainer),
        }
    }

    /// The hash of a set: the sum of its members' hashes.
    pub fn hash(&self, set: SetId) -> u32 {
        self.sets.get(set.0 as usize).map_or(0, |set| set.hash)
    }

    /// The set whose members are those from `first` to the end of the list, or the index of the free
    /// entry for it.
    fn look_up(&self, hash: u32, first: usize) -> (usize, Option<SetId>) {
        let mask = self.index.len() - 1;
        let mut place = hash as usize & mask;
        loop {
            let number = self.index[place];
            if number == 0 {
                return (place, None);
            }
            if self.sets[number as usize].hash == hash
                && self.members(SetId(number)) == &self.members[first..]
            {
                return (place, Some(SetId(number)));
            }
            place = (place + 1) & mask;
        }
    }

    fn grow_index(&mut self) -> Outcome<()> {
        let mut larger: List<u32> = List::new();
        larger.fill((self.index.len() * 2).max(256), 0)?;
        self.index = larger;
        self.fill_index();
        Ok(())
    }

    fn fill_index(&mut self) {
        self.index.iter_mut().for_each(|place| *place = 0);
        let mask = self.index.len().wrapping_sub(1);
        for (number, set) in self.sets.iter().enumerate().skip(2) {
            let mut place = set.hash as usize & mask;
            while self.index[place] != 0 {
                place = (place + 1) & mask;
            }
            self.index[place] = number as u32;
        }
    }

    pub fn held_bytes(&self) -> usize {
        self.sets.held_bytes()
            + self.members.held_bytes()
            + self.index.held_bytes()
            + self.larger.held_bytes()
    }
}

/// A sum for a report: the greatest number of 64 bits stands for anything greater.
fn shown(cost: u128) -> u64 {
    u64::try_from(cost).unwrap_or(u64::MAX)
}

/// The library's hash of a retainer; sums of such hashes tell sets apart.
fn mixed(retainer: Retainer) -> u32 {
    let mut x = retainer.0 as u64 ^ 0x9e37_79b9;
    x = (x ^ (x >> 16)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    x = (x ^ (x >> 29)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    (x >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info(number: u32) -> Retainer {
        Retainer::new(Named::Info(number))
    }

    #[test]
    fn equal_sets_have_one_number() {
        let mut sets = Sets::new(3, None).unwrap();
        let a = sets.singleton(info(1)).unwrap();
        let b = sets.singleton(info(2)).unwrap();
        let ab = sets.add(info(2), a).unwrap();
        assert_eq!(ab, sets.add(info(1), b).unwrap());
        assert_eq!(a, sets.singleton(info(1)).unwrap());
        assert!(sets.is_member(info(1), ab) && !sets.is_member(info(3), ab));
        assert_eq!(sets.members(ab), [info(1), info(2)]);
        let abc = sets.add(info(3), ab).unwrap();
        assert_ne!(abc, SetId::MANY);
        assert_eq!(sets.add(info(4), abc).unwrap(), SetId::MANY);
        assert!(sets.is_member(info(77), SetId::MANY));
        assert_eq!(sets.made(), 4);
    }

    #[test]
    fn costs_move_between_sets() {
        let mut sets = Sets::new(8, None).unwrap();
        let a = sets.singleton(info(1)).unwrap();
        let ab = sets.add(info(2), a).unwrap();
        sets.charge(SetId::NONE, a, 24, true);
        sets.charge(SetId::NONE, a, 16, true);
        sets.charge(a, ab, 24, true);
        sets.charge(a, ab, 99, false);
        assert_eq!((sets.cost(a), sets.cost(ab), sets.objects(ab)), (16, 24, 1));
        assert_eq!(sets.settle(), 40);
        sets.refresh();
        assert_eq!((sets.cost(a), sets.was_charged(ab)), (0, true));
        // A client's costs may be any number.
        sets.charge(SetId::NONE, a, u64::MAX, true);
        sets.charge(SetId::NONE, a, 5, true);
        assert_eq!((sets.cost(a), sets.settle()), (u64::MAX, u64::MAX));
        sets.charge(a, ab, u64::MAX, true);
        assert_eq!((sets.cost(a), sets.cost(ab), sets.settle()), (5, u64::MAX, u64::MAX));
    }

    /// Compares random additions with sorted vectors.
    #[test]
    fn numbers_are_those_of_sorted_members() {
        let mut sets = Sets::new(5, None).unwrap();
        let mut known: std::collections::HashMap<Vec<u32>, SetId> = Default::default();
        let mut seed = 1u64;
        for _ in 0..20_000 {
            let (mut set, mut members) = (SetId::NONE, Vec::new());
            for _ in 0..5 {
                seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                let one = (seed >> 40) as u32 % 40;
                if !members.contains(&one) {
                    set = sets.add(info(one), set).unwrap();
                    members.push(one);
                    members.sort_unstable();
                    assert_eq!(*known.entry(members.clone()).or_insert(set), set);
                    assert_eq!(sets.members(set), members.iter().map(|&n| info(n)).collect::<Vec<_>>());
                }
            }
        }
        assert_eq!(sets.made(), known.len());
    }

    #[test]
    fn names_of_all_kinds_are_kept() {
        for named in [Named::Info(5), Named::Stack(1 << 29), Named::Root(0), Named::Client((1 << 30) - 1)] {
            assert_eq!(Retainer::new(named).named(), named);
        }
    }
}
