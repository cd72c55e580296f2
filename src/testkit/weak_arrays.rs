//! Weak arrays against the model: an element whose object is reachable refers to it, and one whose object is not is NULL
//! after a major collection. A minor one may leave such an object where it is; then it counts as reached.

use super::coverage::{Barrier, Event};
use super::graph::Word;
use super::kinds::{Role, shapes};
use super::machine::{Machine, Step, done};
use super::random::Random;
use super::twin;
use crate::base::{Addr, Status};
use crate::ffi::barrier::barrow_become;
use crate::ffi::weak::barrow_weak_array_set;
use crate::heap::Kind;
use std::ffi::c_void;

impl Machine<'_> {
    /// The word, or NULL for a reference to an object that is kept or replaced by other rules than those of
    /// reachability: lazy kinds, stacks, stable names, statics.
    pub(super) fn unless_kept(&self, word: Word) -> Word {
        let Word::Ref { node, .. } = word else { return word };
        let node = self.graph.node(node);
        let own = node.shape().is_own() && !node.shape().is_weak();
        let other = node.shape().is_lazy() || own || node.static_number.is_some();
        if other { Word::NULL } else { word }
    }

    /// Stores into an element of a weak array by the barriers that are for nothing else.
    ///
    /// # Safety
    /// The object is alive, and `field` is its payload word `index`.
    pub(super) unsafe fn store_weakly(
        &mut self,
        owner: *mut c_void,
        index: usize,
        field: *mut usize,
        bits: usize,
        role: Role,
        how: u8,
    ) -> Result<Barrier, String> {
        let tagged = role == Role::WeakTagged;
        // SAFETY: the caller's promise; the mutator is ours.
        unsafe {
            if how.is_multiple_of(4) {
                let told = barrow_weak_array_set(self.m, owner, index - 2, bits as *mut c_void);
                done(told, "weak_array_set")?;
            } else if tagged {
                twin::write_weak_word(self.m, owner, field, bits);
            } else {
                twin::write_weak(self.m, owner, field, bits);
            }
        }
        Ok(if tagged { Barrier::WriteWord } else { Barrier::Write })
    }

    /// A weak array stays what it is.
    pub(super) fn become_is_refused(&mut self, number: u32) -> Step {
        let at = self.graph.node(number).at as *mut c_void;
        let other = shapes().iter().find(|shape| shape.kind == Kind::Bytes).unwrap_or(&shapes()[0]);
        // SAFETY: a live object, and the mutator is ours.
        match unsafe { barrow_become(self.m, at, (&raw const *other.info).cast()) } {
            Status::Argument => Ok(()),
            status => Err(format!("a weak array became {}: {}", other.name, status.name())),
        }
    }

    /// Matches the elements of the weak arrays that were met. `late`: these are reached through finalizers alone.
    /// True when an object was met that nothing else reaches.
    pub(super) fn match_weak_arrays(
        &mut self,
        late: bool,
        waiting: &mut Vec<u32>,
        addresses: &mut Vec<usize>,
    ) -> Result<bool, String> {
        let mut any = false;
        while let Some(number) = self.weak_arrays.pop() {
            for index in 2..self.graph.node(number).words.len() {
                let (shape, at) = (self.graph.node(number).shape().name, self.graph.node(number).at);
                any |= self
                    .match_element(number, index, late, waiting, addresses)
                    .map_err(|wrong| format!("element {} of the {shape} at {at:#x}: {wrong}", index - 2))?;
                self.match_waiting(waiting, addresses)?;
            }
        }
        Ok(any)
    }

    /// True when the element's object was not met before.
    fn match_element(
        &mut self,
        array: u32,
        index: usize,
        late: bool,
        waiting: &mut Vec<u32>,
        addresses: &mut Vec<usize>,
    ) -> Result<bool, String> {
        let node = self.graph.node(array);
        let expected = node.words[index];
        let Word::Ref { node: to, .. } = expected else { return Ok(false) };
        let (role, old) = (node.role(index), self.is_old(node.at));
        // SAFETY: the array was matched, so it has this word.
        let word = unsafe { Addr(node.at).plus_words(1 + index).load() };
        let exact = self.exact;
        let seen = self.graph.node(to).seen == self.seen;
        // Objects of finalizers that are not in the model may have come after the array was looked at.
        if word == 0 && (!seen || late && !exact) {
            self.graph.node_mut(array).words[index] = Word::NULL;
            self.coverage.event(match (late, old && !self.exact) {
                (true, _) => Event::LateElementDied,
                (false, true) => Event::ElementDiedInMinor,
                (false, false) => Event::ElementDied,
            });
            return Ok(false);
        }
        if !seen && exact {
            return Err(format!("it is {word:#x}, and what it referred to is unreachable"));
        }
        if seen && late {
            self.coverage.event(Event::LateElementKept);
        }
        self.match_word(word, expected, role, 0, waiting, addresses)?;
        Ok(!seen)
    }

    fn is_old(&self, at: usize) -> bool {
        crate::heap::space::generation::Code(self.runtime().store.codes.at(at)).generation() > 0
    }

    /// The first of the weak arrays' shapes, and which of them a storm is for.
    pub(super) fn any_weak_array(&self, random: &mut Random) -> usize {
        let first = shapes().iter().position(|shape| shape.is_weak_array()).unwrap_or(0);
        first + random.below(2)
    }
}
