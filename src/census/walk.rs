//! The second opinion: a census by a walk over all blocks, one object after the other.
//!
//! Right after a major collection everything in the blocks is alive, and nothing lies between objects. The walk shares
//! nothing with the collector but the object model, so it finds what a fused census loses or counts twice.

use super::tally::Tally;
use crate::base::size::*;
use crate::base::{Addr, Failure, Outcome};
use crate::block::Block;
use crate::block::descriptor::flag;
use crate::heap::model::info_of;
use crate::heap::pinned::PinnedBlock;
use crate::heap::{Mutator, Store};

/// Counts every object of a heap of which everything has just been collected.
pub fn walk(store: &mut Store, mutator: &mut Mutator, tally: &mut Tally) -> Outcome<()> {
    store.close_nursery(mutator);
    mutator.pool.close();
    for chunk in mutator.nursery.chunks() {
        walk_group(store, chunk, chunk.fields().free, tally)?;
    }
    for block in mutator.pool.blocks.iter() {
        walk_group(store, block, block.fields().free, tally)?;
    }
    for generation in store.all_generations() {
        for step in generation.live_steps() {
            for group in step.blocks.iter() {
                // The newest group is being filled; its descriptor is not up to date.
                let end = if group == step.blocks.first { step.next } else { group.fields().free };
                walk_group(store, group, end, tally)?;
            }
            for group in step.large.iter() {
                if group.has(flag::PINNED) {
                    PinnedBlock(group).each_object(|object| count(store, object, tally));
                // SAFETY: a large group is readable; a header of zero was not filled yet.
                } else if unsafe { group.object().load() } != 0 {
                    count(store, group.object(), tally);
                }
            }
        }
    }
    Ok(())
}

fn walk_group(store: &Store, group: Block, end: Addr, tally: &mut Tally) -> Outcome<()> {
    let mut at = group.start();
    while at < end {
        // SAFETY: words up to where the group is filled are readable.
        let header = unsafe { at.load() };
        if header == 0 {
            at = at.plus_words(1);
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
        count(store, at, tally);
        at = at.plus_words(words);
    }
    Ok(())
}

fn count(store: &Store, object: Addr, tally: &mut Tally) {
    // SAFETY: the callers have found a well-formed object.
    unsafe {
        let words = store.model.size(object, info_of(object.load()));
        tally.count(object, words);
    }
}
