//! A reference to an object, which keeps it alive and follows it when it moves.

use super::heap::{Heap, Mutator};
use crate::base::{Addr, Failure, Outcome};
use crate::heap::object::header::info_of;
use crate::heap::root::stable::Handle;
use crate::heap::{Info, Kind};

/// A reference to a live object. Its fields are read and written through it.
pub struct Root<'m> {
    mutator: &'m Mutator<'m>,
    /// A live entry of the heap's table, until this is dropped.
    handle: *mut Handle,
}

impl<'m> Root<'m> {
    /// # Safety
    /// The handle is live, and only this root frees it.
    pub(super) unsafe fn of(mutator: &'m Mutator<'_>, handle: *mut Handle) -> Root<'m> {
        Root { mutator, handle }
    }

    pub(super) fn heap(&self) -> &Heap {
        self.mutator.heap()
    }

    pub(super) fn address(&self) -> usize {
        // SAFETY: the entry is live.
        unsafe { (*self.handle).object }
    }

    /// The object's address and its table.
    fn object(&self) -> Outcome<(Addr, &'static Info)> {
        // The object may be half moved in a heap whose collection ended in a panic.
        self.heap().with(|_| Ok(()))?;
        let at = Addr(self.address());
        // SAFETY: a live object lies there, whose table is a static of the program.
        Ok((at, unsafe { info_of(at.load()) }))
    }

    fn pointer_field(&self, index: usize) -> Outcome<(Addr, Addr, &'static Info)> {
        let (at, info) = self.object()?;
        if index >= info.ptrs as usize {
            return Err(Failure::argument(format_args!(
                "the object has {} references, and no reference {index}",
                info.ptrs
            )));
        }
        Ok((at, at.plus_words(1 + index), info))
    }

    fn word_field(&self, index: usize) -> Outcome<Addr> {
        let (at, info) = self.object()?;
        if index >= info.words as usize {
            return Err(Failure::argument(format_args!(
                "the object has {} words, and no word {index}",
                info.words
            )));
        }
        Ok(at.plus_words(1 + info.ptrs as usize + index))
    }

    /// The object that a reference of this one leads to.
    pub fn reference(&self, index: usize) -> Outcome<Option<Root<'m>>> {
        let (_, field, _) = self.pointer_field(index)?;
        // SAFETY: a field of a live object.
        let to = unsafe { field.load() };
        if to == 0 {
            return Ok(None);
        }
        let handle = self.heap().with(|host| host.store.stable.make(to))?;
        // SAFETY: the entry was just made.
        Ok(Some(unsafe { Root::of(self.mutator, handle) }))
    }

    pub fn word(&self, index: usize) -> Outcome<usize> {
        // SAFETY: a field of a live object.
        self.word_field(index).map(|field| unsafe { field.load() })
    }

    pub fn set_word(&self, index: usize, word: usize) -> Outcome<()> {
        let field = self.word_field(index)?;
        // SAFETY: a field of a live object; the collector does not look at plain words.
        unsafe { field.store(word) };
        Ok(())
    }

    /// Lets a reference of an object of a variable shape lead elsewhere.
    pub fn set_reference(&self, index: usize, to: Option<&Root<'_>>) -> Outcome<()> {
        let (at, field, info) = self.pointer_field(index)?;
        if !info.is(Kind::MutVar) {
            return Err(Failure::argument(format_args!(
                "the references of the object do not change: Shape::variable makes shapes whose references do"
            )));
        }
        if let Some(to) = to {
            self.mutator.refuse_foreign(to)?;
        }
        self.mutator.write(at, field, to.map_or(0, Root::address))
    }

    /// Whether two roots hold the same object.
    pub fn is(&self, other: &Root<'_>) -> bool {
        self.address() == other.address()
    }
}

impl Drop for Root<'_> {
    fn drop(&mut self) {
        let _ = self.heap().with(|host| {
            host.store.stable.free_at(self.handle);
            Ok(())
        });
    }
}
