//! Counts that compiled code adds to without a lock: the heap's, and those of each mutator where there may be several.

use crate::base::{List, Outcome};
use crate::heap::Mutator;

/// The counts of a heap.
pub struct Apart<T> {
    /// The heap's own. Where the heap takes several mutators: those of mutators that ended, and the library's.
    pub whole: T,
    /// The counts of each mutator where the heap takes several, by its address.
    own: List<(usize, T)>,
}

impl<T> Apart<T> {
    pub(crate) fn new(whole: T) -> Apart<T> {
        Apart { whole, own: List::new() }
    }

    /// Gives a mutator counts of its own, since others add to theirs at the same time.
    pub(crate) fn part(&mut self, mutator: *const Mutator, fresh: T) -> Outcome<()> {
        // The attempt to attach it may have failed before.
        drop(self.take(mutator));
        self.own.push((mutator as usize, fresh))
    }

    /// The counts that a mutator adds to.
    pub(crate) fn of(&mut self, mutator: *const Mutator) -> &mut T {
        match self.index(mutator) {
            Some(index) => &mut self.own[index].1,
            None => &mut self.whole,
        }
    }

    /// Takes back the counts of a mutator that ends, if it has its own.
    pub(crate) fn take(&mut self, mutator: *const Mutator) -> Option<T> {
        let index = self.index(mutator)?;
        Some(self.own.swap_remove(index).1)
    }

    /// Most look for the mutator that was attached last.
    fn index(&self, mutator: *const Mutator) -> Option<usize> {
        self.own.iter().rposition(|&(of, _)| of == mutator as usize)
    }

    /// The heap's counts, then those of each mutator that has its own.
    pub(crate) fn each(&self) -> impl Iterator<Item = &T> + Clone {
        std::iter::once(&self.whole).chain(self.own.iter().map(|(_, own)| own))
    }
}
