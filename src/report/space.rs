//! The report of per-function space, as the reference's runtime writes it: simple, with copies out of each
//! generation, and full, with kinds of objects. The reference has no place for calls; where they were
//! counted, they follow as a section of their own, behind its layout.

use crate::base::Shown;
use std::io::{self, Write};

/// The amount of detail in a report.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Detail {
    Simple,
    Copies,
    Full,
}

/// The totals of a profile.
pub(crate) struct Heading<'a> {
    /// The title, as `Barrow space profile`.
    pub title: &'a str,
    pub used_bytes: u64,
    pub collections: u64,
    pub functions: u64,
    pub allocated: u64,
    pub copied: u64,
}

/// The numbers of one kind of object.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Kind {
    pub number: u64,
    pub size: u64,
    pub overhead: u64,
}

/// A function's line, and the lines that may follow it.
pub(crate) struct Function<'a> {
    pub name: &'a [u8],
    pub allocated: u64,
    pub copied: u64,
}

pub(crate) fn head(out: &mut dyn Write, heading: &Heading<'_>) -> io::Result<()> {
    writeln!(out, "{} space profile", heading.title)?;
    writeln!(out, "{} bytes used for profiling", heading.used_bytes)?;
    writeln!(out, "{} collections", heading.collections)?;
    writeln!(out, "functions profiled : {}", heading.functions)?;
    writeln!(out, "---")?;
    writeln!(out, "{:>12}{:>12}  name", "alloc", "copied")?;
    let total = Function { name: b"total profiled", allocated: heading.allocated, copied: heading.copied };
    function(out, &total)
}

pub(crate) fn function(out: &mut dyn Write, of: &Function<'_>) -> io::Result<()> {
    write!(out, "{:>12}{:>12}  ", of.allocated, of.copied)?;
    line_of_name(out, of.name)
}

/// Ends a line with a name.
fn line_of_name(out: &mut dyn Write, name: &[u8]) -> io::Result<()> {
    Shown::name(name).write(out)?;
    writeln!(out)
}

/// Writes the heading of the section of calls.
pub(crate) fn calls_head(out: &mut dyn Write, total: u64) -> io::Result<()> {
    writeln!(out, "---")?;
    writeln!(out, "{:>12}  name", "calls")?;
    calls(out, b"total counted", total)
}

/// Writes the calls of a function.
pub(crate) fn calls(out: &mut dyn Write, name: &[u8], calls: u64) -> io::Result<()> {
    write!(out, "{calls:>12}  ")?;
    line_of_name(out, name)
}

/// Writes the bytes copied out of each generation.
pub(crate) fn copies(out: &mut dyn Write, bytes: impl Iterator<Item = u64>) -> io::Result<()> {
    write!(out, "{:>12}", "")?;
    for bytes in bytes {
        write!(out, "{bytes:>12}")?;
    }
    writeln!(out)
}

/// Writes the heading of the table of kinds; the last column is their total.
pub(crate) fn kinds_head<'a>(
    out: &mut dyn Write,
    mut columns: impl Iterator<Item = &'a str>,
) -> io::Result<()> {
    write!(out, "{:>13}{:>19}", "gen", columns.next().unwrap_or(""))?;
    for column in columns {
        write!(out, "{column:>12}")?;
    }
    writeln!(out, "{:>12}", "total")
}

/// Writes three lines for allocated objects (generation 0), or for objects copied out of the generation
/// before.
pub(crate) fn kinds(out: &mut dyn Write, generation: usize, columns: &[Kind]) -> io::Result<()> {
    let line = |out: &mut dyn Write, label: (&str, &str), of: fn(&Kind) -> u64| {
        // Labels end in one column, and "overhead" reaches into the one before.
        write!(out, "{}", label.0)?;
        write!(out, "{:>width$}", label.1, width = 19 - label.0.len())?;
        for (i, kind) in columns.iter().enumerate() {
            let width = if i == 0 { 13 } else { 12 };
            write!(out, "{:>width$}", of(kind))?;
        }
        writeln!(out, "{:>12}", columns.iter().map(of).sum::<u64>())
    };
    let number = crate::base::Sentence::new(format_args!("{generation:>12}"));
    line(out, (number.as_str(), "no"), |kind| kind.number)?;
    line(out, ("", "size"), |kind| kind.size)?;
    line(out, ("", "overhead"), |kind| kind.overhead)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn full(out: &mut Vec<u8>) -> io::Result<()> {
        let out: &mut dyn Write = out;
        head(
            out,
            &Heading {
                title: "MLWorks",
                used_bytes: 28436256,
                collections: 6480,
                functions: 7011,
                allocated: 6651782992,
                copied: 896813760,
            },
        )?;
        function(
            out,
            &Function { name: b"augment_cb[main._toplevel:903]", allocated: 210320, copied: 35944 },
        )?;
        let name = b"<case><Match0>[main._toplevel:1021]";
        function(out, &Function { name, allocated: 1176936, copied: 235368 })?;
        copies(out, [211160, 21440, 2528, 240].into_iter())?;
        let names = ["records", "pairs", "closures", "strings", "arrays", "bytearrays", "code", "weakarrays"];
        kinds_head(out, names.into_iter())?;
        let mut columns = [Kind::default(); 8];
        columns[0] = Kind { number: 40085, size: 747144, overhead: 213232 };
        columns[1] = Kind { number: 52892, size: 423136, overhead: 0 };
        columns[2] = Kind { number: 416, size: 6656, overhead: 1664 };
        kinds(out, 0, &columns)?;
        columns[0] = Kind { number: 194, size: 3112, overhead: 780 };
        columns[1] = Kind { number: 25990, size: 207920, overhead: 0 };
        columns[2] = Kind { number: 8, size: 128, overhead: 32 };
        kinds(out, 1, &columns)?;
        calls_head(out, 1000007)?;
        calls(out, b"<case>[main\n:1]", 7)
    }

    #[test]
    fn the_layout_is_the_references() {
        let mut out = Vec::new();
        full(&mut out).unwrap();
        let rest = "           0           0           0           0           0";
        let expected = format!(
            "\
MLWorks space profile
28436256 bytes used for profiling
6480 collections
functions profiled : 7011
---
       alloc      copied  name
  6651782992   896813760  total profiled
      210320       35944  augment_cb[main._toplevel:903]
     1176936      235368  <case><Match0>[main._toplevel:1021]
                  211160       21440        2528         240
          gen            records       pairs    closures     strings      arrays  bytearrays        code  weakarrays       total
           0     no        40085       52892         416{rest}       93393
               size       747144      423136        6656{rest}     1176936
           overhead       213232           0        1664{rest}      214896
           1     no          194       25990           8{rest}       26192
               size         3112      207920         128{rest}      211160
           overhead          780           0          32{rest}         812
---
       calls  name
     1000007  total counted
           7  <case>[main\\u{{a}}:1]
"
        );
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }
}
