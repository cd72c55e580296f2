//! The one line (`-t`). Its brackets name the references' program, since scripts look for them.

use super::number::seconds;
use super::summary::Summary;
use crate::base::decimal::Fixed;
use std::io::{Result, Write};

pub(crate) fn write(out: &mut impl Write, s: &Summary) -> Result<()> {
    write!(
        out,
        "<<ghc: {} bytes, {} GCs, {}/{} avg/max bytes residency ({} samples), {}M in use, ",
        s.allocated_bytes,
        s.collections(),
        s.average_live_bytes(),
        s.max_live_bytes,
        s.major_collections,
        s.max_held_bytes >> 20
    )?;
    let parts = [("INIT", s.init, ", "), ("MUT", s.mutator, ", "), ("GC", s.gc, " :ghc>>\n")];
    for (name, time, after) in parts {
        write!(
            out,
            "{} {name} ({} elapsed){after}",
            Fixed(seconds(time.cpu), 3),
            Fixed(seconds(time.wall), 3)
        )?;
    }
    Ok(())
}
