//! Throws mutations of good files at a reader: the same thousands in every test run, or for as long as
//! `BARROW_FUZZ_SECONDS` says with seeds of its own.

use std::time::{Duration, Instant};

/// Cases in a plain test run.
const CASES: u64 = 20_000;

/// Mutated inputs grow by duplication; what matters happens in small ones.
const MOST_BYTES: usize = 1 << 20;

/// Runs `body` on mutations of `files`, splicing in `words` of the format. The number that made a failing case is
/// printed, and `BARROW_FUZZ_SEED` runs it alone.
pub fn run(files: &[Vec<u8>], words: &[&[u8]], body: impl Fn(&[u8])) {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    if let Some(seed) = number("BARROW_FUZZ_SEED") {
        return body(&mutated(files, words, seed));
    }
    let end = number("BARROW_FUZZ_SECONDS").map(|seconds| Instant::now() + Duration::from_secs(seconds));
    let mut seed = 0;
    while end.map_or(seed < CASES, |end| Instant::now() < end) {
        let input = mutated(files, words, seed);
        let shown = Shown(seed);
        body(&input);
        std::mem::forget(shown);
        seed += 1;
    }
    println!("{seed} cases");
}

/// Names the case when a panic unwinds through it.
struct Shown(u64);

impl Drop for Shown {
    fn drop(&mut self) {
        eprintln!("the case is BARROW_FUZZ_SEED={}", self.0);
    }
}

fn mutated(files: &[Vec<u8>], words: &[&[u8]], seed: u64) -> Vec<u8> {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut bytes = files[random.below(files.len())].clone();
    for _ in 0..1 + random.below(4) {
        mutate(&mut bytes, files, words, &mut random);
        bytes.truncate(MOST_BYTES);
    }
    bytes
}

fn mutate(bytes: &mut Vec<u8>, files: &[Vec<u8>], words: &[&[u8]], random: &mut Random) {
    let mut at = random.below(bytes.len() + 1);
    let mut end = (at + random.below(64)).min(bytes.len());
    // Half of the time whole lines, so that enough of the format is left for the later phases to see.
    if random.below(2) == 0 {
        let after_line =
            |at: usize| bytes[at..].iter().position(|&b| b == b'\n').map_or(bytes.len(), |n| at + n + 1);
        at = after_line(at);
        end = after_line(end.max(at));
    }
    match random.below(8) {
        0 => bytes.truncate(at),
        1 => drop(bytes.drain(at..end)),
        2 => {
            let again = bytes[at..end].repeat(1 + random.below(100));
            bytes.splice(at..at, again);
        }
        3 => drop(bytes.splice(at..at, words[random.below(words.len())].iter().copied())),
        4 => drop(bytes.splice(at..end, words[random.below(words.len())].iter().copied())),
        5 => {
            let other = &files[random.below(files.len())];
            let from = random.below(other.len() + 1);
            let to = (from + random.below(400)).min(other.len());
            bytes.splice(at..at, other[from..to].iter().copied());
        }
        6 if at < bytes.len() => bytes[at] = random.below(256) as u8,
        7 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
        _ => {}
    }
}

/// Xorshift: the same numbers everywhere.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % limit.max(1)
    }
}
