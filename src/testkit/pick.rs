//! Any object of a sort that some place of an object may refer to.

use super::graph::Word;
use super::kinds::{static_function, static_wide_function};
use super::machine::Machine;
use super::random::Random;
use crate::heap::Kind;

impl Machine<'_> {
    pub(super) fn any_lazy(&self, random: &mut Random) -> Word {
        let known = &self.graph.known;
        let start = random.below(known.len().max(1));
        let found = known[start.min(known.len())..].iter().take(60).find(|&&number| {
            let shape = self.graph.node(number).shape();
            // A selector that selects from a redex would have to know whether that was replaced already.
            shape.is_lazy()
                && !shape.is_redex()
                && !matches!(shape.kind, Kind::ConstrStatic | Kind::ConstrNocafStatic)
        });
        match found {
            // Values have the tag 0; references to thunks have any, and take that of the value.
            Some(&node) if !random.one_in(10) => Word::Ref { node, tag: 0 },
            _ => Word::NULL,
        }
    }

    pub(super) fn any_function(&self, random: &mut Random) -> Word {
        let tag = random.bits() as u32 & 7;
        let known = &self.graph.known;
        let found = known.iter().rev().take(80).find(|&&n| {
            let shape = self.graph.node(n).shape();
            matches!(shape.kind, Kind::Fun | Kind::FunStatic) && shape.arguments() == 3
        });
        match found {
            Some(&node) if !random.one_in(4) => Word::Ref { node, tag },
            _ => Word::Raw(static_function() | (tag as usize & 7)),
        }
    }

    pub(super) fn any_wide_function(&self, random: &mut Random) -> Word {
        let tag = random.bits() as u32 & 7;
        let wide = |&&number: &&u32| {
            let shape = self.graph.node(number).shape();
            shape.kind == Kind::Fun && shape.arguments() > 64
        };
        match self.graph.known.iter().rev().find(wide) {
            Some(&node) if !random.one_in(4) => Word::Ref { node, tag },
            _ => Word::Raw(static_wide_function() | (tag as usize & 7)),
        }
    }

    pub(super) fn any_stack(&self, random: &mut Random) -> Word {
        let known = &self.graph.known;
        let start = random.below(known.len());
        let found = known[start..].iter().find(|&&n| self.graph.node(n).shape().kind == Kind::Stack);
        found.map_or(Word::NULL, |&node| Word::Ref { node, tag: 0 })
    }
}
