//! Random chains of indirections, of which some lead into rings from outside. The random programs of the testkit leave rings out,
//! since a ring of which only a part is collected may come out longer than one that is collected whole. After every collection an
//! indirection leads to its constructor, or else into its own ring, and after a full one nothing is left that could be left out.

use super::heaps::{heap, info, ok};
use barrow::ffi::alloc::{barrow_alloc_slow, barrow_allocate_pinned};
use barrow::ffi::collect::barrow_collect;
use barrow::ffi::debug::barrow_check;
use barrow::ffi::heap::barrow_heap_free;
use barrow::ffi::lazy::barrow_update_permanent;
use barrow::ffi::root::barrow_root_add;
use barrow::heap::object::info::Info;
use barrow::heap::object::model::HEADER_BITS;
use barrow::heap::{Kind, Mutator};
use barrow::testkit::random::Random;
use barrow::testkit::twin;
use std::cell::Cell;
use std::ptr::null;

const THUNKS: usize = 40;
const CONSTRUCTORS: usize = 4;
/// Words of a constructor with its number, and of a thunk.
const WORDS: usize = 2;

/// The kinds of heaps: objects are copied, left, slid, in one generation to four, in whole ones or in steps.
const HEAPS: [&str; 7] = [
    "-A64k -DS",
    "-A64k -DS --old=copy",
    "-A64k -DS -c",
    "-A64k -DS -G1",
    "-A64k -DS -G4 -T1",
    "-A64k -G3 -T3 --source=chunks",
    "-A64k --old=copy",
];

struct Tables {
    constructor: &'static Info,
    thunk: &'static Info,
}

/// The object that a thunk was updated with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Value {
    Thunk(usize),
    Constructor(usize),
}

/// The end of a chain: a constructor, or the smallest number of a thunk in the ring.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    Constructor(usize),
    Ring(usize),
}

fn end_of(values: &[Value], start: usize) -> End {
    let mut passed = Vec::new();
    let mut at = start;
    loop {
        if let Some(first) = passed.iter().position(|&one| one == at) {
            return End::Ring(passed[first..].iter().copied().min().unwrap_or(at));
        }
        passed.push(at);
        match values[at] {
            Value::Thunk(next) => at = next,
            Value::Constructor(number) => return End::Constructor(number),
        }
    }
}

fn word(object: usize, index: usize) -> usize {
    // SAFETY: the callers have objects of the heap with so many words.
    unsafe { (object as *const usize).add(index).read() }
}

/// A chain in the heap: the addresses up to its end, without those of a ring, and those of the ring or of the constructor.
struct Walked {
    before: usize,
    end: Vec<usize>,
}

fn walk(tables: &Tables, start: usize) -> Walked {
    let mut passed: Vec<usize> = Vec::new();
    let mut at = start & !HEADER_BITS;
    loop {
        if let Some(first) = passed.iter().position(|&one| one == at) {
            let mut end = passed.split_off(first);
            end.sort_unstable();
            return Walked { before: passed.len(), end };
        }
        if word(at, 0) & !HEADER_BITS == &raw const *tables.constructor as usize {
            return Walked { before: passed.len(), end: vec![at] };
        }
        passed.push(at);
        assert!(passed.len() <= THUNKS, "the chain from {start:#x} goes on");
        at = word(at, 1) & !HEADER_BITS;
    }
}

struct Program<'a> {
    tables: &'a Tables,
    m: *mut Mutator,
    random: Random,
    /// Each thunk, then each constructor.
    roots: &'static [Cell<usize>; THUNKS + CONSTRUCTORS],
    values: Vec<Value>,
    /// Whether there is an object that stays though it is an indirection: a permanent one, or one that does not move.
    some_stay: bool,
}

