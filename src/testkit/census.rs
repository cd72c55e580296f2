//! Censuses and side tables against the model: counts are those of the graph, by kind of object and to the word,
//! however they are made; and the entries of an object stay with it wherever it goes.

use super::kinds::shapes;
use super::machine::{Machine, Step, done};
use crate::base::Addr;
use crate::ffi::census::barrow_census;
use crate::heap::space::side::{self, TABLES, Table};
use crate::profile::heap::break_down::{BREAK_DOWNS, BreakDown};
use crate::profile::heap::tally::Count;

impl Machine<'_> {
    /// Turns all side tables on. Without memory for them, the program goes on without.
    pub(super) fn turn_sides_on(&mut self) {
        // SAFETY: the heap is live, and no call into it is running.
        let store = unsafe { &mut (*self.heap).runtime.store };
        self.sides = TABLES.iter().all(|&table| store.turn_side_table_on(table).is_ok());
        if !self.sides {
            self.turn_sides_off();
        }
        self.show_tables();
    }

    /// Inline code of lazy programs goes out of line while tables have to hear of it.
    fn show_tables(&self) {
        if !self.m.is_null() {
            // SAFETY: the heap and the mutator are live, and no call into them is running.
            unsafe { (*self.heap).show_tables(&mut *self.m) };
        }
    }

    fn turn_sides_off(&mut self) {
        // SAFETY: as above.
        let store = unsafe { &mut (*self.heap).runtime.store };
        TABLES.iter().for_each(|&table| store.turn_side_table_off(table));
        self.sides = false;
        self.show_tables();
    }

    /// Turns the tables off when there was no memory for those of more megablocks: entries are lost then.
    fn sides_are_kept(&mut self) -> bool {
        // SAFETY: as above.
        let starved = unsafe { (*self.heap).runtime.store.blocks.megablocks.side.take_starved() };
        if self.sides && starved {
            self.turn_sides_off();
        }
        self.sides
    }

    /// A new object has no past in the tables; from now on it has its number there.
    pub(super) fn stamp_new(&mut self, number: u32) -> Step {
        self.live(number, false);
        if !self.sides_are_kept() {
            return Ok(());
        }
        let at = Addr(self.graph.node(number).at);
        // SAFETY: an object of the heap lies there.
        let there = unsafe {
            (side::biography(at), side::number(Table::Producer, at), side::number(Table::Cell, at))
        };
        if there != (0, 0, 0) {
            return Err(format!("the new object at {at} has {there:?} in the side tables"));
        }
        self.stamp(number);
        Ok(())
    }

    /// An object that was changed in place has lost its entries but for its producer.
    pub(super) fn stamp_changed(&mut self, number: u32) -> Step {
        self.live(number, false);
        if !self.sides_are_kept() {
            return Ok(());
        }
        let at = Addr(self.graph.node(number).at);
        // SAFETY: as above.
        let there = unsafe { (side::biography(at), side::number(Table::Cell, at)) };
        if there != (0, 0) {
            return Err(format!("the changed object at {at} has {there:?} in the side tables"));
        }
        self.stamp(number);
        Ok(())
    }

    /// Stamps an object whose change the tables were told of before.
    pub(super) fn stamp_again(&mut self, number: u32) {
        if self.sides_are_kept() {
            self.stamp(number);
        }
    }

    fn stamp(&mut self, number: u32) {
        // SAFETY: the heap is live, and no call into it is running.
        unsafe { (*self.heap).runtime.store.young_have_lives = true };
        self.stamps += 1;
        let stamp = self.stamps;
        let node = self.graph.node_mut(number);
        node.stamp = stamp;
        let at = Addr(node.at);
        // SAFETY: as above.
        unsafe {
            side::set_biography(at, (stamp as u64) << 20 | 5);
            side::set_number(Table::Producer, at, stamp);
            side::set_number(Table::Cell, at, stamp ^ 0x5555);
        }
    }

    /// Whether the tables have the entries that an object was given.
    pub(super) fn check_stamp(&mut self, number: u32) -> Step {
        let stamp = self.graph.node(number).stamp;
        if stamp == 0 || !self.sides_are_kept() {
            return Ok(());
        }
        let at = Addr(self.graph.node(number).at);
        // SAFETY: as above.
        let there = unsafe {
            (side::biography(at), side::number(Table::Producer, at), side::number(Table::Cell, at))
        };
        let wanted = ((stamp as u64) << 20 | 5, stamp, stamp ^ 0x5555);
        if there == wanted {
            Ok(())
        } else {
            Err(format!("it has {there:?} in the side tables instead of {wanted:?}"))
        }
    }

    /// Takes a census and compares it with the graph, with a walk over the blocks, and its bands with each other.
    pub(super) fn census(&mut self) -> Step {
        // SAFETY: the mutator is live and ours.
        let told = done(unsafe { barrow_census(self.m) }, "census");
        self.settle()?;
        self.count_lives();
        told?;
        // The walks of this test ask for roots while the heap is not busy, and refuses nothing.
        let heap = std::mem::replace(&mut self.roots.callback.heap, std::ptr::null_mut());
        let outcome = self.compare_census();
        self.roots.callback.heap = heap;
        outcome
    }

    fn compare_census(&mut self) -> Step {
        let mut counts = vec![Count::default(); shapes().len()];
        for &number in &self.graph.known {
            let node = self.graph.node(number);
            if node.static_number.is_some() {
                continue;
            }
            counts[node.shape].words += self.rounded(node.shape().object_words(node.length())) as u64;
            counts[node.shape].objects += 1;
        }
        // SAFETY: the heap and the mutator are live, and no call into the heap is running.
        let (runtime, mutator) = unsafe { (&mut *self.heap, &mut *self.m) };
        let mut total = Count::default();
        for (shape, &count) in shapes().iter().zip(&counts) {
            let counted = runtime.profilers.heap.census.of(shape.info);
            // Pinned objects that are replaced only sometimes live on, with what they hold.
            let more = counted.words >= count.words && counted.objects >= count.objects;
            if counted != count && !(self.settings.pins_lazy && more) {
                return Err(format!("of {} the census has {counted:?} and the model {count:?}", shape.name));
            }
            total.words += counted.words;
            total.objects += counted.objects;
        }
        // A weak pointer that was refused behind its making lives until the next collection.
        if runtime.profilers.heap.census.total != total && !self.refused {
            return Err(format!(
                "the census has {:?} in all, the model {total:?}",
                runtime.profilers.heap.census.total
            ));
        }
        let failed = |failure: crate::base::Failure| failure.sentence.as_str().to_string();
        runtime.check_census(mutator).map_err(failed)?;
        for by in BREAK_DOWNS.into_iter().filter(|by| !matches!(by, BreakDown::Producer | BreakDown::Site)) {
            let bands = runtime.profilers.heap.census.bands(by).map_err(failed)?;
            let (sum, left_out) = (bands.total(), bands.left_out);
            if left_out != Count::default() {
                return Err(format!("the bands of {by:?} leave {left_out:?} out"));
            }
            if sum != runtime.profilers.heap.census.total {
                return Err(format!("the bands of {by:?} add up to {sum:?} instead of {total:?}"));
            }
        }
        self.coverage.censuses += 1;
        // The cells are free for it.
        if self.sides { Ok(()) } else { self.check_retainers() }
    }
}
