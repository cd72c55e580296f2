//! The changes of the running stack before a collection begins, and when the stack is left: thunks under update
//! frames become blackholes, and, when asked for, update frames side by side become one.

use super::coverage::Event;
use super::frames::Frame;
use super::graph::Word;
use super::kinds::shape_of;
use super::machine::Machine;
use crate::heap::Kind;

impl Machine<'_> {
    /// Changes the running stack before each collection, and when a stack is left.
    pub(super) fn pause_stack(&mut self) {
        let mut chunk = self.running;
        let mut passed = Vec::new();
        while let Some(number) = chunk.filter(|number| !passed.contains(number)) {
            passed.push(number);
            let node = self.graph.node(number);
            let under: Vec<u32> = (node.stack().each())
                .filter_map(|(at, frame)| match node.words[at + 1] {
                    Word::Ref { node, .. } if frame.is_update() => Some(node),
                    _ => None,
                })
                .collect();
            chunk = node.next_chunk();
            for thunk in under {
                if matches!(self.graph.node(thunk).shape().kind, Kind::Thunk | Kind::Ap) {
                    self.replace_in_place(thunk, Kind::Blackhole, Word::NULL);
                    self.coverage.event(Event::LazilyBlackholed);
                }
            }
        }
        if self.settings.squeeze {
            for (index, stack) in passed.into_iter().enumerate() {
                self.squeeze(stack, index == 0);
            }
        }
    }

    /// `top`: the mutator is on this chunk.
    fn squeeze(&mut self, stack: u32, top: bool) {
        let node = self.graph.node(stack);
        let all: Vec<(usize, &Frame)> = node.stack().each().collect();
        let updatee = |(at, frame): (usize, &Frame)| match node.words[at + 1] {
            Word::Ref { node, .. } if frame.is_update() => {
                self.graph.node(node).shape().is_updatable().then_some(node)
            }
            _ => None,
        };
        let mut gone = Vec::new();
        for (index, two) in all.windows(2).enumerate() {
            if let (Some(upper), Some(lower)) = (updatee(two[0]), updatee(two[1])) {
                if upper != lower {
                    gone.push((index, upper, lower));
                } else if top {
                    gone.push((index, u32::MAX, u32::MAX));
                }
            } else if top && two[0].1.is_update() && two[1].1.is_update() {
                let pointee = |at: usize| match node.words[at + 1] {
                    Word::Ref { node, .. } => node,
                    _ => u32::MAX,
                };
                // Two frames of the same thunk, or of none, are one already.
                if pointee(two[0].0) == pointee(two[1].0) {
                    gone.push((index, u32::MAX, u32::MAX));
                }
            }
        }
        if gone.is_empty() {
            return;
        }
        let mut words = vec![Word::NULL; node.words.len()];
        words[0] = node.words[0];
        let mut list = Vec::new();
        let mut to = words.len();
        for (index, &(at, frame)) in all.iter().enumerate().rev() {
            if !gone.iter().any(|&(other, ..)| other == index) {
                to -= frame.words();
                words[to..to + frame.words()].copy_from_slice(&node.words[at..at + frame.words()]);
                list.push(node.stack().list[all.len() - 1 - index]);
            }
        }
        let node = self.graph.node_mut(stack);
        node.words = words;
        node.set_frames(list);
        for (_, upper, lower) in gone.into_iter().filter(|&(_, upper, _)| upper != u32::MAX) {
            self.replace_in_place(upper, Kind::Ind, Word::Ref { node: lower, tag: 0 });
            self.coverage.event(if top { Event::Squeezed } else { Event::SqueezedBelow });
        }
    }

    /// Changes a thunk as the library has; side tables are told later, when its place is known.
    fn replace_in_place(&mut self, number: u32, kind: Kind, word: Word) {
        let node = self.graph.node_mut(number);
        node.shape = shape_of(kind);
        node.words = vec![word];
        node.recorded = false;
        let stamped = std::mem::take(&mut node.stamp) != 0;
        self.live(number, false);
        if stamped {
            self.paused.push(number);
        }
    }

    /// Marks nodes beside the heap that were changed before a collection.
    pub(super) fn stamp_paused(&mut self) {
        for number in std::mem::take(&mut self.paused) {
            if self.graph.known.contains(&number) {
                self.stamp_again(number);
            }
        }
    }
}
