//! A time and allocation profile as the references' JSON, with strings escaped as JSON wants it.

use super::cost::{Arranged, CostProfile};
use crate::base::decimal::Fixed;
use crate::base::shown::{LONGEST, MARK, Unit, cut, is_obeyed, units};
use std::io::{Result, Write};

pub fn write(out: &mut impl Write, profile: &CostProfile<'_>, arranged: &Arranged) -> Result<()> {
    write!(out, "{{\n\"program\": ")?;
    string(out, profile.base_name())?;
    write!(out, ",\n\"arguments\": [")?;
    string(out, profile.program)?;
    for argument in profile.arguments.split_inclusive(|&byte| byte == 0) {
        write!(out, ", ")?;
        string(out, argument.strip_suffix(&[0]).unwrap_or(argument))?;
    }
    write!(out, "],\n\"rts_arguments\": [")?;
    for (at, flag) in profile.flags.split_ascii_whitespace().enumerate() {
        write!(out, "{}", if at > 0 { ", " } else { "" })?;
        string(out, flag.as_bytes())?;
    }
    write!(out, "],\n\"end_time\": ")?;
    string(out, profile.date.as_bytes())?;
    writeln!(out, ",\n\"initial_capabilities\": 0,")?;
    writeln!(out, "\"total_time\": {:>11},", Fixed(profile.seconds(arranged.ticks), 2))?;
    writeln!(out, "\"total_ticks\": {},", arranged.ticks)?;
    writeln!(out, "\"tick_interval\": {},", profile.tick_us)?;
    writeln!(out, "\"total_alloc\":{},", arranged.bytes)?;
    writeln!(out, "\"cost_centres\": [")?;
    for (at, row) in profile.centres.iter().enumerate() {
        write!(out, "{}{{\"id\": {}, \"label\": ", if at > 0 { ", " } else { "" }, row.id)?;
        name(out, row.label.as_bytes())?;
        write!(out, ", \"module\": ")?;
        name(out, row.module.as_bytes())?;
        write!(out, ", \"src_loc\": ")?;
        name(out, row.source.as_bytes())?;
        write!(out, ", \"is_caf\": {}}}", row.is_caf)?;
    }
    write!(out, "]\n,\n\"profile\": ")?;
    tree(out, profile, arranged)?;
    writeln!(out, "}}")
}

fn tree(out: &mut impl Write, profile: &CostProfile<'_>, arranged: &Arranged) -> Result<()> {
    let mut open = 0;
    for at in arranged.tree.iter() {
        // A stack at the same level or above ends the lists of all deeper ones.
        let follows = at.level < open;
        while open > at.level {
            writeln!(out, "]}}")?;
            open -= 1;
        }
        let row = &profile.stacks[at.stack as usize];
        let id = profile.centres[row.centre as usize].id;
        write!(out, "{}{{\"id\": {id}, ", if follows { "," } else { "" })?;
        write!(out, "\"entries\": {}, \"alloc\": {}, \"ticks\": {}, ", row.entries, row.bytes, row.ticks)?;
        write!(out, "\"children\": [")?;
        open = at.level + 1;
    }
    for _ in 0..open {
        writeln!(out, "]}}")?;
    }
    Ok(())
}

/// Writes a string of any length in quotes. Bytes that are not UTF-8 become the replacement character;
/// control characters are escaped as JSON wants it.
pub fn string(out: &mut impl Write, text: &[u8]) -> Result<()> {
    quoted(out, text, usize::MAX)
}

/// Writes a name in quotes, cut with a mark when it is too long.
pub fn name(out: &mut impl Write, text: &[u8]) -> Result<()> {
    quoted(out, text, LONGEST)
}

fn quoted(out: &mut impl Write, text: &[u8], room: usize) -> Result<()> {
    write!(out, "\"")?;
    let kept = cut(text, room);
    for unit in units(&text[..kept]) {
        match unit {
            Unit::Char(c @ ('"' | '\\')) => write!(out, "\\{c}")?,
            Unit::Char(c) if is_obeyed(c) => {
                for half in c.encode_utf16(&mut [0; 2]) {
                    write!(out, "\\u{half:04x}")?;
                }
            }
            Unit::Char(c) => write!(out, "{c}")?,
            Unit::Byte(_) => write!(out, "\u{fffd}")?,
        }
    }
    write!(out, "{}\"", if kept < text.len() { MARK } else { "" })
}
