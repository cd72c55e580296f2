//! Weak pointers as clients make them: each is allocated.

use crate::base::{Addr, Failure, Outcome};
use crate::heap::Mutator;
use crate::heap::object::weak::{Finalizer, WEAK_WORDS, Weak, WeakObject};
use crate::host::Host;

impl Host {
    /// Makes a weak pointer. Never collects, so the addresses that it is given stay right.
    pub fn make_weak(&mut self, mutator: *mut Mutator, fields: Finalizer) -> Outcome<Addr> {
        self.refuse_while_busy()?;
        let fields_of = [fields.key, fields.value, fields.object];
        if fields.key.is_null() {
            return Err(Failure::argument(format_args!(
                "a weak pointer with the key NULL would never die; its key is an object"
            )));
        }
        for (name, field) in ["key", "value", "finalizer"].iter().zip(fields_of) {
            self.refuse_no_object(name, Addr(field as usize & !crate::heap::object::model::HEADER_BITS))?;
        }
        self.store.weaks.prepare()?;
        let at = self.allocate(mutator, WEAK_WORDS, 0)?;
        // SAFETY: the words were just allocated; a word added for alignment is cleared.
        unsafe {
            if self.store.rounded(WEAK_WORDS) > WEAK_WORDS {
                at.plus_words(WEAK_WORDS).store(0);
            }
            at.as_ptr::<WeakObject>().write(WeakObject {
                header: crate::heap::object::own::WEAK.address().0,
                key: fields.key,
                value: fields.value,
                finalizer: fields.object,
                link: std::ptr::null_mut(),
                function: fields.function,
                data: fields.data,
            });
        }
        self.store.weaks.add(Weak(at));
        Ok(at)
    }
}
