//! Results of selectors while they are evaluated, in the model or in the heap.

use std::collections::{HashMap, HashSet};

/// The field that each selector is worth, or none when it cannot be evaluated.
pub(super) struct Memo<W> {
    pub(super) fields: HashMap<usize, Option<W>>,
    pub(super) path: HashSet<usize>,
}

impl<W> Default for Memo<W> {
    fn default() -> Self {
        Memo { fields: HashMap::new(), path: HashSet::new() }
    }
}

impl<W> Memo<W> {
    pub(super) fn clear(&mut self) {
        self.fields.clear();
    }
}
