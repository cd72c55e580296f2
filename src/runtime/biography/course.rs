//! The course of a heap's biography: how it begins, goes on after each collection, and ends.

use super::running::Running;
use crate::base::{Addr, Failure, Outcome};
use crate::heap::Mutator;
use crate::heap::side::Table;
use crate::identity::names::Name;
use crate::os::output;
use crate::runtime::collect::Reason;
use crate::runtime::heap::Runtime;

impl Runtime {
    /// Begins a biography. What lives already has an unknown past: a collection of everything marks it so.
    pub fn begin_biography(&mut self, mutator: *mut Mutator, running: Box<Running>) -> Outcome<()> {
        if self.biography.is_some() {
            return Err(Failure::state(format_args!("a biography of this heap is being taken already")));
        }
        self.forget_shown_lives();
        self.store.turn_side_table_on(Table::Biography)?;
        // With cells, the tables are as large as the heap without marks: uses go to the biography itself then, as they do
        // where there is no address space for marks.
        if !running.by_set {
            if self.flags.marks {
                self.store.turn_marks_on();
            }
        } else if let Err(failure) = self.store.turn_side_table_on(Table::Cell) {
            self.drop_biography();
            return Err(failure);
        }
        self.biography = Some(running);
        if mutator.is_null() {
            // A heap that was just made has nothing in it.
            if let Some(running) = &mut self.biography {
                running.beginning = false;
            }
            self.show_era();
            return Ok(());
        }
        // Without it, what is old and was not met would count as made later.
        let marked = self.collect_for(mutator, Reason::Major);
        let is_marked = self.biography.as_ref().is_some_and(|running| !running.beginning);
        if !is_marked {
            if let Some(running) = self.drop_biography() {
                running.remove();
            }
            marked?;
            return Err(Failure::no_memory(format_args!(
                "there is no room to collect everything, so a biography cannot begin"
            )));
        }
        Ok(())
    }

    /// A collection has ended. `counted`: it was a census.
    pub fn biography_after_collection(&mut self, major: bool, counted: bool) {
        let seconds = self.census.began_ns as f64 / 1e9;
        let Some(running) = &mut self.biography else { return };
        self.store.young_have_lives = false;
        let mut outcome = Ok(());
        if major {
            running.beginning = false;
        }
        // Each collection moves what is small in the youngest generation by a step, unless it is the oldest as well.
        running.young_are_counted_for = match self.store.all_generations() {
            [young, _, ..] if counted => young.live_steps().len(),
            [_, _, ..] => running.young_are_counted_for.saturating_sub(1),
            _ => usize::MAX,
        };
        if counted && !running.by_set {
            outcome = running.end_census(seconds, &mut |_| Ok((true, Name::NONE)));
        }
        let side = &mut self.store.blocks.megablocks.side;
        let starved = side.take_starved_of(Table::Biography);
        if starved || (running.by_set && side.take_starved_of(Table::Cell)) {
            outcome = Err(Failure::no_memory(format_args!("no memory for the side tables of a profile")));
        }
        match outcome {
            Ok(()) => self.show_era(),
            Err(failure) => self.abandon_biography(&failure),
        }
    }

    /// The windows say that a biography is taken, and in which era.
    pub fn show_era(&mut self) {
        let running = self.biography.as_ref().filter(|running| !running.beginning);
        let era = running.map_or(0, |running| running.era());
        let marks = self.store.blocks.megablocks.side.marks().filter(|_| era != 0).unwrap_or(Addr::NULL);
        for index in 0..self.mutators.len() {
            let mutator = &raw mut *self.mutators[index];
            // SAFETY: mutators live as long as they are listed, and this is the only user.
            let mutator = unsafe { &mut *mutator };
            mutator.window.era = era;
            mutator.window.marks = marks.as_ptr();
            mutator.window.side[Table::Biography as usize] =
                if era == 0 { 0 } else { Table::Biography.header_offset() };
            self.show_tables(mutator);
        }
    }

    fn drop_biography(&mut self) -> Option<Box<Running>> {
        let running = self.biography.take();
        self.store.young_have_lives = true;
        self.store.turn_side_table_off(Table::Biography);
        self.store.turn_marks_off();
        if running.as_ref().is_some_and(|running| running.by_set) {
            self.store.turn_side_table_off(Table::Cell);
        }
        self.show_era();
        running
    }

    /// The journal is another process's: nothing is written any more, and nothing said.
    pub fn end_biography_quietly(&mut self) {
        drop(self.drop_biography());
    }

    /// The biography cannot go on, the program can. The journal stays as far as it is whole.
    pub fn abandon_biography(&mut self, failure: &Failure) {
        if self.biography.is_some() {
            self.abandon_with("the biographical profile ends here", failure);
        }
    }

    /// One message for a failure, with where the journal is, if there is one.
    pub fn abandon_with(&mut self, what: &str, failure: &Failure) {
        let running = self.drop_biography();
        let cause = failure.sentence;
        output::write_standard_error(&mut |out| match &running {
            Some(running) => {
                writeln!(out, "barrow: {what}: {cause}; {} has what there is", running.journal_name())
            }
            None => writeln!(out, "barrow: {what}: {cause}"),
        });
    }

    /// Ends the biography: everything is taken to die now. Gives what its files are made from.
    pub fn end_biography(&mut self, seconds: f64) -> Option<Box<Running>> {
        self.book_marked_uses();
        let mut running = self.drop_biography()?;
        match running.end(seconds) {
            Ok(()) => Some(running),
            Err(failure) => {
                self.biography = Some(running);
                self.abandon_biography(&failure);
                None
            }
        }
    }
}
