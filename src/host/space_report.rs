//! The files of a space profile, from its results.

use crate::base::{Failure, Outcome};
use crate::host::Host;
use crate::os::file::Target;
use crate::os::usage;
use crate::profile::space::files::{heap_profile, text};
use crate::profile::space::json;
use crate::report::space::Detail;

impl Host {
    /// Writes a report; `format` is one of s, c, f, j and h.
    pub fn write_space_report(&self, path: &[u8], format: char) -> Outcome<()> {
        self.profilers.space.last_results()?;
        self.write_space_report_to(&mut Target::new(path)?, format)
    }

    /// As `write_space_report`, into a file that was opened before.
    pub(super) fn write_space_report_to(&self, target: &mut Target, format: char) -> Outcome<()> {
        let results = self.profilers.space.last_results()?;
        let detail = match format {
            's' => Detail::Simple,
            'c' => Detail::Copies,
            'f' => Detail::Full,
            'j' => {
                let mut arguments = [0u8; 4096];
                let length = usage::command_line(&mut arguments);
                let program = arguments[..length].split(|&byte| byte == 0).next().unwrap_or_default();
                let program = program.rsplit(|&byte| byte == b'/').next().unwrap_or_default();
                return target.write(&mut |out| json::write(out, program, results));
            }
            'h' => return target.write(&mut |out| heap_profile(out, results)),
            _ => {
                return Err(Failure::argument(format_args!(
                    "there is no format {format:?} of a space profile; it is one of s, c, f, j and h"
                )));
            }
        };
        target.write(&mut |out| text(out, results, detail))
    }
}
