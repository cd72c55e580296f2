//! The side tables of a heap: turned on and off, and cleared where new objects come.

use crate::base::size::*;
use crate::base::{Addr, Outcome};
use crate::block::Block;
use crate::heap::space::side::{Carried, NUMBERS, Sides, TABLES, Table, clear_part};
use crate::heap::space::store::Store;

impl Store {
    /// Gives every object an entry of 0 in a table. Nothing changes when it fails.
    pub fn turn_side_table_on(&mut self, table: Table) -> Outcome<()> {
        self.blocks.megablocks.turn_side_table_on(table)
    }

    pub fn turn_side_table_off(&mut self, table: Table) {
        self.blocks.megablocks.turn_side_table_off(table);
    }

    /// Touches a table's entries of all small objects, which will be filled: that costs less than to run into each
    /// page, twice where it is read first.
    pub fn populate_side_table(&self, table: Table) {
        let side = &self.blocks.megablocks.side;
        // Groups that lie side by side, as far as they come one after the other.
        let mut part = 0..0;
        let steps = self.all_generations().iter().flat_map(|generation| generation.live_steps());
        for group in steps.flat_map(|step| step.blocks.iter()) {
            let next = group.start().0..group.end().0;
            if next.start <= part.end && part.start <= next.end {
                part = part.start.min(next.start)..part.end.max(next.end);
            } else if !side.populate(table, std::mem::replace(&mut part, next)) {
                return;
            }
        }
        side.populate(table, part);
    }

    pub fn side_table_is_on(&self, table: Table) -> bool {
        self.blocks.megablocks.side.is_on(table)
    }

    /// The tables that have to be carried along with objects now.
    pub fn carried(&self) -> Carried {
        let on = |table| self.side_table_is_on(table);
        Carried { sides: self.sides(), biography: on(Table::Biography), numbers: NUMBERS.map(on) }
    }

    /// The quick way to the entries, until a table is turned on or off.
    pub fn sides(&self) -> Sides {
        Sides::by(self.blocks.megablocks.side.directory())
    }

    /// Gives objects marks of uses. False for a heap that cannot have them.
    pub fn turn_marks_on(&mut self) -> bool {
        self.blocks.megablocks.turn_marks_on()
    }

    pub fn turn_marks_off(&mut self) {
        self.blocks.megablocks.turn_marks_off();
    }

    pub fn side_table_bytes(&self) -> usize {
        self.blocks.megablocks.side.bytes()
    }

    /// Clears the entries of a part of a group for new objects.
    #[inline]
    pub fn clear_sides(&self, from: Addr, to: Addr) {
        if self.blocks.megablocks.side.any_on() {
            // SAFETY: the callers hand in a part of a group inside one megablock.
            unsafe { clear_part(from, to.bytes_since(from), &TABLES) };
            self.clear_marks(from, to);
        }
    }

    /// Clears the marks of a part in which objects will be put.
    pub fn clear_marks(&self, from: Addr, to: Addr) {
        // SAFETY: nothing lies there yet, or nothing that lives.
        unsafe { self.sides().clear_marks(from, to.bytes_since(from)) };
    }

    /// Clears the entries of a part of a nursery that a collection has emptied. Young objects have nothing in the
    /// biography, unless something was written there since the last collection.
    pub fn clear_young_sides(&self, from: Addr, to: Addr) {
        if self.blocks.megablocks.side.any_on() {
            let first = if self.young_have_lives { 0 } else { 1 };
            // SAFETY: as above.
            unsafe { clear_part(from, to.bytes_since(from), &TABLES[first..]) };
            self.clear_marks(from, to);
        }
    }

