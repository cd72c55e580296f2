//! Writes a whole, strict `.hp`: from one that was cut short, came with odd line ends or over a pipe.

use crate::model::{HeapProfile, Text};
use crate::sort;
use std::io::{self, Write};

pub fn write(heap: &HeapProfile, out: &mut dyn Write) -> io::Result<()> {
    let header = &heap.header;
    let words = [
        ("JOB", &header.job),
        ("DATE", &header.date),
        ("SAMPLE_UNIT", &header.sample_unit),
        ("VALUE_UNIT", &header.value_unit),
    ];
    for (word, text) in words {
        write!(out, "{word} \"")?;
        for &byte in text.as_bytes() {
            out.write_all(if byte == b'"' { b"\"\"" } else { std::slice::from_ref(&byte) })?;
        }
        writeln!(out, "\"")?;
    }
    let names: Vec<Vec<u8>> = heap.bands.iter().map(|band| one_word(&band.name)).collect();
    let mut series: Vec<_> = heap.bands.iter().map(|band| band.series.iter().peekable()).collect();
    for (sample, time) in heap.times.iter().enumerate() {
        writeln!(out, "BEGIN_SAMPLE {time:.6}")?;
        for (name, series) in names.iter().zip(&mut series) {
            if let Some((_, value)) = series.next_if(|&(at, _)| at == sample) {
                out.write_all(name)?;
                writeln!(out, "\t{value}")?;
            }
        }
        writeln!(out, "END_SAMPLE {time:.6}")?;
    }
    // Many readers end the file at a line between samples that is none of theirs.
    let mut marks = heap.marks.clone();
    sort::by(&mut marks, f64::total_cmp);
    marks.into_iter().try_for_each(|mark| writeln!(out, "MARK {mark:.6}"))
}

/// Readers of the format take a name to be one word that is none of theirs.
fn one_word(name: &Text) -> Vec<u8> {
    const KEYWORDS: [&[u8]; 7] =
        [b"JOB", b"DATE", b"SAMPLE_UNIT", b"VALUE_UNIT", b"BEGIN_SAMPLE", b"END_SAMPLE", b"MARK"];
    let mut word: Vec<u8> = name
        .as_bytes()
        .iter()
        .map(|&byte| if byte.is_ascii_whitespace() || byte == 11 { b'_' } else { byte })
        .collect();
    if KEYWORDS.contains(&word.as_slice()) || word.first() == Some(&b'"') {
        word.insert(0, b'_');
    }
    word
}
