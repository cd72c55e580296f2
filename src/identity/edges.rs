//! Edges from one stack to another: a hash table that is read without a lock and only grows.
//!
//! Keys are made by `ccs.rs`. A table that has become too small is kept, since a thread may be reading it;
//! all old tables together are as large as the current one.

use super::stack::Ccs;
use crate::base::Outcome;
use crate::base::list::{List, try_box};

use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering};

struct Entry {
    /// The key; 0 for an empty entry.
    key: AtomicU64,
    to: AtomicPtr<Ccs>,
}

struct Table {
    entries: List<Entry>,
    /// 64 less the logarithm of the number of entries.
    shift: u32,
    before: *const Table,
}

pub(super) struct Edges {
    table: AtomicPtr<Table>,
}

/// The writer's own state, under the lock.
pub(super) struct Writer {
    used: usize,
}

impl Writer {
    pub(super) const fn new() -> Writer {
        Writer { used: 0 }
    }
}

const FIRST_SHIFT: u32 = 64 - 10;

impl Table {
    fn new(shift: u32, before: *const Table) -> Outcome<Box<Table>> {
        let length = 1usize << (64 - shift);
        let mut entries = List::new();
        entries.reserve(length)?;
        for _ in 0..length {
            entries.push(Entry { key: AtomicU64::new(0), to: AtomicPtr::new(std::ptr::null_mut()) })?;
        }
        try_box(Table { entries, shift, before })
    }

    /// The entry of a key, or the empty one for it.
    fn entry(&self, key: u64) -> &Entry {
        let mask = self.entries.len() - 1;
        let mut index = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift) as usize;
        loop {
            let entry = &self.entries[index & mask];
            let there = entry.key.load(Ordering::Acquire);
            if there == key || there == 0 {
                return entry;
            }
            index += 1;
        }
    }

    fn put(&self, key: u64, to: *mut Ccs) {
        let entry = self.entry(key);
        // The key makes the entry visible, so it is stored last.
        entry.to.store(to, Ordering::Relaxed);
        entry.key.store(key, Ordering::Release);
    }
}

impl Edges {
    pub(super) const fn new() -> Edges {
        Edges { table: AtomicPtr::new(std::ptr::null_mut()) }
    }

    fn table(&self) -> Option<&Table> {
        // SAFETY: tables are never freed.
        unsafe { self.table.load(Ordering::Acquire).as_ref() }
    }

    /// The stack that an edge leads to; null when there is none, or when another thread is just making
    /// it.
    pub(super) fn find(&self, key: u64) -> *mut Ccs {
        let Some(table) = self.table() else { return std::ptr::null_mut() };
        let entry = table.entry(key);
        if entry.key.load(Ordering::Acquire) == key {
            entry.to.load(Ordering::Relaxed)
        } else {
            std::ptr::null_mut()
        }
    }

    /// Makes room for one more edge, so that `put` cannot fail.
    pub(super) fn reserve(&self, writer: &mut Writer) -> Outcome<()> {
        let table = self.table();
        let (length, shift) = table.map_or((0, FIRST_SHIFT + 1), |table| (table.entries.len(), table.shift));
        if (writer.used + 1) * 4 <= length * 3 {
            return Ok(());
        }
        let before = table.map_or(std::ptr::null(), std::ptr::from_ref);
        let larger = Table::new(shift - 1, before)?;
        for entry in table.map_or(&[][..], |table| &table.entries[..]) {
            let key = entry.key.load(Ordering::Relaxed);
            if key != 0 {
                larger.put(key, entry.to.load(Ordering::Relaxed));
            }
        }
        debug_assert_eq!(larger.before, before);
        self.table.store(Box::into_raw(larger), Ordering::Release);
        Ok(())
    }

    /// Adds an edge that is not there; `reserve` has made room for it.
    pub(super) fn put(&self, writer: &mut Writer, key: u64, to: *mut Ccs) {
        if let Some(table) = self.table() {
            table.put(key, to);
            writer.used += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::fault;

    #[test]
    fn edges_are_found_while_the_table_grows() {
        let edges = Edges::new();
        let mut writer = Writer::new();
        let to = |n: u64| (n * 64) as *mut Ccs;
        assert!(edges.find(7).is_null());
        let mut refused = 0;
        for n in 1..20_000u64 {
            fault::fail_after(n % 2);
            refused += edges.reserve(&mut writer).is_err() as u32;
            fault::stop();
            edges.reserve(&mut writer).unwrap();
            edges.put(&mut writer, n << 32 | 5, to(n));
            assert_eq!(edges.find((n / 2).max(1) << 32 | 5), to((n / 2).max(1)));
        }
        assert!(refused > 0);
        assert!((1..20_000u64).all(|n| edges.find(n << 32 | 5) == to(n)));
        assert!(edges.find(20_000 << 32 | 5).is_null() && edges.find(3 << 32 | 6).is_null());
    }
}
