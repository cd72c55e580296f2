//! The walk from the roots over everything alive, which finds each object's set. Directly after a major collection, so
//! that everything reachable is well-formed and nothing else is met.
//!
//! An object's set, as far as it is known, is in its cell (`Table::Cell`), which is 0 before the walk. Where biographies use
//! the cells, the walk keeps what they have beside the set (`Pasts`). Statics are bridges: they have sets and cost nothing. The walk has a stack of its own; a large array is
//! looked at in slices, so that it does not fill the stack with its elements.

use super::edges::Pairs;
use super::set::{Named, Retainer, SetId, Sets};
use crate::base::size::{CARD_ELEMENTS, LOG_CARD_ELEMENTS};
use crate::base::{Addr, Failure, List, Outcome};
use crate::heap::array::Array;
use crate::heap::model::{HEADER_BITS, SlotSink, info_of};
use crate::heap::side::{self, Table};
use crate::heap::statics::each_reference;
use crate::heap::{Info, Kind, Store};
use crate::identity::names::names;
use std::ffi::{CStr, c_char};

/// What counts as a retainer, what it is called, and what an object costs.
pub trait Scheme {
    /// The same answer for an object throughout a census.
    fn is_retainer(&self, object: Addr, info: &Info) -> bool;
    /// The same for a retainer throughout the run: not its address, since it moves.
    fn identity(&self, object: Addr, info: &Info) -> Retainer;
    /// `None`: the object is in no band.
    fn cost(&self, object: Addr, info: &Info, words: usize) -> Option<u64>;
}

/// What a walk did.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct Figures {
    pub objects: u64,
    pub visits: u64,
    /// Entries on the walk's own stack, at most.
    pub most_waiting: u64,
}

/// What biographies have in the cells, while the walk uses them.
#[derive(Default)]
pub struct Pasts {
    /// From (cell, set) to a number.
    numbers: Option<Pairs>,
    of: List<(u32, SetId)>,
}

const IN_WALK: u32 = 1 << 31;

impl Pasts {
    fn read(&self, cell: u32) -> (u32, SetId) {
        match &self.numbers {
            None => (0, SetId(cell)),
            Some(_) if cell & IN_WALK == 0 => (cell, SetId::NONE),
            Some(_) => self.of[(cell & !IN_WALK) as usize],
        }
    }

    fn write(&mut self, past: u32, set: SetId) -> Outcome<u32> {
        let Some(numbers) = &mut self.numbers else { return Ok(set.0) };
        let known = numbers.get(past, set.0);
        if known != 0 {
            return Ok(known);
        }
        let number = self.of.len() as u32 | IN_WALK;
        self.of.push((past, set))?;
        numbers.put(past, set.0, number)?;
        Ok(number)
    }

    /// What the cell of an object had before the walk, and the object's set. The cell itself is for the caller to write.
    pub fn of_cell(&self, cell: u32) -> (u32, SetId) {
        self.read(cell)
    }
}

/// Sets of statics, which have no cells: by a number for each that the walk has come to.
struct Statics {
    /// From the two halves of an address.
    numbers: Pairs,
    sets: List<SetId>,
}

impl Statics {
    /// The set of a static, NONE at first.
    fn set(&mut self, at: Addr) -> Outcome<&mut SetId> {
        let (high, low) = ((at.0 >> 32) as u32, at.0 as u32);
        let mut number = self.numbers.get(high, low);
        if number == 0 {
            self.sets.push(SetId::NONE)?;
            number = self.sets.len() as u32;
            self.numbers.put(high, low, number)?;
        }
        Ok(&mut self.sets[number as usize - 1])
    }
}

#[derive(Clone, Copy)]
struct Entry {
    object: Addr,
    retainer: Retainer,
    /// Of an array that is being looked at: the next slice; else 0.
    slice: u32,
}

