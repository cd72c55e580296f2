//! Collapsed stacks: `root;middle;leaf 42`, a line for each stack. Read by flame graph tools, speedscope, Pyroscope.

use super::stacks::Stacks;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// Writes the first of the weights.
pub fn write(stacks: &Stacks, out: &mut dyn Write) -> io::Result<()> {
    let mut lines: BTreeMap<String, u64> = BTreeMap::new();
    for (frames, values) in &stacks.stacks {
        let names: Vec<String> = frames.iter().map(|frame| clean(&frame.name)).collect();
        let value = values.first().copied().unwrap_or(0);
        if value > 0 {
            // Stacks that differ only in their number become one line: the format has no other way to tell them.
            *lines.entry(names.join(";")).or_default() += value;
        }
    }
    for (line, value) in lines {
        writeln!(out, "{line} {value}")?;
    }
    Ok(())
}

/// A semicolon parts frames and a newline parts stacks; nothing can quote them.
fn clean(name: &str) -> String {
    name.chars()
        .map(|c| {
            if c == ';' {
                ':'
            } else if c.is_control() {
                ' '
            } else {
                c
            }
        })
        .collect()
}
