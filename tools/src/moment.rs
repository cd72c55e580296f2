//! Which sample of a heap profile is meant by "the peak", "the end" or a time.

use crate::model::HeapProfile;
use std::str::FromStr;

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Moment {
    Peak,
    End,
    /// The last sample not after this time.
    Time(f64),
}

impl FromStr for Moment {
    type Err = String;

    fn from_str(text: &str) -> Result<Moment, String> {
        match text {
            "peak" => Ok(Moment::Peak),
            "end" => Ok(Moment::End),
            _ => match text.parse::<f64>() {
                Ok(time) if time.is_finite() => Ok(Moment::Time(time)),
                _ => Err("expected peak, end or a time such as 1.25".into()),
            },
        }
    }
}

/// The first and the last sample that counted anything. Runtimes begin and close a profile with an empty sample,
/// which would otherwise be the end and bend every mean.
pub fn filled(heap: &HeapProfile) -> Option<(usize, usize)> {
    let heights = heap.heights();
    let first = heights.iter().position(|&height| height > 0)?;
    Some((first, heights.iter().rposition(|&height| height > 0)?))
}

impl Moment {
    /// None if the profile has no sample there.
    pub fn sample(self, heap: &HeapProfile) -> Option<usize> {
        match self {
            Moment::Peak => {
                let heights = heap.heights();
                // The first of equal peaks, as in the page.
                (0..heights.len()).rev().max_by_key(|&sample| heights[sample])
            }
            Moment::End => filled(heap).map(|(_, end)| end).or_else(|| heap.times.len().checked_sub(1)),
            Moment::Time(time) => heap.times.iter().rposition(|&each| each <= time),
        }
    }
}

/// The values of all bands in one sample, those that are not zero, with the band's index.
pub fn values_at(heap: &HeapProfile, sample: usize) -> Vec<(usize, u64)> {
    let value = |band: &crate::model::Band| {
        band.series
            .iter()
            .take_while(|&(at, _)| at <= sample)
            .find(|&(at, _)| at == sample)
            .map_or(0, |(_, v)| v)
    };
    heap.bands.iter().map(value).enumerate().filter(|&(_, value)| value > 0).collect()
}
