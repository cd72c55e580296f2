//! Where the memory and the time of a run went, in a few lines.

use crate::band_name::numbered;
use crate::cmd::found;
use crate::model::HeapProfile;
use crate::out::counted;
use crate::prof::Report;
use crate::read::any::{Input, Profile};
use crate::sort;
use std::fmt::Write;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::ExitStatus;

/// Which profile there is of each heap.
const BY_TYPE: &str = ".hy.hp";
/// Cost centres that are worth a line.
const CENTRES: usize = 8;
/// With fewer ticks a share of time says nothing.
const FEW: u64 = 20;
/// With fewer ticks a difference of some percent says nothing.
const ROUGH: u64 = 100;

/// `has_space`: `--space` was asked for, too.
pub fn text(inputs: &[Input], has_space: bool, status: ExitStatus, seconds: f64) -> String {
    let mut out = String::new();
    let ended = match (status.code(), status.signal()) {
        (Some(0), _) => String::new(),
        (Some(code), _) => format!(", and ended with status {code}"),
        (None, signal) => format!(", and was ended by signal {}", signal.unwrap_or_default()),
    };
    // A text takes whatever is written.
    let _ = writeln!(out, "It ran for {seconds:.2} s{ended}.");
    // Profiles of several heaps have nothing in common, so one heap is told of.
    let mut heaps = inputs.iter().filter_map(|input| input.name.strip_suffix(BY_TYPE));
    let stem = heaps.next();
    let others = heaps.count();
    if let Some(stem) = stem.filter(|_| others > 0) {
        let _ = writeln!(
            out,
            "It had {} heaps, whose profiles are all in the page; this is of one, in {stem}{BY_TYPE} and the files beside it.",
            others + 1
        );
    }
    let stem = stem.unwrap_or_default();
    match named(inputs, stem, ".prof").find_map(report) {
        Some(report) => costs(&mut out, report),
        None => {
            let _ = writeln!(
                out,
                "\nWhere its time went is not known: a report of it (.prof) comes when the heap is freed, and none has come."
            );
        }
    }
    let by_type = heap(inputs, stem, BY_TYPE);
    let by_maker = heap(inputs, stem, ".h.hp").filter(|profile| is_by_maker(profile));
    let by_holder = heap(inputs, stem, ".hr.hp");
    let questions = [("what it was", by_type), ("who made it", by_maker), ("who held it", by_holder)];
    let questions: Vec<_> =
        questions.into_iter().filter_map(|(question, profile)| Some((question, profile?))).collect();
    out.push_str(&found::peak(&questions));
    if has_space && by_maker.is_none() {
        let _ = writeln!(out, "\nWho made it is not told: with --space, -h is by kind.");
    }
    if let Some(lives) = heap(inputs, stem, ".hb.hp") {
        out.push_str(&found::uses(lives));
    }
    if by_type.is_some_and(|profile| profile.heights().iter().all(|&height| height == 0)) {
        let _ = writeln!(
            out,
            "\nThere was no sample: it ran too short, or allocated too little. --flags -ib64k takes one each 64 KiB."
        );
    }
    out
}

/// A file as browsers and terminals take it: `file:///home/me/a%20b.html`.
pub fn address(file: &Path) -> String {
    let mut out = String::from("file://");
    for &byte in file.as_os_str().as_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => {
                out.push(byte as char)
            }
            _ => drop(write!(out, "%{byte:02X}")),
        }
    }
    out
}

/// The file of a heap with this ending; without a stem, all that have the ending.
fn named<'a>(inputs: &'a [Input], stem: &'a str, ending: &'a str) -> impl Iterator<Item = &'a Input> {
    let is = move |name: &str| name.strip_suffix(ending).is_some_and(|of| stem.is_empty() || of == stem);
    inputs.iter().filter(move |input| is(&input.name))
}

fn heap<'a>(inputs: &'a [Input], stem: &'a str, ending: &'a str) -> Option<&'a HeapProfile> {
    named(inputs, stem, ending).find_map(|input| match &input.profile {
        Profile::Heap(heap) => Some(heap),
        _ => None,
    })
}

fn report(input: &Input) -> Option<&Report> {
    match &input.profile {
        Profile::Prof(prof) => prof.report.as_ref(),
        _ => None,
    }
}

/// Without cost centres, `-h` is by kind, which says less than types do.
fn is_by_maker(profile: &HeapProfile) -> bool {
    profile.bands.iter().any(|band| numbered(&band.name.to_string()).0.is_some())
}

fn costs(out: &mut String, report: &Report) {
    let mut centres: Vec<_> = report.centres.iter().collect();
    sort::by(&mut centres, |a, b| {
        (b.time_percent + b.alloc_percent).total_cmp(&(a.time_percent + a.alloc_percent))
    });
    // A program without cost centres has spent all of it in MAIN.
    if centres
        .iter()
        .all(|centre| centre.module == "MAIN" || centre.module == "SYSTEM" || centre.module == "GC")
    {
        return;
    }
    let _ = writeln!(out, "\nWhere its time and its allocation went, by cost centre:\n");
    if (1..ROUGH).contains(&report.ticks) {
        let words = if report.ticks < FEW { "too few to tell" } else { "its shares are rough" };
        // Ticks by bytes (--tick-bytes) have no length.
        let length = match report.tick_us {
            0 => String::new(),
            us => format!(" of {} ms", us as f64 / 1000.0),
        };
        let ticks = counted(report.ticks as usize, "tick");
        let _ = writeln!(out, "  Time is of {ticks}{length}: {words}.");
    }
    let width = centres.iter().take(CENTRES).map(|centre| centre.label.chars().count()).max().unwrap_or(0);
    let _ = writeln!(out, "  {:<width$} {:>8} {:>8}", "", "time", "alloc");
    for centre in centres.into_iter().take(CENTRES) {
        let _ = writeln!(
            out,
            "  {:<width$} {:>6.1} % {:>6.1} %",
            centre.label, centre.time_percent, centre.alloc_percent
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_no_blanks() {
        assert_eq!(address(Path::new("/home/me/a b#1.html")), "file:///home/me/a%20b%231.html");
    }
}
