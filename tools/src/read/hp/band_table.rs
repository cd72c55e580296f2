//! The names of a profile's bands, numbered as they first appear, with the values of the current sample.
//! This is all the memory the reader needs: one entry for each band, however long the file.

use std::collections::HashMap;

#[derive(Default)]
pub struct BandTable {
    bands: Vec<Entry>,
    numbers: HashMap<Box<[u8]>, usize>,
    /// Bands of the current sample, in the order in which they were listed.
    listed: Vec<usize>,
    /// Counts samples; an entry with another stamp has no value in the current one.
    stamp: u64,
    /// The current sample is complete; the next value begins another.
    complete: bool,
    /// The band named last in this sample, and the one named first in the last sample: samples mostly list the
    /// same bands in the same order, which saves the look-up of most names.
    last: Option<usize>,
    first: usize,
}

struct Entry {
    name: Box<[u8]>,
    value: u64,
    stamp: u64,
    /// The band that came after this one the last time.
    next: usize,
}

impl BandTable {
    pub fn len(&self) -> usize {
        self.bands.len()
    }

    pub fn name(&self, band: usize) -> &[u8] {
        &self.bands[band].name
    }

    /// (band number, value) of the sample just completed.
    pub fn listed(&self) -> impl Iterator<Item = (usize, u64)> {
        self.listed.iter().map(|&band| (band, self.bands[band].value))
    }

    pub(super) fn find_or_add(&mut self, name: &[u8]) -> usize {
        let guess = self.last.map_or(self.first, |last| self.bands[last].next);
        let band = match self.bands.get(guess) {
            Some(entry) if *entry.name == *name => guess,
            _ => self.look_up(name),
        };
        match self.last.replace(band) {
            Some(last) => self.bands[last].next = band,
            None => self.first = band,
        }
        band
    }

    fn look_up(&mut self, name: &[u8]) -> usize {
        if let Some(&band) = self.numbers.get(name) {
            return band;
        }
        let band = self.bands.len();
        self.bands.push(Entry { name: name.into(), value: 0, stamp: self.stamp.wrapping_sub(1), next: 0 });
        self.numbers.insert(name.into(), band);
        band
    }

    pub(super) fn is_listed(&self, band: usize) -> bool {
        self.bands[band].stamp == self.stamp
    }

    /// Makes sure that what comes belongs to a new sample. Before the first BEGIN_SAMPLE and between samples
    /// values may already stand, which count for the sample to come.
    pub(super) fn begin_sample(&mut self) {
        if self.complete {
            self.forget_values();
        }
    }

    /// The values stay readable until the next sample begins.
    pub(super) fn end_sample(&mut self) {
        self.begin_sample();
        self.complete = true;
        self.last = None;
    }

    pub(super) fn forget_values(&mut self) {
        self.listed.clear();
        self.stamp += 1;
        self.complete = false;
        self.last = None;
    }

    /// Adds to the band's value in the current sample. False if the sum is beyond 64 bits.
    pub(super) fn add(&mut self, band: usize, value: u64) -> bool {
        self.begin_sample();
        let entry = &mut self.bands[band];
        if entry.stamp != self.stamp {
            entry.stamp = self.stamp;
            entry.value = value;
            self.listed.push(band);
            return true;
        }
        let sum = entry.value.checked_add(value);
        entry.value = sum.unwrap_or(u64::MAX);
        sum.is_some()
    }
}
