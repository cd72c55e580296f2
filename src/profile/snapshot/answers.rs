//! The answers to what mutators have asked last, each mutator's own: they stay while others ask.

use crate::base::{List, Outcome};
use crate::heap::Mutator;
use crate::profile::snapshot::path::Held;

pub struct Answers(List<Answer>);

struct Answer {
    /// The mutator that asked. Nothing behind the address is looked at.
    mutator: *const Mutator,
    steps: List<Held>,
}

impl Answers {
    pub(crate) const EMPTY: Answers = Answers(List::new());

    /// The place of a mutator's answer.
    pub(crate) fn of(&mut self, mutator: *const Mutator) -> Outcome<&mut List<Held>> {
        let known = self.0.iter().position(|answer| planted!(703, true, answer.mutator == mutator));
        let index = known.unwrap_or(self.0.len());
        if known.is_none() {
            self.0.push(Answer { mutator, steps: List::new() })?;
        }
        Ok(&mut self.0[index].steps)
    }

    /// Frees the answer of a mutator that goes.
    pub(crate) fn forget(&mut self, mutator: *const Mutator) {
        self.0.retain_mut(|answer| answer.mutator != mutator);
    }
}
