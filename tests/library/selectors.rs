//! Rings of selectors, each of which has the next one for its value: nothing gives any of them a value. The random programs
//! leave these out, since a ring that lies in several generations may come out as one object or as several.

use super::heaps::{heap, info, object, ok};
use barrow::ffi::collect::barrow_collect;
use barrow::ffi::debug::barrow_check;
use barrow::ffi::heap::barrow_heap_free;
use barrow::ffi::root::barrow_root_add;
use barrow::heap::Kind;
use barrow::heap::object::info::Info;
use barrow::heap::object::model::HEADER_BITS;
use std::ptr::null;

const MOST: usize = 6;

struct Tables {
    constructor: &'static Info,
    selector: &'static Info,
}

fn word(object: usize, index: usize) -> usize {
    // SAFETY: the callers have objects of the heap with so many words.
    unsafe { (object as *const usize).add(index).read() }
}

fn is(object: usize, table: &'static Info) -> bool {
    word(object, 0) & !HEADER_BITS == &raw const *table as usize
}

/// `length` selectors in a ring, and `before` in a row that leads into it. Collected with only the object `entry` in a
/// root, counted from the first of the row: all that it reaches stay selectors, each with its own constructor, which has
/// the next one.
fn ring(tables: &Tables, flags: &str, length: usize, before: usize, entry: usize, major: bool) {
    let (heap, m) = heap(flags);
    let mut root = [0usize];
    // SAFETY: the heap is live, the root lives longer, and the nursery has room for all before anything collects.
    unsafe {
        ok(barrow_root_add(heap, null(), root.as_mut_ptr().cast(), 1, false));
        let all: Vec<(usize, usize)> = (0..before + length)
            .map(|_| {
                let from = object(m, tables.constructor, &[0]);
                (from, object(m, tables.selector, &[0, from]))
            })
            .collect();
        for (number, &(from, _)) in all.iter().enumerate() {
            let next = if number + 1 < all.len() { number + 1 } else { before };
            (from as *mut usize).add(1).write(all[next].1);
        }
        root[0] = all[entry].1;
        for round in 0..4 {
            ok(barrow_collect(m, major ^ (round == 2)));
            let mut seen = Vec::new();
            let mut at = root[0];
            // A selector of the row is only another name for the ring that it leads into.
            while !seen.contains(&at) {
                assert!(
                    is(at, tables.selector),
                    "{flags}, {before} before a ring of {length} from {entry}: {at:#x} is no selector"
                );
                seen.push(at);
                assert!(is(word(at, 2), tables.constructor));
                at = word(word(at, 2), 1);
            }
            assert_eq!(seen.len(), length, "{flags}, {before} before, from {entry}");
            assert_eq!(at, root[0], "it leads back to where it began");
        }
        ok(barrow_check(m));
        ok(barrow_heap_free(heap));
    }
}

#[test]
fn a_ring_stays_a_ring_wherever_it_is_entered() {
    let tables = Tables { constructor: info(Kind::Constr, 1, 0), selector: info(Kind::Selector, 1, 0) };
    for flags in ["-DS -A64k", "-DS -A64k -G1", "-DS -A64k -G3 -T1", "-DS -A64k -c"] {
        for length in 1..=MOST {
            for before in 0..3 {
                for entry in 0..before + length {
                    for major in [false, true] {
                        ring(&tables, flags, length, before, entry, major);
                    }
                }
            }
        }
    }
}
