//! The files of a space profile, from its results.

use crate::base::{Failure, List, sort};
use crate::identity::printed;
use crate::os::{clock, usage};
use crate::profile::space::kinds::{COLUMN_NAMES, COLUMNS};
use crate::profile::space::result::{Point, Results};
use crate::report::hp;
use crate::report::space::{self, Detail, Heading, Kind};
use std::cmp::Reverse;
use std::io::{self, Write};
use std::mem::take;

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

fn no_memory(_: Failure) -> io::Error {
    io::ErrorKind::OutOfMemory.into()
}

/// The table of calls, where some were counted: functions that were called most come first.
fn calls(out: &mut dyn Write, results: &Results) -> io::Result<()> {
    let calls = |index: usize| results.functions[index].calls;
    let mut order = List::new();
    for index in (0..results.functions.len()).filter(|&index| calls(index) != 0) {
        order.push(index).map_err(no_memory)?;
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

/// Points of time as samples of a heap profile, functions as its bands. Readers take a name that is twice in a sample for damage,
/// so functions that are printed alike, such as static ones of two files, are one band.
pub(crate) fn heap_profile(out: &mut dyn Write, results: &Results) -> io::Result<()> {
    let mut out = out;
    let mut arguments = [0u8; 4096];
    let length = usage::command_line(&mut arguments);
    hp::job(&mut out, &arguments[..length], "", "")?;
    hp::head(&mut out, clock::date().as_str())?;
    let band_of = bands(results)?;
    let mut sums = List::new();
    sums.fill(results.functions.len(), 0).map_err(no_memory)?;
    results.points.iter().try_for_each(|point| sample(out, results, point, &band_of, &mut sums))
}

/// For each function the first one that is printed as it is.
fn bands(results: &Results) -> io::Result<List<u32>> {
    let mut text = List::new();
    let mut names = List::new();
    for (index, function) in results.functions.iter().enumerate() {
        let from = text.len();
        printed::write(results.text(function.name), &mut |piece| text.append(piece).map_err(no_memory))?;
        names.push((from, text.len(), index as u32)).map_err(no_memory)?;
    }
    let name = |&(from, to, _): &(usize, usize, u32)| &text[from..to];
    sort::sort_by_key(&mut names, |one| (name(one), one.2));
    let mut bands = List::new();
    bands.fill(names.len(), 0).map_err(no_memory)?;
    let mut first = (&[][..], 0);
    for one in names.iter() {
        if planted!(572, true, name(one) != first.0) {
            first = (name(one), one.2);
        }
        bands[one.2 as usize] = first.1;
    }
    Ok(bands)
}

/// `sums` are 0, and are so again afterwards.
fn sample(
    out: &mut dyn Write,
    results: &Results,
    point: &Point,
    band_of: &[u32],
    sums: &mut [u64],
) -> io::Result<()> {
    let mut out = out;
    let band = |index: u32| band_of[index as usize] as usize;
    point.parts.iter().for_each(|&(index, bytes)| sums[band(index)] += bytes);
    // A band with its sum comes in the place of its first part; none of 0 bytes is written.
    let bands = point.parts.iter().map(|&(index, _)| {
        let index = band(index);
        hp::Band::plain(results.text(results.functions[index].name), take(&mut sums[index]))
    });
    hp::sample(&mut out, point.seconds, bands)
}