pub struct Walk<'a, S> {
    store: &'a Store,
    sets: &'a mut Sets,
    /// How many objects of the second retainer the first one holds.
    held: &'a mut Pairs,
    scheme: &'a S,
    pasts: Pasts,
    statics: Statics,
    stack: List<Entry>,
    retainer: Retainer,
    /// Roots are being told; names that a client's object gives its own fields are no roots'.
    in_roots: bool,
    figures: Figures,
    failure: Option<Failure>,
}

impl<'a, S: Scheme> Walk<'a, S> {
    /// `has_pasts`: the cells have something of biographies in them.
    pub fn new(
        store: &'a Store,
        sets: &'a mut Sets,
        held: &'a mut Pairs,
        scheme: &'a S,
        has_pasts: bool,
    ) -> Walk<'a, S> {
        let pasts = Pasts { numbers: has_pasts.then(Pairs::new), of: List::new() };
        let retainer = Retainer::new(Named::Root(0));
        let figures = Figures::default();
        let statics = Statics { numbers: Pairs::new(), sets: List::new() };
        Walk {
            store,
            sets,
            held,
            scheme,
            pasts,
            statics,
            stack: List::new(),
            retainer,
            in_roots: true,
            figures,
            failure: None,
        }
    }

    /// The roots that follow are of this name.
    pub fn roots_of(&mut self, name: &[u8]) {
        match names().intern(name) {
            Ok(name) => self.retainer = Retainer::new(Named::Root(name.0)),
            Err(failure) => self.fail(failure),
        }
    }

    /// An object that is a root itself, such as a weak pointer: it holds what it refers to.
    pub fn root_object(&mut self, object: Addr) {
        // SAFETY: the caller hands in a live object.
        let info = info_of(unsafe { object.load() });
        let retainer = self.scheme.identity(object, info);
        self.push(Entry { object, retainer, slice: 0 });
    }

    fn push(&mut self, entry: Entry) {
        if let Err(failure) = self.stack.push(entry) {
            self.fail(failure);
        }
    }

    fn fail(&mut self, failure: Failure) {
        self.failure.get_or_insert(failure);
    }

    /// Follows everything from the roots that were told so far.
    fn run(&mut self) {
        self.in_roots = false;
        while let Some(entry) = self.stack.pop() {
            self.figures.most_waiting = self.figures.most_waiting.max(self.stack.len() as u64 + 1);
            if self.failure.is_some() {
                self.stack.clear();
                return;
            }
            self.retainer = entry.retainer;
            if entry.slice > 0 {
                self.scan_slice(entry);
            } else if let Err(failure) = self.visit(entry.object, entry.retainer) {
                self.fail(failure);
            }
        }
    }

    /// What the walk found, and what the cells mean now.
    pub fn end(mut self) -> Outcome<(Figures, Pasts)> {
        self.run();
        match self.failure {
            Some(failure) => Err(failure),
            None => Ok((self.figures, self.pasts)),
        }
    }

    #[inline]
    fn visit(&mut self, object: Addr, retainer: Retainer) -> Outcome<()> {
        if self.store.codes.at(object.0) == 0 {
            return self.visit_static(object, retainer);
        }
        self.figures.visits += 1;
        // SAFETY: the walk comes to objects of the heap only, whose cells are on.
        let cell = unsafe { side::number(Table::Cell, object) };
        let (past, set) = self.pasts.read(cell);
        if set != SetId::NONE && self.sets.is_member(retainer, set) {
            return Ok(());
        }
        let larger = self.sets.add(retainer, set)?;
        let cell = self.pasts.write(past, larger)?;
        // SAFETY: as above; everything reachable is well-formed after a major collection.
        let info = unsafe {
            side::set_number(Table::Cell, object, cell);
            info_of(object.load())
        };
        // SAFETY: as above.
        let words = unsafe { self.store.model.size(object, info) };
        let cost = self.scheme.cost(object, info, words);
        self.sets.charge(set, larger, cost.unwrap_or(0), cost.is_some());
        self.figures.objects += (set == SetId::NONE) as u64;
        self.go_on(object, info, retainer, set == SetId::NONE)
    }

    /// Statics cost nothing, but lead on.
    #[cold]
    fn visit_static(&mut self, at: Addr, retainer: Retainer) -> Outcome<()> {
        let set = *self.statics.set(at)?;
        if set != SetId::NONE && self.sets.is_member(retainer, set) {
            return Ok(());
        }
        let larger = self.sets.add(retainer, set)?;
        *self.statics.set(at)? = larger;
        // SAFETY: `go_to` has found a static there that the client told of.
        let info = info_of(unsafe { at.load() });
        self.go_on(at, info, retainer, set == SetId::NONE)
    }

    /// From an object to its successors, under its own name when it is a retainer.
    #[inline]
    fn go_on(&mut self, object: Addr, info: &Info, retainer: Retainer, is_new: bool) -> Outcome<()> {
        if !self.scheme.is_retainer(object, info) {
            self.scan(object, info, retainer);
            return Ok(());
        }
        let own = self.scheme.identity(object, info);
        self.held.add(retainer.0, own.0, 1)?;
        // What it holds does not depend on who holds it.
        if is_new {
            self.retainer = own;
            self.scan(object, info, own);
        }
        Ok(())
    }

    #[inline]
    fn scan(&mut self, object: Addr, info: &Info, retainer: Retainer) {
        let is_array = info.kind == Kind::Array as u8 || info.kind == Kind::ArrayFrozen as u8;
        // SAFETY: the callers have a well-formed object.
        unsafe {
            if is_array && Array(object).length() > CARD_ELEMENTS {
                self.scan_slice(Entry { object, retainer, slice: 0 });
                return;
            }
            let model = self.store.model;
            model.each_slot(object, info, self);
            if !info.srt.is_null() && !self.store.statics.is_empty() {
                each_reference(info.srt, |at| self.go_to(at.0));
            }
        }
    }

    /// Looks at a part of an array, and leaves the rest for when everything below is done.
    fn scan_slice(&mut self, entry: Entry) {
        let array = Array(entry.object);
        let first = (entry.slice as usize) << LOG_CARD_ELEMENTS;
        // SAFETY: the entry is of a large array.
        let (info, length) = unsafe { (info_of(array.0.load()), array.length()) };
        let count = CARD_ELEMENTS.min(length - first);
        if first + count < length {
            self.push(Entry { slice: entry.slice + 1, ..entry });
        }
        let model = self.store.model;
        model.elements(info, array.element(first), count, self);
    }

    #[inline(always)]
    fn go_to(&mut self, address: usize) {
        if self.store.codes.at(address) != 0 || self.is_static(address) {
            let object = Addr(address);
            object.prefetch();
            let retainer = self.retainer;
            self.push(Entry { object, retainer, slice: 0 });
        }
    }

    #[inline]
    fn is_static(&self, address: usize) -> bool {
        address != 0 && !self.store.statics.is_empty() && self.store.statics.has(Addr(address))
    }
}

impl<S: Scheme> SlotSink for Walk<'_, S> {
    #[inline(always)]
    fn pointer(&mut self, slot: Addr) {
        // SAFETY: slots are roots, or fields of well-formed objects.
        let word = unsafe { slot.load() };
        self.go_to(word & !HEADER_BITS);
    }

    #[inline(always)]
    fn tagged(&mut self, slot: Addr) {
        // SAFETY: as above.
        let word = unsafe { slot.load() };
        let address = self.store.model.tags.address(word);
        if address != 0 {
            self.go_to(address);
        }
    }

    fn name(&mut self, name: *const c_char) {
        if !self.in_roots {
            return;
        }
        if name.is_null() {
            self.roots_of(b"roots");
        } else {
            // SAFETY: names of roots are the client's constant strings.
            self.roots_of(unsafe { CStr::from_ptr(name) }.to_bytes());
        }
    }
}
