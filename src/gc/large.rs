//! Objects that do not move: large ones are relinked, pinned ones are marked in their blocks.

use super::observer::Observer;
use super::tracer::{Notes, Tracer};
use crate::base::Addr;
use crate::base::size::*;
use crate::block::Block;
use crate::block::descriptor::flag;
use crate::heap::Kind;
use crate::heap::object::array::{Array, card_for, cards, has_cards, leads_to};
use crate::heap::object::info::{FLAG_TAIL_TAGGED, Info};
use crate::heap::object::kind::Kinds;
use crate::heap::object::model::{HEADER_AWAITED, HEADER_BITS, HEADER_RECORDED, info_of};
use crate::heap::space::generation::{Code, Place};
use crate::heap::space::pinned::PinnedBlock;
use crate::heap::space::remember::{Entry, Remembered};
use crate::megablock::Codes;

/// Elements of an array that are saved between two looks ahead, and elements that are prefetched ahead of them.
const SLICE: usize = 16;
const ELEMENTS_AHEAD: usize = 32;
/// Elements before its turn at which an array of bytes is prefetched behind its first line, and the most bytes of it:
/// the processor fetches the rest of a longer copy by itself.
const BODIES_AHEAD: usize = 8;
const MOST_BODY_BYTES: usize = 512;
const CACHE_LINE_BYTES: usize = 64;
/// In place of a generation: cards that are not marked as well.
const ALL_CARDS: u8 = leads_to(0);
/// Leaves in a slice that are a reason to look for more in the next one.
const MANY_LEAVES: usize = SLICE / 4;

/// The place of a reached group's objects before: their generation; the step is not known any more.
fn was_in(group: Block) -> Place {
    Place::new(group.fields().was as usize, 0)
}

