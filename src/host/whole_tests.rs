//! Whole collections, and what they leave in the collector's own tables.

use crate::base::Addr;
use crate::block::Block;
use crate::block::descriptor::flag;
use crate::heap::Mutator;
use crate::heap::object::array::{self, Array};
use crate::heap::object::info::{Info, Kind};
use crate::heap::object::weak::{Finalizer, Weak};
use crate::heap::root::stable::Handle;
use crate::heap::space::remember::{Entry, Remembered};
use crate::host::plain::Program;
use crate::runtime::collect::Reason;
use std::ffi::{CStr, c_void};
use std::ptr::null_mut;

static CELL: Info = Info::plain(Kind::Constr, 1, 1);
static PAIR: Info = Info::plain(Kind::Constr, 2, 0);
static ARRAY: Info = Info::plain(Kind::Array, 0, 0);
static VARIABLE: Info = Info::plain(Kind::MutVar, 1, 0);

impl Program {
    fn cell(&mut self) -> Addr {
        self.object(&CELL, [Addr::NULL; 2])
    }

    /// The object of a handle, wherever it is now.
    fn held(&self, handle: *const Handle) -> Addr {
        // SAFETY: the handle is live.
        Addr(unsafe { (*handle).object })
    }

    /// A weak pointer with a finalizer.
    fn weak(&mut self, key: Addr, value: Addr, finalizer: Addr) {
        unsafe extern "C-unwind" fn nothing(_: *mut Mutator, _: *mut c_void, _: *mut c_void, _: *mut c_void) {
        }
        let [key, value, object] = [key, value, finalizer].map(|at| at.as_ptr::<c_void>());
        let fields = Finalizer { function: Some(nothing), data: null_mut(), key, value, object };
        self.heap.make_weak(self.m, fields).unwrap();
    }

    /// A large array of nulls in the oldest generation.
    fn old_array(&mut self, length: usize) -> Addr {
        let words = array::words(length);
        let array = self.heap.allocate(self.m, words, 0).unwrap();
        // SAFETY: the words were just allocated.
        unsafe {
            array.store(&raw const ARRAY as usize);
            array.plus_words(1).store(length);
            (2..words).for_each(|word| array.plus_words(word).store(0));
        }
        self.hold(array);
        (0..3).for_each(|_| self.collect(Reason::Major));
        array
    }

    fn put_cell(&mut self, slot: Addr) {
        let young = self.cell();
        // SAFETY: a field of an object that the caller has.
        unsafe { slot.store(young.0) };
    }

    fn remember(&mut self, slot: Addr) {
        // SAFETY: the mutator lives as long as the program.
        self.heap.store.remember(unsafe { &mut *self.m }, Entry::new(Remembered::Slot, slot));
    }

    fn failed_promotions(&self) -> u64 {
        // SAFETY: the counters live as long as the heap, and this thread alone adds to them.
        unsafe { (*self.heap.profilers.ticky.counters.whole.at()).gc_failed_promotion_ctr }
    }
}

#[test]
fn a_collection_looks_at_each_weak_pointer_once() {
    let mut program = Program::new("-A64k");
    let key = program.cell();
    program.hold(key);
    for number in 1..=3 {
        program.weak(key, Addr::NULL, Addr::NULL);
        assert_eq!(program.heap.store.weaks.count, number);
    }
    program.collect(Reason::Major);
    assert_eq!((program.heap.store.weaks.looked_at, program.heap.store.weaks.count), (3, 3));
}

/// The value of a young weak pointer is the key of an old one: both keys are dead, and that is judged before anything is kept for
/// a finalizer.
#[test]
fn keys_that_die_together_are_judged_together() {
    for flags in ["-A64k -T1", "-DS -A64k -T1", "-A64k -G3 -T2", "-A64k --source=chunks"] {
        let mut program = Program::new(flags);
        let old = program.cell();
        let handle = program.hold(old);
        (0..3).for_each(|_| program.collect(Reason::Major));
        let old = program.held(handle);
        program.weak(old, Addr::NULL, Addr::NULL);
        (0..3).for_each(|_| program.collect(Reason::Minor));
        let (old, key) = (program.held(handle), program.cell());
        program.free(handle);
        program.weak(key, old, Addr::NULL);
        assert_eq!(program.heap.store.weaks.count, 2);
        program.leave();
        assert_eq!(program.heap.store.weaks.count, 0, "{flags}");
    }
}

#[test]
fn a_finalizer_that_waits_is_held_by_a_root() {
    let mut program = Program::new("-A64k");
    let (key, finalizer) = (program.cell(), program.cell());
    program.weak(key, Addr::NULL, finalizer);
    program.collect(Reason::Major);
    let root_of = |program: &mut Program, weak: Addr| {
        // SAFETY: the fields of a weak pointer.
        let finalizer = Addr(unsafe { Weak(weak).slots()[2].load() });
        let held = program.heap.why(program.m, finalizer).unwrap();
        // SAFETY: roots have names.
        let root = unsafe { CStr::from_ptr(held[0].name) };
        (root.to_str().unwrap().to_string(), Addr(held[1].object as usize))
    };
    let weak = program.heap.store.weaks.arrived;
    assert_eq!(root_of(&mut program, weak), ("finalizers".into(), weak));
    // The next that is due is taken from those that have arrived.
    assert_eq!(program.heap.store.weaks.first_due().map(|weak| weak.0), Some(weak));
    assert!(program.heap.store.weaks.arrived.is_null());
    assert_eq!(root_of(&mut program, weak), ("finalizers".into(), weak));
}

