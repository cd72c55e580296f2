//! The events of a collection for profilers. An observer is compiled in; with `Silent` the inner loops have none of it.

use crate::base::Addr;
use crate::block::Block;
use crate::heap::space::generation::Place;

/// The entries of objects in an observer's tables, which follow the objects. Several threads may carry entries of several
/// objects at a time.
pub(crate) trait Carrier: Copy {
    /// Writes at an object's new place what stands at the old one.
    ///
    /// # Safety
    /// Both places are in blocks of small objects, and no other thread uses the entries of either meanwhile. Objects that had their entries
    /// at the new place have moved, with their entries.
    unsafe fn carry(self, from: Addr, to: Addr);
}

pub(crate) trait Observer {
    const ON: bool;
    type Carrier: Carrier;

    /// An object lives: it was copied (`from` is not `to`, and `to` has the whole object), or relinked or marked where
    /// it is. Once per object of the collected generations. It was in `was`, and is in `place` now.
    fn kept(&mut self, from: Addr, to: Addr, words: usize, was: Place, place: Place);

    /// Begins (`true`) or ends the part of a collection in which objects only come to the oldest generation. Living objects
    /// are kept there once more afterwards, when all of it is judged [gc.leave].
    fn promotes(&mut self, begins: bool);

    /// Everything that lives has been kept. Copied objects are still there twice.
    fn all_kept(&mut self);

    /// All live objects in a group of the collected generations, fixed ones included, have been kept: the rest of the
    /// group is dead, and still what it was [bio.marks]. Not called for young objects that are copied.
    fn left(&mut self, group: Block);

    /// The entries of objects that were kept where they were, and slide elsewhere afterwards.
    fn carrier(&self) -> Self::Carrier;

    /// Whether it is told of each object that slides.
    fn notes_moves(&self) -> bool;

    /// An object slides from one place to another. These calls come in any order.
    fn moved(&mut self, from: Addr, to: Addr);

    /// An object that is not kept is about to be written over, because another takes its place. If the indirection that is written there
    /// is kept, it is a new object.
    fn replaces(&mut self, object: Addr);

    /// An object that was kept is about to get another info table.
    fn renames(&mut self);

    /// An object that was kept has another info table now, and the same size; `before` is a header with the old one.
    fn renamed(&mut self, object: Addr, words: usize, before: usize);

    /// Whether a change of kind that programs do not see would be the death of an object and the birth of another.
    fn tells_kinds_apart(&self) -> bool;
}

pub(crate) struct Silent;

impl Carrier for () {
    #[inline(always)]
    unsafe fn carry(self, _from: Addr, _to: Addr) {}
}

impl Observer for Silent {
    const ON: bool = false;
    type Carrier = ();
    #[inline(always)]
    fn kept(&mut self, _from: Addr, _to: Addr, _words: usize, _was: Place, _place: Place) {}
    #[inline(always)]
    fn promotes(&mut self, _begins: bool) {}
    #[inline(always)]
    fn all_kept(&mut self) {}
    #[inline(always)]
    fn left(&mut self, _group: Block) {}
    #[inline(always)]
    fn carrier(&self) {}
    #[inline(always)]
    fn notes_moves(&self) -> bool {
        false
    }
    #[inline(always)]
    fn moved(&mut self, _from: Addr, _to: Addr) {}
    #[inline(always)]
    fn replaces(&mut self, _object: Addr) {}
    #[inline(always)]
    fn renames(&mut self) {}
    #[inline(always)]
    fn renamed(&mut self, _object: Addr, _words: usize, _before: usize) {}
    #[inline(always)]
    fn tells_kinds_apart(&self) -> bool {
        false
    }
}
