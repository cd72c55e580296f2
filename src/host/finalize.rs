//! Weak pointers as clients make them: each is allocated.

use crate::base::size::WORD_BYTES;
use crate::base::{Addr, Failure, Outcome};
use crate::heap::Mutator;
use crate::heap::object::header::HEADER_BITS;
use crate::heap::object::weak::{Finalizer, WEAK_WORDS, Weak, WeakObject};
use crate::host::Host;
use std::ffi::c_void;

impl Host {
    /// Makes a weak pointer. Never collects, so the addresses that it is given stay right.
    pub(crate) fn make_weak(&mut self, mutator: *mut Mutator, fields: Finalizer) -> Outcome<Addr> {
        self.refuse_while_busy()?;
        let fields_of = [fields.key, fields.value, fields.object];
        if fields.key.is_null() {
            return Err(Failure::argument(format_args!(
                "a weak pointer with the key NULL would never die; its key is an object"
            )));
        }
        for (name, field) in ["key", "value", "finalizer"].iter().zip(fields_of) {
            self.refuse_no_object(name, Addr(field as usize & !HEADER_BITS))?;
        }
        self.store.weaks.prepare()?;
        let at = self.allocate(mutator, WEAK_WORDS, 0)?;
        self.list_weak(at, fields);
        Ok(at)
    }

    /// Makes a weak pointer where room for it is at hand, and every field is seen at once to be an object here, or NULL.
    #[inline]
    pub fn make_weak_in_pool(&mut self, mutator: &mut Mutator, fields: Finalizer) -> Option<Addr> {
        let store = &self.runtime.store;
        let bits = HEADER_BITS | (store.model.round * WORD_BYTES);
        let is_here = |field: *mut c_void| {
            let at = field as usize;
            at == 0 || at & bits == 0 && store.holds(Addr(at))
        };
        let known =
            !fields.key.is_null() && is_here(fields.key) && is_here(fields.value) && is_here(fields.object);
        if !known || self.flags.sanity || !store.weaks.is_prepared() {
            return None;
        }
        let at = self.allocate_in_pool(mutator, WEAK_WORDS)?;
        self.list_weak(at, fields);
        Some(at)
    }

    /// Fills the words of a new weak pointer, and lists it.
    #[inline]
    fn list_weak(&mut self, at: Addr, fields: Finalizer) {
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
    }
}
