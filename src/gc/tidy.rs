//! The end of a collection: dead memory is freed, and to-space becomes the steps that it stands for.

use super::desk::Desk;
use super::observer::Observer;
use super::tracer::Tracer;
use crate::base::Addr;
use crate::base::size::{BLOCK_BYTES, blocks_for_bytes};
use crate::block::alloc::blocks_kept_of_spanning;
use crate::block::descriptor::flag;
use crate::block::{Block, Chain, DoubleChain};
use crate::heap::space::generation::{Code, Place};
use crate::heap::space::pinned::PinnedBlock;
use crate::heap::{Mutator, Store};
use crate::megablock::Codes;

impl<C: Codes, O: Observer> Tracer<'_, C, O> {
    pub(super) fn tidy(&mut self, from: Chain, mutator: &mut Mutator) {
        if O::ON && planted!(72, self.marks.on, !self.marks.on) {
            from.iter().for_each(|group| self.observer.left(group));
        }
        self.leave_gaps();
        self.store.free_small(from);
        self.store.forget_swept_room();
        let arrived = self.store.install(self.desk, self.last);
        if !self.marks.on {
            self.copied_words += arrived as u64;
        }
        self.free_unreached_large();
        self.store.free_small(mutator.pool.blocks);
        mutator.pool = crate::heap::mutator::area::SmallPool::EMPTY;
        self.store.reset_nursery(mutator);
        self.store.allocated_blocks = 0;
        let oldest = self.store.oldest() as u8;
        let (codes, tags) = (self.codes, crate::heap::Tags::POINTER_FIELDS);
        let is_young = |word| {
            let code = Code(codes.at(tags.address(word)));
            !code.is_none() && code.generation() < planted!(9, 1, oldest)
        };
        if self.last.generation() == oldest {
            self.store.stable.unsettle(is_young);
        }
        self.store.stable.age(is_young);
    }

    fn free_unreached_large(&mut self) {
        let major = self.last.generation() as usize == self.store.oldest();
        for i in 0..self.desk.used_count + 1 {
            let place = if i == self.desk.used_count { Place::NURSERY } else { self.desk.used_places[i] };
            let mut unreached = DoubleChain::EMPTY;
            let (generation, step) = (place.generation() as usize, place.step() as usize);
            if place <= self.last {
                unreached = self.store.generations[generation].steps[step].large.take();
            }
            while let Some(group) = unreached.pop() {
                self.observer.left(group);
                self.store.free_fixed(group);
            }
            let mut done = self.desk.spots[place.index()].large_done;
            let mut pinned_words = 0;
            while let Some(group) = done.pop() {
                if group.has(flag::PINNED) {
                    self.observer.left(group);
                    group.fields().flags &= !flag::SWEEP;
                    planted!(28, false, PinnedBlock(group).sweep());
                    pinned_words += PinnedBlock(group).live_words(&self.model);
                    self.store.note_pinned_room(PinnedBlock(group));
                } else if major {
                    planted!(179, (), self.store.trim_large(group));
                }
                self.store.generations[generation].steps[step].large.push(group);
            }
            let step = &mut self.store.generations[generation].steps[step];
            if place == Place::NURSERY {
                (step.large_words, step.pinned_words) = (0, 0);
            }
            step.pinned_words += pinned_words;
        }
    }
}

impl Store {
    /// Makes each place's to-space its step. Gives the words that came there, or were left there.
    fn install(&mut self, desk: &Desk, last: Place) -> usize {
        desk.used().iter().map(|&place| self.install_at(place, desk, place <= last)).sum()
    }

    fn install_at(&mut self, place: Place, desk: &Desk, collected: bool) -> usize {
        let (spot, leaves) = (&desk.spots[place.index()], &desk.leaves[place.index()]);
        let arrived = spot.filling.close() + leaves.close();
        if collected {
            for group in spot.filling.chain.iter().chain(leaves.chain.iter()) {
                self.codes.set(group.start(), planted!(12, 1, group.blocks()), Code::moving(place).0);
            }
        }
        for group in spot.large_done.iter() {
            group.fields().flags &= !(flag::REACHED | flag::QUEUED);
            let blocks = planted!(2, group.blocks().min(256), group.blocks());
            self.codes.set(group.start(), blocks, Code::fixed(place).0);
        }
        let step = &mut self.generations[place.generation() as usize].steps[place.step() as usize];
        step.blocks.prepend(leaves.chain);
        step.blocks.prepend(spot.filling.chain);
        (step.open, step.open_leaves) = (spot.filling.open, leaves.open);
        step.leaf_blocks += leaves.chain.blocks;
        if collected {
            // Groups left in `large` were not reached; `free_unreached_large` takes them.
            (step.large_words, step.pinned_words) = (0, 0);
        }
        step.large_words += spot.large_words;
        step.live_words += arrived;
        arrived
    }

    /// Frees groups of small objects of which every live one has been moved.
    pub fn free_small(&mut self, mut chain: Chain) {
        while let Some(group) = chain.pop() {
            self.free_whole(group);
        }
    }

    /// Gives back the blocks behind the end of a large object that was shortened. The group is in no list.
    fn trim_large(&mut self, group: Block) {
        let all = group.blocks();
        let wanted = blocks_for_bytes(group.fields().free.bytes_since(group.start())).max(1);
        let kept = if group.has(flag::SPANS) { blocks_kept_of_spanning(wanted) } else { wanted };
        if kept >= all {
            return;
        }
        let end = group.start().plus_bytes(kept * BLOCK_BYTES);
        self.codes.set(end, all - kept, Code::NONE.0);
        if !group.has(flag::SPANS) {
            // A spanning group was cleared when the object was shortened, and its end goes back to the system.
            self.poison(end, group.end());
        }
        self.blocks.shrink_group(group, kept);
    }

    fn free_fixed(&mut self, group: Block) {
        if group.has(flag::PINNED) {
            self.pinned_blocks -= 1;
        }
        self.free_whole(group);
    }

    fn free_whole(&mut self, group: Block) {
        self.codes.set(group.start(), group.blocks(), Code::NONE.0);
        let end: Addr = if group.has(flag::SPANS) { group.fields().free } else { group.end() };
        self.poison(group.start(), end);
        group.fields().free = group.start();
        self.free_or_set_aside(group);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::flag::Flags;
    use crate::heap::Tags;
    use crate::heap::space::poison::POISON;
    use crate::os::limits::limits;

    #[test]
    fn the_end_of_a_shortened_object_is_poisoned() {
        let flags = Flags::parse("-DS").unwrap();
        let mut store = Store::new(&flags, &limits(), Tags::checked(0, 0, 0, 8).unwrap(), 8).unwrap();
        assert!(store.poisons);
        let group = store.blocks.alloc_group(8).unwrap();
        let block = |i: usize| group.start().plus_bytes(i * BLOCK_BYTES);
        // SAFETY: the words lie in the group.
        (0..8).for_each(|i| unsafe { block(i).store(i) });
        group.fields().free = block(2).plus_words(1);
        store.trim_large(group);
        assert_eq!(group.blocks(), 3);
        // SAFETY: as above; a block that was given back is still mapped.
        let words = [0, 2, 3, 7].map(|i| unsafe { block(i).load() });
        assert_eq!(words, [0, 2, POISON, POISON]);
    }
}
