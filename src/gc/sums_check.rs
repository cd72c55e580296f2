//! The sanity walk's checks of memory without objects: free memory, empty chunks of the nursery, and promised memory.

use crate::base::size::*;
use crate::base::{Addr, Failure, Outcome};
use crate::block::descriptor::flag;
use crate::heap::space::generation::Code;
use crate::heap::{Mutator, Store};

/// The nursery is closed here.
pub(super) fn check_sums(store: &Store, mutator: &Mutator) -> Outcome<()> {
    check_free_codes(store)?;
    check_nursery(mutator)?;
    check_large(store)?;
    check_gaps(store)?;
    store.blocks.check_promises()
}

/// Free blocks have no code: the code alone tells what lies at an old address.
fn check_free_codes(store: &Store) -> Outcome<()> {
    let mut wrong = None;
    let mut look = |start: Addr, blocks: usize| {
        for block in (0..blocks).map(|i| start.plus_bytes(i * BLOCK_BYTES)) {
            let code = Code(store.codes.at(block.0));
            if !code.is_none() {
                wrong.get_or_insert((block, code));
            }
        }
    };
    store.blocks.each_free(|group| look(group.start(), group.blocks()));
    store.blocks.megablocks.for_each_free(|at, count| look(at, count * BLOCKS_PER_MEGABLOCK));
    match wrong {
        None => Ok(()),
        Some((block, code)) => Err(Failure::damaged(format_args!(
            "block {block} is free and has code {} (generation {}, step {})",
            code.0,
            code.generation(),
            code.place().step()
        ))),
    }
}

/// Chunks behind the current one are empty; the others are filled to an address inside them. Their blocks are as many
/// as are counted.
fn check_nursery(mutator: &Mutator) -> Outcome<()> {
    let nursery = &mutator.nursery;
    let mut is_behind = nursery.current.is_null();
    let mut blocks = 0;
    for chunk in nursery.chunks() {
        blocks += chunk.blocks();
        let free = chunk.fields().free;
        if free < chunk.start() || free > chunk.end() || is_behind && free != chunk.start() {
            return Err(Failure::damaged(format_args!(
                "the nursery's chunk from {} to {} is filled to {free}{}",
                chunk.start(),
                chunk.end(),
                if is_behind { ", and nothing was put into it yet" } else { "" }
            )));
        }
        is_behind |= chunk == nursery.current;
    }
    if blocks != nursery.blocks {
        return Err(Failure::damaged(format_args!(
            "the nursery has {blocks} blocks in its chunks and counts {}",
            nursery.blocks
        )));
    }
    Ok(())
}

/// Each step counts the words of its large objects.
fn check_large(store: &Store) -> Outcome<()> {
    for (number, generation) in store.all_generations().iter().enumerate() {
        for (step_number, step) in generation.live_steps().iter().enumerate() {
            let large = step.large.iter().filter(|group| group.has(flag::LARGE));
            let words: usize = large.map(|group| group.words_free_to()).sum();
            if words != step.large_words {
                return Err(Failure::damaged(format_args!(
                    "step {step_number} of generation {number} has {words} words in large objects and counts {}",
                    step.large_words
                )));
            }
        }
    }
    Ok(())
}

/// The lists of gaps have as many words as are counted.
fn check_gaps(store: &Store) -> Outcome<()> {
    let (counted, words) = (store.gaps.words(), store.gaps.counted_words());
    if words == counted {
        return Ok(());
    }
    Err(Failure::damaged(format_args!("the lists of gaps have {words} words and count {counted}")))
}
