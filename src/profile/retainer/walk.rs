//! The walk from the roots over all live objects, which finds each object's set. It runs directly after a
//! major collection, so that every reachable object is well-formed.
//!
//! The set of an object, as far as it is known, is in its cell (`Table::Cell`), which is 0 before the walk.
//! Where biographies use the cells, the walk keeps their numbers beside the sets (`Pasts`). Statics are
//! bridges: they have sets and cost nothing. The walk has a stack of its own; a large array is scanned in
//! slices, so that it does not fill the stack with its elements.

use crate::base::size::{CARD_ELEMENTS, LOG_CARD_ELEMENTS};
use crate::base::{Addr, Failure, List, Outcome};
use crate::heap::object::array::Array;
use crate::heap::object::info::ReferenceTable;
use crate::heap::object::kind::Kinds;
use crate::heap::object::model::{HEADER_BITS, SlotSink, info_of};
use crate::heap::object::statics::each_reference;
use crate::heap::object::weak_array::{WeakArray, each_element_outside};
use crate::heap::space::side::{Sides, Table};
use crate::heap::{Info, Store};
use crate::identity::names::names;
use crate::profile::retainer::edges::Pairs;
use crate::profile::retainer::set::{Named, Retainer, SetId, Sets};
use std::ffi::{CStr, c_char};

/// The rules of a walk: which objects are retainers, what they are called, and what an object costs.
pub(crate) trait Scheme {
    /// Whether an object is a retainer: the same answer throughout a census.
    fn is_retainer(&self, object: Addr, info: &Info) -> bool;
    /// The name of a retainer: the same throughout the run, so not its address, since it moves.
    fn identity(&self, object: Addr, info: &Info) -> Retainer;
    /// The cost of an object; `None` if it is in no band.
    fn cost(&self, object: Addr, info: &Info, words: usize) -> Option<u64>;
}

/// The figures of a walk.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct Figures {
    pub objects: u64,
    pub visits: u64,
    /// The largest number of entries on the walk's own stack.
    pub most_waiting: u64,
}

/// The numbers that biographies have in the cells, kept here while the walk uses the cells.
#[derive(Default)]
pub struct Pasts {
    /// For a biography's number and a set, the number that the cell has instead.
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

    /// The biography's number that an object's cell had before the walk, and the object's set. The caller
    /// writes the cell.
    pub fn of_cell(&self, cell: u32) -> (u32, SetId) {
        self.read(cell)
    }
}

/// Sets of statics, which have no cells.
struct Statics {
    /// For the two halves of a static's address, its number: an index of `sets` plus one.
    numbers: Pairs,
    sets: List<SetId>,
}

impl Statics {
    /// The set of a static; NONE before the walk has come to it.
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

/// An entry of the walk's stack: two words, so that an entry that was just written is read back with
/// loads of the same size.
#[derive(Clone, Copy)]
struct Entry {
    object: Addr,
    /// The retainer in the low half. In the high half, the next slice of an array that is being scanned,
    /// `STATIC` for a static, else 0.
    held: u64,
}

impl Entry {
    #[inline(always)]
    fn new(object: Addr, retainer: Retainer, slice: u32) -> Entry {
        Entry { object, held: (slice as u64) << 32 | retainer.0 as u64 }
    }

    #[inline(always)]
    fn retainer(self) -> Retainer {
        Retainer(self.held as u32)
    }

    #[inline(always)]
    fn slice(self) -> u32 {
        (self.held >> 32) as u32
    }
}

const STATIC: u32 = u32::MAX;

/// The state of a walk. With `PASTS`, cells have numbers of biographies in them.
pub(crate) struct Walk<'a, S, const PASTS: bool> {
    store: &'a Store,
    sides: Sides,
    sets: &'a mut Sets,
    /// For pairs of retainers, the number of objects of the second that the first holds.
    held: &'a mut Pairs,
    scheme: &'a S,
    pasts: Pasts,
    statics: Statics,
    /// The top of the stack, which is visited next; the rest is in `stack`.
    top: Option<Entry>,
    stack: List<Entry>,
    retainer: Retainer,
    /// The last set of one retainer that was looked up: most objects are met with the same retainer as the
    /// one before.
    lone: (Retainer, SetId),
    /// Whether roots are being told: the names that a client's object gives its own fields are not names
    /// of roots.
    in_roots: bool,
    figures: Figures,
    failure: Option<Failure>,
}

