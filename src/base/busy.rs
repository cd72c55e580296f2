//! The mark of a heap that collects, or that calls a function of its client's: what would change the heap is refused then.
//!
//! A callback comes back over the C boundary, where it gets a reference to the heap of its own. So the mark lies by itself,
//! and is written as an atomic: no reference that is held round the call says that nobody else looks at it.

use super::Outcome;
use super::list::try_box;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicBool, Ordering};

/// The heap's own end of the mark.
pub struct Busy(NonNull<AtomicBool>);

/// For those that call the client on behalf of a heap. The default is of no heap.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mark(Option<NonNull<AtomicBool>>);

impl Busy {
    pub fn new() -> Outcome<Busy> {
        Ok(Busy(NonNull::from(Box::leak(try_box(AtomicBool::new(false))?))))
    }

    fn flag(&self) -> &AtomicBool {
        // SAFETY: it lives until this is dropped, and all access is atomic.
        unsafe { self.0.as_ref() }
    }

    #[inline]
    pub fn is_set(&self) -> bool {
        self.flag().load(Ordering::Relaxed)
    }

    pub fn set(&self, busy: bool) {
        self.flag().store(busy, Ordering::Relaxed);
    }

    /// It must not be used after this is dropped.
    pub fn mark(&self) -> Mark {
        Mark(Some(self.0))
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        // SAFETY: it came from a box, and marks go with what they are kept in, which is part of the heap.
        drop(unsafe { Box::from_raw(self.0.as_ptr()) });
    }
}

impl Mark {
    /// Calls the client, who finds the heap busy.
    #[inline]
    pub fn during<T>(self, call: impl FnOnce() -> T) -> T {
        let Some(flag) = self.0 else { return call() };
        // SAFETY: the heap, which a callback cannot free while it is marked, has the flag; all access is atomic.
        let flag = unsafe { flag.as_ref() };
        // One thread at a time uses a heap, so this need not be one step.
        let before = flag.load(Ordering::Relaxed);
        flag.store(true, Ordering::Relaxed);
        let value = call();
        flag.store(before, Ordering::Relaxed);
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_inside_a_call_leaves_the_heap_busy() {
        let busy = Busy::new().unwrap();
        let mark = busy.mark();
        let seen = mark.during(|| (mark.during(|| busy.is_set()), busy.is_set()));
        assert_eq!((seen, busy.is_set()), ((true, true), false));
        assert_eq!(Mark::default().during(|| 7), 7);
    }
}
