//! A debugger's question why an object lives.

use crate::base::{Addr, Outcome};
use crate::heap::Mutator;
use crate::heap::root::frame::Visitor;
use crate::host::Host;
use crate::profile::snapshot::path::{Held, why};

impl Host {
    /// The steps from a root to the object at an address. They stay as they are until the next question.
    pub(crate) fn why(&mut self, mutator: *mut Mutator, address: Addr) -> Outcome<&[Held]> {
        self.refuse_while_busy()?;
        planted!(314, (), self.refuse_others("the way from their roots would not be found")?);
        let hooks = self.hooks;
        let mut get_roots = |visitor: &mut Visitor| hooks.visit_roots(visitor);
        self.busy.set(true);
        // SAFETY: the mutator is live, and only its own thread calls this.
        let mutator = unsafe { &mut *mutator };
        let outcome = why(&self.runtime.store, mutator, &mut get_roots, address, &mut self.profilers.held);
        self.busy.set(false);
        outcome.map(|()| &self.profilers.held[..])
    }
}
