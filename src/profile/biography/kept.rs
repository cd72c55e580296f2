//! The samples of a biography that runs or ended last, gathered when the client asks.
//!
//! The samples of a running biography are those that it would have if everything died now. Once its profile
//! has been stopped they are final, and stay until the next biography begins.

use crate::base::{Failure, Outcome};
use crate::profile::biography::Running;
use crate::profile::biography::profiler::Lives;
use crate::profile::biography::shown::{Shown, ShownLives, gather};
use crate::profile::heap::profile::Profile;
use crate::runtime::Runtime;

impl Lives {
    /// The samples of the file with this letter, of the biography that runs, or of the one that ended last.
    /// With `anew` they include the uses up to now; otherwise they are those shown last in this era.
    pub fn shown_lives(
        &mut self,
        rt: &mut Runtime,
        profile: Option<&Profile>,
        letter: char,
        anew: bool,
    ) -> Outcome<&Shown> {
        let era = self.running.as_ref().map_or(0, |running| running.era());
        if profile.is_some() && era != 0 && (anew || self.shown.era != era) {
            self.note_marked_uses(rt);
            if let (Some(profile), Some(running)) = (profile, &mut self.running) {
                let seconds = profile.sample_seconds(rt);
                let journal = running.read_as_ended(seconds)?;
                self.shown = ShownLives { files: gather(profile, &journal)?, era };
            }
        }
        self.shown.files.iter().find(|shown| shown.letter == letter).ok_or_else(|| {
            Failure::state(format_args!(
                "no profile shows biographies under -h{letter}; -hb does, and so does each break-down beside -hb<phases>, as in -hy -hbdrag"
            ))
        })
    }

    /// Keeps the samples of a biography that has ended and whose files are written.
    pub fn keep_shown_lives(&mut self, profile: &Profile, running: &Running) -> Outcome<()> {
        self.shown = ShownLives { files: gather(profile, &running.read()?)?, era: 0 };
        Ok(())
    }
}
