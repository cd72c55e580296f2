//! A second opinion: a census by a walk over all blocks, one object after the other.
//!
//! Right after a major collection every object in the blocks is alive. The walk shares only the object model with the collector, so it finds objects that a census within the
//! collection loses or counts twice.

use crate::base::size::*;
use crate::base::{Addr, Failure, Outcome};
use crate::block::Block;
use crate::block::descriptor::flag;
use crate::heap::object::model::info_of;
use crate::heap::space::gaps::Gap;
use crate::heap::space::pinned::PinnedBlock;
use crate::heap::{Mutator, Store};
use crate::profile::heap::tally::Tally;

/// Counts every object of a heap that has just been collected as a whole.
pub(crate) fn walk(store: &mut Store, mutator: &mut Mutator, tally: &mut Tally) -> Outcome<()> {
    each_object(store, mutator, &mut |_, object, words| {
        // SAFETY: a well-formed object of this size lies here.
        unsafe { tally.count(object, words) };
        Ok(())
    })
}

/// A visitor of objects, with their size in words; a failure ends the walk.
pub(crate) trait Visit: FnMut(&Store, Addr, usize) -> Outcome<()> {}

impl<F: FnMut(&Store, Addr, usize) -> Outcome<()>> Visit for F {}

/// Visits every object of a heap that has just been collected as a whole.
pub(crate) fn each_object(store: &mut Store, mutator: &mut Mutator, visit: &mut impl Visit) -> Outcome<()> {
    store.close_nursery(mutator);
    mutator.pool.close();
    for chunk in mutator.nursery.chunks() {
        walk_group(store, chunk, chunk.fields().free, visit)?;
    }
    for block in mutator.pool.blocks.iter() {
        walk_group(store, block, block.fields().free, visit)?;
    }
    for generation in store.all_generations() {
        for step in generation.live_steps() {
            for group in step.blocks.iter() {
                walk_group(store, group, group.fields().free, visit)?;
            }
            for group in step.large.iter() {
                if group.has(flag::PINNED) {
                    let mut outcome = Ok(());
                    PinnedBlock(group).each_object(|object| {
                        if outcome.is_ok() {
                            outcome = visit_one(store, object, visit);
                        }
                    });
                    outcome?;
                // SAFETY: a large group is readable; a header of zero means that the object was not
                // filled yet.
                } else if unsafe { group.object().load() } != 0 {
                    visit_one(store, group.object(), visit)?;
                }
            }
        }
    }
    Ok(())
}

fn walk_group(store: &Store, group: Block, end: Addr, visit: &mut impl Visit) -> Outcome<()> {
    let mut at = group.start();
    while at < end {
        // SAFETY: words up to where the group is filled are readable.
        let header = unsafe { at.load() };
        if header == 0 {
            at = at.plus_words(1);
            continue;
        }
        // SAFETY: as above, and what is not zero there is a header.
        if let Some(gap) = unsafe { Gap::at(at) } {
            at = gap.end;
            continue;
        }
        // SAFETY: a word that is not zero here is the header of an object [heap.inv.filled].
        let words = unsafe { store.model.size(at, info_of(header)) };
        if at.plus_words(words) > end {
            return Err(Failure::damaged(format_args!(
                "the object at {at} of {} bytes reaches behind the end {end} of its block",
                words * WORD_BYTES
            )));
        }
        visit(store, at, words)?;
        at = at.plus_words(words);
    }
    Ok(())
}

fn visit_one(store: &Store, object: Addr, visit: &mut impl Visit) -> Outcome<()> {
    // SAFETY: the callers have found a well-formed object.
    let words = unsafe { store.model.size(object, info_of(object.load())) };
    visit(store, object, words)
}
