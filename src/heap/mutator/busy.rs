//! The mark of a heap that collects, or that calls a function of its client's: calls that would change the heap are
//! refused then.
//!
//! A callback comes back over the C boundary, where it gets a reference to the heap of its own. So the mark lies by itself,
//! and is written as an atomic: no reference that is held round the call says that nobody else looks at it. Compiled code
//! asks nobody before it allocates, so its allocation area is closed while the mark is set.

use crate::base::list::try_box;
use crate::base::{Addr, Outcome};
use crate::heap::mutator::state::{Mutator, attention};
use crate::heap::object::info::{Info, Kind};
use crate::heap::object::model::Model;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};

struct State {
    is_set: AtomicBool,
    /// The heap's mutator; null while there is none.
    mutator: AtomicPtr<Mutator>,
}

impl State {
    fn set(&self, busy: bool) {
        self.is_set.store(busy, Ordering::Relaxed);
        let mutator = self.mutator.load(Ordering::Relaxed);
        if mutator.is_null() {
            return;
        }
        // SAFETY: a mutator is taken away from here before it goes.
        unsafe {
            if busy {
                Mutator::be_out(mutator);
                Mutator::ask(mutator, attention::CLOSED);
            } else {
                Mutator::be_back(mutator);
                Mutator::reopen(mutator);
            }
        }
    }
}

/// The heap's own end of the mark.
pub struct Busy(NonNull<State>);

/// The mark for code that calls the client on behalf of a heap. The default is of no heap.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mark(Option<NonNull<State>>);

impl Busy {
    pub fn new() -> Outcome<Busy> {
        let state = State { is_set: AtomicBool::new(false), mutator: AtomicPtr::new(std::ptr::null_mut()) };
        Ok(Busy(NonNull::from(Box::leak(try_box(state)?))))
    }

    fn state(&self) -> &State {
        // SAFETY: it lives until this is dropped, and all access is atomic.
        unsafe { self.0.as_ref() }
    }

    #[inline]
    pub fn is_set(&self) -> bool {
        self.state().is_set.load(Ordering::Relaxed)
    }

    pub fn set(&self, busy: bool) {
        self.state().set(busy);
    }

    /// Sets the mutator whose allocation area is closed while the heap is busy, or null. The heap is not busy now, or
    /// goes.
    ///
    /// # Safety
    /// A mutator that is not null lives until another one, or none, takes its place.
    pub unsafe fn closes(&self, mutator: *mut Mutator) {
        self.state().mutator.store(mutator, Ordering::Relaxed);
    }

    /// The mark for callers, who must not use it after this is dropped.
    pub fn mark(&self) -> Mark {
        Mark(Some(self.0))
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        // SAFETY: it came from a box, and marks go with their holders, which are part of the heap.
        drop(unsafe { Box::from_raw(self.0.as_ptr()) });
    }
}

impl Mark {
    /// Calls the client, who finds the heap busy.
    #[inline]
    pub fn during<T>(self, call: impl FnOnce() -> T) -> T {
        let Some(state) = self.0 else { return call() };
        // SAFETY: the heap, which a callback cannot free while it is marked, has the state; all access is atomic.
        let state = unsafe { state.as_ref() };
        // One thread at a time uses a heap, so this need not be one step.
        if state.is_set.load(Ordering::Relaxed) {
            return call();
        }
        state.set(true);
        let value = call();
        state.set(false);
        value
    }

    /// The words of an object. The client, who is asked for those of its own kinds, finds the heap busy.
    ///
    /// # Safety
    /// The promise of `Model::size` holds.
    #[inline]
    pub unsafe fn words_of(self, model: &Model, object: Addr, info: &Info) -> usize {
        // SAFETY: the caller's promise.
        let words = || unsafe { model.size(object, info) };
        if planted!(593, false, info.is(Kind::Custom)) { self.during(words) } else { words() }
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

    #[test]
    fn compiled_code_finds_no_room_while_the_heap_is_busy() {
        let busy = Busy::new().unwrap();
        let mut area = [0usize; 8];
        let (start, end) = (area.as_mut_ptr(), area.as_mut_ptr_range().end);
        let mut mutator = Mutator::new(0, std::ptr::null_mut());
        mutator.set_area(crate::base::Addr(start as usize), crate::base::Addr(end as usize));
        let at = &raw mut mutator;
        // SAFETY: the mutator outlives the mark.
        unsafe { busy.closes(at) };
        // SAFETY: the mutator lives, and this is its thread: so for all that follow.
        let limit = || unsafe { (*at).window.hp_lim };
        assert_eq!(limit(), end);
        busy.mark().during(|| {
            assert!(limit().is_null());
            // Neither a look at what was asked for nor a new area opens it.
            // SAFETY: as above.
            unsafe {
                assert_eq!((*at).take_attention(), 0);
                (*at).show_limit();
            }
            assert!(limit().is_null());
            // SAFETY: as above.
            unsafe { Mutator::ask(at, attention::COLLECT) };
        });
        // The collection that was asked for meanwhile is still to be done.
        assert!(limit().is_null());
        // SAFETY: as above.
        assert_eq!(unsafe { (*at).take_attention() }, attention::COLLECT);
        assert_eq!(limit(), end);
    }
}
