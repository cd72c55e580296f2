//! The Rust surface: what programs without `unsafe` can do wrong has a sentence.

#![forbid(unsafe_code)]

use barrow::runtime::collect::Reason;
use barrow::{Heap, Mutator, Root, Shape, TypeName};

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
