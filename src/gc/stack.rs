//! Stacks in a collection: the one that a mutator runs on, and frames that are looked at as a whole.
//!
//! No word of a stack is ever remembered by itself, since it may be something else by the next collection. A stack is
//! remembered whole, and is clean when nothing in it is younger than itself [gc.stack.clean].

use super::observer::Observer;
use super::tracer::{Notes, Tracer};
use crate::base::Addr;
use crate::heap::Mutator;
use crate::heap::mutator::running::running;
use crate::heap::object::stack::{Stack, each_slot};
use crate::heap::space::remember::{Entry, Remembered};
use crate::megablock::Codes;

impl<C: Codes, O: Observer> Tracer<'_, C, O> {
    /// Scavenges the fields of a stack that was saved or is remembered.
    pub(super) fn scavenge_frames(&mut self, stack: Stack) {
        let (notes, saw) = (self.notes, self.saw_younger);
        self.notes = Notes::Fact;
        self.saw_younger = false;
        each_slot(stack, self);
        let younger = self.saw_younger && self.owner > planted!(51, 1, 0);
        stack.set_dirty(younger as usize);
        if younger && notes == Notes::Slots {
            self.remember_for(self.owner, Entry::new(Remembered::ObjectOnce, stack.0));
        }
        self.notes = notes;
        self.saw_younger |= saw;
    }

    pub(super) fn evacuate_running_stack(&mut self, mutator: &mut Mutator) {
        self.evacuate_again(Addr(&raw mut mutator.window.stack as usize));
    }

    /// Lets mutators go on with their stacks, when everything is where it will be. No barrier tells of their writes
    /// there.
    pub(super) fn reopen_stack(&mut self, mutator: &mut Mutator) {
        mutator.each(|mutator| self.reopen_one(mutator));
        self.store.has_spares = false;
    }

    fn reopen_one(&mut self, mutator: &mut Mutator) {
        if let Some(stack) = running(mutator) {
            let was_dirty = stack.dirty() != 0;
            let generation = self.generation_now(stack.0) as u8;
            // A dirty stack is remembered by now.
            if generation > 0 && !was_dirty {
                self.remember_for(generation, Entry::new(Remembered::ObjectOnce, stack.0));
            }
        }
        self.store.open_stack(mutator);
    }
}
