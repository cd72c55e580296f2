//! Lists, of which one cell waits at a time: saved and scanned in one go.
//!
//! The scan of a list finds each cell that it has just saved, reads its table again, and looks whether there are
//! others. As long as a cell is the only object that waits, and has one pointer, the answers are known before: so this
//! does the scan's work, in the same order, with half of the instructions.

use super::observer::Observer;
use super::tracer::Tracer;
use super::words::copy_words;
use crate::base::Addr;
use crate::heap::object::info::{FLAG_MUTABLE, FLAG_NOTIFY_MOVED, FLAG_SHORTCUT, Info, Kind, kind_and_flags};
use crate::heap::object::model::{HEADER_BITS, HEADER_FORWARDED, info_of};
use crate::heap::space::generation::{Code, Place};
use crate::megablock::Codes;

/// The most words of a cell; larger ones are left to the scan.
pub(super) const MOST_CELL_WORDS: usize = 8;
/// No code of a block.
const NO_CODE: usize = usize::MAX;

/// Whether such an object is one pointer and then words that do not change, and a copy is all that has to be made of it.
#[inline(always)]
fn is_cell(info: &Info) -> bool {
    const OTHER: u16 = kind_and_flags(!0, FLAG_MUTABLE | FLAG_NOTIFY_MOVED | FLAG_SHORTCUT);
    info.ptrs == 1 && info.kind_and_flags() & OTHER == kind_and_flags(Kind::Constr.number(), 0)
}

impl<C: Codes, O: Observer> Tracer<'_, C, O> {
    /// Follows the list that goes on at `scan`, where the last object of a place lies, up to `end`. Gives the object that
    /// waits now: the first that is no cell of a list, or that does not come to this place, or the last that did.
    #[inline(never)]
    pub(super) fn follow_list(&mut self, place: Place, mut scan: Addr, end: Addr) -> Addr {
        // SAFETY: an object was saved here, with a header and nothing else in it.
        let header = unsafe { scan.load() };
        if header & HEADER_BITS != 0 || !is_cell(info_of(header)) {
            return scan;
        }
        let (codes, model) = (self.codes, self.model);
        let words_of = |info: &Info| model.rounded(2 + info.words as usize);
        if scan.plus_words(words_of(info_of(header))) != end {
            return scan;
        }
        let limit = self.desk.spots[place.index()].filling.limit;
        let mut next = end;
        // A code that is known to lead here.
        let mut usual = NO_CODE;
        loop {
            let slot = scan.plus_words(1);
            // SAFETY: the pointer of a saved cell.
            let word = unsafe { slot.load() };
            let from = Addr(word & !HEADER_BITS);
            let code = Code(codes.at(from.0));
            if code.0 as usize != usual {
                if !code.moves_up_to(self.last) || self.destination(code.place()) != place {
                    break;
                }
                usual = code.0 as usize;
            }
            // SAFETY: a pointer into a block of small objects is the address of one.
            let header = unsafe { from.load() };
            if header & HEADER_BITS != 0 || !is_cell(info_of(header)) {
                break;
            }
            let words = words_of(info_of(header));
            let after = next.plus_words(words);
            if after > limit || words > MOST_CELL_WORDS {
                break;
            }
            // SAFETY: the new place has room for `words` words and nobody knows it; the old one holds the object.
            unsafe {
                copy_words(from, next, words);
                planted!(81, (), from.store(next.0 | HEADER_FORWARDED));
                slot.store(planted!(80, from.0, word).wrapping_add(next.0.wrapping_sub(from.0)));
            }
            if O::ON {
                self.observer.kept(from, next, words, code.place(), place);
            }
            (scan, next) = (next, after);
        }
        self.desk.spots[place.index()].filling.next = next;
        scan
    }
}
