//! The stack of cost centres at an error (`-xc`), as the references write it.

use crate::base::Shown;
use crate::identity::Ccs;
use std::ffi::CStr;
use std::io::{Result, Write};

/// Enclosing evaluations that are written, at most.
const MOST_ENCLOSING: usize = 10;

/// Writes a stack from the innermost centre out; MAIN is left out unless it is alone.
pub(crate) fn write(out: &mut impl Write, stack: &'static Ccs) -> Result<()> {
    for (at, stack) in stack.outwards().take_while(|s| s.number != 0 || stack.number == 0).enumerate() {
        let centre = stack.innermost();
        let before = if at > 0 { ",\n  called from " } else { "" };
        let shown = |name: &'static CStr| Shown::name(name.to_bytes());
        write!(out, "{before}{}.{}", shown(centre.module), shown(centre.label))?;
    }
    writeln!(out)
}

/// Writes an error of some kind, raised in `stack`. When the stack begins in a CAF, the evaluations that wait
/// for its value follow, the innermost first.
pub(crate) fn write_error(
    out: &mut impl Write,
    kind: &str,
    stack: &'static Ccs,
    enclosing: impl Iterator<Item = &'static Ccs>,
) -> Result<()> {
    write!(
        out,
        "*** Exception (reporting due to +RTS -xc): ({}), stack trace: \n  ",
        Shown::name(kind.as_bytes())
    )?;
    write(out, stack)?;
    let (mut told, mut last) = (0, stack);
    for next in enclosing {
        if told == MOST_ENCLOSING || !begins_in_caf(last) {
            break;
        }
        if next.number != last.number && next.number != 0 {
            write!(out, "  --> evaluated by: ")?;
            write(out, next)?;
            told += 1;
            last = next;
        }
    }
    Ok(())
}

fn begins_in_caf(stack: &'static Ccs) -> bool {
    stack.outwards().any(Ccs::is_caf)
}
