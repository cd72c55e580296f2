//! Users of the statics of a module that is to go: every live object, root and static is looked at once.

use crate::base::{Addr, Failure, Outcome, Shown};
use crate::gc::objects::Objects;
use crate::heap::object::info::ReferenceTable;
use crate::heap::object::model::{HEADER_BITS, SlotSink, info_of};
use crate::heap::object::statics::{LIST_END, each_reference, link_of};
use crate::heap::root::frame::{Visitor, visit_frames, visit_llvm_frames};
use crate::heap::{Info, Model, Mutator, Store};
use crate::runtime::Runtime;
use crate::runtime::module::Range;

/// A walk that follows statics as a collection does, and notes the first pointer into the range.
struct Users<'a> {
    store: &'a Store,
    model: Model,
    range: Range,
    found: Option<Addr>,
    todo: usize,
    done: usize,
}

impl SlotSink for Users<'_> {
    fn pointer(&mut self, slot: Addr) {
        // SAFETY: slots come from roots and from fields of well-formed objects.
        let word = unsafe { slot.load() };
        self.reach(Addr(word & !HEADER_BITS));
    }

    fn tagged(&mut self, slot: Addr) {
        // SAFETY: as above.
        let word = unsafe { slot.load() };
        self.reach(Addr(self.model.tags.address(word)));
    }

    fn mentions(&mut self, table: *const ReferenceTable) {
        // SAFETY: tables are the client's constants.
        unsafe { each_reference(table, |at| self.reach(at)) };
    }
}

impl Users<'_> {
    fn reach(&mut self, at: Addr) {
        if at.is_null() {
            return;
        }
        if self.range.has(at.0) {
            self.found.get_or_insert(at);
        } else if self.store.statics.has(at) {
            // SAFETY: the client told that statics lie there; their link words are the collector's.
            unsafe {
                if let Some(link) = link_of(at, info_of(at.load()))
                    && link.load() == 0
                {
                    link.store(self.todo);
                    self.todo = at.0;
                }
            }
        }
    }

    fn look_at(&mut self, object: Addr, info: &Info) {
        let model = self.model;
        // SAFETY: the callers hand in well-formed objects and statics; tables are the client's constants.
        unsafe {
            model.each_slot(object, info, self);
            each_reference(info.srt, |at| self.reach(at));
        }
    }

    fn look_at_frames_of(&mut self, mutator: &mut Mutator) -> Outcome<()> {
        // SAFETY: the collection that has just run has checked the frames.
        unsafe {
            visit_frames(mutator.window.frames, self);
            if !mutator.llvm_chain.is_null() {
                visit_llvm_frames(*mutator.llvm_chain, self)?;
            }
        }
        let maps = &self.store.stack_maps;
        mutator.native.find(maps)?;
        mutator.native.visit(maps, self);
        Ok(())
    }

    fn refuse(&self, who: Shown<'_>, object: Addr) -> Outcome<()> {
        match self.found {
            None => Ok(()),
            Some(at) => Err(Failure::state(format_args!(
                "{who} at {object} is alive and needs the static at {at}, which lies in the module"
            ))),
        }
    }

    fn look_at_reached(&mut self) -> Outcome<()> {
        while self.todo != LIST_END {
            let at = Addr(self.todo);
            // SAFETY: the list holds statics with a link word.
            let info = info_of(unsafe { at.load() });
            let Some(link) = link_of(at, info) else { break };
            // SAFETY: as above.
            unsafe {
                self.todo = link.load();
                link.store(self.done);
            }
            self.done = at.0;
            self.look_at(at, info);
            self.refuse(info.name(), at)?;
        }
        Ok(())
    }

    fn reset_links(&mut self) {
        for list in [&mut self.todo, &mut self.done] {
            while *list != LIST_END {
                let at = Addr(*list);
                // SAFETY: as in `look_at_reached`.
                let Some(link) = link_of(at, info_of(unsafe { at.load() })) else { return };
                // SAFETY: as above.
                unsafe {
                    *list = link.load();
                    link.store(0);
                }
            }
        }
    }
}

impl Runtime {
    /// Refuses when an object, a root or a static refers to a static in the range. Called directly after
    /// a major collection.
    pub fn refuse_users_of_statics(&self, mutator: &mut Mutator, range: Range) -> Outcome<()> {
        let store = &self.store;
        let mut users =
            Users { store, model: store.model, range, found: None, todo: LIST_END, done: LIST_END };
        let outcome = self.ask_users(&mut users, mutator);
        users.reset_links();
        outcome
    }

    fn ask_users(&self, users: &mut Users<'_>, mutator: &mut Mutator) -> Outcome<()> {
        for object in Objects::find(&self.store, mutator)?.starts.iter() {
            // SAFETY: the walk found a well-formed object here.
            let info = info_of(unsafe { object.load() });
            users.look_at(object, info);
            users.refuse(info.name(), object)?;
        }
        planted!(
            587,
            users.look_at_frames_of(mutator),
            mutator.try_each(|mutator| users.look_at_frames_of(mutator))
        )?;
        let range = users.range;
        self.store
            .registered
            .iter()
            .filter(|root| !range.has(root.first.0))
            .for_each(|root| root.visit(users));
        self.store.stable.visit_all(users);
        self.hooks.roots_of_stop(mutator, &mut None)(&mut Visitor::new(users));
        users.refuse(Shown::told(b"a root"), Addr::NULL)?;
        users.look_at_reached()
    }
}
