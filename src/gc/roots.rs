//! The roots of a collection: remembered entries of generations that are not collected, mutators, handles, and the
//! roots that the client's callback tells.

use super::evacuate::Rare;
use super::observer::Observer;
use super::tracer::{Notes, Tracer};
use crate::base::size::MAX_GENERATIONS;
use crate::block::Chain;
use crate::heap::Mutator;
use crate::heap::object::model::SlotSink;
use crate::heap::root::frame::{visit_frames, visit_llvm_frames};
use crate::heap::space::carded::drop_covered;
use crate::heap::space::changed::Changed;
use crate::heap::space::generation::{Code, Place};
use crate::heap::space::remember::{Entry, Remembered, each_entry_between};
use crate::megablock::Codes;

impl<C: Codes, O: Observer> Tracer<'_, C, O> {
    /// Evacuates the objects that remembered entries lead to. Lists are taken first and refilled with entries that
    /// still lead to younger generations; lists of collected generations are dropped. A major collection looks at no
    /// entry: their owners are collected, and looking would wait for slots in no order.
    pub(super) fn scavenge_remembered_lists(&mut self, mutator: &mut Mutator) {
        self.store.changed.merge();
        let mut buffers =
            std::mem::replace(&mut mutator.buffers, crate::heap::space::remember::Buffers::EMPTY);
        let count = self.store.generation_count;
        let mut chains = [Chain::EMPTY; MAX_GENERATIONS];
        let has_cards = std::mem::take(&mut self.store.has_cards);
        for (chain, generation) in chains.iter_mut().zip(&mut self.store.generations[..count]).skip(1) {
            *chain = generation.remembered.take();
        }
        let is_minor = (self.last.generation() as usize) < self.store.oldest();
        if is_minor {
            buffers.for_each_chain(&mutator.window, |chain| self.scavenge_entries(chain, has_cards));
        }
        for (number, chain) in chains.iter_mut().enumerate().take(count).skip(1) {
            if Place::new(number, 0) > self.last && number < planted!(25, 3, usize::MAX) {
                self.scavenge_entries(chain, has_cards);
            }
            while let Some(group) = chain.pop() {
                self.store.blocks.free_group(group);
            }
        }
        buffers.clear(&mut mutator.window, &mut self.store.blocks);
        mutator.buffers = buffers;
        self.look_at_changed(is_minor);
    }

    /// Looks at each object that has changed once, as a whole, unless it is collected.
    fn look_at_changed(&mut self, is_minor: bool) {
        let mut changed = std::mem::replace(&mut self.store.changed, Changed::NONE);
        if is_minor {
            let entries = changed.objects().map(|object| Entry::new(Remembered::ObjectOnce, object));
            entries.for_each(|entry| planted!(678, (), self.scavenge_entry(entry)));
        }
        changed.clear();
        self.store.changed = changed;
    }

    fn scavenge_entries(&mut self, chain: &Chain, has_cards: bool) {
        if self.share_entries(chain, has_cards) {
            return;
        }
        let (codes, last) = (self.store.codes, self.last.generation());
        for group in chain.iter() {
            let (start, mut end) = (group.start(), group.fields().free);
            if has_cards {
                // SAFETY: entries fill the group, and this thread alone looks at it.
                end = unsafe { drop_covered(start, end, codes, last) };
            }
            each_entry_between(start, end, |entry| self.scavenge_entry(entry));
        }
    }

    #[inline]
    pub(super) fn scavenge_entry(&mut self, entry: Entry) {
        let at = entry.at();
        let code = Code(self.codes.at(at.0));
        if code.is_none() {
            self.scavenge_remembered_static(at, entry.what());
            return;
        }
        // Owners in collected generations are looked at when they are saved themselves.
        if code.is_saved() || code.place() <= self.last {
            return;
        }
        let generation = code.generation();
        match entry.what() {
            Remembered::Slot | Remembered::TaggedSlot => {
                if self.store.changed.has(at) {
                    return;
                }
                self.owner = generation;
                self.desired = 0;
                self.notes = Notes::Again;
                if entry.what() == Remembered::Slot {
                    self.pointer(at)
                } else {
                    self.tagged(at)
                }
                self.notes = Notes::Slots;
            }
            Remembered::Cards => self.scavenge_remembered_cards(at),
            Remembered::WeakSlot | Remembered::WeakTaggedSlot => {
                if !self.store.changed.has(at) {
                    planted!(125, self.pointer(at), self.put_weak_slot_off(entry, generation));
                }
            }
            what => self.scavenge_remembered(at, what, generation),
        }
    }

    /// Evacuates the objects that mutators and the heap's own tables refer to.
    pub(super) fn evacuate_own_roots(&mut self, mutator: &mut Mutator, major: bool) {
        self.owner = 0;
        self.desired = 0;
        let maps = std::mem::take(&mut self.store.stack_maps);
        mutator.each(|mutator| {
            // SAFETY: the frames were checked before the collection began, and the client has not run since.
            unsafe {
                visit_frames(mutator.window.frames, self);
                if !mutator.llvm_chain.is_null() {
                    // The chain was checked as well; it cannot have changed.
                    let _ = visit_llvm_frames(*mutator.llvm_chain, &mut Rare(self));
                }
            }
            mutator.native.visit(&maps, self);
        });
        self.store.stack_maps = maps;
        let registered = std::mem::take(&mut self.store.registered);
        for root in registered.iter() {
            root.visit(&mut Rare(self));
        }
        self.store.registered = registered;
        let stable = std::mem::replace(&mut self.store.stable, crate::heap::root::stable::StableTable::new());
        if major {
            stable.visit_all(&mut Rare(self));
        } else {
            stable.visit_young(&mut Rare(self));
        }
        self.store.stable = stable;
        mutator.each(|mutator| self.evacuate_running_stack(mutator));
        for slot in self.store.weaks.queue_slots() {
            self.evacuate_again(slot);
        }
    }
}
