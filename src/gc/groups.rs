//! Groups that workers take one by one.

use crate::block::descriptor::Descriptor;
use crate::block::{Block, Chain};
use std::sync::atomic::{AtomicPtr, Ordering};

/// Groups that workers take one by one, in their order.
pub(super) struct Groups {
    /// The first group that nobody has taken; null when all are taken.
    next: AtomicPtr<Descriptor>,
}

impl Groups {
    pub(super) fn new(groups: Chain) -> Groups {
        Groups { next: AtomicPtr::new(groups.first.0) }
    }

    pub(super) fn are_taken(&self) -> bool {
        self.next.load(Ordering::Relaxed).is_null()
    }

    /// Takes the next group. The list does not change meanwhile, so no group comes twice.
    pub(super) fn take(&self) -> Option<Block> {
        let mut next = self.next.load(Ordering::Relaxed);
        loop {
            let group = Block(next).some()?;
            let behind = group.fields().link.0;
            match self.next.compare_exchange_weak(next, behind, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return Some(group),
                Err(now) => next = now,
            }
        }
    }
}
