//! A heap profile in memory: what every reader of one produces and every picture of one starts from.
//! Invariant: a band's sample numbers rise, and each is an index into `HeapProfile::times`.
//! Knows no file format and no drawing.

mod series;

pub use series::Series;

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cut_within_a_character_still_prints() {
        assert_eq!(Text::from(&b"gr\xc3"[..]).to_string(), "gr\u{fffd}");
    }
}
