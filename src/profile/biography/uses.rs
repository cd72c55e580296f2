//! Events that the program tells of its objects: uses, changes in place, deaths.

use crate::base::size::{MIN_OBJECT_WORDS, WORD_BYTES};
use crate::base::{Addr, Failure, Outcome};
use crate::heap::Info;
use crate::heap::object::model::info_of;
use crate::heap::space::side::{self, Table};
use crate::profile::biography::Word;
use crate::profile::biography::profiler::Lives;
use crate::runtime::Runtime;

impl Lives {
    /// Books a use: the part that is out of line.
    pub fn used(&mut self, rt: &mut Runtime, object: Addr) {
        if self.living_info(rt, object).is_none() {
            return;
        }
        let Some(running) = self.running.as_mut().filter(|running| !running.beginning) else { return };
        // SAFETY: an object of the heap lies there.
        unsafe { running.use_now(&rt.store.model, object) };
        planted!(73, (), rt.store.young_have_lives = true);
    }

    /// Books the uses that compiled code has marked, of all objects that a collection has met.
    pub fn book_marked_uses(&mut self, rt: &mut Runtime) {
        let Some(running) = self.running.as_mut().filter(|running| !running.beginning) else { return };
        let (sides, model) = (rt.store.sides(), rt.store.model);
        for generation in rt.store.all_generations() {
            for step in generation.live_steps() {
                for group in step.blocks.iter().chain(step.large.iter()) {
                    // SAFETY: groups of a step hold objects, and only they are marked.
                    unsafe { running.book_uses_in(sides, &model, group) };
                }
            }
        }
    }

    /// Tells the ledger of every use so far of objects that the last census has counted, while the biography
    /// goes on.
    pub fn note_marked_uses(&mut self, rt: &mut Runtime) {
        let Some(running) = self.running.as_mut().filter(|running| !running.beginning) else { return };
        let (sides, model) = (rt.store.sides(), rt.store.model);
        for generation in rt.store.all_generations() {
            for step in generation.live_steps() {
                for group in step.blocks.iter().chain(step.large.iter()) {
                    // SAFETY: groups of a step hold objects, and only they are marked.
                    unsafe { running.note_uses_in(sides, &model, group) };
                }
            }
        }
        running.tell_uses();
    }

    /// Tells the ledger of every use so far, before tables are turned off.
    pub fn book_all_uses(&mut self, rt: &mut Runtime) {
        self.book_marked_uses(rt);
        if let Some(running) = &mut self.running {
            running.tell_uses();
        }
    }

    /// The info table of an object of this heap; none for other addresses, for statics, and for an object
    /// that is not filled.
    fn living_info<'a>(&self, rt: &Runtime, object: Addr) -> Option<&'a Info> {
        rt.object_code(object).ok()?;
        // SAFETY: a word of the heap, which holds a header if the caller says that an object is there.
        let header = unsafe { object.load() };
        (header > 7).then(|| info_of(header))
    }

    /// Books the death of an object that is about to be changed in place.
    pub(super) fn died(&mut self, rt: &mut Runtime, object: Addr, words: usize) {
        let Some(info) = self.living_info(rt, object) else { return };
        let Some(running) = &mut self.running else { return };
        let store = &rt.store;
        // SAFETY: an object of the heap lies there.
        unsafe { planted!(70, (), running.book_marked_use(store.sides(), &store.model, object)) };
        if !info.is_inherently_used() {
            // SAFETY: an object of the heap lies there.
            let (word, holder) =
                unsafe { (Word::of_entry(side::biography(object)), running.holder(object, info)) };
            running.ledger.dead(holder, word, (words * WORD_BYTES) as u64);
        }
    }

    /// Begins the life of a new object where another was.
    pub(super) fn born(&mut self, rt: &mut Runtime, object: Addr) {
        let word = match &self.running {
            Some(running) if !running.beginning => Word::created(running.era()),
            _ => Word::NONE,
        };
        // SAFETY: an object of the heap lies there, or will.
        unsafe {
            side::set_biography(object, word.0);
            rt.store.sides().take_use(object);
            side::set_number(Table::Cell, object, 0);
        }
        rt.store.young_have_lives = true;
    }

    /// `LDV_recordDead`: books a death, with the size that the client believes the object to have.
    pub fn record_dead(&mut self, rt: &mut Runtime, object: Addr, words: usize) -> Outcome<()> {
        let Some((info, actual)) = self.recorded(rt, object)? else { return Ok(()) };
        if actual != words {
            return Err(Failure::argument(format_args!(
                "the object at {object} ({}) has {actual} words, and dies with {words}",
                info.name()
            )));
        }
        self.died(rt, object, actual);
        self.born(rt, object);
        Ok(())
    }

    /// Books the death of an object that becomes one of two words; the rest of it is cleared.
    pub fn record_dead_fill_slop(&mut self, rt: &mut Runtime, object: Addr) -> Outcome<()> {
        let Some((_, words)) = self.recorded(rt, object)? else { return Ok(()) };
        self.died(rt, object, words);
        self.born(rt, object);
        for i in MIN_OBJECT_WORDS..words {
            // SAFETY: these words belong to the object.
            unsafe { object.plus_words(i).store(0) };
        }
        Ok(())
    }

    /// An object of this heap, and its size in words; none for statics and objects elsewhere.
    fn recorded<'a>(&self, rt: &Runtime, object: Addr) -> Outcome<Option<(&'a Info, usize)>> {
        if object.is_null() || !object.is_aligned(WORD_BYTES) {
            return Err(Failure::argument(format_args!("{object} is no object")));
        }
        let Some(info) = self.living_info(rt, object) else { return Ok(None) };
        // SAFETY: the client says that an object with this header lies there.
        Ok(Some((info, unsafe { rt.busy.mark().words_of(&rt.store.model, object, info) })))
    }

    /// The biography word of an object of this heap, if there is one, with its marked use in it.
    pub fn word_of(&mut self, rt: &mut Runtime, object: Addr) -> *mut usize {
        if rt.object_code(object).is_err() {
            return std::ptr::null_mut();
        }
        rt.store.young_have_lives = true;
        let (sides, model) = (rt.store.sides(), rt.store.model);
        // SAFETY: the address lies in a block of objects.
        unsafe {
            if let Some(running) = &mut self.running
                && sides.take_use(object)
            {
                // The word that the caller writes counts until the next use.
                running.use_now(&model, object);
            }
            side::biography_entry(object).map_or(std::ptr::null_mut(), |at| at.as_ptr())
        }
    }
}
