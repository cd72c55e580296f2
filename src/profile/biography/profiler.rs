//! The profiler of biographies: the biography that is taken, and the samples of the last one.

use crate::base::{Addr, Failure};
use crate::heap::space::side::{self, Table};
use crate::identity::names::Name;
use crate::profile::biography::Running;
use crate::profile::biography::shown::ShownLives;
use crate::profile::observer::Parts;
use crate::profile::profiler::{Collected, Profiler};
use crate::runtime::Runtime;

#[derive(Default)]
pub struct Lives {
    /// The biography that is taken.
    pub running: Option<Box<Running>>,
    /// The samples that were shown last.
    pub shown: ShownLives,
}

impl Profiler for Lives {
    fn part<'a>(&'a mut self, parts: &mut Parts<'a>, _major: bool) {
        parts.biography = self.running.as_deref_mut();
    }

    fn after(&mut self, rt: &mut Runtime, collected: &Collected) {
        let Collected { major, counted, sample_seconds: seconds, .. } = *collected;
        let Some(running) = &mut self.running else { return };
        rt.store.young_have_lives = false;
        let mut outcome = Ok(());
        if major {
            running.beginning = false;
        }
        // Each collection moves small objects in the youngest generation by a step, unless it is the oldest
        // as well.
        running.young_are_counted_for = match rt.store.all_generations() {
            [young, _, ..] if counted => planted!(88, 0, young.live_steps().len()),
            [_, _, ..] => running.young_are_counted_for.saturating_sub(1),
            _ => usize::MAX,
        };
        if counted && !running.by_set {
            outcome = running.end_census(seconds, &mut |_| Ok((true, Name::NONE)));
        }
        let side = &mut rt.store.blocks.megablocks.side;
        let starved = side.take_starved_of(Table::Biography);
        if starved || (running.by_set && side.take_starved_of(Table::Cell)) {
            outcome = Err(Failure::no_memory(format_args!("no memory for the side tables of a profile")));
        }
        match outcome {
            Ok(()) => self.show_era(rt),
            Err(failure) => self.abandon(rt, &failure),
        }
    }

    fn gone(&mut self, rt: &mut Runtime, object: Addr, words: usize) {
        if self.running.is_some() {
            self.died(rt, object, words);
        }
    }

    fn created(&mut self, rt: &mut Runtime, object: Addr) {
        if rt.store.side_table_is_on(Table::Biography) {
            planted!(33, (), self.born(rt, object));
        }
        if rt.store.side_table_is_on(Table::Cell) {
            // SAFETY: the caller has an object of this heap.
            unsafe { side::set_number(Table::Cell, object, 0) };
        }
    }

    fn child(&mut self, rt: &mut Runtime) {
        drop(self.drop_running(rt));
    }
}
