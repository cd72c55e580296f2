//! The file of samples: at the end of the heap, and when the client asks.

use crate::base::{Failure, Outcome};
use crate::heap::Mutator;
use crate::host::Host;
use crate::os::clock;
use crate::os::file::Target;
use crate::profile::samples::file;

impl Host {
    /// Writes the samples so far into a file.
    pub(crate) fn write_samples(&mut self, mutator: *mut Mutator, name: &[u8]) -> Outcome<()> {
        self.refuse_while_busy()?;
        if name.is_empty() {
            return Err(Failure::argument(format_args!("the name of the file of samples is empty")));
        }
        // SAFETY: the mutator is live, and only its own thread calls this.
        unsafe { (*mutator).refuse_while_open()? };
        self.write_samples_to(Some(mutator), &mut Target::tried(name)?)
    }

    /// Writes the file of `--samples`.
    pub(crate) fn finish_samples(&mut self) -> Outcome<()> {
        match self.profilers.samples.target.take() {
            None => Ok(()),
            Some(mut target) => {
                let mutator = self.own_mutator();
                self.write_samples_to(mutator, &mut target)
            }
        }
    }

    /// Of several mutators, all but the calling thread's are still, and have handed over what they made.
    fn write_samples_to(&mut self, mutator: Option<*mut Mutator>, target: &mut Target) -> Outcome<()> {
        let Host { runtime, profilers, .. } = self;
        // SAFETY: a heap's mutators are live, and only their own thread calls this.
        profilers.samples.take(runtime, mutator.map(|mutator| unsafe { &mut *mutator }));
        let Some(sampler) = &mut profilers.samples.running else {
            return Err(profilers.samples.why_none());
        };
        sampler.settle(&runtime.store);
        let sampler = &**sampler;
        target.write(&mut |out| file::write(sampler, clock::since_1970().0, out))
    }
}
