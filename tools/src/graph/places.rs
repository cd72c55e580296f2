//! Finds an object's number by its address: a bit for each word at which an object begins, in regions of the address space, and how
//! many begin before every 64th word. A look-up touches a line or two of memory, wherever in the heap it leads.
//! Where objects lie so far apart that the bits would be larger than the objects, their sorted addresses are searched instead.

use super::ahead::fetch;
use super::together::everywhere;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// Words of a region: 128 KiB of the heap are 4 KiB here.
const REGION: u64 = 1 << 14;
const WORDS: usize = (REGION / 64) as usize;

/// Addresses that are looked up together, so that their lines of memory are under way at the same time.
const TOGETHER: usize = 32;
/// Addresses that a thread takes at a time.
const PART: usize = 1 << 16;

/// 64 words of the heap.
#[derive(Clone, Copy, Default)]
struct Line {
    /// A bit for each word at which an object begins.
    bits: u64,
    /// How many objects begin before.
    before: u32,
}

pub struct Places {
    regions: HashMap<u64, u32, Plain>,
    lines: Vec<Line>,
    /// Instead of all that.
    sorted: Vec<u64>,
}

impl Places {
    /// None of two objects at one address: then it is the answer.
    pub fn new(addresses: &[u64]) -> Result<Places, u64> {
        let mut places = Places { regions: HashMap::default(), lines: Vec::new(), sorted: Vec::new() };
        let most = addresses.len() / 64 + 1024;
        let (mut last, mut at) = (u64::MAX, 0);
        for &address in addresses {
            let region = address / REGION;
            if region != last {
                if places.regions.len() >= most {
                    return Places::search(addresses);
                }
                let next = places.regions.len() as u32;
                at = *places.regions.entry(region).or_insert(next) as usize * WORDS;
                places.lines.resize(places.lines.len().max(at + WORDS), Line::default());
                last = region;
            }
            let (bits, bit) =
                (&mut places.lines[at + (address % REGION / 64) as usize].bits, 1 << (address % 64));
            if *bits & bit != 0 {
                return Err(address);
            }
            *bits |= bit;
        }
        let mut order: Vec<(u64, u32)> = places.regions.iter().map(|(&region, &at)| (region, at)).collect();
        order.sort_unstable();
        let mut count = 0;
        for (_, at) in order {
            for line in &mut places.lines[at as usize * WORDS..(at as usize + 1) * WORDS] {
                line.before = count;
                count += line.bits.count_ones();
            }
        }
        Ok(places)
    }

    fn search(addresses: &[u64]) -> Result<Places, u64> {
        let mut sorted = addresses.to_vec();
        sorted.sort_unstable();
        match sorted.windows(2).find(|two| two[0] == two[1]) {
            Some(two) => Err(two[0]),
            None => Ok(Places { regions: HashMap::default(), lines: Vec::new(), sorted }),
        }
    }

    /// How many objects begin below this address, if one begins there.
    #[inline]
    pub fn find(&self, address: u64) -> Option<u32> {
        if !self.sorted.is_empty() {
            return self.sorted.binary_search(&address).ok().map(|at| at as u32);
        }
        self.lines.get(self.line(address)?)?.number(address)
    }

    #[inline]
    fn line(&self, address: u64) -> Option<usize> {
        Some(*self.regions.get(&(address / REGION))? as usize * WORDS + (address % REGION / 64) as usize)
    }

    /// The same of many addresses, by all processors. Where there is no object at one of them, the first such address is the answer.
    pub fn find_all(&self, addresses: &[u64]) -> Result<Vec<u32>, u64> {
        let mut numbers = vec![0; addresses.len()];
        let parts = Mutex::new(addresses.chunks(PART).zip(numbers.chunks_mut(PART)).enumerate());
        let wrong = Mutex::new(None);
        let work = || {
            loop {
                let part = parts.lock().unwrap_or_else(PoisonError::into_inner).next();
                let Some((part, (addresses, numbers))) = part else { return };
                if let Err(address) = self.find_part(addresses, numbers) {
                    let mut wrong = wrong.lock().unwrap_or_else(PoisonError::into_inner);
                    if wrong.is_none_or(|(earlier, _)| part < earlier) {
                        *wrong = Some((part, address));
                    }
                }
            }
        };
        everywhere(addresses.len() / PART, &work);
        match wrong.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some((_, address)) => Err(address),
            None => Ok(numbers),
        }
    }

    fn find_part(&self, addresses: &[u64], numbers: &mut [u32]) -> Result<(), u64> {
        let mut lines = [0; TOGETHER];
        for (addresses, numbers) in addresses.chunks(TOGETHER).zip(numbers.chunks_mut(TOGETHER)) {
            if self.sorted.is_empty() {
                for (line, &address) in lines.iter_mut().zip(addresses) {
                    *line = self.line(address).ok_or(address)?;
                    fetch(&self.lines, *line);
                }
                for ((number, &address), &line) in numbers.iter_mut().zip(addresses).zip(&lines) {
                    *number = self.lines[line].number(address).ok_or(address)?;
                }
            } else {
                for (number, &address) in numbers.iter_mut().zip(addresses) {
                    *number = self.find(address).ok_or(address)?;
                }
            }
        }
        Ok(())
    }
}

impl Line {
    #[inline]
    fn number(self, address: u64) -> Option<u32> {
        let bit = 1u64 << (address % 64);
        (self.bits & bit != 0).then(|| self.before + (self.bits & (bit - 1)).count_ones())
    }
}

/// Regions are numbers of a program's own blocks: a multiplication scatters them enough.
#[derive(Default, Clone)]
pub struct Plain;

pub struct Scatter(u64);

impl std::hash::BuildHasher for Plain {
    type Hasher = Scatter;

    fn build_hasher(&self) -> Scatter {
        Scatter(0)
    }
}

impl std::hash::Hasher for Scatter {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = (self.0.rotate_left(5) ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(u64::from(number));
    }

    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 29
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_sorted_addresses() {
        // Side by side, in regions out of order, and so far apart that they are searched.
        for step in [1u64, 3, 700, 1 << 20] {
            let mut addresses: Vec<u64> = (0..4000).map(|i| 5 + i * step).collect();
            addresses.rotate_left(1234);
            let places = Places::new(&addresses).unwrap();
            assert_eq!(places.sorted.is_empty(), step < 1 << 20);
            let mut sorted = addresses.clone();
            sorted.sort_unstable();
            for (number, &address) in sorted.iter().enumerate() {
                assert_eq!(places.find(address), Some(number as u32));
                assert!(step == 1 || places.find(address + 1).is_none());
            }
            let rising: Vec<u32> = (0..4000).collect();
            assert_eq!(places.find_all(&sorted), Ok(rising));
            let mut wrong = sorted.repeat(50);
            (wrong[199_999], wrong[70_000]) = (3, 4);
            assert_eq!(places.find_all(&wrong), Err(4));
            assert_eq!(places.find(4), None);
            addresses.push(addresses[7]);
            assert_eq!(Places::new(&addresses).err(), Some(addresses[7]));
        }
    }
}
