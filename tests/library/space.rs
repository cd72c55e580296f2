//! Per-function space against a counted oracle: random programs whose every object, allocation and survival is known.

use super::heaps::{config, info, made, ok};
use barrow::ffi::alloc::{barrow_allocate, barrow_allocate_pinned, barrow_reserve_slow};
use barrow::ffi::barrier::barrow_shrink;
use barrow::ffi::collect::barrow_collect;
use barrow::ffi::config::Config;
use barrow::ffi::debug::barrow_check;
use barrow::ffi::heap::*;
use barrow::ffi::root::barrow_root_add;
use barrow::ffi::space::*;
use barrow::heap::object::info::{Info, Kind};
use barrow::heap::space::generation::Code;
use barrow::heap::{Mutator, Window};
use barrow::host::Host;
use barrow::runtime::hooks::{Event, EventKind};
use barrow::testkit::random::Random;
use barrow::testkit::twin;
use std::collections::BTreeMap;
use std::ffi::{CStr, c_char, c_void};

const SLOTS: usize = 300;
const COLUMNS: usize = 8;

#[derive(Default, Clone, Debug, PartialEq)]
struct Counts {
    words: u64,
    objects: u64,
    /// By generation: words, objects.
    copied: [(u64, u64); 8],
    /// By line and column: objects, bytes, overhead.
    kinds: BTreeMap<(usize, usize), (u64, u64, u64)>,
}

struct Object {
    function: usize,
    runs: Vec<u32>,
    words: usize,
    column: usize,
    payload: usize,
    generation: usize,
    /// Its kind was not counted yet.
    is_new: bool,
}

type Profile = (u32, BTreeMap<usize, Counts>);

struct Program {
    heap: *mut Host,
    m: *mut Mutator,
    collected: Box<Option<u32>>,
    roots: Box<[usize; SLOTS]>,
    objects: Vec<Option<Object>>,
    /// Dead ones, and those without a root, that were not looked at yet.
    lost: Vec<Object>,
    open: Vec<Profile>,
    suspended: u32,
    infos: BTreeMap<(u8, u32), &'static Info>,
    rounding: usize,
    unprofiled: u64,
}

unsafe extern "C" fn told(client: *mut c_void, event: *const Event) {
    // SAFETY: the client's pointer is the program's cell, the event lives during the call.
    unsafe {
        if (*event).kind == EventKind::CollectionEnds {
            let collected = &mut *client.cast::<Option<u32>>();
            *collected = (*collected).max(Some((*event).generation));
        }
    }
}

unsafe extern "C" fn manner_of(_: *mut c_void, function: *mut c_void, _: *mut c_void) -> u32 {
    if function as usize == 64 * 5 { 0 } else { 3 }
}

unsafe extern "C" fn name_of(_: *mut c_void, function: *mut c_void) -> *const c_char {
    const NAMES: [&CStr; 6] = [c"", c"one", c"two", c"three", c"four", c"five"];
    NAMES[function as usize / 64].as_ptr()
}

impl Program {
    fn new(flags: &str, alignment: usize) -> Program {
        let mut collected = Box::new(None);
        let config = Config {
            object_alignment: alignment as u16,
            event: Some(told),
            client: (&raw mut *collected).cast(),
            ..config()
        };
        let (heap, m) = made(config, flags).unwrap();
        let mut roots = Box::new([0; SLOTS]);
        // SAFETY: the roots live as long as the heap.
        ok(unsafe { barrow_root_add(heap, std::ptr::null(), (&raw mut *roots).cast(), SLOTS, false) });
        Program {
            heap,
            m,
            collected,
            roots,
            objects: (0..SLOTS).map(|_| None).collect(),
            lost: Vec::new(),
            open: Vec::new(),
            suspended: 0,
            infos: BTreeMap::new(),
            rounding: alignment / 8 - 1,
            unprofiled: 0,
        }
    }

    fn window(&mut self) -> &mut Window {
        // SAFETY: the mutator is live and ours.
        unsafe { &mut (*self.m).window }
    }

