//! A debugger's questions: why an object lives, where it was, what moved it; and the checks that look for
//! mistakes.

use crate::base::{Addr, Failure, Outcome};
use crate::gc::moves::{Batch, Move};
use crate::gc::plain_words;
use crate::heap::Mutator;
use crate::heap::object::model::HEADER_BITS;
use crate::runtime::Runtime;

impl Runtime {
    /// The last collection that moved an object to an address, or away from it.
    pub fn last_move(&self, address: Addr, away: bool) -> Outcome<Option<(&Batch, Move)>> {
        let Some(moves) = &self.checking.moves else {
            return Err(Failure::state(format_args!(
                "the places of objects are noted in checking mode only: with -DS, -DZ or -DL among the flags"
            )));
        };
        let address = Addr(address.0 & !HEADER_BITS);
        Ok(if away { moves.from(address) } else { moves.to(address) })
    }

    /// Looks for plain words that hold old addresses (`-DL`), directly after a collection.
    pub fn check_plain_words(&mut self, mutator: &mut Mutator) -> Outcome<()> {
        match &self.checking.moves {
            Some(moves) if self.flags.plain_words => match moves.last() {
                // The sizes of objects of the client's own kinds come from its callback.
                Some(last) => self.busy.mark().during(|| plain_words::check(&mut self.store, mutator, last)),
                None => Ok(()),
            },
            _ => Ok(()),
        }
    }
}
