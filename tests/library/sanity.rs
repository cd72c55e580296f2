//! The sanity walk's sentences about references that lead nowhere: each says what lies there now, and where the object went.

use super::heaps::{heap, info, ok, sentence};
use barrow::base::Status;
use barrow::ffi::alloc::{barrow_alloc_slow, barrow_allocate};
use barrow::ffi::collect::barrow_collect;
use barrow::ffi::debug::barrow_check;
use barrow::ffi::heap::barrow_heap_free;
use barrow::ffi::root::barrow_root_add;
use barrow::heap::object::info::Info;
use barrow::heap::{Kind, Mutator};
use std::cell::Cell;
use std::ptr::null;

/// Words of an object that is large, and is freed as a whole.
const LARGE: usize = 60_000;

struct Program {
    m: *mut Mutator,
    /// An object with one reference, and any other.
    roots: &'static [Cell<usize>; 2],
    table: &'static Info,
}

impl Program {
    fn make(&mut self, root: usize, table: &'static Info, words: usize) {
        // SAFETY: the mutator is live, and the words are filled at once.
        unsafe {
            let at =
                if words < LARGE { barrow_alloc_slow(self.m, words) } else { barrow_allocate(self.m, words) };
            at.write_bytes(0, words);
            at.write(&raw const *table as usize);
            if words == LARGE {
                at.add(1).write(8 * (LARGE - 2));
            }
            self.roots[root].set(at as usize);
        }
    }

    fn collect(&self, major: bool) {
        // SAFETY: the mutator is live.
        ok(unsafe { barrow_collect(self.m, major) });
    }

    /// Writes into the reference of the first object.
    fn refer(&self, word: usize) {
        // SAFETY: the object has this field.
        unsafe { (self.roots[0].get() as *mut usize).add(1).write(word) };
    }
}

/// Spoils a heap, and looks for words in the sentence about it.
fn says(words: &str, spoil: fn(&mut Program)) {
    let (heap, m) = heap("-A64k -DS");
    let roots: &'static [Cell<usize>; 2] = Box::leak(Box::default());
    let mut program = Program { m, roots, table: info(Kind::Constr, 1, 1) };
    // SAFETY: the heap is live, and the roots live longer.
    unsafe {
        ok(barrow_root_add(heap, null(), roots.as_ptr().cast_mut().cast(), 2, false));
        let table = program.table;
        program.make(0, table, 3);
        spoil(&mut program);
        assert_eq!(barrow_check(m), Status::Damaged, "{words}");
        assert!(sentence().contains(words), "{}", sentence());
        roots.iter().for_each(|root| root.set(0));
        ok(barrow_heap_free(heap));
    }
}

#[test]
fn an_object_that_has_moved() {
    says("collection 1 moved an object from there to 0x", |program| {
        let table = program.table;
        program.make(1, table, 3);
        let stale = program.roots[1].get();
        program.collect(false);
        assert_ne!(stale, program.roots[1].get());
        program.refer(stale);
    });
}

#[test]
fn a_large_object_that_was_freed() {
    says("was a large object there, which has died?", |program| {
        // The nursery may take the place of the first.
        (0..5).for_each(|_| program.make(1, info(Kind::Bytes, 0, 0), LARGE));
        let stale = program.roots[1].get();
        program.roots[1].set(0);
        program.collect(true);
        program.refer(stale);
    });
}

#[test]
fn the_middle_of_an_object_in_a_root() {
    says("(no name)", |program| {
        program.collect(false);
        program.roots[1].set(program.roots[0].get() + 16);
    });
}

#[test]
fn a_static_object_in_the_heap() {
    says("which is for static objects", |program| {
        let table = info(Kind::ConstrStatic, 0, 1);
        program.make(1, table, 3);
    });
}
