//! The Rust surface: what programs without `unsafe` can do wrong has a sentence.

#![forbid(unsafe_code)]

use barrow::runtime::collect::Reason;
use barrow::{Heap, Mutator, Root, Shape, TypeName};
use std::cell::RefCell;

static PAIR_NAME: TypeName = TypeName::new(c"Pair");
static PAIR: Shape = Shape::new(1, 1).named(&PAIR_NAME);
static CELL: Shape = Shape::variable(2, 1);
static UNIT: Shape = Shape::new(0, 0);
static HUGE: Shape = Shape::new(0, u32::MAX);

fn list<'m>(mutator: &'m Mutator<'_>, length: usize) -> Root<'m> {
    let mut last = mutator.make(&PAIR, &[None], &[0]).unwrap();
    for number in 1..length {
        last = mutator.make(&PAIR, &[Some(&last)], &[number]).unwrap();
    }
    last
}

/// The numbers of a list, from its head.
fn numbers(list: &Root<'_>) -> Vec<usize> {
    let mut found = vec![list.word(0).unwrap()];
    let mut next = list.reference(0).unwrap();
    while let Some(pair) = next {
        found.push(pair.word(0).unwrap());
        next = pair.reference(0).unwrap();
    }
    found
}

#[track_caller]
fn refused<T>(outcome: barrow::base::Outcome<T>, sentence: &str) {
    let failure = outcome.err().expect("it is refused");
    assert!(failure.sentence.as_str().contains(sentence), "{}", failure.sentence);
}

#[test]
fn objects_stay_as_long_as_a_root_leads_to_them() {
    for flags in ["-A256k", "-A256k -DS --stress=50", "-A256k -G1", "-A256k -c"] {
        let heap = Heap::new(flags).unwrap();
        let mutator = heap.attach().unwrap();
        let cell = mutator.make(&CELL, &[None, None], &[7]).unwrap();
        for round in 0..5 {
            // The cell is old after two collections, and leads to young objects then.
            let fresh = list(&mutator, 500);
            cell.set_reference(round % 2, Some(&fresh)).unwrap();
            drop(fresh);
            mutator.collect(if round == 3 { Reason::Major } else { Reason::Minor }).unwrap();
            let kept = cell.reference(round % 2).unwrap().unwrap();
            assert_eq!(numbers(&kept), (0..500).rev().collect::<Vec<_>>(), "{flags}, round {round}");
        }
        cell.set_word(0, 8).unwrap();
        mutator.check().unwrap();
        assert_eq!(cell.word(0).unwrap(), 8);
        let units = [(); 2].map(|()| mutator.make(&UNIT, &[], &[]).unwrap());
        assert!(units[0].is(&units[0]) && !units[0].is(&units[1]));
        drop((cell, units));
        mutator.collect(Reason::Major).unwrap();
        assert_eq!(heap.live_words().unwrap(), 0, "{flags}");
    }
}

#[test]
fn what_is_wrong_has_a_sentence() {
    refused(Heap::new("-Aqq"), "-A");
    let heap = Heap::new("-A1m").unwrap();
    let mutator = heap.attach().unwrap();
    refused(heap.attach(), "has a mutator already");
    refused(mutator.make(&PAIR, &[], &[1]), "was given 0 and 1");
    refused(mutator.make(&UNIT, &[], &[1]), "0 references and 0 words");
    let words = vec![0; 1 << 20];
    refused(mutator.make(&HUGE, &[], &words), "was given 0 and 1048576");
    let pair = mutator.make(&PAIR, &[None], &[1]).unwrap();
    refused(pair.reference(1), "no reference 1");
    refused(pair.word(1), "no word 1");
    refused(pair.set_word(usize::MAX, 0), "no word");
    refused(pair.set_reference(0, None), "do not change");
    refused(mutator.write_snapshot(""), "is empty");
    refused(heap.start_profile("-hq"), "-h");
    let other_heap = Heap::new("").unwrap();
    let other = other_heap.attach().unwrap();
    refused(other.make(&PAIR, &[Some(&pair)], &[1]), "in another heap");
    let cell = other.make(&CELL, &[None, None], &[1]).unwrap();
    refused(cell.set_reference(0, Some(&pair)), "in another heap");
    assert!(cell.reference(0).unwrap().is_none());
}

