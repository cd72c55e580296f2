//! `.tix`: the count of each box, in the spacing of the reference's runtime.

use crate::profile::coverage::modules::{Counted, text};
use crate::report::haskell::Literal;
use std::io::{Result, Write};

pub(crate) fn write<'a>(modules: impl Iterator<Item = &'a Counted>, out: &mut dyn Write) -> Result<()> {
    out.write_all(b"Tix [")?;
    for (number, module) in modules.enumerate() {
        let comma = if number > 0 { "," } else { "" };
        let name = Literal(text(&module.name));
        write!(out, "{comma} TixModule {name} {} {} [", module.hash, module.counts.len())?;
        for (number, count) in module.counts.iter().enumerate() {
            let comma = if number > 0 { "," } else { "" };
            write!(out, "{comma}{count}")?;
        }
        out.write_all(b"]")?;
    }
    out.write_all(b"]\n")
}
