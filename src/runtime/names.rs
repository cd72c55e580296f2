//! Identity hashes, and the table of stable names.

use crate::base::{Addr, Failure, Outcome};
use crate::heap::object::model::HEADER_BITS;
use crate::runtime::Runtime;

/// Words of a stable name: header and number.
pub(crate) const NAME_WORDS: usize = 2;

impl Runtime {
    pub(crate) fn entry_of(&mut self, object: Addr) -> Outcome<u32> {
        self.refuse_while_busy()?;
        let object = Addr(object.0 & !HEADER_BITS);
        if object.is_null() {
            return Err(Failure::argument(format_args!("NULL is no object: it has no identity")));
        }
        let is_ours = !self.code(object).is_none();
        self.store.names.entry(object, is_ours)
    }

    /// A number for an object: no other object has it, neither now nor later.
    pub fn identity(&mut self, object: Addr) -> Outcome<u64> {
        let entry = self.entry_of(object)?;
        Ok(self.store.names.number(entry))
    }
}
