//! The trait of profilers: a profiler is a folder of `profile/` with a type that the host tells of a heap's
//! life, in one order.
//!
//! A profiler never calls the collector. It looks at the runtime, says what it is owed, and the host decides
//! when the claim is met. Each hook does nothing unless a profiler implements it; `Profilers::each` has the
//! order in which they are told.

use crate::base::Addr;
use crate::block::Block;
use crate::gc::Plan;
use crate::heap::{Model, Mutator};
use crate::profile::batch::Kept;
use crate::profile::observer::Parts;
use crate::runtime::Runtime;

/// A profiler's claim on the host. Each claim includes those above it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Owed {
    Nothing,
    /// A collection of the nursery at least.
    NurseryCollection,
    /// A collection of everything, for its own sake.
    Collection,
    /// A collection of everything that counts what lives.
    Census,
}

/// A collection that has ended.
#[derive(Clone, Copy)]
pub struct Collected {
    /// The oldest generation that was collected.
    pub oldest: usize,
    pub major: bool,
    /// Whether a census was taken in it.
    pub counted: bool,
    /// The time of the sample that it may be, in seconds; with no meaning when no profiler asks.
    pub sample_seconds: f64,
}

/// A profiler of one heap. The hooks stand in the order of a collection; those behind it come at any time between two.
pub trait Profiler {
    /// Says what the profiler is owed before the next `words` words are allocated. The allocator's slow
    /// path asks.
    fn due(&mut self, _rt: &mut Runtime, _words: usize) -> Owed {
        Owed::Nothing
    }

    /// A collection is about to begin: every object is where it was, and whole.
    fn before(&mut self, _rt: &mut Runtime, _mutator: &mut Mutator, _plan: &Plan) {}

    /// Adds what the profiler wants to know of each object. The host asks again when a collection needs less
    /// memory than the last try.
    fn part<'a>(&'a mut self, _parts: &mut Parts<'a>, _major: bool) {}

    /// The collection has ended; nothing has been allocated since.
    fn after(&mut self, _rt: &mut Runtime, _collected: &Collected) {}

    /// An object of `words` words is about to be changed in place: for profiles it ends here.
    fn gone(&mut self, _rt: &mut Runtime, _object: Addr, _words: usize) {}

    /// An object was changed in place: for profiles a new one begins here, with no past.
    fn created(&mut self, _rt: &mut Runtime, _object: Addr) {}

    /// The heap is in the child of a fork: files that were begun are the parent's.
    fn child(&mut self, _rt: &mut Runtime) {}
}

/// A profiler that is told of objects one by one, beside those that the observer knows by name.
pub trait Listener {
    /// An object lives.
    fn kept(&mut self, _kept: &Kept) {}

    /// The collector is done with this group of blocks: objects that it did not keep are dead and still
    /// as they were; the header of a copied object holds the copy's address.
    /// # Safety
    /// The collector is done with the group, and has not freed it.
    unsafe fn left(&mut self, _model: &Model, _group: Block) {}
}
