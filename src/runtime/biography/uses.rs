//! What the program tells of its objects: uses, changes in place, deaths.

use super::Running;
use crate::base::size::{MIN_OBJECT_WORDS, WORD_BYTES};
use crate::base::{Addr, Failure, Outcome};
use crate::census::biography::Word;
use crate::heap::Info;
use crate::heap::model::{Model, info_of};
use crate::heap::side::{self, Mark, Sides, Table};
use crate::runtime::heap::Runtime;

/// How far ahead of what is booked the cache is asked for.
const SETTLED_AHEAD: usize = 8;

/// An object that was used in this era: writes that into its biography and, at the first time, takes it out of its cell.
///
/// # Safety
/// `object` is an object of the heap with this table.
#[inline]
unsafe fn settle(running: &mut Running, sides: Sides, model: &Model, object: Addr, info: &Info) {
    // SAFETY: the caller's promise.
    unsafe {
        let old = Word(sides.biography(object));
        let new = old.used(running.era());
        if new == old {
            return;
        }
        sides.set_biography(object, new.0);
        if !info.is_inherently_used() && old != Word::NONE {
            let (holder, words) = (running.holder(object, info), model.size(object, info));
            running.ledger.used(holder, old, (words * WORD_BYTES) as u64);
        }
    }
}

impl Runtime {
    /// An object is used: out of line part.
    pub fn used(&mut self, object: Addr) {
        self.settle_uses();
        let Some(info) = self.living_info(object) else { return };
        let Some(running) = self.biography.as_mut().filter(|running| !running.beginning) else { return };
        // SAFETY: an object of the heap lies there.
        unsafe {
            settle(running, Sides::BY_HEADERS, &self.store.model, object, info);
            side::set_mark(object, Mark::USED);
        }
        self.store.young_have_lives = true;
    }

    /// Books what compiled code has noted of uses. Whatever moves or changes an object, or ends an era, comes after this.
    pub fn settle_uses(&mut self) {
        let Some(running) = self.biography.as_mut().filter(|running| !running.beginning) else { return };
        let sides = self.store.sides();
        for mutator in self.mutators.iter_mut() {
            let uses = mutator.take_uses();
            for (i, &object) in uses.iter().enumerate() {
                if let Some(&ahead) = uses.get(i + SETTLED_AHEAD) {
                    ahead.prefetch();
                    sides.prefetch_life(ahead);
                }
                // SAFETY: compiled code has noted objects that a collection has met, and none has moved since.
                unsafe {
                    settle(running, sides, &self.store.model, object, info_of(object.load()));
                }
            }
        }
    }

    /// The info table of an object of this heap; none for anything else, statics and what is not filled included.
    fn living_info<'a>(&self, object: Addr) -> Option<&'a Info> {
        self.object_code(object).ok()?;
        // SAFETY: a word of the heap, which holds a header if the caller says that an object is there.
        let header = unsafe { object.load() };
        (header > 7).then(|| info_of(header))
    }

    /// An object is about to be changed in place: to a biography it dies.
    pub fn biography_dead(&mut self, object: Addr, words: usize) {
        self.settle_uses();
        let Some(info) = self.living_info(object) else { return };
        let Some(running) = &mut self.biography else { return };
        if !info.is_inherently_used() {
            // SAFETY: an object of the heap lies there.
            let (word, holder) = unsafe { (Word(side::biography(object)), running.holder(object, info)) };
            running.ledger.dead(holder, word, (words * WORD_BYTES) as u64);
        }
    }

    /// A new object is where another was.
    pub fn biography_created(&mut self, object: Addr) {
        let word = match &self.biography {
            Some(running) if !running.beginning => Word::created(running.era()),
            _ => Word::NONE,
        };
        // SAFETY: an object of the heap lies there, or will.
        unsafe {
            side::set_biography(object, word.0);
            side::set_mark(object, Mark::NONE);
            side::set_number(Table::Cell, object, 0);
        }
        self.store.young_have_lives = true;
    }

    /// `LDV_recordDead`, with the size that the client believes the object to have.
    pub fn record_dead(&mut self, object: Addr, words: usize) -> Outcome<()> {
        let Some((info, actual)) = self.recorded(object)? else { return Ok(()) };
        if actual != words {
            return Err(Failure::argument(format_args!(
                "the object at {object} ({}) has {actual} words, and dies with {words}",
                info.name()
            )));
        }
        self.biography_dead(object, actual);
        self.biography_created(object);
        Ok(())
    }

    /// The same for an object that becomes one of two words; the rest is cleared.
    pub fn record_dead_fill_slop(&mut self, object: Addr) -> Outcome<()> {
        let Some((_, words)) = self.recorded(object)? else { return Ok(()) };
        self.biography_dead(object, words);
        self.biography_created(object);
        for i in MIN_OBJECT_WORDS..words {
            // SAFETY: these words belong to the object.
            unsafe { object.plus_words(i).store(0) };
        }
        Ok(())
    }

    /// An object of this heap, and its size; nothing for statics and objects elsewhere.
    fn recorded<'a>(&self, object: Addr) -> Outcome<Option<(&'a Info, usize)>> {
        if object.is_null() || !object.is_aligned(WORD_BYTES) {
            return Err(Failure::argument(format_args!("{object} is no object")));
        }
        let Some(info) = self.living_info(object) else { return Ok(None) };
        // SAFETY: the client says that an object with this header lies there.
        Ok(Some((info, unsafe { self.store.model.size(object, info) })))
    }

    /// The biography word of an object of this heap, if there is one, with what is known of its use.
    pub fn biography_word(&mut self, object: Addr) -> *mut usize {
        if self.object_code(object).is_err() {
            return std::ptr::null_mut();
        }
        self.settle_uses();
        self.store.young_have_lives = true;
        // SAFETY: the address lies in a block of objects.
        unsafe {
            if let Some(running) = &self.biography
                && side::mark(object) == Mark::USED
            {
                // Whatever the caller writes into the word counts, until the next use.
                side::set_biography(object, Word(side::biography(object)).used(running.era()).0);
                side::set_mark(object, Mark::MET);
            }
            side::biography_entry(object).map_or(std::ptr::null_mut(), |at| at.as_ptr())
        }
    }
}
