//! Damaged files of every kind, told apart by their content as all commands do it, and what the page is told of them.

use super::Data;
use crate::read::any;
use crate::read::journal_fuzz::journal;
use flate2::{Compression, write::GzEncoder};
use std::io::Write;
use std::path::Path;

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).expect("to memory");
    encoder.finish().expect("to memory")
}

#[test]
fn fuzz_page() {
    let mut files =
        vec![journal(12, 20, true), b"barrowS1\0".to_vec(), b"Tix [TixModule \"M\" 1 1 [1]]".to_vec()];
    for folder in ["hp", "prof", "space", "stops", "samples"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(folder);
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        let read = paths.iter().map(|path| std::fs::read(path).unwrap());
        files.extend(read.filter(|bytes| (100..20_000).contains(&bytes.len())));
    }
    // Some of them as gzip files too, whose damage the inflating has to bear.
    let packed: Vec<Vec<u8>> = files.iter().step_by(5).map(|bytes| gzip(bytes)).collect();
    files.extend(packed);
    assert!(files.len() > 20, "{} files", files.len());
    let words: [&[u8]; 8] = [
        b"BEGIN_SAMPLE 1.5\n",
        b"END_SAMPLE 1.5\n",
        b"COST CENTRE",
        b"{\"",
        b"SET 1 = {<",
        b"\t18446744073709551615\n",
        b"\xff",
        b"-1",
    ];
    crate::fuzz::run(&files, &words, |bytes| {
        let name = "f".to_owned();
        match any::read(name.clone(), bytes, None) {
            Ok(input) => assert!(!Data::new(std::slice::from_ref(&input), false, None).tag.is_empty()),
            Err(error) => assert!(error.to_string().starts_with(&name)),
        }
    });
}
