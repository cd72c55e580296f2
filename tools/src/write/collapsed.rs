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
            let sum = lines.entry(names.join(";")).or_default();
            *sum = sum.saturating_add(value);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_end_at_the_greatest_number() {
        let stacks = Stacks::beyond_the_greatest();
        let mut out = Vec::new();
        write(&stacks, &mut out).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), format!("main;grow {}\n", u64::MAX));
    }
}
