//! The library's own ticky counters, the rows of functions, and the report of `-r`.

use crate::base::size::WORD_BYTES;
use crate::base::{List, Outcome};
use crate::heap::Mutator;
use crate::heap::mutator::ticky::{EntryCount, ROWS, Ticky};
use crate::host::Host;
use crate::identity::cost_centre::as_text;
use crate::identity::function::{self, TickyFunction};
use crate::os::file::Target;
use crate::os::usage;
use crate::profile::ticky::row::{TickyRow, file_of};
use crate::report::ticky::{FunctionRow, TickyReport, Validity};
use crate::report::{command, ticky};

impl Host {
    /// Gives a mutator the counters that it adds to.
    pub(crate) fn lend_ticky(&mut self, mutator: &mut Mutator) {
        let counters = self.profilers.ticky.counters.of(mutator);
        mutator.window.ticky = counters.at();
        mutator.window.entries = counters.functions();
    }

    fn change_ticky(&self, change: impl FnOnce(&mut Ticky)) {
        // SAFETY: the counters live as long as the runtime. Only the mutator's thread adds to them, and it is here.
        change(unsafe { &mut *self.profilers.ticky.counters.whole.at() });
    }

    /// Counts events of the library's own. Counters are words that the client writes too, and may hold anything.
    #[inline]
    pub fn tick_own(&self, more: u64, counter: impl FnOnce(&mut Ticky) -> &mut u64) {
        self.change_ticky(|c| {
            let counter = counter(c);
            *counter = planted!(640, *counter + more, counter.wrapping_add(more));
        });
    }

    /// Counts a collection that has ended.
    pub fn count_collected(&mut self, major: bool) {
        let done = std::mem::take(&mut self.store.selected);
        let not = std::mem::take(&mut self.store.unselected);
        let failed = std::mem::take(&mut self.store.failed_promotions);
        self.tick_own(failed, |c| &mut c.gc_failed_promotion_ctr);
        self.tick_own(done, |c| if major { &mut c.gc_sel_major_ctr } else { &mut c.gc_sel_minor_ctr });
        self.tick_own(not, |c| &mut c.gc_sel_abandoned_ctr);
    }

    /// The row in which entries of a function are counted. The function is numbered here if it was not.
    ///
    /// # Safety
    /// The function lives as `function::register` asks; the mutator is live and the calling thread's.
    pub(crate) unsafe fn function_row(
        &mut self,
        mutator: *mut Mutator,
        of: *mut TickyFunction,
    ) -> Outcome<*mut EntryCount> {
        // SAFETY: the caller's promise.
        let number = unsafe { function::register(of)? };
        let counters = self.profilers.ticky.counters.of(mutator);
        counters.count_functions()?;
        let rows = counters.functions();
        // SAFETY: the caller's promise.
        unsafe { (*mutator).window.entries = rows };
        // SAFETY: there is a row for every number.
        Ok(unsafe { rows.add(number as usize) })
    }

    /// The counters, with those that the library computes from other figures.
    pub fn ticky_now(&mut self) -> Ticky {
        let figures = self.figures();
        let (slow, large) = (self.slow.trips, self.store.large_words_allocated);
        let copied = self.stats.copied_words;
        self.change_ticky(|c| {
            c.alloc_all_tot = figures.allocated_bytes;
            c.alloc_large_tot = large * WORD_BYTES as u64;
            c.heap_chk_slow_ctr = slow;
            c.gc_major_ctr = figures.major_collections;
            c.gc_minor_ctr = figures.collections - figures.major_collections;
            c.gc_words_copied_ctr = copied;
        });
        self.profilers.ticky.sum()
    }

    /// The functions that were entered or have allocated, newest first.
    pub fn ticky_rows(&self) -> Outcome<List<TickyRow>> {
        let mut rows = List::new();
        for number in self.profilers.ticky.counted() {
            let Some(function) = function::function(number) else { continue };
            let EntryCount { entries, allocated_by, allocated_of } = self.profilers.ticky.row(number);
            rows.push(TickyRow {
                size: size_of::<TickyRow>() as u32,
                number,
                entries,
                allocated_by,
                allocated_of,
                name: function.name.as_ptr(),
                module: function.module.as_ptr(),
                arguments: function.arguments.as_ptr(),
                what: function.what.as_ptr(),
                parent: function.parent.as_ptr(),
                arity: function.arity,
                flags: function.exported as u32,
            })?;
        }
        Ok(rows)
    }

    /// Writes the counters as they are now, to the given file or to that of the flags.
    pub fn write_ticky_report(&mut self, to: Option<&[u8]>) -> Outcome<()> {
        let mut target = match to {
            Some(name) => Target::new(name)?,
            None => Target::new(&file_of(&self.flags, &self.files)?)?,
        };
        self.write_ticky(&mut target)
    }

    /// Writes the report of the flags at the end of the heap.
    pub fn finish_ticky(&mut self) -> Outcome<()> {
        match self.profilers.ticky.target.take() {
            None => Ok(()),
            Some(mut target) => self.write_ticky(&mut target),
        }
    }

    fn write_ticky(&mut self, target: &mut Target) -> Outcome<()> {
        let counters = self.ticky_now();
        let mut functions = List::new();
        for number in self.profilers.ticky.counted() {
            let Some(function) = function::function(number) else { continue };
            let EntryCount { entries, allocated_by, allocated_of } = self.profilers.ticky.row(number);
            functions.push(FunctionRow {
                entries,
                allocated_by,
                allocated_of,
                arity: function.arity,
                arguments: as_text(function.arguments),
                name: as_text(function.name),
                module: as_text(function.module),
                what: as_text(function.what),
                parent: as_text(function.parent),
                exported: function.exported,
            })?;
        }
        let report = TickyReport {
            counters: &counters,
            functions: &functions,
            validity: Validity {
                squeezes: self.flags.squeeze,
                selects: self.store.selects,
                generations: self.store.generation_count,
            },
            explained: "docs/ticky.md",
            rows: ROWS.len(),
            heap: true,
        };
        let mut line = [0u8; 4096];
        let length = usage::command_line(&mut line);
        let flags = &self.flags.line;
        target.write(&mut |mut out| {
            command::write(&mut out, &line[..length], flags.as_str())?;
            ticky::write(&mut out, &report)
        })
    }
}
