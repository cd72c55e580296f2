//! What `top` keeps of a profile: a few numbers for each band, whatever the number of samples.

use crate::model::{Cut, Header, HeapProfile, Text};
use crate::moment;
use crate::read::hp::BandTable;

#[derive(Default)]
pub struct Tally {
    pub header: Header,
    pub cut: Option<Cut>,
    pub bands: Vec<BandTally>,
    pub samples: u64,
    pub start: f64,
    pub end: f64,
    /// The sample with the greatest sum.
    pub peak: Moment,
    /// The last sample that has values; runtimes end a file with an empty one.
    pub last: Moment,
    /// A sample came since this was last looked at.
    pub is_new: bool,
    /// The numbers of the first sample with values and of the last one: means leave out what lies before and behind.
    filled: Option<(u64, u64)>,
    /// Bands that have a value in the last sample, and those that have one at the peak: the others need no look.
    in_last: Vec<usize>,
    in_peak: Vec<usize>,
}

#[derive(Clone, Copy, Default)]
pub struct Moment {
    pub time: f64,
    pub total: u128,
}

pub struct BandTally {
    pub name: Text,
    pub at_peak: u64,
    pub at_last: u64,
    pub at_first: u64,
    sum: u128,
}

impl Tally {
    /// Counts the sample that the reader has just completed.
    pub fn add(&mut self, time: f64, table: &BandTable) {
        for band in self.bands.len()..table.len() {
            let name = table.name(band).into();
            self.bands.push(BandTally { name, at_peak: 0, at_last: 0, at_first: 0, sum: 0 });
        }
        if self.samples == 0 {
            self.start = time;
        }
        self.end = time;
        self.samples += 1;
        self.is_new = true;
        let total: u128 = table.listed().map(|(_, value)| u128::from(value)).sum();
        if total == 0 {
            return;
        }
        let is_first = self.filled.is_none();
        self.filled = Some((self.filled.map_or(self.samples, |(first, _)| first), self.samples));
        let is_peak = total > self.peak.total;
        self.in_last.drain(..).for_each(|band| self.bands[band].at_last = 0);
        if is_peak {
            self.in_peak.drain(..).for_each(|band| self.bands[band].at_peak = 0);
        }
        for (band, value) in table.listed() {
            self.in_last.push(band);
            if is_peak {
                self.in_peak.push(band);
            }
            let band = &mut self.bands[band];
            band.sum += u128::from(value);
            band.at_last = value;
            if is_peak {
                band.at_peak = value;
            }
            if is_first {
                band.at_first = value;
            }
        }
        self.last = Moment { time, total };
        if is_peak {
            self.peak = self.last;
        }
    }

    /// All samples of a profile that was read.
    pub fn of(heap: &HeapProfile) -> Tally {
        let mut tally = Tally { header: heap.header.clone(), cut: heap.cut, ..Tally::default() };
        let heights = heap.heights();
        let filled = |sample: &usize| heights[*sample] > 0;
        tally.samples = heap.times.len() as u64;
        tally.start = heap.times.first().copied().unwrap_or(0.0);
        tally.end = heap.times.last().copied().unwrap_or(0.0);
        let samples = 0..heap.times.len();
        let (first, last) = moment::filled(heap).unzip();
        tally.filled = first.zip(last).map(|(first, last)| (first as u64, last as u64));
        // The first of equal ones.
        let peak = samples.rev().max_by_key(|&sample| heights[sample]).filter(filled);
        let moment = |sample: Option<usize>| {
            sample.map_or(Moment::default(), |at| Moment { time: heap.times[at], total: heights[at] })
        };
        (tally.peak, tally.last) = (moment(peak), moment(last));
        for band in &heap.bands {
            let mut row = BandTally { name: band.name.clone(), at_peak: 0, at_last: 0, at_first: 0, sum: 0 };
            for (sample, value) in band.series.iter() {
                row.sum += u128::from(value);
                for (at, place) in
                    [(peak, &mut row.at_peak), (last, &mut row.at_last), (first, &mut row.at_first)]
                {
                    if at == Some(sample) {
                        *place = value;
                    }
                }
            }
            tally.bands.push(row);
        }
        tally
    }

    pub fn mean(&self, band: &BandTally) -> u64 {
        // No greater than the greatest value, so it fits.
        (band.sum / u128::from(self.filled.map_or(1, |(first, last)| last + 1 - first))) as u64
    }
}

impl BandTally {
    pub fn growth(&self) -> i128 {
        i128::from(self.at_last) - i128::from(self.at_first)
    }
}
