//! Identity hashes and stable names in random programs: an object keeps those that it was given, and no two have the same.
//!
//! Objects of lazy kinds get none: others may replace them, and may have a number already (c-tests/names.c
//! has them).

use super::coverage::Event;
use super::graph::{Name, Node, Word};
use super::kinds::shape_of;
use super::machine::{Machine, Step, last_error};
use super::random::Random;
use crate::base::Addr;
use crate::ffi::names::{barrow_identity_hash, barrow_stable_name};
use crate::heap::Kind;
use crate::heap::space::generation::Code;
use std::collections::HashSet;
use std::ffi::c_void;

/// Objects that one operation numbers.
const AT_ONCE: usize = 5;

impl Machine<'_> {
    pub(super) fn number_some(&mut self, first: usize) -> Step {
        let known = self.graph.known.len();
        for index in first..first + AT_ONCE.min(known) {
            let node = self.graph.known[index % known];
            if !self.graph.node(node).shape().is_lazy() {
                let number = self.number_of(self.graph.node(node).at)?;
                let before = std::mem::replace(&mut self.graph.node_mut(node).number, number);
                self.coverage.numbers += (before == 0) as u64;
                if before != 0 && before != number {
                    return Err(format!("object {node} had the number {before:#x}, and has {number:#x} now"));
                }
            }
        }
        Ok(())
    }

    /// An object's stable name is the same one as long as it lives, and has the number that its identity hash tells.
    pub(super) fn name_one(&mut self, first: usize) -> Step {
        let Some(node) = self.graph.pick(first) else { return Ok(()) };
        let known = self.graph.node(node);
        if known.shape().is_lazy() || known.name == Name::Lost {
            return Ok(());
        }
        let (at, before) = (known.at, known.name);
        // SAFETY: the mutator is ours, and the object live.
        let name = unsafe { barrow_stable_name(self.m, at as *const c_void) } as usize;
        if name == 0 {
            return Err(format!("stable_name: {}", last_error()));
        }
        // SAFETY: a stable name has a number behind its header.
        let number = unsafe { Addr(name).plus_words(1).load() };
        if self.number_of(at)? != (number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) {
            return Err(format!(
                "the name of object {node} has the number {number:#x}, which its hash does not tell"
            ));
        }
        match before {
            Name::Is(known) if self.graph.node(known).at == name => Ok(()),
            Name::Is(known) => {
                let there = self.graph.node(known).at;
                Err(format!("object {node} has the name at {name:#x}, and had the one at {there:#x}"))
            }
            _ => {
                let fixed = Code(self.runtime().store.codes.at(name)).is_fixed();
                let words = vec![Word::Raw(number)];
                let made = self.graph.add(Node::new(shape_of(Kind::StableName), words, name, fixed));
                self.stamp_new(made)?;
                self.graph.node_mut(node).name = Name::Is(made);
                self.set_root(Some(made), &mut Random::new(number as u64));
                self.coverage.event(Event::NameMade);
                Ok(())
            }
        }
    }

    /// Forgets the names of objects that nothing reaches. A name may live on in the heap until a full
    /// collection.
    pub(super) fn forget_names(&mut self, exact: bool) {
        for index in 0..self.graph.known.len() {
            let node = self.graph.known[index];
            match self.graph.node(node).name {
                Name::Is(name) if self.graph.node(name).seen != self.seen => {
                    self.graph.node_mut(node).name = if exact { Name::None } else { Name::Lost };
                    self.coverage.event(Event::NameDied);
                }
                Name::Lost if exact => self.graph.node_mut(node).name = Name::None,
                _ => {}
            }
        }
    }

    fn number_of(&self, at: usize) -> Result<u64, String> {
        // SAFETY: the mutator is ours, and the object live.
        match unsafe { barrow_identity_hash(self.m, Addr(at).as_ptr()) } {
            0 => Err(format!("identity_hash: {}", last_error())),
            number => Ok(number),
        }
    }

    /// Called after the heap was matched: numbered objects still have their numbers.
    pub(super) fn check_numbers(&mut self) -> Step {
        let mut met = HashSet::new();
        for &node in &self.graph.known {
            let known = self.graph.node(node);
            if known.number == 0 || known.seen != self.seen || self.m.is_null() {
                continue;
            }
            let number = self.number_of(known.at)?;
            if number != known.number || !met.insert(number) {
                return Err(format!(
                    "object {node} had the number {:#x}, and has {number:#x} now",
                    known.number
                ));
            }
        }
        Ok(())
    }
}
