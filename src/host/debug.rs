//! A debugger's question why an object lives.

use crate::base::{Addr, Failure, Outcome};
use crate::heap::Mutator;
use crate::host::Host;
use crate::profile::snapshot::path::{Held, why};

impl Host {
    /// The steps from a root of any mutator to the object at an address. They stay as they are until the mutator's next
    /// question.
    pub(crate) fn why(&mut self, mutator: *mut Mutator, address: Addr) -> Outcome<&[Held]> {
        self.refuse_while_busy()?;
        self.stop_others_for(mutator)?;
        // SAFETY: the mutator is live, and only its own thread calls this.
        let mutator = unsafe { &mut *mutator };
        let mut none = None;
        let mut get_roots = self.hooks.roots_of_stop(mutator, &mut none);
        self.busy.set(true);
        let Host { runtime, profilers, .. } = self;
        let answer = profilers.answers.of(mutator);
        let outcome = answer.and_then(|steps| {
            why(&runtime.store, mutator, &mut get_roots, address, steps)?;
            Ok(&steps[..])
        });
        runtime.busy.set(false);
        outcome
    }

    /// Stops others for a question about an address, which is of no use when one of them has collected first.
    fn stop_others_for(&mut self, mutator: *mut Mutator) -> Outcome<()> {
        if !self.is_shared() {
            return Ok(());
        }
        // SAFETY: the mutator is live, and only its own thread calls this.
        unsafe { (*mutator).refuse_while_open()? };
        let begun = self.stats.begun;
        self.stop_others(mutator);
        if planted!(314, false, self.stats.begun != begun) {
            return Err(Failure::state(format_args!(
                "another thread has collected while this call waited, and objects have moved: ask again, with the address as it is now"
            )));
        }
        Ok(())
    }
}