/// A mutator goes though its report could not be written, and the heap takes another one.
#[test]
fn a_mutator_goes_without_its_report() {
    let heap = Heap::new("-A256k --space=/dev/full").unwrap();
    for _ in 0..2 {
        let mutator = heap.attach().unwrap();
        mutator.make(&CELL, &[None, None], &[1]).unwrap();
        if let Err((stays, failure)) = mutator.detach() {
            assert!(stays.is_none(), "{}", failure.sentence);
        }
    }
    heap.attach().unwrap();
}

#[test]
fn a_heap_without_room_says_so_and_goes_on() {
    static BLOCK: Shape = Shape::new(0, 100_000);
    let heap = Heap::new("-A256k -M4m").unwrap();
    let mutator = heap.attach().unwrap();
    let words = vec![1; 100_000];
    let mut held = Vec::new();
    let full = loop {
        match mutator.make(&BLOCK, &[], &words) {
            Ok(block) => held.push(block),
            Err(failure) => break failure,
        }
    };
    assert_eq!(full.status, barrow::base::Status::Limit, "{}", full.sentence);
    assert!(!held.is_empty());
    held.clear();
    mutator.make(&BLOCK, &[], &words).unwrap();
}

#[test]
fn what_is_forgotten_harms_nobody() {
    let heap = Heap::new("-A1m").unwrap();
    std::mem::forget(heap.attach().unwrap());
    refused(heap.attach(), "has a mutator already");
    drop(heap);
    let heap = Heap::new("-A1m").unwrap();
    let mutator = heap.attach().unwrap();
    std::mem::forget(list(&mutator, 10));
    mutator.collect(Reason::Major).unwrap();
    assert_eq!(heap.live_words().unwrap(), 30);
    drop(mutator);
    let again = heap.attach().unwrap();
    assert_eq!(numbers(&list(&again, 3)), [2, 1, 0]);
    drop(again);
    heap.end().unwrap();
}

#[test]
fn reports_that_cannot_be_written_are_told_of() {
    let heap = Heap::new("-S/nowhere/at/all");
    match heap {
        Err(failure) => assert!(failure.sentence.as_str().contains("/nowhere"), "{}", failure.sentence),
        Ok(heap) => refused(heap.end(), "/nowhere"),
    }
}

/// Lines of flags that make no sense together, sizes at both ends, and reports of every sort.
const ODD_FLAGS: &[&str] = &[
    "-A64k -G8 -T7",
    "-A1m -G1 -c",
    "-A256k -DS -DB --faults --stress=3",
    "-A256k --old=copy -n32k --source=chunks",
    "-A256k --samples --sample-every=1",
    "-A256k --samples -po/nowhere/at/all",
    "-A256k -hb -i0 -po/nowhere/at/all",
    "-A256k -F1.05 -M4m",
    "-p -A256k --marks=off --huge-pages=on",
];

/// Each call in each state that a program without `unsafe` can bring a heap into.
#[test]
fn odd_flags_and_odd_calls_have_an_answer() {
    for (number, flags) in ODD_FLAGS.iter().enumerate() {
        let flags = format!("-po{}/odd{number} {flags}", env!("CARGO_TARGET_TMPDIR"));
        let heap = match Heap::new(&flags) {
            Ok(heap) => heap,
            // Files have nowhere to be; whatever else is wrong with a line shows here.
            Err(failure) if flags.contains("/nowhere") && failure.sentence.as_str().contains("/nowhere") => {
                continue;
            }
            Err(failure) => panic!("{flags}: {}", failure.sentence),
        };
        let mutator = match heap.attach() {
            Ok(mutator) => mutator,
            Err(failure) => panic!("{flags}: {}", failure.sentence),
        };
        // Wrong lengths, references out of range, an object that leads to itself, and a root that is forgotten.
        let cell = mutator.make(&CELL, &[None, None], &[usize::MAX]).unwrap();
        cell.set_reference(0, Some(&cell)).unwrap();
        refused(cell.set_reference(2, Some(&cell)), "no reference 2");
        refused(cell.reference(usize::MAX), "no reference");
        refused(cell.word(usize::MAX), "no word");
        std::mem::forget(cell.reference(0).unwrap());
        for profile in ["-hd -i0", "-hr", "-hb", "-hyd", "", "-h", "-iw0", "-hc -hd -hT"] {
            // Files may have nowhere to be, and profiles may refuse each other.
            let _ = heap.start_profile(profile);
            let made = mutator.make(&PAIR, &[Some(&cell)], &[1]);
            let _ = (mutator.safepoint(), mutator.collect(Reason::Whole), made);
        }
        let _ = (heap.stop_profile(), heap.stop_profile(), mutator.write_snapshot("/nowhere/at/all"));
        for _ in 0..20_000 {
            if mutator.make(&PAIR, &[Some(&cell)], &[7]).is_err() {
                break;
            }
        }
        mutator.check().unwrap();
        assert!(cell.reference(0).unwrap().unwrap().is(&cell), "{flags}");
        let _ = heap.figures();
        drop(cell);
        // A mutator that is forgotten goes with its heap.
        std::mem::forget(mutator);
        let _ = heap.end();
    }
}

