//! Weak pointers as clients see them, and the queue of finalizers that they run outside the pause.

use super::heap::Runtime;
use crate::base::{Addr, Failure, Outcome};
use crate::heap::Mutator;
use crate::heap::weak::{Finalizer, FinalizerFunction, State, WEAK_WORDS, Weak, WeakObject};
use std::ffi::c_void;

impl Runtime {
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
            self.refuse_free_memory(name, Addr(field as usize & !crate::heap::model::HEADER_BITS))?;
        }
        self.store.weaks.prepare()?;
        let at = self.allocate(mutator, WEAK_WORDS, 0)?;
        // SAFETY: the words were just allocated; a word added for alignment is cleared.
        unsafe {
            if self.store.rounded(WEAK_WORDS) > WEAK_WORDS {
                at.plus_words(WEAK_WORDS).store(0);
            }
            at.as_ptr::<WeakObject>().write(WeakObject {
                header: crate::heap::own::WEAK.address().0,
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

    /// An address in memory of ours that holds no object is a mistake that is cheap to see.
    fn refuse_free_memory(&self, name: &str, at: Addr) -> Outcome<()> {
        if self.store.holds(at) || self.store.codes.span(at).is_null() {
            return Ok(());
        }
        Err(Failure::argument(format_args!("the {name} {at} is free memory of this heap")))
    }

    /// A weak pointer that the client named.
    fn weak_at(&self, at: Addr) -> Outcome<(Weak, State)> {
        self.object_code(at)?;
        // SAFETY: `object_code` found a block of objects there; the client says that it is one.
        match Weak::state_of(unsafe { at.load() }) {
            Some(state) => Ok((Weak(at), state)),
            None => Err(Failure::argument(format_args!("the object at {at} is no weak pointer"))),
        }
    }

    /// Ends a weak pointer by hand, and says what is to be done. Of a dead one there is nothing.
    pub fn end_weak(&mut self, at: Addr) -> Outcome<Finalizer> {
        let (weak, state) = self.weak_at(at)?;
        let finalizer = weak.finalizer();
        weak.clear();
        if state == State::Live {
            // It stays in its list, which drops dead ones when it is looked at.
            weak.become_state(State::Dead);
        }
        Ok(finalizer)
    }

    /// Gives a live weak pointer a function, when it has none. False when it is dead.
    pub fn set_weak_function(
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

    /// Takes the next finalizer that is due. With `objects` false, only when it is a function alone.
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

    /// Tells the client, once after each collection that has queued any. The hook must only take note.
    pub fn tell_of_finalizers(&mut self) {
        if std::mem::take(&mut self.store.weaks.fresh) == 0 {
            return;
        }
        if let Some(ready) = self.hooks.finalizers_ready {
            // SAFETY: the client's callback takes its own pointer.
            self.busy.mark().during(|| unsafe { ready(self.hooks.client.0) });
        }
    }

    /// The heap goes: functions are called for every weak pointer that there still is, whether its key has died or
    /// not, so that what they guard is closed. Objects cannot be run any more.
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

fn call_at_the_end(finalizer: Finalizer) {
    if let Some(function) = finalizer.function {
        // SAFETY: the client's function takes its data, the key and the value, which are still there.
        unsafe { function(std::ptr::null_mut(), finalizer.data, finalizer.key, finalizer.value) };
    }
}
