//! A heap profile, `.hp`, byte for byte as the references' runtime writes it; `hp2ps` reads it.
//!
//! The reader takes words up to the next white space, keywords wherever they are, and at most 4999 bytes. So
//! a name that would not be read back as one word is written a little differently: see `identity::printed`.

use crate::base::Shown;
use crate::base::decimal::Fixed;
use crate::base::shown::LONGEST_JOINED;
use crate::identity::printed;
use std::io::{Result, Write};

/// Writes the JOB line: the program, its arguments and flags. `arguments` end with NUL each, as the system
/// gives them; those between `+RTS` and `-RTS` are left out, and the flags in force are written instead.
/// `word` is added at the end.
pub(crate) fn job(out: &mut impl Write, arguments: &[u8], flags: &str, word: &str) -> Result<()> {
    out.write_all(b"JOB \"")?;
    let mut inside = false;
    for (number, argument) in arguments.split_inclusive(|&byte| byte == 0).enumerate() {
        let argument = argument.strip_suffix(&[0]).unwrap_or(argument);
        match argument {
            b"+RTS" => inside = true,
            b"-RTS" if inside => inside = false,
            _ if inside => {}
            _ if number == 0 => {
                quoted(out, argument.rsplit(|&byte| byte == b'/').next().unwrap_or(argument))?
            }
            _ => {
                out.write_all(b" ")?;
                quoted(out, argument)?;
            }
        }
    }
    out.write_all(b" +RTS")?;
    for flag in flags.split_ascii_whitespace() {
        out.write_all(b" ")?;
        quoted(out, flag.as_bytes())?;
    }
    quoted(out, word.as_bytes())?;
    out.write_all(b"\"\n")
}

/// Writes a text in one line, whatever characters it has.
fn quoted(out: &mut impl Write, text: &[u8]) -> Result<()> {
    for part in text.split_inclusive(|&byte| byte == b'"') {
        Shown::whole(part).write(out)?;
        if part.ends_with(b"\"") {
            out.write_all(b"\"")?;
        }
    }
    Ok(())
}

/// The rest of the head, and the empty sample that every profile begins with.
pub(crate) fn head(out: &mut impl Write, date: &str) -> Result<()> {
    writeln!(out, "DATE \"{date}\"\nSAMPLE_UNIT \"seconds\"\nVALUE_UNIT \"bytes\"")?;
    sample(out, 0.0, std::iter::empty())
}

/// A band of a sample.
pub struct Band<'a> {
    name: &'a [u8],
    dots: bool,
    bytes: u64,
}

