//! The sanity walk's check of marks of uses: each belongs to an object that is there.

use super::objects::Objects;
use crate::base::size::BLOCK_BYTES;
use crate::base::{Addr, Failure, Outcome};
use crate::block::Block;
use crate::block::descriptor::flag;
use crate::heap::{Mutator, Store};

pub(super) fn check_marks(store: &Store, mutator: &Mutator, objects: &Objects) -> Outcome<()> {
    if !store.sides().has_marks() {
        return Ok(());
    }
    let young = mutator.nursery.chunks().chain(mutator.pool.blocks.iter());
    young.into_iter().try_for_each(|group| check_group(store, group, objects))?;
    let steps = store.all_generations().iter().flat_map(|generation| generation.live_steps());
    for step in steps {
        let small = step.blocks.iter().chain(step.large.iter().filter(|group| group.has(flag::PINNED)));
        small.into_iter().try_for_each(|group| check_group(store, group, objects))?;
    }
    Ok(())
}

fn check_group(store: &Store, group: Block, objects: &Objects) -> Outcome<()> {
    let mut wrong = None;
    // SAFETY: the caller has stopped the program; groups begin at blocks.
    unsafe {
        store.sides().each_use(group.start(), group.blocks() * BLOCK_BYTES, |granule: Addr| {
            if !objects.has(granule) && !objects.has(granule.plus_words(1)) {
                wrong.get_or_insert(granule);
            }
        })
    };
    wrong.map_or(Ok(()), |at| {
        Err(Failure::damaged(format_args!(
            "a use of what begins in the 16 bytes at {at} is marked, and nothing does: was barrow_use given something else?"
        )))
    })
}
