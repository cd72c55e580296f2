//! Weak pointers as clients see them, and the queue of finalizers that they run outside the pause.

use crate::base::size::WORD_BYTES;
use crate::base::{Addr, Failure, Outcome};
use crate::gc::objects::may_begin;
use crate::heap::object::weak::{Finalizer, FinalizerFunction, State, Weak};
use crate::megablock::owners::Owner;
use crate::runtime::Runtime;
use std::ffi::c_void;

fn call_at_the_end(finalizer: Finalizer) {
    if let Some(function) = finalizer.function {
        // SAFETY: the client's function takes its data, the key and the value, which are all still there.
        unsafe { function(std::ptr::null_mut(), finalizer.data, finalizer.key, finalizer.value) };
    }
}

impl Runtime {
    /// Refuses an address that is no object's: one in memory of ours that holds none, or in another heap. In
    /// checking mode also an address in the middle of an object. An address outside all heaps is the client's
    /// own.
    #[inline]
    pub(crate) fn refuse_no_object(&mut self, name: &str, at: Addr) -> Outcome<()> {
        // Most weak pointers have a key alone; to ask who owns an address takes a lock.
        if at.is_null() {
            return Ok(());
        }
        let wrong = |what: &str| Err(Failure::argument(format_args!("the {name} {at} {what}")));
        if self.store.holds(at) {
            let between = at.0 & (self.store.model.round * WORD_BYTES) != 0;
            if self.stats.collections != self.checking.walked.0 {
                self.checking.walked = (self.stats.collections, Addr::NULL);
            }
            if between
                || self.flags.sanity
                    && !planted!(233, true, may_begin(&self.store, at, &mut self.checking.walked.1))
            {
                return wrong("lies in the middle of an object");
            }
            return Ok(());
        }
        match self.store.blocks.megablocks.owner(at) {
            Owner::Nobody => Ok(()),
            Owner::This => wrong("is free memory of this heap"),
            Owner::Other => wrong("lies in another heap: a weak pointer belongs to the heap of its key"),
        }
    }

    /// The weak pointer at an address that the client gave.
    fn weak_at(&self, at: Addr) -> Outcome<(Weak, State)> {
        self.object_code(at)?;
        // SAFETY: `object_code` found a block of objects there; the client says that it is one.
        match Weak::state_of(unsafe { at.load() }) {
            Some(state) => Ok((Weak(at), state)),
            None => Err(Failure::argument(format_args!("the object at {at} is no weak pointer"))),
        }
    }

    /// Ends a weak pointer by hand, and returns its finalizer for the caller to run. A dead one has none.
    pub fn end_weak(&mut self, at: Addr) -> Outcome<Finalizer> {
        let (weak, state) = self.weak_at(at)?;
        let finalizer = weak.finalizer();
        if state == State::Live {
            // The weak pointer stays in its list, which drops dead ones when it is next walked.
            weak.end();
        } else {
            weak.clear();
        }
        Ok(finalizer)
    }

    /// Gives a live weak pointer a function, if it has none. False when it is dead.
    pub(crate) fn set_weak_function(
        &mut self,
        at: Addr,
        function: FinalizerFunction,
        data: *mut c_void,
    ) -> Outcome<bool> {
        let (weak, state) = self.weak_at(at)?;
        if state != State::Live {
            return Ok(false);
        }
        // SAFETY: a live weak pointer lies there.
        let fields = unsafe { &mut *weak.object() };
        if fields.function.is_some() {
            return Err(Failure::state(format_args!(
                "the weak pointer at {at} has a function already; make another weak pointer to the same key"
            )));
        }
        fields.function = Some(function);
        fields.data = data;
        Ok(true)
    }

    /// Takes the next finalizer that is due. With `objects` false, only one that is a function alone.
    pub fn next_finalizer(&mut self, objects: bool) -> Outcome<Option<Finalizer>> {
        self.refuse_while_busy()?;
        if let Some(weak) = self.store.weaks.first_due()
            && !objects
            && !weak.finalizer().object.is_null()
        {
            return Err(Failure::argument(format_args!(
                "a finalizer that is an object is due, and no function was given that runs it"
            )));
        }
        Ok(self.store.weaks.take_due())
    }

    /// Calls the client's hook, once after each collection that has queued finalizers. The hook must only
    /// take note.
    pub fn tell_of_finalizers(&mut self) {
        if std::mem::take(&mut self.store.weaks.fresh) == 0 {
            return;
        }
        if let Some(ready) = self.hooks.finalizers_ready {
            // SAFETY: the client's callback takes its own pointer.
            self.busy.mark().during(|| unsafe { ready(self.hooks.client.0) });
        }
    }

    /// Calls, at the end of the heap, the functions of all weak pointers that are left, whether their keys
    /// have died or not, so that the resources behind them are closed. Finalizers that are objects cannot be
    /// run any more.
    pub fn run_functions_at_the_end(&mut self) {
        self.busy.set(true);
        self.ending = true;
        while let Some(finalizer) = self.store.weaks.take_due() {
            call_at_the_end(finalizer);
        }
        for number in 0..self.store.generation_count {
            let mut list = self.store.weaks.lists[number].take();
            while let Some(weak) = list.pop() {
                // SAFETY: a listed weak pointer lies there.
                if Weak::state_of(unsafe { weak.0.load() }) == Some(State::Live) {
                    call_at_the_end(weak.finalizer());
                }
            }
        }
    }
}
