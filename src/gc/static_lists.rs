//! The statics and the tables of references that one collection has met; workers read them while nobody changes them.

use crate::base::Addr;
use crate::heap::object::info::ReferenceTable;
use crate::heap::object::model::info_of;
use crate::heap::object::statics::{LIST_END, Statics, leads_somewhere, link_of};

/// Reference tables seen lately: many thunks share one.
const TABLES_SEEN: usize = 256;

/// The statics that one collection has met.
pub(super) struct StaticLists {
    /// Whether statics are followed: this is a major collection, and there are some.
    pub follows: bool,
    /// The first static that was reached and not looked at yet.
    pub todo: usize,
    pub done: usize,
    seen: [*const ReferenceTable; TABLES_SEEN],
}

/// The state of statics while nobody changes it.
#[derive(Clone, Copy)]
pub(super) struct Seen<'a> {
    statics: &'a Statics,
    tables: &'a [*const ReferenceTable; TABLES_SEEN],
}

impl Seen<'_> {
    /// Whether a reference table was looked at lately.
    pub(super) fn has_table(&self, table: *const ReferenceTable) -> bool {
        self.tables[place_of(table)] == table
    }

    /// Whether an address outside the heap is a static that `reach_static` would list.
    pub(super) fn is_fresh(&self, at: Addr) -> bool {
        if !self.statics.has(at) {
            return false;
        }
        // SAFETY: the client told that statics lie there, and they have the link that their tables tell of.
        unsafe {
            let info = info_of(at.load());
            leads_somewhere(info) && link_of(at, info).is_some_and(|link| link.load() == 0)
        }
    }
}

fn place_of(table: *const ReferenceTable) -> usize {
    (table as usize >> 4) % TABLES_SEEN
}

impl StaticLists {
    pub(super) fn new(follows: bool) -> StaticLists {
        StaticLists { follows, todo: LIST_END, done: LIST_END, seen: [std::ptr::null(); TABLES_SEEN] }
    }

    /// The state so far, in a collection that follows statics.
    pub(super) fn seen<'a>(&'a self, statics: &'a Statics) -> Option<Seen<'a>> {
        self.follows.then_some(Seen { statics, tables: &self.seen })
    }

    /// Whether a reference table was not looked at lately; it counts as looked at from now on.
    pub(super) fn is_new(&mut self, table: *const ReferenceTable) -> bool {
        let seen = &mut self.seen[place_of(table)];
        let is_new = planted!(330, seen.is_null(), *seen != table);
        *seen = table;
        is_new
    }
}