/// The first entry of an object rewrites its field, and the second finds nothing to rewrite.
#[test]
fn an_object_that_was_remembered_twice_is_remembered_once() {
    let mut program = Program::new("-A64k -G2 -T2");
    let variable = program.object(&VARIABLE, [Addr::NULL; 2]);
    let handle = program.hold(variable);
    (0..3).for_each(|_| program.collect(Reason::Major));
    let (variable, young) = (program.held(handle), program.cell());
    // SAFETY: the field of a variable.
    unsafe { variable.plus_words(1).store(young.0) };
    let entry = Entry::new(Remembered::ObjectOnce, variable);
    for _ in 0..2 {
        // SAFETY: the mutator lives as long as the program.
        program.heap.store.remember(unsafe { &mut *program.m }, entry);
    }
    program.collect(Reason::Minor);
    let mut remembered = Vec::new();
    program.heap.store.generations[1].remembered.for_each(|entry| remembered.push(entry));
    assert_eq!(remembered, [entry]);
}

/// Looking at each card of a long array would take longer than looking at a few entries, however often they were made.
#[test]
fn a_few_elements_of_a_long_array_stay_entries() {
    const LENGTH: usize = 1 << 22;
    const ELEMENTS: [usize; 3] = [0, 1 << 20, LENGTH - 1];
    let mut program = Program::new("-A64k -G2 -T2");
    let array = program.old_array(LENGTH);
    let slots = ELEMENTS.map(|element| Array(array).element(element));
    slots.iter().for_each(|&slot| program.put_cell(slot));
    let mut before = 0;
    for round in 0.. {
        slots.iter().for_each(|&slot| program.remember(slot));
        // SAFETY: the mutator lives as long as the program.
        let blocks = unsafe { (*program.m).buffers.blocks() };
        if blocks < before {
            break;
        }
        assert!(round < 1 << 20, "entries are not condensed");
        before = blocks;
    }
    assert!(!Block::of(array).head().has(flag::CARDED));
    program.collect(Reason::Minor);
    for slot in slots {
        // SAFETY: an element, and the cell that it leads to.
        assert_eq!(unsafe { Addr(slot.load()).load() }, &raw const CELL as usize);
    }
}

/// An array that is written and shortened by turns is remembered once for its cards, and once as a whole.
#[test]
fn an_array_that_shrinks_is_remembered_once_for_its_cards() {
    let mut program = Program::new("-A64k -G2 -T2");
    let (array, m) = (program.old_array(4096), program.m);
    for length in (4000..4096).rev() {
        let young = program.cell();
        for _ in 0..2 {
            program.heap.array_fill(m, array, 0, 1000, young.0).unwrap();
            program.heap.shrink(array, length).unwrap();
        }
        program.collect(Reason::Minor);
    }
    let mut remembered = Vec::new();
    program.heap.store.generations[1].remembered.for_each(|entry| remembered.push(entry));
    let expected = [Remembered::Cards, Remembered::ObjectOnce].map(|what| Entry::new(what, array));
    assert_eq!(remembered, expected);
}

/// Elements whose cards are looked at are not looked at for their entries as well. A card of which all elements led to a middle generation is
/// left alone, and the entry counts.
#[test]
fn entries_count_where_their_cards_do_not() {
    for flags in ["-A64k -G3 -T2", "-A64k -G3 -T2 --source=chunks", "-A64k -G3 -T2 --workers=2!"] {
        let mut program = Program::new(flags);
        let array = program.old_array(4096);
        let slots = [0, 1, 2].map(|element| Array(array).element(element));
        // SAFETY: a slot of the array, and its first card.
        let (word, card) = (|slot: Addr| unsafe { slot.load() }, || unsafe { *Array(array).card(0) });
        program.put_cell(slots[0]);
        // SAFETY: an element of the array.
        unsafe { Array(array).mark(0, 1) };
        program.heap.store.remember_cards(Block::of(array).head());
        while card() != array::card_for(1) {
            assert_ne!(card(), 0, "{flags}: the cell never was in the middle generation");
            program.collect(Reason::Minor);
        }
        let old = word(slots[0]);
        for slot in &slots[1..] {
            program.put_cell(*slot);
            program.remember(*slot);
            let young = word(*slot);
            program.collect(Reason::Minor);
            assert_ne!(word(*slot), young, "{flags}: an element was not looked at");
            assert_eq!(word(slots[0]), old);
            // SAFETY: an element of the array.
            unsafe { Array(array).mark(0, 1) };
            assert!(Block::of(array).head().has(flag::CARDED));
        }
        let mut remembered = Vec::new();
        program.heap.store.generations[2].remembered.for_each(|entry| remembered.push(entry));
        // The second entry was dropped, and the cell of the first became older with its card.
        assert_eq!(remembered, [Entry::new(Remembered::Cards, array)], "{flags}");
    }
}

/// Objects that are promoted lead to others that roots have led to before, so those are in the younger generation by then.
#[test]
fn failed_promotions_are_counted_whoever_copies() {
    const PAIRS: usize = 2000;
    for workers in ["--workers=1", "--workers=2!", "--workers=4!"] {
        let mut program = Program::new(&format!("-A1m -G2 -T2 {workers}"));
        let mut list = Addr::NULL;
        for _ in 0..PAIRS {
            list = program.object(&PAIR, [list, Addr::NULL]);
        }
        let handle = program.hold(list);
        program.collect(Reason::Minor);
        let mut pair = program.held(handle);
        let mut pairs = 0;
        while !pair.is_null() {
            let young = program.cell();
            program.hold(young);
            // SAFETY: the fields of a pair.
            unsafe {
                pair.plus_words(2).store(young.0);
                pair = Addr(pair.plus_words(1).load());
            }
            pairs += 1;
        }
        assert_eq!((pairs, program.failed_promotions()), (PAIRS, 0));
        program.collect(Reason::Minor);
        assert_eq!(program.failed_promotions(), PAIRS as u64, "{workers}");
    }
}
