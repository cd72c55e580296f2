//! What the profiles of the demo's run found, in a few lines: where its time went, who made what was alive when most was,
//! what it was, who held it, and what the memory was good for.

use super::files::{HOLDER, MAKER, TYPE, USE, heap};
use super::{Outcome, TOP, constant};
use crate::cmd::found::{self, percent};
use crate::read::any::Input;
use barrow::report::number::Commas;
use std::io::{self, Write};

pub fn tell(out: &mut dyn Write, outcome: &Outcome, inputs: &[Input]) -> io::Result<()> {
    tell_costs(out, outcome)?;
    let questions = [(TYPE, "what it was"), (MAKER, "who made it"), (HOLDER, "who held it")];
    let questions: Vec<_> = questions
        .iter()
        .filter_map(|&(letters, question)| Some((question, heap(inputs, letters)?)))
        .collect();
    out.write_all(found::peak(&questions).as_bytes())?;
    let uses = heap(inputs, USE).map(found::uses).unwrap_or_default();
    out.write_all(uses.as_bytes())
}

/// The most costly cost centres.
fn tell_costs(out: &mut dyn Write, outcome: &Outcome) -> io::Result<()> {
    if outcome.tops == 0 {
        return Ok(());
    }
    let share = |part: u64, all: u64| percent(part as f64, all as f64);
    writeln!(out, "\nWhere its time and its allocation went, by cost centre:\n")?;
    writeln!(out, "  {:<8} {:>8} {:>8} {:>14} {:>12}", "", "time", "alloc", "bytes", "entries")?;
    for centre in &outcome.top[..outcome.tops.min(TOP)] {
        writeln!(
            out,
            "  {:<8} {:>6.1} % {:>6.1} % {:>14} {:>12}",
            constant(centre.label),
            share(centre.ticks, outcome.ticks),
            share(centre.bytes, outcome.bytes),
            Commas(centre.bytes),
            Commas(centre.entries)
        )?;
    }
    Ok(())
}
