//! Stable names as clients ask for them: each is allocated.

use crate::base::{Addr, Outcome};
use crate::heap::Mutator;
use crate::heap::object::own;
use crate::host::Host;
use crate::runtime::names::NAME_WORDS;

impl Host {
    /// The object that stands for another one without keeping it alive. Never collects.
    pub(crate) fn stable_name(&mut self, mutator: *mut Mutator, object: Addr) -> Outcome<Addr> {
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
