//! `.mix`: the places of a module's boxes in its source.

use super::haskell::{Literal, Name};
use std::fmt;
use std::io::{Result, Write};

/// A place in a source. Lines and columns count from 1, tabs reach to the next tab stop, and both ends
/// are inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub first_line: u32,
    pub first_column: u32,
    pub last_line: u32,
    pub last_column: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}-{}:{}", self.first_line, self.first_column, self.last_line, self.last_column)
    }
}

/// A decision by a truth value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    Guard,
    Condition,
    Qualifier,
}

/// The part of a program that a box counts.
pub enum Label<'a> {
    Expression {
        alternative: bool,
    },
    TopLevel(&'a str),
    /// A local definition: the names that enclose it, outermost first, and its own.
    Local(&'a [&'a str]),
    /// A decision. The file has two boxes for it, the one for true first.
    Decision {
        decision: Decision,
        outcome: bool,
    },
}

impl fmt::Display for Label<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let truth = |value: bool| if value { "True" } else { "False" };
        match *self {
            Label::Expression { alternative } => write!(f, "ExpBox {}", truth(alternative)),
            Label::TopLevel(name) => write!(f, "TopLevelBox [{}]", Name(name)),
            Label::Local(path) => {
                f.write_str("LocalBox [")?;
                for (number, name) in path.iter().enumerate() {
                    write!(f, "{}{}", if number > 0 { "," } else { "" }, Name(name))?;
                }
                f.write_str("]")
            }
            Label::Decision { decision, outcome } => {
                let kind = match decision {
                    Decision::Guard => "GuardBinBox",
                    Decision::Condition => "CondBinBox",
                    Decision::Qualifier => "QualBinBox",
                };
                write!(f, "BinBox {kind} {}", truth(outcome))
            }
        }
    }
}

/// The head of a file, before the boxes. Its hash is given apart, since it may be made from all the rest.
pub(crate) struct Header<'a> {
    pub source: &'a str,
    pub stamp: Stamp,
    pub tab_width: u32,
}

/// The time of the source's last change.
#[derive(Clone, Copy)]
pub(crate) struct Stamp {
    /// Seconds since 1970, in universal time.
    pub seconds: i64,
    pub nanos: u32,
}

impl Stamp {
    /// Whether the year has four digits, as readers of the format expect.
    pub(crate) fn is_readable(&self) -> bool {
        (FIRST_SECOND..=LAST_SECOND).contains(&self.seconds) && self.nanos < 1_000_000_000
    }
}

// The beginning of the year 1 and the end of the year 9999, in seconds since 1970.
const FIRST_SECOND: i64 = -62_135_596_800;
const LAST_SECOND: i64 = 253_402_300_799;

impl fmt::Display for Stamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (days, second) = (self.seconds.div_euclid(86_400), self.seconds.rem_euclid(86_400));
        let (year, month, day) = civil(days);
        write!(f, "{year:04}-{month:02}-{day:02} ")?;
        write!(f, "{:02}:{:02}:{:02}", second / 3600, second / 60 % 60, second % 60)?;
        if self.nanos > 0 {
            let (mut digits, mut fraction) = (9, self.nanos);
            while fraction.is_multiple_of(10) {
                fraction /= 10;
                digits -= 1;
            }
            write!(f, ".{fraction:0digits$}")?;
        }
        f.write_str(" UTC")
    }
}

/// Year, month and day of a day counted from 1970. Years are taken to begin in March: then the leap day is
/// the last of a year, and 400 years always have the same length.
fn civil(days: i64) -> (i64, i64, i64) {
    let since_march_0 = days + 719_468;
    let (era, day_of_era) = (since_march_0.div_euclid(146_097), since_march_0.rem_euclid(146_097));
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    (era * 400 + year_of_era + i64::from(month <= 2), month, day)
}

/// Writes one box, as a part of the list.
pub(crate) fn write_box(place: Place, label: &Label<'_>, first: bool, out: &mut dyn Write) -> Result<()> {
    write!(out, "{}({place},{label})", if first { "" } else { "," })
}

/// Writes the whole file; `boxes` is the text that `write_box` has written.
pub(crate) fn write(header: &Header<'_>, hash: u32, boxes: &[u8], out: &mut dyn Write) -> Result<()> {
    write!(out, "Mix {} {} {hash} {} [", Literal(header.source), header.stamp, header.tab_width)?;
    out.write_all(boxes)?;
    out.write_all(b"]")
}

/// A hash of the whole file, never 0: the same module has the same hash in every build, and another one
/// hardly ever. It tells versions apart, and is no defence.
pub(crate) fn hash(header: &Header<'_>, boxes: &[u8]) -> u32 {
    let mut hash = Fnv(0xcbf2_9ce4_8422_2325);
    // Hashing does not fail.
    let _ = write(header, 0, boxes, &mut hash);
    let folded = (hash.0 ^ hash.0 >> 32) as u32;
    if folded == 0 { 1 } else { folded }
}

struct Fnv(u64);

impl Write for Fnv {
    fn write(&mut self, text: &[u8]) -> Result<usize> {
        for &byte in text {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        Ok(text.len())
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stamps_are_those_of_the_calendar() {
        for (seconds, nanos, text) in [
            (0, 0, "1970-01-01 00:00:00 UTC"),
            (1_795_224_997, 105_380_075, "2026-11-21 01:36:37.105380075 UTC"),
            (951_782_400, 500_000_000, "2000-02-29 00:00:00.5 UTC"),
            (-1, 10, "1969-12-31 23:59:59.00000001 UTC"),
            (FIRST_SECOND, 0, "0001-01-01 00:00:00 UTC"),
            (LAST_SECOND, 0, "9999-12-31 23:59:59 UTC"),
        ] {
            assert_eq!(Stamp { seconds, nanos }.to_string(), text);
        }
    }

    #[test]
    fn a_file_is_as_the_compiler_of_the_reference_writes_it() {
        let header = Header { source: "a\"b.scm", stamp: Stamp { seconds: 0, nanos: 0 }, tab_width: 8 };
        let place = Place { first_line: 1, first_column: 2, last_line: 3, last_column: 4 };
        let mut boxes = Vec::new();
        let labels = [
            Label::Expression { alternative: true },
            Label::TopLevel("f"),
            Label::Local(&["f", "<g>"]),
            Label::Decision { decision: Decision::Guard, outcome: true },
            Label::Decision { decision: Decision::Guard, outcome: false },
        ];
        for (number, label) in labels.iter().enumerate() {
            write_box(place, label, number == 0, &mut boxes).unwrap();
        }
        let mut text = Vec::new();
        write(&header, 7, &boxes, &mut text).unwrap();
        assert_eq!(
            String::from_utf8(text).unwrap(),
            "Mix \"a\\\"b.scm\" 1970-01-01 00:00:00 UTC 7 8 [(1:2-3:4,ExpBox True),(1:2-3:4,TopLevelBox [\"f\"]),\
             (1:2-3:4,LocalBox [\"f\",\"<g>\"]),(1:2-3:4,BinBox GuardBinBox True),(1:2-3:4,BinBox GuardBinBox False)]"
        );
        let known = hash(&header, &boxes);
        assert_eq!(known, hash(&header, &boxes));
        assert_ne!(known, hash(&header, &boxes[..boxes.len() - 30]));
        assert_ne!(known, hash(&Header { tab_width: 4, ..header }, &boxes));
    }
}
