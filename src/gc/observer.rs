//! What the collector tells whoever wants to know. It is compiled in; with `Silent` the inner loops have none of it.

use crate::base::Addr;
use crate::heap::space::Place;

pub trait Observer {
    /// Whether calls are wanted at all.
    const ON: bool;
    /// An object lives: it was copied (`from` is not `to`) or relinked or marked where it is. Once per object.
    fn kept(&mut self, from: Addr, to: Addr, words: usize, place: Place);
}

/// Nobody wants to know.
pub struct Silent;

impl Observer for Silent {
    const ON: bool = false;
    #[inline(always)]
    fn kept(&mut self, _from: Addr, _to: Addr, _words: usize, _place: Place) {}
}
