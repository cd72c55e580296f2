//! Tests of samples: estimates lie where the number of samples allows, and dead objects are in use no more.

use crate::base::size::{LARGE_OBJECT_WORDS, MAX_INLINE_WORDS};
use crate::base::{Addr, Failure, Status};
use crate::heap::Mutator;
use crate::heap::object::info::{Info, Kind};
use crate::heap::root::stable::Handle;
use crate::host::Host;
use crate::host::foreign::{come_back, leave_for_foreign};
use crate::host::plain::{bare, plain};
use crate::host::still::Inside;
use crate::profile::samples::row::Sum;
use crate::runtime::collect::Reason;
use crate::runtime::slot::Slot;

/// Types by their size in words: small ones, and one beyond the nursery.
static INFOS: [Info; SITES] = [
    Info::plain(Kind::Constr, 1, 1),
    Info::plain(Kind::Constr, 1, 6),
    Info::plain(Kind::Constr, 1, 40),
    Info::plain(Kind::Constr, 1, 200),
    Info::plain(Kind::Constr, 1, LARGE_OBJECT_WORDS as u32),
];
static THUNK: Info = Info::plain(Kind::Thunk, 0, 2);
static BYTES: Info = Info::plain(Kind::Bytes, 0, 0);
const SITES: usize = 5;
/// Samples that each type is to have, about.
const WANTED: usize = 100;
const EVERY: usize = 8192;

struct Program {
    heap: Slot<Host>,
    m: *mut Mutator,
    random: u64,
}

impl Program {
    fn new(flags: &str, seed: u64) -> Program {
        let (heap, m) = plain(&format!("{flags} --seed={seed}"));
        Program { heap, m, random: seed }
    }

    fn random(&mut self) -> u64 {
        self.random = self.random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        self.random >> 33
    }

    /// An object as compiled code makes it: in line while there is room, else in the slow path.
    fn make(&mut self, which: usize, by_call: bool, field: Addr) -> Addr {
        let info = &INFOS[which];
        let words = (info.ptrs + info.words) as usize + 1;
        // SAFETY: the mutator lives as long as the heap, and this is its thread.
        let m = unsafe { &mut *self.m };
        let end = m.hp().plus_words(words);
        let at = if by_call {
            self.heap.allocate(self.m, words, 0).unwrap()
        } else if words <= MAX_INLINE_WORDS && end <= Addr(m.window.hp_lim as usize) {
            let at = m.hp();
            m.window.hp = end.as_ptr();
            at
        } else {
            self.heap.allocate_in_nursery(self.m, words, 0).unwrap()
        };
        // SAFETY: the words were just allocated.
        unsafe {
            at.store(&raw const *info as usize);
            at.plus_words(1).store(field.0);
            (2..words).for_each(|i| at.plus_words(i).store(0));
        }
        at
    }

    /// The sums of each type, allocated and alive.
    fn sums(&mut self) -> [(Sum, Sum); SITES] {
        let m = self.m;
        let Host { runtime, profilers, .. } = &mut *self.heap;
        // SAFETY: as in `make`.
        profilers.samples.take(runtime, Some(unsafe { &mut *m }));
        let sampler = profilers.samples.running.as_mut().unwrap();
        sampler.settle(&runtime.store);
        std::array::from_fn(|which| {
            let (mut allocated, mut live) = (Sum::default(), Sum::default());
            for row in sampler.rows.all.iter().filter(|row| row.key.info == INFOS[which].number()) {
                allocated.objects += row.allocated.objects;
                allocated.bytes += row.allocated.bytes;
                live.objects += row.live.objects;
                live.bytes += row.live.bytes;
            }
            (allocated, live)
        })
    }
}

