//! Compaction: the whole heap is marked in place, and live objects slide together.
//!
//! Nothing is copied to other memory, so no memory is needed but tables that exist since the heap grew
//! [gc.compact.no-memory]. Phases, after marking (`gc::mark`): each object gets its new place (`place`); every
//! reference everywhere is rewritten by a pure function of the old address (`forward`, `roots`); objects move
//! (`slide`). Survivors of all ages end up in the oldest generation, so nothing is remembered afterwards
//! [gc.compact.all-old].

mod forward;
mod place;
mod roots;
mod slide;
mod slide_together;
mod together;

pub(super) use forward::Forwarder;

use super::marks::{Marks, clear_live};
use super::observer::Observer;
use super::tracer::Tracer;
use crate::base::Addr;
use crate::base::size::*;
use crate::block::{Block, Chain};
use crate::heap::mutator::area::{Nursery, SmallPool};
use crate::heap::root::frame::Visitor;
use crate::heap::space::generation::{Code, Place};
use crate::heap::{Mutator, Store};
use crate::megablock::{Codes, Line};
use crate::os::shadow;

/// Bytes of lines between two groups up to which the memory of both is asked for at once.
const BETWEEN_LINES: usize = 16 << 10;

/// A list of groups that grows at its end.
struct Queue {
    list: Chain,
    last: Block,
}

impl Queue {
    fn append(&mut self, group: Block) {
        group.fields().link = Block::NULL;
        match self.last.some() {
            Some(last) => last.fields().link = group,
            None => self.list.first = group,
        }
        self.last = group;
        self.list.blocks += group.blocks();
    }

    /// A chain begins with its newest group; the oldest comes first here, since the oldest objects move least.
    fn append_oldest_first(&mut self, chain: Chain) {
        let mut reversed = chain.reversed();
        while let Some(group) = reversed.pop() {
            self.append(group);
        }
    }
}

/// Takes the groups of all small objects from their owners, in the order in which the objects will slide. Each group
/// still says which generation it was in.
pub(super) fn take_groups(store: &mut Store, mutator: &mut Mutator) -> Chain {
    store.gaps.clear();
    let mut queue = Queue { list: Chain::EMPTY, last: Block::NULL };
    for number in (0..store.generation_count).rev() {
        let generation = &mut store.generations[number];
        for step in generation.steps[..generation.step_count].iter_mut().rev() {
            queue.append_oldest_first(step.take_blocks());
        }
    }
    queue.append_oldest_first(mutator.pool.blocks.take());
    mutator.pool = SmallPool::EMPTY;
    let mut chunks = Chain { first: mutator.nursery.first, blocks: mutator.nursery.blocks };
    while let Some(chunk) = chunks.pop() {
        // Objects may slide to the end of a chunk, in which allocation stopped before.
        shadow::hand_out(chunk.start(), chunk.end());
        queue.append(chunk);
    }
    mutator.nursery = Nursery::EMPTY;
    queue.list
}

