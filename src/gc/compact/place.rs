//! Finds the new place of each live object, in one walk over the lines that reads no object.
//!
//! The objects that begin in one line stay together, so a line needs one address only. They go behind the objects
//! before them, or to the next group when they do not fit there. Objects that lay behind others of their own group fit
//! behind them again, so nothing is ever put behind the place where it was [gc.compact.downwards].

use crate::base::Addr;
use crate::base::size::*;
use crate::block::Chain;
use crate::megablock::{Codes, Line};

/// Writes into each line where its objects go, and into each group how far it will be filled.
pub(super) fn place<C: Codes>(codes: C, groups: Chain) {
    let Some(mut into) = groups.first.some() else { return };
    let mut next = into.start();
    for group in groups.iter() {
        let end = group.fields().free;
        let mut at = group.start();
        while at < end {
            // SAFETY: the group's lines exist, are adjacent, and nobody else uses them.
            let words = unsafe { words_beginning_in(codes.line(at.0), at, end) };
            if words > 0 {
                if next.plus_words(words) > into.end() {
                    into = into.fields().link;
                    next = into.start();
                }
                // SAFETY: as above.
                let line = unsafe { &mut *codes.line(at.0) };
                // Live words of an object that began before this line come before the others, and are counted off here.
                line.to = next.0.wrapping_sub(line.to * WORD_BYTES);
                next = next.plus_words(words);
                into.fields().scanned = next;
            }
            at = at.plus_bytes(LINE_BYTES);
        }
    }
}

/// Words of the objects that begin in a line.
///
/// # Safety
/// The lines from `line` to that of `end` are those of one group.
unsafe fn words_beginning_in(mut line: *const Line, mut at: Addr, end: Addr) -> usize {
    // SAFETY: the caller's promise.
    unsafe {
        let mut words = (*line).live.count_ones() as usize - (*line).to;
        if words == 0 {
            return 0;
        }
        // The last object may go on behind the line.
        loop {
            at = at.plus_bytes(LINE_BYTES);
            if at >= end {
                return words;
            }
            line = line.add(1);
            words += (*line).to;
            if (*line).to < LINE_WORDS {
                return words;
            }
        }
    }
}
