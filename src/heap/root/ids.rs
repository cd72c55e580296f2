//! Numbers for objects, by identity: a table that goes by address and is brought up to date when objects move.
//!
//! An entry dies with its object, and its number is never given again. Entries of objects that may be young are listed
//! apart, so that a minor collection looks at those alone. A collection needs no memory for the table.

use crate::base::{Addr, Failure, List, Outcome};

struct Entry {
    /// The object; null in a free entry, whose `number` is the next free one.
    object: Addr,
    /// The stable name of the object, while that is alive; or null.
    name: Addr,
    number: u64,
}

/// Added to the number of an entry that is in the list of young ones, free ones included.
const LISTED: u64 = 1 << 63;
/// Added to the number of an entry whose object lies outside of the heap. Where the heap has come there since, the entry has ended: nobody
/// is asked what the words at its address are.
const OUTSIDE: u64 = 1 << 62;
const NO_ENTRY: u64 = u64::MAX >> 2;

impl Entry {
    fn is_outside(&self) -> bool {
        planted!(679, false, self.number & OUTSIDE != 0)
    }
}

pub struct NameTable {
    /// Entries by address, in open addressing: 0 is free, else the number of an entry and 1.
    slots: List<u32>,
    entries: List<Entry>,
    free: u64,
    live: usize,
    given: u64,
    young: List<u32>,
}

/// The address of an object now, and whether another object stands for it.
pub(crate) type Found = Option<(Addr, bool)>;

impl NameTable {
    pub const fn new() -> NameTable {
        NameTable {
            slots: List::new(),
            entries: List::new(),
            free: NO_ENTRY,
            live: 0,
            given: 0,
            young: List::new(),
        }
    }

    pub fn held_bytes(&self) -> usize {
        self.slots.held_bytes() + self.entries.held_bytes() + self.young.held_bytes()
    }

    fn home(&self, object: Addr) -> usize {
        let shift = 64 - self.slots.len().trailing_zeros();
        object.0.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> shift
    }