impl Program<'_> {
    fn make(&mut self, number: usize) {
        let pinned = self.random.one_in(30);
        self.some_stay |= pinned;
        // SAFETY: the mutator is live, and the words are filled at once.
        unsafe {
            let at = if pinned {
                barrow_allocate_pinned(self.m, WORDS, 16, 0)
            } else {
                barrow_alloc_slow(self.m, WORDS)
            };
            assert!(!at.is_null());
            let table = if number < THUNKS { self.tables.thunk } else { self.tables.constructor };
            at.write(&raw const *table as usize);
            at.add(1).write(number);
            self.roots[number].set(at as usize);
        }
    }

    fn collect(&mut self, major: bool) {
        // SAFETY: the mutator is live.
        ok(unsafe { barrow_collect(self.m, major) });
    }

    /// Updates a thunk with another one, or with a constructor: so that most chains are long, and one in three leads into a ring.
    fn update(&mut self, number: usize) {
        let value = self.values[number];
        let other = match value {
            Value::Thunk(other) => self.roots[other].get(),
            Value::Constructor(other) => self.roots[THUNKS + other].get(),
        };
        let thunk = self.roots[number].get() as *mut _;
        // SAFETY: the mutator is live, and both are objects of its heap.
        unsafe {
            if self.random.one_in(60) {
                self.some_stay = true;
                ok(barrow_update_permanent(self.m, thunk, other as *mut _));
            } else {
                ok(twin::update(self.m, thunk, other as *mut _));
            }
        }
    }

    fn check(&self, major: bool, about: &str) {
        let mut seen: Vec<(End, Vec<usize>)> = Vec::new();
        for number in (0..THUNKS).filter(|&number| self.roots[number].get() != 0) {
            let expected = end_of(&self.values, number);
            let found = walk(self.tables, self.roots[number].get());
            let about =
                format!("{about}: {expected:?} from {number}, {} before {:x?}", found.before, found.end);
            if let End::Constructor(constructor) = expected {
                let at = found.end[0];
                assert_eq!(word(at, 0), &raw const *self.tables.constructor as usize, "{about}");
                assert_eq!(word(at, 1), THUNKS + constructor, "{about}");
            } else {
                assert_ne!(word(found.end[0], 0), &raw const *self.tables.constructor as usize, "{about}");
            }
            if major && !self.some_stay {
                assert_eq!((found.before, found.end.len()), (0, 1), "{about}");
            }
            for (other, addresses) in &seen {
                assert_eq!(
                    *other == expected,
                    *addresses == found.end,
                    "{about}, and {other:?}: {addresses:x?}"
                );
            }
            seen.push((expected, found.end));
        }
    }
}

fn program(tables: &Tables, flags: &str, seed: u64) {
    let (heap, m) = heap(flags);
    let mut random = Random::new(seed);
    // No thunk may be its own value.
    let values = (0..THUNKS)
        .map(|number| match random.one_in(12) {
            true => Value::Constructor(random.below(CONSTRUCTORS)),
            false => Value::Thunk((number + 1 + random.below(THUNKS - 1)) % THUNKS),
        })
        .collect();
    let roots: &'static [Cell<usize>; _] =
        Box::leak(Box::new([const { Cell::new(0) }; THUNKS + CONSTRUCTORS]));
    let mut program = Program { tables, m, random, roots, values, some_stay: false };
    // SAFETY: the heap is live, and the roots live longer.
    unsafe {
        let slots = roots.as_ptr().cast_mut().cast();
        ok(barrow_root_add(heap, null(), slots, THUNKS + CONSTRUCTORS, false));
    }
    let mut order: Vec<usize> = (0..THUNKS + CONSTRUCTORS).collect();
    for last in (1..order.len()).rev() {
        order.swap(last, program.random.below(last + 1));
    }
    // Objects come to all generations before they are updated.
    for &number in &order {
        program.make(number);
        if program.random.one_in(16) {
            let major = program.random.one_in(4);
            program.collect(major);
        }
    }
    for number in 0..THUNKS {
        program.update(number);
    }
    // Most chains are entered from outside alone.
    for root in &roots[..THUNKS] {
        if !program.random.one_in(3) {
            root.set(0);
        }
    }
    for round in 0..5 {
        let major = program.random.one_in(3) || round == 4;
        program.collect(major);
        program.check(major, &format!("seed {seed}, {flags}, round {round}"));
    }
    // SAFETY: the heap is live, and nothing of it is used afterwards.
    unsafe {
        ok(barrow_check(m));
        ok(barrow_heap_free(heap));
    }
}

#[test]
fn chains_lead_to_their_ends_or_into_their_rings() {
    let tables = Tables { constructor: info(Kind::Constr, 0, 1), thunk: info(Kind::Thunk, 0, 0) };
    for flags in HEAPS {
        for seed in 0..150 {
            program(&tables, flags, seed);
        }
    }
}
