//! Eventlogs made by hand, and damaged ones of a program.

use super::*;
use crate::page::Data;
use crate::read::any;

/// The head of a log of events whose lengths come with them, and then the events.
fn log(events: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = b"hdrbhetb".to_vec();
    for kind in [event::COST_CENTRE, event::SAMPLE_BEGIN, event::SAMPLE_COST_CENTRE].into_iter().chain([
        event::SAMPLE_STRING,
        event::TIME_SAMPLE,
        event::SAMPLE_END,
        event::USER_MARKER,
        event::HEAP_PROF_BEGIN,
    ]) {
        bytes.extend(b"etb\0");
        bytes.extend(kind.to_be_bytes());
        bytes.extend(event::VARIABLE.to_be_bytes());
        bytes.extend([0; 8]);
        bytes.extend(b"ete\0");
    }
    bytes.extend(b"hetehdredatb");
    events.iter().for_each(|event| bytes.extend(event));
    bytes
}

fn event(kind: u16, parts: &[&[u8]]) -> Vec<u8> {
    let body = parts.concat();
    let mut bytes = kind.to_be_bytes().to_vec();
    bytes.extend(5_000_000_000u64.to_be_bytes());
    bytes.extend((body.len() as u16).to_be_bytes());
    bytes.extend(body);
    bytes
}

fn string(bytes: u64) -> Vec<u8> {
    event(event::SAMPLE_STRING, &[&[0], &bytes.to_be_bytes(), b"Array\0"])
}

fn tick(stack: &[u32]) -> Vec<u8> {
    let numbers: Vec<u8> = stack.iter().flat_map(|number| number.to_be_bytes()).collect();
    event(event::TIME_SAMPLE, &[&[0; 12], &[stack.len() as u8], &numbers])
}

#[test]
fn ticks_become_a_tree() {
    let centre = |number: u32, rest: &[u8]| event(event::COST_CENTRE, &[&number.to_be_bytes(), rest]);
    let events = [
        centre(1, b"MAIN\0MAIN\0<built-in>\0\0"),
        centre(7, b"f\0M\0M.hs:1\0\0"),
        tick(&[7, 7, 1]),
        tick(&[7]),
        tick(&[7]),
        tick(&[1]),
        tick(&[9]),
    ];
    let time = read("x", &log(&events)[..]).unwrap().time.expect("ticks");
    let row = |node: &crate::prof::Node| (node.parent, node.full_name(), node.ticks);
    let rows: Vec<_> = time.nodes.iter().map(row).collect();
    let named = |parent, name: &str, ticks| (parent, name.to_owned(), ticks);
    let wanted = [
        named(None, "MAIN", 1.0),
        named(Some(0), "M.f", 2.0),
        named(Some(1), "M.f", 1.0),
        named(Some(0), "centre 9", 1.0),
    ];
    assert_eq!((rows, time.ticks), (wanted.to_vec(), 5));
}

fn begin() -> Vec<u8> {
    event(event::SAMPLE_BEGIN, &[&[0; 8]])
}

fn end() -> Vec<u8> {
    event(event::SAMPLE_END, &[&[0; 8]])
}

const LAST: [u8; 2] = event::END.to_be_bytes();

#[test]
fn a_band_that_counts_more_than_64_bits_stays_at_the_most() {
    let stack = |bytes: u64| {
        event(event::SAMPLE_COST_CENTRE, &[&[0], &bytes.to_be_bytes(), &[1], &7u32.to_be_bytes()])
    };
    let events = [begin(), string(u64::MAX), string(9), stack(u64::MAX), stack(1), end(), LAST.to_vec()];
    let heap = read("x", &log(&events)[..]).unwrap().heap;
    assert_eq!(heap.bands.len(), 2);
    assert!(heap.bands.iter().all(|band| band.series.dense(1) == [u64::MAX]));
    assert_eq!(heap.heights(), [2 * u128::from(u64::MAX)]);
}

#[test]
fn a_log_that_ends_within_its_first_sample_has_none() {
    for cut in [vec![begin(), string(8)], vec![begin(), string(8), LAST.to_vec()]] {
        let told = read("x", &log(&cut)[..]).err().unwrap().to_string();
        assert!(told.contains("ends within its first heap sample"), "{told}");
    }
    let told = read("x", &log(&[LAST.to_vec()])[..]).err().unwrap().to_string();
    assert!(told.contains("has no heap samples"), "{told}");
    let whole = read("x", &log(&[begin(), string(8), end(), begin(), string(9)])[..]).unwrap();
    assert_eq!((whole.heap.times.len(), whole.heap.heights()), (1, vec![8]));
}

