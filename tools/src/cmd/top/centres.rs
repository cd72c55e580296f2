//! The table that `top` prints of a time and allocation report: cost centres with what is their own, the most costly first.

use super::Top;
use crate::draw::amount;
use crate::out::counted;
use crate::prof::{Measure, Report};
use crate::sort;
use barrow::base::Shown;
use std::collections::BTreeMap;
use std::io::{self, Write};

pub fn print(top: &Top, report: &Report, room: usize, out: &mut dyn Write) -> io::Result<()> {
    let measure = report.main_measure();
    // Ticks, bytes, entries; in order of names.
    let mut sums: BTreeMap<String, [f64; 3]> = BTreeMap::new();
    const WEIGHTS: [Measure; 3] = [Measure::Time, Measure::Alloc, Measure::Entries];
    for node in &report.nodes {
        let sum = sums.entry(node.full_name()).or_default();
        sum.iter_mut().zip(WEIGHTS).for_each(|(sum, measure)| *sum += measure.of(node));
    }
    let main = WEIGHTS.iter().position(|&weight| weight == measure).unwrap_or(0);
    let whole: f64 = sums.values().map(|sum| sum[main]).sum();
    let mut rows: Vec<(String, [f64; 3])> = sums.into_iter().collect();
    if top.sort.is_none() {
        sort::by(&mut rows, |a, b| b.1[main].total_cmp(&a.1[main]).then_with(|| b.1[1].total_cmp(&a.1[1])));
    }
    let shown = |text: &str| Shown::whole(text.as_bytes()).to_string();
    writeln!(out, "{}   {}", shown(&report.job), shown(&report.date))?;
    writeln!(
        out,
        "{:.2} s, {} of {} µs; {} allocated; {}\n",
        report.seconds,
        counted(report.ticks as usize, "tick"),
        report.tick_us,
        amount(report.alloc as f64, true),
        counted(report.nodes.len(), "stack")
    )?;
    let share = ["of time", "of allocation", "of entries"][main];
    writeln!(
        out,
        "{:>10} {:>10} {:>10} {:>6}  CENTRE (shares {share})",
        "TICKS", "ALLOC", "ENTRIES", "SHARE"
    )?;
    let most = match top.bands {
        Some(0) => usize::MAX,
        Some(most) => most,
        None => room,
    };
    for (name, sum) in rows.iter().take(most) {
        let share = if whole > 0.0 { 100.0 * sum[main] / whole } else { 0.0 };
        writeln!(
            out,
            "{:>10} {:>10} {:>10} {share:>5.1}%  {}",
            amount(sum[0].round(), false),
            amount(sum[1], true),
            amount(sum[2], false),
            shown(name)
        )?;
    }
    if rows.len() > most {
        writeln!(out, "... and {} more (-n0 shows all)", counted(rows.len() - most, "centre"))?;
    }
    Ok(())
}
