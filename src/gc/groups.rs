//! Groups that workers take, one by one or some at a time.

use crate::block::descriptor::Descriptor;
use crate::block::{Block, Chain};
use std::sync::atomic::{AtomicPtr, Ordering};

/// Groups that a worker takes at a time where there are many: each time costs as much as a cache line that comes from another processor.
const MANY_AT_A_TIME: usize = 8;
/// Blocks that are many.
const MANY_BLOCKS: usize = 4096;

/// Groups that workers take, in their order. The list does not change meanwhile, so no group comes twice.
pub(super) struct Groups {
    /// The first group that nobody has taken; null when all are taken.
    next: AtomicPtr<Descriptor>,
    /// Groups that `each` takes at a time.
    at_a_time: usize,
}

impl Groups {
    pub(super) fn new(groups: Chain) -> Groups {
        let at_a_time = if groups.blocks < MANY_BLOCKS { 1 } else { MANY_AT_A_TIME };
        Groups { next: AtomicPtr::new(groups.first.0), at_a_time }
    }

    pub(super) fn are_taken(&self) -> bool {
        self.next.load(Ordering::Relaxed).is_null()
    }

    /// Takes the next group.
    pub(super) fn take(&self) -> Option<Block> {
        self.take_some(1).map(|(group, _)| group)
    }

    /// Visits groups that nobody else visits, until all are taken.
    pub(super) fn each(&self, mut visit: impl FnMut(Block)) {
        while let Some((mut group, behind)) = self.take_some(self.at_a_time) {
            while group != behind {
                let next = group.fields().link;
                visit(group);
                group = next;
            }
        }
    }

    /// Takes the next groups, so many if there are. Gives the first, and the one behind the last.
    #[inline(always)]
    fn take_some(&self, count: usize) -> Option<(Block, Block)> {
        let mut next = self.next.load(Ordering::Relaxed);
        loop {
            let group = Block(next).some()?;
            let mut behind = group.fields().link;
            for _ in 1..count {
                behind = behind.some().map_or(behind, |group| group.fields().link);
            }
            match self.next.compare_exchange_weak(next, behind.0, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return Some(planted!(464, (group.fields().link, behind), (group, behind))),
                Err(now) => next = now,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::flag::Flags;
    use crate::heap::{Store, Tags};
    use crate::os::limits::limits;
    use std::sync::Mutex;

    /// The groups of a chain as two threads are given them.
    fn taken(chain: Chain) -> Vec<usize> {
        let (groups, all) = (Groups::new(chain), Mutex::new(Vec::new()));
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| groups.each(|group| all.lock().unwrap().push(group.start().0)));
            }
        });
        assert!(groups.are_taken());
        let mut all = all.into_inner().unwrap();
        all.sort_unstable();
        all
    }

    #[test]
    fn each_group_comes_once() {
        let flags = Flags::parse("").unwrap();
        let mut store = Store::new(&flags, &limits(), Tags::checked(0, 0, 0, 8).unwrap(), 8).unwrap();
        let mut chain = Chain::EMPTY;
        let mut expected = Vec::new();
        for count in [0, 1, 7, 8, 9, 100] {
            while expected.len() < count {
                let group = store.blocks.alloc_group(1).unwrap();
                expected.push(group.start().0);
                chain.push(group);
            }
            expected.sort_unstable();
            for blocks in [chain.blocks, MANY_BLOCKS] {
                assert_eq!(taken(Chain { blocks, ..chain }), expected, "{count} of {blocks}");
            }
        }
    }
}
