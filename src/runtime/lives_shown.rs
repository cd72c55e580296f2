//! Biographies as data: the samples of each biographical file, with their bands in full.
//!
//! While a biography runs they are what would be known if everything died after the last census; once its profile has been
//! stopped, they are final, and stay until the next one begins.

use super::biography::Running;
use super::heap::Runtime;
use super::profile::Profile;
use crate::base::{Failure, List, Outcome};
use crate::identity::names::{Name, names};
use crate::report::biography::{Journal, Samples, finish};

#[derive(Clone, Copy, Default)]
pub struct Sample {
    pub seconds: f64,
    /// Its bands, in `Shown::bands`.
    from: usize,
    to: usize,
}

/// The samples of one file.
#[derive(Default)]
pub struct Shown {
    /// Of its break-down; `b` for phases.
    letter: char,
    pub samples: List<Sample>,
    bands: List<(Name, u64)>,
}

impl Shown {
    pub fn bands_of(&self, sample: &Sample) -> &[(Name, u64)] {
        &self.bands[sample.from..sample.to]
    }
}

impl Samples for Shown {
    fn begin(&mut self, seconds: f64) -> Outcome<()> {
        let from = self.bands.len();
        self.samples.push(Sample { seconds, from, to: from })
    }

    fn band(&mut self, name: &[u8], bytes: u64) -> Outcome<()> {
        if bytes > 0 {
            let name = names().intern(name)?;
            self.bands.push((name, bytes))?;
        }
        Ok(())
    }

    fn end(&mut self, _seconds: f64) -> Outcome<()> {
        if let Some(last) = self.samples.last_mut() {
            last.to = self.bands.len();
        }
        Ok(())
    }

    fn mark(&mut self, _seconds: f64) -> Outcome<()> {
        Ok(())
    }
}

/// What was asked for last, as far as it holds.
#[derive(Default)]
pub struct ShownLives {
    files: List<Shown>,
    /// The era of the biography that ran then; 0 when it has ended.
    era: u32,
}

fn gather(profile: &Profile, running: &Running) -> Outcome<List<Shown>> {
    let journal = running.read()?;
    let journal = Journal::open(&journal)?;
    let mut files = List::new();
    for (letter, column) in profile.biographical() {
        let mut shown = Shown { letter, ..Shown::default() };
        finish(&journal, column, &mut shown)?;
        files.push(shown)?;
    }
    Ok(files)
}

impl Runtime {
    /// The samples of the file with this letter, of the biography that runs, or of the one that ended last.
    pub fn shown_lives(&mut self, letter: char) -> Outcome<&Shown> {
        if let (Some(profile), Some(running)) = (&self.profile, &self.biography) {
            let era = running.era();
            if self.lives_shown.era != era {
                self.lives_shown = ShownLives { files: gather(profile, running)?, era };
            }
        }
        self.lives_shown.files.iter().find(|shown| shown.letter == letter).ok_or_else(|| {
            Failure::state(format_args!(
                "no profile shows biographies under -h{letter}: -hb does, and each break-down that -hb with phases restricts"
            ))
        })
    }

    /// A biography begins: what the last one has shown is forgotten.
    pub fn forget_shown_lives(&mut self) {
        self.lives_shown = ShownLives::default();
    }

    /// A biography has ended, and its files are written: its samples are kept.
    pub fn keep_shown_lives(&mut self, profile: &Profile, running: &Running) -> Outcome<()> {
        self.lives_shown = ShownLives { files: gather(profile, running)?, era: 0 };
        Ok(())
    }
}
