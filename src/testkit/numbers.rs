//! Identity hashes in random programs: an object keeps the one that it was given, and no two have the same.
//!
//! Not of lazy kinds: those may be replaced by others, which may have a number already (c-tests/names.c has them).

use super::machine::{Machine, Step, last_error};
use crate::base::Addr;
use crate::ffi::names::barrow_identity_hash;
use std::collections::HashSet;

/// Objects that one operation numbers.
const AT_ONCE: usize = 5;

impl Machine<'_> {
    pub fn number_some(&mut self, first: usize) -> Step {
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

    fn number_of(&self, at: usize) -> Result<u64, String> {
        // SAFETY: the mutator is ours, and the object live.
        match unsafe { barrow_identity_hash(self.m, Addr(at).as_ptr()) } {
            0 => Err(format!("identity_hash: {}", last_error())),
            number => Ok(number),
        }
    }

    /// After the heap was matched: those that are numbered have the numbers that they had.
    pub fn check_numbers(&mut self) -> Step {
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