    fn counts(&self) -> bool {
        self.suspended == 0 && !self.open.is_empty()
    }

    /// Writes an object of some kind that takes `words` words, and says what it is.
    fn fill(&mut self, at: *mut usize, words: usize, function: usize, random: &mut Random) -> Object {
        let asked = if self.rounding == 1 && words > 3 && random.below(2) == 0 { words - 1 } else { words };
        let (kind, fixed, column, payload) = match random.below(5) {
            4 if words > 2 => (Kind::WeakArray, 0, 7, (asked - 3) * 8),
            0 if words > 2 => {
                (Kind::Bytes, 0, 5, (asked - 2) * 8 - if asked > 2 { random.below(8) } else { 0 })
            }
            1 => (Kind::Constr, asked - 1, if asked == 3 { 1 } else { 0 }, (asked - 1) * 8),
            2 if (3..10).contains(&words) => (Kind::Array, 0, 4, (asked - 2) * 8),
            _ => (Kind::Constr, asked - 1, if asked == 3 { 1 } else { 0 }, (asked - 1) * 8),
        };
        let table =
            *self.infos.entry((kind as u8, fixed as u32)).or_insert_with(|| info(kind, 0, fixed as u32));
        // SAFETY: the words are ours.
        unsafe {
            at.write_bytes(0, words);
            at.write(&raw const *table as usize);
            match kind {
                Kind::Bytes => at.add(1).write(payload),
                // What they refer to is only kept by the roots, and may be lost before them.
                Kind::WeakArray => {
                    at.add(1).write(payload / 8);
                    for element in 0..payload / 8 {
                        at.add(3 + element).write(self.roots[random.below(SLOTS)]);
                    }
                }
                Kind::Array => at.add(1).write(payload / 8),
                _ => {}
            }
        }
        let runs = self.open.iter().map(|(id, _)| *id).collect();
        let runs = if self.counts() { runs } else { Vec::new() };
        // A pinned object may be made in an old block.
        // SAFETY: the heap is live.
        let code = unsafe { Code((*self.heap).runtime.store.codes.at(at as usize)) };
        Object {
            function,
            runs,
            words,
            column,
            payload,
            generation: code.generation() as usize,
            is_new: true,
        }
    }

    fn booked(&mut self, function: usize, words: usize, objects: u64) {
        if !self.counts() {
            return;
        }
        if function == 5 {
            self.unprofiled += words as u64;
        }
        for (_, counts) in &mut self.open {
            let counts = counts.entry(function).or_default();
            counts.words += words as u64;
            counts.objects += objects;
        }
    }

    fn place(&mut self, at: *mut usize, object: Object, random: &mut Random) {
        let slot = random.below(SLOTS);
        self.roots[slot] = at as usize;
        let before = self.objects[slot].replace(object);
        self.lost.extend(before);
    }

    fn make(&mut self, random: &mut Random) {
        let function = 1 + random.below(5);
        self.window().function = (function * 64) as *mut c_void;
        let words = match random.below(20) {
            0 => 600 + random.below(3000),
            1..4 => 20 + random.below(100),
            _ => 2 + random.below(8),
        };
        let words = (words + self.rounding) & !self.rounding;
        // SAFETY: the mutator is live, and what lives is in the roots.
        let at = unsafe {
            match random.below(10) {
                0 => barrow_allocate(self.m, words),
                1 => barrow_allocate_pinned(self.m, words, 8 << self.rounding, 0),
                2 if words < 50 => return self.make_several(function, random),
                _ => {
                    let tries = random.below(3) != 0;
                    let at = if tries { twin::try_alloc(self.m, words) } else { std::ptr::null_mut() };
                    if at.is_null() { twin::alloc(self.m, words) } else { at }
                }
            }
        };
        assert!(!at.is_null());
        self.settle();
        let mut object = self.fill(at, words, function, random);
        self.booked(function, words, 1);
        if object.column == 5 && random.below(3) == 0 {
            let length = object.payload / 2;
            // SAFETY: the object is whole.
            ok(unsafe { barrow_shrink(self.m, at.cast(), length) });
            object.payload = length;
            object.words = (2 + length.div_ceil(8) + self.rounding) & !self.rounding;
        }
        self.place(at, object, random);
    }

