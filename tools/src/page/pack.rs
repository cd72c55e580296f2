//! Packs a heap profile's values for the page: sample times, then for each band the differences between its samples
//! in units of its greatest common divisor, as variable-length numbers; in parts, each deflated and in base64. Parts are
//! made by as many threads as there are processors, and are the same on every machine.
//! The page's `pack.js` is the other half.

use crate::model::{Band, HeapProfile};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use std::io::{self, Write};
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// The greatest whole number a page can hold exactly; larger values are shown as this.
const MOST: u64 = (1 << 53) - 1;

/// So many bytes of series go into a part: some hundred milliseconds of work.
const PART: usize = 2 << 20;

/// Numbers that a page holds, of which some take four bytes and some eight: a GiB or two of a browser.
pub const MOST_NUMBERS: usize = 1 << 28;
/// So many samples have one number more in each band, in the page's sums over blocks of samples.
const SUMMED: usize = 8;

/// The numbers that the page makes of a profile: one for each sample from a band's first one to its last, however few are in the file.
pub fn numbers(profile: &HeapProfile) -> usize {
    let samples = profile.times.len();
    profile.bands.iter().fold(0, |sum: usize, band| {
        sum.saturating_add(band.series.span()).saturating_add(samples.div_ceil(SUMMED))
    })
}

/// Whether a browser has room for that.
pub fn fits(profile: &HeapProfile) -> Result<(), String> {
    let (numbers, samples) = (numbers(profile), profile.times.len());
    if numbers <= MOST_NUMBERS {
        return Ok(());
    }
    Err(format!(
        "a page of its {} bands in {samples} samples would hold {numbers} numbers; {MOST_NUMBERS} is the most \
         (barrow convert --to hp --window FROM..TO makes a part of it)",
        profile.bands.len()
    ))
}

/// The parts, with a blank between them.
pub fn pack(profile: &HeapProfile) -> io::Result<String> {
    let parts = parts(&profile.bands);
    let made: Vec<Mutex<Option<io::Result<String>>>> = parts.iter().map(|_| Mutex::default()).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let (Some(bands), Some(place)) = (parts.get(number), made.get(number)) else { return };
            let times = if number == 0 { &profile.times[..] } else { &[] };
            let text = part(times, bands);
            *place.lock().unwrap_or_else(PoisonError::into_inner) = Some(text);
        }
    };
    thread::scope(|scope| {
        let processors = thread::available_parallelism().map_or(1, NonZero::get);
        for _ in 1..processors.min(parts.len()) {
            // This thread works in any case.
            if thread::Builder::new().spawn_scoped(scope, work).is_err() {
                break;
            }
        }
        work();
    });
    let texts: io::Result<Vec<String>> = made
        .into_iter()
        .map(|place| {
            let text = place.into_inner().unwrap_or_else(PoisonError::into_inner);
            text.unwrap_or_else(|| Err(io::Error::other("a part was not made")))
        })
        .collect();
    Ok(texts?.join(" "))
}

/// The bands parted by their size; at least one part, which has the times.
fn parts(bands: &[Band]) -> Vec<&[Band]> {
    let mut parts = Vec::new();
    let (mut begin, mut size) = (0, 0);
    for (at, band) in bands.iter().enumerate() {
        size += band.series.size();
        if size >= PART {
            parts.push(&bands[begin..=at]);
            (begin, size) = (at + 1, 0);
        }
    }
    if begin < bands.len() || parts.is_empty() {
        parts.push(&bands[begin..]);
    }
    parts
}

fn part(times: &[f64], bands: &[Band]) -> io::Result<String> {
    let mut out = ZlibEncoder::new(Vec::new(), Compression::new(4));
    for time in times {
        out.write_all(&time.to_le_bytes())?;
    }
    let mut bytes = Vec::new();
    for band in bands {
        bytes.clear();
        band_bytes(band.series.iter(), &mut bytes);
        out.write_all(&bytes)?;
    }
    Ok(base64(&out.finish()?))
}

