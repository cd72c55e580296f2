//! Space by function with several mutators: reports have what mutators have done that have gone, and survive
//! attaches that fail; each tick belongs to the part of the run in which it was used.

use crate::base::fault;
use crate::base::{Addr, Status};
use crate::heap::Mutator;
use crate::heap::object::info::{Info, Kind};
use crate::heap::root::frame::Registered;
use crate::heap::space::side::Table;
use crate::host::Host;
use crate::host::plain::{bare, plain};
use crate::host::still::Inside;
use crate::identity::function::TickyFunction;
use crate::os::clock::ThreadClock;
use crate::profile::space::kinds::COLUMNS;
use crate::profile::space::ledger::Walk;
use crate::profile::space::ledger::manner::{MANNER_CALLS, MANNER_KINDS, MANNER_SPACE, MANNER_TIME};
use crate::profile::space::options::SpaceWish;
use crate::profile::space::time::Phase;

use crate::runtime::collect::Reason;
use crate::runtime::slot::Slot;
use std::ffi::c_void;
use std::path::PathBuf;
use std::sync::mpsc::channel;
use std::thread::spawn;

static CELL: Info = Info::plain(Kind::Constr, 0, 2);
static FUNCTION: u32 = 0;

/// The file of a test's report, which is not there.
fn place(name: &str) -> PathBuf {
    let file = std::env::temp_dir().join(format!("barrow-spaces-{}-{name}.json", std::process::id()));
    let _ = std::fs::remove_file(&file);
    file
}

/// The calling thread's stay in the heap at an address.
fn enter<'a>(host: usize) -> Inside<'a> {
    // SAFETY: tests wait for their threads before they end a heap.
    unsafe { Inside::enter(host as *mut Host, std::ptr::null_mut()) }
}

fn inside(heap: &mut Slot<Host>) -> Inside<'_> {
    enter(&raw mut **heap as usize)
}

/// Does something in a heap with a mutator of its own, from another thread, and detaches it.
fn on_a_visit(heap: &mut Slot<Host>, something: fn(&mut Host, *mut Mutator)) {
    let host = &raw mut **heap as usize;
    let thread = spawn(move || {
        let mut inside = enter(host);
        let m = inside.attach().unwrap();
        something(&mut inside, m);
        inside.detach(m).unwrap();
    });
    thread.join().unwrap();
}

fn make(heap: &mut Host, m: *mut Mutator, objects: usize) {
    // SAFETY: the mutator is live and this thread's.
    unsafe { (*m).window.function = (&raw const FUNCTION).cast_mut().cast() };
    for _ in 0..objects {
        let at = heap.allocate_in_nursery(m, 3, 0).unwrap();
        // SAFETY: the words were just allocated.
        unsafe {
            at.store(&raw const CELL as usize);
            Addr::store(at.plus_words(1), 0);
            Addr::store(at.plus_words(2), 0);
        }
    }
}

/// The number of objects that a report has by kind, and in all.
fn counted(report: &str) -> (u64, u64) {
    let number = |text: &str| text.split([',', '}']).next().unwrap().parse::<u64>().unwrap();
    let (_, kinds) = report.split_once("\"kinds\":[{").unwrap();
    let (first, _) = kinds.split_once('}').unwrap();
    let (_, total) = report.split_once("\"objects\":").unwrap();
    (first.split('[').skip(1).map(number).sum(), number(total))
}

#[test]
fn kinds_of_a_mutator_that_has_gone_are_counted_with_the_last() {
    let file = place("kinds");
    let mut heap = bare(&format!("--mutators=2 -A64m --space={}", file.display()));
    let m = inside(&mut heap).attach().unwrap();
    make(&mut inside(&mut heap), m, 10);
    let before = heap.stats.collections;
    on_a_visit(&mut heap, |heap, m| make(heap, m, 1000));
    assert_eq!(heap.stats.collections, before);
    Host::end(heap).unwrap();
    assert_eq!(counted(&std::fs::read_to_string(&file).unwrap()), (1010, 1010));
    std::fs::remove_file(file).unwrap();
}

#[test]
fn a_report_outlives_a_first_attach_that_fails() {
    for flags in ["--mutators=2", ""] {
        let mut failures = 0;
        loop {
            let file = place("attach");
            let mut heap = bare(&format!("{flags} --space={}", file.display()));
            fault::fail_after(failures);
            let first = inside(&mut heap).attach();
            fault::stop();
            let is_first = first.is_ok();
            let m = first.or_else(|_| inside(&mut heap).attach()).unwrap();
            make(&mut inside(&mut heap), m, 10);
            Host::end(heap).unwrap();
            let report = std::fs::read_to_string(&file).unwrap_or_default();
            assert!(!report.is_empty(), "{flags}: no report after {failures} requests");
            assert_eq!(counted(&report), (10, 10));
            std::fs::remove_file(file).unwrap();
            if is_first {
                break;
            }
            failures += 1;
        }
        assert!(failures > 3);
    }
}