/// The share of estimates within 1.96 standard deviations, which the number of samples allows: 95 in 100.
#[test]
fn estimates_lie_where_their_samples_allow() {
    let (mut within, mut all) = (0, 0);
    let mut most = 0f64;
    let mut sums = [0f64; SITES];
    for seed in 1..=60 {
        let by_calls = seed % 3 == 0;
        let mut program = Program::new(&format!("-A1m --sample-every={EVERY}"), seed);
        let mut made = [0usize; SITES];
        let goal = INFOS
            .each_ref()
            .map(|info| WANTED * EVERY / ((info.ptrs + info.words + 1) as usize * 8).min(EVERY));
        while (0..SITES).any(|which| made[which] < goal[which]) {
            let which = program.random() as usize % SITES;
            let burst = 1 + program.random() as usize % (goal[which] / 20 + 1);
            for _ in 0..burst.min(goal[which] - made[which].min(goal[which])) {
                program.make(which, by_calls, Addr::NULL);
                made[which] += 1;
            }
        }
        for (which, (allocated, _)) in program.sums().into_iter().enumerate() {
            let bytes = (INFOS[which].ptrs + INFOS[which].words + 1) as f64 * 8.0;
            let chance = 1.0 - (-bytes / EVERY as f64).exp();
            let deviation = (made[which] as f64 * (1.0 - chance) / chance).sqrt();
            let off = (allocated.objects - made[which] as f64) / deviation.max(0.5);
            most = most.max(off.abs());
            sums[which] += off;
            within += (off.abs() <= 1.96) as usize;
            all += 1;
            assert!((allocated.bytes - allocated.objects * bytes).abs() < 1.0 + allocated.bytes / 1e9);
        }
    }
    // 95 in 100 of 300, give or take three deviations of that.
    assert!(within * 1000 >= all * 912, "{within} of {all}, the worst {most} deviations off, {sums:?}");
    assert!(most < 5.0, "{most}");
    // Nothing leans to one side: the sum of 60 deviations has one of 7.7.
    assert!(sums.iter().all(|sum| sum.abs() < 31.0), "{sums:?}");
}

/// The slow path is entered where a point is, and may collect there: the point goes along, though it is the very next word.
#[test]
fn a_point_is_kept_by_a_collection_in_front_of_it() {
    const MADE: usize = 200_000;
    let mut program = Program::new("-A64k --sample-every=2k --stress=1", 1);
    for _ in 0..MADE {
        program.make(0, false, Addr::NULL);
    }
    // Some 2,300 samples, whose number has a deviation of two in a hundred; a third of the points are the next word.
    let (allocated, _) = program.sums()[0];
    assert!((allocated.objects / MADE as f64 - 1.0).abs() < 0.1, "{allocated:?}");
}

#[test]
fn what_dies_is_in_use_no_more() {
    for flags in
        ["-DS -A256k", "-DS -A256k -c", "-DS -A256k -G3 -T2", "-DS -A256k -G1", "-DS -A256k --source=chunks"]
    {
        let mut program = Program::new(&format!("{flags} --sample-every=2k"), 3);
        let mut lists = [Addr::NULL; 2];
        let mut handles: [*mut Handle; 2] = [std::ptr::null_mut(); 2];
        for round in 0..20 {
            for number in 0..300 {
                lists[number % 2] = program.make(number % 2, round % 2 == 0, lists[number % 2]);
            }
            for which in 0..2 {
                if !handles[which].is_null() {
                    let index = program.heap.store.stable.find(handles[which]).unwrap();
                    program.heap.store.stable.free(index);
                }
                handles[which] = program.heap.store.stable.make(lists[which].0).unwrap();
            }
            let reason = if round % 3 == 0 { Reason::Major } else { Reason::Minor };
            let m = program.m;
            program.heap.collect_for(m, reason).unwrap();
            for which in 0..2 {
                // SAFETY: the handle is live.
                lists[which] = Addr(unsafe { (*handles[which]).object });
            }
        }
        let before = program.sums();
        for (allocated, live) in &before[..2] {
            assert!(
                live.objects > 1000.0 && (live.objects - allocated.objects).abs() < 1e-6,
                "{flags}: {live:?}, {allocated:?}"
            );
        }
        let index = program.heap.store.stable.find(handles[0]).unwrap();
        program.heap.store.stable.free(index);
        let m = program.m;
        program.heap.collect_for(m, Reason::Major).unwrap();
        let after = program.sums();
        assert_eq!(after[0].1.objects, 0.0, "{flags}");
        assert_eq!(after[0].0.objects, before[0].0.objects, "{flags}");
        assert_eq!(after[1].1.objects, before[1].1.objects, "{flags}");
    }
}

