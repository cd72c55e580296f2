//! The table that `top` prints of a report of ticky counters: its functions, those entered most often first.

use super::{Sort, Top};
use crate::draw::amount;
use crate::prof::{Node, ProfFile};
use crate::sort;
use barrow::base::Shown;
use std::io::{self, Write};

/// The sentence for what has no meaning here.
pub fn refused(top: &Top) -> Option<&'static str> {
    let is_known = matches!(top.sort, None | Some(Sort::Name));
    if is_known {
        None
    } else {
        Some("counters have no samples to sort by: --sort name, or none for entries")
    }
}

pub fn print(top: &Top, file: &ProfFile, room: usize, out: &mut dyn Write) -> io::Result<()> {
    let Some(report) = &file.report else { return Ok(()) };
    let mut functions: Vec<&Node> = report.nodes.iter().filter(|node| node.parent.is_some()).collect();
    sort::by_key(&mut functions, |node| node.full_name());
    if top.sort.is_none() {
        sort::by(&mut functions, |a, b| b.entries.cmp(&a.entries).then_with(|| b.bytes.total_cmp(&a.bytes)));
    }
    let entries: u64 = functions.iter().fold(0, |sum, node| sum.saturating_add(node.entries));
    let shown = |text: &str| Shown::whole(text.as_bytes()).to_string();
    writeln!(out, "{}", shown(&report.job))?;
    writeln!(
        out,
        "{} functions, entered {} times; their code allocated {}; {} counters\n",
        functions.len(),
        amount(entries as f64, false),
        amount(report.alloc as f64, true),
        file.counters.len()
    )?;
    writeln!(out, "{:>10} {:>6} {:>10}  FUNCTION", "ENTRIES", "SHARE", "ALLOC")?;
    let most = match top.bands {
        Some(0) => usize::MAX,
        Some(most) => most,
        None => room,
    };
    for node in functions.iter().take(most) {
        let share = if entries == 0 { 0.0 } else { 100.0 * node.entries as f64 / entries as f64 };
        writeln!(
            out,
            "{:>10} {share:>5.1}% {:>10}  {}",
            amount(node.entries as f64, false),
            amount(node.bytes, true),
            shown(&node.full_name())
        )?;
    }
    if functions.len() > most {
        writeln!(out, "... and {} functions more (-n0 shows all)", functions.len() - most)?;
    }
    Ok(())
}
