//! Moves objects to their new places: lower in their group, or into a group before it.
//!
//! Objects move in the order of groups and addresses, so that none is overwritten before it has moved
//! [gc.compact.downwards]. Usually whole runs of live words move; object by object only where somebody is told of
//! moves. Several workers move what lives in several groups at a time (`slide_together`).

use super::super::evacuate::tell_moved;
use super::super::marks::next_live;
use super::super::observer::{Carrier, Observer};
use super::super::tracer::Tracer;
use super::forward::Forwarder;
use crate::base::Addr;
use crate::base::size::*;
use crate::block::descriptor::flag;
use crate::block::{Block, Chain};
use crate::heap::Model;
use crate::heap::object::info::{FLAG_NOTIFY_MOVED, Info};
use crate::heap::object::model::info_of;
use crate::megablock::Codes;

/// Memory that words are about to be moved to.
pub(super) trait Targets {
    /// Waits until so many words from an address on may be written to, which are one or more.
    fn reach(&mut self, next: Addr, words: usize);
}

/// One thread moves all objects in their order, so everything at their new places has moved.
struct InOrder;

impl Targets for InOrder {
    #[inline(always)]
    fn reach(&mut self, _next: Addr, _words: usize) {}
}

/// The place for the next words: behind the last ones that were moved, and null when there were none.
pub(super) struct Cursor<T: Targets> {
    next: Addr,
    targets: T,
    /// Words that were moved.
    moved: u64,
}

impl<T: Targets> Cursor<T> {
    pub(super) fn new(targets: T) -> Cursor<T> {
        Cursor { next: Addr::NULL, targets, moved: 0 }
    }

    pub(super) fn moved(&self) -> u64 {
        self.moved
    }

    /// Lets the words of another group follow no others.
    pub(super) fn begin(&mut self) -> &mut T {
        self.next = Addr::NULL;
        &mut self.targets
    }

    /// Words still missing in the group that the last words went to.
    fn words_left(&self) -> usize {
        if self.next.is_null() {
            return 0;
        }
        let last = Addr(self.next.0 - WORD_BYTES);
        Block::of(last).head().fields().scanned.words_since(self.next)
    }

    /// Moves the live words of a group.
    pub(super) fn slide<C: Codes>(&mut self, codes: C, group: Block) {
        let end = group.fields().free;
        let mut at = group.start();
        while at < end {
            // SAFETY: the group's lines exist.
            let line = unsafe { &*codes.line(at.0) };
            let mut live = line.live;
            // A `to` of at most a line's words is no address: nothing begins in the line, and its words follow the last
            // ones.
            if live != 0 && line.to > LINE_WORDS && line.to != self.next.0 {
                // An object that begins here goes to another group than the one that only continues here, which fills its
                // group to the end. The line has a word of the former, so it is not all of the latter.
                let tail = self.words_left();
                debug_assert!(tail < LINE_WORDS);
                let mask = (1 << tail) - 1;
                self.slide_run_of(at, live & mask);
                live &= !mask;
                self.next = Addr(line.to.wrapping_add(tail * WORD_BYTES));
            }
            self.slide_run_of(at, live);
            at = at.plus_bytes(LINE_BYTES);
        }
    }

    /// Moves the live words of a line.
    #[inline(always)]
    fn slide_run_of(&mut self, line: Addr, mut live: u64) {
        if live != 0 {
            self.targets.reach(self.next, live.count_ones() as usize);
        }
        while live != 0 {
            let first = live.trailing_zeros() as usize;
            let words = (live >> first).trailing_ones() as usize;
            let from = line.plus_words(first);
            if from != self.next {
                // SAFETY: the words are live, and everything at their new place has moved.
                unsafe { move_words(from, self.next, words) };
                self.moved += words as u64;
            }
            self.next = self.next.plus_words(words);
            if first + words == LINE_WORDS {
                return;
            }
            live &= !0 << (first + words);
        }
    }
}

/// An object that slides.
pub(super) struct Moving<'i> {
    pub from: Addr,
    pub to: Addr,
    words: usize,
    info: &'i Info,
}

/// Visits the live objects of a group in their order.
#[inline(never)]
pub(super) fn each_moving<C: Codes>(
    forwarder: Forwarder<C>,
    model: Model,
    group: Block,
    visit: &mut dyn FnMut(Moving),
) {
    let end = group.fields().free;
    let mut from = next_live(forwarder.codes, group.start(), end);
    while from < end {
        // SAFETY: a marked word that is not inside an object is the start of one.
        let (info, words) = unsafe {
            let info = info_of(from.load());
            (info, model.size(from, info))
        };
        let next = next_live(forwarder.codes, from.plus_words(words), end);
        visit(Moving { from, to: Addr(forwarder.new_address(from.0)), words, info });
        from = next;
    }
}

impl<T: Targets> Cursor<T> {
    /// Moves an object, when its new place is reached. True when that is another place.
    #[inline(always)]
    pub(super) fn slide_object(&mut self, object: &Moving) -> bool {
        let &Moving { from, to, words, .. } = object;
        self.next = to.plus_words(words);
        if from == to {
            return false;
        }
        self.targets.reach(to, words);
        // SAFETY: the object is live, and everything at its new place has moved.
        unsafe { std::ptr::copy(from.as_ptr::<usize>(), to.as_ptr(), words) };
        self.moved += words as u64;
        true
    }
}

impl<C: Codes, O: Observer> Tracer<'_, C, O> {
    pub(super) fn slide(&mut self, groups: Chain) {
        if self.slide_together(groups) {
            return;
        }
        let mut cursor = Cursor::new(InOrder);
        for group in groups.iter() {
            if O::ON || group.has(flag::TOLD) {
                group.fields().flags &= !flag::TOLD;
                self.slide_objects(group, &mut cursor);
            } else {
                cursor.slide(self.codes, group);
            }
        }
        self.copied_words += cursor.moved();
    }

    fn slide_objects(&mut self, group: Block, cursor: &mut Cursor<InOrder>) {
        let (forwarder, model, carrier) = (self.forwarder(), self.model, self.observer.carrier());
        let observer = &mut *self.observer;
        each_moving(forwarder, model, group, &mut |object| {
            if !cursor.slide_object(&object) {
                return;
            }
            let Moving { from, to, info, .. } = object;
            if O::ON {
                // SAFETY: one thread moves all objects, in their order.
                unsafe { carrier.carry(from, to) };
                observer.moved(from, to);
            }
            if info.flags & FLAG_NOTIFY_MOVED != 0 {
                tell_moved(info, from, to);
            }
        });
    }
}

/// # Safety
/// `words` words lie at `from`, and as many can be written at `to`; where they overlap, `to` is lower.
#[inline(always)]
unsafe fn move_words(from: Addr, to: Addr, words: usize) {
    let (source, target) = (from.as_ptr::<usize>(), to.as_ptr::<usize>());
    // SAFETY: the caller's promise; upwards, each word is read before it is overwritten.
    unsafe {
        if words <= 8 {
            for i in 0..words {
                target.add(i).write_volatile(source.add(i).read());
            }
        } else {
            std::ptr::copy(source, target, words);
        }
    }
}
