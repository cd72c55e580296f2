//! Changes that lazy evaluation makes and profilers hear of: a thunk is blackholed, or replaced by its value.

use crate::base::{Addr, Failure, Outcome};
use crate::heap::Mutator;
use crate::heap::object::info::Info;
use crate::heap::object::kind::Kinds;
use crate::heap::object::lazy::promise;
use crate::heap::object::model::{HEADER_BITS, info_of};
use crate::heap::space::generation::Code;
use crate::heap::space::remember::{Entry, Remembered};
use crate::host::Host;
use crate::runtime::lazy::{NOBODY, clear};

/// The words that a change leaves behind a thunk.
struct Slop {
    /// Words of the thunk.
    words: usize,
    /// The words that are to be cleared.
    from: Addr,
    to: Addr,
    /// Whether the thunk's code, or another thread, may read them now.
    later: bool,
}

impl Host {
    /// Replaces a thunk by an indirection to its value. A permanent one is kept by collections. With several mutators, an
    /// object that has its value stays as it is, and the value is not 0, which a claim would take for the word of nobody [host.claim].
    pub(crate) fn update(
        &mut self,
        mutator: *mut Mutator,
        thunk: Addr,
        value: usize,
        permanent: bool,
    ) -> Outcome<()> {
        if planted!(517, false, value == 0) && self.is_shared() {
            return Err(Failure::argument(format_args!(
                "in a heap with several mutators a thunk's value is an object: 0 in its word says that nobody has claimed it"
            )));
        }
        let found = self.object_code(thunk).and_then(|code| Ok((code, self.thunk_table(thunk, "updated")?)));
        let (code, info) = match found {
            // Another mutator may have updated it, in line and at this moment too. A collection may have put its value, which may
            // be any reference, where it was.
            Err(_) if planted!(308, false, self.is_shared()) => return Ok(()),
            found => found?,
        };
        planted!(518, {
            std::thread::sleep(std::time::Duration::from_micros(20));
            self.thunk_table(thunk, "updated").map(drop)?
        });
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
        self.overwrite(thunk, code, info, table, value)?;
        let is_old = code.generation() > 0;
        self.tick_own(planted!(137, 1 + u64::from(is_old), 1), |c| match (is_old, permanent) {
            (false, false) => &mut c.upd_new_ind_ctr,
            (false, true) => &mut c.upd_new_perm_ind_ctr,
            (true, false) => &mut c.upd_old_ind_ctr,
            (true, true) => &mut c.upd_old_perm_ind_ctr,
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

    /// Marks a thunk as under evaluation: it does not keep its referents alive any more. With several mutators, one that
    /// another has marked or updated stays as it is.
    pub fn blackhole(&mut self, thunk: Addr) -> Outcome<()> {
        if self.is_shared() {
            self.blacken(thunk, NOBODY)?;
            return Ok(());
        }
        let code = self.object_code(thunk)?;
        let info = self.thunk_table(thunk, "evaluated")?;
        if info.is_in(Kinds::BLACK) {
            return Err(Failure::state(format_args!(
                "the thunk at {thunk} ({}) is being evaluated already",
                info.name()
            )));
        }
        let table = self.store.tables.blackhole;
        self.overwrite(thunk, code, info, table, 0)
    }

    /// Makes a thunk a blackhole of this mutator's. False when it is no thunk, or another mutator was first.
    pub(crate) fn claim(&mut self, mutator: *mut Mutator, thunk: Addr) -> Outcome<bool> {
        // SAFETY: the mutator is live, and only its own thread calls this.
        let owner = unsafe { (*mutator).window.owner };
        self.blacken(thunk, owner)
    }

    /// Makes a thunk a blackhole of an owner, or of nobody that is known, unless another thread was first [host.claim].
    fn blacken(&mut self, thunk: Addr, owner: usize) -> Outcome<bool> {
        let code = self.object_code(thunk)?;
        // SAFETY: a block of objects lies there, and the client says that it is one.
        let promise = unsafe { promise(thunk) };
        let header = promise.header() as usize;
        if header <= HEADER_BITS {
            return Ok(false);
        }
        let info = info_of(header);
        if !info.is_in(Kinds::UPDATABLE) || planted!(310, false, info.is_in(Kinds::BLACK)) {
            return Ok(false);
        }
        let table = self.store.tables.blackhole;
        // The code of a thunk that is claimed reads its fields afterwards. A stack's thunk without an owner may be made a blackhole in a stop,
        // whose collection moves it: its words are cleared at once there.
        let slop =
            self.slop(thunk, code, info, table, planted!(563, false, planted!(614, true, owner != NOBODY)))?;
        self.overwritten(thunk, slop.words);
        let claimed = table.0 | (header & HEADER_BITS);
        if !promise.claim(header as u64, claimed as u64, owner as u64) {
            return Ok(false);
        }
        self.clear_slop(slop);
        self.created(thunk);
        Ok(true)
    }

    /// Makes words 0 and 1 an indirection or a blackhole. The words behind them stay valid for code that
    /// reads them at this moment; pointers remembered there singly are still pointers. In checking mode they
    /// are cleared, so that no word there looks like an object.
    fn overwrite(&mut self, thunk: Addr, code: Code, info: &Info, table: Addr, word: usize) -> Outcome<()> {
        let slop = self.slop(thunk, code, info, table, false)?;
        self.overwritten(thunk, slop.words);
        // SAFETY: a well-formed thunk lies here.
        unsafe {
            let promise = promise(thunk);
            let header = promise.header() as usize;
            promise.update((table.0 | (header & HEADER_BITS)) as u64, word as u64);
            planted!(108, thunk.plus_words(slop.words - 1).store(table.0));
        }
        self.clear_slop(slop);
        self.created(thunk);
        Ok(())
    }

    /// The words that a change leaves behind a thunk, and room to note them when they are cleared later: its code reads them, or
    /// another thread may.
    #[inline(always)]
    fn slop(&mut self, thunk: Addr, code: Code, info: &Info, table: Addr, code_reads: bool) -> Outcome<Slop> {
        // SAFETY: a well-formed thunk lies here, of the size that its table tells.
        let words = unsafe { self.store.model.size(thunk, info) };
        if self.store.clears_slop || code.is_fixed() {
            return self.cleared_slop(thunk, words, table, code_reads);
        }
        Ok(Slop { words, from: thunk, to: thunk, later: false })
    }

    #[inline(never)]
    fn cleared_slop(&mut self, thunk: Addr, words: usize, table: Addr, code_reads: bool) -> Outcome<Slop> {
        // SAFETY: an object of this kind has words of a fixed number.
        let kept = unsafe { self.store.model.size(thunk, info_of(table.0)) };
        let later = planted!(309, false, code_reads || !self.others_see_nothing());
        if later {
            self.races.reserve()?;
        }
        Ok(Slop { words, from: thunk.plus_words(kept), to: thunk.plus_words(words), later })
    }

    #[inline(always)]
    fn clear_slop(&mut self, slop: Slop) {
        if slop.later {
            self.races.clear_later(slop.from, slop.to);
        } else if slop.from < slop.to {
            // SAFETY: these words belonged to the thunk, and no other thread reads them.
            unsafe { clear(slop.from, slop.to) };
        }
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
