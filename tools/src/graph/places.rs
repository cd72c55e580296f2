//! Finds an object's number by its address: a bit for each word at which an object begins, in regions of the address space, and how
//! many begin before every 64th word. A look-up touches a line or two of memory, wherever in the heap it leads.
//! Where objects lie so far apart that the bits would be larger than the objects, their sorted addresses are searched instead.

use std::collections::HashMap;

/// Words of a region: 128 KiB of the heap are 3 KiB here.
const REGION: u64 = 1 << 14;
const WORDS: usize = (REGION / 64) as usize;

pub struct Places {
    regions: HashMap<u64, u32, Plain>,
    bits: Vec<u64>,
    /// How many objects begin before each word of `bits`.
    before: Vec<u32>,
    /// Instead of all that.
    sorted: Vec<u64>,
}

impl Places {
    /// None of two objects at one address: then it is the answer.
    pub fn new(addresses: &[u64]) -> Result<Places, u64> {
        let mut places =
            Places { regions: HashMap::default(), bits: Vec::new(), before: Vec::new(), sorted: Vec::new() };
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
                places.bits.resize(places.bits.len().max(at + WORDS), 0);
                last = region;
            }
            let (word, bit) = (at + (address % REGION / 64) as usize, 1u64 << (address % 64));
            if places.bits[word] & bit != 0 {
                return Err(address);
            }
            places.bits[word] |= bit;
        }
        let mut order: Vec<(u64, u32)> = places.regions.iter().map(|(&region, &at)| (region, at)).collect();
        order.sort_unstable();
        places.before.resize(places.bits.len(), 0);
        let mut count = 0;
        for (_, at) in order {
            for word in at as usize * WORDS..(at as usize + 1) * WORDS {
                places.before[word] = count;
                count += places.bits[word].count_ones();
            }
        }
        Ok(places)
    }

    fn search(addresses: &[u64]) -> Result<Places, u64> {
        let mut sorted = addresses.to_vec();
        sorted.sort_unstable();
        match sorted.windows(2).find(|two| two[0] == two[1]) {
            Some(two) => Err(two[0]),
            None => Ok(Places { regions: HashMap::default(), bits: Vec::new(), before: Vec::new(), sorted }),
        }
    }

    /// How many objects begin below this address, if one begins there.
    #[inline]
    pub fn find(&self, address: u64) -> Option<u32> {
        if !self.sorted.is_empty() {
            return self.sorted.binary_search(&address).ok().map(|at| at as u32);
        }
        let at = *self.regions.get(&(address / REGION))? as usize * WORDS;
        let (word, bit) = (at + (address % REGION / 64) as usize, 1u64 << (address % 64));
        let bits = self.bits[word];
        (bits & bit != 0).then(|| self.before[word] + (bits & (bit - 1)).count_ones())
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
            assert_eq!(places.find(4), None);
            addresses.push(addresses[7]);
            assert_eq!(Places::new(&addresses).err(), Some(addresses[7]));
        }
    }
}
