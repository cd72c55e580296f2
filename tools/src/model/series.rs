//! The values of one band. Kept as differences in a byte string, because a long run has tens of millions of
//! values that change little from one sample to the next: about 3 bytes each in practice instead of 16.

/// Values by sample number. A sample in which the band was not listed has no entry, which is not the same as
/// an entry of zero: the standard deviation of hp2ps counts the one and not the other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// For each entry two LEB128 numbers: samples skipped since the entry before, and the zigzag difference.
    packed: Vec<u8>,
    /// One more than the last entry's sample.
    next_sample: usize,
    last: u64,
    /// Sum of all entries; 128 bits, since 64 overflow on values that are each valid.
    total: u128,
}

impl Series {
    /// Adds an entry. Entries must come in rising order of samples.
    pub fn push(&mut self, sample: usize, value: u64) {
        assert!(sample >= self.next_sample, "samples of a series rise");
        put(&mut self.packed, (sample - self.next_sample) as u64);
        put(&mut self.packed, zigzag(value.wrapping_sub(self.last) as i64));
        self.next_sample = sample + 1;
        self.last = value;
        self.total += u128::from(value);
    }

    pub fn is_empty(&self) -> bool {
        self.packed.is_empty()
    }

    /// How many bytes it takes.
    pub fn size(&self) -> usize {
        self.packed.len()
    }

    /// The number of samples from the first entry's to the last one's.
    pub fn span(&self) -> usize {
        self.iter().next().map_or(0, |(first, _)| self.next_sample - first)
    }

    /// The sum over all samples.
    pub fn total(&self) -> u128 {
        self.total
    }

    /// One value for each of `samples` samples, zero where the band was not listed.
    pub fn dense(&self, samples: usize) -> Vec<u64> {
        let mut values = vec![0; samples];
        for (sample, value) in self.iter() {
            values[sample] = value;
        }
        values
    }

    /// (sample number, value), in order.
    pub fn iter(&self) -> Iter<'_> {
        Iter { packed: &self.packed, sample: 0, value: 0 }
    }
}

pub struct Iter<'a> {
    packed: &'a [u8],
    sample: usize,
    value: u64,
}

impl Iterator for Iter<'_> {
    type Item = (usize, u64);

    fn next(&mut self) -> Option<(usize, u64)> {
        let skipped = take(&mut self.packed)?;
        let change = unzigzag(take(&mut self.packed)?);
        let sample = self.sample + skipped as usize;
        self.sample = sample + 1;
        self.value = self.value.wrapping_add(change as u64);
        Some((sample, self.value))
    }
}

fn zigzag(n: i64) -> u64 {
    ((n << 1) ^ (n >> 63)) as u64
}

fn unzigzag(n: u64) -> i64 {
    (n >> 1) as i64 ^ -((n & 1) as i64)
}

fn put(bytes: &mut Vec<u8>, mut n: u64) {
    while n >= 0x80 {
        bytes.push(n as u8 | 0x80);
        n >>= 7;
    }
    bytes.push(n as u8);
}

fn take(bytes: &mut &[u8]) -> Option<u64> {
    let mut n = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        n |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            break;
        }
    }
    Some(n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gives_back_what_was_put_in() {
        let entries = [
            (0, 0),
            (1, u64::MAX),
            (2, 0),
            (3, 1),
            (200, 1 << 63),
            (70_000, 127),
            (70_001, 128),
            (70_002, 5),
        ];
        let mut series = Series::default();
        for (sample, value) in entries {
            series.push(sample, value);
        }
        assert_eq!(series.iter().collect::<Vec<_>>(), entries);
        assert_eq!(series.total(), entries.iter().map(|&(_, v)| u128::from(v)).sum());
    }

    #[test]
    fn a_steady_band_takes_two_bytes_a_sample() {
        let mut series = Series::default();
        for sample in 0..1000 {
            series.push(sample, 36_816 + (sample as u64 % 3) * 8);
        }
        assert!(series.packed.len() <= 2005, "{}", series.packed.len());
    }
}
