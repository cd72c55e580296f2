//! Flags from the environment, which come behind those of the client.

use crate::base::flag::Flags;
use crate::base::{Failure, Outcome, Text};
use crate::os::environment;
use std::ffi::CStr;

/// The variable of the environment that has flags, for clients that allow it.
const VARIABLE: &CStr = c"BARROW_FLAGS";
const VARIABLE_SHOWN: &str = "BARROW_FLAGS";

/// Reads the client's flags, and those of the environment behind them where the client allows it.
pub(crate) fn read_flags(line: &str, environment: bool) -> Outcome<Flags> {
    let mut more = Text::new();
    if environment {
        let bytes = environment::variable(VARIABLE)?;
        let text = std::str::from_utf8(&bytes).map_err(|_| {
            Failure::argument(format_args!("{VARIABLE_SHOWN} in the environment is not valid UTF-8"))
        })?;
        more.add(text)?;
    }
    if more.is_empty() {
        return Flags::parse(line);
    }
    // A mistake of the client's own is told as such.
    Flags::parse(line)?;
    let mut whole = Text::of(line)?;
    whole.add_all(&[if line.is_empty() { "" } else { " " }, more.as_str()])?;
    Flags::parse(whole.as_str()).map_err(|failure| {
        Failure::new(
            failure.status,
            format_args!("{VARIABLE_SHOWN} in the environment: {}", failure.sentence),
        )
    })
}