    fn find(&self, object: Addr) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        let mask = self.slots.len() - 1;
        let mut at = self.home(object);
        loop {
            let index = self.slots[at].checked_sub(1)?;
            if self.entries[index as usize].object == object {
                return Some(index);
            }
            at = (at + 1) & mask;
        }
    }

    fn insert(&mut self, index: u32) {
        let mask = self.slots.len() - 1;
        let mut at = self.home(self.entries[index as usize].object);
        while self.slots[at] != 0 {
            at = (at + 1) & mask;
        }
        self.slots[at] = index + 1;
    }

    /// Takes an entry out of the slots, and closes the gap that it leaves.
    fn remove(&mut self, index: u32) {
        let mask = self.slots.len() - 1;
        let mut gap = self.home(self.entries[index as usize].object);
        while self.slots[gap] != index + 1 {
            gap = (gap + 1) & mask;
        }
        let mut at = gap;
        loop {
            at = (at + 1) & mask;
            let Some(other) = self.slots[at].checked_sub(1) else { break };
            let home = self.home(self.entries[other as usize].object);
            // The entry may move up unless its home lies behind the gap.
            if (at.wrapping_sub(home) & mask) >= (at.wrapping_sub(gap) & mask) {
                self.slots[gap] = other + 1;
                gap = at;
            }
        }
        self.slots[gap] = 0;
    }

    /// The entry of an object, which is made when there is none. Is it in the heap?
    pub fn entry(&mut self, object: Addr, is_ours: bool) -> Outcome<u32> {
        if let Some(index) = self.find(object) {
            if !(is_ours && self.entries[index as usize].is_outside()) {
                return Ok(index);
            }
            self.remove(index);
            self.end(index);
        }
        if (self.live + 1) * 2 > self.slots.len() {
            self.grow()?;
        }
        // Room for every entry to be listed at once: a major collection may find any of them young again.
        self.young.reserve(self.entries.len() + 1 - self.young.len())?;
        let index = match self.free {
            NO_ENTRY => {
                if self.entries.len() >= u32::MAX as usize - 1 {
                    return Err(Failure::no_memory(format_args!("there are {} named objects", self.live)));
                }
                self.entries.push(Entry { object: Addr::NULL, name: Addr::NULL, number: 0 })?;
                (self.entries.len() - 1) as u32
            }
            free => {
                self.free = self.entries[free as usize].number & !LISTED;
                free as u32
            }
        };
        planted!(115, (), self.given += 1);
        let entry = &mut self.entries[index as usize];
        let listed = entry.number & LISTED != 0;
        let outside = if is_ours { 0 } else { OUTSIDE };
        *entry = Entry { object, name: Addr::NULL, number: self.given | LISTED | outside };
        if !listed {
            let _ = self.young.push_within(index);
        }
        self.insert(index);
        self.live += 1;
        Ok(index)
    }

    fn grow(&mut self) -> Outcome<()> {
        let mut slots = List::new();
        slots.fill((self.slots.len() * 2).max(64), 0)?;
        self.slots = slots;
        self.insert_all();
        Ok(())
    }

    fn insert_all(&mut self) {
        for index in 0..self.entries.len() {
            if !self.entries[index].object.is_null() {
                self.insert(index as u32);
            }
        }
    }

    pub fn number(&self, index: u32) -> u64 {
        self.entries[index as usize].number & !(LISTED | OUTSIDE)
    }

    /// Whether the object that was given this number in this entry is still alive.
    pub fn lives(&self, index: u32, number: u64) -> bool {
        let entry = &self.entries[index as usize];
        !entry.object.is_null() && entry.number & !(LISTED | OUTSIDE) == number
    }

    pub fn name(&self, index: u32) -> Addr {
        self.entries[index as usize].name
    }

    /// Gives an object a stable name, which is a young object: the entry is looked at until that is old as well.
    pub fn set_name(&mut self, index: u32, name: Addr) -> Outcome<()> {
        self.young.reserve(1)?;
        let entry = &mut self.entries[index as usize];
        entry.name = name;
        if entry.number & LISTED == 0 {
            entry.number |= LISTED;
            let _ = self.young.push_within(index);
        }
        Ok(())
    }

    /// Updates the table after a major collection; `find` says where objects are, and `is_ours` what lies in the heap.
    pub(crate) fn update_all(
        &mut self,
        find: impl Fn(Addr) -> Found,
        is_ours: impl Fn(Addr) -> bool,
        is_young: impl Fn(Addr) -> bool,
    ) {
        if self.live == 0 {
            return;
        }
        self.slots.iter_mut().for_each(|slot| *slot = 0);
        // First the objects themselves, then replaced ones: an object that has a number keeps it.
        for replaced in [false, true] {
            for index in 0..self.entries.len() as u32 {
                let object = self.entries[index as usize].object;
                // Entries of the first round go by their new addresses, at which others may have been.
                if object.is_null() || (replaced && self.find(object) == Some(index)) {
                    continue;
                }
                match self.found(index, &find, &is_ours) {
                    Some((now, is)) if is == replaced => self.place(index, now, &find, &is_ours),
                    None if !replaced => self.end(index),
                    _ => {}
                }
            }
        }
        self.list_young(&is_young);
        self.keep_young(is_young);
    }

    /// Lists entries that became young: an old object may have been replaced by a young one.
    fn list_young(&mut self, is_young: impl Fn(Addr) -> bool) {
        for (index, entry) in self.entries.iter_mut().enumerate() {
            let listed = entry.number & LISTED != 0;
            if !listed && !entry.object.is_null() && is_young(entry.object) {
                entry.number |= LISTED;
                let fitted = self.young.push_within(index as u32);
                debug_assert!(fitted.is_ok());
            }
        }
    }

    /// After a minor collection: as `update_all`, for entries of young objects.
    pub(crate) fn update_young(
        &mut self,
        find: impl Fn(Addr) -> Found,
        is_ours: impl Fn(Addr) -> bool,
        is_young: impl Fn(Addr) -> bool,
    ) {
        let young = std::mem::take(&mut self.young);
        for replaced in [false, true] {
            for &index in young.iter() {
                let object = self.entries[index as usize].object;
                if object.is_null() {
                    continue;
                }
                match self.found(index, &find, &is_ours) {
                    Some((now, is)) if is == replaced && (now != object || !replaced) => {
                        self.remove(index);
                        self.place(index, now, &find, &is_ours);
                    }
                    None if !replaced => {
                        self.remove(index);
                        self.end(index);
                    }
                    _ => {}
                }
            }
        }
        self.young = young;
        self.keep_young(is_young);
    }

    /// Where the object of an entry is. An object outside of the heap stays, until the heap comes there.
    fn found(&self, index: u32, find: &impl Fn(Addr) -> Found, is_ours: &impl Fn(Addr) -> bool) -> Found {
        let entry = &self.entries[index as usize];
        if entry.is_outside() {
            return Some((entry.object, false)).filter(|&(at, _)| !is_ours(at));
        }
        find(entry.object)
    }

    /// Enters an object at its address now, unless that has a number already.
    fn place(
        &mut self,
        index: u32,
        now: Addr,
        find: &impl Fn(Addr) -> Found,
        is_ours: &impl Fn(Addr) -> bool,
    ) {
        if let Some(other) = self.find(now) {
            if !(is_ours(now) && self.entries[other as usize].is_outside()) {
                self.end(index);
                return;
            }
            self.remove(other);
            self.end(other);
        }
        let entry = &mut self.entries[index as usize];
        entry.object = now;
        entry.number = entry.number & !OUTSIDE | if is_ours(now) { 0 } else { OUTSIDE };
        entry.name =
            if entry.name.is_null() { Addr::NULL } else { find(entry.name).map_or(Addr::NULL, |(at, _)| at) };
        self.insert(index);
    }

    /// Frees an entry that is in no slot.
    fn end(&mut self, index: u32) {
        let entry = &mut self.entries[index as usize];
        let listed = entry.number & LISTED;
        *entry = Entry { object: Addr::NULL, name: Addr::NULL, number: self.free | listed };
        self.free = index as u64;
        self.live -= 1;
    }

    fn keep_young(&mut self, is_young: impl Fn(Addr) -> bool) {
        let entries = &mut self.entries;
        self.young.retain_mut(|index| {
            let entry = &mut entries[*index as usize];
            let name_is_young = !entry.name.is_null() && is_young(entry.name);
            let stays =
                !entry.object.is_null() && (planted!(114, false, is_young(entry.object)) || name_is_young);
            if !stays {
                entry.number &= !LISTED;
            }
            stays
        });
    }

    /// Ends the entries of objects outside of the heap that go.
    pub(crate) fn forget(&mut self, goes: impl Fn(Addr) -> bool) {
        for index in 0..self.entries.len() as u32 {
            let entry = &self.entries[index as usize];
            if entry.is_outside() && goes(entry.object) {
                self.remove(index);
                self.end(index);
            }
        }
    }

    /// Every object in the heap, or NULL for others, and its name, for checks.
    pub fn each(&self, mut visit: impl FnMut(Addr, Addr)) {
        for entry in self.entries.iter().filter(|entry| !entry.object.is_null()) {
            visit(if entry.is_outside() { Addr::NULL } else { entry.object }, entry.name);
        }
    }

    pub fn check(&self) -> Outcome<()> {
        let mut count = 0;
        for (index, entry) in self.entries.iter().enumerate() {
            if entry.object.is_null() {
                continue;
            }
            count += 1;
            if self.find(entry.object) != Some(index as u32) {
                return Err(Failure::damaged(format_args!(
                    "the object at {} has a number, and is not found by its address",
                    entry.object
                )));
            }
        }
        if count != self.live || self.slots.iter().filter(|&&slot| slot != 0).count() != count {
            return Err(Failure::damaged(format_args!(
                "{count} objects have numbers, and {} are counted",
                self.live
            )));
        }
        Ok(())
    }
}