impl<C: Codes, O: Observer> Tracer<'_, C, O> {
    /// Keeps an object that is not a small one of a collected generation. Gives the generation that it is in.
    #[inline(never)]
    pub(super) fn keep_in_place(&mut self, object: Addr, code: Code) -> u8 {
        if !code.is_fixed() {
            if self.marks.on && code == self.marks.code {
                self.mark_later(object);
            }
            return code.generation();
        }
        if code.is_saved() {
            // A pinned block was reached before, this object of it perhaps not.
            let group = Block::of(object).head();
            if !group.has(flag::PINNED) || PinnedBlock(group).is_reached(object) {
                return code.generation();
            }
            // SAFETY: a reference leads to an object, or to memory that was not filled yet.
            if super::replace::passes(unsafe { object.load() }) && !self.keeps_indirections {
                return super::replace::PASSES;
            }
            if PinnedBlock(group).reach(object) {
                self.saw_pinned(object, group, code.place());
                self.queue(group, code.place());
                self.if_awaited(object);
            }
            return code.generation();
        }
        if code.place() > planted!(13, Place(self.last.0 & 0x38), self.last) {
            return code.generation();
        }
        // SAFETY: a reference leads to an object, or to memory that was not filled yet.
        if super::replace::passes(unsafe { object.load() }) && !self.keeps_indirections {
            return super::replace::PASSES;
        }
        let group = Block::of(object).head();
        let mut to = self.desk.onward[code.place().index()];
        if to.generation() < self.desired {
            to = Place::new(self.desired as usize, 0);
        }
        self.move_group(group, to);
        if group.has(flag::PINNED) {
            PinnedBlock(group).reach(object);
            self.saw_pinned(object, group, to);
        } else {
            let words = group.fields().free.words_since(group.start());
            self.desk.spots[to.index()].large_words += words;
            self.store.generations[code.generation() as usize].steps[code.place().step() as usize]
                .large_words -= words;
            if O::ON {
                // SAFETY: a large group that is referred to holds a well-formed object.
                let words = unsafe { self.model.size(object, info_of(object.load())) };
                planted!(36, (), self.observer.kept(object, object, words, was_in(group), to));
            }
        }
        self.if_awaited(object);
        to.generation()
    }

    fn if_awaited(&mut self, object: Addr) {
        // SAFETY: an object that was just reached is readable.
        if self.awaiting && unsafe { object.load() } & HEADER_AWAITED != 0 {
            self.awaited_reached(object, object);
        }
    }

    fn saw_pinned(&mut self, object: Addr, group: Block, place: Place) {
        // SAFETY: as below; one that was not filled yet is no object.
        if O::ON && planted!(645, true, unsafe { object.load() } != 0) {
            // SAFETY: a pinned object that is referred to is well-formed.
            let words = unsafe { self.model.size(object, info_of(object.load())) };
            self.observer.kept(object, object, words, was_in(group), place);
        }
    }

    /// Takes a group out of its old step's list and queues it at its new place.
    fn move_group(&mut self, group: Block, to: Place) {
        let mut fields = group.fields();
        let old = &mut self.store.generations[fields.generation as usize].steps[fields.step as usize];
        old.large.remove(group);
        fields.was = fields.generation as u32;
        fields.generation = to.generation();
        fields.step = to.step();
        fields.flags = (fields.flags | flag::REACHED | flag::QUEUED) & !flag::CARDED;
        self.desk.spots[to.index()].large_todo.push(group);
        // The code always says "saved", so that every object of a pinned block passes by here.
        self.store.codes.set(group.start(), group.blocks(), Code::fixed(to).saved().0);
    }

    fn queue(&mut self, group: Block, place: Place) {
        if !group.has(flag::QUEUED) {
            group.fields().flags |= flag::QUEUED;
            self.desk.spots[place.index()].large_done.remove(group);
            self.desk.spots[place.index()].large_todo.push(group);
        }
    }

    /// Scavenges everything that waits at a place. True when there was something.
    pub(super) fn scavenge_large(&mut self, place: Place) -> bool {
        let mut any = false;
        while let Some(group) = self.desk.spots[place.index()].large_todo.pop() {
            any = true;
            group.fields().flags &= !flag::QUEUED;
            self.desk.spots[place.index()].large_done.push(group);
            if group.has(flag::PINNED) {
                while let Some(object) = PinnedBlock(group).next_to_scavenge() {
                    self.scavenge_object(object, place.generation());
                }
            } else {
                self.scavenge_large_object(group, place.generation());
            }
        }
        any
    }

    fn scavenge_large_object(&mut self, group: Block, generation: u8) {
        let object = group.object();
        // SAFETY: a large group that was reached holds a well-formed object.
        let header = unsafe { object.load() };
        let info = info_of(header);
        if info.is(Kind::Bytes) {
            // The array is not remembered any more; when it becomes mutable, it can be recorded anew.
            // SAFETY: as above.
            unsafe { object.store(header & !HEADER_RECORDED) };
            return;
        }
        if info.is_in(Kinds::ARRAY) {
            // SAFETY: it is an array.
            let length = unsafe { Array(object).length() };
            if has_cards(length) {
                // SAFETY: it has cards.
                unsafe { Array(object).clear_cards() };
                // SAFETY: it is a reached array.
                if !unsafe { self.mark_elements_together(Array(object), info) } {
                    self.scavenge_cards(group, info, ALL_CARDS);
                }
                return self.record_again(object, header, generation);
            }
        }
        self.scavenge_object(object, generation);
    }

    /// Hands elements of an array to the collector. Their objects lie in no order, and each would be waited for, so the
    /// next ones, up to element number `most`, are prefetched while one is saved. Elements before `asked` are
    /// prefetched already; gives the new `asked`.
    fn elements_ahead(
        &mut self,
        array: Array,
        info: &Info,
        from: usize,
        to: usize,
        mut asked: usize,
        most: usize,
    ) -> usize {
        let model = self.model;
        let mut at = from;
        // Tagged words may be numbers, so nothing is read at the addresses that they look like.
        let may_be_leaves = info.flags & FLAG_TAIL_TAGGED == 0;
        let mut leaves = self.leaves_saved;
        while at < to {
            let next = (at + SLICE).min(to);
            let many = self.leaves_saved - leaves >= MANY_LEAVES;
            leaves = self.leaves_saved;
            if many && may_be_leaves {
                self.bodies_ahead(array, at + BODIES_AHEAD, (next + BODIES_AHEAD).min(asked));
            }
            for i in asked.max(at)..(next + ELEMENTS_AHEAD).min(most) {
                // SAFETY: the elements exist.
                let word = unsafe { array.element(i).load() };
                if self.codes.might_be_ours(word) {
                    Addr(word).prefetch_object();
                }
            }
            asked = asked.max((next + ELEMENTS_AHEAD).min(most));
            model.elements(info, array.element(at), next - at, self);
            at = next;
        }
        asked
    }

    /// Prefetches arrays of bytes behind their first line, which was prefetched before. Copies of no other objects are
    /// waited for as long.
    #[inline(never)]
    fn bodies_ahead(&self, array: Array, from: usize, to: usize) {
        for i in from..to {
            // SAFETY: the elements exist.
            let object = Addr(unsafe { array.element(i).load() } & !HEADER_BITS);
            if !Code(self.codes.at(object.0)).moves_up_to(self.last) {
                continue;
            }
            // SAFETY: an element that points into a block of small objects is the address of one.
            let header = unsafe { object.load() };
            if header & HEADER_BITS != 0 || !info_of(header).is(Kind::Bytes) {
                continue;
            }
            // SAFETY: as above, and it was not moved.
            let bytes = unsafe { self.model.size(object, info_of(header)) } * WORD_BYTES;
            for line in (CACHE_LINE_BYTES..bytes.min(MOST_BODY_BYTES)).step_by(CACHE_LINE_BYTES) {
                object.plus_bytes(line).prefetch();
            }
        }
    }

    /// Scavenges the cards of an array that lead to a generation up to `last`, or all, and marks those that still lead to something
    /// younger with the youngest such generation. The array is remembered when any are marked.
    pub(super) fn scavenge_cards(&mut self, group: Block, info: &Info, last: u8) {
        let array = Array(group.object());
        let owner = group.fields().generation;
        // SAFETY: the caller has an array with cards.
        let shared = unsafe { self.share_cards(array, info, owner, last) };
        let marked = shared.unwrap_or_else(|| self.scavenge_cards_alone(array, info, owner, last));
        let mut fields = group.fields();
        fields.flags &= !flag::CARDED;
        if marked {
            fields.flags |= flag::CARDED;
            self.store.has_cards = true;
            self.remember_for(owner, Entry::new(Remembered::Cards, array.0));
        }
    }

    /// Whether a card is marked afterwards.
    fn scavenge_cards_alone(&mut self, array: Array, info: &Info, owner: u8, last: u8) -> bool {
        self.owner = owner;
        self.desired = if info.is_mutable() { 0 } else { self.owner };
        self.notes = Notes::Fact;
        // SAFETY: the caller has an array with cards.
        let length = unsafe { array.length() };
        let mut marked = false;
        let wanted = |byte| leads_to(byte) <= last;
        let mut asked = 0;
        for card in 0..cards(length) {
            // SAFETY: the card exists.
            let byte = unsafe { array.card(card) };
            // SAFETY: as above.
            unsafe {
                if !wanted(*byte) {
                    marked |= *byte != 0;
                    continue;
                }
                *byte = 0;
            }
            (self.saw_younger, self.youngest) = (false, u8::MAX);
            let first = card << LOG_CARD_ELEMENTS;
            let count = CARD_ELEMENTS.min(length - first);
            // SAFETY: the card exists.
            let goes_on = card + 1 < cards(length) && wanted(unsafe { *array.card(card + 1) });
            let most = if goes_on { length } else { first + count };
            asked = self.elements_ahead(array, info, first, first + count, asked, most);
            if self.saw_younger {
                // SAFETY: as above.
                unsafe { *byte = planted!(8, 0, card_for(planted!(178, self.owner, self.youngest))) };
                marked = true;
            }
            if self.marks.on {
                // The stack is emptied for each card, so that a large array does not fill it.
                if self.is_stack_due() {
                    self.empty_stack_together();
                }
            }
        }
        self.notes = Notes::Slots;
        marked
    }
}