impl<'a, S: Scheme, const PASTS: bool> Walk<'a, S, PASTS> {
    pub(crate) fn new(
        store: &'a Store,
        sets: &'a mut Sets,
        held: &'a mut Pairs,
        scheme: &'a S,
    ) -> Walk<'a, S, PASTS> {
        let pasts = Pasts { numbers: PASTS.then(Pairs::new), of: List::new() };
        let retainer = Retainer::new(Named::Root(0));
        let figures = Figures::default();
        let statics = Statics { numbers: Pairs::new(), sets: List::new() };
        Walk {
            store,
            sides: store.sides(),
            sets,
            held,
            scheme,
            pasts,
            statics,
            top: None,
            stack: List::new(),
            retainer,
            lone: (retainer, SetId::NONE),
            in_roots: true,
            figures,
            failure: None,
        }
    }

    /// Begins the roots of this name.
    pub(crate) fn roots_of(&mut self, name: &[u8]) {
        match names().intern(name) {
            Ok(name) => self.retainer = Retainer::new(Named::Root(name.0)),
            Err(failure) => self.fail(failure),
        }
    }

    /// Takes an object that is a root itself, such as a weak pointer: it holds its referents.
    pub(crate) fn root_object(&mut self, object: Addr) {
        // SAFETY: the caller hands in a live object.
        let info = info_of(unsafe { object.load() });
        let retainer = self.scheme.identity(object, info);
        self.push(Entry::new(object, retainer, 0));
    }

    #[inline(always)]
    fn push(&mut self, entry: Entry) {
        if let Some(below) = self.top.replace(entry)
            && let Err(failure) = self.stack.push(below)
        {
            self.fail(failure);
        }
    }

    #[inline(always)]
    fn pop(&mut self) -> Option<Entry> {
        if let Some(top) = self.top.take() {
            return Some(top);
        }
        let &Entry { object, held } = self.stack.last()?;
        self.figures.most_waiting = self.figures.most_waiting.max(self.stack.len() as u64);
        self.stack.truncate(self.stack.len() - 1);
        Some(Entry { object, held })
    }

    #[cold]
    fn fail(&mut self, failure: Failure) {
        self.failure.get_or_insert(failure);
    }

    /// Follows all references from the roots that were told so far.
    fn run(&mut self) {
        self.in_roots = false;
        while let Some(entry) = self.pop() {
            if self.failure.is_some() {
                self.stack.clear();
                return;
            }
            self.retainer = entry.retainer();
            let visited = match entry.slice() {
                0 => self.visit(entry.object, entry.retainer()),
                STATIC => self.visit_static(entry.object, entry.retainer()),
                _ => {
                    self.scan_slice(entry);
                    Ok(())
                }
            };
            if let Err(failure) = visited {
                self.fail(failure);
            }
        }
    }

    /// Ends the walk. Gives its figures, and the meaning of the cells.
    pub(crate) fn end(mut self) -> Outcome<(Figures, Pasts)> {
        self.run();
        match self.failure {
            Some(failure) => Err(failure),
            None => Ok((self.figures, self.pasts)),
        }
    }

    #[inline(always)]
    fn visit(&mut self, object: Addr, retainer: Retainer) -> Outcome<()> {
        self.figures.visits += 1;
        // SAFETY: the walk comes to objects of the heap only, whose cells are on.
        let cell = unsafe { self.sides.number(Table::Cell, object) };
        let (past, set) = if PASTS { self.pasts.read(cell) } else { (0, SetId(cell)) };
        if set != SetId::NONE && self.sets.is_member(retainer, set) {
            return Ok(());
        }
        let larger = if set == SetId::NONE { self.lone(retainer)? } else { self.sets.add(retainer, set)? };
        let cell = if PASTS { self.pasts.write(past, larger)? } else { larger.0 };
        // SAFETY: as above; everything reachable is well-formed after a major collection.
        let info = unsafe {
            self.sides.set_number(Table::Cell, object, cell);
            info_of(object.load())
        };
        // SAFETY: as above.
        let words = unsafe { self.store.model.size(object, info) };
        let cost = self.scheme.cost(object, info, words);
        self.sets.charge(set, larger, cost.unwrap_or(0), cost.is_some());
        self.figures.objects += (set == SetId::NONE) as u64;
        self.go_on(object, info, retainer, set == SetId::NONE)
    }

    #[inline(always)]
    fn lone(&mut self, retainer: Retainer) -> Outcome<SetId> {
        if planted!(56, false, self.lone.0 != retainer) || self.lone.1 == SetId::NONE {
            self.lone = (retainer, self.sets.singleton(retainer)?);
        }
        Ok(self.lone.1)
    }

    /// Visits a static, which costs nothing but leads on.
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

    /// Goes from an object to its successors, under its own name when it is a retainer.
    #[inline(always)]
    fn go_on(&mut self, object: Addr, info: &Info, retainer: Retainer, is_new: bool) -> Outcome<()> {
        let mut holder = retainer;
        if self.scheme.is_retainer(object, info) {
            holder = self.scheme.identity(object, info);
            self.held.add(retainer.0, holder.0, 1)?;
            // The objects that a retainer holds do not depend on who holds it, so it is scanned once.
            if !is_new {
                return Ok(());
            }
            planted!(54, (), self.retainer = holder);
        }
        // Here alone, since the code for a scan is long.
        self.scan(object, info, holder);
        Ok(())
    }

    #[inline(always)]
    fn scan(&mut self, object: Addr, info: &Info, retainer: Retainer) {
        let is_array = info.is_in(Kinds::ARRAY);
        // SAFETY: the callers have a well-formed object.
        unsafe {
            if is_array && Array(object).length() > CARD_ELEMENTS {
                self.scan_slice(Entry::new(object, retainer, 0));
                return;
            }
            let model = self.store.model;
            model.each_slot(object, info, self);
            if !info.srt.is_null() && !self.store.statics.is_empty() {
                each_reference(info.srt, |at| self.go_to(at.0));
            }
        }
    }

    /// Scans a slice of an array, and leaves the rest for later, when all below it is done.
    fn scan_slice(&mut self, entry: Entry) {
        let array = Array(entry.object);
        let first = (entry.slice() as usize) << LOG_CARD_ELEMENTS;
        // SAFETY: the entry is of a large array.
        let (info, length) = unsafe { (info_of(array.0.load()), array.length()) };
        let count = CARD_ELEMENTS.min(length - first);
        if first + count < length {
            self.push(Entry::new(entry.object, entry.retainer(), entry.slice() + 1));
        }
        let model = self.store.model;
        model.elements(info, array.element(first), count, self);
    }

    #[inline(always)]
    fn go_to(&mut self, address: usize) {
        let (object, retainer) = (Addr(address), self.retainer);
        if self.store.codes.at(address) != 0 {
            object.prefetch();
            self.push(Entry::new(object, retainer, 0));
        } else if address != 0 {
            self.go_outside(object, retainer);
        }
    }

    /// Goes to what lies at an address outside the heap's own memory, when that is a static. A function of its own, since each
    /// kind of slot has a copy of `go_to`.
    #[inline(never)]
    fn go_outside(&mut self, at: Addr, retainer: Retainer) {
        if !self.store.statics.is_empty() && self.store.statics.has(at) {
            self.push(Entry::new(at, retainer, STATIC));
        }
    }
}

impl<S: Scheme, const PASTS: bool> SlotSink for Walk<'_, S, PASTS> {
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

    /// Visits the elements of a weak array that are statics; the other elements are not held by it.
    fn weak_elements(&mut self, array: Addr, info: &Info) -> bool {
        let (tags, codes) = (self.store.model.tags, self.store.codes);
        each_element_outside(WeakArray(array), info, &tags, |at| codes.at(at), self);
        true
    }

    fn mentions(&mut self, table: *const ReferenceTable) {
        if planted!(55, table.is_null(), !table.is_null()) && !self.store.statics.is_empty() {
            // SAFETY: tables of frames are the client's constants.
            unsafe { each_reference(table, |at| self.go_to(at.0)) };
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
