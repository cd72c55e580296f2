//! The references' samples, written again from their figures, to the byte.

use super::summary::{GenerationTimes, Spell, Summary};
use super::{CollectionLine, Held, Memory, Pauses};

fn ms(cpu: f64, wall: f64) -> Spell {
    Spell { cpu: (cpu * 1e6).round() as u64, wall: (wall * 1e6).round() as u64 }
}

fn generation(collections: u64, time: Spell, longest_ms: f64) -> GenerationTimes {
    GenerationTimes { collections, parallel: 0, time, longest_ns: (longest_ms * 1e6).round() as u64 }
}

fn text(write: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>) -> String {
    let mut out = Vec::new();
    write(&mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn leak_no() -> Summary {
    let mut s = Summary {
        allocated_bytes: 224_555_160,
        copied_bytes: 124_089_128,
        max_live_bytes: 10_700_128,
        cumulative_live_bytes: 57_533_344,
        major_collections: 10,
        max_slop_bytes: 132_760,
        max_large_bytes: 57_416,
        max_held_bytes: 34_603_008,
        generation_count: 2,
        ..Summary::default()
    };
    s.generations[0] = generation(195, ms(58.937, 59.408), 0.937);
    s.generations[1] = generation(10, ms(51.397, 51.582), 10.939);
    s
}

/// The references' part of the text, without their `%GC`, which is always 0.0.
fn without_gc_share(text: &str) -> Vec<&str> {
    text.lines().filter(|line| !line.starts_with("  %GC")).collect()
}

#[test]
fn the_summary_is_the_references_to_the_byte() {
    let mut s = leak_no();
    s.generations[0] = generation(195, ms(59.9, 60.1), 0.9);
    s.generations[1] = generation(10, ms(52.1, 52.0), 11.7);
    // 3,448,524,510 bytes per second of the program's own time.
    s.mutator = Spell { cpu: 65_116_301, wall: 65_200_000 };
    s.gc = ms(112.0, 112.1);
    s.exit = ms(0.26, 0.3);
    let recorded = include_str!("../../tests/fixtures/rts/LeakNo-s.err");
    let ours = text(|out| super::summary::write(out, &s));
    // The recorded rate has more digits than a time in nanoseconds can reproduce.
    let ours = ours.replace(&super::number::Commas(s.allocation_rate()).to_string(), "3,448,524,510");
    let (ours, recorded) = (without_gc_share(&ours), without_gc_share(recorded));
    assert_eq!(ours[..recorded.len()], recorded[..]);
    assert!(ours[recorded.len()].starts_with("  Pauses"));
}

#[test]
fn with_no_major_collection_there_is_no_residency() {
    let s = Summary { generation_count: 2, ..Summary::default() };
    let ours = text(|out| super::summary::write(out, &s));
    assert!(!ours.contains("maximum residency") && ours.contains("Pauses        none"));
    assert!(!ours.contains("NaN"));
}

#[test]
fn the_pairs_are_the_references_in_their_order() {
    let mut s = leak_no();
    s.init = Spell { cpu: 114_000, wall: 108_000 };
    s.mutator = Spell { cpu: 63_706_000, wall: 63_778_000 };
    s.gc = Spell { cpu: 110_334_000, wall: 110_990_000 };
    s.exit = Spell { cpu: 74_000, wall: 73_000 };
    let ours = text(|out| super::machine::write(out, &s));
    let recorded = include_str!("../../tests/fixtures/rts/LeakNo-t-machine.err");
    // The references read their clocks once more for the total, and their shares of GC are always 0.
    let close =
        ["total_cpu", "total_wall", "gc_cpu_percent", "gc_wall_percent", "alloc_rate", "productivity"];
    let same = |line: &&str| !close.iter().any(|name| line.contains(name));
    let recorded: Vec<&str> = recorded.lines().take_while(|line| *line != " ]").collect();
    let ours: Vec<&str> = ours.lines().take(recorded.len()).collect();
    let kept = |lines: &[&str]| lines.iter().copied().filter(|l| same(l)).collect::<Vec<_>>().join("\n");
    assert_eq!(kept(&ours), kept(&recorded));
    for (ours, recorded) in ours.iter().zip(&recorded) {
        assert_eq!(ours.split('"').nth(1), recorded.split('"').nth(1));
    }
}

#[test]
fn the_one_line_is_the_references_to_the_byte() {
    let mut s = Summary {
        allocated_bytes: 452_480_336,
        max_live_bytes: 17_965_472,
        cumulative_live_bytes: 8_700_976 * 12,
        major_collections: 12,
        max_held_bytes: 53 << 20,
        generation_count: 2,
        mutator: ms(123.0, 123.0),
        gc: ms(159.0, 159.0),
        ..Summary::default()
    };
    s.generations[0].collections = 402;
    s.generations[1].collections = 12;
    assert_eq!(
        text(|out| super::one_line::write(out, &s)),
        include_str!("../../tests/fixtures/rts/Leak-t.err")
    );
}

#[test]
fn lines_of_collections_are_the_references_to_the_byte() {
    for recorded in [
        include_str!("../../tests/fixtures/rts/Leak-S.err"),
        include_str!("../../tests/fixtures/rts/LeakNo-S-G1.err"),
        include_str!("../../tests/fixtures/rts/Tiny-S.err"),
    ] {
        let end = recorded.find("\n\n").unwrap() + 2;
        let mut ours = text(super::collection::write_head);
        for row in recorded[..end].lines().skip(2).filter(|row| row.contains("Gen")) {
            ours.push_str(&again(row));
        }
        let last = recorded[..end].trim_end().lines().last().unwrap();
        let after = last.split_whitespace().next().unwrap().parse().unwrap();
        ours.push_str(&text(|out| super::collection::write_tail(out, after)));
        assert_eq!(ours, recorded[..end]);
    }
}

/// Reads a row's figures and writes them.
fn again(row: &str) -> String {
    let fields: Vec<&str> = row.split_whitespace().collect();
    let whole = |i: usize| fields[i].parse::<u64>().unwrap();
    let nanos = |i: usize| (fields[i].parse::<f64>().unwrap() * 1e9).round() as u64;
    let line = CollectionLine {
        allocated_bytes: whole(0),
        copied_bytes: whole(1),
        live_bytes: whole(2),
        gc: Spell { cpu: nanos(3), wall: nanos(4) },
        total: Spell { cpu: nanos(5), wall: nanos(6) },
        faults_in_gc: whole(7),
        faults_before: whole(8),
        generation: fields[10].trim_end_matches(')').parse().unwrap(),
    };
    text(|out| super::collection::write(out, &line))
}

#[test]
fn pauses_are_a_histogram() {
    let mut pauses = Pauses { longest_ns: 3_000_000, ..Pauses::default() };
    pauses.buckets[6] = 10;
    pauses.buckets[7] = 40;
    pauses.buckets[12] = 1;
    let ours = text(|out| super::pauses::write(out, &pauses));
    let rows: Vec<&str> = ours.lines().collect();
    assert_eq!(rows[0], "  Pauses        51, the longest 0.0030s");
    assert_eq!(rows[1], "    below   64 us        10   19.6%  ##########");
    assert_eq!(rows[2].matches('#').count(), 40);
    assert_eq!(rows[3], "    below  256 us         0    0.0%");
    assert_eq!(rows[7], "    below 4.10 ms         1    2.0%  #");
}

#[test]
fn the_parts_of_memory_add_up() {
    let memory = Memory {
        live: 1,
        large: 20,
        allocated: 300,
        nursery: 4_000,
        fragmentation: 50_000,
        overhead: 600_000,
        side_tables: 7_000_000,
        free: 80_000_000,
        held: Held { gaps: 20_000, blocks: 5_000_000, ..Held::default() },
        untouched: 654_321,
        ..Memory::default()
    };
    assert_eq!((memory.held(), memory.resident()), (87_654_321, 87_000_000));
    let ours = text(|out| super::memory::write(out, &memory));
    assert!(ours.contains("      87,000,000 = resident\n"));
    assert!(ours.contains("              20,000 gaps that objects will fill\n"));
    assert!(ours.contains("           5,000,000 free blocks beside others in use\n"));
}

/// Lengths of the blocks of a snapshot with names of about a block, the last of them of `last` bytes.
fn blocks_with(last: usize) -> Vec<usize> {
    use super::snapshot::{BLOCK_HEAD_BYTES, InfoTexts, MAGIC, SnapshotWriter, Sort};
    let mut bytes = Vec::new();
    let mut writer = SnapshotWriter::begin(&mut bytes).unwrap();
    let none = &b""[..];
    let (kind, type_name, description, module) = (none, none, none, none);
    for number in 1..=69 {
        let whole = &[b'x'; 4096][..if number == 69 { last } else { 900 }];
        writer
            .info(number, &InfoTexts { sort: Sort::Data, whole, kind, type_name, description, module })
            .unwrap();
    }
    writer.end().unwrap();
    let (mut rest, mut lengths) = (&bytes[MAGIC.len()..], Vec::new());
    while let Some(length) = rest.first_chunk() {
        lengths.push(u32::from_le_bytes(*length) as usize);
        rest = &rest[BLOCK_HEAD_BYTES + lengths[lengths.len() - 1]..];
    }
    lengths
}

#[test]
fn a_snapshot_has_no_empty_block() {
    let most = super::snapshot::MOST_BLOCK_BYTES;
    let seen: Vec<_> = (3400..3800).map(blocks_with).collect();
    assert!(seen.iter().flatten().all(|&length| length > 0));
    assert!(seen.contains(&vec![most - 1]) && seen.contains(&vec![most]) && seen.contains(&vec![most, 1]));
}
