//! Changes of objects in place that profilers hear of: an object becomes another kind, or shorter.

use crate::base::size::MAX_OBJECT_WORDS;
use crate::base::{Addr, Failure, Outcome};
use crate::block::Block;
use crate::heap::object::array::{Array, has_cards};
use crate::heap::object::info::{Info, Kind};
use crate::heap::object::kind::Kinds;
use crate::heap::object::model::{HEADER_BITS, info_of};
use crate::host::Host;

impl Host {
    /// Changes the kind of an object. The new kind may be smaller; the rest becomes slop.
    pub(crate) fn become_kind(&mut self, object: Addr, info: Addr) -> Outcome<()> {
        let code = self.object_code(object)?;
        // SAFETY: the client hands in an info table.
        let new_info = unsafe { Info::check(info)? };
        // SAFETY: `object_code` found a block of objects there; the client says that it is one.
        let old_info = info_of(unsafe { object.load() });
        for info in [new_info, old_info] {
            if info.is(Kind::WeakArray) {
                return Err(Failure::argument(format_args!(
                    "a weak array neither changes its kind, nor does anything become one"
                )));
            }
            if info.is_in(Kinds::OWN_CALL) {
                return Err(Failure::argument(format_args!(
                    "weak pointers, stacks, frames and stable names neither change their kind, nor does anything become one"
                )));
            }
        }
        // SAFETY: as above.
        let (header, old_words) = unsafe { self.size_that_fits(object)? };
        // SAFETY: the size of the new kind is read from words that the object has; they were written before.
        let new_words = unsafe { self.size_or_most(object, new_info, old_words) };
        if new_words > old_words {
            return Err(Failure::argument(format_args!(
                "an object of {old_words} words cannot become {}, which would have {new_words}",
                new_info.name()
            )));
        }
        self.overwritten(object, old_words);
        // SAFETY: as above.
        unsafe { object.store(info.0 | (header & planted!(24, 0, HEADER_BITS))) };
        self.changed(object, code, old_words, new_words);
        self.created(object);
        Ok(())
    }

    /// The header of an object, and its size, which fits where the object is: a length that was written too early may not.
    ///
    /// # Safety
    /// An object lies there.
    unsafe fn size_that_fits(&self, object: Addr) -> Outcome<(usize, usize)> {
        // SAFETY: the caller's promise.
        let (header, words) = unsafe {
            let header = object.load();
            (header, self.size_or_most(object, info_of(header), usize::MAX))
        };
        // The end of so many words may lie beyond the largest address.
        if planted!(661, words & usize::MAX >> 3, words) > Block::of(object).head().end().words_since(object)
        {
            return Err(Failure::argument(format_args!(
                "the object at {object} ({}) would have {words} words and does not fit where it is: a length field keeps its value until \
                 the call has changed the object",
                info_of(header).name()
            )));
        }
        Ok((header, words))
    }

    /// The size of an object of so many words as one of a kind, which is the largest there is where its length is none that an object
    /// has, or lies behind those words. A size that is computed of any length could be that of a small object again.
    ///
    /// # Safety
    /// The object has so many words.
    unsafe fn size_or_most(&self, object: Addr, info: &Info, words: usize) -> usize {
        let length = if info.is(Kind::Sized) {
            1 + info.field as usize
        } else if info.is(Kind::Ap) {
            2
        } else if info.is(Kind::Pap) || (info.is_in(Kinds::LENGTH_FIRST) && !info.is(Kind::Bytes)) {
            1
        } else {
            // A length in bytes is that of fewer words, which are never those of a small object again.
            0
        };
        // SAFETY: the caller's promise.
        let fits = length < words && unsafe { object.plus_words(length).load() } <= MAX_OBJECT_WORDS;
        if length == 0 || planted!(557, true, fits) {
            // SAFETY: the words that tell the size are there.
            unsafe { self.busy.mark().words_of(&self.store.model, object, info) }
        } else {
            MAX_OBJECT_WORDS
        }
    }

    /// Shortens an object: `length` is the new value of its length field, in the field's own unit.
    pub(crate) fn shrink(&mut self, object: Addr, length: usize) -> Outcome<()> {
        let code = self.object_code(object)?;
        // SAFETY: `object_code` found a block of objects there; the client says that it is one.
        let (header, old_words) = unsafe { self.size_that_fits(object)? };
        let info = info_of(header);
        let field = if info.is_in(Kinds::LENGTH_FIRST) {
            object.plus_words(1)
        } else if info.is(Kind::Sized) {
            object.plus_words(1 + info.field as usize)
        } else {
            return Err(Failure::argument(format_args!(
                "an object of kind {} ({}) has no length to shorten",
                info.kind,
                info.name()
            )));
        };
        // SAFETY: the object has this field.
        let old_length = unsafe { field.load() };
        if length > old_length {
            return Err(Failure::argument(format_args!(
                "an object of length {old_length} cannot be shortened to {length}"
            )));
        }
        self.overwritten(object, old_words);
        // SAFETY: as above. Cards move with the length, so an array's are marked anew.
        let new_words = unsafe {
            field.store(length);
            if info.is_in(Kinds::ARRAY) && has_cards(length) {
                Array(object).mark(0, length);
            }
            self.busy.mark().words_of(&self.store.model, object, info)
        };
        self.changed(object, code, old_words, new_words);
        self.created(object);
        Ok(())
    }
}