/// The rows of a mutator that goes are lost without memory for those of the heap.
#[test]
fn calls_whose_counts_are_lost_are_few_and_said_to_be() {
    let mut heap = bare("--mutators=2 -A64k");
    let m = inside(&mut heap).attach().unwrap();
    let host = &raw mut *heap as usize;
    let (tell, told) = channel();
    let (go, may_go) = channel::<()>();
    let thread = spawn(move || {
        // Numbers of functions are the process's, so this lives as long.
        let function = Box::leak(Box::new(TickyFunction {
            size: size_of::<TickyFunction>() as u16,
            flags: 0,
            id: 0,
            arity: 0,
            reserved: 0,
            name: c"lost".as_ptr(),
            module: std::ptr::null(),
            arguments: std::ptr::null(),
            what: std::ptr::null(),
            parent: std::ptr::null(),
            code: (&raw const FUNCTION).cast(),
        }));
        let m = enter(host).attach().unwrap();
        // SAFETY: the function lives; the mutator is this thread's.
        unsafe { (*enter(host).function_row(m, function).unwrap()).entries += 5 };
        tell.send(()).unwrap();
        may_go.recv().unwrap();
        fault::fail_after(0);
        let gone = enter(host).detach(m);
        fault::stop();
        gone.unwrap();
    });
    told.recv().unwrap();
    let wish = SpaceWish { manner: MANNER_CALLS, ..SpaceWish::ALL_ZERO };
    let profile = inside(&mut heap).begin_space(m, wish.read().unwrap()).unwrap();
    go.send(()).unwrap();
    thread.join().unwrap();
    inside(&mut heap).end_space(m, profile).unwrap();
    let results = heap.profilers.space.last_results().unwrap();
    assert_eq!((results.total.calls, results.short_of_memory), (0, true));
    Host::end(heap).unwrap();
}

const TICK_US: u32 = 1000;
/// Ticks that a part of a test takes, and a bound for those that the rest of it takes.
const LONG: u64 = 60;
const SHORT: u64 = 30;

/// Uses so many ticks of CPU time.
fn compute(ticks: u64) {
    let clock = ThreadClock::mine();
    let end = clock.now().0 + ticks * TICK_US as u64 * 1000;
    while clock.now().0 < end {}
}

fn begin_timing(heap: &mut Host, m: *mut Mutator, walk: Option<Walk>) -> u32 {
    // SAFETY: the mutator is live and this thread's.
    unsafe { (*m).window.function = (&raw const FUNCTION).cast_mut().cast() };
    let wish = SpaceWish { manner: MANNER_TIME, tick_us: TICK_US, walk, ..SpaceWish::ALL_ZERO };
    heap.begin_space(m, wish.read().unwrap()).unwrap()
}

/// Ticks of functions, and lost ones.
fn end_timing(heap: &mut Host, m: *mut Mutator, profile: u32) -> (u64, u64) {
    heap.end_space(m, profile).unwrap();
    let results = heap.profilers.space.last_results().unwrap();
    (results.total.top, results.ticks_apart[2])
}

#[test]
fn time_of_a_suspension_is_nobodys() {
    let (mut heap, m) = plain("-A64k");
    let profile = begin_timing(&mut heap, m, None);
    compute(LONG);
    heap.suspend_space(m).unwrap();
    compute(3 * LONG);
    // A collection takes in what the clock has seen.
    heap.collect_for(m, Reason::Minor).unwrap();
    compute(3 * LONG);
    heap.resume_space(m).unwrap();
    let (ticks, _) = end_timing(&mut heap, m, profile);
    assert!((LONG - 1..LONG + SHORT).contains(&ticks), "{ticks}");
    Host::end(heap).unwrap();
}

#[test]
fn time_before_an_inner_profile_is_the_outer_ones() {
    let (mut heap, m) = plain("-A64k");
    let outer = begin_timing(&mut heap, m, None);
    compute(LONG);
    let inner = begin_timing(&mut heap, m, None);
    let (ticks, _) = end_timing(&mut heap, m, inner);
    assert!(ticks < SHORT, "{ticks}");
    let (ticks, _) = end_timing(&mut heap, m, outer);
    assert!(ticks >= LONG - 1, "{ticks}");
    Host::end(heap).unwrap();
}

unsafe extern "C" fn walk_nothing(_: *mut c_void, _: *mut Mutator, _: *mut *mut c_void, _: usize) -> usize {
    0
}