fn sources(folder: &std::path::Path, into: &mut Vec<std::path::PathBuf>) {
    for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            sources(&path, into);
        } else if path.extension().is_some_and(|end| end == "rs") {
            into.push(path);
        }
    }
}

/// Public functions that take a raw pointer and are safe, by their signatures.
fn trusting(text: &str) -> Vec<String> {
    let starts = ["pub fn ", "pub const fn ", "pub extern \"C\" fn "];
    let mut found = Vec::new();
    for (at, line) in text.lines().enumerate() {
        if !starts.iter().any(|start| line.trim_start().starts_with(start)) {
            continue;
        }
        let rest: Vec<&str> = text.lines().skip(at).collect();
        let signature = rest.join(" ");
        let signature = &signature[..signature.find(['{', ';']).unwrap_or(signature.len())];
        let taken = signature.rsplit_once("->").map_or(signature, |(taken, _)| taken);
        if taken.contains("*mut ") || taken.contains("*const ") {
            found.push(signature.trim().to_string());
        }
    }
    found
}

#[test]
fn functions_that_take_raw_pointers_are_unsafe() {
    assert_eq!(trusting("    pub fn a(\n        b: *mut C,\n    ) {\n    }").len(), 1);
    assert_eq!(trusting("pub unsafe fn a(b: *mut C) {\n}\npub fn d(&self) -> *mut C {\n}").len(), 0);
    let mut paths = Vec::new();
    sources(&std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut paths);
    assert!(paths.len() > 300);
    for path in paths.iter().filter(|path| !path.iter().any(|part| part == "testkit")) {
        let found = trusting(&std::fs::read_to_string(path).unwrap());
        assert!(found.is_empty(), "{}: {found:#?}", path.display());
    }
}

/// Shapes of any size are refused at the first object, before their words are counted together.
#[test]
fn shapes_of_any_size_are_harmless() {
    static WIDE: Shape = Shape::new(u32::MAX, u32::MAX);
    static BARE: Shape = Shape::variable(0, 0);
    let leaked: &'static Shape = Box::leak(Box::new(Shape::new(1, 0)));
    let heap = Heap::new("-A256k -DS").unwrap();
    let mutator = heap.attach().unwrap();
    refused(mutator.make(&WIDE, &[], &[]), "4294967295 references");
    refused(mutator.make(&WIDE, &[None], &[1]), "was given 1 and 1");
    let bare = mutator.make(&BARE, &[], &[]).unwrap();
    refused(bare.word(0), "no word 0");
    refused(bare.set_reference(0, None), "no reference 0");
    let held = mutator.make(leaked, &[Some(&bare)], &[]).unwrap();
    drop(bare);
    mutator.collect(Reason::Major).unwrap();
    assert!(held.reference(0).unwrap().is_some());
    mutator.check().unwrap();
}

