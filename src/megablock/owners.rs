//! Owners of the address space: each heap of the process notes its parts here.
//!
//! Only checks ask, which have to tell a reference into another heap from one to the client's own memory. A
//! part that could not be noted for want of memory has no owner.

use crate::base::{Addr, List, Outcome, sort};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A part of the address space that a heap has.
#[derive(Clone, Copy)]
pub(crate) struct Part {
    start: usize,
    bytes: usize,
    heap: u64,
}

static PARTS: Mutex<List<Part>> = Mutex::new(List::new());

/// Takes the lock on the list of parts, which is held over a fork too.
pub(crate) fn hold() -> MutexGuard<'static, List<Part>> {
    PARTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A number that no other heap has.
pub(super) fn next_heap() -> u64 {
    static LAST: AtomicU64 = AtomicU64::new(0);
    LAST.fetch_add(1, Ordering::Relaxed) + 1
}

/// A part that stays noted until this is dropped.
pub(super) struct Claim {
    start: usize,
}

impl Claim {
    pub(super) fn new(heap: u64, start: Addr, bytes: usize) -> Claim {
        // A part for which memory was refused is not noted: checks will find less.
        let _ = hold().push(Part { start: start.0, bytes, heap });
        Claim { start: start.0 }
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        let mut parts = hold();
        if let Some(at) = parts.iter().position(|part| part.start == self.start) {
            parts.swap_remove(at);
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Owner {
    This,
    Other,
    Nobody,
}

/// The owner of one address.
pub(super) fn owner(heap: u64, at: Addr) -> Owner {
    let parts = hold();
    match parts.iter().find(|part| at.0.wrapping_sub(part.start) < part.bytes) {
        None => Owner::Nobody,
        Some(part) if part.heap == heap => Owner::This,
        Some(_) => Owner::Other,
    }
}

/// The owners of all addresses, as they were when a heap asked.
pub struct Owned {
    heap: u64,
    /// The parts, sorted by address.
    parts: List<Part>,
}

impl Owned {
    pub(super) fn by(heap: u64) -> Outcome<Owned> {
        let mut parts = List::new();
        parts.append(&hold())?;
        sort::sort_by_key(&mut parts, |part| part.start);
        Ok(Owned { heap, parts })
    }

    pub fn owner(&self, at: Addr) -> Owner {
        let behind = self.parts.partition_point(|part| part.start <= at.0);
        match behind.checked_sub(1).map(|before| self.parts[before]) {
            Some(part) if at.0 - part.start < part.bytes => {
                if part.heap == self.heap {
                    Owner::This
                } else {
                    Owner::Other
                }
            }
            _ => Owner::Nobody,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_whose_they_are_until_they_go() {
        let (a, b) = (next_heap(), next_heap());
        // This test alone has memory there.
        let at = |n: usize| Addr(0x7fff_ff00_0000_0000 + n * 0x1000);
        let first = Claim::new(a, at(0), 0x1000);
        let second = Claim::new(b, at(2), 0x2000);
        let owners = |heap| {
            let owned = Owned::by(heap).unwrap();
            (0..5).map(|n| owned.owner(at(n).plus_words(1))).collect::<Vec<_>>()
        };
        use Owner::{Nobody, Other, This};
        assert_eq!(owners(a), [This, Nobody, Other, Other, Nobody]);
        assert_eq!(owners(b), [Other, Nobody, This, This, Nobody]);
        drop(first);
        assert_eq!(owners(b), [Nobody, Nobody, This, This, Nobody]);
        drop(second);
        assert_eq!(owners(a), [Nobody; 5]);
    }
}
