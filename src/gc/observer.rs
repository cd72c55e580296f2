//! The events of a collection for profilers. An observer is compiled in; with `Silent` the inner loops have none of it.

use crate::base::Addr;
use crate::block::Block;
use crate::heap::space::generation::Place;

pub(crate) trait Observer {
    const ON: bool;

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

    /// An object that was kept where it was slides elsewhere afterwards. Its new place may hold others that have been
    /// moved already; the tables are carried along in the order of these calls.
    fn moved(&mut self, from: Addr, to: Addr, words: usize);

    /// An object that is not kept is about to be written over, because another takes its place.
    fn replaces(&mut self, object: Addr);

    /// An object that was kept is about to get another info table.
    fn renames(&mut self);

    /// An object that was kept has another info table now, and the same size; `before` is a header with the old one.
    fn renamed(&mut self, object: Addr, words: usize, before: usize);

    /// Whether a change of kind that programs do not see would be the death of an object and the birth of another.
    fn tells_kinds_apart(&self) -> bool;
}

pub(crate) struct Silent;

impl Observer for Silent {
    const ON: bool = false;
    #[inline(always)]
    fn kept(&mut self, _from: Addr, _to: Addr, _words: usize, _was: Place, _place: Place) {}
    #[inline(always)]
    fn promotes(&mut self, _begins: bool) {}
    #[inline(always)]
    fn all_kept(&mut self) {}
    #[inline(always)]
    fn left(&mut self, _group: Block) {}
    #[inline(always)]
    fn moved(&mut self, _from: Addr, _to: Addr, _words: usize) {}
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
