//! What the program tells of its objects: uses, changes in place, deaths.

use crate::base::size::{MIN_OBJECT_WORDS, WORD_BYTES};
use crate::base::{Addr, Failure, Outcome};
use crate::census::biography::Word;
use crate::heap::Info;
use crate::heap::model::info_of;
use crate::heap::side::{self, Table};
use crate::runtime::heap::Runtime;

impl Runtime {
    /// An object is used: out of line part.
    pub fn used(&mut self, object: Addr) {
        if self.living_info(object).is_none() {
            return;
        }
        let Some(running) = self.biography.as_mut().filter(|running| !running.beginning) else { return };
        // SAFETY: an object of the heap lies there.
        unsafe { running.use_now(&self.store.model, object) };
        self.store.young_have_lives = true;
    }

    /// Books what compiled code has marked of uses, of all objects that a collection has met.
    pub fn book_marked_uses(&mut self) {
        let Some(running) = self.biography.as_mut().filter(|running| !running.beginning) else { return };
        let (sides, model) = (self.store.sides(), self.store.model);
        for generation in self.store.all_generations() {
            for step in generation.live_steps() {
                for group in step.blocks.iter().chain(step.large.iter()) {
                    // SAFETY: groups of a step hold objects, and only they are marked.
                    unsafe { running.book_uses_in(sides, &model, group) };
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
        let Some(info) = self.living_info(object) else { return };
        let Some(running) = &mut self.biography else { return };
        // SAFETY: an object of the heap lies there.
        unsafe { running.book_marked_use(self.store.sides(), &self.store.model, object) };
        if !info.is_inherently_used() {
            // SAFETY: an object of the heap lies there.
            let (word, holder) =
                unsafe { (Word::of_entry(side::biography(object)), running.holder(object, info)) };
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
            self.store.sides().take_use(object);
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
        self.store.young_have_lives = true;
        let (sides, model) = (self.store.sides(), self.store.model);
        // SAFETY: the address lies in a block of objects.
        unsafe {
            if let Some(running) = &mut self.biography
                && sides.take_use(object)
            {
                // Whatever the caller writes into the word counts, until the next use.
                running.use_now(&model, object);
            }
            side::biography_entry(object).map_or(std::ptr::null_mut(), |at| at.as_ptr())
        }
    }
}
