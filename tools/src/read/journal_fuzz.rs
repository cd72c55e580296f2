//! Damaged biography journals, most of them under right sums.

use super::biography;
use barrow::profile::biography::journal::checksum::crc32;
use barrow::profile::biography::journal::{Batch, MAGIC, Profile, phases};
use barrow::profile::biography::{Biography, Book, CellKey, Holder, Phase, Word};

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

/// Objects that now this set holds and now that one.
fn journal_by_set(objects: u32, censuses: u32, ended: bool) -> Vec<u8> {
    let mut batch = Batch::new();
    batch.begin_file(b"Sat Jan  1 00:00 2000", [b"seconds", b"bytes"], true).unwrap();
    let waste = phases::DRAG | phases::VOID;
    batch.profile(Profile { name: b"prog.hr.hp", job: b"prog +RTS -hr", phases: waste }).unwrap();
    for atom in 1..=5 {
        batch.band(0, format!("({atom})holder").as_bytes()).unwrap();
        batch.atom([atom].into_iter()).unwrap();
    }
    let mut bytes = batch.sealed().to_vec();
    let mut biography = Biography::new(true);
    let mut all = vec![(0, Word::created(1)); objects as usize];
    for era in 1..=censuses {
        for (number, (holder, word)) in all.iter_mut().enumerate() {
            let number = number as u32;
            if number % 5 == era % 5 && *holder != 0 {
                biography.used(*holder, *word, 24);
                *word = word.used(era);
            }
            if !number.is_multiple_of(3) || era < censuses / 2 {
                *holder = biography.seen(*holder, 1 + (number + era / (1 + number % 4)) % 5, *word, 24);
            }
        }
        batch.begin().unwrap();
        biography.end_census(&mut batch).unwrap();
        batch.census(f64::from(era) * 0.5).unwrap();
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

/// A chain of holders as long as the journal, and deaths at its end; and bands that all stay for all censuses.
#[test]
fn hostile_journals_take_no_time() {
    let mut batch = Batch::new();
    let mut begin = |changing: bool, bands: u32| {
        batch.begin_file(b"", [b"seconds", b"bytes"], changing).unwrap();
        batch.profile(Profile { name: b"x.hp", job: b"x", phases: phases::DRAG | phases::VOID }).unwrap();
        for band in 1..=bands {
            batch.band(0, &band.to_le_bytes()).unwrap();
            batch.atom([band].into_iter()).unwrap();
        }
        batch.sealed().to_vec()
    };
    let many = 8_000;
    let (mut chain, mut wide) = (begin(true, 1), begin(false, many));
    batch.begin().unwrap();
    let long = 40_000;
    for era in 1..=long {
        batch.holder(era, Holder { parent: era - 1, identity: 1, since: era }).unwrap();
        batch.census(f64::from(era)).unwrap();
    }
    for _ in 0..long {
        batch.cell(CellKey::new(long, Phase::Unused, 1), 8, 0).unwrap();
    }
    chain.extend(batch.sealed());
    for (phase, lives) in [(Phase::Unused, 0), (Phase::Before, 8)] {
        batch.begin().unwrap();
        for band in 1..=many {
            batch.cell(CellKey::new(band, phase, 0), 0, 8).unwrap();
        }
        for era in 1..=many {
            batch.census(f64::from(era)).unwrap();
        }
        for band in 1..=many {
            batch.cell(CellKey::new(band, phase, 0), 8, lives).unwrap();
        }
        let mut bytes = wide.clone();
        bytes.extend(batch.sealed());
        let begun = std::time::Instant::now();
        let read = biography::read("x", &bytes, None);
        assert_eq!(
            read.is_err(),
            phase == Phase::Unused,
            "void at each census is too much, and nothing is nothing"
        );
        assert!(begun.elapsed().as_secs() < 20, "{phase:?} took {:?}", begun.elapsed());
    }
    wide.clear();
    let begun = std::time::Instant::now();
    assert!(biography::read("x", &chain, None).is_ok_and(|read| read.heap.times.len() == long as usize + 2));
    assert!(begun.elapsed().as_secs() < 4, "{:?}", begun.elapsed());
}

#[test]
fn fuzz_journal() {
    let files = [
        journal(2, 4, true),
        journal(40, 30, false),
        journal(9, 200, true),
        journal_by_set(12, 60, true),
        journal_by_set(7, 30, false),
    ];
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
