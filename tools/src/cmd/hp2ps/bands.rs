//! Which bands are drawn, and in what order from the bottom of the picture to its top.

use super::flags::{Flags, NameOrder};
use super::previous::Previous;
use super::selection_sort::selection_sort;
use crate::model::{Band, HeapProfile};
use std::collections::HashMap;

/// What a band of the picture shows.
pub enum Shown<'a> {
    Band(&'a Band),
    /// All that the band limit leaves over: the sum for every sample.
    Other(Vec<u128>),
}

pub struct Bands<'a> {
    /// From the bottom to the top.
    pub shown: Vec<Shown<'a>>,
}

impl Shown<'_> {
    pub fn name(&self) -> &[u8] {
        match self {
            Shown::Band(band) => band.name.as_bytes(),
            Shown::Other(_) => b"OTHER",
        }
    }

    /// (sample number, value) of each sample that lists the band.
    pub fn values(&self) -> Box<dyn Iterator<Item = (usize, u128)> + '_> {
        match self {
            Shown::Band(band) => {
                Box::new(band.series.iter().map(|(sample, value)| (sample, u128::from(value))))
            }
            Shown::Other(values) => Box::new(values.iter().copied().enumerate()),
        }
    }
}

impl<'a> Bands<'a> {
    pub fn choose(profile: &'a HeapProfile, flags: &Flags, previous: &Previous) -> Bands<'a> {
        let mut bands = hashed_order(&profile.bands);
        selection_sort(&mut bands, |band| band.series.total());
        drop_traces(&mut bands, flags.traces);
        if flags.by_deviation {
            selection_sort(&mut bands, |band| deviation(band, profile.times.len()));
        }
        match flags.by_name {
            None => {}
            Some(NameOrder::GreatestOnTop) => selection_sort(&mut bands, |band| band.name.clone()),
            Some(NameOrder::SmallestOnTop) => {
                selection_sort(&mut bands, |band| std::cmp::Reverse(band.name.clone()));
            }
        }
        if flags.previous {
            // A band that the .aux does not know goes to the bottom.
            selection_sort(&mut bands, |band| previous.order.get(band.name.as_bytes()).copied().unwrap_or(0));
        }
        Bands { shown: limit(&bands, flags.most_bands, profile.times.len()) }
    }

    /// The height of each sample with all bands on top of each other.
    pub fn heights(&self, samples: usize) -> Vec<u128> {
        let mut heights = vec![0; samples];
        for (sample, value) in self.shown.iter().flat_map(Shown::values) {
            heights[sample] += value;
        }
        heights
    }
}

const LISTS: usize = 513;

/// The order from which the sorts start decides between equal bands: that of a hash table of 513 lists, a new
/// name at the front of its list.
fn hashed_order(bands: &[Band]) -> Vec<&Band> {
    let mut lists: HashMap<usize, Vec<&Band>> = HashMap::new();
    for band in bands {
        lists.entry(list_of(band.name.as_bytes())).or_default().push(band);
    }
    (0..LISTS).filter_map(|list| lists.remove(&list)).flat_map(|list| list.into_iter().rev()).collect()
}

fn list_of(name: &[u8]) -> usize {
    let hash = name.iter().fold(0i32, |hash, &byte| {
        hash.wrapping_mul(3).wrapping_add(i32::from(byte as i8)) // bytes above 127 count as negative
    });
    hash.unsigned_abs() as usize % LISTS
}

/// Leaves out the first bands, the smallest, that together stay below `percent` of the whole. If all values are
/// zero the quotient is not a number, and no band stays.
fn drop_traces(bands: &mut Vec<&Band>, percent: f64) {
    let whole: u128 = bands.iter().map(|band| band.series.total()).sum();
    let mut sum = 0.0;
    let keep_from = bands.iter().position(|band| {
        sum += 100.0 * band.series.total() as f64 / whole as f64;
        sum >= percent
    });
    bands.drain(..keep_from.unwrap_or(bands.len()));
}

/// Samples in which the band was not listed count for the mean and not for the sum of squares.
fn deviation(band: &Band, samples: usize) -> f64 {
    if samples < 2 {
        return 0.0;
    }
    let mean = band.series.total() as f64 / samples as f64;
    let squares: f64 = band.series.iter().map(|(_, value)| (value as f64 - mean).powi(2)).sum();
    (squares / (samples - 1) as f64).sqrt()
}

fn limit<'a>(bands: &[&'a Band], most: usize, samples: usize) -> Vec<Shown<'a>> {
    let over = if most > 0 && bands.len() > most { bands.len() - most + 1 } else { 0 };
    let (left_over, kept) = bands.split_at(over);
    let mut shown = Vec::new();
    if over > 0 {
        let mut values = vec![0; samples];
        for band in left_over {
            for (sample, value) in Shown::Band(band).values() {
                values[sample] += value;
            }
        }
        shown.push(Shown::Other(values));
    }
    shown.extend(kept.iter().map(|band| Shown::Band(band)));
    shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Series;

    #[test]
    fn hashes_of_any_bytes_find_a_list() {
        for name in [&b""[..], b"a", &[0xff; 100], b"(150)PINNED"] {
            assert!(list_of(name) < LISTS);
        }
        assert_eq!(list_of(b"ab"), (3 * 97 + 98) % LISTS);
        assert_eq!(list_of(&[0xff]), 1);
    }

    #[test]
    fn a_hundred_thousand_bands_sort_at_once() {
        let bands: Vec<Band> = (0..100_000u64)
            .map(|number| {
                let mut series = Series::default();
                series.push(0, number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 44);
                Band { name: number.to_string().as_bytes().into(), series }
            })
            .collect();
        let profile = HeapProfile { times: vec![0.0], bands, ..HeapProfile::default() };
        let flags = Flags { most_bands: 0, traces: 0.0, ..Flags::default() };
        let chosen = Bands::choose(&profile, &flags, &Previous::default());
        assert_eq!(chosen.shown.len(), 100_000);
    }
}
