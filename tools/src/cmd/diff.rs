//! `barrow diff`: what changed between two runs, as a table or as a page.

use super::view;
use crate::diff::{self, Basis, Row, ground};
use crate::draw::amount;
use crate::out::{self, tell};
use crate::prof::{Measure, Report};
use crate::read::any::{self, Profile};
use crate::sampled::Sampled;
use barrow::base::Shown;
use clap::Args;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// Tells what changed from one run to another
///
/// Compares two heap profiles band by band, two snapshots of the object graph type by type, two profiles of samples (pprof)
/// function by function, or two time and allocation reports centre by centre, the greatest change first. Numbers of stacks differ between runs and are left out of the names. Profiles whose bands are not the same things
/// (`-hd` beside `-hy`) are refused; ticks of another length and centres that only one report counts are brought onto
/// common ground first, which standard error tells. Changes that percentages with one decimal cannot tell are rounding.
#[derive(Args)]
#[command(after_long_help = "\
Examples:
  barrow diff before.hp after.hp                what the heap held, on average
  barrow diff before.hp after.hp --by peak      when each was greatest
  barrow diff before.prof after.prof            where the bytes were allocated
  barrow diff old.hp new.hp --html diff.html    the same as a page to look through
  barrow diff before.snapshot after.snapshot    which types grew
  barrow diff before.pprof after.pprof          which functions hold more
  barrow diff old.ticky new.ticky --counters    what the code did more often, or less

Exit status: 0 done, 1 the input is wrong or the output can't be written, 2 the command line is wrong.")]
pub struct Diff {
    /// The earlier profile
    before: PathBuf,
    /// The later profile
    after: PathBuf,
    /// Heap profiles: the figure to compare [default: mean]
    #[arg(long)]
    by: Option<Basis>,
    /// Reports: the weight to compare [default: alloc if any was told, else entries]
    #[arg(long)]
    measure: Option<Measure>,
    /// Reports of ticky counters: compare the counters and not the functions
    #[arg(long, conflicts_with = "measure")]
    counters: bool,
    /// Samples: the value to compare, such as alloc_space [default: the later file's own, else its last]
    #[arg(long, value_name = "NAME")]
    value: Option<String>,
    /// Samples: compare what has the same label, such as type, and not functions
    #[arg(long, value_name = "KEY")]
    label: Option<String>,
    /// The number of rows; 0 for all
    #[arg(long, default_value_t = 20, value_parser = super::rows, allow_negative_numbers = true)]
    top: usize,
    /// Write a page instead of a table
    #[arg(long, value_name = "PAGE", conflicts_with_all = ["by", "measure", "top", "counters", "value", "label"])]
    html: Option<PathBuf>,
}

pub fn run(command: &Diff) -> ExitCode {
    out::ended("barrow diff", compare(command))
}

fn compare(command: &Diff) -> Result<(), String> {
    if let Some(page) = &command.html {
        out::not_over(page, [&command.before, &command.after])?;
    }
    let open = |path| any::open_all(path).map_err(|error| error.to_string());
    let mut inputs = [open(&command.before)?, open(&command.after)?];
    for input in &inputs {
        input.notes.iter().for_each(|note| tell!("barrow diff: {}: {note}", input.name));
    }
    let notes = ground::common(&mut inputs)?;
    notes.iter().for_each(|note| tell!("barrow diff: {note}"));
    if let Some(page) = &command.html {
        inputs[1].notes.extend(notes);
        return view::write_page(&inputs, true, page);
    }
    let are_samples = inputs.iter().all(|input| matches!(input.profile, Profile::Samples(_)));
    if !are_samples && (command.value.is_some() || command.label.is_some()) {
        return Err("--value and --label are for pprof profiles".into());
    }
    let changes = match (&inputs[0].profile, &inputs[1].profile) {
        (Profile::Prof(before), Profile::Prof(after)) if command.counters => {
            if before.counters.is_empty() || after.counters.is_empty() {
                return Err("--counters is for reports of ticky counters".into());
            }
            if command.by.is_some() {
                return Err("--by is for heap profiles; counters are compared by what they counted".into());
            }
            let rows = diff::counters(&before.counters, &after.counters);
            Changes { all: sum(&rows), rows, unit: Unit::Plain }
        }
        _ if command.counters => return Err("--counters is for reports of ticky counters".into()),
        (Profile::Heap(before), Profile::Heap(after)) => {
            if command.measure.is_some() {
                return Err(
                    "--measure is for reports; heap profiles are compared --by mean, peak or end".into()
                );
            }
            let rows = diff::heaps(before, after, command.by.unwrap_or(Basis::Mean));
            let bytes = after.header.value_unit.as_bytes() == b"bytes";
            Changes { all: sum(&rows), rows, unit: if bytes { Unit::Bytes } else { Unit::Plain } }
        }
        (Profile::Samples(before), Profile::Samples(after)) => {
            if command.by.is_some() || command.measure.is_some() {
                return Err(
                    "samples are compared by one --value; --by and --measure have no meaning for them".into(),
                );
            }
            of_samples(command, [(&inputs[0].name, before), (&inputs[1].name, after)])?
        }
        (Profile::Snapshot(before), Profile::Snapshot(after)) => {
            if command.by.is_some() || command.measure.is_some() {
                return Err("snapshots are compared by the bytes of each type; --by and --measure have no meaning for them".into());
            }
            let rows = diff::snapshots(before, after);
            Changes { all: sum(&rows), rows, unit: Unit::Bytes }
        }
        (Profile::Prof(before), Profile::Prof(after)) => {
            if command.by.is_some() {
                return Err(
                    "--by is for heap profiles; reports are compared by --measure alloc, time or entries"
                        .into(),
                );
            }
            let has_bytes = [before, after]
                .into_iter()
                .any(|file| file.report.as_ref().is_some_and(|report| report.alloc > 0));
            let default = if has_bytes { Measure::Alloc } else { Measure::Entries };
            let measure = command.measure.unwrap_or(default);
            match (&before.report, &after.report) {
                (Some(before), Some(after)) => of_reports(before, after, measure)?,
                _ => return Err("there is no report to compare".into()),
            }
        }
        _ => return Err("the two files are profiles of different kinds".into()),
    };
    let top = if command.top == 0 { usize::MAX } else { command.top };
    out::print(|out| print(&changes, top, out))
}

