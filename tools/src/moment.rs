//! Which sample of a heap profile is meant by "the peak", "the end" or a time, and which by a stretch of time.

use crate::model::{Band, HeapProfile, Iter, Series};
use std::iter::Peekable;
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

/// A stretch of time; both ends belong to it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Window {
    from: f64,
    to: f64,
}

impl FromStr for Window {
    type Err = String;

    /// `1.5..3`, `..3`, `1.5..`
    fn from_str(text: &str) -> Result<Window, String> {
        let wrong = || "expected two times such as 1.5..3, of which one may be left out".to_owned();
        let (from, to) = text.split_once("..").ok_or_else(wrong)?;
        let end = |text: &str, otherwise: f64| match text.trim() {
            "" => Ok(otherwise),
            text => text.parse().ok().filter(|time: &f64| time.is_finite()).ok_or_else(wrong),
        };
        let window = Window { from: end(from, f64::NEG_INFINITY)?, to: end(to, f64::INFINITY)? };
        if window.from > window.to { Err(wrong()) } else { Ok(window) }
    }
}

impl Window {
    /// What of a profile lies in it, or a sentence if nothing does.
    pub fn of(self, heap: &HeapProfile) -> Result<HeapProfile, String> {
        let is_in = |&time: &f64| time >= self.from && time <= self.to;
        // Times never fall, so what lies in it is one piece.
        let first = heap.times.partition_point(|&time| time < self.from);
        let times: Vec<f64> = heap.times[first..].iter().copied().take_while(is_in).collect();
        if times.is_empty() {
            let span = heap.times.first().zip(heap.times.last());
            let span =
                span.map_or(String::new(), |(first, last)| format!("; they go from {first} to {last}"));
            return Err(format!("has no sample in this window{span}"));
        }
        let band = |band: &Band| {
            let mut series = Series::default();
            for (sample, value) in band.series.iter() {
                if (first..first + times.len()).contains(&sample) {
                    series.push(sample - first, value);
                }
            }
            (!series.is_empty()).then(|| Band { name: band.name.clone(), series })
        };
        Ok(HeapProfile {
            header: heap.header.clone(),
            bands: heap.bands.iter().filter_map(band).collect(),
            marks: heap.marks.iter().copied().filter(is_in).collect(),
            cut: heap.cut.filter(|_| first + times.len() == heap.times.len()),
            times,
        })
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
            Moment::Time(time) => {
                let sample = heap.times.iter().rposition(|&each| each <= time)?;
                let is_in = heap.times.last().is_some_and(|&last| time <= last);
                // With an empty sample a runtime closes the profile.
                is_in.then(|| filled(heap).map_or(sample, |(_, end)| sample.min(end)))
            }
        }
    }
}

/// The values of all bands in one sample, those that are not zero, with the band's index.
pub fn values_at(heap: &HeapProfile, sample: usize) -> Vec<(usize, u64)> {
    Values::of(heap).at(sample)
}

/// The values of all bands in several samples. Bands are read from their beginning on, so each is gone through once.
pub struct Values<'a>(Vec<Peekable<Iter<'a>>>);

impl<'a> Values<'a> {
    pub fn of(heap: &'a HeapProfile) -> Values<'a> {
        Values(heap.bands.iter().map(|band| band.series.iter().peekable()).collect())
    }

    /// The values that are not zero, with the band's index. Samples are asked for in rising order.
    pub fn at(&mut self, sample: usize) -> Vec<(usize, u64)> {
        let value = |(index, band): (usize, &mut Peekable<Iter<'a>>)| {
            while band.next_if(|&(at, _)| at < sample).is_some() {}
            let (_, value) = band.next_if(|&(at, value)| at == sample && value > 0)?;
            Some((index, value))
        };
        self.0.iter_mut().enumerate().filter_map(value).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_keeps_what_lies_in_it() {
        let mut early = Series::default();
        early.push(0, 7);
        let mut long = Series::default();
        (0..4).for_each(|sample| long.push(sample, 10 + sample as u64));
        let band = |name: &str, series: Series| Band { name: name.as_bytes().into(), series };
        let heap = HeapProfile {
            times: vec![0.0, 1.0, 2.0, 2.0],
            marks: vec![0.5, 1.5],
            bands: vec![band("early", early), band("long", long)],
            ..HeapProfile::default()
        };
        let of = |text: &str| text.parse::<Window>().and_then(|window| window.of(&heap));
        let late = of("1..2").unwrap();
        assert_eq!((late.times.as_slice(), late.marks.as_slice()), (&[1.0, 2.0, 2.0][..], &[1.5][..]));
        assert_eq!(late.bands.len(), 1);
        assert_eq!(late.bands[0].series.iter().collect::<Vec<_>>(), [(0, 11), (1, 12), (2, 13)]);
        assert_eq!(of("..").unwrap(), heap);
        assert_eq!(of("..0.5").unwrap().bands.len(), 2);
        assert_eq!(of("5..").unwrap_err(), "has no sample in this window; they go from 0 to 2");
        for wrong in ["", "1", "2..1", "a..b", "nan..", "1..inf"] {
            assert!(of(wrong).unwrap_err().starts_with("expected two times"), "{wrong}");
        }
    }
}
