//! The tables of lazy kinds that a client may name.

use crate::base::{Addr, Failure, Outcome};
use crate::heap::Mutator;
use crate::heap::object::info::Info;
use crate::heap::object::kind::Kinds;
use crate::heap::object::model::{HEADER_BITS, HEADER_FORWARDED, info_of};
use crate::heap::space::side::Table;
use crate::runtime::Runtime;

impl Runtime {
    pub(crate) fn thunk_table<'a>(&self, thunk: Addr, what: &str) -> Outcome<&'a Info> {
        // SAFETY: the caller found a block of objects there; the client says that it is one.
        let header = unsafe { thunk.load() };
        if header <= HEADER_BITS || header & HEADER_FORWARDED != 0 {
            return Err(Failure::argument(format_args!("{thunk} is no object of this heap")));
        }
        let info = info_of(header);
        if info.is_in(Kinds::UPDATABLE) {
            return Ok(info);
        }
        Err(Failure::argument(format_args!(
            "the object at {thunk} ({}) is of kind {} and no thunk: it cannot be {what}",
            info.name(),
            info.kind
        )))
    }

    /// Lets a mutator's inline code change thunks, or sends it out of line: there the slop is cleared, and
    /// biographies and side tables are kept up to date.
    pub fn show_tables(&self, mutator: &mut Mutator) {
        let tables = &self.store.tables;
        let heard = self.store.side_table_is_on(Table::Biography) || self.store.side_table_is_on(Table::Cell);
        let in_line = !self.store.clears_slop && !heard;
        let shown =
            |table: Addr| if in_line { table.as_ptr::<Info>().cast_const() } else { std::ptr::null() };
        mutator.window.ind = shown(tables.ind);
        mutator.window.blackhole = shown(tables.blackhole);
    }
}
