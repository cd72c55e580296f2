//! The part of a `.prof` file about retainers: a few lines for each census, and at the end the members of
//! each set.

use crate::base::Shown;
use crate::base::decimal::Fixed;
use std::io::{Result, Write};

/// The figures of one census: its number from 0, its time, the largest stack of the walk in entries, the
/// walk's visits and objects, the cost of all sets, and their number.
pub struct Census {
    pub number: u64,
    pub seconds: f64,
    pub most_waiting: u64,
    pub visits: u64,
    pub objects: u64,
    pub cost: u64,
    pub sets: u64,
}

pub(crate) fn census(out: &mut impl Write, census: &Census) -> Result<()> {
    let average = if census.objects == 0 { 0.0 } else { census.visits as f64 / census.objects as f64 };
    writeln!(out, "Retainer Profiling: {}, at {} seconds", census.number, Fixed(census.seconds, 6))?;
    writeln!(out, "\tMax auxiliary stack size = {}", census.most_waiting)?;
    writeln!(out, "\tAverage number of visits per object = {}", Fixed(average, 6))?;
    writeln!(out, "\tCurrent total costs = {}", census.cost)?;
    writeln!(out, "\tNumber of retainer sets = {}", census.sets)
}

pub(crate) const SETS: &str = "\nRetainer sets created during profiling:\n";

/// Writes one set, with its members as text.
pub(crate) fn set<'a>(
    out: &mut impl Write,
    number: u32,
    members: impl Iterator<Item = &'a [u8]>,
) -> Result<()> {
    write!(out, "SET {number} = {{")?;
    for (at, member) in members.enumerate() {
        out.write_all(if at > 0 { b", <" } else { b"<" })?;
        Shown::joined(member).write(out)?;
        out.write_all(b">")?;
    }
    out.write_all(b"}\n")
}

pub(crate) const CHAINS: &str = "\nWho holds the retainers:\n";

/// Writes one line of a chain: its distance from the data, the name of the retainer, and the bytes that
/// it holds in all.
pub(crate) fn link(out: &mut impl Write, depth: usize, name: &[u8], bytes: u64) -> Result<()> {
    write!(out, "{:indent$}{}<", "", if depth == 0 { "" } else { "held by " }, indent = depth * 2)?;
    Shown::joined(name).write(out)?;
    writeln!(out, "> {bytes}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_the_references() {
        let mut text = Vec::new();
        let one = Census {
            number: 3,
            seconds: 3.53,
            most_waiting: 127,
            visits: 3,
            objects: 2,
            cost: 801_844,
            sets: 118,
        };
        census(&mut text, &one).unwrap();
        text.extend_from_slice(SETS.as_bytes());
        set(&mut text, 71, ["Main.doFile,Main.main".as_bytes(), "Main.\n\u{9b}main".as_bytes()].into_iter())
            .unwrap();
        let wanted = "Retainer Profiling: 3, at 3.530000 seconds\n\tMax auxiliary stack size = 127\n\
            \tAverage number of visits per object = 1.500000\n\tCurrent total costs = 801844\n\
            \tNumber of retainer sets = 118\n\nRetainer sets created during profiling:\n\
            SET 71 = {<Main.doFile,Main.main>, <Main.\\u{a}\\u{9b}main>}\n";
        assert_eq!(String::from_utf8(text).unwrap(), wanted);
    }

    #[test]
    fn chains_are_indented() {
        let mut text = Vec::new();
        link(&mut text, 0, b"C", 9).unwrap();
        link(&mut text, 1, b"B", 8).unwrap();
        assert_eq!(String::from_utf8(text).unwrap(), "<C> 9\n  held by <B> 8\n");
    }
}