    fn make_several(&mut self, function: usize, random: &mut Random) {
        let room = 200;
        // SAFETY: as above.
        assert!(unsafe { barrow_reserve_slow(self.m, room) });
        self.settle();
        let mut used = 0;
        for _ in 0..random.below(12) {
            let words = (2 + random.below(9) + self.rounding) & !self.rounding;
            let at = self.window().hp;
            // SAFETY: so many words are reserved.
            self.window().hp = unsafe { at.add(words) };
            let object = self.fill(at, words, function, random);
            used += words;
            self.place(at, object, random);
            self.booked(function, words, 1);
        }
        assert!(used <= room);
    }

    /// Counts kinds of what is new.
    fn look(&mut self) {
        let open = &mut self.open;
        for object in self.lost.iter_mut().chain(self.objects.iter_mut().flatten()).filter(|o| o.is_new) {
            object.is_new = false;
            add_kind(open, object, 0);
        }
        self.lost.clear();
    }

    /// A collection has run, perhaps.
    fn settle(&mut self) {
        let Some(collected) = self.collected.take() else { return };
        // Allocation may make the program collect twice; each object then has a generation that we cannot know.
        self.look();
        for slot in 0..SLOTS {
            let Some(object) = &mut self.objects[slot] else { continue };
            // SAFETY: the heap is live.
            let code = unsafe { Code((*self.heap).runtime.store.codes.at(self.roots[slot])) };
            let before = object.generation;
            object.generation = code.generation() as usize;
            if before > collected as usize || self.suspended > 0 {
                continue;
            }
            for (id, counts) in &mut self.open {
                if object.runs.contains(id) {
                    let counts = counts.entry(object.function).or_default();
                    counts.copied[before].0 += object.words as u64;
                    counts.copied[before].1 += 1;
                }
            }
            add_kind(&mut self.open, object, before + 1);
        }
    }

    fn collect(&mut self, major: bool) {
        // SAFETY: the mutator is live, what lives is in the roots.
        ok(unsafe { barrow_collect(self.m, major) });
        self.settle();
    }

    fn begin(&mut self) {
        let options = SpaceWish {
            size: size_of::<SpaceWish>() as u32,
            manner: 3,
            manner_of: Some(manner_of),
            column_of: None,
            name_of: Some(name_of),
            client: std::ptr::null_mut(),
            live: 1,
            reserved: 0,
            limit_bytes: 0,
            points_bytes: 0,
            tick_us: 0,
            depth: 0,
            walk: None,
            walk_tells_code: 0,
            reserved2: 0,
        };
        let mut id = 0;
        // SAFETY: as above.
        ok(unsafe { barrow_space_begin(self.m, &options, &mut id) });
        self.settle();
        self.open.push((id, BTreeMap::new()));
    }

    fn end(&mut self) {
        self.look();
        let (id, expected) = self.open.pop().unwrap();
        // SAFETY: as above.
        unsafe {
            ok(barrow_space_end(self.m, id));
            let mut totals = SpaceTotals { size: size_of::<SpaceTotals>() as u32, ..SpaceTotals::default() };
            ok(barrow_space_totals(self.heap, &mut totals));
            assert_eq!(totals.complete, 1);
            let (mut found, mut sum) = (BTreeMap::new(), 0);
            for index in 0..totals.functions as usize {
                let mut function =
                    SpaceFunction { size: size_of::<SpaceFunction>() as u32, ..SpaceFunction::default() };
                let mut name = [0; 64];
                ok(barrow_space_function(self.heap, index, &mut function, name.as_mut_ptr(), 64));
                let number = function.word / 64;
                let name = CStr::from_ptr(name.as_ptr());
                assert_eq!(name, CStr::from_ptr(name_of(std::ptr::null_mut(), function.word as *mut _)));
                sum += function.allocated_bytes;
                found.insert(number, self.found(index, &function));
            }
            assert_eq!(sum, totals.allocated_bytes);
            let profiled = |number: &usize| *number != 5;
            let expected: BTreeMap<_, _> =
                expected.into_iter().filter(|(n, c)| profiled(n) && *c != Counts::default()).collect();
            let found: BTreeMap<_, _> = found.into_iter().filter(|(_, c)| *c != Counts::default()).collect();
            assert_eq!(found, expected);
        }
    }

