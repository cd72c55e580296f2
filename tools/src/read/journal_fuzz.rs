//! Damaged biography journals, most of them under right sums.

use super::biography;
use barrow::census::biography::{Biography, Word};
use barrow::report::biography::checksum::crc32;
use barrow::report::biography::{Batch, MAGIC, Profile, phases};

/// A journal of two profiles and `atoms` bands over `censuses` censuses.
pub fn journal(atoms: u32, censuses: u32, ended: bool) -> Vec<u8> {
    let mut batch = Batch::new();
    batch.begin_file(b"Sat Jan  1 00:00 2000", [b"seconds", b"bytes"], false).unwrap();
    batch.profile(Profile { name: b"prog.hb.hp", job: b"prog +RTS -hb", phases: phases::EACH }).unwrap();
    let waste = phases::DRAG | phases::VOID;
    batch.profile(Profile { name: b"prog.hy.hp", job: b"prog +RTS -hy", phases: waste }).unwrap();
    for atom in 1..=atoms {
        batch.band(0, b"all").unwrap();
        batch.band(1, format!("Type{atom}").as_bytes()).unwrap();
        batch.atom([1, atom].into_iter()).unwrap();
    }
    let mut bytes = batch.sealed().to_vec();
    let mut biography = Biography::new(false);
    let mut words = vec![Word::created(1); atoms as usize];
    for era in 1..=censuses {
        for atom in 1..=atoms {
            let size = 16 + 8 * u64::from(atom % 7);
            let word = &mut words[atom as usize - 1];
            if atom % 5 == era % 5 {
                biography.used(atom, *word, size);
                *word = word.used(era);
            }
            if atom % 3 > 0 || era < censuses / 2 {
                biography.seen(0, atom, *word, size);
            }
        }
        batch.begin().unwrap();
        biography.end_census(&mut batch).unwrap();
        batch.census(f64::from(era) * 0.5).unwrap();
        if era % 4 == 0 {
            batch.mark(f64::from(era) * 0.5).unwrap();
        }
        bytes.extend(batch.sealed());
    }
    if ended {
        batch.begin().unwrap();
        biography.end(&mut batch).unwrap();
        batch.end(f64::from(censuses)).unwrap();
        bytes.extend(batch.sealed());
    }
    bytes
}

#[test]
fn fuzz_journal() {
    let files = [journal(2, 4, true), journal(40, 30, false), journal(9, 200, true)];
    for file in &files {
        assert!(biography::read("x", file, None).is_ok_and(|read| read.heap.bands.len() > 1));
    }
    let words: [&[u8]; 9] = [
        MAGIC,
        &[1, 1],
        &[3, 1],
        &[5, 1, 0, 1, 1],
        &[6, 1],
        &[7; 9],
        &[9; 9],
        &[0xff; 9],
        &[0x80, 0x80, 0x01],
    ];
    let mend = |bytes: &[u8]| crate::fuzz::mended(bytes, crc32);
    crate::fuzz::run_mended(&files, &words, mend, |bytes| {
        for wanted in [None, Some("hy")] {
            if let Ok(read) = biography::read("x", bytes, wanted) {
                let samples = read.heap.times.len();
                assert!(read.heap.bands.iter().all(|band| band.series.iter().all(|(at, _)| at < samples)));
            }
        }
    });
}
