//! The files of a space profile, from its results.

use crate::base::{List, sort};
use crate::os::{clock, usage};
use crate::profile::space::kinds::{COLUMN_NAMES, COLUMNS};
use crate::profile::space::result::{Point, Results};
use crate::report::hp;
use crate::report::space::{self, Detail, Heading, Kind};
use std::cmp::Reverse;
use std::io::{self, Write};

pub(crate) fn text(out: &mut dyn Write, results: &Results, detail: Detail) -> io::Result<()> {
    space::head(
        out,
        &Heading {
            title: "Barrow",
            used_bytes: results.used_bytes + results.side_bytes,
            collections: results.collections,
            functions: results.functions.len() as u64,
            allocated: results.total.allocated.bytes(),
            copied: results.total.copied.bytes(),
        },
    )?;
    for (index, function) in results.functions.iter().enumerate() {
        let (allocated, copied) = (function.allocated.bytes(), function.copied.bytes());
        space::function(out, &space::Function { name: results.text(function.name), allocated, copied })?;
        if detail >= Detail::Copies {
            space::copies(out, results.copied_of(index).iter().map(|count| count.bytes()))?;
        }
        if detail == Detail::Full && function.has_kinds {
            space::kinds_head(out, COLUMN_NAMES.into_iter())?;
            for (line, cells) in results.cells_of(index).chunks_exact(COLUMNS).enumerate() {
                let mut columns = [Kind::default(); COLUMNS];
                for (to, cell) in columns.iter_mut().zip(cells) {
                    *to = Kind { number: cell.objects, size: cell.bytes, overhead: cell.overhead };
                }
                space::kinds(out, line, &columns)?;
            }
        }
    }
    calls(out, results)
}

/// The table of calls, where some were counted: functions that were called most come first.
fn calls(out: &mut dyn Write, results: &Results) -> io::Result<()> {
    let calls = |index: usize| results.functions[index].calls;
    let mut order = List::new();
    for index in (0..results.functions.len()).filter(|&index| calls(index) != 0) {
        order.push(index).map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
    }
    if order.is_empty() {
        return Ok(());
    }
    sort::sort_by_key(&mut order, |&index| (Reverse(calls(index)), index));
    space::calls_head(out, results.total.calls)?;
    order
        .iter()
        .try_for_each(|&index| space::calls(out, results.text(results.functions[index].name), calls(index)))
}

/// Points of time as samples of a heap profile, functions as its bands.
pub(crate) fn heap_profile(out: &mut dyn Write, results: &Results) -> io::Result<()> {
    let mut out = out;
    let mut arguments = [0u8; 4096];
    let length = usage::command_line(&mut arguments);
    hp::job(&mut out, &arguments[..length], "", "")?;
    hp::head(&mut out, clock::date().as_str())?;
    for point in results.points.iter() {
        sample(out, results, point)?;
    }
    Ok(())
}

fn sample(out: &mut dyn Write, results: &Results, point: &Point) -> io::Result<()> {
    let mut out = out;
    let name = |index: u32| results.text(results.functions[index as usize].name);
    let bands = point.parts.iter().map(|&(index, bytes)| hp::Band::plain(name(index), bytes));
    hp::sample(&mut out, point.seconds, bands)
}
