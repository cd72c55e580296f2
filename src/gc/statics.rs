//! Static objects, followed in major collections only: from code that lives, through reference tables, to the objects
//! of top-level values. A reached static is linked through its own link word; afterwards the words are 0 again.

use super::observer::Observer;
use super::tracer::{Notes, Tracer};
use crate::base::Addr;
use crate::heap::object::info::ReferenceTable;
use crate::heap::object::lazy::CAF_VALUE;
use crate::heap::object::model::{HEADER_BITS, SlotSink, info_of};
use crate::heap::object::slots::Each;
use crate::heap::object::statics::{LIST_END, each_reference, leads_somewhere, link_of};
use crate::heap::space::remember::{Entry, Remembered};
use crate::megablock::Codes;

impl<C: Codes, O: Observer> Tracer<'_, C, O> {
    /// Lists the static at an address outside the heap, in a collection that follows statics.
    #[cold]
    #[inline(never)]
    pub(super) fn reach_static(&mut self, at: Addr) {
        if !self.store.statics.has(at) {
            return;
        }
        // SAFETY: the client told that statics lie there.
        let info = info_of(unsafe { at.load() });
        if !leads_somewhere(info) {
            return;
        }
        let Some(link) = link_of(at, info) else { return };
        // SAFETY: the static has this word, which is the collector's.
        unsafe {
            if link.load() == 0 {
                link.store(self.statics.todo);
                self.statics.todo = at.0;
            }
        }
    }

    /// Code with this reference table lives: so do the statics in it.
    #[inline]
    pub(super) fn evacuate_srt(&mut self, table: *const ReferenceTable) {
        if !table.is_null() && self.statics.follows {
            self.reach_table(table);
        }
    }

    #[inline(never)]
    fn reach_table(&mut self, table: *const ReferenceTable) {
        if self.statics.is_new(table) {
            // SAFETY: tables are the client's constants.
            unsafe { each_reference(table, |at| planted!(49, (), self.reach_static(at))) };
        }
    }

    /// Looks at statics that were reached. True when there were any.
    pub(super) fn scavenge_statics(&mut self) -> bool {
        let mut any = false;
        while self.statics.todo != LIST_END {
            any = true;
            let at = Addr(self.statics.todo);
            // SAFETY: a listed static has a link word.
            let info = unsafe {
                let info = info_of(at.load());
                if let Some(link) = link_of(at, info) {
                    self.statics.todo = link.load();
                    link.store(self.statics.done);
                }
                info
            };
            self.statics.done = at.0;
            // Objects that a static refers to live as long as the static: in the oldest generation.
            let oldest = self.store.oldest() as u8;
            (self.owner, self.desired) = (oldest, oldest);
            self.notes = Notes::Fact;
            self.saw_younger = false;
            let model = self.model;
            // SAFETY: as above.
            unsafe { model.each_slot(at, info, self) };
            self.notes = Notes::Slots;
            if self.saw_younger {
                self.remember_for(oldest, Entry::new(Remembered::ObjectOnce, at));
            }
            self.evacuate_srt(info.srt);
        }
        any
    }

    /// CAFs of loaded code that is kept are roots of every collection.
    pub(super) fn evacuate_kept_cafs(&mut self) {
        (self.owner, self.desired) = (0, 0);
        let cafs = std::mem::take(&mut self.store.statics.cafs);
        for caf in cafs.iter().filter(|caf| caf.keep) {
            self.evacuate_again(caf.at.plus_words(CAF_VALUE));
        }
        self.store.statics.cafs = cafs;
    }

    /// Looks at a remembered static, in minor collections, as at any old object.
    #[cold]
    pub(super) fn scavenge_remembered_static(&mut self, at: Addr, what: Remembered) {
        let oldest = self.store.oldest();
        let minor = self.last.generation() < oldest as u8;
        if minor && what == Remembered::ObjectOnce && self.store.statics.has(at) {
            self.scavenge_remembered(at, what, oldest as u8);
        }
    }

    /// Hands, in a compaction, the fields of reached statics to `sink`, and values of CAFs that are kept though they
    /// were not reached; each once.
    pub(super) fn each_static_slot(&self, sink: &mut Each) {
        for caf in self.store.statics.cafs.iter().filter(|caf| caf.keep) {
            // SAFETY: a listed CAF has a header and a link word.
            let listed =
                unsafe { link_of(caf.at, info_of(caf.at.load())).is_some_and(|link| link.load() != 0) };
            if !listed {
                sink.pointer(caf.at.plus_words(CAF_VALUE));
            }
        }
        let mut next = self.statics.done;
        while next != LIST_END {
            let at = Addr(next & !HEADER_BITS);
            // SAFETY: a listed static has a link word.
            unsafe {
                let info = info_of(at.load());
                self.model.each_slot(at, info, sink);
                let Some(link) = link_of(at, info) else { return };
                next = link.load();
            }
        }
    }

    /// Reverts CAFs that nothing reached, and makes link words 0 again, after everything was followed.
    pub(super) fn finish_statics(&mut self) {
        if !self.statics.follows {
            return;
        }
        let unreached = |at: Addr| {
            // SAFETY: a listed CAF has a header and a link word.
            unsafe { link_of(at, info_of(at.load())).is_some_and(|link| link.load() == 0) }
        };
        let dead = self.store.statics.revert(|caf| planted!(52, caf.keep, !caf.keep) && unreached(caf.at));
        self.store.statics.dead_cafs += dead as u64;
        let mut next = std::mem::replace(&mut self.statics.done, LIST_END);
        while next != LIST_END {
            let at = Addr(next & !HEADER_BITS);
            // SAFETY: a listed static has a link word.
            unsafe {
                let Some(link) = link_of(at, info_of(at.load())) else { return };
                next = link.load();
                link.store(0);
            }
        }
    }
}
