//! Snapshots that the library's writer made: read whole, cut at every byte, damaged at every byte, and with records that
//! make no sense under a right sum.

use super::*;
use barrow::report::snapshot::{InfoTexts, SnapshotWriter, Sort};
use std::io::Write;

const TEXTS: InfoTexts<'_> = InfoTexts {
    sort: Sort::Data,
    whole: b"M.Cell<m:1>",
    kind: b"M.Cell",
    type_name: b"List",
    description: b"Cell",
    module: b"M",
};

/// A ring of `count` cells of three words, every second one at the other end of memory, and a weak pointer to one.
fn ring(count: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = SnapshotWriter::begin(&mut bytes).unwrap();
    let place = |i: u64| if i.is_multiple_of(2) { 0x7000_0000_0000 + i * 24 } else { 0x1000 + i * 48 };
    writer.info(7, &TEXTS).unwrap();
    for i in 0..count {
        writer.object(7, place(i), 3);
        writer.skip();
        writer.edge(edge::STRONG, place((i + 1) % count));
        writer.skip();
        writer.end_edges();
    }
    writer.info(3, &InfoTexts { sort: Sort::Other, ..TEXTS }).unwrap();
    writer.object(3, 0x10, 7);
    writer.edge(edge::WEAK, place(0));
    writer.edge(edge::STRONG, place(1));
    writer.edge(edge::CODE, place(2));
    writer.end_edges();
    for name in [&b"handles"[..], b"stack", b"handles"] {
        writer.roots(name);
        writer.edge(edge::STRONG, place(0));
        writer.edge(edge::STRONG, 0x10);
        writer.end_edges();
    }
    writer.end().unwrap();
    bytes
}

fn read(bytes: &[u8]) -> Result<Index, String> {
    let index = Index::read("x", bytes).map_err(|error| error.to_string())?;
    check_edges("x", bytes, &index).map_err(|error| error.to_string())?;
    Ok(index)
}

/// Records under a right sum.
fn sealed(records: &[u8]) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    for block in records.chunks(MOST_BLOCK_BYTES) {
        bytes.write_all(&(block.len() as u32).to_le_bytes()).unwrap();
        bytes.write_all(&sum(block).to_le_bytes()).unwrap();
        bytes.write_all(block).unwrap();
    }
    bytes
}

#[test]
fn what_was_written_is_read() {
    for count in [4, 100_000] {
        let bytes = ring(count);
        let index = read(&bytes).unwrap();
        let totals = Totals { objects: count + 1, words: 3 * count + 7, edges: count + 3, roots: 6 };
        assert_eq!((index.totals, index.objects() as u64), (totals, count + 1));
        assert_eq!(
            (index.roots.len(), index.roots[0].1.len(), index.infos[&7].description.as_str()),
            (2, 4, "Cell")
        );
        let mut reader = Reader::new("x", &bytes[..]).unwrap();
        let mut number = 0;
        loop {
            match reader.next().unwrap() {
                Record::Object { info: 7, at, words: 3 } => {
                    assert_eq!(index.find(at), Some(number));
                    assert_eq!((index.find(at + 1), index.find(at - 1)), (None, None));
                    let found = reader.edge().unwrap().unwrap();
                    let next = target(&reader, &index, found).unwrap();
                    assert_eq!((found.index, next as u64), (1, (number as u64 + 1) % count));
                    assert_eq!(reader.edge().unwrap(), None);
                    number += 1;
                }
                Record::Object { .. } => {
                    let held: Vec<_> = std::iter::from_fn(|| reader.edge().unwrap()).collect();
                    assert_eq!(
                        held.iter().map(|edge| edge.hold).collect::<Vec<_>>(),
                        [Hold::Weak, Hold::Strong, Hold::Code]
                    );
                }
                Record::End(_) => break,
                Record::Roots(_) => while reader.edge().unwrap().is_some() {},
                Record::Info(..) => {}
            }
        }
        assert_eq!(number as u64, count);
    }
}