/// Heaps side by side in one thread, and in several, do not know of each other; a heap may be left behind by its thread.
#[test]
fn heaps_side_by_side_and_left_behind() {
    let work = || {
        let (one, two) = (Heap::new("-A256k").unwrap(), Heap::new("-A256k --stress=7").unwrap());
        let (first, second) = (one.attach().unwrap(), two.attach().unwrap());
        let kept = list(&first, 100);
        for _ in 0..50 {
            let other = list(&second, 100);
            refused(first.make(&PAIR, &[Some(&other)], &[0]), "in another heap");
        }
        first.collect(Reason::Major).unwrap();
        assert_eq!(numbers(&kept).len(), 100);
        drop(two.figures());
        let left = Heap::new("-A256k").unwrap();
        std::mem::forget(left.attach().unwrap());
        std::mem::forget(left);
    };
    let threads: Vec<_> = (0..4).map(|_| std::thread::spawn(work)).collect();
    work();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
}

thread_local! {
    static HEAP: Heap = Heap::new("-A256k").unwrap();
    static MUTATOR: RefCell<Option<Mutator<'static>>> = const { RefCell::new(None) };
    static ROOT: RefCell<Option<Root<'static>>> = const { RefCell::new(None) };
}

/// Heaps, mutators and roots that end with their threads, when other values of the thread are gone already.
#[test]
fn a_thread_may_end_with_all_of_it() {
    let end = |work: fn()| std::thread::spawn(work).join().unwrap();
    end(|| {
        HEAP.with(|heap| {
            let mutator = heap.attach().unwrap();
            std::mem::forget(list(&mutator, 1000));
            std::mem::forget(mutator);
        });
    });
    end(|| {
        let heap: &'static Heap = Box::leak(Box::new(Heap::new("-A256k --stress=9 -DS").unwrap()));
        MUTATOR.set(Some(heap.attach().unwrap()));
        MUTATOR.with_borrow(|mutator| assert_eq!(numbers(&list(mutator.as_ref().unwrap(), 100)).len(), 100));
    });
    end(|| {
        let heap: &'static Heap = Box::leak(Box::new(Heap::new("-A256k").unwrap()));
        let mutator: &'static Mutator<'static> = Box::leak(Box::new(heap.attach().unwrap()));
        ROOT.set(Some(list(mutator, 10)));
    });
    let panicked = std::thread::spawn(|| {
        let heap = Heap::new("-A256k").unwrap();
        let mutator = heap.attach().unwrap();
        let _root = list(&mutator, 10);
        std::panic::resume_unwind(Box::new(()));
    });
    assert!(panicked.join().is_err());
}

/// Other public modules are the library's layers. A program can name their types, and nothing that it can call follows a pointer
/// that it made up.
#[test]
fn layers_can_be_named_and_do_no_harm() {
    use barrow::base::{Addr, Failure, Status, flag::Flags, flag::ProfileFlags};
    use barrow::heap::{Info, Kind};
    let mut info = Info::plain(Kind::Constr, 1, 1);
    info.names = std::ptr::dangling();
    info.custom = std::ptr::dangling();
    assert!(info.kind() == Some(Kind::Constr) && !info.is_mutable() && !info.is_inherently_used());
    Addr(8).prefetch();
    assert!(barrow::identity::ccs::stack(u32::MAX).is_none());
    assert!(barrow::identity::cost_centre::centre(u32::MAX).is_none());
    assert!(barrow::identity::function::function(u32::MAX).is_none());
    for address in [0, 1, 8, usize::MAX] {
        assert!(barrow::os::code::place(address).is_ok_and(|place| place.is_none()), "{address:#x}");
        assert!(barrow::os::symbols::Symbols::default().locate(address).is_ok());
    }
    let failures: Vec<_> = (0..100).map(|i| Failure::new(Status::State, format_args!("{i}"))).collect();
    let told = std::thread::spawn(move || failures.iter().map(|f| f.sentence.as_str().len()).sum::<usize>());
    assert_eq!(told.join().unwrap(), 190);
    for line in
        ["-", "--", "-A", "-A-1", "-A99999999999999999999g", "\0", "-h\u{fe0f}", "--samples=", "-hc(", "-G0"]
    {
        let _ = (Flags::parse(line), ProfileFlags::parse(line));
    }
    // Ends of a fork that was never begun.
    barrow::ffi::fork::barrow_fork_parent();
    barrow::ffi::fork::barrow_fork_child();
}