impl<C: Codes, O: Observer> Tracer<'_, C, O> {
    /// The place of all survivors of a compaction.
    fn oldest_place(&self) -> Place {
        let oldest = self.store.oldest();
        Place::new(oldest, self.store.generations[oldest].step_count - 1)
    }

    /// Turns the tracer into one that marks these groups' objects in place.
    pub(super) fn begin_compaction(&mut self, groups: Chain) {
        let place = self.oldest_place();
        // The code says "saved", so that references to these blocks are left as they are.
        let code = Code::moving(place).saved();
        for group in groups.iter() {
            self.store.codes.set(group.start(), group.blocks(), code.0);
            group.fields().scanned = Addr::NULL;
        }
        planted!(103, (), self.desk.onward = [place; crate::heap::space::generation::PLACES]);
        let bytes = groups.blocks * BLOCK_BYTES;
        self.marks = Marks::begin(&self.store.mark_room, bytes, code, self.model.round);
        self.begin_together(bytes);
        self.populate_lines(groups);
    }

    /// Asks at once for the memory of the lines of these groups, most of which will be written. A first write that finds a page that
    /// was read before interrupts all processors that run this process, once for each page. One thread asks: several take as long, since they
    /// share an address space.
    fn populate_lines(&mut self, groups: Chain) {
        let megablocks = &mut self.store.blocks.megablocks;
        let mut known = 0..0;
        for group in groups.iter() {
            let lines = group.words_free_to().div_ceil(LINE_WORDS);
            let from = self.codes.line(group.start().0) as usize;
            let to = from + lines * size_of::<Line>();
            // Groups side by side have lines side by side. Where several workers have copied, each one's groups lie between the others'.
            if from <= known.end + BETWEEN_LINES && to + BETWEEN_LINES >= known.start {
                known = known.start.min(from)..known.end.max(to);
                continue;
            }
            megablocks.touch_lines(known);
            known = from..to;
        }
        megablocks.touch_lines(known);
    }

    /// Moves the marked objects together. Returns the groups that have nothing live in them then.
    pub(super) fn compact(
        &mut self,
        groups: Chain,
        mutator: &mut Mutator,
        get_roots: &mut dyn FnMut(&mut Visitor),
    ) -> Chain {
        if O::ON {
            groups.iter().for_each(|group| self.observer.left(group));
        }
        place::place(self.codes, groups);
        self.update_roots(mutator, get_roots);
        // Names come first: the replacement of an object is read in the object, before anything is rewritten.
        self.update_names(true);
        self.update_objects(groups);
        self.slide(groups);
        self.hand_over(groups)
    }

    /// The groups that are filled become the oldest step; the others go to the caller.
    fn hand_over(&mut self, mut groups: Chain) -> Chain {
        let place = self.oldest_place();
        let (mut kept, mut emptied) = (Chain::EMPTY, Chain::EMPTY);
        while let Some(group) = groups.pop() {
            let mut fields = group.fields();
            // SAFETY: the group was marked, up to its old end.
            planted!(482, (), unsafe { clear_live(self.codes, group.start(), fields.free) });
            let filled = std::mem::replace(&mut fields.scanned, Addr::NULL);
            fields.back = Block::NULL;
            if filled.is_null() {
                emptied.push(group);
                continue;
            }
            if filled < fields.free {
                self.store.poison(filled, fields.free);
            }
            fields.free = filled;
            fields.generation = place.generation();
            fields.step = place.step();
            kept.push(group);
        }
        let spot = &mut self.desk.spots[place.index()];
        if let Some(mut last) = kept.pop() {
            last = self.store.trim(last);
            kept.push(last);
            spot.filling.open = last;
            spot.filling.next = last.fields().free;
            spot.filling.limit = last.end();
        }
        spot.filling.chain = kept;
        emptied
    }
}

impl Store {
    /// Gives back the blocks behind the last object of a group.
    pub(in crate::gc) fn trim(&mut self, group: Block) -> Block {
        let wanted = blocks_for_bytes(group.fields().free.bytes_since(group.start()));
        let end = group.start().plus_bytes(wanted * BLOCK_BYTES);
        if wanted < group.blocks() {
            self.codes.set(end, group.blocks() - wanted, Code::NONE.0);
            self.poison(end, group.end());
            self.blocks.shrink_group(group, wanted);
        }
        group
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::flag::Flags;
    use crate::heap::Tags;
    use crate::os::limits::limits;

    /// Blocks of an old generation may come to the nursery.
    #[test]
    fn groups_say_in_which_generation_they_were() {
        let flags = Flags::parse("").unwrap();
        let mut store = Store::new(&flags, &limits(), Tags::checked(0, 0, 0, 8).unwrap(), 8).unwrap();
        let mut mutator = Mutator::new(0, std::ptr::null_mut());
        let mut group = || {
            let group = store.blocks.alloc_group(1).unwrap();
            (group.fields().generation, group.fields().step) = (1, 1);
            group
        };
        let old = group();
        let before: Vec<Block> = (0..USABLE_BLOCKS).map(|_| group()).collect();
        store.generations[1].steps[0].blocks.push(old);
        before.into_iter().for_each(|group| store.blocks.free_group(group));
        store.allocate(&mut mutator, 2).unwrap();
        assert!(store.size_nursery(&mut mutator, USABLE_BLOCKS / 2));
        let all = take_groups(&mut store, &mut mutator);
        let told: Vec<(u8, u8)> =
            all.iter().map(|group| (group.fields().generation, group.fields().step)).collect();
        assert_eq!(all.first, old);
        assert!(told.len() >= 3 && told[0] == (1, 1) && told[1..].iter().all(|&place| place == (0, 0)));
    }
}
