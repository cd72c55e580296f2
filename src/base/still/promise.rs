//! The two words of a thunk for which threads race: its header, and the word for its result.
//!
//! A thunk becomes a blackhole or an indirection by its header alone, and word 1 has the result before the header says so. A
//! claim is one step from the thunk's own header, so an update is never taken back, and of those who claim one wins. It
//! writes nothing before it has won, and its owner goes into word 1 only while that is 0 [host.claim]. So the value of an update
//! beside claims is not 0.

use super::sync::{AtomicU64, Ordering};

pub(crate) struct Promise<'a> {
    header: &'a AtomicU64,
    result: &'a AtomicU64,
}

impl<'a> Promise<'a> {
    pub(crate) fn new(header: &'a AtomicU64, result: &'a AtomicU64) -> Promise<'a> {
        Promise { header, result }
    }

    /// The header as of now. The result that it tells of is there.
    pub(crate) fn header(&self) -> u64 {
        self.header.load(Ordering::Acquire)
    }

    /// The value of an indirection, filled; 0 or the owner of a blackhole.
    pub(crate) fn result(&self) -> u64 {
        self.result.load(Ordering::Acquire)
    }

    /// Makes the header `claimed`, if it still is `before`, and notes the owner; 0 for nobody. False when another was first.
    pub(crate) fn claim(&self, before: u64, claimed: u64, owner: u64) -> bool {
        let won = self.header.compare_exchange(before, claimed, Ordering::Relaxed, Ordering::Relaxed).is_ok();
        if won && owner != 0 {
            // An update that began before the claim may have its value there, or put it there later.
            let _ = self.result.compare_exchange(0, owner, Ordering::Relaxed, Ordering::Relaxed);
        }
        won
    }

    /// Passes a claim on from an owner to another, unless an update has put its value there.
    pub(crate) fn pass_on(&self, owner: u64, other: u64) {
        let _ = self.result.compare_exchange(owner, other, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// Makes the thunk an indirection to a value, whatever it was. Of two such changes one stays, whole. Both words are
    /// released: a reader may follow one change's header to the other one's value. Where others may claim, the value is not 0.
    pub(crate) fn update(&self, indirection: u64, value: u64) {
        self.result.store(value, Ordering::Release);
        self.header.store(indirection, Ordering::Release);
    }
}
