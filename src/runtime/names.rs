//! Stable names and identity hashes: numbers that stay with an object wherever it moves.

use super::heap::Runtime;
use crate::base::{Addr, Failure, Outcome};
use crate::heap::model::HEADER_BITS;
use crate::heap::{Mutator, own};

/// Words of a stable name: header and number.
const NAME_WORDS: usize = 2;

impl Runtime {
    fn entry_of(&mut self, object: Addr) -> Outcome<u32> {
        self.refuse_while_busy()?;
        let object = Addr(object.0 & !HEADER_BITS);
        if object.is_null() {
            return Err(Failure::argument(format_args!("NULL is no object: it has no identity")));
        }
        self.store.names.entry(object)
    }

    /// A number that is the object's alone, while it lives, and nobody's afterwards.
    pub fn identity(&mut self, object: Addr) -> Outcome<u64> {
        let entry = self.entry_of(object)?;
        Ok(self.store.names.number(entry))
    }

    /// The object that stands for another one without keeping it alive. Never collects.
    pub fn stable_name(&mut self, mutator: *mut Mutator, object: Addr) -> Outcome<Addr> {
        let entry = self.entry_of(object)?;
        let name = self.store.names.name(entry);
        if !name.is_null() {
            return Ok(name);
        }
        let name = self.allocate(mutator, NAME_WORDS, 0)?;
        // SAFETY: the words were just allocated.
        unsafe {
            name.store(own::STABLE_NAME.address().0);
            name.plus_words(1).store(self.store.names.number(entry) as usize);
        }
        self.store.names.set_name(entry, name)?;
        Ok(name)
    }
}
