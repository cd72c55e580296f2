//! Packs a heap profile's values for the page: sample times, then for each band the differences between its samples
//! in units of its greatest common divisor, as variable-length numbers; deflated and in base64.
//! The page's `pack.js` is the other half.

use crate::model::HeapProfile;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use std::io::{self, Write};

/// The greatest whole number a page can hold exactly; larger values are shown as this.
const MOST: u64 = (1 << 53) - 1;

pub fn pack(profile: &HeapProfile) -> io::Result<String> {
    let mut out = ZlibEncoder::new(Vec::new(), Compression::new(4));
    for time in &profile.times {
        out.write_all(&time.to_le_bytes())?;
    }
    let mut bytes = Vec::new();
    for band in &profile.bands {
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
