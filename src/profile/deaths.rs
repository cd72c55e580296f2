//! A profiler of a few lines, for tests: bytes that died, by kind. It shows what a profiler has to have, and no release has it.
//!
//! Before a collection the profiler counts every object of the generations to be collected, and takes each
//! that is kept off again. Memory must be such that it can be walked at any time, as it is with `-DS`.

use crate::base::size::WORD_BYTES;
use crate::block::Block;
use crate::gc::Plan;
use crate::heap::Mutator;
use crate::heap::object::model::info_of;
use crate::profile::batch::Kept;
use crate::profile::heap::walk::each_object;
use crate::profile::observer::Parts;
use crate::profile::profiler::{Collected, Listener, Profiler};
use crate::runtime::Runtime;

const KINDS: usize = 64;

#[derive(Default)]
pub struct Deaths {
    /// Whether the profiler listens to collections.
    pub is_on: bool,
    /// Bytes of the objects that the collection has not kept yet, by kind; below 0 where an object has
    /// changed its kind.
    left: ByKind,
    /// Bytes that have died, by kind.
    pub dead: ByKind,
}

pub struct ByKind(pub [i64; KINDS]);

impl Default for ByKind {
    fn default() -> ByKind {
        ByKind([0; KINDS])
    }
}

impl Profiler for Deaths {
    fn before(&mut self, rt: &mut Runtime, mutator: &mut Mutator, plan: &Plan) {
        self.left = ByKind::default();
        if !self.is_on {
            return;
        }
        let counted = each_object(&mut rt.store, mutator, &mut |_, object, words| {
            if Block::of(object).head().fields().generation as usize <= plan.oldest {
                // SAFETY: a well-formed object lies here.
                let kind = info_of(unsafe { object.load() }).kind;
                self.left.0[kind as usize] += (words * WORD_BYTES) as i64;
            }
            Ok(())
        });
        counted.expect("the heap can be walked");
    }

    fn part<'a>(&'a mut self, parts: &mut Parts<'a>, _major: bool) {
        if self.is_on {
            parts.listener = Some(self);
        }
    }

    fn after(&mut self, _rt: &mut Runtime, _collected: &Collected) {
        for (dead, left) in self.dead.0.iter_mut().zip(self.left.0) {
            *dead += left;
        }
    }
}

impl Listener for Deaths {
    fn kept(&mut self, kept: &Kept) {
        // SAFETY: the object is whole where it is now.
        let kind = info_of(unsafe { kept.to.load() }).kind;
        self.left.0[kind as usize] -= (kept.words() * WORD_BYTES) as i64;
    }
}
