//! Broken profiles must be refused or drawn, never panic, and never take more memory than their size explains.

use super::bands::Bands;
use super::flags::{self, Flags, Request};
use super::layout::Layout;
use super::previous::Previous;
use super::shades::Shades;
use super::{message, page, previous};
use crate::fuzz::{self, Random};
use crate::read::hp::{self, Rules};
use std::cell::Cell;
use std::ffi::OsString;
use std::path::Path;

/// One case: the bytes as a profile under both rules, drawn with flags that depend on them. Whether it was drawn.
fn body(bytes: &[u8]) -> bool {
    let strict = hp::read(bytes, Rules::Strict);
    let profile = match hp::read(bytes, Rules::Tolerant) {
        Ok(profile) => profile,
        Err(error) => {
            assert!(strict.is_err(), "what the strict rules take, the tolerant ones take");
            assert!(!error.at("f").is_empty() && !message::of(&error, "f").is_empty());
            return false;
        }
    };
    if let Ok(mut strict) = strict {
        // The tolerant rules leave a mark out whose number may go on behind the end.
        if strict.marks.len() == profile.marks.len() + 1 {
            strict.marks.pop();
        }
        assert_eq!(strict, profile);
    }
    assert!(profile.times.windows(2).all(|pair| pair[0] <= pair[1]));
    for band in &profile.bands {
        let sum = band.series.iter().map(|(sample, value)| {
            assert!(sample < profile.times.len());
            u128::from(value)
        });
        assert_eq!(sum.sum::<u128>(), band.series.total());
    }
    let flags = flags_for(bytes);
    let bands = Bands::choose(&profile, &flags, &Previous::default());
    let layout = Layout::of(&profile, &bands, &flags, &Previous::default());
    let mut shades = Shades::new(flags.colour, Default::default());
    let (mut ps, mut aux) = (Vec::new(), Vec::new());
    page::write(&mut ps, &profile, &bands, &layout, &mut shades, &flags).expect("memory takes it all");
    previous::write(&mut aux, &bands, &layout, &mut shades).expect("memory takes it all");
    assert!(layout.graph_width >= 200.0);
    assert!(
        !ps.windows(3).any(|window| window == b"NaN" || window == b"inf") || says(bytes, &[b"NaN", b"inf"])
    );
    Previous::parse(&aux).expect("what was written can be read");
    true
}

fn says(bytes: &[u8], words: &[&[u8]]) -> bool {
    words.iter().any(|word| bytes.windows(word.len()).any(|window| window == *word))
}

fn flags_for(bytes: &[u8]) -> Flags {
    let sum = bytes.iter().fold(1u64, |sum, &byte| sum.wrapping_mul(31).wrapping_add(u64::from(byte)));
    let mut random = Random(sum | 1);
    let all =
        ["-b", "-s", "-c", "-d", "-i", "-i-", "-e300", "-g", "-l", "-m3", "-m25", "-M", "-t0", "-t5", "-y"];
    let args: Vec<OsString> = (0..random.below(5)).map(|_| all[random.below(all.len())].into()).collect();
    match flags::parse(&args) {
        Ok(Request::Draw(flags)) => flags,
        other => panic!("{other:?}"),
    }
}

fn files(folder: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(folder);
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).unwrap()).collect()
}

#[test]
fn fuzz_hp() {
    let mut profiles = files("src/hp-made");
    profiles.extend(files("hp").into_iter().filter(|bytes| (500..12_000).contains(&bytes.len())));
    let words: &[&[u8]] = &[
        b"JOB ",
        b"DATE \"x\"\n",
        b"SAMPLE_UNIT",
        b"VALUE_UNIT\t",
        b"BEGIN_SAMPLE 0.5\n",
        b"BEGIN_SAMPLE ",
        b"END_SAMPLE 0.5\n",
        b"END_SAMPLE ",
        b"MARK 1.0\n",
        b"MARK",
        b"\t18446744073709551615\n",
        b"\t9\n",
        b"\"",
        b"\"\"",
        b"\n",
        b"\r\n",
        b" ",
        b"\0",
        b"99999999999999999999999999999999.0",
        b"0.0",
        b"a b\t1\n",
        b"(1)\\",
        b"\xff\xfe",
        b"a\t1\nb\t2\n",
    ];
    let (drawn, refused) = (Cell::new(0), Cell::new(0));
    fuzz::run(&profiles, words, |bytes| {
        let count = if body(bytes) { &drawn } else { &refused };
        count.set(count.get() + 1);
    });
    // Else the mutations are too wild, or too tame, to show anything.
    assert!(drawn.get() > refused.get() / 10 && refused.get() > drawn.get() / 10, "{drawn:?} {refused:?}");
    println!("{} drawn", drawn.get());
}

#[test]
fn fuzz_hp_aux() {
    let words: &[&[u8]] = &[
        b"X_RANGE ",
        b"Y_RANGE 1.5\n",
        b"ORDER a 1\n",
        b"SHADE ",
        b"0.5\n",
        b" ",
        b"\n",
        b"99999999999999999999",
    ];
    fuzz::run(&files("src/aux-made"), words, |bytes| drop(Previous::parse(bytes)));
}
