//! Producers: who made each live object, noted while a profile asks for it.
//!
//! What compiled code bumps is noted whenever it is booked: when the stack changes, when the allocation area does, and
//! before a collection. So nothing is done per object, and changes of the stack go out of line (`watch::PRODUCERS`).

use super::heap::Runtime;
use super::profile::Profile;
use crate::base::{Addr, Failure, Outcome, Sentence};
use crate::heap::Mutator;
use crate::heap::side::Table;
use crate::heap::window::watch;

impl Runtime {
    /// From now on producers are noted. What is there already has none: "(before profiling)".
    pub fn note_producers(&mut self, profile: &mut Profile) -> Outcome<()> {
        if self.profiler.space.as_ref().is_some_and(|space| space.stamps) {
            return Err(Failure::state(format_args!(
                "a space profile has its numbers in the table of producers; it has to end first"
            )));
        }
        self.store.turn_side_table_on(Table::Producer)?;
        let restrictions = std::mem::take(&mut profile.restrictions);
        let prepared = match self.census.tally() {
            Some(tally) => tally.count_producers(restrictions, profile.with_threads),
            None => Ok(()),
        };
        if let Err(failure) = prepared {
            self.store.turn_side_table_off(Table::Producer);
            return Err(failure);
        }
        profile.producers = true;
        self.producers_are_noted = true;
        for index in 0..self.mutators.len() {
            let mutator = &raw mut *self.mutators[index];
            self.note_producers_of(mutator);
        }
        Ok(())
    }

    /// A mutator notes producers, when they are noted at all.
    pub fn note_producers_of(&mut self, mutator: *mut Mutator) {
        if self.producers_are_noted {
            // SAFETY: the mutator is live, and only its own thread calls this.
            let mutator = unsafe { &mut *mutator };
            mutator.book();
            mutator.watch(watch::PRODUCERS, true);
            mutator.window.side[Table::Producer as usize] = Table::Producer.header_offset();
        }
    }

    /// The profile that asked for producers ends. It has its restrictions back, with what they have met.
    pub fn forget_producers(&mut self, profile: &mut Profile) {
        if !std::mem::take(&mut self.producers_are_noted) {
            return;
        }
        for mutator in self.mutators.iter_mut() {
            mutator.book();
            mutator.watch(watch::PRODUCERS, false);
            mutator.window.side[Table::Producer as usize] = 0;
        }
        if let Some(restrictions) = self.census.tally().and_then(|tally| tally.stop_producers()) {
            profile.restrictions = restrictions;
        }
        self.store.turn_side_table_off(Table::Producer);
    }

    /// When there was no memory for the table of some megablock, what it had is lost: the profile ends.
    pub fn end_profile_without_tables(&mut self) {
        if self.producers_are_noted && self.store.blocks.megablocks.side.take_starved_of(Table::Producer) {
            self.end_profile();
            super::profile::say(&Sentence::new(format_args!(
                "the heap profile stops: no memory for the table of producers"
            )));
        }
    }

    /// Notes the producer of what a call has made.
    pub fn stamp_made(&self, mutator: *mut Mutator, made: &Outcome<Addr>) {
        if let Ok(object) = made {
            // SAFETY: the mutator is live, and only its own thread calls this.
            unsafe { (*mutator).stamp_producer_of(*object) };
        }
    }
}
