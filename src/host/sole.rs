//! The mutator of a heap that takes one, where any thread may ask for it at any time: one of them gets it.

use crate::base::{Failure, Outcome};
use crate::heap::Mutator;
use crate::host::Host;
use crate::host::given::heap_at;
use crate::os::thread::current_thread;
use std::sync::atomic::{AtomicU64, Ordering};

pub(crate) struct SoleMutator {
    /// The thread that has the mutator, or makes it now; 0 while none does.
    owner: AtomicU64,
}

impl SoleMutator {
    pub(crate) const fn new() -> SoleMutator {
        SoleMutator { owner: AtomicU64::new(0) }
    }

    /// The calling thread's mutator, made now if no thread has one. It may be asked for in callbacks.
    ///
    /// # Safety
    /// The heap is the same each time, takes one mutator, and lives as long as the process.
    pub(crate) unsafe fn ask(&self, heap: *mut Host) -> Outcome<*mut Mutator> {
        // SAFETY: the heap is this thread's until it is given back. In a callback the collection has the only reference to it, so
        // that none is made but to its list of mutators. A heap's mutators are live.
        self.claim_for(|here| unsafe {
            match (*heap).runtime.mutators.first().map(|mutator| mutator.as_raw()) {
                Some(mutator) if (*mutator).thread == here => Ok(mutator),
                Some(_) => Err(another_has_it()),
                None => heap_at(heap)?.attach(),
            }
        })
    }

    /// Makes the mutator, unless this thread has it, or another one.
    pub(crate) fn attach(&self, host: &mut Host) -> Outcome<*mut Mutator> {
        self.claim_for(|_| host.attach())
    }

    /// Keeps other threads out while this one, whose number is handed on, gets its mutator, and as long as it has that.
    fn claim_for(&self, get: impl FnOnce(u64) -> Outcome<*mut Mutator>) -> Outcome<*mut Mutator> {
        let here = current_thread();
        let claimed = self.owner.compare_exchange(0, here, Ordering::Acquire, Ordering::Relaxed);
        let is_new = match planted!(472, Ok(0), claimed) {
            Ok(_) => true,
            Err(owner) if owner == here => false,
            Err(_) => return Err(another_has_it()),
        };
        let outcome = get(here);
        if is_new && outcome.is_err() {
            self.give_back();
        }
        outcome
    }

    /// Forgets an owner that this process does not have.
    pub(crate) fn become_child(&self) {
        if self.owner.load(Ordering::Relaxed) != current_thread() {
            self.owner.store(0, Ordering::Relaxed);
        }
    }

    /// Lets other threads ask, after this thread has ended the mutator.
    pub(crate) fn give_back(&self) {
        let _ = self.owner.compare_exchange(current_thread(), 0, Ordering::Release, Ordering::Relaxed);
    }
}

fn another_has_it() -> Failure {
    Failure::state(format_args!(
        "the default heap's mutator belongs to another thread, and the default heap takes one"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As another thread asks: whether it came so far that it would look for the mutator or make one.
    fn comes_in(sole: &SoleMutator) -> bool {
        std::thread::scope(|scope| {
            let asks = scope.spawn(|| {
                let mut came = false;
                let outcome = sole.claim_for(|_| {
                    came = true;
                    Err(another_has_it())
                });
                assert!(outcome.is_err());
                came
            });
            asks.join().unwrap()
        })
    }

    /// Others are kept out while a mutator is made, not only when it is there.
    #[test]
    fn nobody_comes_in_while_a_mutator_is_made() {
        let sole = SoleMutator::new();
        let made = sole.claim_for(|_| {
            assert!(!comes_in(&sole));
            Ok(std::ptr::null_mut())
        });
        assert!(made.is_ok() && !comes_in(&sole));
        assert!(sole.claim_for(|_| Ok(std::ptr::null_mut())).is_ok(), "its own thread asks again");
        sole.give_back();
        assert!(comes_in(&sole));
    }

    /// A thread that could not make one leaves nothing behind.
    #[test]
    fn a_thread_that_fails_gives_it_back() {
        let sole = SoleMutator::new();
        assert!(sole.claim_for(|_| Err(another_has_it())).is_err());
        assert!(comes_in(&sole));
    }
}
