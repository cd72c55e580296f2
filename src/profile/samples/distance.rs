//! Distances between points of a Poisson process: exponential, from a small generator of random numbers.

/// Random distances of a given mean, in words.
pub(crate) struct Distances {
    state: u64,
    mean: f64,
}

impl Distances {
    /// `mean` is in words. Equal seeds give equal distances.
    pub(crate) fn new(mean: f64, seed: u64) -> Distances {
        // A generator of this kind must not begin at 0.
        Distances { state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1, mean }
    }

    /// xorshift64*.
    fn random(&mut self) -> u64 {
        self.state ^= self.state >> 12;
        self.state ^= self.state << 25;
        self.state ^= self.state >> 27;
        self.state.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn draw(&mut self) -> f64 {
        // Above 0, so that the logarithm is finite.
        let unit = ((self.random() >> 11) + 1) as f64 / (1u64 << 53) as f64;
        -unit.ln() * self.mean
    }

    /// Words before the next point: each word is one with the same chance, whatever came before it.
    pub(crate) fn draw_words(&mut self) -> usize {
        // More than any heap has, and little enough to be added to an address.
        self.draw().min((1u64 << 50) as f64) as usize
    }

    /// Objects for which one sampled object of `words` words stands.
    pub(crate) fn weight(&self, words: usize) -> f64 {
        planted!(240, self.mean / words as f64, -1.0 / (-(words as f64) / self.mean).exp_m1())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_exponential() {
        let mut distances = Distances::new(100.0, 7);
        let drawn: Vec<f64> = (0..100_000).map(|_| distances.draw()).collect();
        let mean = drawn.iter().sum::<f64>() / drawn.len() as f64;
        assert!((mean - 100.0).abs() < 2.0, "{mean}");
        for (least, share) in [(100.0, 0.3679), (300.0, 0.0498)] {
            let found = drawn.iter().filter(|&&one| one > least).count() as f64 / drawn.len() as f64;
            assert!((found - share).abs() < 0.01, "{found} above {least}");
        }
    }

    #[test]
    fn large_objects_stand_for_themselves() {
        let distances = Distances::new(65536.0, 1);
        assert!((distances.weight(10_000_000) - 1.0).abs() < 1e-9);
        assert!((distances.weight(1) - 65536.5).abs() < 0.1);
    }
}
