//! Objects that are replaced by others in all pointers to them: indirections are shorted out, selectors evaluated, and
//! objects replaced by equivalents that a client's `shortcut` function knows.
//!
//! A chain of them is walked once, without a stack. Each then holds the address of the end (`HEADER_REPLACED`), so that
//! later references find it at once [gc.inv.iterative].

use super::observer::Observer;
use super::tracer::Tracer;
use crate::base::Addr;
use crate::block::Block;
use crate::block::descriptor::flag;
use crate::heap::object::info::{FLAG_SHORTCUT, Info, Kind, Resolver};
use crate::heap::object::kind::Kinds;
use crate::heap::object::model::{HEADER_BITS, HEADER_FORWARDED, HEADER_REPLACED, info_of};
use crate::heap::space::generation::{Code, Place};
use crate::heap::space::pinned::PinnedBlock;
use crate::heap::space::remember::Remembered;
use crate::megablock::Codes;

/// Instead of a generation: the object is an indirection that does not move, and pointers to it are to be replaced.
pub(super) const PASSES: u8 = u8::MAX;

/// Whether something other than a copy may have to be made of an object.
#[inline(always)]
pub(super) fn is_replaceable(info: &Info) -> bool {
    info.is_whole_in(Kinds::REPLACEABLE) | (info.flags & FLAG_SHORTCUT != 0)
}

/// Whether an object with this header is an indirection that collections remove.
pub(super) fn passes(header: usize) -> bool {
    header > HEADER_BITS && header & HEADER_FORWARDED == 0 && info_of(header).is_whole_in(Kinds::PASSING)
}

/// Finds out that a walk goes in a circle, without memory (Brent).
pub(super) struct Circle {
    mark: usize,
    steps: usize,
    limit: usize,
}

impl Circle {
    pub(super) fn new(start: usize) -> Circle {
        Circle { mark: start, steps: 0, limit: 2 }
    }

    /// True when the walk has been at `at` before.
    pub(super) fn closes(&mut self, at: usize) -> bool {
        if at == self.mark {
            return true;
        }
        self.steps += 1;
        if self.steps == self.limit {
            self.steps = 0;
            self.limit *= 2;
            self.mark = at;
        }
        false
    }
}

