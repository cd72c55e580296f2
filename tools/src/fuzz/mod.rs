//! Throws mutations of good files at a reader: the same thousands in every test run, or as many as fit into
//! `BARROW_FUZZ_SECONDS`. No case may panic, hang, or take memory out of proportion to its input. The tests that call
//! this have names that begin with `fuzz_`; `tools/fuzz.sh` runs each of them for as long as it is told.

#[cfg(fuzzing)]
#[path = "../../../tests/support/guided.rs"]
mod guided;
pub mod memory;

use std::cell::Cell;
use std::time::{Duration, Instant};

/// Cases in a plain test run.
const CASES: u64 = 10_000;

/// Mutated inputs grow by duplication; what matters happens in small ones.
const MOST_BYTES: usize = 1 << 20;

/// What a case may hold at once: so much whatever its size, and so much for each of its bytes. The models that readers make
/// hold tens of bytes for a line of a few, twice while a list grows; the page that is made of them holds it all again.
const FREE_BYTES: usize = 16 << 20;
const BYTES_FOR_A_BYTE: usize = 200;

/// Far above what any case takes on a machine that is busy with other things.
const MOST_SECONDS: u64 = 30;

/// Runs `body` on mutations of `files`, splicing in `words` of the format. The number that made a failing case is
/// printed, and `BARROW_FUZZ_SEED` runs it alone.
pub fn run(files: &[Vec<u8>], words: &[&[u8]], body: impl FnMut(&[u8])) {
    run_cases(CASES, files, words, <[u8]>::to_vec, body);
}

/// As `run`, with fewer cases in a plain test run, for what takes milliseconds for each.
pub fn run_slow(files: &[Vec<u8>], words: &[&[u8]], body: impl FnMut(&[u8])) {
    run_cases(CASES / 20, files, words, <[u8]>::to_vec, body);
}

/// As `run`, for formats whose sums would give every damage away: most cases are mended first. A mended file is read to its end, and so
/// takes longer: a plain test run has fewer of them.
pub fn run_mended(
    files: &[Vec<u8>],
    words: &[&[u8]],
    mend: impl Fn(&[u8]) -> Vec<u8>,
    body: impl FnMut(&[u8]),
) {
    run_cases(CASES / 5, files, words, mend, body);
}

fn run_cases(
    cases: u64,
    files: &[Vec<u8>],
    words: &[&[u8]],
    mend: impl Fn(&[u8]) -> Vec<u8>,
    mut body: impl FnMut(&[u8]),
) {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let case = |seed: u64| {
        let bytes = mutated(files, words, seed);
        if seed.is_multiple_of(8) { bytes } else { mend(&bytes) }
    };
    if let Some(seed) = number("BARROW_FUZZ_SEED") {
        return body(&case(seed));
    }
    #[cfg(fuzzing)]
    {
        let mut guided =
            |bytes: &[u8]| body(&if bytes.len().is_multiple_of(8) { bytes.to_vec() } else { mend(bytes) });
        // SAFETY: this frame stays until the process ends.
        unsafe { guided::run_if_told(files, words, &mut guided) };
    }
    for bytes in kept() {
        body(&if bytes.len().is_multiple_of(8) { bytes } else { mend(&bytes) });
    }
    let end = number("BARROW_FUZZ_SECONDS").map(|seconds| Instant::now() + Duration::from_secs(seconds));
    let (most, bytes_read) = (Cell::new(0), Cell::new(0));
    let mut seed = 0;
    while end.map_or(seed < cases, |end| Instant::now() < end) {
        let input = case(seed);
        let shown = Shown(seed);
        let begun = Instant::now();
        let held = memory::most_held(seed, || body(&input));
        assert!(begun.elapsed() < Duration::from_secs(MOST_SECONDS), "it took {:?}", begun.elapsed());
        let allowed = FREE_BYTES + BYTES_FOR_A_BYTE * input.len();
        assert!(held <= allowed, "{held} bytes of memory for an input of {} bytes", input.len());
        std::mem::forget(shown);
        most.set(held.max(most.get()));
        bytes_read.set(bytes_read.get() + input.len());
        seed += 1;
    }
    println!(
        "{seed} cases of {} MB in all; the most memory was {:.1} MB",
        bytes_read.get() / 1_000_000,
        most.get() as f64 / 1e6
    );
}

/// Cases that libFuzzer found worth keeping for the test that runs in this thread, which has its name.
fn kept() -> Vec<Vec<u8>> {
    let thread = std::thread::current();
    let name = thread.name().and_then(|name| name.rsplit("::").next()).unwrap_or_default();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../fuzz/corpus");
    let Ok(files) = std::fs::read_dir(std::path::Path::new(folder).join(name)) else { return Vec::new() };
    let paths = files.flatten().map(|file| file.path()).filter(|path| path.is_file());
    paths.map(|path| std::fs::read(path).expect("a case")).collect()
}

/// Puts right sums before the blocks of a file of this library: eight bytes that say what it is, and then blocks, each
/// with its length and its sum before it. A length beyond the end is cut.
pub fn mended(bytes: &[u8], sum: fn(&[u8]) -> u32) -> Vec<u8> {
    let mut rest = bytes.get(8..).unwrap_or_default();
    let mut whole = bytes[..bytes.len().min(8)].to_vec();
    while let Some((head, behind)) = rest.split_first_chunk::<8>() {
        let length = u32::from_le_bytes([head[0], head[1], head[2], head[3]]) as usize;
        let (block, later) = behind.split_at(length.min(behind.len()));
        whole.extend((block.len() as u32).to_le_bytes());
        whole.extend(sum(block).to_le_bytes());
        whole.extend(block);
        rest = later;
    }
    whole
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
