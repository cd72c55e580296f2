//! A vector whose growth can be refused. The library uses no other growable container.

use super::{Failure, Outcome, fault};
use std::ops::{Deref, DerefMut};

#[derive(Debug)]
pub struct List<T>(Vec<T>);

impl<T> List<T> {
    pub const fn new() -> List<T> {
        List(Vec::new())
    }

    /// Makes room for `more` elements: then that many `push_within` succeed.
    pub fn reserve(&mut self, more: usize) -> Outcome<()> {
        if self.0.capacity() - self.0.len() >= more {
            return Ok(());
        }
        if planted!(157, false, !fault::allow()) || self.0.try_reserve(more).is_err() {
            return Err(Failure::no_memory(format_args!(
                "no memory for a table of {} entries inside the library",
                self.0.len() + more
            )));
        }
        Ok(())
    }

    #[inline]
    pub fn push(&mut self, value: T) -> Outcome<()> {
        if self.0.len() == self.0.capacity() {
            self.reserve(1)?;
        }
        self.0.push(value);
        Ok(())
    }

    /// Appends into reserved room; hands the value back when there is none.
    pub fn push_within(&mut self, value: T) -> Result<(), T> {
        if self.0.len() == self.0.capacity() {
            return Err(value);
        }
        self.0.push(value);
        Ok(())
    }

    /// Appends all of `more`, or nothing.
    pub fn append(&mut self, more: &[T]) -> Outcome<()>
    where
        T: Copy,
    {
        self.reserve(more.len())?;
        self.0.extend_from_slice(more);
        Ok(())
    }

    /// Appends `value` until there are `length` elements.
    pub fn fill(&mut self, length: usize, value: T) -> Outcome<()>
    where
        T: Copy,
    {
        self.reserve(length.saturating_sub(self.0.len()))?;
        self.0.resize(length.max(self.0.len()), value);
        Ok(())
    }

    pub fn insert(&mut self, index: usize, value: T) -> Outcome<()> {
        self.reserve(1)?;
        self.0.insert(index, value);
        Ok(())
    }

    pub fn remove(&mut self, index: usize) -> T {
        self.0.remove(index)
    }

    pub fn swap_remove(&mut self, index: usize) -> T {
        self.0.swap_remove(index)
    }

    pub fn pop(&mut self) -> Option<T> {
        self.0.pop()
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }

    pub fn truncate(&mut self, length: usize) {
        self.0.truncate(length);
    }

    pub fn retain_mut(&mut self, keep: impl FnMut(&mut T) -> bool) {
        self.0.retain_mut(keep);
    }

    /// Bytes by which `held_bytes` grows, at most, when room for `more` elements is made.
    pub fn growth_bytes(&self, more: usize) -> usize {
        // The smallest capacity of a vector of bytes.
        const LEAST: usize = 8;
        let (length, room) = (self.0.len(), self.0.capacity());
        if room - length >= more {
            return 0;
        }
        ((length + more).max(2 * room).max(LEAST) - room) * size_of::<T>()
    }

    /// Bytes held from the system allocator.
    pub fn held_bytes(&self) -> usize {
        self.0.capacity() * size_of::<T>()
    }
}

/// A box, or a failure when memory is refused.
pub(crate) fn try_box<T>(value: T) -> Outcome<Box<T>> {
    let mut one = Vec::new();
    if !fault::allow() || one.try_reserve_exact(1).is_err() {
        return Err(Failure::no_memory(format_args!("no memory for a handle of {} bytes", size_of::<T>())));
    }
    one.push(value);
    let slice = Box::into_raw(one.into_boxed_slice());
    // SAFETY: a slice of one element has the layout of the element, and was allocated as such.
    Ok(unsafe { Box::from_raw(slice.cast::<T>()) })
}

/// Text can be written to a list as to a file; the error kind is `OutOfMemory`.
impl std::io::Write for List<u8> {
    fn write(&mut self, text: &[u8]) -> std::io::Result<usize> {
        self.append(text).map_err(|_| std::io::ErrorKind::OutOfMemory)?;
        Ok(text.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl<T> Default for List<T> {
    fn default() -> Self {
        List::new()
    }
}

impl<T> Deref for List<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T> DerefMut for List<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_is_foretold() {
        let mut list: List<(u64, u64)> = List::new();
        for more in [1, 1, 1, 7, 1, 100, 1, 1000].into_iter().cycle().take(100) {
            let (before, foretold) = (list.held_bytes(), list.growth_bytes(more));
            list.fill(list.len() + more, (0, 0)).unwrap();
            let grown = list.held_bytes() - before;
            assert!(grown <= foretold && (grown == 0) == (foretold == 0), "{grown} of {foretold} bytes");
        }
    }
}