/// Sampling at the default distance takes less than a megabyte for 4 GB that are alive: as many samples as here, where they are
/// 64 times as near to each other, in 64 MB of objects.
#[test]
fn memory_is_small() {
    let mut program = Program::new("-A4m --sample-every=8k", 1);
    let mut handle: *mut Handle = std::ptr::null_mut();
    for _ in 0..40_000 {
        let m = program.m;
        if handle.is_null() || program.heap.wants_collection() {
            program.heap.collect_for(m, Reason::Minor).unwrap();
        }
        // SAFETY: the handle is live, or none.
        let list = if handle.is_null() { Addr::NULL } else { Addr(unsafe { (*handle).object }) };
        let made = program.make(3, true, list);
        if !handle.is_null() {
            let index = program.heap.store.stable.find(handle).unwrap();
            program.heap.store.stable.free(index);
        }
        handle = program.heap.store.stable.make(made.0).unwrap();
    }
    let (_, live) = program.sums()[3];
    assert!((live.objects - 40_000.0).abs() < 1_000.0, "{live:?}");
    let held = program.heap.profilers.samples.running.as_ref().unwrap().held_bytes();
    let names = program.heap.store.sampled.held_bytes();
    println!("{held} bytes of the sampler, {names} of the table of sampled objects");
    assert!(held + names < 1 << 20, "{held}, {names}");
}

/// A heap that has gone has not refused to go, and samples that have ended are no wrong flag.
#[test]
fn samples_that_ended_for_want_of_memory_are_told_as_that() {
    let (mut heap, m) = plain("--samples=/dev/null");
    heap.profilers.samples.end(&Failure::new(Status::NoMemory, format_args!("in a test")));
    assert_eq!(heap.write_samples(m, b"/dev/null").unwrap_err().status, Status::NoMemory);
    assert_eq!(Host::end(heap).unwrap_err().status, Status::NoMemory);
    let (mut heap, m) = plain("");
    assert_eq!(heap.write_samples(m, b"/dev/null").unwrap_err().status, Status::State);
}

