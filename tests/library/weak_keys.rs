//! Weak pointers whose keys are of lazy kinds, which the random programs leave out: indirections, selectors that wait, and rings of
//! indirections. Each key lives when a root or the value of a living weak pointer leads to it, however long the way is.

use super::heaps::{heap, info, object, ok};
use barrow::ffi::collect::barrow_collect;
use barrow::ffi::debug::barrow_check;
use barrow::ffi::heap::barrow_heap_free;
use barrow::ffi::root::barrow_root_add;
use barrow::ffi::weak::barrow_weak_new;
use barrow::heap::object::info::Info;
use barrow::heap::{Kind, Mutator};
use barrow::testkit::random::Random;
use barrow::testkit::twin;
use std::cell::Cell;
use std::ffi::c_void;
use std::ptr::{null, null_mut};

const WEAKS: usize = 120;
const ENTRIES: usize = 2;

/// Weak pointers are judged in rounds, or, in checking mode, by the object that each one lacks.
const HEAPS: [&str; 5] = ["-A64k -DS", "-A64k -DS --old=copy", "-A64k -DS -c", "-A64k -DS -G1", "-A64k"];

struct Tables {
    cell: &'static Info,
    thunk: &'static Info,
    selector: &'static Info,
}

/// A key of any sort, which nothing else refers to.
///
/// # Safety
/// The mutator is live, and nothing collects while the key is in no root.
unsafe fn key(m: *mut Mutator, tables: &Tables, random: &mut Random) -> usize {
    // SAFETY: the caller's promise; thunks are updated before anything collects.
    unsafe {
        let thunk = |word| object(m, tables.thunk, &[word]);
        match random.below(4) {
            0 => object(m, tables.cell, &[1]),
            1 => object(m, tables.selector, &[0, thunk(1)]),
            2 => {
                let indirection = thunk(1);
                let cell = object(m, tables.cell, &[1]);
                ok(twin::update(m, indirection as *mut c_void, cell as *mut c_void));
                indirection
            }
            _ => {
                let (one, other) = (thunk(1), thunk(2));
                ok(twin::update(m, one as *mut c_void, other as *mut c_void));
                ok(twin::update(m, other as *mut c_void, one as *mut c_void));
                one
            }
        }
    }
}

/// The keys that live: those in roots, and values of weak pointers whose keys do.
fn living(values: &[usize], entries: &[usize]) -> Vec<bool> {
    let mut lives = vec![false; values.len()];
    for &entry in entries {
        let mut at = entry;
        while !std::mem::replace(&mut lives[at], true) {
            at = values[at];
        }
    }
    lives
}

fn program(tables: &Tables, flags: &str, seed: u64) {
    let (heap, m) = heap(flags);
    let mut random = Random::new(seed);
    let roots: &'static [Cell<usize>; _] = Box::leak(Box::new([const { Cell::new(0) }; 2 * WEAKS]));
    let values: Vec<usize> = (0..WEAKS).map(|_| random.below(WEAKS)).collect();
    // SAFETY: the heap is live, the roots live longer, and the nursery has room for what is made between collections.
    unsafe {
        ok(barrow_root_add(heap, null(), roots.as_ptr().cast_mut().cast(), roots.len(), false));
        let (weaks, keys) = roots.split_at(WEAKS);
        for one in keys {
            one.set(key(m, tables, &mut random));
            if random.one_in(50) {
                ok(barrow_collect(m, random.one_in(2)));
            }
        }
        for (number, weak) in weaks.iter().enumerate() {
            let value = keys[values[number]].get() as *mut c_void;
            weak.set(barrow_weak_new(m, keys[number].get() as *mut c_void, value, null_mut()) as usize);
        }
        let entries: Vec<usize> = (0..ENTRIES).map(|_| random.below(WEAKS)).collect();
        for (number, one) in keys.iter().enumerate() {
            if !entries.contains(&number) {
                one.set(0);
            }
        }
        let lives = living(&values, &entries);
        for major in [false, true, true] {
            ok(barrow_collect(m, major));
            for number in 0..WEAKS {
                // The key is the word behind the header, and NULL when it has died.
                let has_key = (roots[number].get() as *const usize).add(1).read() != 0;
                let about = format!("seed {seed}, {flags}, key {number}, major {major}");
                assert!(has_key || !lives[number], "{about}: it lives and was taken for dead");
                assert!(!(has_key && major) || lives[number], "{about}: it is dead and was kept");
            }
        }
        ok(barrow_check(m));
        ok(barrow_heap_free(heap));
    }
}

#[test]
fn keys_of_lazy_kinds_live_as_long_as_something_leads_to_them() {
    let tables = Tables {
        cell: info(Kind::Constr, 0, 1),
        thunk: info(Kind::Thunk, 0, 0),
        selector: info(Kind::Selector, 1, 0),
    };
    for flags in HEAPS {
        for seed in 0..100 {
            program(&tables, flags, seed);
        }
    }
}
