//! Changes that lazy evaluation makes and profilers hear of: a thunk is blackholed, or replaced by its value.

use crate::base::{Addr, Failure, Outcome};
use crate::heap::Mutator;
use crate::heap::object::info::Info;
use crate::heap::object::kind::Kinds;
use crate::heap::object::model::{HEADER_BITS, info_of};
use crate::heap::space::generation::Code;
use crate::heap::space::remember::{Entry, Remembered};
use crate::host::Host;

impl Host {
    /// Replaces a thunk by an indirection to its value. A permanent one is kept by collections.
    pub(crate) fn update(
        &mut self,
        mutator: *mut Mutator,
        thunk: Addr,
        value: usize,
        permanent: bool,
    ) -> Outcome<()> {
        let code = self.object_code(thunk)?;
        let info = self.thunk_table(thunk, "updated")?;
        if value & !HEADER_BITS == thunk.0 {
            return Err(Failure::argument(format_args!(
                "the thunk at {thunk} ({}) would be its own value: a computation that needs its own result has none",
                info.name()
            )));
        }
        let tables = &self.store.tables;
        let table = match (code.generation() > 0, permanent) {
            (false, false) => tables.ind,
            (false, true) => tables.ind_perm,
            (true, false) => tables.ind_oldgen,
            (true, true) => tables.ind_oldgen_perm,
        };
        self.overwrite(thunk, code, info, table, value);
        self.tick_own(|c| match (code.generation() > 0, permanent) {
            (false, false) => c.upd_new_ind_ctr += 1,
            (false, true) => c.upd_new_perm_ind_ctr += 1,
            (true, false) => c.upd_old_ind_ctr += planted!(137, 2, 1),
            (true, true) => c.upd_old_perm_ind_ctr += 1,
        });
        if code.generation() > 0 {
            let value_code = Code(self.store.codes.at(value & !HEADER_BITS));
            if !value_code.is_none() && value_code.generation() < planted!(44, 0, code.generation()) {
                // SAFETY: the mutator is live, and only its own thread calls this.
                self.store.remember(unsafe { &mut *mutator }, Entry::new(Remembered::ObjectOnce, thunk));
            }
        }
        Ok(())
    }

    /// Marks a thunk as under evaluation: it does not keep its referents alive any more.
    pub fn blackhole(&mut self, thunk: Addr) -> Outcome<()> {
        let code = self.object_code(thunk)?;
        let info = self.thunk_table(thunk, "evaluated")?;
        if info.is_in(Kinds::BLACK) {
            return Err(Failure::state(format_args!(
                "the thunk at {thunk} ({}) is being evaluated already",
                info.name()
            )));
        }
        let table = self.store.tables.blackhole;
        self.overwrite(thunk, code, info, table, 0);
        Ok(())
    }

    /// Makes words 0 and 1 an indirection or a blackhole. The words behind them stay valid for code that
    /// reads them at this moment; pointers remembered there singly are still pointers. In checking mode they
    /// are cleared, so that no word there looks like an object.
    fn overwrite(&mut self, thunk: Addr, code: Code, info: &Info, table: Addr, word: usize) {
        // SAFETY: a well-formed thunk lies here, of the size that its table tells.
        let words = unsafe { self.store.model.size(thunk, info) };
        self.overwritten(thunk, words);
        // SAFETY: as above.
        unsafe {
            let header = thunk.load();
            thunk.plus_words(1).store(word);
            thunk.store(table.0 | (header & HEADER_BITS));
            planted!(108, thunk.plus_words(words - 1).store(table.0));
            if self.store.clears_slop || code.is_fixed() {
                let kept = self.store.model.size(thunk, info_of(table.0));
                for i in kept..words {
                    thunk.plus_words(i).store(0);
                }
            }
        }
        self.created(thunk);
    }

    /// Takes a table of the client's, with its entry code, in place of the library's own for thunks.
    pub fn use_table(&mut self, table: Addr) -> Outcome<()> {
        self.refuse_others("tables are given before other threads attach")?;
        // SAFETY: the client hands in an info table.
        let info = unsafe { Info::check(table)? };
        self.store.tables.set(table, info)?;
        for index in 0..self.mutators.len() {
            let mutator = &raw mut *self.mutators[index];
            // SAFETY: mutators live as long as they are listed, and this is the only user.
            self.show_tables(unsafe { &mut *mutator });
        }
        Ok(())
    }
}
