//! The samples of a journal, as a table.

use crate::base::Outcome;
use crate::profile::biography::journal::checksum::crc32;
use crate::profile::biography::journal::{Finished, Journal, MAGIC, Samples, finish, phases};
use std::collections::BTreeMap;

/// For each census, for each band: bytes of lag, use, drag, void, inherent use and unknown use.
pub type Shown = Vec<BTreeMap<String, [u64; 6]>>;

/// The profiles that `shown` reads, in order: the phases one by one, then all bands in one picture.
pub const PROFILES: [u8; 5] = [phases::LAG, phases::USE, phases::DRAG, phases::VOID, phases::EACH];

/// The bands of `-hb`, in the same order.
pub const PHASES: [&str; 6] = ["LAG", "USE", "DRAG", "VOID", "INHERENT_USE", "UNKNOWN_USE"];

#[derive(Default)]
struct Table {
    samples: Vec<BTreeMap<String, u64>>,
}

impl Samples for Table {
    fn begin(&mut self, _seconds: f64) -> Outcome<()> {
        self.samples.push(BTreeMap::new());
        Ok(())
    }

    fn band(&mut self, name: &[u8], bytes: u64) -> Outcome<()> {
        let twice = self
            .samples
            .last_mut()
            .and_then(|sample| sample.insert(String::from_utf8_lossy(name).into_owned(), bytes));
        assert!(twice.is_none(), "a band came twice");
        Ok(())
    }

    fn end(&mut self, _seconds: f64) -> Outcome<()> {
        Ok(())
    }

    fn mark(&mut self, _seconds: f64) -> Outcome<()> {
        Ok(())
    }
}

/// The table of a journal whose profiles are `PROFILES`, and the sums of all bands by phase, in the same order.
pub fn shown(bytes: &[u8]) -> Result<(Shown, Vec<[u64; 6]>, Finished), String> {
    let journal = Journal::open(bytes).map_err(|failure| failure.sentence.as_str().to_owned())?;
    let mut whole: Shown = Vec::new();
    let mut sums = Vec::new();
    let mut finished = Finished { censuses: 0, seconds: 0.0, ended: false };
    for phase in 0..PROFILES.len() {
        let mut table = Table::default();
        finished =
            finish(&journal, phase, &mut table).map_err(|failure| failure.sentence.as_str().to_owned())?;
        if table.samples.len() != finished.censuses as usize {
            return Err(format!("{} samples for {} censuses", table.samples.len(), finished.censuses));
        }
        whole.resize(finished.censuses as usize, BTreeMap::new());
        sums.resize(finished.censuses as usize, [0; 6]);
        for (era, sample) in table.samples.iter().enumerate() {
            for (name, &value) in sample {
                if phase < 4 {
                    whole[era].entry(name.clone()).or_insert([0; 6])[phase] = value;
                } else {
                    let at = PHASES.iter().position(|known| known == name);
                    sums[era][at.ok_or_else(|| format!("a band is named {name}"))?] = value;
                }
            }
        }
    }
    Ok((whole, sums, finished))
}

/// Puts the right checksums into a journal that was changed, so that the parts behind them are read.
pub fn seal_again(bytes: &mut [u8]) {
    let mut at = MAGIC.len();
    while let Some(frame) = bytes.get(at..at + 8) {
        let length = u32::from_le_bytes([frame[0], frame[1], frame[2], frame[3]]) as usize;
        let Some(payload) = bytes.get(at + 8..).and_then(|rest| rest.get(..length)) else { return };
        let sum = crc32(payload);
        bytes[at + 4..at + 8].copy_from_slice(&sum.to_le_bytes());
        at += 8 + length;
    }
}
