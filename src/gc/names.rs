//! Brings the table of names to the new addresses, after live objects were saved or before they slide.

use super::observer::Observer;
use super::tracer::Tracer;
use crate::base::Addr;
use crate::heap::root::ids::{Found, NameTable};
use crate::heap::space::generation::Code;
use crate::megablock::Codes;

impl<C: Codes, O: Observer> Tracer<'_, C, O> {
    pub(super) fn update_names(&mut self, major: bool) {
        let mut names = std::mem::replace(&mut self.store.names, NameTable::new());
        self.update_table(&mut names, major, true);
        self.store.names = names;
        let mut sampled = std::mem::replace(&mut self.store.sampled, NameTable::new());
        self.update_table(&mut sampled, major, false);
        self.store.sampled = sampled;
    }

    /// A thunk's value may be NULL, or lie outside the heap, where it has the name and is no sampled object.
    fn update_table(&self, table: &mut NameTable, major: bool, has_statics: bool) {
        let oldest = self.store.oldest();
        let is_ours = |at: Addr| !Code(self.codes.at(at.0)).is_none();
        let stays = |now: Addr| if has_statics { !now.is_null() } else { is_ours(now) };
        let find = |at: Addr| self.found(at).filter(|&(now, _)| planted!(606, true, stays(now)));
        let is_young = |at: Addr| self.generation_now(at) < oldest;
        if major {
            table.update_all(find, is_ours, is_young);
        } else {
            table.update_young(find, is_ours, is_young);
        }
    }

    /// The address that an object has or will slide to, and whether another object stands for it there.
    fn found(&self, at: Addr) -> Found {
        let now = self.where_now(at)?;
        let slides = self.marks.on && !self.marks.leaves && Code(self.codes.at(now.0)) == self.marks.code;
        let then = if slides { Addr(self.forwarder().new_address(now.0)) } else { now };
        Some((then, self.is_replaced(at)))
    }
}
