//! Biographies as data: the samples of each biographical file, with all of their bands.
//!
//! The samples of a running biography are those that it would have if everything died now. Once its profile
//! has been stopped they are final, and stay until the next biography begins.

use crate::base::{Failure, List, Outcome};
use crate::identity::names::{Name, names};
use crate::profile::biography::journal::{Journal, Samples, finish};
use crate::profile::heap::figures::NamedBand;
use crate::profile::heap::profile::Profile;

#[derive(Clone, Copy, Default)]
pub struct Sample {
    pub seconds: f64,
    /// Index in `Shown::bands` of its first band; `to` is behind its last.
    from: usize,
    to: usize,
}

/// The samples of one file.
#[derive(Default)]
pub struct Shown {
    /// Letter of the break-down; `b` for phases.
    pub(crate) letter: char,
    pub samples: List<Sample>,
    bands: List<(Name, u64)>,
}

impl Shown {
    pub(crate) fn sample(&self, number: usize) -> Outcome<Sample> {
        self.samples.get(number).copied().ok_or_else(|| {
            Failure::argument(format_args!(
                "there is no sample {number}: the biography has {} of them",
                self.samples.len()
            ))
        })
    }

    /// A band of a sample by its number. Numbers of objects are not kept.
    pub(crate) fn band(&self, sample: usize, index: usize) -> Outcome<NamedBand> {
        let bands = self.bands_of(&self.sample(sample)?);
        let &(name, bytes) = bands.get(index).ok_or_else(|| {
            Failure::argument(format_args!(
                "there is no band {index}: the sample has {} of them",
                bands.len()
            ))
        })?;
        Ok((name, bytes, 0))
    }

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

/// The samples that the client asked for last, as long as they hold.
#[derive(Default)]
pub struct ShownLives {
    pub(crate) files: List<Shown>,
    /// The era of the biography that ran then; 0 when it has ended.
    pub(crate) era: u32,
}

pub(crate) fn gather(profile: &Profile, journal: &[u8]) -> Outcome<List<Shown>> {
    let journal = Journal::open(journal)?;
    let mut files = List::new();
    for (letter, column) in profile.biographical() {
        let mut shown = Shown { letter, ..Shown::default() };
        finish(&journal, column, &mut shown)?;
        files.push(shown)?;
    }
    Ok(files)
}