/// First sample, number of values, unit, greatest value in units, and the zigzag differences.
fn band_bytes(entries: impl Iterator<Item = (usize, u64)>, out: &mut Vec<u8>) {
    let entries: Vec<(usize, u64)> = entries.map(|(sample, value)| (sample, value.min(MOST))).collect();
    let start = entries.first().map_or(0, |&(sample, _)| sample);
    let end = entries.last().map_or(0, |&(sample, _)| sample + 1);
    let unit = entries.iter().fold(0, |unit, &(_, value)| gcd(unit, value)).max(1);
    let most = entries.iter().map(|&(_, value)| value / unit).max().unwrap_or(0);
    for number in [start as u64, (end - start) as u64, unit, most] {
        put(out, number);
    }
    let (mut last, mut next) = (0i64, start);
    let mut step = |value: u64, out: &mut Vec<u8>| {
        let change = value as i64 - last;
        put(out, ((change << 1) ^ (change >> 63)) as u64);
        last = value as i64;
    };
    for (sample, value) in entries {
        // Samples in which the band is not listed are zero in the picture.
        for _ in next..sample {
            step(0, out);
        }
        step(value / unit, out);
        next = sample + 1;
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    let (mut a, mut b) = (a, b);
    // Once the unit is 8 or less the search ends at once for almost every value.
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

fn put(bytes: &mut Vec<u8>, mut n: u64) {
    while n >= 0x80 {
        bytes.push(n as u8 | 0x80);
        n >>= 7;
    }
    bytes.push(n as u8);
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let group =
            chunk.iter().fold(0u32, |group, &byte| group << 8 | u32::from(byte)) << (8 * (3 - chunk.len()));
        for digit in 0..4 {
            if digit <= chunk.len() {
                out.push(DIGITS[(group >> (18 - 6 * digit)) as usize & 63] as char);
            } else {
                out.push('=');
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_of_each_length() {
        assert_eq!(base64(b""), "");
        assert_eq!(base64(b"M"), "TQ==");
        assert_eq!(base64(b"Ma"), "TWE=");
        assert_eq!(base64(b"Man"), "TWFu");
        assert_eq!(base64(&[0xfb, 0xff]), "+/8=");
    }

    #[test]
    fn a_sparse_profile_is_refused() {
        let of = |bands: usize, samples: usize, entries: &[usize]| {
            let mut series = crate::model::Series::default();
            entries.iter().for_each(|&sample| series.push(sample, 8));
            let band = Band { name: b"b".as_slice().into(), series };
            let times = vec![1.0; samples];
            HeapProfile { times, bands: vec![band; bands], ..HeapProfile::default() }
        };
        assert!(fits(&of(10_000, 10_000, &[0, 9_999])).is_ok());
        let told = fits(&of(3_000, 100_000, &[0, 99_999])).expect_err("many numbers");
        assert!(told.contains("3000 bands in 100000 samples would hold 337500000 numbers"), "{told}");
        // Bands of one sample have their sums.
        assert!(fits(&of(30_000, 100_000, &[7])).is_err());
    }

    #[test]
    fn a_large_profile_is_parted() {
        let band = |salt: u64| {
            let mut series = crate::model::Series::default();
            (0..300_000).for_each(|sample| series.push(sample, (sample as u64 * 7919 + salt) % 99_991));
            Band { name: b"b".as_slice().into(), series }
        };
        let profile = HeapProfile {
            times: vec![1.0; 300_000],
            bands: (0..7).map(band).collect(),
            ..HeapProfile::default()
        };
        let sizes: Vec<usize> = parts(&profile.bands).iter().map(|part| part.len()).collect();
        assert!(sizes.len() > 1 && sizes.iter().sum::<usize>() == 7, "{sizes:?}");
        let text = pack(&profile).expect("to memory");
        assert_eq!(text.split(' ').count(), sizes.len());
        assert_eq!(text, pack(&profile).expect("to memory"));
        assert_eq!(parts(&[]).len(), 1);
    }

    #[test]
    fn a_band_in_units_with_its_gap_filled() {
        let mut out = Vec::new();
        band_bytes([(3, 16), (5, 40)].into_iter(), &mut out);
        // Starts at 3, three values, unit 8, most 5; +2, -2, +5 as zigzag.
        assert_eq!(out, [3, 3, 8, 5, 4, 3, 10]);
        out.clear();
        band_bytes([(0, u64::MAX)].into_iter(), &mut out);
        assert_eq!(&out[..2], [0, 1]);
    }
}
