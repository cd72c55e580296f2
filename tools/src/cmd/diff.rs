//! `barrow diff`: what changed between two runs, as a table or as a page.

use super::view;
use crate::diff::{self, Basis, Row};
use crate::draw::amount;
use crate::prof::Measure;
use crate::read::any::{self, Profile};
use clap::Args;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// Tells what changed from one run to another
///
/// Compares two heap profiles band by band, or two time and allocation reports centre by centre, the greatest change
/// first. Numbers of stacks differ between runs and are left out of the names.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  barrow diff before.hp after.hp                what the heap held, on average
  barrow diff before.hp after.hp --by peak      when each was greatest
  barrow diff before.prof after.prof            where the bytes were allocated
  barrow diff old.hp new.hp --html diff.html    the same as a page to look through

Exit status: 0 done, 1 the input is wrong or the output can't be written, 2 the command line is wrong.")]
pub struct Diff {
    /// The earlier profile
    before: PathBuf,
    /// The later profile
    after: PathBuf,
    /// Heap profiles: the figure to compare [default: mean]
    #[arg(long)]
    by: Option<Basis>,
    /// Reports: the weight to compare [default: alloc]
    #[arg(long)]
    measure: Option<Measure>,
    /// The number of rows; 0 for all
    #[arg(long, default_value_t = 20)]
    top: usize,
    /// Write a page instead of a table
    #[arg(long, value_name = "PAGE", conflicts_with_all = ["by", "measure", "top"])]
    html: Option<PathBuf>,
}

pub fn run(command: &Diff) -> ExitCode {
    match compare(command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("barrow diff: {message}");
            ExitCode::FAILURE
        }
    }
}

fn compare(command: &Diff) -> Result<(), String> {
    let open = |path| any::open(path).map_err(|error| error.to_string());
    let inputs = [open(&command.before)?, open(&command.after)?];
    for input in &inputs {
        input.notes.iter().for_each(|note| eprintln!("barrow diff: {}: {note}", input.name));
    }
    view::comparable(&inputs, true)?;
    if let Some(page) = &command.html {
        return view::write_page(&inputs, true, page);
    }
    let (rows, bytes) = match (&inputs[0].profile, &inputs[1].profile) {
        (Profile::Heap(before), Profile::Heap(after)) => {
            if command.measure.is_some() {
                return Err(
                    "--measure is for reports; heap profiles are compared --by mean, peak or end".into()
                );
            }
            let bytes = after.header.value_unit.as_bytes() == b"bytes";
            (diff::heaps(before, after, command.by.unwrap_or(Basis::Mean)), bytes)
        }
        (Profile::Prof(before), Profile::Prof(after)) => {
            if command.by.is_some() {
                return Err(
                    "--by is for heap profiles; reports are compared by --measure alloc, time or entries"
                        .into(),
                );
            }
            let measure = command.measure.unwrap_or(Measure::Alloc);
            match (&before.report, &after.report) {
                (Some(before), Some(after)) => {
                    (diff::reports(before, after, measure), measure == Measure::Alloc)
                }
                _ => return Err("there is no report to compare".into()),
            }
        }
        _ => return Err("the two files are profiles of different kinds".into()),
    };
    let top = if command.top == 0 { rows.len() } else { command.top };
    match print(&rows, top, bytes, &mut io::stdout().lock()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.to_string()),
        _ => Ok(()),
    }
}

fn print(rows: &[Row], top: usize, bytes: bool, out: &mut dyn Write) -> io::Result<()> {
    let sum = |rows: &[Row]| Row {
        name: String::new(),
        before: rows.iter().map(|row| row.before).sum(),
        after: rows.iter().map(|row| row.after).sum(),
    };
    let line = |row: &Row, name: &str, out: &mut dyn Write| {
        let plus = if row.change() > 0.0 { "+" } else { "" };
        let change = format!("{plus}{}", amount(row.change(), bytes));
        writeln!(
            out,
            "{change:>12} {:>12} {:>12}  {name}",
            amount(row.before, bytes),
            amount(row.after, bytes)
        )
    };
    writeln!(out, "{:>12} {:>12} {:>12}  name", "change", "before", "after")?;
    for row in rows.iter().take(top) {
        line(row, &row.name, out)?;
    }
    if rows.len() > top {
        line(&sum(&rows[top..]), &format!("({} more)", rows.len() - top), out)?;
    }
    line(&sum(rows), "all", out)
}