impl Program {
    /// Fills words of the area, whose objects begin where a header is given, and makes them the program's.
    fn fill(&mut self, at: Addr, words: usize, headers: &[(usize, &'static Info)]) -> Addr {
        // SAFETY: as in `make`: the words are there.
        unsafe {
            (0..words).for_each(|i| at.plus_words(i).store(41));
            headers.iter().for_each(|&(i, info)| at.plus_words(i).store(std::ptr::from_ref(info) as usize));
            (*self.m).window.hp = at.plus_words(words).as_ptr();
        }
        at
    }

    fn thunk(&mut self) -> Addr {
        // SAFETY: as in `make`.
        let window = unsafe { &mut (*self.m).window };
        let (at, m) = (Addr(window.hp as usize), self.m);
        let fits = at.plus_words(4) <= Addr(window.hp_lim as usize);
        let at = if fits { at } else { self.heap.allocate_in_nursery(m, 4, 0).unwrap() };
        self.fill(at, 4, &[(0, &THUNK)])
    }

    /// As `barrow_update` does in line.
    fn update(&mut self, thunk: Addr, value: Addr) {
        // SAFETY: as in `make`.
        unsafe {
            thunk.store((*self.m).window.ind as usize);
            thunk.plus_words(1).store(value.0);
        }
    }

    /// The objects of a type for which samples stand, with updated thunks, and their bytes, where each is one of these types.
    fn sampled(&mut self, which: &Info) -> (f64, f64) {
        self.sums();
        // SAFETY: as in `make`.
        let ind = unsafe { (*(*self.m).window.ind).number() };
        let sampler = self.heap.profilers.samples.running.as_ref().unwrap();
        sampler.rows.all.iter().fold((0.0, 0.0), |sum, row| {
            let updated = row.key.info == ind;
            let known = [&INFOS[0], &THUNK, &BYTES].iter().any(|info| info.number() == row.key.info);
            assert!(known || updated, "{:?}", row.key);
            let counts = row.key.info == if updated { ind } else { which.number() };
            let Sum { objects, bytes } = if counts { row.allocated } else { Sum::default() };
            (sum.0 + objects, sum.1 + bytes)
        })
    }
}

const THUNKS: usize = 20_000;

fn is_about(found: f64, wanted: usize) -> bool {
    (found / wanted as f64 - 1.0).abs() < 0.15
}

#[test]
fn a_thunk_that_is_updated_has_the_size_that_it_was_made_with() {
    let mut program = Program::new("-A1m --sample-every=512", 5);
    let mut before = program.thunk();
    for _ in 0..THUNKS {
        let thunk = program.thunk();
        program.update(before, thunk);
        before = thunk;
    }
    let (objects, bytes) = program.sampled(&THUNK);
    assert!(is_about(objects, THUNKS) && (bytes / objects - 32.0).abs() < 0.01, "{objects}, {bytes}");
}

#[test]
fn an_object_that_is_made_smaller_at_once_has_the_size_that_it_was_made_with() {
    let mut program = Program::new("-A4m --sample-every=512", 5);
    let m = program.m;
    for _ in 0..THUNKS {
        let at = program.heap.allocate_in_nursery(m, 14, 0).unwrap();
        program.fill(at, 14, &[(0, &BYTES)]);
        // SAFETY: as in `make`.
        unsafe { at.plus_words(1).store(12 * 8) };
        program.heap.shrink(at, 1).unwrap();
    }
    let (objects, bytes) = program.sampled(&BYTES);
    assert!(is_about(objects, THUNKS) && (bytes / objects - 112.0).abs() < 0.01, "{objects}, {bytes}");
}

#[test]
fn objects_behind_one_that_was_made_smaller_are_found() {
    let mut program = Program::new("-A4m --sample-every=512", 5);
    let m = program.m;
    for _ in 0..THUNKS {
        let at = program.heap.reserve(m, 18, 0).unwrap();
        program.fill(at, 18, &[(0, &BYTES), (14, &THUNK)]);
        // SAFETY: as in `make`.
        unsafe { at.plus_words(1).store(12 * 8) };
        program.heap.shrink(at, 1).unwrap();
    }
    let (objects, _) = program.sampled(&THUNK);
    assert!(is_about(objects, THUNKS), "{objects}");
}

#[test]
fn objects_behind_an_updated_thunk_of_the_same_reservation_are_not_made_up() {
    let mut program = Program::new("-A4m --sample-every=512", 5);
    let m = program.m;
    for _ in 0..THUNKS {
        let at = program.heap.reserve(m, 8, 0).unwrap();
        program.fill(at, 8, &[(0, &THUNK), (4, &THUNK)]);
        program.update(at, at.plus_words(4));
    }
    assert_eq!(program.sampled(&THUNK), (0.0, 0.0));
}

/// Words that are reserved and not used are others' later on.
#[test]
fn points_in_words_that_were_not_used_are_those_of_the_next_object() {
    let mut program = Program::new("-A4m --sample-every=512", 5);
    let m = program.m;
    for _ in 0..THUNKS {
        let at = program.heap.reserve(m, 100, 0x1000).unwrap();
        program.fill(at, 4, &[(0, &THUNK)]);
        let at = program.heap.allocate_in_nursery(m, 14, 0x2000).unwrap();
        program.fill(at, 14, &[(0, &BYTES)]);
        // SAFETY: as in `make`.
        unsafe { at.plus_words(1).store(12 * 8) };
    }
    let thunks = program.sampled(&THUNK);
    let bytes = program.sampled(&BYTES);
    assert!(is_about(thunks.0, THUNKS) && is_about(bytes.0, THUNKS), "{thunks:?}, {bytes:?}");
    let sampler = program.heap.profilers.samples.running.as_ref().unwrap();
    for row in sampler.rows.all.iter() {
        let wanted = if row.key.info == THUNK.number() { 0x1000 } else { 0x2000 };
        assert_eq!(sampler.stacks.stack(row.key.stack), [wanted], "{:?}", row.key);
    }
}

/// Words that a mutator has reserved, and has not used when it goes or is stopped, are others', with the points in them.
#[test]
fn what_a_mutator_leaves_unused_is_not_its_own() {
    for is_stopped in [false, true] {
        let mut heap = bare("--mutators=2 -A64k --sample-every=512");
        let host = &raw mut *heap as usize;
        // SAFETY: the heap lives until all is done.
        let enter = move || unsafe { Inside::enter(host as *mut Host, std::ptr::null_mut()) };
        let leave_unused = move || {
            let m = enter().attach().unwrap();
            enter().reserve(m, 500, 0x1000).unwrap();
            m
        };
        let fill = move |m| {
            enter().stop_others(m);
            for _ in 0..1000 {
                let at = enter().allocate_in_nursery(m, 4, 0x2000).unwrap();
                // SAFETY: the words were just allocated.
                unsafe {
                    at.store(&raw const THUNK as usize);
                    (1..4).for_each(|i| at.plus_words(i).store(0));
                }
            }
            enter().collect_for(m, Reason::Minor).unwrap();
        };
        if is_stopped {
            let first = leave_unused();
            // SAFETY: this thread's mutator, which is live.
            unsafe { leave_for_foreign(first).unwrap() };
            std::thread::spawn(move || {
                let m = enter().attach().unwrap();
                fill(m);
                enter().detach(m).unwrap();
            })
            .join()
            .unwrap();
            // SAFETY: as above.
            unsafe { come_back(first).unwrap() };
        } else {
            // This mutator stays, so that the other one has another place, and does not keep that one waiting.
            let m = enter().attach().unwrap();
            // SAFETY: this thread's mutator, which is live.
            unsafe { leave_for_foreign(m).unwrap() };
            std::thread::spawn(move || enter().detach(leave_unused()).unwrap()).join().unwrap();
            // SAFETY: as above.
            unsafe { come_back(m).unwrap() };
            fill(m);
        }
        let sampler = heap.profilers.samples.running.as_ref().unwrap();
        let rows = &sampler.rows.all;
        let sites = rows.iter().map(|row| sampler.stacks.stack(row.key.stack)).collect::<Vec<_>>();
        assert!(!sites.is_empty() && sites.iter().all(|site| *site == [0x2000]), "{is_stopped}: {sites:x?}");
        Host::end(heap).unwrap();
    }
}

/// A thunk whose value is no object of the heap is gone when a collection has removed it.
#[test]
fn a_thunk_whose_value_is_elsewhere_is_in_use_no_more() {
    static ELSEWHERE: [usize; 2] = [0; 2];
    for value in [Addr::NULL, Addr((&raw const ELSEWHERE) as usize)] {
        for reason in [Reason::Minor, Reason::Major] {
            let mut program = Program::new("-A1m --sample-every=16", 5);
            let m = program.m;
            for _ in 0..10 {
                let thunk = program.thunk();
                program.heap.store.stable.make(thunk.0).unwrap();
                program.update(thunk, value);
            }
            program.heap.collect_for(m, reason).unwrap();
            program.heap.store.sampled.check().unwrap();
            let (objects, _) = program.sampled(&THUNK);
            let rows = &program.heap.profilers.samples.running.as_ref().unwrap().rows;
            let live = rows.all.iter().map(|row| row.live.objects).sum::<f64>();
            assert!(objects > 5.0 && live == 0.0, "{objects}, {live}");
        }
    }
}
