//! Changing objects that may be old: every barrier, and changes of kind and length.

use super::coverage::Barrier;
use super::graph::Word;
use super::kinds::{MADE, Role, shapes};
use super::machine::{Machine, Step, done, last_error};
use super::random::Random;
use super::twin;
use crate::base::{Addr, Status};
use crate::ffi::barrier::*;
use std::ffi::c_void;

impl Machine<'_> {
    pub(super) fn covered(&mut self, node: u32, barrier: Barrier) {
        let node = self.graph.node(node);
        let (kind, phase) = (node.shape().kind, self.phase(node.at));
        self.coverage.wrote(kind, barrier, phase);
    }

    /// A word of a node that may be changed, and its role.
    pub(super) fn any_field(&self, node: u32, random: &mut Random) -> Option<(usize, Role)> {
        let node = self.graph.node(node);
        if node.shape().is_lazy() || node.shape().is_own() {
            return None;
        }
        let count = node.words.len();
        for _ in 0..6 {
            let index = random.below(count);
            let role = if count == 0 { Role::Own } else { node.shape().role(index) };
            if !matches!(role, Role::Length | Role::Link | Role::Own) {
                return Some((index, role));
            }
        }
        None
    }

    pub(super) fn field(&self, node: u32, index: usize) -> *mut usize {
        Addr(self.graph.node(node).at).plus_words(1 + index).as_ptr()
    }

    fn object(&self, node: u32) -> *mut c_void {
        self.graph.node(node).at as *mut c_void
    }

    /// Stores one word with one of the barriers.
    pub(super) fn store(&mut self, object: u16, how: u8, random: &mut Random) -> Step {
        match self.graph.pick(object as usize) {
            Some(node) => self.store_into(node, how, random),
            None => Ok(()),
        }
    }

    fn store_into(&mut self, node: u32, how: u8, random: &mut Random) -> Step {
        let Some((index, role)) = self.any_field(node, random) else { return Ok(()) };
        let word = self.any_word(random, role);
        let (owner, field) = (self.object(node), self.field(node, index));
        let bits = self.word(word, role, owner as usize);
        // The old word is that of the model, or an indirection to it.
        // SAFETY: the object is alive and has this field.
        let old = unsafe { field.read() };
        let mutable = self.graph.node(node).shape().is_mutable();
        // SAFETY: the object is alive and has this field; the mutator is ours.
        let barrier = unsafe {
            match (role, how % 8) {
                (Role::Weak | Role::WeakTagged, 0..=3) => {
                    self.store_weakly(owner, index, field, bits, role, how)?
                }
                (Role::Pointer | Role::Stack, 0..=3) => {
                    twin::write(self.m, owner, field, bits);
                    Barrier::Write
                }
                // Other barriers are right for weak arrays too, and keep the element for a while.
                (Role::Pointer | Role::Weak | Role::Stack, 4) => {
                    if twin::cas(self.m, owner, field, !old, bits) {
                        return Err("cas stored over something else".to_string());
                    }
                    if !twin::cas(self.m, owner, field, old, bits) {
                        return Err(format!("cas found {:#x} instead of {old:#x}", field.read()));
                    }
                    Barrier::Cas
                }
                (Role::Pointer | Role::Weak | Role::Stack, 5) => {
                    field.write(bits);
                    done(barrow_record_slot(self.m, field.cast()), "record_slot")?;
                    Barrier::RecordSlot
                }
                (Role::Tagged, 0..=3) => {
                    twin::write_word(self.m, owner, field, bits);
                    Barrier::WriteWord
                }
                (Role::Tagged | Role::WeakTagged, 4..=5) => {
                    field.write(bits);
                    done(barrow_record_word_slot(self.m, field), "record_word_slot")?;
                    Barrier::RecordWordSlot
                }
                (Role::Pointer | Role::Weak | Role::WeakTagged | Role::Stack | Role::Tagged, 6) => {
                    field.write(bits);
                    done(barrow_record_mutable(self.m, owner), "record_mutable")?;
                    self.graph.node_mut(node).recorded = mutable;
                    Barrier::RecordMutable
                }
                (Role::Pointer | Role::Weak | Role::WeakTagged | Role::Stack | Role::Tagged, _) => {
                    field.write(bits);
                    done(barrow_record_old_to_new(self.m, owner), "record_old_to_new")?;
                    Barrier::OldToNew
                }
                _ => {
                    field.write(bits);
                    self.graph.node_mut(node).words[index] = word;
                    if how.is_multiple_of(8) {
                        // This is allowed for every object, and counts for the kind that it becomes.
                        done(barrow_record_mutable(self.m, owner), "record_mutable")?;
                        self.graph.node_mut(node).recorded = mutable;
                    }
                    return Ok(());
                }
            }
        };
        self.graph.node_mut(node).words[index] = word;
        self.covered(node, barrier);
        Ok(())
    }

    pub(super) fn store_recorded(&mut self, object: u16, random: &mut Random) -> Step {
        let recorded: Vec<u32> =
            self.graph.known.iter().copied().filter(|&n| self.graph.node(n).recorded).collect();
        if recorded.is_empty() {
            return Ok(());
        }
        let node = recorded[object as usize % recorded.len()];
        let Some((index, role)) = self.any_field(node, random) else { return Ok(()) };
        let word = self.any_word(random, role);
        let bits = self.word(word, role, self.graph.node(node).at);
        // SAFETY: the object is alive and has this field.
        unsafe { self.field(node, index).write(bits) };
        self.graph.node_mut(node).words[index] = word;
        if matches!(role, Role::Pointer | Role::Weak | Role::WeakTagged | Role::Stack | Role::Tagged) {
            self.covered(node, Barrier::Recorded);
        }
        Ok(())
    }

    /// Arrays whose elements are of the same role as this one's, this one first when it is one.
    fn array(&self, object: usize, role: Option<Role>) -> Option<u32> {
        let known = &self.graph.known;
        let fits = |&number: &u32| {
            let shape = self.graph.node(number).shape();
            shape.is_array() && role.is_none_or(|role| shape.role(1) == role)
        };
        let start = if known.is_empty() { 0 } else { object % known.len() };
        known[start..].iter().chain(&known[..start]).copied().find(|number| fits(number))
    }

    pub(super) fn copy(&mut self, object: u16, random: &mut Random) -> Step {
        let Some(to) = self.array(object as usize, None) else { return Ok(()) };
        let role = self.graph.node(to).shape().role(1);
        let other = if random.one_in(3) { Some(to) } else { self.array(random.below(1 << 20), Some(role)) };
        let Some(from) = other else { return Ok(()) };
        let (to_length, from_length) = (self.graph.node(to).length(), self.graph.node(from).length());
        let (to_index, from_index) = (random.below(to_length + 1), random.below(from_length + 1));
        let count = random.below((to_length - to_index).min(from_length - from_index) + 1);
        // SAFETY: both are live arrays, and the mutator is ours.
        unsafe {
            let (a, b) = (self.object(to), self.object(from));
            done(barrow_array_copy(self.m, a, to_index, b, from_index, count), "array_copy")?;
            if barrow_array_copy(self.m, a, to_index, b, from_index, from_length + 1) != Status::Argument {
                return Err("array_copy beyond the end was not refused".to_string());
            }
        }
        let moved = self.graph.node(from).words[1 + from_index..1 + from_index + count].to_vec();
        self.graph.node_mut(to).words[1 + to_index..1 + to_index + count].copy_from_slice(&moved);
        if count > 0 {
            self.covered(to, Barrier::Copy);
        }
        Ok(())
    }

    pub(super) fn fill(&mut self, object: u16, random: &mut Random) -> Step {
        let Some(array) = self.array(object as usize, None) else { return Ok(()) };
        let node = self.graph.node(array);
        let (role, length) = (node.shape().role(1), node.length());
        let first = random.below(length + 1);
        let count = random.below(length - first + 1);
        let word = self.any_word(random, role);
        let bits = self.word(word, role, 0);
        // SAFETY: a live array, and the mutator is ours.
        let status =
            unsafe { barrow_array_fill(self.m, self.object(array), first, count, bits as *mut c_void) };
        done(status, "array_fill")?;
        self.graph.node_mut(array).words[1 + first..1 + first + count].fill(word);
        if count > 0 {
            self.covered(array, Barrier::Fill);
        }
        Ok(())
    }

    /// Changes a kind in place. A kind that has a length now keeps the word that says it.
    pub(super) fn become_other(&mut self, object: u16, random: &mut Random) -> Step {
        let Some(number) = self.graph.pick(object as usize) else { return Ok(()) };
        let node = self.graph.node(number);
        if node.shape().is_lazy() || node.shape().is_own() {
            return Ok(());
        }
        if node.shape().is_weak_array() {
            return self.become_is_refused(number);
        }
        let (shape, old_length) = (node.shape(), node.length());
        let room = self.rounded(shape.object_words(old_length));
        let kept = shape.length_word();
        let start = random.below(MADE);
        let found = (0..MADE).map(|i| (start + i) % MADE).find_map(|candidate| {
            let new = &shapes()[candidate];
            let length = match (new.length_word(), kept) {
                (None, _) => 0,
                (Some(word), Some(kept)) if word == kept => old_length,
                (Some(_), _) => random.below(12),
            };
            let fits = self.rounded(new.object_words(length)) <= room;
            let keeps = kept.is_none_or(|kept| {
                kept < new.payload(length)
                    && (new.length_word() == Some(kept) || new.role(kept) == Role::Plain)
            });
            let can_be_made = !new.is_lazy() && !new.is_own() && !new.is_weak_array();
            (fits && keeps && can_be_made && !std::ptr::eq(new, shape)).then_some((candidate, length))
        });
        let Some((candidate, length)) = found else { return Ok(()) };
        let new = &shapes()[candidate];
        let at = Addr(self.graph.node(number).at);
        let mut words = Vec::new();
        for index in 0..new.payload(length) {
            let role = new.role(index);
            let word = match role {
                Role::Length => Word::Raw(length),
                Role::Own => Word::Own,
                _ if kept == Some(index) => Word::Raw(old_length),
                _ if index > 600 && !random.one_in(100) => Word::NULL,
                role => self.any_word(random, role),
            };
            // SAFETY: the object has as many words.
            unsafe { at.plus_words(1 + index).store(self.word(word, role, at.0)) };
            words.push(word);
        }
        self.covered(number, Barrier::Become);
        // SAFETY: a live object, and the mutator is ours.
        let status = unsafe { barrow_become(self.m, at.as_ptr(), (&raw const *new.info).cast()) };
        done(status, "become")?;
        let node = self.graph.node_mut(number);
        node.shape = candidate;
        node.words = words;
        node.recorded &= new.is_mutable();
        self.stamp_changed(number)
    }

    pub(super) fn shrink(&mut self, object: u16, random: &mut Random) -> Step {
        let known = &self.graph.known;
        let start = if known.is_empty() { 0 } else { object as usize % known.len() };
        let found = (0..known.len())
            .map(|i| known[(start + i) % known.len()])
            .find(|&n| self.graph.node(n).shape().can_shrink());
        let Some(number) = found else { return Ok(()) };
        let old = self.graph.node(number).length();
        let length = if random.one_in(4) { old - old.min(random.below(4)) } else { random.below(old + 1) };
        self.covered(number, Barrier::Shrink);
        // SAFETY: a live object, and the mutator is ours.
        let status = unsafe { barrow_shrink(self.m, self.object(number), length) };
        done(status, "shrink")?;
        // SAFETY: as above.
        if unsafe { barrow_shrink(self.m, self.object(number), length + 1) } == Status::Ok {
            return Err(format!("an object of length {length} was lengthened; {}", last_error()));
        }
        let node = self.graph.node_mut(number);
        let shape = node.shape();
        let count = shape.payload(length);
        node.words.truncate(count);
        if let Some(word) = shape.length_word() {
            node.words[word] = Word::Raw(length);
        }
        self.stamp_changed(number)
    }

    /// Stores into a few fields of an old object, over and over, with collections in between.
    pub(super) fn store_again(&mut self, random: &mut Random) -> Step {
        let Some(node) = self.graph.pick(random.below(1 << 20)) else { return Ok(()) };
        let how = random.bits() as u8;
        for round in 0..6 {
            for _ in 0..1 + random.below(60) {
                if !self.graph.known.contains(&node) {
                    return Ok(());
                }
                self.store_into(node, how, random)?;
            }
            if round % 2 == 0 {
                self.collect(false)?;
            }
        }
        Ok(())
    }

    /// Stores into an old array until its remembered slots are condensed.
    pub(super) fn storm(&mut self, random: &mut Random) -> Step {
        if !random.one_in(8) || self.settings.stress > 0 {
            return self.store_again(random);
        }
        let arrays = shapes().iter().position(|s| s.kind == crate::heap::Kind::Array).unwrap_or(0);
        let size = [20u16, 180 | 200 << 8, 237 | 9 << 8, 237 | 90 << 8][random.below(4)];
        let shape = if random.one_in(3) { self.any_weak_array(random) } else { arrays + random.below(2) };
        let array = self.make(shape, 0, size, random)?;
        for _ in 0..4 {
            self.collect(true)?;
        }
        if !self.graph.known.contains(&array) || self.graph.node(array).length() == 0 {
            return Ok(());
        }
        let young = self.make(0, 0, 0, random)?;
        if !self.graph.known.contains(&array) {
            return Ok(());
        }
        let node = self.graph.node(array);
        let first = node.words.len() - node.length();
        let (role, mut length, owner) = (node.shape().role(first), node.length(), self.object(array));
        // Now and then a few elements over and over.
        if random.one_in(2) {
            length = length.min(1 + random.below(5));
        }
        for _ in 0..140_000 {
            let index = first + random.below(length);
            let word = if random.one_in(100) {
                self.any_word(random, role)
            } else {
                Word::Ref { node: young, tag: random.bits() as u32 }
            };
            let (field, bits) = (self.field(array, index), self.word(word, role, 0));
            // SAFETY: the object is alive and has this field; the mutator is ours.
            unsafe {
                match role {
                    Role::Weak => twin::write_weak(self.m, owner, field, bits),
                    Role::WeakTagged => twin::write_weak_word(self.m, owner, field, bits),
                    Role::Tagged => twin::write_word(self.m, owner, field, bits),
                    _ => twin::write(self.m, owner, field, bits),
                }
            }
            self.graph.node_mut(array).words[index] = word;
        }
        Ok(())
    }
}
