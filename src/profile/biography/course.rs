//! The course of a heap's biography: how it begins, goes on after each collection, and ends.

use crate::base::{Addr, Failure, Outcome};
use crate::heap::Mutator;
use crate::heap::space::side::Table;
use crate::os::output;
use crate::profile::biography::profiler::Lives;
use crate::profile::biography::running::Running;
use crate::profile::biography::shown::ShownLives;
use crate::profile::profiler::Owed;
use crate::runtime::Runtime;

impl Lives {
    /// Begins a biography. The uses of objects that live already are unknown: a collection of everything
    /// marks them so.
    pub fn begin(&mut self, rt: &mut Runtime, is_new: bool, running: Box<Running>) -> Outcome<Owed> {
        if self.running.is_some() {
            return Err(Failure::state(format_args!("a biography of this heap is being taken already")));
        }
        self.shown = ShownLives::default();
        rt.store.turn_side_table_on(Table::Biography)?;
        // A biography by retainer sets has a table of cells too, so that the tables are as large as the heap
        // even without marks: its uses go to the biography itself, as they do where there is no address space
        // for marks.
        if !running.by_set {
            if rt.flags.marks {
                rt.store.turn_marks_on();
            }
        } else if let Err(failure) = rt.store.turn_side_table_on(Table::Cell) {
            self.drop_running(rt);
            return Err(failure);
        }
        self.running = Some(running);
        if is_new {
            // A heap that was just made has nothing in it.
            if let Some(running) = &mut self.running {
                running.beginning = false;
            }
            self.show_era(rt);
            return Ok(Owed::Nothing);
        }
        // Without the collection, old objects that it had not met would count as made later.
        Ok(Owed::Collection)
    }

    /// Ends the beginning: the collection that it was owed has run, or has failed.
    pub fn begun(&mut self, rt: &mut Runtime, marked: Outcome<()>) -> Outcome<()> {
        let is_marked = self.running.as_ref().is_some_and(|running| !running.beginning);
        if !is_marked {
            if let Some(running) = self.drop_running(rt) {
                running.remove();
            }
            marked?;
            return Err(Failure::no_memory(format_args!(
                "there is no room to collect everything, so a biography cannot begin"
            )));
        }
        Ok(())
    }

    /// Tells the windows of all mutators that a biography is taken, and in which era.
    pub fn show_era(&mut self, rt: &mut Runtime) {
        for index in 0..rt.mutators.len() {
            let mutator = &raw mut *rt.mutators[index];
            // SAFETY: mutators live as long as they are listed, and this is the only user.
            self.show_era_to(rt, unsafe { &mut *mutator });
        }
    }

    /// As `show_era`, for one mutator.
    pub(crate) fn show_era_to(&self, rt: &mut Runtime, mutator: &mut Mutator) {
        let running = self.running.as_ref().filter(|running| !running.beginning);
        let era = running.map_or(0, |running| running.era());
        let marks = rt.store.blocks.megablocks.side.marks().filter(|_| era != 0).unwrap_or(Addr::NULL);
        mutator.window.era = era;
        mutator.window.marks = marks.as_ptr();
        mutator.window.side[Table::Biography as usize] =
            if era == 0 { 0 } else { Table::Biography.header_offset() };
        rt.show_tables(mutator);
    }

    pub(super) fn drop_running(&mut self, rt: &mut Runtime) -> Option<Box<Running>> {
        let running = self.running.take();
        rt.store.young_have_lives = true;
        rt.store.turn_side_table_off(Table::Biography);
        rt.store.turn_marks_off();
        if running.as_ref().is_some_and(|running| running.by_set) {
            rt.store.turn_side_table_off(Table::Cell);
        }
        self.show_era(rt);
        running
    }

    /// Ends a biography that cannot go on, though the program can. The journal stays as far as it is
    /// whole.
    pub fn abandon(&mut self, rt: &mut Runtime, failure: &Failure) {
        if self.running.is_some() {
            self.abandon_with(rt, "the biographical profile ends here", failure);
        }
    }

    /// Ends the biography with one message for a failure, which names the journal if there is one.
    pub fn abandon_with(&mut self, rt: &mut Runtime, what: &str, failure: &Failure) {
        let running = self.drop_running(rt);
        let cause = failure.sentence;
        output::write_standard_error(&mut |out| match &running {
            Some(running) => {
                writeln!(out, "barrow: {what}: {cause}; {} has what there is", running.journal_name())
            }
            None => writeln!(out, "barrow: {what}: {cause}"),
        });
    }

    /// Ends the biography: all objects are taken to die now. Gives the run that its files are made from.
    pub fn finish(&mut self, rt: &mut Runtime, seconds: f64) -> Option<Box<Running>> {
        self.book_marked_uses(rt);
        let mut running = self.drop_running(rt)?;
        match running.end(seconds) {
            Ok(()) => Some(running),
            Err(failure) => {
                self.running = Some(running);
                self.abandon(rt, &failure);
                None
            }
        }
    }
}