    /// Clears the entries of one new object; no other begins in its group.
    #[inline]
    pub fn clear_side(&self, object: Addr) {
        if self.blocks.megablocks.side.any_on() {
            debug_assert!(!Block::of(object).is_null());
            // SAFETY: objects begin in megablocks with a header.
            unsafe { clear_part(object, 2 * WORD_BYTES, &TABLES) };
            self.clear_marks(object, object.plus_words(MIN_OBJECT_WORDS));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::flag::Flags;
    use crate::heap::Tags;
    use crate::heap::space::side::{biography, entries_of, number, set_biography, set_number};
    use crate::os::limits::limits;

    fn store(line: &str) -> Store {
        let flags = Flags::parse(line).unwrap();
        Store::new(&flags, &limits(), Tags::checked(0, 0, 0, 8).unwrap(), 8).unwrap()
    }

    #[test]
    fn entries_are_as_many_as_objects() {
        for source in ["--source=range -xr1g", "--source=chunks"] {
            let mut store = store(source);
            let group = store.blocks.alloc_group(16).unwrap();
            let at = |i: usize| group.start().plus_words(2 * i);
            // SAFETY: the addresses lie in a group of ours.
            unsafe {
                set_biography(at(1), 7);
                assert_eq!(biography(at(1)), 0);
                for table in TABLES {
                    store.turn_side_table_on(table).unwrap();
                }
                for i in 0..200 {
                    set_biography(at(i), 1000 + i as u64);
                    set_number(Table::Producer, at(i), 2000 + i as u32);
                    set_number(Table::Cell, at(i), 3000 + i as u32);
                }
                store.carried().carry(at(3), at(300));
                store.clear_sides(at(10), at(20));
                assert_eq!((biography(at(300)), number(Table::Cell, at(300))), (1003, 3003));
                assert_eq!((biography(at(9)), biography(at(10)), biography(at(19))), (1009, 0, 0));
                assert_eq!((number(Table::Producer, at(19)), number(Table::Producer, at(20))), (0, 2020));
            }
            // A spanning group's object has an entry, and groups made later have theirs.
            let spanning = store.blocks.alloc_group(600).unwrap();
            // SAFETY: as above.
            unsafe {
                set_number(Table::Producer, spanning.start(), 9);
                assert_eq!(number(Table::Producer, spanning.start()), 9);
            }
            store.blocks.free_group(spanning);
            assert!(!store.blocks.megablocks.side.take_starved());
            store.turn_side_table_off(Table::Producer);
            // SAFETY: as above.
            unsafe {
                assert_eq!((number(Table::Producer, at(1)), number(Table::Cell, at(1))), (0, 3001));
            }
            store.turn_side_table_off(Table::Biography);
            store.turn_side_table_off(Table::Cell);
            assert_eq!(store.side_table_bytes(), 0);
        }
    }

    #[test]
    fn many_megablocks_come_and_go() {
        let mut store = store("--source=range -xr1g");
        store.turn_side_table_on(Table::Biography).unwrap();
        let mut groups = Vec::new();
        for round in 0..5u64 {
            for i in 0..60 {
                let group = store.blocks.alloc_group(1 + (i * 37 + round as usize) % 700).unwrap();
                // SAFETY: the group is ours.
                unsafe { set_biography(group.start(), round * 100 + i as u64) };
                groups.push((group, round * 100 + i as u64));
            }
            for (group, word) in &groups {
                // SAFETY: as above.
                assert_eq!(unsafe { biography(group.start()) }, *word);
            }
            groups.retain(|(group, word)| {
                let stays = word % 3 == 0;
                if !stays {
                    store.blocks.free_group(*group);
                }
                stays
            });
            store.blocks.megablocks.release_above(3, 0);
        }
        assert!(!store.blocks.megablocks.side.take_starved());
    }

    #[test]
    fn a_new_object_is_not_marked() {
        let mut store = store("--source=range -xr1g");
        store.turn_side_table_on(Table::Biography).unwrap();
        assert!(store.turn_marks_on());
        let group = store.blocks.alloc_group(1).unwrap();
        let (object, next) = (group.start(), group.start().plus_words(MIN_OBJECT_WORDS));
        let sides = store.sides();
        for at in [object, next] {
            let mark = store.blocks.megablocks.side.directory().mark(at).unwrap();
            // SAFETY: a byte of the marks.
            unsafe { mark.write(1) };
        }
        store.clear_side(object);
        // SAFETY: the addresses lie in a group of ours.
        unsafe { assert_eq!([object, next].map(|at| sides.is_used(at)), [false, true]) };
    }

    /// Megablocks have their tables in another order than they lie in.
    #[test]
    fn entries_are_those_of_the_megablock() {
        let mut store = store("--source=chunks");
        store.turn_side_table_on(Table::Cell).unwrap();
        let mut make = || store.blocks.alloc_group(USABLE_BLOCKS).unwrap();
        let groups = [(); 8].map(|()| make());
        groups[..7].iter().for_each(|&group| store.blocks.free_group(group));
        let mut make = || store.blocks.alloc_group(USABLE_BLOCKS).unwrap();
        for group in [(); 7].map(|()| make()) {
            let object = group.start().plus_words(600);
            // SAFETY: the address lies in a group of ours.
            unsafe {
                set_number(Table::Cell, object, group.start().0 as u32);
                let entries = entries_of(Table::Cell, object).unwrap();
                assert_eq!(entries.number(object), group.start().0 as u32);
                entries.set(object, 7);
                assert_eq!(number(Table::Cell, object), 7);
            }
        }
    }
}
