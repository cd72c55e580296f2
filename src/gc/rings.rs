//! The two queues that an object passes on its way from the stack to its mark. In the first its line of marks comes into the
//! cache, and a marked object ends there, as most references in a graph do; in the second the object comes.
//!
//! As long as the stack has entries, an entry leaves a queue when another one needs its place, so memory has as much time to
//! come as there is. When the stack is empty, the entry that has waited longest is taken at once: it may lead to others.

use crate::base::Addr;

/// In an entry of the stack: the object is marked already.
pub(super) const FIELDS_ONLY: usize = 1;
/// Entries of each queue, a power of two. More of them than a processor has buffers for misses pay, since an entry is asked for
/// earlier (docs/decisions/0042-rings.md).
const RING: usize = 32;
/// The most entries that both queues hold.
pub(super) const HELD: usize = 2 * RING;

/// A queue in a ring.
struct Ring {
    entries: [Addr; RING],
    first: usize,
    count: usize,
}

impl Ring {
    const EMPTY: Ring = Ring { entries: [Addr::NULL; RING], first: 0, count: 0 };

    /// Adds an entry. Gives the first one when there is no room for both, else null.
    #[inline(always)]
    fn add(&mut self, entry: Addr) -> Addr {
        if self.count == RING {
            let out = std::mem::replace(&mut self.entries[self.first % RING], entry);
            self.first += 1;
            return out;
        }
        self.entries[(self.first + self.count) % RING] = entry;
        self.count += 1;
        Addr::NULL
    }

    /// Takes the first entry out; null when there is none.
    #[inline(always)]
    fn take(&mut self) -> Addr {
        if self.count == 0 {
            return Addr::NULL;
        }
        let out = self.entries[self.first % RING];
        self.first += 1;
        self.count -= 1;
        out
    }
}

/// Entries of the mark stack that wait for memory.
pub(super) struct Rings {
    lines: Ring,
    objects: Ring,
}

impl Rings {
    pub(super) const EMPTY: Rings = Rings { lines: Ring::EMPTY, objects: Ring::EMPTY };

    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.lines.count + self.objects.count == 0
    }

    /// Moves on by one entry: `fresh`, whose line of marks was asked for, comes in, or nothing when it is null, which is when the
    /// stack is empty. The entry that comes out is to be marked, and is null when none does.
    #[inline(always)]
    pub(super) fn pass(&mut self, fresh: Addr, is_marked: impl FnOnce(Addr) -> bool) -> Addr {
        let object = if fresh.is_null() {
            let waiting = self.objects.take();
            if !waiting.is_null() {
                return waiting;
            }
            self.lines.take()
        } else {
            self.lines.add(fresh)
        };
        if object.is_null() || (object.0 & FIELDS_ONLY == 0 && is_marked(object)) {
            return Addr::NULL;
        }
        object.prefetch();
        self.objects.add(object)
    }

    /// The entries that wait.
    pub(super) fn entries(mut self) -> impl Iterator<Item = Addr> {
        std::iter::from_fn(move || {
            let entry = self.objects.take();
            let entry = if entry.is_null() { self.lines.take() } else { entry };
            (!entry.is_null()).then_some(entry)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The entries that come out, in order, when these go in one by one and then nothing more does.
    fn passed(entries: &[usize], is_marked: impl Fn(Addr) -> bool) -> Vec<usize> {
        let mut rings = Rings::EMPTY;
        let mut out: Vec<usize> =
            entries.iter().map(|&entry| rings.pass(Addr(entry), &is_marked).0).collect();
        while !rings.is_empty() {
            out.push(rings.pass(Addr::NULL, &is_marked).0);
        }
        out.retain(|&entry| entry != 0);
        out
    }

    #[test]
    fn entries_come_out_in_order_and_none_is_lost() {
        for count in [1, 2, RING, HELD, HELD + 1, 10 * RING] {
            let entries: Vec<usize> = (1..=count).map(|n| 8 * n).collect();
            assert_eq!(passed(&entries, |_| false), entries);
        }
    }

    #[test]
    fn marked_objects_end_but_for_their_fields() {
        let entries: Vec<usize> = (1..=300).map(|n| (8 * n) | (n % 3 == 0) as usize).collect();
        let expected: Vec<usize> = entries.iter().copied().filter(|n| n & 1 == 1 || n / 8 % 2 == 1).collect();
        assert_eq!(passed(&entries, |object| object.0 / 8 % 2 == 0), expected);
    }

    #[test]
    fn entries_that_wait_are_told() {
        let mut rings = Rings::EMPTY;
        (1..=RING + 3).for_each(|n| assert!(rings.pass(Addr(8 * n), |_| false).is_null()));
        let mut waiting: Vec<usize> = rings.entries().map(|entry| entry.0 / 8).collect();
        waiting.sort_unstable();
        assert_eq!(waiting, (1..=RING + 3).collect::<Vec<_>>());
    }
}