#[test]
fn time_of_stacks_that_are_not_walked_is_lost() {
    let mut heap = bare("--mutators=2 -A64k");
    let m = inside(&mut heap).attach().unwrap();
    let host = &raw mut *heap as usize;
    let profile = begin_timing(&mut inside(&mut heap), m, Some(walk_nothing));
    let (tell, told) = channel();
    let (go, may_go) = channel::<()>();
    let thread = spawn(move || {
        let m = enter(host).attach().unwrap();
        compute(LONG);
        tell.send(()).unwrap();
        may_go.recv().unwrap();
        enter(host).detach(m).unwrap();
    });
    told.recv().unwrap();
    let (ticks, lost) = end_timing(&mut inside(&mut heap), m, profile);
    assert!(ticks + lost >= LONG - 1, "{ticks} and {lost}");
    go.send(()).unwrap();
    thread.join().unwrap();
    Host::end(heap).unwrap();
}

fn begin(heap: &mut Host, m: *mut Mutator, manner: u32) -> u32 {
    let tick_us = if manner & MANNER_TIME != 0 { TICK_US } else { 0 };
    let wish = SpaceWish { manner, tick_us, ..SpaceWish::ALL_ZERO };
    heap.begin_space(m, wish.read().unwrap()).unwrap()
}

/// Objects that functions have made, those among them that are counted by kind, and those of nobody.
fn end(heap: &mut Host, m: *mut Mutator, profile: u32) -> [u64; 3] {
    heap.end_space(m, profile).unwrap();
    let results = heap.profilers.space.last_results().unwrap();
    let kinds = |index| results.cells_of(index)[..COLUMNS].iter().map(|cell| cell.objects).sum::<u64>();
    [
        results.total.allocated.objects,
        (0..results.functions.len()).map(kinds).sum(),
        results.unprofiled.objects,
    ]
}

#[test]
fn an_inner_profile_takes_nothing_from_the_outer_one() {
    let cases = [
        (MANNER_SPACE | MANNER_KINDS, MANNER_SPACE, [10, 10, 0], [10, 0, 0]),
        (MANNER_SPACE, MANNER_SPACE | MANNER_KINDS, [10, 0, 0], [10, 10, 0]),
        (MANNER_SPACE, MANNER_TIME, [10, 0, 0], [0, 0, 10]),
        (MANNER_TIME, MANNER_SPACE, [0, 0, 10], [10, 0, 0]),
    ];
    for (outer_manner, inner_manner, of_outer, of_inner) in cases {
        let (mut heap, m) = plain("-A64k");
        let outer = begin(&mut heap, m, outer_manner);
        let inner = begin(&mut heap, m, inner_manner);
        make(&mut heap, m, 10);
        assert_eq!(end(&mut heap, m, inner), of_inner, "{outer_manner} {inner_manner}");
        assert_eq!(end(&mut heap, m, outer), of_outer, "{outer_manner} {inner_manner}");
        Host::end(heap).unwrap();
    }
}

#[test]
fn a_profile_of_time_notes_no_objects_behind_an_inner_one() {
    let (mut heap, m) = plain("-A64k");
    let outer = begin(&mut heap, m, MANNER_TIME);
    for _ in 0..2 {
        let inner = begin(&mut heap, m, MANNER_SPACE | MANNER_KINDS);
        make(&mut heap, m, 10);
        assert_eq!(end(&mut heap, m, inner), [10, 10, 0]);
        assert!(!heap.store.side_table_is_on(Table::Producer) && !heap.profilers.space.counts());
        make(&mut heap, m, 10);
        heap.collect_for(m, Reason::Minor).unwrap();
    }
    assert_eq!(end(&mut heap, m, outer), [0, 0, 20]);
    Host::end(heap).unwrap();
}

#[test]
fn time_of_an_inner_profile_of_space_is_the_outer_ones() {
    let (mut heap, m) = plain("-A64k");
    let outer = begin_timing(&mut heap, m, None);
    let inner = begin(&mut heap, m, MANNER_SPACE);
    compute(LONG);
    assert_eq!(end_timing(&mut heap, m, inner).0, 0);
    let (ticks, _) = end_timing(&mut heap, m, outer);
    assert!(ticks >= LONG - 1, "{ticks}");
    Host::end(heap).unwrap();
}

#[test]
fn ticks_apart_are_those_of_the_profile_while_it_counts() {
    let (mut heap, m) = plain("-A64k");
    let outer = begin_timing(&mut heap, m, None);
    heap.time_is(Phase::Collection);
    compute(LONG);
    heap.suspend_space(m).unwrap();
    compute(3 * LONG);
    heap.resume_space(m).unwrap();
    let inner = begin_timing(&mut heap, m, None);
    heap.time_is(Phase::Program);
    let mut of = |profile| {
        heap.end_space(m, profile).unwrap();
        heap.profilers.space.last_results().unwrap().ticks_apart[0]
    };
    let (inner, outer) = (of(inner), of(outer));
    assert!(inner < SHORT && (LONG - 1..LONG + 2 * SHORT).contains(&outer), "{inner}, {outer}");
    Host::end(heap).unwrap();
}

