//! The words that checking mode writes where nothing is any more.

use crate::base::Addr;
use crate::os::shadow;

/// A word that is not canonical on any machine of 64 bits that we run on, so that following it stops at once; odd, so
/// that it never looks like an info table.
pub(crate) const POISON: usize = 0xdead_beef_dead_beef;

/// Fills freed memory with words that are no addresses.
#[cold]
pub(crate) fn poison(from: Addr, to: Addr) {
    // The memory may be free to a memory checker already: a chunk into which nothing was put.
    shadow::hand_out(from, to);
    let words = to.words_since(from);
    // SAFETY: the callers hand in memory that no live object is in.
    unsafe { std::slice::from_raw_parts_mut(from.as_ptr::<usize>(), words) }.fill(POISON);
}