    unsafe fn found(&self, index: usize, function: &SpaceFunction) -> Counts {
        let mut counts = Counts {
            words: function.allocated_bytes / 8,
            objects: function.allocated_objects,
            ..Counts::default()
        };
        for generation in 0..8 {
            counts.copied[generation] =
                (function.copied_bytes_from[generation] / 8, function.copied_objects_from[generation]);
        }
        // SAFETY: the heap is live.
        unsafe {
            for line in 0..1 + (*self.heap).runtime.store.generation_count {
                for column in 0..COLUMNS {
                    let mut kind = SpaceKind { size: size_of::<SpaceKind>() as u32, ..SpaceKind::default() };
                    ok(barrow_space_kind(self.heap, index, line, column, &mut kind));
                    if kind.objects > 0 {
                        counts.kinds.insert((line, column), (kind.objects, kind.bytes, kind.overhead));
                    }
                }
            }
        }
        counts
    }
}

fn add_kind(open: &mut [Profile], object: &Object, line: usize) {
    for (id, counts) in open {
        if object.runs.contains(id) {
            let counts = counts.entry(object.function).or_default();
            let bytes = object.words as u64 * 8;
            let sum = counts.kinds.entry((line, object.column)).or_default();
            *sum = (sum.0 + 1, sum.1 + bytes, sum.2 + bytes - object.payload as u64);
        }
    }
}

fn run(seed: u64) {
    let mut random = Random::new(seed);
    // A nursery that is never full: collections come when they are asked for.
    let flags = ["-A16m", "-A16m -G3 -T3", "-A16m -G1", "-A16m -DS", "-A16m --source=chunks -G4"];
    let alignment = 8 << random.below(2);
    let mut program = Program::new(flags[random.below(flags.len())], alignment);
    for _ in 0..1500 {
        match random.below(200) {
            0..2 if program.open.len() < 3 && program.suspended == 0 => program.begin(),
            2 if !program.open.is_empty() && program.suspended == 0 => program.end(),
            3..5 if !program.open.is_empty() && program.suspended < 2 => {
                // SAFETY: the mutator is live.
                ok(unsafe { barrow_space_suspend(program.m) });
                program.suspended += 1;
            }
            5..10 if program.suspended > 0 => {
                // SAFETY: as above.
                ok(unsafe { barrow_space_resume(program.m) });
                program.suspended -= 1;
            }
            10..14 => program.collect(false),
            14..16 => program.collect(true),
            16 => {
                // SAFETY: as above.
                ok(unsafe { barrow_check(program.m) });
                program.settle();
            }
            _ => program.make(&mut random),
        }
    }
    program.collect(false);
    program.collect(true);
    while program.suspended > 0 {
        // SAFETY: as above.
        ok(unsafe { barrow_space_resume(program.m) });
        program.suspended -= 1;
    }
    while !program.open.is_empty() {
        program.end();
    }
    // SAFETY: nothing of the heap is used afterwards.
    ok(unsafe { barrow_heap_free(program.heap) });
}

#[test]
fn random_programs_count_as_the_oracle_does() {
    let count = std::env::var("BARROW_PROGRAMS").ok().and_then(|text| text.parse().ok()).unwrap_or(60);
    for seed in 0..count {
        println!("seed {seed}");
        run(seed);
    }
}