#[test]
fn a_suspended_profiler_has_no_moments_and_no_time() {
    let (mut heap, m) = plain("-A64k");
    let wish = SpaceWish { manner: MANNER_SPACE | MANNER_KINDS, live: 1, ..SpaceWish::ALL_ZERO };
    let profile = heap.begin_space(m, wish.read().unwrap()).unwrap();
    make(&mut heap, m, 1000);
    heap.suspend_space(m).unwrap();
    let worked = |heap: &Host| heap.profilers.space.running.as_ref().unwrap().own_ns;
    let before = worked(&heap);
    heap.collect_for(m, Reason::Major).unwrap();
    assert_eq!(worked(&heap), before);
    let collections = heap.stats.collections;
    assert_eq!(heap.take_space_point(m).map_err(|failure| failure.status), Err(Status::State));
    assert_eq!(heap.stats.collections, collections);
    heap.resume_space(m).unwrap();
    heap.end_space(m, profile).unwrap();
    let results = heap.profilers.space.last_results().unwrap();
    assert_eq!((results.points.len(), results.maxima.len(), results.greatest.collection), (0, 0, 0));
    Host::end(heap).unwrap();
}

#[test]
fn live_data_are_recorded_no_more_behind_the_inner_profile_that_asked() {
    for outer_manner in [MANNER_SPACE, MANNER_TIME] {
        let (mut heap, m) = plain("-A64k");
        let outer = begin(&mut heap, m, outer_manner);
        let wish = SpaceWish { live: 1, ..SpaceWish::ALL_ZERO };
        let inner = heap.begin_space(m, wish.read().unwrap()).unwrap();
        make(&mut heap, m, 10);
        heap.collect_for(m, Reason::Major).unwrap();
        heap.end_space(m, inner).unwrap();
        assert_eq!(heap.profilers.space.last_results().unwrap().points.len(), 1);
        let inner_end = heap.stats.collections;
        make(&mut heap, m, 10);
        heap.collect_for(m, Reason::Major).unwrap();
        heap.end_space(m, outer).unwrap();
        let points = &heap.profilers.space.last_results().unwrap().points;
        assert!(points.iter().all(|point| point.collection <= inner_end), "{outer_manner}");
        Host::end(heap).unwrap();
    }
}

/// The program fills a pinned object whenever it likes: until then its words say nothing.
#[test]
fn a_pinned_object_that_is_not_filled_is_told_to_nobody() {
    let (mut heap, m) = plain("-A64k");
    let profile = begin(&mut heap, m, MANNER_SPACE | MANNER_KINDS);
    let at = heap.allocate_pinned(m, 3, (1, 0), 0).unwrap();
    let root = Box::new(at.0);
    let first = Addr(&raw const *root as usize);
    heap.store.registered.add(Registered { first, count: 1, tagged: false, name: std::ptr::null() }).unwrap();
    let copied = |heap: &Host| {
        let space = heap.profilers.space.running.as_ref().unwrap();
        (1..space.rows.count() as u32).map(|number| space.rows.get(number).copied.objects).sum::<u64>()
    };
    for (fills, told) in [(false, 0), (true, 1)] {
        if fills {
            // SAFETY: the words were allocated, and the root keeps them.
            unsafe {
                at.store(&raw const CELL as usize);
                (1..3).for_each(|word| Addr::store(at.plus_words(word), 0));
            }
        }
        heap.collect_for(m, Reason::Major).unwrap();
        assert_eq!(copied(&heap), told);
    }
    heap.end_space(m, profile).unwrap();
    Host::end(heap).unwrap();
}

#[test]
fn moments_before_an_inner_profile_are_not_its_own() {
    let (mut heap, m) = plain("-A64k");
    let begin = |heap: &mut Host| {
        let wish = SpaceWish { live: 1, ..SpaceWish::ALL_ZERO };
        heap.begin_space(m, wish.read().unwrap()).unwrap()
    };
    let outer = begin(&mut heap);
    make(&mut heap, m, 10);
    heap.take_space_point(m).unwrap();
    heap.take_space_point(m).unwrap();
    let inner = begin(&mut heap);
    let before = heap.stats.collections;
    heap.take_space_point(m).unwrap();
    for (profile, first) in [(inner, before + 1), (outer, 1)] {
        heap.end_space(m, profile).unwrap();
        let points = &heap.profilers.space.last_results().unwrap().points;
        assert_eq!(points.iter().map(|point| point.collection).min(), Some(first));
    }
    Host::end(heap).unwrap();
}