impl<C: Codes, O: Observer> Tracer<'_, C, O> {
    /// Evacuates a pointer to something replaceable.
    #[cold]
    #[inline(never)]
    pub(super) fn replace(&mut self, slot: Addr, word: usize, address: usize, what: Remembered) {
        match self.end_of_chain(Addr(address)) {
            Some(end) => {
                self.point_chain_at(Addr(address), end);
                self.put(slot, word, address, end, what);
            }
            // The object stays what it is, and was saved.
            None if what == Remembered::Slot => self.evacuate_again(slot),
            None => {
                let new = self.evacuated(address);
                self.put(slot, word, address, new, what);
            }
        }
    }

    /// Lets a slot hold `end`, a saved pointer, instead of `word`. A pointer takes the tag of the one that replaces
    /// it: the tag belongs to the value. Tagged words keep theirs.
    #[cold]
    #[inline(never)]
    pub(super) fn put(&mut self, slot: Addr, word: usize, address: usize, end: usize, what: Remembered) {
        let at = end & !HEADER_BITS;
        let new = if what == Remembered::Slot {
            planted!(41, at | (word & HEADER_BITS), end)
        } else {
            word.wrapping_add(at.wrapping_sub(address))
        };
        // SAFETY: slots come from roots and from fields of well-formed objects.
        unsafe { slot.store(new) };
        let code = Code(self.codes.at(at));
        if !code.is_none() && code.generation() < self.owner {
            self.note_younger(slot, code.generation(), what);
        }
    }

    /// The word for an object once it was saved.
    pub(super) fn evacuated(&mut self, word: usize) -> usize {
        let mut cell = word;
        // The cell is no field of anything, so nothing is to be remembered of it.
        let owner = std::mem::replace(&mut self.owner, 0);
        self.evacuate_again(Addr(&raw mut cell as usize));
        self.owner = owner;
        cell
    }

    /// The saved word for what a replaceable object is replaced by. `None` when it stays; it has been saved then.
    pub(super) fn end_of_chain(&mut self, start: Addr) -> Option<usize> {
        let word = self.walk_chain(start)?;
        let end = self.evacuated(word);
        if self.store.depot.is_shared && self.is_updatable(end) {
            return self.end_before(start, word);
        }
        Some(end)
    }

    /// Walks from a replaceable object to its replacement.
    #[inline(always)]
    fn walk_chain(&mut self, start: Addr) -> Option<usize> {
        let mut circle = Circle::new(start.0);
        let mut at = start;
        // The word that led to `at`.
        let mut word = start.0;
        loop {
            // SAFETY: `at` is a well-formed object that was not moved.
            let header = unsafe { at.load() };
            let Some(next) = self.replacement(at, header) else { break };
            word = next;
            at = Addr(next & !HEADER_BITS);
            let code = Code(self.codes.at(at.0));
            let fixed = self.may_pass(at, code);
            if !self.is_unsaved(at, code) && !fixed {
                return Some(word);
            }
            // SAFETY: a pointer into a block of objects is the address of one.
            let header = unsafe { at.load() };
            if header & HEADER_FORWARDED != 0 || header <= HEADER_BITS {
                return Some(word);
            }
            if if fixed { !passes(header) } else { !is_replaceable(info_of(header)) } {
                return Some(word);
            }
            if circle.closes(at.0) {
                planted!(420, (), self.save_as_it_is(at, code));
                break;
            }
        }
        if at == start { None } else { Some(word) }
    }

    /// Whether the object that a saved word leads to may get a value.
    #[inline(always)]
    fn is_updatable(&self, word: usize) -> bool {
        let at = Addr(word & !HEADER_BITS);
        // SAFETY: a pointer into a block of objects is the address of one, or of memory that was not filled yet.
        let header = if Code(self.codes.at(at.0)).is_none() { 0 } else { unsafe { at.load() } };
        header > HEADER_BITS && planted!(551, false, info_of(header).is_in(Kinds::UPDATABLE))
    }

    /// With several mutators, the last indirection before a thunk to which a word leads: it stays, and the chain ends there
    /// [gc.inv.late].
    #[cold]
    #[inline(never)]
    fn end_before(&mut self, start: Addr, end: usize) -> Option<usize> {
        let (mut at, mut word) = (start, start.0);
        loop {
            // SAFETY: the chain was walked, so these are indirections with their values in word 1.
            let next = unsafe { at.plus_words(1).load() };
            if (next ^ end) & !HEADER_BITS == 0 {
                break;
            }
            (at, word) = (Addr(next & !HEADER_BITS), next);
        }
        self.save_as_it_is(at, Code(self.codes.at(at.0)));
        if at == start { None } else { Some(self.evacuated(word)) }
    }

    /// The replacement of one object, which is an indirection to it afterwards. `None` when the object stays; it was
    /// saved.
    fn replacement(&mut self, at: Addr, header: usize) -> Option<usize> {
        let info = info_of(header);
        if info.flags & FLAG_SHORTCUT != 0 {
            if let Some(other) = self.ask_client(at, info).filter(|&other| self.may_replace(other)) {
                // SAFETY: objects have two words at least, and nobody reads these where they are any more.
                unsafe {
                    self.observer.replaces(at);
                    at.store(self.store.tables.ind.0 | (header & HEADER_BITS));
                    at.plus_words(1).store(other);
                }
                return Some(other);
            }
        } else if info.is_whole_in(Kinds::PASSING) || (info.is(Kind::Selector) && self.evaluate(at)) {
            // SAFETY: an indirection has its value in word 1.
            return Some(unsafe { at.plus_words(1).load() });
        }
        // SAFETY: as above. `evaluate` saves selectors that it could not evaluate.
        if unsafe { at.load() } & HEADER_FORWARDED == 0 {
            let code = Code(self.codes.at(at.0));
            self.save_as_it_is(at, code);
        }
        None
    }

    /// Whether an object may be replaced by what a client answers. With several mutators references do not come to be those of an
    /// unevaluated thunk [gc.inv.late]; and the object would be the indirection that stays before it, with a tag of another object.
    #[cold]
    fn may_replace(&self, other: usize) -> bool {
        planted!(699, true, !(self.store.depot.is_shared && self.is_updatable(self.find(other))))
    }

    /// Saves an object that is not replaced after all.
    pub(super) fn save_as_it_is(&mut self, at: Addr, code: Code) {
        if code.is_fixed() {
            self.keeps_indirections = true;
            self.keep_in_place(at, code);
            self.keeps_indirections = false;
            return;
        }
        // SAFETY: the callers hand in an object that was not moved.
        let mut header = unsafe { at.load() };
        let tables = &self.store.tables;
        let onward: Place = self.desk.onward[code.place().index()];
        if !self.observer.tells_kinds_apart()
            && header & !HEADER_BITS == tables.ind_perm.0
            && onward.generation().max(self.desired) > 0
        {
            header = tables.ind_oldgen_perm.0 | (header & HEADER_BITS);
            // SAFETY: as above.
            unsafe { at.store(header) };
        }
        if self.marks.on {
            self.mark_as_it_is(at);
        } else {
            self.copy(at, header, code.place());
        }
    }

    /// Whether an object is a small one that this collection has not saved. It may have been replaced.
    #[inline]
    pub(super) fn is_unsaved(&self, at: Addr, code: Code) -> bool {
        code.moves_up_to(self.last) || (self.marks.on && code == self.marks.code && !self.is_marked(at))
    }

    /// Whether an object does not move, is in a collected generation and was not reached: an indirection there is
    /// passed by. A pinned block that was reached may hold objects that were not.
    pub(super) fn may_pass(&self, at: Addr, code: Code) -> bool {
        if !code.is_fixed() || !code.is_saved() {
            return code.is_fixed() && code.place() <= self.last;
        }
        let group = Block::of(at).head();
        group.has(flag::PINNED) && !PinnedBlock(group).is_reached(at)
    }

    /// Lets every indirection from `start` on say where the chain ends.
    pub(super) fn point_chain_at(&mut self, start: Addr, end: usize) {
        let mut at = start;
        let mut circle = Circle::new(0);
        loop {
            let code = Code(self.codes.at(at.0));
            let moves = self.is_unsaved(at, code);
            if !moves && !self.may_pass(at, code) {
                return;
            }
            // SAFETY: the chain was walked before: these are well-formed objects, perhaps moved.
            unsafe {
                if !passes(at.load()) || circle.closes(at.0) {
                    return;
                }
                let next = at.plus_words(1).load();
                if self.marks.on {
                    // A compaction knows replaced objects by their missing marks, so the header stays.
                    at.plus_words(1).store(end);
                } else if moves {
                    self.observer.replaces(at);
                    at.store((end & !HEADER_BITS) | HEADER_FORWARDED | planted!(105, 0, HEADER_REPLACED));
                    at.plus_words(1).store(end);
                }
                at = Addr(next & !HEADER_BITS);
            }
        }
    }

    /// Asks the client's function for an equivalent of an object.
    fn ask_client(&mut self, at: Addr, info: &Info) -> Option<usize> {
        fn find<C: Codes, O: Observer>(state: *const (), word: usize) -> usize {
            // SAFETY: `state` is the tracer that asks, which does nothing meanwhile.
            unsafe { (*state.cast::<Tracer<'_, C, O>>()).find(word) }
        }
        let shortcut = info.shortcut()?;
        let mut resolver = Resolver { find: find::<C, O>, state: (&raw const *self).cast() };
        // SAFETY: the client's function takes an object of its kind, and the resolver lives during the call.
        let other = unsafe { shortcut(at.as_ptr(), &raw mut resolver) } as usize;
        (other & !HEADER_BITS != 0 && other & !HEADER_BITS != at.0).then_some(other)
    }

    /// The word for a pointer's object now, through copies and indirections; the object can be read.
    fn find(&self, word: usize) -> usize {
        let mut word = word;
        let mut circle = Circle::new(0);
        loop {
            let at = Addr(word & !HEADER_BITS);
            if Code(self.codes.at(at.0)).is_none() || circle.closes(at.0) {
                return word;
            }
            // SAFETY: a pointer into a block of objects is the address of one, which may have moved.
            unsafe {
                let header = at.load();
                if planted!(331, false, header & HEADER_FORWARDED != 0) {
                    let replaced = header & HEADER_REPLACED != 0;
                    word = if replaced {
                        at.plus_words(1).load()
                    } else {
                        (header & !HEADER_BITS) | (word & HEADER_BITS)
                    };
                } else if passes(header) {
                    word = at.plus_words(1).load();
                } else {
                    return word;
                }
            }
        }
    }
}
