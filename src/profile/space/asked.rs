//! The space profile that a flag asks for (`--space`): from the first mutator until there is none, and its file.

use crate::base::Outcome;
use crate::base::flag::Flags;
use crate::os::apart::Holder;
use crate::os::file::Target;
use crate::profile::cost::files::file_of_program;
use crate::profile::space::ledger::manner::{MANNER_KINDS, MANNER_SPACE};
use crate::profile::space::options::SpaceWish;
use crate::profile::space::profiler::SpaceOptions;

/// The profile of `--space`, before it runs, while it runs, and when it was written.
pub struct SpaceAsked {
    /// The file, until the report is written.
    pub(crate) target: Option<Target>,
    /// Whether the report is JSON.
    pub(crate) json: bool,
    /// The number of the profile; 0 before it runs.
    pub(crate) profile: u32,
}

impl SpaceAsked {
    /// A file that cannot be written is refused here, when the heap is made [report.early].
    pub fn new(flags: &Flags, files: &Holder) -> Outcome<SpaceAsked> {
        let name = match flags.space.as_ref().map(|name| name.as_str()) {
            None => return Ok(SpaceAsked { target: None, json: false, profile: 0 }),
            Some("") => file_of_program(&flags.cost, files, ".space")?,
            Some(name) => files.own_file(name.as_bytes())?,
        };
        let json = name.ends_with(b".json");
        Ok(SpaceAsked { target: Some(Target::tried(&name)?), json, profile: 0 })
    }

    /// Whether the profile is to begin with the next mutator.
    pub(crate) fn waits(&self) -> bool {
        self.target.is_some() && self.profile == 0
    }

    /// Allocation, copies and kinds of every function.
    pub(crate) fn wish() -> Outcome<SpaceOptions> {
        SpaceWish { manner: MANNER_SPACE | MANNER_KINDS, ..SpaceWish::ALL_ZERO }.read()
    }
}
