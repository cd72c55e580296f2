//! Statics and CAFs of the client.

use crate::base::{Addr, Failure, List, Outcome};
use crate::heap::Mutator;
use crate::heap::object::kind::Kinds;
use crate::heap::object::model::info_of;
use crate::heap::object::statics::{StaticRange, range_of};
use crate::heap::space::remember::{Entry, Remembered};
use crate::runtime::Runtime;

impl Runtime {
    /// The number that tells this heap's statics from those of others: the heap's address.
    pub fn statics_owner(&self) -> usize {
        (&raw const *self) as usize
    }

    /// Takes single statics, after checking each.
    ///
    /// # Safety
    /// `objects` points to `count` addresses of static objects.
    pub unsafe fn add_statics(
        &mut self,
        objects: *const *mut std::ffi::c_void,
        count: usize,
        keep: bool,
    ) -> Outcome<()> {
        if objects.is_null() {
            return Err(Failure::argument(format_args!("the list of statics is NULL")));
        }
        let mut more = List::new();
        more.reserve(count)?;
        for i in 0..count {
            // SAFETY: the caller's promise.
            if let Some(range) = unsafe { range_of(Addr(*objects.add(i) as usize), keep)? } {
                more.push(range)?;
            }
        }
        let owner = self.statics_owner();
        self.store.statics.add(more, owner)
    }

    /// Takes a section that holds only statics.
    pub fn add_section(&mut self, start: Addr, bytes: usize, keep: bool) -> Outcome<()> {
        let end = start.0.checked_add(bytes).filter(|_| !start.is_null() && bytes > 0 && start.is_aligned(8));
        let Some(end) = end else {
            return Err(Failure::argument(format_args!(
                "a section of {bytes} bytes at {start} holds no statics"
            )));
        };
        let mut more = List::new();
        more.push(StaticRange { start: start.0, end, keep })?;
        let owner = self.statics_owner();
        self.store.statics.add(more, owner)
    }

    /// Enters a CAF: it becomes an indirection to `value`.
    pub(crate) fn new_caf(&mut self, mutator: *mut Mutator, caf: Addr, value: usize) -> Outcome<()> {
        let table = self.store.tables.ind_static;
        if !self.gate.is_null() {
            self.own_hole(mutator, Addr(value));
        }
        // SAFETY: `enter` looks only where the client said that statics lie.
        if unsafe { self.store.statics.enter(caf, value, table)? } {
            self.remember_static(mutator, caf);
        }
        Ok(())
    }

    /// Notes the mutator as the owner of a blackhole that it has made, unless the client has put something there.
    fn own_hole(&self, mutator: *mut Mutator, hole: Addr) {
        if self.object_code(hole).is_err() {
            return;
        }
        // SAFETY: the client says that an object lies there, in a block of objects; the mutator is live.
        unsafe {
            let header = hole.load();
            if info_of(header).is_in(Kinds::BLACK) && hole.plus_words(1).load() == 0 {
                hole.plus_words(1).store(planted!(311, 0, (*mutator).window.owner));
            }
        }
    }

    /// Remembers a static, which may point to something younger than the oldest generation.
    pub(crate) fn remember_static(&mut self, mutator: *mut Mutator, at: Addr) {
        if self.store.oldest() > 0 {
            // SAFETY: the mutator is live, and only its own thread calls this.
            self.store.remember(unsafe { &mut *mutator }, Entry::new(Remembered::ObjectOnce, at));
        }
    }

    /// Brings the CAFs of kept code back to their state before they were entered.
    pub fn revert_cafs(&mut self) -> usize {
        self.store.statics.revert(|caf| caf.keep)
    }
}