/// Records that end with their block, or a few bytes before or behind its end.
#[test]
fn full_blocks_are_read() {
    for last in 3400..3800 {
        let mut bytes = Vec::new();
        let mut writer = SnapshotWriter::begin(&mut bytes).unwrap();
        for number in 1..=69 {
            let whole = &[b'x'; 4096][..if number == 69 { last } else { 890 }];
            writer.info(number, &InfoTexts { whole, ..TEXTS }).unwrap();
        }
        writer.end().unwrap();
        assert_eq!(read(&bytes).unwrap().infos[&69].whole.len(), last);
    }
}

#[test]
fn every_cut_and_every_damaged_byte_is_told_with_its_place() {
    let bytes = ring(6);
    for length in 0..bytes.len() {
        let told = read(&bytes[..length]).err().unwrap();
        assert!(told.starts_with("x:"), "{told}");
    }
    for at in 0..bytes.len() {
        for bit in 0..8 {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << bit;
            let told = read(&damaged).err().unwrap();
            assert!(told.starts_with("x:"), "{told}");
        }
    }
    let more = [&bytes[..], b"x"].concat();
    assert!(read(&more).err().unwrap().contains("something follows the end"));
    assert!(read(b"barrowB1").err().unwrap().starts_with("x:0: this is no snapshot"));
    assert!(
        read(&bytes[..bytes.len() / 2]).err().unwrap().starts_with("x:8: the snapshot ends within a block")
    );
}

#[test]
fn records_that_make_no_sense_are_told_and_nothing_panics() {
    let bytes = ring(6);
    let records = &bytes[MAGIC.len() + BLOCK_HEAD_BYTES..];
    let mut random = 1u64;
    for _ in 0..20_000 {
        let mut records = records.to_vec();
        for _ in 0..3 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let at = (random >> 33) as usize % records.len();
            records[at] = (random >> 20) as u8;
        }
        // Only that it comes back.
        let _ = read(&sealed(&records));
    }
    let told = |records: &[u8]| read(&sealed(records)).err().unwrap();
    assert!(told(&[5, 2, 2, 0]).ends_with("info table 5 was not described"));
    assert!(told(&[5, 2, 0, 0]).contains("no object of 0 words"));
    assert!(told(&[0, 9]).contains("x:18: there is no record of kind 9"));
    assert!(told(&[0xff; 11]).contains("more than 64 bits"));
    assert!(told(&[0, 3, 1, 0, 0, 0]).contains("the end says"));
    // Two objects at one place; a reference and a root to nothing.
    let info = [0, 1, 5, 0, 0, 0, 0, 0, 0];
    assert!(
        told(&[&info[..], &[5, 8, 3, 0, 5, 3, 3, 0, 0, 3, 2, 6, 0, 0]].concat())
            .contains("two objects lie at")
    );
    assert!(told(&[&info[..], &[5, 8, 3, 7, 0, 0, 3, 1, 3, 1, 0]].concat()).contains("where no object is"));
    assert!(
        told(&[&info[..], &[0, 2, 1, b'r', 9, 0, 0, 3, 0, 0, 0, 1]].concat()).contains("the root r leads to")
    );
}

#[test]
fn fuzz_snapshot() {
    let files = [ring(4), ring(50), ring(700)];
    let words: [&[u8]; 6] = [&[0, 1], &[0, 2], &[0, 3], &[0xff; 9], &[0x80, 0x80, 0x01], MAGIC];
    let mend = |bytes: &[u8]| crate::fuzz::mended(bytes, sum);
    crate::fuzz::run_mended(&files, &words, mend, |bytes| {
        if let Ok(index) = read(bytes) {
            crate::write::heapsnapshot::write("x", &index, || Ok(bytes), &mut std::io::sink()).ok();
        }
        // Loaded as a graph, with dominators and ways, and as the page is told of it.
        let Ok(shown) = crate::graph::shown::read("x", bytes) else { return };
        let (nodes, rows) = (shown.nodes.len() as u32, shown.types.len());
        assert!(shown.nodes.iter().enumerate().all(|(slot, node)| node.parent < Some(slot as u32)));
        assert!(nodes > 0 && shown.nodes[0].retained <= shown.words && shown.instances.len() <= rows);
        let profile = crate::read::any::Profile::Snapshot(Box::new(shown));
        let input = crate::read::any::Input { name: "x".into(), profile, notes: Vec::new() };
        assert!(!crate::page::Data::new(std::slice::from_ref(&input), false, None).tag.is_empty());
    });
}
