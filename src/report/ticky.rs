//! A report of ticky counters: a part for people, a table of functions, then every counter with its name.
//!
//! The layout is that of the references' runtime. With `heap`, the blocks that only their users' guide shows
//! are written too.

use super::number::share;
use super::ticky_blocks;
use crate::base::Shown;
use crate::heap::mutator::ticky::{Needs, ROWS, Row, Ticky};
use std::io::{Result, Write};

/// A function that was entered or has allocated.
#[derive(Clone, Copy, Debug)]
pub struct FunctionRow<'a> {
    pub entries: u64,
    pub allocated_by: u64,
    pub allocated_of: u64,
    pub arity: u32,
    /// The kinds of the arguments, a letter for each.
    pub arguments: &'a str,
    pub name: &'a str,
    pub module: &'a str,
    /// The kind of closure: `fun`, `thk`, `con`, ...
    pub what: &'a str,
    /// The function that it is local to; empty when that is not known.
    pub parent: &'a str,
    pub exported: bool,
}

pub struct TickyReport<'a> {
    pub counters: &'a Ticky,
    /// The functions, newest first.
    pub functions: &'a [FunctionRow<'a>],
    pub validity: Validity,
    /// The page that explains the table of functions.
    pub explained: &'a str,
    /// Number of rows that are written.
    pub rows: usize,
    pub heap: bool,
}

/// The flags of a heap that decide which counters mean something.
#[derive(Clone, Copy, Debug)]
pub struct Validity {
    pub squeezes: bool,
    pub selects: bool,
    pub generations: usize,
}

impl Validity {
    /// The flag that a counter needs to mean something; none if it does already.
    fn wrong(self, needs: Needs) -> Option<&'static str> {
        match needs {
            Needs::NoSqueezing if self.squeezes => Some("-Z"),
            Needs::Selectors if !self.selects => Some("--selectors=on"),
            Needs::OldGeneration if self.generations < 2 => Some("-G2"),
            _ => None,
        }
    }
}

const STARS: &str = "**************************************************";
const DASHES: &str = "--------------------------------------------------------------------------------";

/// Writes the report behind the line of the command.
pub fn write(out: &mut impl Write, report: &TickyReport<'_>) -> Result<()> {
    writeln!(out)?;
    if report.heap {
        ticky_blocks::allocations(out, report.counters)?;
    }
    ticky_blocks::stack_and_entries(out, report)?;
    ticky_blocks::returns(out, report)?;
    ticky_blocks::updates(out, report)?;
    writeln!(out, "\nThe following table is explained by {}", report.explained)?;
    writeln!(out, "All allocation numbers are in bytes.\n\n{STARS}\n")?;
    writeln!(out, "    Entries      Alloc    Alloc'd  Non-void Arguments      STG Name\n{DASHES}")?;
    for function in report.functions {
        self::function(out, function)?;
    }
    writeln!(out, "\n{STARS}")?;
    for row in &ROWS[..report.rows] {
        counter(out, report, row)?;
    }
    Ok(())
}

fn function(out: &mut impl Write, row: &FunctionRow<'_>) -> Result<()> {
    // A blank follows each number, so that a large one does not run into the next.
    write!(out, "{:>11} {:>10} {:>10} {:>3} ", row.entries, row.allocated_by, row.allocated_of, row.arity)?;
    text(out, row.arguments)?;
    let missing = 20usize.saturating_sub(Shown::name(row.arguments.as_bytes()).width());
    write!(out, "{:missing$} ", "")?;
    if row.exported && !row.module.is_empty() {
        text(out, row.module)?;
        out.write_all(b".")?;
    }
    text(out, row.name)?;
    if !row.exported && !row.module.is_empty() {
        out.write_all(b" (")?;
        text(out, row.module)?;
        out.write_all(b")")?;
    }
    out.write_all(b" (")?;
    text(out, row.what)?;
    out.write_all(b")")?;
    if !row.parent.is_empty() {
        out.write_all(b" in ")?;
        text(out, row.parent)?;
    }
    writeln!(out)
}

fn text(out: &mut impl Write, text: &str) -> Result<()> {
    Shown::name(text.as_bytes()).write(out)
}

fn counter(out: &mut impl Write, report: &TickyReport<'_>, row: &Row) -> Result<()> {
    for column in 0..planted!(64, row.columns.min(8), row.columns) {
        let value = report.counters.word(row.at + column);
        write!(out, "{value:>11} ")?;
        match report.validity.wrong(row.needs) {
            None => write!(out, "{}", row.name)?,
            Some(flag) => {
                write!(out, "{}!{} requires +RTS {flag}", &row.name[..1], &row.name[1..])?;
            }
        }
        if row.is_histogram() {
            write!(out, "_{column}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// A share in percent, 0 of nothing.
pub fn percent(part: u64, whole: u64) -> f64 {
    share(part as f64, whole as f64) * 100.0
}