impl<'a> Band<'a> {
    pub fn plain(name: &'a [u8], bytes: u64) -> Band<'a> {
        Band { name, dots: false, bytes }
    }

    /// A band such as `(12)parse/main`, whose part behind the number may have `room` bytes. The references
    /// cut a longer one to four bytes less and add dots.
    pub fn stack(name: &'a [u8], bytes: u64, room: usize) -> Band<'a> {
        let number = name.iter().position(|&byte| byte == b')').filter(|_| name.starts_with(b"("));
        let start = number.map_or(0, |at| at + 1);
        if name.len() - start <= room || number.is_none() {
            return Band::plain(name, bytes);
        }
        let kept = cut(&name[start..], room.saturating_sub(4)).len();
        Band { name: &name[..start + kept], dots: true, bytes }
    }

    /// A band such as `(71)doFile,synth`, of which `room` bytes are written: the references add no dots here.
    /// With `room` for all that a word holds, a longer name gets the mark of a cut word.
    pub fn set(name: &'a [u8], bytes: u64, room: usize) -> Band<'a> {
        Band::plain(if room < LONGEST_JOINED { cut(name, room) } else { name }, bytes)
    }
}

/// Writes one whole sample. Bands of 0 bytes are left out.
pub(crate) fn sample<'a>(
    out: &mut impl Write,
    seconds: f64,
    bands: impl Iterator<Item = Band<'a>>,
) -> Result<()> {
    begin(out, seconds)?;
    for one in bands.filter(|band| band.bytes > 0) {
        band(out, one)?;
    }
    end(out, seconds)
}

pub(crate) fn begin(out: &mut impl Write, seconds: f64) -> Result<()> {
    writeln!(out, "BEGIN_SAMPLE {}", Fixed(seconds, 6))
}

pub(crate) fn band(out: &mut impl Write, band: Band<'_>) -> Result<()> {
    name(out, band.name)?;
    writeln!(out, "{}\t{}", if band.dots { "..." } else { "" }, band.bytes)
}

pub(crate) fn end(out: &mut impl Write, seconds: f64) -> Result<()> {
    writeln!(out, "END_SAMPLE {}", Fixed(seconds, 6))
}

pub(crate) fn mark(out: &mut impl Write, seconds: f64) -> Result<()> {
    writeln!(out, "MARK {}", Fixed(seconds, 6))
}

fn name(out: &mut impl Write, text: &[u8]) -> Result<()> {
    printed::write(text, &mut |piece| out.write_all(piece))
}

/// At most `room` bytes of a text, ending with a whole character.
fn cut(text: &[u8], room: usize) -> &[u8] {
    if text.len() <= room {
        return text;
    }
    let mut end = room;
    while end > 0 && text[end] & 0xc0 == 0x80 {
        end -= 1;
    }
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes the references' files again from their contents.
    #[test]
    fn files_are_the_references() {
        for file in ["leak-hT", "leak-hy", "names-hd", "tiny-args", "leak-hd-hrmain"] {
            let path = format!("{}/tools/tests/fixtures/hp/{file}.hp", env!("CARGO_MANIFEST_DIR"));
            let wanted = std::fs::read_to_string(path).unwrap();
            let lines: Vec<&str> = wanted.lines().collect();
            let between = |line: &str| line.split_once('"').unwrap().1.strip_suffix('"').unwrap().to_string();
            let whole = between(lines[0]).replace("\"\"", "\"");
            let (program, flags) = whole.split_once(" +RTS").unwrap();
            let mut text = Vec::new();
            // The arguments are given as they were, with the blanks inside them.
            job(&mut text, format!("/some/where/{program}\0").as_bytes(), flags, "").unwrap();
            head(&mut text, &between(lines[1])).unwrap();
            let mut at = 6;
            while at < lines.len() {
                let seconds: f64 = lines[at].strip_prefix("BEGIN_SAMPLE ").unwrap().parse().unwrap();
                let end = at + lines[at..].iter().position(|line| line.starts_with("END_SAMPLE")).unwrap();
                let bands = lines[at + 1..end].iter().map(|line| {
                    let (band, bytes) = line.split_once('\t').unwrap();
                    Band::plain(band.as_bytes(), bytes.parse().unwrap())
                });
                sample(&mut text, seconds, bands).unwrap();
                at = end + 1;
            }
            assert_eq!(String::from_utf8(text).unwrap(), wanted, "{file}");
        }
    }

    /// Stacks in full and cut, as in the references' samples.
    #[test]
    fn stacks_are_cut_as_the_references_do() {
        let cut = |text: &str, room: usize| {
            let mut out = Vec::new();
            sample(&mut out, 0.0, [Band::stack(text.as_bytes(), 8, room)].into_iter()).unwrap();
            String::from_utf8(out).unwrap().lines().nth(1).unwrap().split('\t').next().unwrap().to_string()
        };
        assert_eq!(cut("(306)mkWords/words/main.ws/main/Main.CAF", 25), "(306)mkWords/words/main.ws...");
        assert_eq!(cut("(299)report/main", 25), "(299)report/main");
        assert_eq!(
            (cut("MAIN", 2), cut("(before profiling)", 25)),
            ("MAIN".into(), "(before_profiling)".into())
        );
    }

    #[test]
    fn names_are_one_word() {
        let written = |text: &str| {
            let mut out = Vec::new();
            name(&mut out, text.as_bytes()).unwrap();
            String::from_utf8(out).unwrap()
        };
        assert_eq!(written("(before profiling)"), "(before_profiling)");
        assert_eq!(
            (written("\"x\""), written("DATE"), written("DATES")),
            ("'x\"".into(), "<DATE>".into(), "DATES".into())
        );
        assert_eq!((written(""), written("a\tb\nc")), ("<>".into(), "a_b_c".into()));
        let long = written(&"é".repeat(3000));
        assert!(long.ends_with("é...") && long.len() == 4899);
        assert_eq!(cut("aé".as_bytes(), 2), b"a");
    }
}
