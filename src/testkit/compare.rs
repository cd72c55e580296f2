//! Whether the heap, as far as it can be reached from the roots, is the model: the same objects, words, references,
//! tags and sharing.

use super::coverage::Event;
use super::graph::Word;
use super::kinds::{Role, moves, shape_at, take_answers, take_bad_move, take_calls_by_others};
use super::machine::{Machine, Step};
use crate::base::Addr;
use crate::ffi::info::{barrow_in_heap, barrow_object_words};
use crate::ffi::stable::barrow_stable_get;
use crate::heap::object::model::{HEADER_BITS, HEADER_FORWARDED};

impl Machine<'_> {
    /// Compares without knowing what has been collected.
    pub(super) fn compare(&mut self) -> Step {
        self.compare_after(false)
    }

    /// Compares everything, learns where objects are now, and forgets objects that nothing reaches.
    pub(super) fn compare_after(&mut self, exact: bool) -> Step {
        if let Some((from, own)) = take_bad_move() {
            return Err(format!("an object at {own:#x} was told that it moved from {from:#x}"));
        }
        if take_calls_by_others() {
            return Err("a worker called a function of the client".to_owned());
        }
        let (answers, stale) = take_answers();
        if let Some(at) = stale {
            return Err(format!(
                "a shortcut function was told that an object is at {at:#x}, from where it has moved"
            ));
        }
        self.coverage.events(Event::RedexAnswered, answers);
        self.coverage.events(Event::CallRefused, std::mem::take(&mut self.roots.callback.refused));
        self.coverage.moves += moves() - self.moves_seen;
        self.moves_seen = moves();
        self.seen += 1;
        self.normalise();
        self.heap_ends.clear();
        // Pinned objects are replaced in pointers to them only sometimes.
        let exact = exact && !self.settings.pins_lazy;
        self.exact = exact;
        self.cleared &= exact;
        self.weak_arrays.clear();
        let mut waiting = std::mem::take(&mut self.waiting);
        let mut addresses = std::mem::take(&mut self.addresses);
        waiting.clear();
        addresses.clear();
        let mut found = std::mem::take(&mut self.found_roots);
        found.clear();
        self.roots.each_slot(|slot, word, role| {
            // SAFETY: roots of the model are readable as long as they are listed.
            found.push((unsafe { slot.read() }, *word, role));
        });
        for root in &self.roots.handles {
            // SAFETY: the handle is live; its first word is the object.
            found.push((unsafe { (*root.handle).object }, root.word, Role::Pointer));
        }
        for root in &self.roots.stables {
            // SAFETY: the mutator is live and ours.
            let object = unsafe { barrow_stable_get(self.m, root.number) };
            found.push((object as usize, root.word, Role::Pointer));
        }
        if let Some(node) = self.running {
            // SAFETY: the mutator is live and ours.
            let stack = unsafe { (*self.m).window.stack } as usize;
            found.push((stack, Word::Ref { node, tag: 0 }, Role::Pointer));
        }
        for &node in &self.spares {
            found.push((self.graph.node(node).at, Word::Ref { node, tag: 0 }, Role::Pointer));
        }
        found.extend(self.kept_caf());
        for &(slot, word) in &self.parts {
            // SAFETY: the slots of finalizers that run are in frames of theirs.
            found.push((unsafe { slot.read() }, word, Role::Pointer));
        }
        let mut outcome = Ok(());
        for (index, &(word, expected, role)) in found.iter().enumerate() {
            outcome = self
                .match_word(word, expected, role, 0, &mut waiting, &mut addresses)
                .map_err(|wrong| format!("root {index}: {wrong}"));
            if outcome.is_err() {
                break;
            }
        }
        outcome = outcome
            .and_then(|()| self.match_waiting(&mut waiting, &mut addresses))
            .and_then(|()| self.match_weaks(exact, &mut waiting, &mut addresses))
            .and_then(|()| self.roots.native.check_derived());
        addresses.sort_unstable();
        if outcome.is_ok()
            && let Some(twice) = addresses.windows(2).find(|two| two[0] == two[1])
        {
            outcome = Err(format!("two objects have become one at {:#x}", twice[0]));
        }
        outcome = outcome.and_then(|()| self.check_numbers()).and_then(|()| self.check_statics(exact));
        if outcome.is_ok() && !self.m.is_null() {
            outcome = self.check_top();
        }
        self.forget_names(exact);
        let mut dropped = Vec::new();
        self.graph.drop_unseen(self.seen, |node| dropped.push(node));
        self.stamp_paused();
        dropped.into_iter().for_each(|node| self.died(node));
        self.waiting = waiting;
        self.addresses = addresses;
        self.found_roots = found;
        outcome
    }

    /// Matches every object that was met, and what they refer to.
    pub(super) fn match_waiting(&mut self, waiting: &mut Vec<u32>, addresses: &mut Vec<usize>) -> Step {
        while let Some(number) = waiting.pop() {
            self.match_object(number, waiting, addresses)?;
        }
        Ok(())
    }

    fn match_object(&mut self, number: u32, waiting: &mut Vec<u32>, addresses: &mut Vec<usize>) -> Step {
        let words = std::mem::take(&mut self.graph.node_mut(number).words);
        let outcome = self.match_words(number, &words, waiting, addresses);
        let node = self.graph.node_mut(number);
        node.words = words;
        outcome.map_err(|wrong| {
            format!(
                "object {number} ({}, length {}) at {:#x}: {wrong}",
                node.shape().name,
                node.length(),
                node.at
            )
        })
    }

    fn match_words(
        &mut self,
        number: u32,
        words: &[Word],
        waiting: &mut Vec<u32>,
        addresses: &mut Vec<usize>,
    ) -> Step {
        let node = self.graph.node(number);
        let (at, shape) = (node.at, node.shape());
        if shape.is_weak() {
            return self.match_weak(number, words, waiting, addresses);
        }
        // SAFETY: the address is in a block of objects of this heap, so its words are readable.
        let header = unsafe { Addr(at).load() };
        let shape = self.promoted_shape(number, header & !HEADER_BITS, shape);
        if header & HEADER_FORWARDED != 0 || header & !HEADER_BITS != &raw const *shape.info as usize {
            return Err(format!("its header is {header:#x}"));
        }
        let size = self.rounded(shape.object_words(shape.length(words)));
        self.check_stamp(number)?;
        // SAFETY: the heap is live and a well-formed object lies there, or so its header says.
        let told = unsafe { barrow_object_words(self.heap, at as *const _) };
        if told != size && !shape.is_static() {
            return Err(format!("it has {told} words instead of {size}"));
        }
        let mut has_weak_elements = false;
        for (index, &expected) in words.iter().enumerate() {
            // SAFETY: as above.
            let word = unsafe { Addr(at).plus_words(1 + index).load() };
            // Most words of large objects are equal bits; the rest costs more.
            if expected == Word::Raw(word) {
                continue;
            }
            let role = self.graph.node(number).role(index);
            if role == Role::Scratch {
                continue;
            }
            if matches!((role, expected), (Role::Weak | Role::WeakTagged, Word::Ref { .. })) {
                has_weak_elements = true;
                continue;
            }
            self.match_word(word, expected, role, at, waiting, addresses)
                .map_err(|wrong| format!("word {index} ({role:?}): {wrong}"))?;
        }
        if has_weak_elements {
            self.weak_arrays.push(number);
        }
        for &mentioned in shape.statics {
            self.mentioned(mentioned, waiting)?;
        }
        let on_stack: Vec<usize> =
            self.graph.node(number).frames.iter().flat_map(|frames| frames.statics()).collect();
        for mentioned in on_stack {
            self.mentioned(mentioned, waiting)?;
        }
        Ok(())
    }

    pub(super) fn match_word(
        &mut self,
        word: usize,
        expected: Word,
        role: Role,
        owner: usize,
        waiting: &mut Vec<u32>,
        addresses: &mut Vec<usize>,
    ) -> Step {
        let raw = word;
        let word = self.heap_end(word, role)?;
        let (number, tag) = match expected {
            Word::Raw(bits) if bits == word => return Ok(()),
            Word::Own if owner == word => return Ok(()),
            Word::Ref { node, tag } => (node, tag),
            other => return Err(format!("{word:#x} instead of {other:x?}")),
        };
        let at = word.wrapping_sub(self.encode(0, tag, role));
        let node = self.graph.node(number);
        if node.seen == self.seen {
            return if node.at == at {
                Ok(())
            } else {
                Err(format!("{word:#x}: object {number} is at {:#x} and at {at:#x}", node.at))
            };
        }
        if !at.is_multiple_of(self.settings.rule.alignment) {
            return Err(format!("{word:#x}: object {number} would be at {at:#x}; its tag is {tag:#x}"));
        }
        // SAFETY: the heap is live.
        if unsafe { !barrow_in_heap(self.heap, at as *const _) } && node.static_number.is_none() {
            return Err(format!(
                "{word:#x} (from {raw:#x}): object {number}, a {}, would be at {at:#x}, which is not in the heap",
                node.shape().name
            ));
        }
        if node.fixed && node.at != at {
            // SAFETY: an object of the heap begins there, or a static.
            let header = unsafe { Addr(at).load() } & !HEADER_BITS;
            let there = shape_at(header);
            return Err(format!(
                "object {number}, a {}, was fixed at {:#x} and is now at {at:#x}, where a {} lies (from {raw:#x})",
                node.shape().name,
                node.at,
                there.map_or("stranger", |shape| shape.name)
            ));
        }
        let seen = self.seen;
        let node = self.graph.node_mut(number);
        node.seen = seen;
        node.at = at;
        waiting.push(number);
        addresses.push(at);
        Ok(())
    }
}
