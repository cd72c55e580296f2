//! Old objects that changed their kind or their length since the last collection [heap.changed]. Equal entries become one when the list
//! has doubled, so it has a bound in terms of objects, however often they change.

use crate::base::{Addr, List, Outcome};

/// Entries below which nobody looks for equal ones.
const FEW: usize = 256;

pub struct Changed {
    /// Each object, and where its words ended before it changed first.
    list: List<(Addr, Addr)>,
    /// Entries at which equal ones become one.
    merge_at: usize,
}

impl Changed {
    pub const NONE: Changed = Changed { list: List::new(), merge_at: FEW };

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Lists an object that ended at `end`.
    pub fn add(&mut self, object: Addr, end: Addr) -> Outcome<()> {
        if planted!(677, false, self.list.len() >= self.merge_at) {
            self.merge();
            self.merge_at = FEW.max(2 * self.list.len());
        }
        self.list.push((object, end))
    }

    /// Sorts the list, and keeps of each object the entry with the highest end.
    pub fn merge(&mut self) {
        self.list.sort_unstable();
        let mut kept = 0;
        for i in 0..self.list.len() {
            if self.list.get(i + 1).is_none_or(|next| next.0 != self.list[i].0) {
                self.list[kept] = self.list[i];
                kept += 1;
            }
        }
        self.list.truncate(kept);
    }

    /// Whether a slot lies in such an object. The list was merged.
    pub fn has(&self, slot: Addr) -> bool {
        let after = self.list.partition_point(|&(start, _)| start <= slot);
        let found = after.checked_sub(1).and_then(|at| self.list.get(at));
        found.is_some_and(|entry| slot < planted!(19, entry.0.plus_words(1), entry.1))
    }

    pub fn objects(&self) -> impl Iterator<Item = Addr> + '_ {
        self.list.iter().map(|&(object, _)| object)
    }

    pub fn clear(&mut self) {
        self.list.clear();
        self.merge_at = FEW;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_that_change_by_turns_are_listed_once() {
        let mut changed = Changed::NONE;
        for turn in (0..100_000).rev() {
            for object in [Addr(4096), Addr(8192), Addr(6144)] {
                changed.add(object, object.plus_words(2 + turn % 100)).unwrap();
            }
        }
        assert!(changed.list.len() <= 2 * FEW);
        changed.merge();
        assert_eq!(changed.objects().collect::<Vec<_>>(), [4096, 6144, 8192].map(Addr));
        let last = Addr(6144).plus_words(100);
        assert!(changed.has(last) && !changed.has(last.plus_words(1)) && !changed.has(Addr(4088)));
        changed.clear();
        assert!(changed.is_empty());
    }
}