fn of_samples(command: &Diff, sides: [(&String, &Sampled); 2]) -> Result<Changes, String> {
    let mut chosen = Vec::new();
    // The two sides have the same values, and are compared in one of them: the later file's own, as on the page.
    let main = sides[1].1.main();
    for (name, sampled) in sides {
        let told = |error| format!("{name} {error}");
        let value = command.value.as_ref().map_or(Ok(main), |value| sampled.value(value)).map_err(told)?;
        let key = command.label.as_ref().map(|label| sampled.key(label)).transpose().map_err(told)?;
        chosen.push((sampled, value, key));
    }
    let [before, after] = [chosen[0], chosen[1]];
    let rows = diff::samples([before, after]);
    let unit = if before.0.is_bytes(before.1) { Unit::Bytes } else { Unit::Plain };
    Ok(Changes { all: sum(&rows), rows, unit })
}

fn of_reports(before: &Report, after: &Report, measure: Measure) -> Result<Changes, String> {
    if measure == Measure::Time && before.tick_us == 0 {
        return Err(
            "there are no times to compare: reports without ticks (-V0, and of counters) have none".into()
        );
    }
    let rows = diff::reports(before, after, measure);
    let all =
        Row { name: String::new(), before: before.whole(measure), after: after.whole(measure), blur: 0.0 };
    let unit = match measure {
        Measure::Alloc => Unit::Bytes,
        Measure::Time => Unit::Ticks(before.tick_us),
        Measure::Entries => Unit::Plain,
    };
    Ok(Changes { rows, all, unit })
}

struct Changes {
    rows: Vec<Row>,
    all: Row,
    unit: Unit,
}

#[derive(Clone, Copy)]
enum Unit {
    Bytes,
    Plain,
    /// So many microseconds long, told as seconds.
    Ticks(u64),
}

impl Unit {
    fn amount(self, value: f64) -> String {
        match self {
            Unit::Bytes => amount(value, true),
            Unit::Plain => amount(value, false),
            Unit::Ticks(us) => format!("{:.3} s", value * us as f64 / 1e6),
        }
    }
}

fn sum(rows: &[Row]) -> Row {
    Row {
        name: String::new(),
        before: rows.iter().map(|row| row.before).sum(),
        after: rows.iter().map(|row| row.after).sum(),
        blur: 0.0,
    }
}

fn print(changes: &Changes, top: usize, out: &mut dyn Write) -> io::Result<()> {
    let line = |row: &Row, name: &str, out: &mut dyn Write| {
        let plus = if row.change() > 0.0 { "+" } else { "" };
        let figure = |value| changes.unit.amount(value);
        let change = format!("{plus}{}", figure(row.change()));
        writeln!(
            out,
            "{change:>12} {:>12} {:>12}  {}",
            figure(row.before),
            figure(row.after),
            Shown::whole(name.as_bytes())
        )
    };
    writeln!(out, "{:>12} {:>12} {:>12}  name", "change", "before", "after")?;
    let told = changes.rows.partition_point(|row| !row.is_rounding());
    let (told, rounding) = changes.rows.split_at(told);
    for row in told.iter().take(top) {
        line(row, &row.name, out)?;
    }
    if told.len() > top {
        line(&sum(&told[top..]), &format!("({} more)", told.len() - top), out)?;
    }
    if !rounding.is_empty() {
        line(&sum(rounding), &format!("({} that may be rounding alone)", rounding.len()), out)?;
    }
    line(&changes.all, "all", out)
}
