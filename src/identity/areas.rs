//! A table that only grows and whose entries never move: areas, each twice as large as the one before.
//!
//! Reading needs no lock. Writers hold one of their own.

use crate::base::{Failure, Outcome, fault};
use std::alloc::{Layout, alloc_zeroed};
use std::marker::PhantomData;
use std::sync::atomic::{AtomicPtr, Ordering};

const LOG_FIRST: u32 = 8;
const MOST_AREAS: usize = 24;

pub(super) struct Areas<T> {
    areas: [AtomicPtr<T>; MOST_AREAS],
    entries: PhantomData<T>,
}

/// The area of an index, and the offset in it.
fn place(index: usize) -> (usize, usize) {
    let shifted = index + (1 << LOG_FIRST);
    let log = shifted.ilog2();
    ((log - LOG_FIRST) as usize, shifted - (1 << log))
}

impl<T> Areas<T> {
    pub(super) const fn new() -> Areas<T> {
        Areas { areas: [const { AtomicPtr::new(std::ptr::null_mut()) }; MOST_AREAS], entries: PhantomData }
    }

    /// The address of an index's entry; null when there is no room for it yet.
    #[inline]
    pub(super) fn at(&self, index: usize) -> *mut T {
        let (number, offset) = place(index);
        let Some(area) = self.areas.get(number) else { return std::ptr::null_mut() };
        let start = area.load(Ordering::Acquire);
        if start.is_null() {
            return std::ptr::null_mut();
        }
        // SAFETY: area `number` has room for more than `offset` entries.
        unsafe { start.add(offset) }
    }

    /// Makes room for the entry of an index. Its bytes are zero until the caller, who holds the lock, writes
    /// it.
    pub(super) fn room(&self, index: usize) -> Outcome<*mut T> {
        let (number, _) = place(index);
        let refused =
            || Failure::no_memory(format_args!("no memory for entry {index} of a table inside the library"));
        let area = self.areas.get(number).ok_or_else(refused)?;
        if area.load(Ordering::Acquire).is_null() {
            let layout = Layout::array::<T>(1 << (LOG_FIRST as usize + number)).map_err(|_| refused())?;
            if !fault::allow() {
                return Err(refused());
            }
            // SAFETY: no table has entries of no bytes.
            let fresh = unsafe { alloc_zeroed(layout) }.cast::<T>();
            if fresh.is_null() {
                return Err(refused());
            }
            area.store(fresh, Ordering::Release);
        }
        Ok(self.at(index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_stay_where_they_are() {
        static TABLE: Areas<u64> = Areas::new();
        let mut seen = Vec::new();
        for index in 0..5000 {
            assert_eq!(place(index) == (0, index), index < 1 << LOG_FIRST);
            if TABLE.at(index).is_null() {
                fault::fail_after(0);
                assert!(TABLE.room(index).is_err());
                fault::stop();
            }
            let at = TABLE.room(index).unwrap();
            // SAFETY: the table has just made room here.
            unsafe { at.write(index as u64) };
            seen.push(at as usize);
        }
        for (index, &at) in seen.iter().enumerate() {
            assert_eq!(TABLE.at(index) as usize, at);
            // SAFETY: written above.
            assert_eq!(unsafe { *TABLE.at(index) }, index as u64);
        }
        assert!(TABLE.at(100_000).is_null());
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), 5000);
    }
}