#[test]
fn the_breakdown_by_era_is_known() {
    let begun = |breakdown: u32| event(event::HEAP_PROF_BEGIN, &[&[0; 9], &breakdown.to_be_bytes(), &[0; 6]]);
    for (number, flag) in [(1, " +RTS -hc"), (9, " +RTS -he"), (10, ""), (u32::MAX, "")] {
        let heap = read("x", &log(&[begun(number), begin(), string(8), end()])[..]).unwrap().heap;
        assert_eq!(heap.header.job.to_string(), flag, "{number}");
    }
}

/// A line of a `.hp` file has a name.
#[test]
fn a_band_without_a_name_gets_one() {
    let unnamed = event(event::SAMPLE_STRING, &[&[0], &8u64.to_be_bytes(), b"\0"]);
    let heap = read("x", &log(&[begin(), string(8), unnamed.clone(), unnamed, end()])[..]).unwrap().heap;
    let names: Vec<String> = heap.bands.iter().map(|band| band.name.to_string()).collect();
    assert_eq!(names, ["Array", "(unnamed)"]);
    assert_eq!(heap.heights(), [24]);
}

/// One long name of a centre, and many stacks that have it many times.
#[test]
fn stacks_of_long_names_take_memory_in_proportion() {
    let name = "\u{e9}".repeat(30_000) + "\0M\0";
    let mut events = vec![event(event::COST_CENTRE, &[&7u32.to_be_bytes(), name.as_bytes()]), begin()];
    for other in 0..500u32 {
        let stack = [7u32.to_be_bytes(); 200].concat();
        events.push(event(
            event::SAMPLE_COST_CENTRE,
            &[&[0], &8u64.to_be_bytes(), &[201], &stack, &other.to_be_bytes()],
        ));
    }
    events.extend([end(), LAST.to_vec()]);
    let bytes = log(&events);
    let heap = read("x", &bytes[..]).unwrap().heap;
    assert_eq!(heap.bands.len(), 500);
    let held: usize = heap.bands.iter().map(|band| band.name.as_bytes().len()).sum();
    assert!(held < 200 * bytes.len(), "{held} bytes of names from {}", bytes.len());
    let name = heap.bands[0].name.to_string();
    let (_, behind) = name.split_once("\u{e9}...").expect("a cut");
    assert_eq!(behind.find('/'), Some(8), "{behind:.20}");
}

#[test]
fn fuzz_eventlog() {
    let inflated = |name: &str| {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/eventlog/");
        let packed = std::fs::File::open(format!("{folder}{name}")).expect("a fixture");
        let mut whole = Vec::new();
        let packed = flate2::read::GzDecoder::new(packed);
        packed.take(1 << 24).read_to_end(&mut whole).expect("sound");
        whole
    };
    let files = [
        log(&[begin(), string(8), end(), begin(), string(9), end(), LAST.to_vec()]),
        log(&[event(event::USER_MARKER, &[b"m\0"]), begin(), string(u64::MAX), end()]),
        log(&[
            event(event::COST_CENTRE, &[&7u32.to_be_bytes(), b"f\0M\0M.hs\0"]),
            tick(&[7, 8, 7]),
            tick(&[]),
        ]),
        inflated("leak-hc.eventlog.gz"),
        inflated("time.eventlog.gz"),
    ];
    for file in &files {
        assert!(read("x", &file[..]).is_ok());
    }
    let sample = [begin(), string(u64::MAX - 1), end()].concat();
    let ticks = tick(&[7; 40]);
    let words: [&[u8]; 8] =
        [&ticks, &sample, &begin(), &end(), &string(u64::MAX), &[0, 163, 0, 0], &[0xff; 8], b"etb\0"];
    crate::fuzz::run(&files, &words, |bytes| {
        let Ok(logged) = read("x", bytes) else { return };
        let samples = logged.heap.times.len();
        assert!(samples > 0 || logged.time.is_some());
        assert!(logged.heap.times.is_sorted() && logged.heap.heights().len() == samples);
        let input = any::read("x".into(), bytes, None).expect("an eventlog");
        assert!(!Data::new(std::slice::from_ref(&input), false, None).tag.is_empty());
    });
}
