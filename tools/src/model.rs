//! A heap profile in memory: what every reader of one produces and every picture of one starts from.
//! Invariant: a band's sample numbers rise, and each is an index into `HeapProfile::times`.
//! Knows no file format and no drawing.

mod series;

pub use series::{Iter, Series};

use std::fmt;

/// Bytes meant as text. Names of bands are cut at a number of bytes by some runtimes, which can split a
/// character, so they are kept as they came and made printable only where they are shown.
#[derive(Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Text(Box<[u8]>);

impl Text {
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

impl From<&[u8]> for Text {
    fn from(bytes: &[u8]) -> Text {
        Text(bytes.into())
    }
}

/// Broken characters show as U+FFFD.
impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        String::from_utf8_lossy(&self.0).fmt(f)
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", String::from_utf8_lossy(&self.0))
    }
}

/// What the file says about itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Header {
    /// The program and its arguments.
    pub job: Text,
    /// When it ran, as the runtime wrote it; never parsed, since its form varies.
    pub date: Text,
    /// The unit of `times`, usually "seconds".
    pub sample_unit: Text,
    /// The unit of the values, usually "bytes".
    pub value_unit: Text,
}

/// One whole profile.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HeapProfile {
    pub header: Header,
    /// The time of each sample; never falls, may repeat.
    pub times: Vec<f64>,
    /// Moments that the program or its user marked, in the order of the file.
    pub marks: Vec<f64>,
    /// In the order in which the file first named them.
    pub bands: Vec<Band>,
    /// Set when the file ended within a sample, which was left out.
    pub cut: Option<Cut>,
}

/// One coloured band of the picture: a name and how much it held, sample by sample.
#[derive(Clone, Debug, PartialEq)]
pub struct Band {
    pub name: Text,
    pub series: Series,
}

/// The incomplete last sample of a file whose writer was killed or is still at work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The line on which the sample (or the half-written statement) begins.
    pub line: u64,
}

impl HeapProfile {
    /// The sum of all bands in each sample. Sums of 64-bit values: only 128 bits cannot overflow.
    pub fn heights(&self) -> Vec<u128> {
        let mut heights = vec![0u128; self.times.len()];
        for band in &self.bands {
            for (sample, value) in band.series.iter() {
                heights[sample] += u128::from(value);
            }
        }
        heights
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heights_add_up_bands_beyond_64_bits() {
        let band = |name: &str, values: &[(usize, u64)]| {
            let mut series = Series::default();
            values.iter().for_each(|&(sample, value)| series.push(sample, value));
            Band { name: name.as_bytes().into(), series }
        };
        let profile = HeapProfile {
            times: vec![0.0, 1.0, 2.0],
            bands: vec![band("a", &[(0, u64::MAX), (2, 5)]), band("b", &[(0, u64::MAX)])],
            ..HeapProfile::default()
        };
        assert_eq!(profile.heights(), [2 * u128::from(u64::MAX), 0, 5]);
    }

    #[test]
    fn a_name_cut_within_a_character_still_prints() {
        assert_eq!(Text::from(&b"gr\xc3"[..]).to_string(), "gr\u{fffd}");
    }
}
