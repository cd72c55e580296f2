//! A time and allocation profile as the references' text report.

use super::cost::{Arranged, CostProfile, Placed};
use super::number::{Commas, share};
use crate::base::Shown;
use crate::base::decimal::Fixed;
use crate::base::flag::CostReport;
use std::io::{Result, Write};

/// Levels by which a stack is indented, at most: lines as long as the tree is deep would make a file of
/// gigabytes for a program with 100,000 functions that call each other in a row. JSON has every level.
const MOST_LEVELS: usize = 1000;

/// The indentation of a stack, in blanks.
fn indent(at: &Placed) -> usize {
    (at.level as usize).min(MOST_LEVELS)
}

fn width(name: &str) -> usize {
    Shown::name(name.as_bytes()).width()
}

/// Writes a name, and blanks up to a width.
fn left(out: &mut impl Write, name: &str, room: usize) -> Result<()> {
    Shown::name(name.as_bytes()).write(out)?;
    blanks(out, room.saturating_sub(width(name)))
}

/// Writes blanks, however many: a format's width is refused from 65536 on.
fn blanks(out: &mut impl Write, count: usize) -> Result<()> {
    const SOME: [u8; 64] = [b' '; 64];
    for start in (0..count).step_by(SOME.len()) {
        out.write_all(&SOME[..SOME.len().min(count - start)])?;
    }
    Ok(())
}

fn percent(part: u64, whole: u64) -> f64 {
    share(part as f64, whole as f64) * 100.0
}

pub fn write(out: &mut impl Write, profile: &CostProfile<'_>, arranged: &Arranged) -> Result<()> {
    head(out, profile, arranged)?;
    centres(out, profile, arranged)?;
    write!(out, "\n\n")?;
    stacks(out, profile, arranged)
}

fn head(out: &mut impl Write, profile: &CostProfile<'_>, arranged: &Arranged) -> Result<()> {
    writeln!(out, "\t{} Time and Allocation Profiling Report  (Final)\n", profile.date)?;
    write!(out, "\t  ")?;
    word(out, profile.base_name())?;
    word(out, b"+RTS")?;
    for flag in profile.flags.split_ascii_whitespace() {
        word(out, flag.as_bytes())?;
    }
    word(out, b"-RTS")?;
    for argument in profile.arguments.split_inclusive(|&byte| byte == 0) {
        word(out, argument.strip_suffix(&[0]).unwrap_or(argument))?;
    }
    let (ticks, us) = (arranged.ticks, profile.tick_us);
    let seconds = Fixed(profile.seconds(ticks), 2);
    writeln!(out, "\n\n\ttotal time  = {seconds:>11} secs   ({ticks} ticks @ {us} us, 1 processor)")?;
    let bytes = Commas(arranged.bytes);
    writeln!(out, "\ttotal alloc = {bytes:>11} bytes  (excludes profiling overheads)\n")
}

fn word(out: &mut impl Write, word: &[u8]) -> Result<()> {
    out.write_all(b" ")?;
    Shown::whole(word).write(out)
}

fn is_detailed(profile: &CostProfile<'_>) -> bool {
    profile.detail != CostReport::Standard
}

/// The width of a column, from its heading and its texts.
fn widest(heading: &str, texts: impl Iterator<Item = usize>) -> usize {
    texts.max().unwrap_or(0).max(heading.len())
}

/// Writes the names of the first columns in these widths, each with a blank behind it.
fn heading(out: &mut impl Write, widths: [usize; 3]) -> Result<()> {
    for (text, width) in ["COST CENTRE", "MODULE", "SRC"].into_iter().zip(widths) {
        left(out, text, width + 1)?;
    }
    Ok(())
}

fn centres(out: &mut impl Write, profile: &CostProfile<'_>, arranged: &Arranged) -> Result<()> {
    let rows = || arranged.centres.iter().map(|&at| &profile.centres[at as usize]);
    let labels = widest("COST CENTRE", rows().map(|row| width(row.label)));
    let modules = widest("MODULE", rows().map(|row| width(row.module)));
    let sources = widest("SRC", rows().map(|row| width(row.source)));
    let detailed = is_detailed(profile);
    heading(out, [labels, modules, sources])?;
    write!(out, " %time %alloc")?;
    writeln!(out, "{}\n", if detailed { "  ticks     bytes" } else { "" })?;
    for row in rows().filter(|row| !row.hidden || profile.detail == CostReport::All) {
        left(out, row.label, labels + 1)?;
        left(out, row.module, modules + 1)?;
        left(out, row.source, sources + 1)?;
        let (time, alloc) = (percent(row.ticks, arranged.ticks), percent(row.bytes, arranged.bytes));
        write!(out, "{:>6} {:>6}", Fixed(time, 1), Fixed(alloc, 1))?;
        if detailed {
            write!(out, "  {:5} {:9}", row.ticks, row.bytes)?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn stacks(out: &mut impl Write, profile: &CostProfile<'_>, arranged: &Arranged) -> Result<()> {
    let centre = |stack: u32| &profile.centres[profile.stacks[stack as usize].centre as usize];
    let tree = || arranged.tree.iter();
    let labels = widest("COST CENTRE", tree().map(|at| width(centre(at.stack).label) + indent(at)));
    let modules = widest("MODULE", tree().map(|at| width(centre(at.stack).module)));
    let sources = widest("SRC", tree().map(|at| width(centre(at.stack).source)));
    let digits = |number: u32| number.checked_ilog10().unwrap_or(0) as usize + 1;
    let numbers = widest("no.", tree().map(|at| digits(profile.stacks[at.stack as usize].number)));
    let detailed = is_detailed(profile);
    blanks(out, labels + modules + sources + numbers + 3)?;
    writeln!(out, " {:>11}  {:>12}   {:>12}", "", "individual", "inherited")?;
    heading(out, [labels, modules, sources])?;
    write!(out, "{:numbers$} {:>11}  {:>5} {:>6}   ", "no.", "entries", "%time", "%alloc")?;
    write!(out, "{:>5} {:>6}", "%time", "%alloc")?;
    writeln!(out, "{}\n", if detailed { "  ticks     bytes" } else { "" })?;
    for at in tree().filter(|at| !at.hidden) {
        let (row, names) = (&profile.stacks[at.stack as usize], centre(at.stack));
        blanks(out, indent(at))?;
        left(out, names.label, labels + 1 - indent(at))?;
        left(out, names.module, modules + 1)?;
        left(out, names.source, sources + 1)?;
        write!(out, "{:numbers$} {:11}", row.number, row.entries)?;
        let inherited = (at.inherited_ticks, at.inherited_bytes);
        for ((ticks, bytes), between) in [((row.ticks, row.bytes), " "), (inherited, "")] {
            let (time, alloc) = (percent(ticks, arranged.ticks), percent(bytes, arranged.bytes));
            write!(out, "  {:>5}  {:>5}{between}", Fixed(time, 1), Fixed(alloc, 1))?;
        }
        if detailed {
            write!(out, "  {:5} {:9}", row.ticks, row.bytes)?;
        }
        writeln!(out)?;
    }
    Ok(())
}
